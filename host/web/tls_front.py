"""HTTPS in front of a page: takes TLS connections on the network and hands them on, in the clear, to a server that
listens on this machine only. That server is told in a first line who connected, so that its limits for one address
hold for phones over HTTPS too.
"""

from __future__ import annotations

import asyncio
import errno
import ssl
import threading
from contextlib import suppress
from typing import Final

from engine.failure import BadInput, Failure
from host.web.access import LOOPBACK
from host.web.certificate import TableCertificate

CONNECTIONS_MOST: Final = 400
CONNECTIONS_OF_ONE: Final = 24
"""For one address: a phone keeps a handful."""
HANDSHAKE_SECONDS: Final = 10.0
PIECE: Final = 65_536


class TlsFront:
    """Listens on `addresses` at `port` (0: a free one) once it is started; raises `BadInput` (`port-in-use`)."""

    def __init__(self, certificate: TableCertificate, addresses: tuple[str, ...], port: int, to_port: int) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        self._context.load_cert_chain(certificate.chain, certificate.key)
        self._addresses, self.port, self._to_port = addresses, port, to_port
        self._loop = asyncio.new_event_loop()
        self._open: dict[asyncio.Task[None], str] = {}
        self._thread = threading.Thread(target=self._loop.run_forever, name="https", daemon=True)
        self._server: asyncio.Server | None = None

    def start(self) -> None:
        self._thread.start()
        try:
            asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result()
        except OSError as error:
            self.close()
            if error.errno in (errno.EADDRINUSE, errno.EACCES):
                raise BadInput(
                    "port-in-use", f"Port {self.port} cannot be used for HTTPS.", "Choose another one with --https."
                ) from error
            raise Failure("no-page", f"The page cannot be opened: {error}.") from error

    async def _listen(self) -> None:
        # In the clear at first: whoever never speaks TLS is counted, too.
        self._server = await asyncio.start_server(self._accepted, self._addresses, self.port)
        self.port = int(self._server.sockets[0].getsockname()[1])

    def _accepted(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        address = str((writer.get_extra_info("peername") or ("",))[0])
        of_one = sum(other == address for other in self._open.values())
        if len(self._open) >= CONNECTIONS_MOST or of_one >= CONNECTIONS_OF_ONE:
            writer.transport.abort()
            return
        task = self._loop.create_task(self._serve(reader, writer))
        self._open[task] = address
        task.add_done_callback(self._open.pop)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            # A handshake that fails or does not end in time, and a client that has gone, end the connection.
            with suppress(OSError):
                await writer.start_tls(self._context, ssl_handshake_timeout=HANDSHAKE_SECONDS)
                await self._hand_on(reader, writer)
                # It counts until its client has taken the end, or asyncio waits for that no more.
                writer.close()
                await writer.wait_closed()
        finally:
            writer.transport.abort()

    async def _hand_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back_reader, back_writer = await asyncio.open_connection(LOOPBACK, self._to_port)
        back_writer.write(proxy_line(writer))
        # Whichever side ends first ends the other: an event stream has no end of its own.
        ways = [asyncio.create_task(_pour(reader, back_writer)), asyncio.create_task(_pour(back_reader, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            back_writer.close()

    def close(self) -> None:
        """Hangs up on everybody."""
        if not self._thread.is_alive():
            return

        async def hang_up() -> None:
            if self._server is not None:
                self._server.close()
            tasks = tuple(self._open)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

        asyncio.run_coroutine_threadsafe(hang_up(), self._loop).result(timeout=5)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)


def proxy_line(writer: asyncio.StreamWriter) -> bytes:
    """Who connected, as the line that a proxy sends first (the PROXY protocol, version 1, of HAProxy)."""
    (source, source_port), (target, target_port) = (
        (writer.get_extra_info(name) or ("0.0.0.0", 0))[:2] for name in ("peername", "sockname")
    )
    family = "TCP6" if ":" in source else "TCP4"
    return f"PROXY {family} {source} {target} {source_port} {target_port}\r\n".encode("ascii")


async def _pour(source: asyncio.StreamReader, into: asyncio.StreamWriter) -> None:
    with suppress(OSError, ssl.SSLError):
        while piece := await source.read(PIECE):
            into.write(piece)
            await into.drain()
