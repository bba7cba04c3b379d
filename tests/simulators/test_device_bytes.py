"""The bytes of every kind of message of the devices, written by hand from the specification."""

from binascii import crc32

import pytest
from wire_by_hand import BOOT, OPENING, RawHost, answer, cobs, command, crc_32, event, frame, hello

from simulators.devices.base import seeded
from simulators.devices.cards import PhysicalCard
from simulators.devices.display import SimulatedDisplay
from simulators.devices.faults import DisplayFault, FaultPlan, Jam, Misread, ReaderError, Retry, Spot
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.shuffler import SimulatedShuffler
from simulators.devices.shuffler_firmware import ShufflerPace

MODEL = "5361626f742073696d756c61746f7200"  # "Sabot simulator" and one zero
FIRMWARE = "312e302e30" + 11 * "00"  # "1.0.0"
SHUFFLER_SERIAL = "53494d2d53485546464c4552" + 4 * "00"  # "SIM-SHUFFLER"
SHOE_SERIAL = "53494d2d53484f45" + 8 * "00"  # "SIM-SHOE"
DISPLAY_SERIAL = "53494d2d444953504c4159" + 5 * "00"  # "SIM-DISPLAY"

HEARTBEAT = "00 04 04 01 10 01 02 03 01 01 02 05 01 01 01 01 01 01 01 01 01 01 01 05 cc e2 21 c5 00"


# ---- the hand-made functions, checked against known values


def test_the_crc_by_hand_is_the_well_known_one() -> None:
    assert crc_32(b"123456789") == 0xCBF43926 == crc32(b"123456789")


def test_the_stuffing_by_hand_is_the_well_known_one() -> None:
    assert cobs(bytes.fromhex("00")) == bytes.fromhex("0101")
    assert cobs(bytes.fromhex("11220033")) == bytes.fromhex("0311220233")


def test_a_heartbeat_is_these_29_bytes() -> None:
    by_hand = frame(f"04 {OPENING} {BOOT} 05000000 00")
    assert by_hand.hex(" ") == HEARTBEAT


# ---- shuffler: status is cards_in cards_out inside release_until jams recounts flags

PACE = ShufflerPace(feed_s=0.01, present_s=0.01, unload_s=0.01, retry_s=0.01, recount_s=0.01)
EMPTY = "00000000 00000000 0000 00000000 0000 0000"
AFTER_JAM = "03000000 00000000 0300 00000000 0100 0000"
RECOUNTED = "03000000 00000000 0200 00000000 0100 0100"
ONE_OUT = "03000000 01000000 0100 01000000 0100 0100"


def jamming_shuffler() -> tuple[SimulatedShuffler, RawHost]:
    faults = FaultPlan((Retry(at=1, spot=Spot.FEED, tries=2), Jam(at=3, spot=Spot.CAROUSEL)))
    shuffler = SimulatedShuffler(rng=seeded(1), now_s=0.0, boot=3, faults=faults, pace=PACE)
    return shuffler, RawHost(shuffler)


def test_the_shuffler_byte_by_byte() -> None:
    shuffler, host = jamming_shuffler()

    # It starts locked, since its host is silent (flag 6); the start is event 1 of the boot.
    said = host.say(hello())
    started = event(1, "01", f"{EMPTY} 4000", "01")
    assert said.endswith(started)
    host.hear_events(started, [started])
    identity = f"81 {OPENING} {BOOT} 00000000 0100 01 01 {MODEL} {SHUFFLER_SERIAL} {FIRMWARE} 02000000 02000000"
    assert host.say(hello()) == frame(f"{identity} {EMPTY} 0000")

    # Three cards in the hopper; feed opened (flags 0 and 8); one retry; the third card sticks in the carousel.
    shuffler.put_cards_in_hopper([PhysicalCard(number, "AS") for number in (1, 2, 3)], host.now_s)
    assert host.say(command(1, "01 00000000 01 00 00 0000 0000")) == answer(1, 1, "00", f"{EMPTY} 0101")
    host.hear_events(host.wait(0.025), [event(2, "07", f"{EMPTY} 0101", "01 02")])
    host.hear_events(host.wait(0.01), [event(3, "02", "01000000 00000000 0100 00000000 0000 0000 0101")])
    host.hear_events(host.wait(0.01), [event(4, "02", "02000000 00000000 0200 00000000 0000 0000 0101")])
    third = event(5, "02", "03000000 00000000 0300 00000000 0000 0000 0102")
    said = host.wait(0.01)
    assert said.startswith(third)
    host.say(frame(f"03 {OPENING} {BOOT} 05000000"))
    host.events = 5
    host.hear_events(host.wait(0.3), [event(6, "04", f"{AFTER_JAM} 2802", "02 01")])

    # People open the lid, take the card out, close the lid, and the host ends jam 1.
    shuffler.open_lid(host.now_s)
    host.hear_events(host.wait(0), [event(7, "08", f"{AFTER_JAM} 3802")])
    shuffler.take_jammed(host.now_s)
    host.hear_events(host.wait(0), [event(8, "05", f"{AFTER_JAM} 3800")])
    shuffler.close_lid(host.now_s)
    host.hear_events(host.wait(0), [event(9, "09", f"{AFTER_JAM} 2800")])
    ended, said = event(10, "06", f"{AFTER_JAM} 0000"), host.say(command(2, "01 00000000 00 00 00 0100 0000"))
    assert said == ended + answer(2, 10, "00", f"{AFTER_JAM} 0000")
    host.hear_events(ended, [ended])

    # A recount finds two, one card is released and pulled.
    assert host.say(command(3, "01 00000000 00 00 00 0100 0100")) == answer(3, 10, "00", f"{AFTER_JAM} 0000")
    host.hear_events(host.wait(0.02), [event(11, "0a", f"{RECOUNTED} 0000", "0100 0200")])
    released = "03000000 00000000 0200 01000000 0100 0100"
    assert host.say(command(4, "01 01000000 00 00 00 0100 0100")) == answer(4, 11, "00", f"{released} 0000")
    assert host.wait(0.02) == b""
    assert len(shuffler.pull_cards(host.now_s)) == 1
    host.hear_events(host.wait(0), [event(12, "03", f"{ONE_OUT} 0000")])

    # A query, a meaningless command, a heartbeat, and a frame of another session.
    assert host.say(command(5, "02")) == answer(5, 12, "00", f"{ONE_OUT} 0000")
    assert host.say(command(6, "ff")) == answer(6, 12, "01", f"{ONE_OUT} 0000")
    assert host.say(bytes.fromhex(HEARTBEAT)) == frame(f"84 {OPENING} {BOOT} 05000000 0c000000 {ONE_OUT} 0000")
    assert host.say(frame(f"04 00100000 {BOOT} 01000000 00")) == frame(f"85 00100000 {BOOT} 00000000")


@pytest.mark.parametrize(
    ("orders", "flags"),
    [("01000000 00 00 00", "0200"), ("00000000 00 01 00", "0400"), ("00000000 00 00 01", "2000")],
)
def test_the_shufflers_other_flags(orders: str, flags: str) -> None:
    shuffler = SimulatedShuffler(rng=seeded(1), now_s=0.0, boot=3, pace=PACE)
    host = RawHost(shuffler)
    shuffler.open_lid(0.0)
    shuffler.put_inside_by_lid([PhysicalCard(1, "AS")], 0.0)
    shuffler.close_lid(0.0)
    host.say(hello())
    host.say(command(1, f"01 {orders} 0000 0000"))
    host.now_s = 0.005
    if flags == "0200":
        host.wait(0.01)
    release = orders.split()[0]
    said = host.say(frame(f"04 {OPENING} {BOOT} 01000000 00"))
    reply = f"84 {OPENING} {BOOT} 01000000 03000000 00000000 00000000 0000 {release} 0000 0000 {flags}"
    assert said == frame(reply)


def test_forgotten_counts_on_the_wire() -> None:
    shuffler = SimulatedShuffler(rng=seeded(1), now_s=0.0, boot=2)
    shuffler.reboot(0.0, off_s=0.5, forget_counts=True)
    host = RawHost(shuffler)
    host.wait(1.0)
    host.say(hello())
    said = host.say(frame(f"04 {OPENING} {BOOT} 01000000 00"))
    assert said == frame(f"84 {OPENING} {BOOT} 01000000 01000000 00000000 00000000 ffff 00000000 0000 0000 8000")


# ---- shoe: status is passages flags


def test_the_shoe_byte_by_byte() -> None:
    shoe = SimulatedShoe(now_s=0.0, boot=3, faults=FaultPlan((Misread(at=2), ReaderError(at=3, code=2))))
    host = RawHost(shoe)
    started = event(1, "01", "00000000 05", "01")
    assert host.say(hello()).endswith(started)
    host.hear_events(started, [started])
    identity = f"81 {OPENING} {BOOT} 00000000 0100 02 01 {MODEL} {SHOE_SERIAL} {FIRMWARE} 02000000 02000000"
    assert host.say(hello()) == frame(f"{identity} 00000000 01")
    assert host.say(command(1, "01 00")) == answer(1, 1, "00", "00000000 00")
    shoe.card_passes(PhysicalCard(1, "10H"), host.now_s)
    host.hear_events(host.wait(0), [event(2, "02", "01000000 00", "01000000 3a")])
    shoe.card_passes(PhysicalCard(2, "10H"), host.now_s)
    host.hear_events(host.wait(0), [event(3, "02", "02000000 00", "02000000 00")])
    shoe.card_passes(PhysicalCard(3, "JOKER"), host.now_s)
    joker = event(4, "02", "03000000 00", "03000000 5f")
    assert host.wait(0).startswith(joker)
    host.say(frame(f"03 {OPENING} {BOOT} 04000000"))
    host.events = 4
    host.hear_events(host.wait(0.3), [event(5, "03", "03000000 02", "02")])
    shoe.clear_error(host.now_s)
    host.hear_events(host.wait(0), [event(6, "04", "03000000 00", "02")])
    assert host.say(command(2, "01 01")) == answer(2, 6, "00", "03000000 01")
    assert host.say(command(3, "02")) == answer(3, 6, "00", "03000000 01")


# ---- display: status is shown_cents flags


def test_the_display_byte_by_byte() -> None:
    display = SimulatedDisplay(now_s=0.0, boot=3, faults=FaultPlan((DisplayFault(at=2, code=1),)))
    host = RawHost(display)
    started = event(1, "01", "0000000000000000 03", "01")
    assert host.say(hello()).endswith(started)
    host.hear_events(started, [started])
    identity = f"81 {OPENING} {BOOT} 00000000 0100 03 01 {MODEL} {DISPLAY_SERIAL} {FIRMWARE} 02000000 02000000"
    assert host.say(hello()) == frame(f"{identity} 0000000000000000 01")
    amount = "40e2010000000000"  # 123 456 cents
    assert host.say(command(1, f"01 {amount} 00")) == answer(1, 1, "00", f"{amount} 00")
    faulted = event(2, "02", f"{amount} 01", "01")
    assert host.say(command(2, f"01 {amount} 01")) == faulted + answer(2, 2, "00", f"{amount} 01")
    host.hear_events(faulted, [faulted])
    assert host.say(command(3, "02")) == answer(3, 2, "00", f"{amount} 01")
