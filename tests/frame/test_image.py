"""The card's own files: what is kept lies on the data partition, nothing offers a login, and each place is made."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/debian"))
sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/image"))

from card import COMMAND_LINE
from root import ENABLED, FILES, MASKED, PLACES

INITRD = (FILES / "usr/share/initramfs-tools/scripts/local-bottom/sabot-data").read_text()
KEPT = dict(re.findall(r"^([a-z-]+) ([a-z][a-z./-]+)$", INITRD.partition("<< PLACES")[2], re.MULTILINE))


def test_what_the_package_keeps_lies_on_the_data_partition() -> None:
    package = (FILES.parents[1] / "sabot.tmpfiles").read_text()
    kept = re.findall(r"^d /((?:etc|var/lib)/sabot) ", package, re.MULTILINE)
    assert len(kept) == 2
    assert set(kept) <= set(KEPT.values())


def test_each_place_and_each_folder_is_there_before_it_is_mounted() -> None:
    made = set(re.findall(r"[a-z]+", re.findall(r"^mkdir -p (.*)$", INITRD, re.MULTILINE)[0]))
    assert set(KEPT) - {"machine-id"} <= made
    assert set(KEPT.values()) - set(PLACES) == {"var/lib/systemd", "etc/machine-id"}  # of systemd's own package


def test_the_data_are_written_through_and_a_failed_write_ends_writing() -> None:
    options = re.findall(r"-o (rw,\S+)", INITRD)[0].split(",")
    assert {"data=ordered", "barrier=1", "data_err=abort", "errors=remount-ro", "noexec", "nosuid"} <= set(options)
    assert {"nobarrier", "barrier=0", "data=writeback", "noload"} & set(options) == set()


def test_the_root_is_read_only_and_no_stick_stands_in_for_a_partition() -> None:
    assert " ro " in COMMAND_LINE
    mounted = [line for line in INITRD.splitlines() if line.startswith(("mount -t", '    "$data"'))]
    assert len(mounted) == 3
    assert "LABEL" not in INITRD + (FILES / "etc/fstab").read_text()


def test_no_console_offers_a_login() -> None:
    assert {"getty.target", "getty@.service", "serial-getty@.service", "autovt@.service", "ssh.service"} <= set(MASKED)
    ssh = (FILES / "etc/ssh/sshd_technician.conf").read_text()
    assert "AuthenticationMethods publickey\n" in ssh
    assert "ConditionPathExists=/boot/firmware/technician.pub" in unit("sabot-technician.service")


def unit(name: str) -> str:
    return (FILES / "usr/lib/systemd/system" / name).read_text()


def test_without_the_data_partition_there_is_no_table_and_no_commissioning() -> None:
    for name in ("sabot", "sabot-commission"):
        assert "ConditionPathIsMountPoint=/data\n" in unit(f"{name}.service.d/data.conf")


def test_the_first_start_is_the_commissioning_and_a_stick_brings_answers_alone() -> None:
    stick = "run-answers.mount"
    assert {"sabot-commission.service", stick} <= set(ENABLED)
    assert "Options=ro,nodev,nosuid,noexec" in unit(stick)
    where = re.findall(r"--answers (\S+)/", (FILES.parents[1] / "sabot-commission.service").read_text())
    assert [f"Where={where[0]}"] == re.findall("Where=.*", unit(stick))


def test_users_have_numbers_that_stay_and_are_all_of_the_package() -> None:
    ours = dict(re.findall(r"^u (\S+) (\S+)", (FILES / "etc/sysusers.d/sabot.conf").read_text(), re.MULTILINE))
    package = re.findall(r"^u (\S+) -", (FILES.parents[1] / "sabot.sysusers").read_text(), re.MULTILINE)
    assert set(ours) == {*package, "sabot-kiosk"}
    assert len({int(number) for number in ours.values()}) == len(ours)
