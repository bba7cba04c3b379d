"""`make verifier`: builds from the last commit the programs and texts for inspectors, with their digests.

The verifier of proofs, written in Go, is one file for Linux and one for Windows; each runs without other files. A ZIP
has the texts and the other programs. The same commit gives the same bytes with the same Debian packages, which
BUILT-WITH names: no file contains a path, a time or a build id, and only the commit's source is used.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

from contents import of_verifier, supported_until

ROOT: Final = Path(__file__).parents[2]
SOURCE: Final = "tests/journal/foreign/verify.go"
TARGETS: Final = {
    "sabot-verify-linux-amd64": {"GOOS": "linux", "GOARCH": "amd64", "GOAMD64": "v1"},
    "sabot-verify-linux-arm64": {"GOOS": "linux", "GOARCH": "arm64"},
    "sabot-verify-windows-amd64.exe": {"GOOS": "windows", "GOARCH": "amd64", "GOAMD64": "v1"},
}
LIBRARY: Final = Path("/usr/share/gocode")
MODULE: Final = LIBRARY / "src/golang.org/x/mod/sumdb/note/note.go"
PACKAGES: Final = ("golang-go", "golang-golang-x-mod-dev")
BILL: Final = "sabot-verify.cdx.json"
TEXTS: Final = "sabot-verify-texts.zip"
IN_TEXTS: Final = (
    *("LICENSE", "controller/journal/AUDIT.md", "controller/journal/AUDIT.pt.md"),
    *("controller/journal/FORMAT.md", "controller/journal/KINDS.md"),
    *("tests/journal/standalone_verifier.py", "tests/journal/standalone_mark.py"),
    *("tests/journal/standalone_directory.py", "tests/journal/cards_by_text.py", SOURCE),
)
"""The texts by which an inspector checks, and the programs written from them, all in one folder."""
FLAGS: Final = ("-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=")


def main() -> int:
    """Builds the programs and prints their paths. Returns 1 if the compiler or its library is missing, else 0."""
    parser = argparse.ArgumentParser(description="builds what an inspector is handed, of the last commit")
    parser.add_argument("--out", type=Path, default=ROOT / "build/verifier")
    out = parser.parse_args().out
    if shutil.which("go") is None or not MODULE.exists():
        print(
            f"make verifier needs what this machine lacks. Type:\n  sudo apt install {' '.join(PACKAGES)}",
            file=sys.stderr,
        )
        return 1
    for path in build(out):
        print(path)
    return 0


def build(
    out: Path, source: bytes | None = None, names: Iterable[str] = TARGETS, cache: Path | None = None
) -> tuple[Path, ...]:
    """Builds into `out` the programs `names`, the ZIP, SHA256SUMS and BUILT-WITH, and returns their paths.

    `source`: the verifier's source; None for the last commit's. `cache`: the directory of Go's compiled libraries; None
    to compile all of them. Raises CalledProcessError if a tool fails.
    """
    out.mkdir(parents=True, exist_ok=True)
    source = _run("git", "-C", str(ROOT), "show", f"HEAD:{SOURCE}") if source is None else source
    with tempfile.TemporaryDirectory() as work:
        (Path(work) / "verify.go").write_bytes(source)
        programs = [_program(Path(work), name, out / name, cache or Path(work) / "cache") for name in names]
    programs.append(_texts(out / TEXTS, source))
    lines = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in programs]
    (out / "SHA256SUMS").write_text("".join(lines))
    (out / "BUILT-WITH").write_text(_built_with(source))
    (out / BILL).write_text(_bill())
    return (*programs, out / "SHA256SUMS", out / "BUILT-WITH", out / BILL)


def _program(work: Path, name: str, out: Path, cache: Path) -> Path:
    own = {"GO111MODULE": "off", "GOPATH": str(LIBRARY), "GOFLAGS": "", "GOTOOLCHAIN": "local", "CGO_ENABLED": "0"}
    environment = {**os.environ, **own, "GOCACHE": str(cache), **TARGETS[name]}
    command = ["go", "build", *FLAGS, "-o", str(out.resolve()), "verify.go"]
    subprocess.run(command, cwd=work, env=environment, check=True)
    return out


def _texts(out: Path, source: bytes) -> Path:
    """Writes the texts and programs to a ZIP. It is uncompressed, and all files have the same time, so its bytes depend
    on the commit alone.
    """
    with zipfile.ZipFile(out, "w") as file:
        for path in IN_TEXTS:
            data = source if path == SOURCE else _run("git", "-C", str(ROOT), "show", f"HEAD:{path}")
            info = zipfile.ZipInfo(Path(path).name)
            info.external_attr = 0o644 << 16  # else unzip makes files without permissions
            file.writestr(info, data)
    return out


def _bill() -> str:
    """Returns the bill of materials: Go's own library and x/mod, with the versions of their Debian packages."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    until = supported_until((ROOT / ".github/SECURITY.md").read_text(), version)
    go = _run("go", "env", "GOVERSION").decode().strip().removeprefix("go")
    module = _run("dpkg-query", "-W", "-f", "${Version}", PACKAGES[1]).decode()
    seconds = int(_run("git", "-C", str(ROOT), "show", "-s", "--format=%ct", "HEAD"))
    return of_verifier(version, seconds, until, (("stdlib", go), ("golang.org/x/mod", module.partition("-")[0])))


def _built_with(source: bytes) -> str:
    versions = _run("dpkg-query", "-W", "-f", "${Package} ${Version}\\n", *PACKAGES).decode()
    compiler = _run("go", "version").decode().removeprefix("go version ")
    return f"{SOURCE} {sha256(source).hexdigest()}\ncompiler {compiler}{versions}flags {' '.join(FLAGS)}\n"


def _run(*command: str) -> bytes:
    return subprocess.run(command, check=True, capture_output=True).stdout


if __name__ == "__main__":
    sys.exit(main())
