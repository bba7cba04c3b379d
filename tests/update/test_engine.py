"""The words to and from the update engine: its refusals, and its questions about the two roots."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.journal.root import Release
from controller.update import blocks as edge
from controller.update.blocks import Blocks
from controller.update.bundle import BundleRefused, install, machine_of, read_bundle
from controller.update.computer import RealComputer
from controller.update.decision import Offer, Refusal
from controller.update.engine import answered
from controller.update.slots import COPIES, TRIED, Slot, SlotRefused, Slots, read_tried, written_tried

pytestmark = pytest.mark.waits

INFO = (
    '{"compatible":"sabot-table-amd64","version":"20261127170505-1764262800","description":"sabot 0.1.0",'
    '"build":null,"hooks":[],"images":[{"rootfs":{"variant":null,"filename":"root.img","size":1}}]}'
)
SAID = {
    "signature verification failed: Verify error: self-signed certificate": Refusal.SIGNATURE,
    "signature verification failed: Verify error: certificate has expired": Refusal.SIGNATURE,
    "Invalid bundle format: Signature size (5625944255457655287) exceeds bundle size": Refusal.CUT_SHORT,
    "Invalid bundle format: Signature size is 0": Refusal.CUT_SHORT,
    "Invalid bundle format: Failed to seek to end of bundle: Invalid argument": Refusal.CUT_SHORT,
    "No such file: /run/update/update.raucb": Refusal.NO_FILE,
}
"""Standard error of rauc 1.8 for each refusal; tests/deb asks the program itself."""


@pytest.fixture
def rauc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A replacement for rauc: prints the contents of `out` and `err`, exits with `code`, notes its arguments."""
    program = tmp_path / "bin/rauc"
    program.parent.mkdir()
    program.write_text(
        f'#!/bin/sh\ncd {tmp_path} || exit 9\necho "$*" >> words\ncat out\ncat err >&2\nexit "$(cat code)"\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    for name, text in (("out", ""), ("err", ""), ("code", "0")):
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_signed_description_is_read(rauc: Path) -> None:
    (rauc / "out").write_text(INFO)
    offer = read_bundle(Path("/x.raucb"), Path("/s.conf"))
    assert offer == Offer("sabot-table-amd64", Release(20261127170505, 1_764_262_800), "sabot 0.1.0")
    assert (rauc / "words").read_text() == "info --output-format=json --conf=/s.conf /x.raucb\n"


@pytest.mark.parametrize("text", SAID)
def test_each_refusal_of_the_engine_is_known_by_its_words(rauc: Path, text: str) -> None:
    (rauc / "code").write_text("1")
    (rauc / "err").write_text(f"rauc-Message: Reading bundle\n{text}\n")
    with pytest.raises(BundleRefused) as refused:
        read_bundle(Path("/x.raucb"))
    assert (refused.value.refusal, refused.value.detail) == (SAID[text], text)


@pytest.mark.parametrize("text", ["", "{", '{"version":"1"}'])
def test_an_answer_of_another_form_is_no_description(rauc: Path, text: str) -> None:
    (rauc / "out").write_text(text)
    with pytest.raises(BundleRefused, match="cut-short"):
        read_bundle(Path("/x.raucb"))


def test_an_installation_that_fails_says_why(rauc: Path) -> None:
    install(Path("/x.raucb"))
    (rauc / "code").write_text("1")
    (rauc / "err").write_text("LastError: Failed updating slot rootfs.1: failed to write: Input/output error\n")
    with pytest.raises(BundleRefused, match="not-written") as refused:
        install(Path("/x.raucb"))
    assert "Input/output error" in refused.value.detail


# ---- its questions


@pytest.fixture
def boot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The card's first partition, which must be mounted read-only except during a write."""
    how: list[str] = []

    @contextmanager
    def writable(_place: Path) -> Iterator[None]:
        how.append("rw")
        yield
        how.append("ro")

    monkeypatch.setattr(edge, "writable", writable)
    yield tmp_path
    assert how == ["rw", "ro"] * (len(how) // 2)


def test_an_installation_and_its_trial_by_the_engine_s_own_words(boot: Path) -> None:
    blocks = Blocks(boot)
    assert answered(["get-primary"], blocks) == "a"
    assert [answered(["get-state", slot.value], blocks) for slot in Slot] == ["good", "bad"]
    answered(["set-state", "b", "bad"], blocks)
    answered(["set-primary", "b"], blocks)
    assert answered(["get-primary"], blocks) == "b"
    assert [(boot / name).stat().st_size for name in COPIES] == [1024, 1024]
    (boot / TRIED).write_bytes(written_tried(1))  # the boot loader starts it
    assert answered(["get-primary"], blocks) == "a"
    answered(["set-state", "b", "good"], blocks)
    assert blocks.read() == (Slots(Slot.B, None, 1, back=True), 1)
    assert [answered(["get-state", slot.value], blocks) for slot in Slot] == ["good", "good"]


def test_the_root_that_starts_cannot_be_given_up(boot: Path) -> None:
    for words in (["set-state", "a", "bad"], ["set-primary", "a"]):
        with pytest.raises(SlotRefused):
            answered(words, Blocks(boot))
    for words in (["get-state", "c"], ["set-state", "a", "else"], []):
        with pytest.raises(ValueError, match=r"."):
            answered(words, Blocks(boot))


def test_a_torn_note_is_mended_before_the_next_trial(boot: Path) -> None:
    blocks = Blocks(boot)
    answered(["set-primary", "b"], blocks)
    (boot / TRIED).write_bytes(b"")
    assert answered(["get-primary"], blocks) == "a"
    answered(["set-state", "b", "bad"], blocks)
    answered(["set-primary", "b"], blocks)
    assert read_tried((boot / TRIED).read_bytes()) == 1
    assert answered(["get-primary"], blocks) == "b"


def test_the_root_that_runs_is_the_boot_loaders_word(tmp_path: Path) -> None:
    line, settings = tmp_path / "cmdline", tmp_path / "system.conf"
    settings.write_text("[system]\ncompatible=sabot-table-amd64\nbootloader=custom\n")
    assert machine_of(settings) == "sabot-table-amd64"
    for text, slot in (("ro rauc.slot=b quiet", Slot.B), ("rauc.slot=c", None), ("", None)):
        line.write_text(text)
        assert RealComputer(command_line=line).running() is slot
