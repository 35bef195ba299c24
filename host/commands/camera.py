"""`allfronts camera`: the aiming aid, live enrolment with `--enrol`, and measuring the lens with `--calibrate`."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from engine.failure import Failure
from host.app.shutdown import wait_for_signal
from host.camera_setup.learning import ProgressLine
from host.camera_setup.words import localised
from host.cli import EXIT_DONE, EXIT_NO
from host.messages import say
from host.messages.command_text import CommandRefusal, command_text
from host.settings import load_settings, spoken_language

if TYPE_CHECKING:
    from host.camera_setup.watch import AimWatch, CameraSetupState
    from vision.enrolment.live import Guide
    from vision.enrolment.proof import ProofStage
    from vision.sources import Source

PORT = 8421
TELL_PAGE = 2.0
"""Seconds that the page is given to fetch the end of live enrolment."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        nargs="?",
        default="0",
        metavar="SOURCE",
        help="camera number, stream address, film, picture or folder",
    )
    parser.add_argument("--enrol", metavar="DIR", help="learn the deck from live pictures, step by step, into DIR")
    parser.add_argument(
        "--calibrate",
        action="store_true",
        help="measure the lens, with the mat in a dozen places; all commands use it",
    )
    parser.add_argument("--http", type=int, default=PORT, metavar="PORT", help=f"port of the page (default {PORT})")
    parser.add_argument("--no-page", action="store_true", help="say it in the terminal only")
    parser.add_argument("--json", action="store_true", help="one JSON object a line when something changes; no page")


def run(args: argparse.Namespace) -> int:
    """Watches until the source ends, the deck is learnt, or Ctrl-C. Status 1 if the last picture will not do."""
    from host.camera_setup.lenses import known_lens
    from host.camera_setup.watch import AimWatch
    from host.setup_wizard.cameras import check_camera
    from vision.enrolment.live import Guide
    from vision.sources import open_source

    if not 0 <= args.http <= 65535:
        raise CommandRefusal("usage", "not-a-port", port=args.http)
    if args.calibrate:
        return _calibrate(args)
    check_camera(args.source)
    lens = known_lens(args.source)
    guide = Guide(lens) if args.enrol else None
    with closing(open_source(args.source, as_live=not args.json)) as source:
        watch = AimWatch(guide, lens=lens)
        server = None
        if not args.json and not args.no_page:
            from host.camera_setup.page import make_aiming_app
            from host.web.access import hosts
            from host.web.server import PageServer

            port = [args.http]
            server = PageServer(make_aiming_app(watch, lambda: hosts(port[0], None)), ("127.0.0.1",), args.http)
            port[0] = server.port
            server.start()
            address = {"base": f"http://127.0.0.1:{server.port}/"}
            sys.stdout.write(command_text(spoken_language(), "terminal", "open-here", address) + "\n")
            sys.stdout.flush()
        try:
            status = _follow(watch, source, guide, args, pictures=server is not None)
            if server is not None and guide is None:
                sys.stdout.write(command_text(spoken_language(), "terminal", "pictures-ended", {}) + "\n")
                sys.stdout.flush()
                wait_for_signal()
            return status
        except KeyboardInterrupt:
            return _status(watch)
        finally:
            if server is not None:
                if guide is not None and guide.step is None:
                    # The page asks three times a second: it should hear how it ended before it is alone.
                    watch.wait_until_told(TELL_PAGE)
                server.close()


def _calibrate(args: argparse.Namespace) -> int:
    """Takes pictures of the mat and keeps the lens. Raises `Failure` where it would be no better than without."""
    from host.camera_setup.lens_pictures import WANTED, LensPictures
    from host.camera_setup.lenses import keep_lens, lens_path
    from vision.geometry.lens import fit_lens
    from vision.sources import Frame, open_source

    if args.enrol:
        raise CommandRefusal("usage", "calibrate-or-enrol")
    language = "en" if args.json else load_settings().language

    def tell(code: str, **parts: str | int | float) -> None:
        if args.json:
            sys.stdout.write(json.dumps({"event": code, **parts}) + "\n")
        else:
            sys.stdout.write(say(language, "lens", code, parts) + "\n")
        sys.stdout.flush()

    shots = LensPictures()
    told = ""
    tell("begin", wanted=WANTED)
    with closing(open_source(args.source, as_live=not args.json)) as source:
        try:
            for item in source:
                if not isinstance(item, Frame):
                    continue
                step = shots.see(item.image, item.t)
                if step.just_taken:
                    tell("taken", taken=step.taken, wanted=step.wanted)
                if step.word != told:
                    told = step.word
                    tell(told)
                if told == "done":
                    break
        except KeyboardInterrupt:
            # Who has enough pictures may end it.
            pass
    if shots.size is None:
        raise CommandRefusal("camera-gone", "no-picture")
    fitted = fit_lens(shots.pictures, shots.size)
    try:
        keep_lens(args.source, fitted)
    except OSError as fault:
        raise Failure(
            "not-kept", f"{lens_path()} cannot be written: {fault.strerror}.", "Make room on the disk."
        ) from fault
    error, before = round(fitted.error, 2), round(fitted.error_before, 2)
    tell("kept", error=error, before=before, pictures=fitted.pictures)
    return EXIT_DONE


def _follow(watch: AimWatch, source: Source, guide: Guide | None, args: argparse.Namespace, pictures: bool) -> int:
    last = ""
    for shown in watch.follow(source, pictures):
        if guide is not None and guide.step is None:
            _learn(watch, guide, args.enrol, args.json)
            _tell(shown, args.json)
            return EXIT_DONE
        now = _fingerprint(shown)
        if now != last:
            last = now
            _tell(shown, args.json)
    if guide is not None:
        taken = ", ".join(watch.row()["enrol"]["taken"])
        raise CommandRefusal("enrol-unfinished", "enrol-unfinished", taken=taken or "–")
    return _status(watch)


def _learn(watch: AimWatch, guide: Guide, folder: str, as_json: bool) -> None:
    from host.camera_setup.deck_before import save_learnt, tell_before

    language = "en" if as_json else load_settings().language
    line = ProgressLine(sys.stderr, sys.stderr.isatty() and not as_json, language)

    def told(stage: ProofStage, done: int, of: int) -> None:
        watch.learning(stage, done, of)
        line.told(stage, done, of)

    try:
        learnt = guide.learn(told)
        before = save_learnt(learnt, folder)
    except Failure as failure:
        watch.saved(None, failure)
        raise
    finally:
        line.done()
    tell_before(sys.stderr, language, folder, before)
    watch.saved(folder, None, learnt)


def _status(watch: AimWatch) -> int:
    return EXIT_DONE if watch.row()["verdict"] in ("good", "usable") else EXIT_NO


def _fingerprint(shown: CameraSetupState) -> str:
    """What a line is printed for: the measures tremble, the words do not."""
    row = shown.as_row()
    enrol = row.get("enrol", {})
    codes = [(f["code"], f["weight"]) for f in row.get("findings", [])]
    return repr((row["verdict"], codes, [t["code"] for t in row["troubles"]], enrol.get("says"), enrol.get("taken")))


def _tell(shown: CameraSetupState, as_json: bool) -> None:
    row = shown.as_row()
    if as_json:
        sys.stdout.write(json.dumps(row, ensure_ascii=False) + "\n")
        sys.stdout.flush()
        return
    language = load_settings().language
    row = localised(row, language, shown.learnt, shown.failed)
    lines = [row["verdict_text"]]
    if row.get("scale") is not None:
        # The units stand in the names of the measures.
        edge = "–" if row["edge"] is None else row["edge"]
        paper = "–" if row["paper"] is None else round(100 * row["paper"])
        values = {"scale": row["scale"], "tilt": row["tilt"], "edge": edge, "paper": paper}
        lines.append("  " + ", ".join(f"{say(language, 'aim-page', code)}: {value}" for code, value in values.items()))
    lines += [f"  {t['message']} {t['remedy']}".rstrip() for t in row["troubles"]]
    lines += [f"  {f['message']} {f['remedy']}" for f in row.get("findings", [])]
    if "enrol" in row:
        enrol = row["enrol"]
        lines += [f"  {line}" for line in (enrol["says"], *enrol["expected"])]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
