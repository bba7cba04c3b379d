"""Bundles signed like those of `make image`, read by the real update engine: the program recognises each fault by the
engine's words.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/image"))

from boot import engine, machine
from card import Card
from signed import IMAGES, Pair, make_pair, sign

from controller.journal.root import read_release
from controller.update.bundle import BundleRefused, read_bundle
from controller.update.decision import Refusal

pytestmark = pytest.mark.waits

RELEASE = "20261127170505-1764262800"
VERSION = "0.1.0+20261127170505.abcdefabcdef~deb13"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A signed bundle, the settings of its card, and a foreign key."""
    out = tmp_path_factory.mktemp("bundle")
    for name in IMAGES:
        (out / name).write_bytes(os.urandom(200_000))
    ours, others = (Pair(out / f"{name}.key", out / f"{name}.pem") for name in ("ours", "others"))
    make_pair(ours, "ours")
    make_pair(others, "others")
    card = Card(out, 1_764_262_800)
    sign(card, "arm64", RELEASE, VERSION, others).rename(out / "others.raucb")
    sign(card, "arm64", RELEASE, VERSION, ours).rename(out / "whole.raucb")
    (out / "system.conf").write_text(engine("arm64").replace("/etc/rauc/keyring.pem", str(ours.certificate)))
    return out


def test_what_was_signed_says_which_machine_and_how_old(place: Path) -> None:
    offer = read_bundle(place / "whole.raucb", place / "system.conf")
    assert (offer.machine, offer.release) == (machine("arm64"), read_release(RELEASE))
    assert offer.says == "sabot 0.1.0+20261127170505.abcdefabcdef, Debian of 2025-11-27."


def test_a_card_whose_clock_was_never_set_reads_it_too(place: Path) -> None:
    words = ("rauc", "info", f"--conf={place / 'system.conf'}", str(place / "whole.raucb"))
    done = subprocess.run(["faketime", "1970-01-02", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def refused(place: Path, file: str) -> Refusal:
    with pytest.raises(BundleRefused) as found:
        read_bundle(place / file, place / "system.conf")
    return found.value.refusal


def test_another_ones_signature_is_refused(place: Path) -> None:
    assert refused(place, "others.raucb") is Refusal.SIGNATURE


@pytest.mark.parametrize("less", [1, 8, 500, 5_000, 200_000, 399_000])
def test_a_file_that_was_cut_is_known_as_such(place: Path, less: int) -> None:
    whole = (place / "whole.raucb").read_bytes()
    (place / "cut.raucb").write_bytes(whole[:-less])
    assert refused(place, "cut.raucb") is Refusal.CUT_SHORT


@pytest.mark.parametrize("size", [0, 4, 4096])
def test_a_file_of_another_kind_is_refused(place: Path, size: int) -> None:
    (place / "other.raucb").write_bytes(bytes(size))
    assert refused(place, "other.raucb") is Refusal.CUT_SHORT


def test_a_file_that_is_not_there_is_named(place: Path) -> None:
    assert refused(place, "none.raucb") is Refusal.NO_FILE


def test_a_changed_description_is_no_longer_signed(place: Path) -> None:
    """The description is in clear text in the signature's block."""
    whole = bytearray((place / "whole.raucb").read_bytes())
    at = whole.rindex(RELEASE.encode())
    whole[at] ^= 1
    (place / "changed.raucb").write_bytes(whole)
    assert refused(place, "changed.raucb") is Refusal.SIGNATURE
