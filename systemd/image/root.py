"""Makes the root file system: Debian, sabot, and the settings that only a table's computer has."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import foreign
from boot import engine
from card import Card

FILES: Final = Path(__file__).parent / "root"

ENABLED: Final = (
    "sabot-grow.service", "sabot-technician.service", "sabot-kiosk.service", "systemd-networkd.service",
    "systemd-timesyncd.service", "sabot-commission.service", "run-answers.mount", "run-update.mount",
    "sabot-update.service", "sabot-trial.service",
)  # fmt: skip
MASKED: Final = (
    "getty.target", "getty@.service", "serial-getty@.service", "autovt@.service", "console-getty.service",
    "ssh.service", "ssh.socket", "sshd-keygen.service", "debug-shell.service", "swap.target",
    "apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "e2scrub_reap.service",
    "fstrim.timer",
    "systemd-firstboot.service", "systemd-machine-id-commit.service", "systemd-networkd-wait-online.service",
)  # fmt: skip
"""Units that are switched off: logins on consoles, downloads, and work that a read-only root cannot do."""

PLACES: Final = (
    "data", "boot/firmware", "var/lib/sabot", "etc/sabot", "var/log/journal", "etc/udev/rules.d",
    "etc/systemd/system/sabot.service.d", "etc/systemd/network",
)  # fmt: skip
"""Directories where the initrd mounts writable places, besides those that already exist."""

LEFT_OUT: Final = (
    "usr/share/man", "usr/share/locale", "usr/share/info", "usr/share/lintian", "usr/share/bug", "var/lib/apt/lists",
    "var/cache/apt", "etc/dpkg/dpkg.cfg.d/99mmdebstrap", "etc/resolv.conf", "var/lib/systemd/random-seed",
    "var/lib/systemd/credential.secret", "var/lib/dbus/machine-id",
)  # fmt: skip
OF_ONE_COMPUTER: Final = ("etc/ssh/ssh_host_*", "var/log/**/*.log", "var/cache/fontconfig/*", "var/cache/ldconfig/*")
"""Keys and traces of the machine that built the image."""

RELEASE: Final = "usr/lib/sabot-image/release"

IN_NO_RULES: Final = "usr/share/doc/*/*"
COPYRIGHT: Final = "copyright"


def settle(card: Card, package: Path, arch: str, certificate: bytes) -> None:
    """Installs packages, settings and services, removes files that are not needed, and moves the boot files to their
    partitions.
    """
    root = card.root
    shutil.rmtree(root / "boot/firmware", ignore_errors=True)
    _forget(root)
    shutil.copytree(FILES, root, dirs_exist_ok=True)
    _settle_modes(root)
    for place in PLACES:
        (root / place).mkdir(parents=True, exist_ok=True)
    (root / "etc/machine-id").write_text("")
    inside(root, "systemd-sysusers")
    shutil.copy(package, root / "tmp/sabot.deb")
    inside(root, "dpkg", "--install", "/tmp/sabot.deb")  # noqa: S108 - the image's own
    (root / "tmp/sabot.deb").unlink()
    _settle_updates(card, release_of(package, card.made), arch, certificate)
    shutil.copy(root / "usr/share/doc/sabot/examples/sabot-kiosk.service", root / "usr/lib/systemd/system")
    _run("systemctl", f"--root={root}", "--quiet", "enable", *ENABLED)
    _run("systemctl", f"--root={root}", "--quiet", "mask", *MASKED)
    inside(root, "update-initramfs", "-c", "-k", "all")
    card.take_boot_files()
    _forget(root)


def release_of(package: Path, made: int) -> str:
    """Returns the name of a root file system's release: the time of the commit of sabot's package, then the time of
    Debian's packages.
    """
    return f"{package.stem.split('_')[1].partition('+')[2][:14]}-{made}"


def _settle_updates(card: Card, release: str, arch: str, certificate: bytes) -> None:
    """Writes the release into the root file system, for an update and for the controller's journal. Writes the settings
    of the update engine.

    `certificate`: certifies the key that must sign the next update.
    """
    (card.root / RELEASE).write_text(release + "\n")
    drop_in = card.root / "usr/lib/systemd/system/sabot.service.d/release.conf"
    drop_in.write_text(f"[Service]\nEnvironment=SABOT_RELEASE={release}\n")
    settings = card.root / "etc/rauc"
    settings.mkdir(exist_ok=True)
    (settings / "system.conf").write_text(engine(arch))
    (settings / "keyring.pem").write_bytes(certificate)


def inside(root: Path, *command: str) -> None:
    """Runs a command inside the root file system at `root`, without a network."""
    environment = {"PATH": "/usr/sbin:/usr/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
    environment["SOURCE_DATE_EPOCH"] = os.environ["SOURCE_DATE_EPOCH"]
    subprocess.run([*foreign.ISOLATED, f"--root={root}", *command], env=environment, check=True)


def _forget(root: Path) -> None:
    others = [path for path in root.glob(IN_NO_RULES) if path.name != COPYRIGHT and path.parent.name != "sabot"]
    for path in (
        *(root / name for name in LEFT_OUT),
        *(p for glob in OF_ONE_COMPUTER for p in root.glob(glob)),
        *others,
    ):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def _settle_modes(root: Path) -> None:
    """Sets the modes of the files that this project adds, so that they do not depend on the umask of the checkout."""
    for file in FILES.rglob("*"):
        place = root / file.relative_to(FILES)
        program = place.is_dir() or {"scripts", "hooks", "sabot-image"} & set(place.parts)
        place.chmod(0o755 if program else 0o644)


def _run(*command: str) -> None:
    subprocess.run(command, check=True)
