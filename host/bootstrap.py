"""Set-up on a fresh machine, with the standard library alone: the virtual environment and, for tests, system packages.

Runs under the machine's Python before anything is installed, so it imports nothing of the project. It does its work
once, stamps the environment with a digest of what it installed, and from then on only hands over.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
LOG = VENV / "setup.log"
# Every package with its version and the digests of its files; made by host/dependencies/lock.py.
LOCKS = ROOT / "host" / "dependencies" / "locks"

# What each extra brings is declared in pyproject.toml; each contains those before it.
EXTRAS = ("table", "club", "test")

# Debian's packages for the tests, by what they give. Nothing else in the project needs a system package.
SYSTEM_PACKAGES = {
    "gcc": ("gcc", "libc6-dev", "make"),
    "avr-gcc": ("gcc-avr", "avr-libc", "binutils-avr"),
    "simavr": ("libsimavr-dev", "libelf-dev", "simavr"),
    "arm-none-eabi-gcc": ("gcc-arm-none-eabi", "binutils-arm-none-eabi"),
    "avrdude": ("avrdude",),
    "cppcheck": ("cppcheck",),
    "clang": ("clang-14", "libclang-rt-14-dev"),
    "chromium": ("chromium",),
    "arduino": ("arduino-core-avr",),
    "mosquitto": ("mosquitto",),
    "postgresql": ("postgresql",),
}
PROBES = {
    "gcc": ("gcc", "make"),
    "avr-gcc": ("avr-gcc",),
    "simavr": ("/usr/include/simavr/sim_avr.h", "/usr/include/libelf.h"),
    "arm-none-eabi-gcc": ("arm-none-eabi-gcc",),
    "avrdude": ("avrdude",),
    "cppcheck": ("cppcheck",),
    "clang": ("clang-14",),
    "chromium": ("chromium",),
    "arduino": ("/usr/share/arduino/hardware/arduino/avr",),
    "mosquitto": ("mosquitto",),
    "postgresql": ("/usr/lib/postgresql",),
}


def say(line: str) -> None:
    sys.stderr.write(f"allfronts: {line}\n")
    sys.stderr.flush()


def stop(line: str) -> None:
    say(line)
    raise SystemExit(2)


def digest(extra: str) -> str:
    """What the environment was made from: the requirements and their lock, the Python, and where it stands."""
    lock = (LOCKS / f"{extra}.txt").read_bytes()
    parts = [(ROOT / "pyproject.toml").read_bytes(), lock, sys.version.encode(), str(ROOT).encode(), extra.encode()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def stamped(extra: str) -> bool:
    """Is the environment ready for this extra? A later one holds all that an earlier one does."""
    for name in EXTRAS[EXTRAS.index(extra) :]:
        stamp = VENV / f".{name}"
        if PYTHON.exists() and stamp.exists() and stamp.read_text() == digest(name):
            return True
    return False


def run_logged(command: Sequence[str], doing: str) -> bool:
    """Run `command` into the log, with a line on standard error at the start and a dot every few seconds."""
    started = time.monotonic()
    sys.stderr.write(f"allfronts: {doing} ")
    sys.stderr.flush()
    with LOG.open("ab") as log:
        log.write(("\n$ " + " ".join(command) + "\n").encode())
        log.flush()
        process = subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        while True:
            try:
                status = process.wait(timeout=3)
                break
            except subprocess.TimeoutExpired:
                sys.stderr.write(".")
                sys.stderr.flush()
    sys.stderr.write(f" {'done' if status == 0 else 'failed'} ({time.monotonic() - started:.0f} s)\n")
    return status == 0


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """One set-up at a time, also when two commands are started at once on a fresh clone."""
    try:
        VENV.mkdir(exist_ok=True)
        lock = (VENV / ".lock").open("w")
    except OSError as error:
        stop(f"the project's folder cannot be written ({error.strerror}): {ROOT}. Clone it to a folder of your own.")
        raise
    with lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_environment(extra: str) -> None:
    with locked():
        if stamped(extra):
            return
        what = {"table": "first start: this takes about a minute.", "test": "getting the tests' tools: about a minute."}
        what["club"] = "getting what club night needs: about a minute."
        say(what[extra])
        if not PYTHON.exists() or not run_quiet([str(PYTHON), "-m", "pip", "--version"]):
            make = [sys.executable, "-m", "venv", str(VENV)]
            # Debian's Python comes without ensurepip; its error is long, so we look first.
            if not run_quiet([sys.executable, "-c", "import ensurepip, venv"]):
                version = f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
                if not apt_install([version], "installing Python's venv module"):
                    stop(f"Python's venv module is missing. On Debian or Ubuntu type: sudo apt-get install {version}")
            if not run_logged(make, "making the virtual environment"):
                stop(f"the virtual environment could not be made. Details: {LOG}. Remove {VENV} and start again.")
        packages, project = install_commands(extra)
        if not run_logged(packages, "installing the Python packages"):
            stop(
                f"the packages could not be installed: is the internet within reach? Details: {LOG}. Then start again."
            )
        if not run_logged(project, "installing the project itself"):
            stop(f"the project could not be installed. Details: {LOG}. Remove {VENV} and start again.")
        (VENV / f".{extra}").write_text(digest(extra))


def install_commands(extra: str) -> tuple[list[str], list[str]]:
    """The packages, exactly as locked; then the project itself, built with what the lock brought.

    Nothing is built from source on the way: a build would fetch its own tools, which no lock holds.
    """
    install = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "-q"]
    packages = [*install, "--require-hashes", "--only-binary", ":all:", "-r", str(LOCKS / f"{extra}.txt")]
    return packages, [*install, "--no-index", "--no-deps", "--no-build-isolation", "-e", str(ROOT)]


def run_quiet(command: Sequence[str]) -> bool:
    try:
        return (
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0
        )
    except OSError:
        return False


def present(tool: str) -> bool:
    search = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    return all(
        Path(probe).exists() if probe.startswith("/") else shutil.which(probe, path=search) for probe in PROBES[tool]
    )


def rights() -> list[str] | None:
    """The words to put before a package command, or None where this user may not install."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    return ["sudo", "-n"] if shutil.which("sudo") and run_quiet(["sudo", "-n", "true"]) else None


def apt_install(packages: Sequence[str], doing: str) -> bool:
    """Install Debian packages; False where the rights or the network are missing."""
    before = rights()
    if before is None:
        return False
    quiet = [*before, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q"]
    install = [*quiet, "install", "-y", "--no-install-recommends", *packages]
    return run_logged([*quiet, "update"], "reading the package lists") and run_logged(install, doing)


def install_system_packages() -> None:
    """Bring what the tests need from the system, where the rights are there; else say the exact line to type."""
    missing = [tool for tool in SYSTEM_PACKAGES if not present(tool)]
    if not missing:
        return
    packages = sorted(p for tool in missing for p in SYSTEM_PACKAGES[tool])
    line = "sudo apt-get install --no-install-recommends " + " ".join(packages)
    if rights() is None:
        say(f"tests that need {', '.join(missing)} will be skipped by name. To run them too, on Debian type: {line}")
        return
    with locked():
        if not apt_install(packages, f"installing {', '.join(missing)}: some minutes"):
            say(f"not installed, so tests that need them are skipped by name. Details: {LOG}. To try by hand: {line}")


def without_language(arguments: list[str]) -> list[str]:
    """The command and what follows it, where `--lang` stands before."""
    first = arguments[0] if arguments else ""
    return arguments[2:] if first == "--lang" else arguments[1:] if first.startswith("--lang=") else arguments


def needs_club(arguments: Sequence[str]) -> bool:
    """Whether a command needs the extra `club`: for a club night, for what is measured of one, and for the client of a
    broker, which a home's has, too."""
    if arguments[:1] in (["club"], ["bench"]):
        return True
    if any(argument.split("=")[0] in ("--club", "--home-assistant") for argument in arguments):
        return True
    # A table that is opened with the settings alone: the page, or `play`.
    opens = not arguments or arguments[0] == "play" or arguments[0].startswith("-")
    return opens and shows_at_home()


def shows_at_home() -> bool:
    """Whether this person's settings name a broker of Home Assistant. What is wrong in them is told by the command."""
    import tomllib

    folder = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(folder) if folder.startswith("/") else Path.home() / ".config"
    try:
        with (base / "allfronts" / "settings.toml").open("rb") as file:
            return bool(tomllib.load(file).get("home_assistant"))
    except (OSError, ValueError):
        return False


def main() -> None:
    arguments = without_language(sys.argv[1:])
    asking = bool({"-h", "--help"} & set(arguments))
    testing = arguments[:1] == ["test"] and not asking
    extra = "test" if testing else "club" if not asking and needs_club(arguments) else "table"
    if not stamped(extra):
        make_environment(extra)
    if testing:
        install_system_packages()
    os.execv(PYTHON, [str(PYTHON), "-P", "-m", "host", *sys.argv[1:]])


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
