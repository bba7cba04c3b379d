"""`make deb`: builds the packages `sabot`, `sabot-sim` and `sabot-floor` from the last commit and the locked run-time
wheels.

There is one package for each Debian release and architecture, since wheels are made for one Python. The wheels of
another architecture are only fetched; no code in them runs here. The same commit gives the same bytes at any place and
time: only the commit is used, not the checkout, and every file has the commit's time and a mode set here.
"""

import argparse
import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from io import BytesIO
from pathlib import Path
from typing import Final

from contents import of_package, supported_until
from needs import MACHINES
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[2]

RELEASES: Final = {"bookworm": ("3.11", "deb12", 36), "trixie": ("3.13", "deb13", 41)}
"""For each Debian release its Python, its mark in a version, and the minor version of its C library."""

PURE: Final = ("cobs",)
"""Packages without a wheel for Linux: built from their locked source without their optional C extension."""

PAGES: Final = (
    "systemd/README.md",
    "systemd/README.pt.md",
    "controller/catalogue/FAULTS.md",
    "controller/catalogue/FAULTS.pt.md",
    "controller/journal/AUDIT.md",
    "controller/journal/AUDIT.pt.md",
    "controller/journal/FORMAT.md",
    "controller/journal/KINDS.md",
    "controller/scenario/ACTS.md",
)
"""Pages for people at a table without a network. They lie in one folder there."""

SCRIPTS: Final = ("preinst", "postinst", "prerm", "postrm")

LANGUAGES: Final = ("root", "en", "pt", "zh")
"""The catalogue's languages; babel's data for others are left out."""

PACKAGES: Final = ("sabot", "sabot-sim", "sabot-floor")

FLOOR_HOME: Final = Path("usr/lib/sabot-floor")
FLOOR_NEEDS: Final = (
    "alembic", "authlib", "cryptography", "httpx2", "itsdangerous", "jinja2", "msgspec", "psycopg", "psycopg-binary",
    "psycopg-pool", "starlette", "uvicorn",
)  # fmt: skip
FLOOR_KEEPS: Final = frozenset(("catalogue", "floor", "journal", "machine", "protocol", "witness"))
"""Packages of the controller that the floor imports, by contract; the floor's computer gets no others."""

TOO_LARGE: Final = {"sabot": 60_000_000, "sabot-sim": 60_000_000, "sabot-floor": 80_000_000}
"""Most bytes installed; the floor's computer is a server, a table's has an SD card."""


@dataclass(frozen=True, slots=True)
class Target:
    """The Debian release and architecture for which packages are built."""

    release: str
    arch: str

    @property
    def python(self) -> str:
        return RELEASES[self.release][0]

    def wheel_options(self) -> list[str]:
        machine, newest = MACHINES[self.arch], RELEASES[self.release][2]
        tags = [f"manylinux_2_{minor}_{machine}" for minor in range(newest, 16, -1)] + [f"manylinux2014_{machine}"]
        platforms = [part for tag in tags for part in ("--platform", tag)]
        return [*platforms, "--python-version", self.python, "--implementation", "cp", "--only-binary", ":all:"]


def main() -> int:
    """Builds the packages and prints their paths. Returns 0."""
    parser = argparse.ArgumentParser(description="builds the Debian packages of the last commit")
    parser.add_argument("--release", choices=RELEASES, default="bookworm")
    parser.add_argument("--arch", choices=MACHINES, default="amd64")
    parser.add_argument("--interpreter", help="a Python of the release's version, to compile with (default: pythonX.Y)")
    parser.add_argument("--out", type=Path, default=ROOT / "build/deb")
    given = parser.parse_args()
    target = Target(given.release, given.arch)
    for path in build(target, given.interpreter or f"python{target.python}", given.out):
        print(path)
    return 0


def build(target: Target, interpreter: str, out: Path) -> tuple[Path, ...]:
    """Builds the packages for one target, and returns the paths of their files.

    Raises CalledProcessError if a tool fails, SystemExit if the result would be wrong.
    """
    commit, seconds = _run("git", "show", "-s", "--format=%H %ct", "HEAD").split()
    os.environ["SOURCE_DATE_EPOCH"] = seconds
    when = datetime.fromtimestamp(int(seconds), UTC).strftime("%Y%m%d%H%M%S")
    version = f"{debian_version(metadata.version('sabot'))}+{when}.{commit[:12]}~{RELEASES[target.release][1]}"
    work = out / f"work-{target.release}-{target.arch}"
    shutil.rmtree(work, ignore_errors=True)
    source = work / "source"
    with tarfile.open(fileobj=BytesIO(_bytes("git", "archive", "HEAD"))) as archive:
        archive.extractall(source, filter="data")
    folders = ("", "systemd/debian", "systemd/docs")
    sys.path[:0] = [str(source / folder) for folder in folders]  # the commit's own parsers make the pages
    home = Path("usr/lib/sabot") / version
    whole, sim = work / "sabot", work / "sabot-sim"
    site = whole / home / f"lib/python{target.python}/site-packages"
    _environment(whole / home, target)
    _install(target, source, site, work, run_time_packages())
    _compile(interpreter, target, site, home)
    inside = sim / home / f"lib/python{target.python}/site-packages/simulators"
    inside.parent.mkdir(parents=True)
    (site / "simulators").rename(inside)
    _files(source, whole, sim, version)
    _floor(target, interpreter, source, work)
    until = supported_until((source / ".github/SECURITY.md").read_text(), metadata.version("sabot"))
    for name in PACKAGES:
        bill = of_package(work / name, name, version, int(seconds), until)
        _write(work / name / "usr/share/doc" / name / "sbom.cdx.json", bill)
    return tuple(_package(work, name, version, target) for name in PACKAGES)


def debian_version(version: str) -> str:
    """Converts a Python version into one that Debian sorts correctly: a release candidate (`1.0.0rc1`) must come before
    its release.
    """
    return re.sub(r"(?<=\d)rc(?=\d)", "~rc", version)


def _floor(target: Target, interpreter: str, source: Path, work: Path) -> None:
    """Creates the floor's virtual environment and the other files of its package. Of the controller it has only the
    packages that the floor imports.
    """
    stage, systemd, documents = work / "sabot-floor", source / "systemd", Path("usr/share/doc/sabot-floor")
    site = stage / FLOOR_HOME / f"lib/python{target.python}/site-packages"
    _environment(stage / FLOOR_HOME, target)
    _install(target, source, site, work / "of-floor", run_time_packages(*FLOOR_NEEDS))
    for folder in (site / "simulators", site / "firmware_protocols", *(site / "controller").iterdir()):
        if folder.is_dir() and folder.name not in FLOOR_KEEPS:
            shutil.rmtree(folder)
    _compile(interpreter, target, site, FLOOR_HOME)
    copies: dict[str, str | Path] = {
        "floor/sabot-floor": "usr/bin/sabot-floor",
        "floor/sabot-floor.service": "usr/lib/systemd/system/sabot-floor.service",
        "floor/sysusers": "usr/lib/sysusers.d/sabot-floor.conf",
        "floor/tmpfiles": "usr/lib/tmpfiles.d/sabot-floor.conf",
        "floor/floor.toml.example": documents / "examples/floor.toml",
        "floor/README.md": documents / "README.md",
        "floor/README.pt.md": documents / "README.pt.md",
        "debian/copyright": documents / "copyright",
    }
    for name, place in copies.items():
        _write(stage / place, (systemd / name).read_text().replace("](../../controller/uplink/", "]("))
    for page in ("uplink/WIRE.md", "floor/FIGURES.md"):
        _write(stage / documents / Path(page).name, (source / "controller" / page).read_text())


# ---- the environment


def run_time_packages(*of: str) -> set[str]:
    """Returns the names of the packages that `sabot` needs to run, directly or indirectly. `of`: packages to take
    instead of `sabot`.

    The names come from the metadata of the present environment.
    """
    found: set[str] = set(of)
    todo = list(of or ("sabot",))
    while todo:
        wanted = map(Requirement, metadata.requires(todo.pop()) or ())
        new = {
            canonicalize_name(one.name) for one in wanted if one.marker is None or one.marker.evaluate({"extra": ""})
        }
        todo += new - found
        found |= new
    return found


def locked(names: set[str], source: Path = ROOT) -> Iterator[str]:
    """Yields the lock file's block for each package of `names`, sorted. Raises SystemExit if it lacks one."""
    blocks = re.split(r"\n(?=[a-z])", (source / "requirements.lock").read_text())
    of = {block.split("==")[0]: block for block in blocks}
    if missing := names - set(of):
        sys.exit(f"not in requirements.lock: {', '.join(sorted(missing))}")
    yield from (of[name] for name in sorted(names))


def _environment(home: Path, target: Target) -> None:
    """Creates a virtual environment: a link to the interpreter, and the settings file `pyvenv.cfg`."""
    (home / "bin").mkdir(parents=True)
    (home / "bin/python").symlink_to(f"/usr/bin/python{target.python}")
    settings = f"home = /usr/bin\ninclude-system-site-packages = false\nversion = {target.python}\n"
    (home / "pyvenv.cfg").write_text(settings)


def _install(target: Target, source: Path, site: Path, work: Path, names: set[str]) -> None:
    work.mkdir(exist_ok=True)
    wheels = work / "wheels"
    compiled, pure, sources = work / "compiled.txt", work / "pure.txt", work / "sources"
    compiled.write_text("\n".join(locked(names - set(PURE), source)) + "\n")
    pure.write_text("\n".join(locked(names & set(PURE), source)) + "\n")
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    hashed = ("--no-deps", "--require-hashes", "-r")
    _run(*pip, "download", *target.wheel_options(), *hashed, str(compiled), "-d", str(wheels))
    here = ("--no-build-isolation", "--no-binary", ":all:")
    if names & set(PURE):
        _run(*pip, "download", *here, *hashed, str(pure), "-d", str(sources))
        _run(*pip, "wheel", *here, "--no-deps", *map(str, sorted(sources.iterdir())), "-w", str(work / "pure"))
    _run(*pip, "wheel", "--no-build-isolation", "--no-deps", str(source), "-w", str(wheels))
    into = ("install", "--no-deps", "--no-index", "--no-compile", "--target", str(site))
    _run(*pip, *into, *target.wheel_options(), *map(str, sorted(wheels.glob("*.whl"))))
    _unpack(work / "pure", site)
    for folder in ("bin", "share"):  # commands and manual pages of the libraries
        shutil.rmtree(site / folder, ignore_errors=True)
    for data in (site / "babel/locale-data").glob("*.dat"):
        if re.split(r"[_.]", data.name)[0] not in LANGUAGES:
            data.unlink()
    for left in (*site.glob("*.dist-info/RECORD"), *site.glob("*.dist-info/direct_url.json"), *site.glob("**/*.pyi")):
        left.unlink()
    if foreign := [path.name for path in site.rglob("*.so*") if not _is_for(path, target)]:
        sys.exit(f"not for {target.arch}: {', '.join(foreign)}")


def _unpack(wheels: Path, site: Path) -> None:
    """Unpacks wheels built on this machine. Leaves out their compiled parts, since these fit this machine only."""
    for wheel in sorted(wheels.glob("*.whl")):
        shutil.unpack_archive(wheel, site, "zip")
    for name in PURE:
        for compiled in (site / name).rglob("*.so"):
            compiled.unlink()


def _is_for(path: Path, target: Target) -> bool:
    """True if the ELF file `path` is for the machine of `target`."""
    with path.open("rb") as file:
        head = file.read(20)
    return int.from_bytes(head[18:20], "little") == {"amd64": 62, "arm64": 183}[target.arch]


def _compile(interpreter: str, target: Target, site: Path, home: Path) -> None:
    """Compiles the Python code in `site`.

    First gives every file the commit's time, since compiled code records time and size of its source.
    """
    found = _run(interpreter, "-c", "import sys; print('%d.%d' % sys.version_info[:2])")
    if found != target.python:
        sys.exit(f"{interpreter} is Python {found}; {target.release} has {target.python}: name one with --interpreter")
    for path in site.rglob("*"):
        os.utime(path, (int(os.environ["SOURCE_DATE_EPOCH"]),) * 2)
    places = ("-s", str(site), "-p", f"/{home}/lib/python{target.python}/site-packages")
    _run(interpreter, "-m", "compileall", "-q", "--invalidation-mode", "timestamp", *places, str(site))


# ---- everything else


def _files(source: Path, whole: Path, sim: Path, version: str) -> None:
    from pages import completion, manual  # beside this file

    from controller.catalogue import Language

    systemd = source / "systemd"
    copies = {
        "debian/sabot": "usr/bin/sabot",
        "sabot.service": "usr/lib/systemd/system/sabot.service",
        "sabot-panel.service": "usr/lib/systemd/system/sabot-panel.service",
        "sabot-commission.service": "usr/lib/systemd/system/sabot-commission.service",
        "sabot-commission-table.path": "usr/lib/systemd/system/sabot-commission-table.path",
        "sabot.sysusers": "usr/lib/sysusers.d/sabot.conf",
        "sabot.tmpfiles": "usr/lib/tmpfiles.d/sabot.conf",
        "journald.conf": "usr/lib/systemd/journald.conf.d/60-sabot.conf",
        "59-sabot-latency.rules": "usr/lib/udev/rules.d/59-sabot-latency.rules",
        "60-sabot.rules": "usr/share/doc/sabot/examples/60-sabot.rules",
        "table.toml.example": "usr/share/doc/sabot/examples/table.toml",
        "second-copy.conf": "usr/share/doc/sabot/examples/second-copy.conf",
        "serial-server.conf": "usr/share/doc/sabot/examples/serial-server.conf",
        "usb.conf": "usr/share/doc/sabot/examples/usb.conf",
        "debian/copyright": "usr/share/doc/sabot/copyright",
        "sabot-kiosk.service": "usr/share/doc/sabot/examples/sabot-kiosk.service",
        "sabot-metrics.service": "usr/lib/systemd/system/sabot-metrics.service",
        "sabot-uplink.service": "usr/lib/systemd/system/sabot-uplink.service",
        "image/README.md": "usr/share/doc/sabot/image/README.md",
        "monitoring/README.md": "usr/share/doc/sabot/monitoring/README.md",
        "monitoring/alerts.yml": "usr/share/doc/sabot/monitoring/alerts.yml",
        "monitoring/dashboard.json": "usr/share/doc/sabot/monitoring/dashboard.json",
    }
    for name, place in copies.items():
        _write(whole / place, (systemd / name).read_text())
    for name, text in documents(source).items():
        _write(whole / "usr/share/doc/sabot" / name, text)
    _write(whole / "usr/share/doc/sabot/changelog.gz", (source / "CHANGELOG.md").read_text())
    _write(sim / "usr/bin/sabot-sim", (systemd / "debian/sabot-sim").read_text())
    _write(sim / "usr/lib/systemd/system/sabot-demo.service", (systemd / "sabot-demo.service").read_text())
    _write(sim / "usr/share/doc/sabot-sim/copyright", (systemd / "debian/copyright").read_text())
    for stage, command in ((whole, "sabot"), (sim, "sabot-sim")):
        for language, folder in ((Language.EN, "man"), (Language.PT, "man/pt")):
            _write(stage / f"usr/share/{folder}/man1/{command}.1.gz", manual(command, version, language))
    _site(source, whole / "usr/share/doc/sabot/html")
    for command in ("sabot", "sabot-sim"):
        stage = whole if command == "sabot" else sim
        _write(stage / f"usr/share/bash-completion/completions/{command}", completion())


def _site(source: Path, place: Path) -> None:
    from site_of_texts import made  # beside this folder

    if warnings := made(source, place):
        sys.exit("\n".join(warnings))


def documents(source: Path) -> dict[str, str]:
    """Returns the text of each page of the documentation, by name. A link from page to page leads to a file in the same
    folder.
    """
    return {
        Path(page).name: re.sub(r"\]\(\.\./(?:controller/)?\w+/", "](", (source / page).read_text()) for page in PAGES
    }


def _write(place: Path, text: str) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.suffix == ".gz":
        place.write_bytes(gzip.compress(text.encode(), mtime=0))
    else:
        place.write_text(text)


def _package(work: Path, name: str, version: str, target: Target) -> Path:
    stage, scripts, control = work / name, *_sources(work / "source/systemd", name)
    size = sum(path.lstat().st_size for path in stage.rglob("*") if not path.is_dir())
    if size > TOO_LARGE[name]:
        sys.exit(f"{name} would take {size} bytes installed; {TOO_LARGE[name]} are the bound")
    major, minor = target.python.split(".")
    python = f"python3 (>= {target.python}), python3 (<< {major}.{int(minor) + 1}), python{target.python}"
    folder = stage / "DEBIAN"
    folder.mkdir()
    values = {"version": version, "arch": target.arch, "size_kib": size // 1024, "python": python}
    (folder / "control").write_text(control.read_text().format(**values))
    for script in scripts:
        (folder / script.name).write_text(script.read_text().replace("@VERSION@", version))
    (folder / "md5sums").write_text("".join(_digests(stage)))
    for path in (stage, *stage.rglob("*")):
        if not path.is_symlink():
            program = path.is_dir() or path.parent.name == "bin" or path.name in SCRIPTS
            path.chmod(0o755 if program else 0o644)
        os.utime(path, (int(os.environ["SOURCE_DATE_EPOCH"]),) * 2, follow_symlinks=False)
    made = work.parent / f"{name}_{version}_{target.arch}.deb"
    _run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", str(stage), str(made))
    return made


def _sources(systemd: Path, name: str) -> tuple[list[Path], Path]:
    """Returns the maintainer scripts of the package `name`, and its control file."""
    if name == "sabot-sim":
        return [], systemd / "debian/control-sim"
    folder = systemd / ("debian" if name == "sabot" else "floor")
    return [folder / script for script in SCRIPTS if (folder / script).exists()], folder / "control"


def _digests(stage: Path) -> Iterator[str]:
    """Yields the lines of the file `md5sums`. By these `dpkg --verify` finds changed files."""
    from hashlib import md5

    for path in sorted(stage.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.parent.name != "DEBIAN":
            yield f"{md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {path.relative_to(stage)}\n"


def _run(*command: str) -> str:
    return _bytes(*command).decode().strip()


def _bytes(*command: str) -> bytes:
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, cwd=ROOT)
    if done.returncode:
        sys.exit(f"{' '.join(command[:4])} ended with {done.returncode}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
