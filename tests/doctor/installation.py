"""A faultless installation on disk, in which a test breaks one part."""

import os
from pathlib import Path

from controller.core.words import Role
from controller.doctor import Host, examine
from controller.staff import StaffBook, save_staff
from controller.staff.book import HashCost

FOLDER = Path(__file__).parents[2] / "systemd"
CHEAP = HashCost(8, 1, 1)


class Installation:
    """A root directory with a faultless installation; ports are pseudo-terminals, the unit's user is the test's own."""

    def __init__(self, root: Path, ports: tuple[str, ...] = ("shuffler", "shoe", "gpio")) -> None:
        self.root = root
        self.config = root / "etc/sabot/table.toml"
        self.state = root / "var/lib/sabot"
        self.second = root / "media/journal"
        for folder in (self.state, self.second, self.state / "journal"):
            folder.mkdir(parents=True, mode=0o700)
        me = os.geteuid()
        self.put("etc/passwd", f"root:x:0:0::/:/bin/sh\nsabot:x:{me}:900::/var/lib/sabot:/bin/false\n")
        self.put("etc/group", "root:x:0:\nsabot:x:900:technician\ndialout:x:20:\n")
        self.put("proc/cmdline", "console=tty1 root=/dev/mmcblk0p2")
        self.put("proc/self/mounts", f"/dev/mmcblk0p2 / ext4 rw 0 0\n/dev/sda1 {self.second} ext4 rw 0 0\n")
        self.put("run/systemd/timesync/synchronized")
        self.put("sys/class/rtc/rtc0/name", "ds3231")
        self.put("sys/devices/platform/soc/soc:firmware/get_throttled", "0")
        self.put("sys/class/thermal/thermal_zone0/temp", "51000")
        self.put("sys/class/rfkill/rfkill0/type", "wlan")
        self.put("sys/class/rfkill/rfkill0/soft", "1")
        self.put("sys/class/rfkill/rfkill0/hard", "0")
        self.put("sys/module/usbcore/parameters/authorized_default", "0")
        self.put("sys/module/pinctrl_bcm2835/parameters/persist_gpio_outputs", "N")
        self.put("dev/watchdog")
        self.put("etc/systemd/system.conf.d/watchdog.conf", "[Manager]\nRuntimeWatchdogSec=15\n")
        self.put("usr/lib/systemd/system/sabot.service", (FOLDER / "sabot.service").read_text())
        self.put("usr/lib/systemd/system/sabot-panel.service", (FOLDER / "sabot-panel.service").read_text())
        self.put("etc/systemd/system/sabot.service.d/second.conf", f"[Service]\nReadWritePaths=-{self.second}\n")
        (root / "dev/sabot").mkdir()
        self.ptys = {port: os.openpty() for port in ports}
        for port, (_master, slave) in self.ptys.items():
            (root / "dev/sabot" / port).symlink_to(os.ttyname(slave))
        self.put("var/lib/sabot/seal.key").chmod(0o600)
        self.put("var/lib/sabot/journal.key").chmod(0o600)
        self.put("var/lib/sabot/journal/0000.segment")
        for name in ("var/lib/sabot/journal.pub", "etc/sabot/table.pub"):
            self.put(name, "11" * 32)
        self.staff(Role.DEALER, Role.CHIEF_SUPERVISOR, Role.TECHNICIAN)
        self.configure()

    def close(self) -> None:
        for pair in self.ptys.values():
            for descriptor in pair:
                os.close(descriptor)

    def put(self, name: str, text: str = "") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o640)
        return path

    def staff(self, *roles: Role) -> None:
        book = StaffBook((), CHEAP)
        for number, role in enumerate(roles, 11):
            book = book.with_person(number, "N", role, f"73916{number}"[:6], "")
        save_staff(book, self.state / "staff.toml")

    def configure(self, old: str = "", new: str = "") -> None:
        text = (FOLDER / "table.toml.example").read_text().split("# An Angel Eye")[0]
        text = text.replace("simulated = false", "simulated = true").replace("/dev/sabot", f"{self.root}/dev/sabot")
        text += f'[devices.lamp]\nport = "{self.root}/dev/sabot/gpio"\nline = 17\n'
        text += f'[journal]\npath = "{self.state}/journal"\nsecond_copy = "{self.second}/table-1"\n'
        text += f'[staff]\npath = "{self.state}/staff.toml"\n'
        assert old in text
        self.put("etc/sabot/table.toml", text.replace(old, new))

    def runs(self, unit: str, *, descriptors: int, limit: str = "1024") -> None:
        """Simulates the unit's process in `/proc`, with `descriptors` open files and this limit."""
        process = 1000 + len(unit)
        self.put(f"sys/fs/cgroup/system.slice/{unit}.service/cgroup.procs", f"{process}\n{process + 500}\n")
        limits = f"Max processes   31        31        processes\nMax open files   {limit}        524288        files\n"
        self.put(f"proc/{process}/limits", limits)
        for descriptor in range(descriptors):
            self.put(f"proc/{process}/fd/{descriptor}")

    def found(self) -> set[str]:
        return {one.key for one in examine(Host(self.root, self.config))}
