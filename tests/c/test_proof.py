"""Pairing in the C core: the frames of section 18, the duties of 1.1, tapped worlds, and each duty broken."""

import gc
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import firmware_protocols.tdp
from firmware_protocols.framing import decode_signed, encode_frame
from firmware_protocols.tdp.conform.duties import UNTRIED, binds
from firmware_protocols.tdp.conform.suite import NUMBERS, Status
from firmware_protocols.tdp.link import FrameKind, Header, body_of, build
from firmware_protocols.tdp.proof import tag_of
from firmware_protocols.tdp.shoe import SHOE, ShoeApply
from simulators.c.build import CORE, HERE, SANITIZED, device_program
from simulators.c.firmware import CLink, CProgram
from simulators.device_kinds import Firmware
from simulators.devices.c_firmware import CFirmware
from simulators.devices.firmware import pairable
from simulators.world.card_game import GAME, run_world
from simulators.world.plan import WorldPlan
from simulators.world.result import End
from tests.c.broken_proofs import BROKEN
from tests.c.pair import sanitized
from tests.c.test_core import IN_C
from tests.c.tools import output
from tests.conform.broken.follows import follows
from tests.conform.broken.table import device_of
from tests.conform.test_conform import NOT_TRIED, OF_1_1, host_of, judged, numbers
from tests.night import IS_NIGHT

pytestmark = pytest.mark.waits

TEXT = (Path(firmware_protocols.tdp.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")
GOLDEN = {name: b"\0" + bytes.fromhex(wire) for name, wire in re.findall(r"```frame (\S+)\n(.*?)```", TEXT, re.S)}
OPENING, BOOT = 4097, 7
IDENTITY_HEAD = 13 + 60
PAIR_KEY = bytes(range(32))
SESSION_KEY = bytes.fromhex("72b6e4a99b81e21534c0981057e10262bfde0fc38a80aaad54563d75c581dd42")
WORLDS = range(1, 201) if IS_NIGHT else range(1, 2)


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """Ends a device's process with the device."""
    yield
    gc.collect()


# --- frames


@pytest.fixture
def shoe() -> Iterator[CLink]:
    """The shoe of the text, in its boot 7."""
    program = CProgram(device_program(SANITIZED), "shoe")
    made = CLink(program)
    made.tell(0.0, "first", BOOT)
    made.tell(0.0, "had", 42, 0, 0, 0, 0)
    made.tell(0.0, "who", "0202" + "".join(text16(text) for text in ("Reader R1", "R1-000042", "2.3")))
    made.tell(0.0, "start", 1, 0)
    yield made
    program.close()


def text16(text: str) -> str:
    return text.encode().ljust(16, b"\0").hex()


def in_session(kind: FrameKind, number: int, payload: bytes = b"", *, opening: int = OPENING) -> bytes:
    return build(Header(kind, opening, BOOT, number), payload, SESSION_KEY)


def answer_to(shoe: CLink, data: bytes, now_s: float) -> bytes:
    shoe.receive_data(data, now_s)
    return shoe.data_to_send()


def hello(opening: int, key: bytes | None, nonce: bytes) -> bytes:
    return build(Header(FrameKind.HELLO, opening, 0, 0), bytes((1, 1)) + bytes(8) + nonce, key)


def draws(shoe: CLink, nonce: bytes) -> None:
    """Makes `nonce` the nonce of the next session, if that is the first session of boot 7."""
    first, second, *rest = (int.from_bytes(nonce[at : at + 4], "little") for at in range(0, 16, 4))
    shoe.tell_now("draws", first, second ^ BOOT, *rest)


def test_it_says_the_golden_frames_of_a_pair(shoe: CLink) -> None:
    """Section 18's example of a shoe: each frame sent to it, and each byte of its answers."""
    shoe.tell(0.0, "key", PAIR_KEY.hex())
    assert answer_to(shoe, hello(OPENING, None, b""), 0.0) == GOLDEN["not-proven"]
    draws(shoe, bytes(range(0xB0, 0xC0)))
    identity = answer_to(shoe, GOLDEN["hello-proven"], 1.0)
    assert len(identity) == len(GOLDEN["shoe-identity-proven"])
    assert answer_to(shoe, GOLDEN["heartbeat-proven"], 1.1).count(b"\0\0") == 1  # HEARTBEAT_REPLY, EVENT 1
    assert answer_to(shoe, GOLDEN["hello-proven"], 1.2) == GOLDEN["shoe-identity-proven"]
    shoe.receive_data(in_session(FrameKind.ACK, 1), 1.3)
    shoe.receive_data(in_session(FrameKind.COMMAND, 1, SHOE.encode_command(ShoeApply(locked=False))), 1.3)
    shoe.data_to_send()
    shoe.tell(1.4, "passed", 0x3A)
    assert shoe.data_to_send() == GOLDEN["shoe-card-proven"]
    shoe.tell(1.6, "poll")
    assert shoe.data_to_send() == GOLDEN["shoe-card-proven"], "sent again it stands on the line as the first time"
    shoe.tell(2.0, "start", 1, 0)
    assert answer_to(shoe, GOLDEN["heartbeat-proven"], 2.1) == GOLDEN["no-session-proven"]


def test_it_is_paired_by_the_golden_frames(shoe: CLink) -> None:
    answer_to(shoe, hello(OPENING, None, b""), 0.0)
    answer_to(shoe, build(Header(FrameKind.ACK, OPENING, BOOT, 1)), 0.0)
    assert answer_to(shoe, GOLDEN["pair"], 0.1) == b"", "nobody has turned the switch on"
    assert shoe.tell(0.2, "switch").must_lock
    assert answer_to(shoe, GOLDEN["pair"], 0.3) == GOLDEN["paired"]
    assert answer_to(shoe, GOLDEN["pair"], 0.4) == GOLDEN["paired"], "its answer was lost"
    assert answer_to(shoe, hello(OPENING, None, b""), 0.5) == GOLDEN["not-proven"]
    shoe.tell(1.0, "start", 1, 0)
    assert answer_to(shoe, hello(OPENING + 1, PAIR_KEY, bytes(16)), 1.1) != b"", "the key outlives a start"


def test_a_source_that_always_says_the_same_makes_no_nonce_twice(shoe: CLink) -> None:
    """All nonces differ within a boot and after a start."""
    shoe.tell(0.0, "key", PAIR_KEY.hex())
    nonces = set()
    for boot in range(3):
        for opening in range(OPENING, OPENING + 4):
            draws(shoe, bytes(16))
            [identity] = bodies(answer_to(shoe, hello(opening, PAIR_KEY, bytes(16)), boot))
            nonces.add(identity[IDENTITY_HEAD : IDENTITY_HEAD + 16])
        shoe.tell(boot, "start", 1, 0)
    assert len(nonces) == 12


def bodies(data: bytes) -> list[bytes]:
    """The body of each frame, with its tag."""
    signed = [decode_signed(piece) for piece in data.split(b"\0") if piece]
    return [one for one in signed if isinstance(one, bytes)]


def test_a_broken_memory_of_the_key_is_no_key(shoe: CLink) -> None:
    """One readable place of two is enough; without any the device answers as an unpaired one, and is refused."""
    shoe.tell(0.0, "key", PAIR_KEY.hex())
    for boot, (place, kind) in enumerate(((3, FrameKind.NOT_PROVEN), (2, FrameKind.IDENTITY)), 1):
        shoe.tell(boot, "spoil", place)
        shoe.tell(boot, "start", 1, 0)
        assert [one[0] for one in bodies(answer_to(shoe, hello(OPENING, None, b""), boot))][:1] == [kind]


@pytest.mark.parametrize("place", [2, 3])
def test_a_key_that_was_taken_away_does_not_come_back(place: int, shoe: CLink) -> None:
    """Both places hold the zeros before PAIRED is sent, so it does not matter which one breaks."""
    shoe.tell(0.0, "key", PAIR_KEY.hex())
    shoe.tell(0.1, "switch")
    answer_to(shoe, hello(OPENING, None, b""), 0.2)
    shoe.receive_data(build(Header(FrameKind.PAIR, OPENING, BOOT, 0), bytes(32)), 0.3)
    assert [one[0] for one in bodies(shoe.data_to_send())] == [FrameKind.PAIRED]
    shoe.tell(1.0, "spoil", place)
    shoe.tell(1.0, "start", 1, 0)
    assert bodies(answer_to(shoe, hello(OPENING, None, b""), 1.1))[0][0] == FrameKind.IDENTITY


def test_each_bit_of_a_tag_counts(shoe: CLink) -> None:
    shoe.tell(0.0, "key", PAIR_KEY.hex())
    draws(shoe, bytes(range(0xB0, 0xC0)))
    answer_to(shoe, GOLDEN["hello-proven"], 1.0)
    body = body_of(Header(FrameKind.HEARTBEAT, OPENING, BOOT, 1), b"\0")
    tag = int.from_bytes(tag_of(SESSION_KEY, body))
    for bit in range(64):
        assert answer_to(shoe, encode_frame(body, (tag ^ 1 << bit).to_bytes(8)), 1.1) == b""
    assert answer_to(shoe, encode_frame(body, tag.to_bytes(8)), 1.1) != b""


# --- duties


@pytest.mark.parametrize("kind", IN_C if IS_NIGHT else ("shoe",))
def test_it_keeps_every_duty_of_1_1(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All duties that our own firmware keeps, under sanitizers."""
    monkeypatch.setattr(CFirmware, "program", staticmethod(sanitized))
    device = device_of(kind, pairable(IN_C[kind]))
    found = judged(host_of(device))
    assert [one for one in found.values() if one.status is Status.BROKEN] == []
    its_own = {number for number in NUMBERS if binds(number, device._schema.kind) and number not in UNTRIED}
    assert numbers(found, Status.KEPT) == its_own - NOT_TRIED.get(kind, set())


@pytest.mark.drawn(2)
@pytest.mark.parametrize("name", BROKEN)
def test_a_core_that_breaks_a_duty_of_pairing_is_found_and_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = BROKEN[name]
    broken.write(HERE, tmp_path)
    sources = [tmp_path / one for one in (*CORE, "host.c", "host_kinds.c")]
    output("cc", "-std=c11", "-O1", *sources, "-o", tmp_path / "device")
    monkeypatch.setattr(CFirmware, "program", staticmethod(lambda kind: CProgram(tmp_path / "device", kind)))
    found = judged(host_of(device_of(broken.kind, pairable(IN_C[broken.kind]))))
    always, may = follows(broken.follows)
    assert always | {broken.number} <= numbers(found, Status.BROKEN) <= may | {broken.number}


def test_each_number_that_can_be_tried_has_a_core_that_breaks_it() -> None:
    assert {broken.number for broken in BROKEN.values()} >= OF_1_1 - set(UNTRIED)


# --- worlds


@pytest.mark.first
@pytest.mark.parametrize("profile", ("pt-csm", "mo-csm", "house") if IS_NIGHT else ("mo-csm",))
def test_paired_tables_play_with_it(profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shuffler and reader are C, an attacker is on every cable, all faults: the judges of `test_paired_worlds`."""
    monkeypatch.setattr(CFirmware, "program", staticmethod(sanitized))
    rounds = 5 if IS_NIGHT else 1
    plans = [
        WorldPlan(seed, rounds, GAME.kinds, decks=1, profile=profile, paired=True, firmware=Firmware.C)
        for seed in WORLDS
    ]
    results = [run_world(plan) for plan in plans]
    assert {result.seed: result.violations for result in results if result.violations} == {}
    assert all(result.end is End.CLOSED for result in results if "bit-flip" not in result.faults)
