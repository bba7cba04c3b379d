"""Cards that were never turned go to the regulator sealed, once they are back; no face before its turning."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from controller.core.custody.putting_back import BeginPuttingBack, CollectCards, EndPuttingBack
from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.decisions.turns import DrawCard
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.journal.export import whole_text
from controller.journal.signing import Signer
from controller.journal.verify import verify
from controller.runtime.replay import replay
from simulators.disk import MemoryStorage
from simulators.oracles.export_reader import read_export
from tests.runtime.bench import CHIEF, DEALER, Bench
from tests.runtime.keep import KEPT

SIGNER = Signer(bytes(32))
BURNT, HOLE = "2C", "6C"


def put_back(bench: Bench) -> None:
    for act in (ConfirmSettled, CollectCards, BeginPuttingBack):
        bench.act(act, DEALER)
    while bench.shuffler.status.inside < bench.setup.cards:
        bench.shuffler.card_in(bench.now_s)
        bench.run(0.05)
    bench.act(EndPuttingBack, DEALER)


def sealed(storage: MemoryStorage) -> dict[int, str]:
    """Returns the sealed cards of the journal's export, by the number of the entry with the commitment."""
    lines = map(json.loads, whole_text(storage, SIGNER).splitlines())
    return {line["seal"]["entry"]: line["seal"]["sealed"] for line in lines if "seal" in line}


def opened(seal: str, key: bytes) -> str:
    """Opens a seal by the four lines of FORMAT.md, and returns the face."""
    data = bytes.fromhex(seal)
    plain = ChaCha20Poly1305(key).decrypt(data[40:52], data[52:], b"sabot seal 1" + data[:52])
    salt, card = plain[:32], plain[32:].rstrip(b"\0")
    assert sha256(salt + card).digest() == data[8:40]
    return card.decode()


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.play()
    bench.deal((1,))
    return bench


def test_a_card_that_was_never_turned_is_given_sealed_once_it_is_back(bench: Bench) -> None:
    bench.act(DrawCard, DEALER, seat=1)
    bench.draw("7D")
    assert not sealed(bench.storage)
    bench.act(TurnHoleCard, DEALER)
    put_back(bench)
    found = sealed(bench.storage)
    assert [opened(one, bench.key.secret) for one in found.values()] == [BURNT]
    text = whole_text(bench.storage, SIGNER)
    read = read_export(text)
    assert not read.faults
    assert list(read.sealed.values()) == list(found.values())
    assert f'"{BURNT}"'.encode() not in text, "its face stands nowhere in plain"


def test_nothing_is_given_while_a_card_lies_on_the_table(bench: Bench) -> None:
    assert not sealed(bench.storage)
    text = whole_text(bench.storage, SIGNER)
    assert f'"{HOLE}"'.encode() not in text


def test_what_was_given_once_is_not_given_again(bench: Bench) -> None:
    bench.act(DrawCard, DEALER, seat=1)
    bench.draw("7D")
    bench.act(TurnHoleCard, DEALER)
    put_back(bench)
    before = sealed(bench.storage)
    bench.deal((1,))
    bench.act(TurnHoleCard, DEALER)
    put_back(bench)
    assert sealed(bench.storage) == before


def test_a_seal_that_is_lost_is_said_to_be(bench: Bench) -> None:
    bench.act(TurnHoleCard, DEALER)
    put_back(bench)
    bench.storage.remove("00000001.seals")
    assert list(sealed(bench.storage).values()) == [""]
    assert not read_export(whole_text(bench.storage, SIGNER)).faults


def test_a_refused_turning_opens_nothing(bench: Bench) -> None:
    bench.refused(TurnHoleCard, CHIEF)
    bench.act(TurnHoleCard, DEALER)
    put_back(bench)
    assert [opened(one, bench.key.secret) for one in sealed(bench.storage).values()] == [BURNT]


def test_an_export_of_the_first_format_verifies_and_replays_and_has_no_seals(tmp_path: Path) -> None:
    kept = KEPT / "0.1.0" / "evening.txt"
    found = verify(kept)
    assert found.ok
    assert replay(kept) == replay(kept.with_name("evening"))
    lines = kept.read_bytes().splitlines(keepends=True)
    changed = tmp_path / "changed.txt"
    changed.write_bytes(b"".join(lines).replace(b"export-1", b"export-2"))
    assert not verify(changed).ok
    assert read_export(kept.read_bytes()).entries
    assert not read_export(kept.read_bytes()).faults
