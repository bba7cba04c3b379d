"""The card's own files: kept data lies on the data partition, no login is offered, and each place is made."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/debian"))
sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/image"))

from boot import COMMAND_LINE, GRUB, U_BOOT, engine
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
    mounted = re.findall(r'"(\$\{card\}[0-9]|\$data)" ', INITRD)
    assert sorted(set(mounted)) == ["$data", "${card}1"]
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


def test_without_the_data_partition_the_panel_starts_all_the_same_and_says_so() -> None:
    """One true condition is enough among the conditions that begin with `|`."""
    assert "ConditionPathIsMountPoint=|!/data\n" in unit("sabot-panel.service.d/data.conf")
    package = (FILES.parents[1] / "sabot-panel.service").read_text()
    assert all(said.startswith("|") for said in re.findall(r"^Condition\w+=(.*)$", package, re.MULTILINE))


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


TRIES = INITRD.partition("tries() {")[2].partition("\n}\n")[0]


def test_a_root_on_trial_writes_into_memory_alone_and_has_no_device() -> None:
    """The only mount of the medium is read-only, below a tmpfs."""
    assert re.findall(r"mount -t ext4 -o ([a-z]+),", TRIES) == ["ro"]
    layer = re.findall(r"upperdir=(\S+)/upper,", TRIES)
    assert layer == re.findall(r"mount -t tmpfs -o \S+ tmpfs (\S+)", TRIES)
    assert "DeviceAllow=\\nReadWritePaths=\\n" in TRIES
    assert 'case " $(cat /proc/cmdline) " in *" sabot.trial "*) mounts=tries ;; esac' in INITRD
    for name in ("sabot-uplink", "sabot-commission", "sabot-metrics"):
        assert "ConditionKernelCommandLine=!sabot.trial\n" in unit(f"{name}.service.d/trial.conf")
    for name in ("sabot-grow.service", "sabot-update.service", "run-update.mount"):
        assert "ConditionKernelCommandLine=!sabot.trial\n" in unit(name)


def test_a_trial_ends_by_a_start_whatever_its_end() -> None:
    trial = unit("sabot-trial.service")
    assert "ConditionKernelCommandLine=sabot.trial\n" in trial
    assert "ExecStopPost=/usr/bin/systemctl --no-block reboot\n" in trial
    assert "JobTimeoutAction=reboot-force" in TRIES, "where the trial's own unit is not reached"
    assert {"sabot-trial.service", "sabot-update.service", "run-update.mount"} <= set(ENABLED)


def test_an_update_that_is_cut_off_leaves_a_table_that_runs() -> None:
    assert "ExecStopPost=/usr/bin/systemctl --no-block start sabot.service\n" in unit("sabot-update.service")


def test_pages_of_update_and_trial_are_where_the_panel_looks() -> None:
    panel = (FILES.parents[1] / "sabot-panel.service").read_text()
    looked = re.findall(r"--update (\S+)", panel)
    for name in ("sabot-update.service", "sabot-trial.service"):
        assert re.findall(r"--serve (\S+)", unit(name)) == looked
    assert f"ConditionPathExists=|{looked[0]}" in panel.splitlines()


def test_both_boot_loaders_and_the_engine_name_the_same_partitions() -> None:
    settings = engine("arm64")
    for script in (GRUB, U_BOOT):
        assert all(name in script for name in ("slots slots.2", "tried", "sabot.trial", "rauc.slot=", "-0$"))
    assert re.findall(r"by-partuuid/[0-9a-f]{8}-0(\d)", settings) == ["5", "2", "6", "3"]
    assert re.findall(r"bootname=(.)", settings) == ["a", "b"]
    assert "bootloader-custom-backend=/usr/lib/sabot-image/slots\n" in settings
    assert "bundle-formats=verity\n" in settings


def test_a_missing_or_damaged_data_partition_leaves_a_system_whose_screen_starts() -> None:
    """The scripts' own checkfs restarts the computer at a damage that only a person may mend."""
    for step in (r'\[ -b "\$data" \]', r"\[ \$\(\(\$\? & 4\)\) -eq 0 \]", r"\$mounts"):
        assert re.search(rf"^{step} \|\| forgets ", INITRD, re.MULTILINE)
    assert "checkfs " not in re.sub("#.*", "", INITRD)
    assert '"${rootmnt}/var/lib/systemd"' in INITRD.partition("forgets() {")[2].partition("\n}\n")[0]
