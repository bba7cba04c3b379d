"""The packages under test: as they were built, with another version number, and with places for power cuts."""

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

COMMANDS = ("rm", "cp", "mv", "sync", "ln", "systemctl", "systemd-sysusers", "systemd-tmpfiles", "set_aside", "switch")
"""First words of the lines of a maintainer script before which the power may be cut."""


@dataclass(frozen=True)
class Packages:
    sabot: Path
    sim: Path
    floor: Path

    @property
    def version(self) -> str:
        return self.sabot.name.split("_")[1]

    @property
    def commit(self) -> str:
        return re.split(r"[.~]", self.version.partition("+")[2])[1]


def newer(packages: Packages, work: Path) -> Packages:
    """The same files under a later version and another commit."""
    version, commit = packages.version.replace("+", "+9"), "fedcba987654"
    made = []
    for package in (packages.sabot, packages.sim):
        stage = work / package.name.split("_")[0]
        subprocess.run(["dpkg-deb", "-R", str(package), str(stage)], check=True)
        folder = stage / "usr/lib/sabot"
        (folder / packages.version).rename(folder / version.replace(packages.commit, commit))
        for script in (stage / "DEBIAN").iterdir():
            text = script.read_text().replace(packages.version, version).replace(packages.commit, commit)
            script.write_text(text)
        for file in folder.rglob("software.py"):
            file.write_text(file.read_text().replace(packages.commit, commit))
        name = package.name.replace(packages.version, version).replace(packages.commit, commit)
        made.append(_built(stage, work / name))
    return Packages(*made, packages.floor)


def with_cuts(package: Path, work: Path) -> tuple[Path, int]:
    """The package whose scripts check `/run/cut` before each command, and the number of these places."""
    stage = work / "cuts"
    subprocess.run(["dpkg-deb", "-R", str(package), str(stage)], check=True)
    count = 0
    for name in ("preinst", "postinst", "prerm", "postrm"):
        script = stage / "DEBIAN" / name
        lines = []
        for line in script.read_text().splitlines():
            first = line.split()[0] if line.startswith(" ") and line.split() else ""
            if first in COMMANDS or first.startswith("PYTHON"):
                lines.append(f'[ "$(cat /run/cut 2>/dev/null)" != {count} ] || {{ kill -9 $PPID; kill -9 $$; }}')
                count += 1
            lines.append(line)
        script.write_text("\n".join(lines) + "\n")
    made = _built(stage, work / package.name)
    shutil.rmtree(stage)
    return made, count


def _built(stage: Path, out: Path) -> Path:
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(stage), str(out)], check=True, stdout=-3)
    return out
