"""Every state of the written scenarios: each act is decided, each fact is recorded, and there is always a way out."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import resources
from itertools import permutations
from random import Random

import pytest
from msgspec.structs import fields

from controller.catalogue import has_key
from controller.clauses.register import texts
from controller.config.notice_clauses import clauses_behind
from controller.core.custody.desired import of_shuffler
from controller.core.custody.devices import (
    CardCountedIn,
    CardCountedOut,
    CardRetried,
    JamPathCleared,
    JamReleased,
    LidClosed,
    LidOpened,
    ShufflerJammed,
    ShufflerRecounted,
    ShufflerStarted,
    ShufflerStatusHeard,
)
from controller.core.custody.game import next_owed
from controller.core.custody.reader import (
    CardRead,
    CardReversed,
    CardsMayHavePassed,
    PresetChanged,
    ReaderErrorCleared,
    ReaderErrorRaised,
    ReaderNoted,
    ReaderRestarted,
    ReaderStatusHeard,
)
from controller.core.custody.state import Card
from controller.core.engine.act import Act, Fact, Source
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.side_bets import SideBet
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import ACT_RULES, ACTS, FACTS, TABLE
from controller.core.house.deciding import decide_by
from controller.core.house.facts import (
    CommandUndone,
    ControllerStarted,
    ControllerStopped,
    DeviceConnected,
    DeviceLost,
    DeviceRefused,
    DeviceStarted,
    DisplayFaulted,
    DisplayStatusHeard,
    DutyArose,
    EventsAwaited,
    EventsMissed,
    JournalFailed,
    JournalRestored,
    PersonRemoved,
    ShufflerStatus,
    SignStatus,
    SlotsChanged,
    SlotsStatus,
    SlotsStatusHeard,
    TimerFired,
)
from controller.core.house.linked_acts import DecidedHere, LinkedPoolHeard, LinkedTold
from controller.core.house.permitted import is_permitted, offered, permitted, who_may_ask
from controller.core.jackpot_rules import Marking
from controller.core.words import (
    Cause,
    Cents,
    Device,
    DutyId,
    DutyKind,
    EntryNumber,
    HoldId,
    HoldKind,
    JamPlace,
    Operation,
    OutageOutcome,
    Outcome,
    Person,
    Place,
    TableMs,
)
from controller.scenario.player import Player
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of
from tests.scenario.reached import states

STEPS = vocabulary_of("pt-csm").steps

NOW = TableMs(10_000_000)
_LAWS = {"pt": ("pt",), "mo": ("mo",), "br": ("br",), "ho": ("house", "pt")}
"""The clauses that a refusal may cite, by the beginning of the profile's name: only those of its own jurisdiction."""


_VALUES: dict[str, object] = {
    "operation": Operation.LOADING,
    "deck_set": 2,
    "seats": (1, 3),
    "seat": 1,
    "round": None,
    "hour": 21,
    "minute": 30,
    "second": 0,
    "position": 1,
    "card": Card("4D"),
    "replacement": Card("4D"),
    "amount": Cents(1_000),
    "bettor": None,
    "consent": None,
    "accepted": None,
    "bet": SideBet.SEVENS,
    "hand": None,
    "others": None,
    "salt": None,
    "seal_differs": False,
    "source": Place.RACK,
    "target": Place.IN_HAND,
    "count": 1,
    "rack": 1,
    "table": 0,
    "pending": 0,
    "in_hand": 0,
    "outside": 0,
    "inside": 0,
    "burnt": 0,
    "upheld": True,
    "seen": False,
    "cause": Cause.DISPUTE,
    "outcome": Outcome.ROUND_VOID,
    "marking": Marking.MANUAL,
    "deck": 2,
    "reference": "SRIJ 1",
    "incident": EntryNumber(1),
    "kept_at": "vault 3",
    "computer": "00000000000000aa",
    "export": "JP1",
    "code": "0" * 16,
    "receipt": "JR1",
    "verified": True,
    "journal_at": "1.7.00112233445566ff",
    "signature": "",
    "cards": (Card("4D"),),
    "counts": (6,) * 52,
    "foreign": 0,
    "back": None,
    "duty": DutyId(1),
    "counted": (52,) * 6,
    "passes": 3,
    "behind": 60,
    "became": OutageOutcome.CLOSED,
    "words": None,
    "entry": 1,
    "instead": None,
    "also": None,
    "before": 1,
    "adds": "place-bet",
}


def _acts(state: BlackjackState) -> Iterator[Act]:
    """Yields each act by each permitted role, at the oldest open hold."""
    hold = state.house.holds[0].id if state.house.holds else HoldId(1)
    for rule in ACT_RULES:
        names = [name for name in rule.act.__struct_fields__ if name not in {"person", "role"}]
        for role in rule.who:
            here = next((one.person for one in state.house.present if one.role is role), Person(99))
            yield rule.act(here, role, **{name: hold if name == "hold" else _VALUES[name] for name in names})


_NOT_HERE = {HoldKind.JOURNAL_FAULT, HoldKind.IRREGULAR_SPIN, HoldKind.MOVED_CHIPS}
"""No device of cards raises them."""


def undocumented_details() -> list[tuple[HoldKind, str]]:
    """Details of holds that the page of scenarios does not name."""
    page = resources.files("controller.scenario").joinpath("FORMAT.md").read_text("utf-8")
    table = page.split("\n## Details of a hold\n\n")[1].split("\n\n")[0]
    rows = {row.split("`")[1]: row.split("|")[2] for row in table.splitlines()[2:]}
    told = {(hold.kind, name) for state in states() for hold in state.house.holds for name, _text in hold.details}
    return [(kind, name) for kind, name in sorted(told) if f"`{name}`" not in rows[kind]]


def test_there_are_states_enough_and_what_their_holds_tell_is_documented() -> None:
    assert len(states()) > 120
    assert {hold.kind for state in states() for hold in state.house.holds} >= set(HoldKind) - _NOT_HERE
    assert {len(state.house.holds) for state in states()} >= {0, 1, 2}
    assert undocumented_details() == []


def test_every_act_is_allowed_or_refused_with_clause_and_remedy() -> None:
    """A refusal leaves the same state object, names its clause and has its words."""
    for state in states():
        for act in _acts(state):
            decision = decide_by(TABLE, state, act, NOW)
            if decision.refusal is not None:
                assert decision.state is state
                profile = state.setup.profile
                clauses = clauses_behind(profile, decision.refusal.rule)
                assert all(texts()[clause].profile in _LAWS[profile[:2]] for clause in clauses)
                assert has_key(f"guard.{decision.refusal.guard}.remedy")


def test_who_may_ask_is_the_same_with_and_without_the_words_of_a_refusal() -> None:
    for state in states():
        assert list(offered(TABLE, state)) == [
            (one.act, one.who) for one in permitted(TABLE, state) if one.refusal is None
        ]
        for one in permitted(TABLE, state):
            act = ACTS[one.act]
            assert is_permitted(TABLE, state, act) is (one.refusal is None)
            assert who_may_ask(TABLE, state, act) == (one.who if one.refusal is None else ())


def test_every_state_has_a_way_on() -> None:
    """Some person may do more than come and go, or a card is owed or runs out, or people are waited for."""
    idle = {"sign-in", "sign-out"}
    stuck = [
        state
        for state in states()
        if next_owed(state) is None
        and state.custody.join.counted_ms is None
        and not of_shuffler(state).unload
        and not [one for one in permitted(TABLE, state) if one.refusal is None and one.act not in idle]
        and state.house.present
    ]
    assert stuck == []


def facts_of(state: BlackjackState) -> Iterator[Fact]:
    """Yields one fact of each kind that may come now, and a sensor's fact with all possible fields."""
    known = [*_facts_by_hand(state)]
    yield from known
    values = {Source: Source(1, 9_999), bool: True, int: 1}
    for fact in {*FACTS.values()} - {type(one) for one in known}:
        yield fact(*(values[field.type] for field in fields(fact)))


def _facts_by_hand(state: BlackjackState) -> Iterator[Fact]:
    status = state.devices.shuffler.status or ShufflerStatus(0, 0, 0, 0, 0, True, False, False, False)
    source = Source(1, 9_999)
    out = replace(status, cards_out=status.cards_out + 1, inside=max((status.inside or 0) - 1, 0))
    into = replace(status, cards_in=status.cards_in + 1, inside=(status.inside or 0) + 1)
    jam = replace(status, jams=status.jams + 1, jammed=True, path_blocked=True)
    yield CardCountedOut(source, out)
    yield CardCountedIn(source, into)
    yield ShufflerJammed(source, jam, JamPlace.MOUTH, 1)
    yield JamPathCleared(source, replace(status, path_blocked=False))
    yield JamReleased(source, replace(status, jammed=False))
    yield CardRetried(source, status, JamPlace.FEED, 2)
    yield LidOpened(source, replace(status, lid_open=True))
    yield LidClosed(source, replace(status, lid_open=False))
    yield ShufflerRecounted(source, status, state.devices.recount_request, status.inside or 0)
    yield ShufflerStarted(source, status, "power")
    yield ShufflerStatusHeard(status)
    yield CardRead(source, 9_999, None, None)
    yield ReaderStatusHeard(9_999)
    yield ReaderErrorRaised(source, 1)
    yield ReaderErrorCleared(source, 1)
    yield ReaderNoted(source, "noted", None)
    yield ReaderRestarted(source)
    yield CardReversed(source, 1)
    yield PresetChanged(source, "1", "2")
    yield DeviceStarted(Device.SHOE, source, "power")
    yield DisplayFaulted(source, 1)
    yield DisplayStatusHeard(SignStatus(9_999, fault_shown=False))
    yield SlotsChanged(source, SlotsStatus((1,)))
    yield SlotsStatusHeard(SlotsStatus((2,)))
    yield DeviceConnected(Device.SHUFFLER, "m", "s", "1", 2, True, status, None)
    yield DeviceLost(Device.SHUFFLER, "silent")
    yield DeviceRefused(Device.SHOE, "serial", "1", "2")
    yield EventsMissed(Device.SHOE, 1, 2)
    yield EventsAwaited(Device.SHUFFLER, source.number + 9)
    yield CommandUndone(Device.SHUFFLER, 2)
    yield CardsMayHavePassed(Device.SHOE, "gap", None)
    yield PersonRemoved(Person(21))
    yield DutyArose(DutyKind.LOOK_INTO_WRONG_PINS)
    yield JournalFailed("full")
    yield JournalRestored()
    yield LinkedPoolHeard("gold", 9_999, 1, 1, (DecidedHere(1, 9_999, 1),))
    yield LinkedTold(1, 9_999)
    yield from (TimerFired(timer) for timer in (one.timer for one in TABLE.deadlines))
    yield ControllerStarted(9, state.setup, "", "", "", ())
    yield ControllerStopped()


def test_every_fact_is_taken() -> None:
    """A fact moves cards only between places, or a hold explains the difference; a fact is never refused.

    A card of no deck that people have named had the place of a card of the deck set.
    """
    assert {type(fact) for fact in facts_of(states()[0])} == set(FACTS.values())
    for state in states():
        for fact in facts_of(state):
            decision = decide_by(TABLE, state, fact, NOW)
            assert decision.refusal is None
            after, book = decision.state, decision.state.custody.book
            assert book.total + book.foreign == after.setup.cards or after.house.holds, (state.house.session, fact)


# --- holds together


@dataclass(frozen=True, slots=True)
class Trouble:
    """The cause of a hold after a round, and the deeds of hands before it can be ended."""

    kind: HoldKind
    raised: Callable[[Player], None]
    mended: Callable[[Player], None] = lambda _player: None


def _step(*words: str) -> Callable[[Player], None]:
    return lambda player: STEPS[words[0]].do(player, words[1:])


def _says(person: str, act: str, **values: str) -> Callable[[Player], None]:
    return lambda player: player.act(person, act, values)


TROUBLES = (
    Trouble(HoldKind.JAM, _step("jam", "mouth", "0"), _step("path-clear")),
    Trouble(HoldKind.LID, _step("lid-open"), _step("lid-closed")),
    Trouble(HoldKind.COUNT, _step("card-in", "1")),
    Trouble(HoldKind.UNEXPECTED_CARD, _step("card-out")),
    Trouble(HoldKind.DEVICE_LOST, _step("lost", "shoe"), _step("back", "shoe")),
    Trouble(HoldKind.DAMAGED_CARD, _says("dealer", "report-damaged-card", card="4D")),
    Trouble(HoldKind.COMPLAINT, _says("dealer", "record-complaint", seat="1")),
    Trouble(HoldKind.RULING, _says("dealer", "call-for-ruling", cause="dispute")),
    Trouble(
        HoldKind.JOURNAL_FAULT,
        lambda player: player.put(JournalFailed("full")),
        lambda player: player.put(JournalRestored()),
    ),
)


def _collected() -> Player:
    player = Player(make_table("pt-csm", [("decks", "4")]).setup)
    player.start()
    for words in (("in-play",), ("deal", "1"), ("collect",)):
        STEPS[words[0]].do(player, words[1:])
    return player


def _end(player: Player, trouble: Trouble) -> None:
    """Lets the chief supervisor try all deeds that could end this hold, each once.

    Refused acts are tried again at the next call.
    """
    standing = [one.id for one in player.state.house.holds if one.kind is trouble.kind]
    if not standing:
        return
    hold = str(standing[0])
    player.act("chief", "attend-hold", {"hold": hold})
    if player.state.custody.book.pending:
        moved = {"source": "pending", "target": "rack", "count": str(player.state.custody.book.pending)}
        player.act("chief", "state-cards-moved", moved)
    status = player.state.devices.shuffler.status
    assert status is not None
    rack = str(player.state.setup.cards - (status.inside or 0))
    player.act("chief", "state-count", dict.fromkeys(("table", "pending", "in_hand", "outside"), "0") | {"rack": rack})
    player.act("chief", "replace-card", {"replacement": "4D"})
    player.act("chief", "decide-complaint", {"upheld": "no"})
    player.act("chief", "make-ruling", {"outcome": "continue"})
    player.act("chief", "clear-hold", {"hold": hold})
    player.act("chief", "confirm-hold", {"hold": hold})


def _sets() -> Iterator[tuple[Trouble, ...]]:
    yield from permutations(TROUBLES, 2)
    random = Random(6)  # noqa: S311 - the same orders each time
    for _ in range(25):
        yield tuple(random.sample(TROUBLES, random.randint(3, len(TROUBLES))))


@pytest.mark.parametrize("solved", list(_sets()), ids=lambda them: "-".join(one.kind.value for one in them))
def test_any_holds_together_are_solved_in_any_order(solved: tuple[Trouble, ...]) -> None:
    """All holds are open at once; people end them in this order, and try again where one hold waits for another."""
    player = _collected()
    complaints = [one for one in solved if one.kind is HoldKind.COMPLAINT]  # in time: before a card goes in
    for trouble in (*complaints, *(one for one in reversed(solved) if one not in complaints)):
        trouble.raised(player)
    assert {hold.kind for hold in player.state.house.holds} >= {trouble.kind for trouble in solved}
    for trouble in solved:
        trouble.mended(player)
    for _ in range(len(solved) + 1):
        for trouble in solved:
            _end(player, trouble)
    assert player.state.house.holds == ()
    assert player.state.custody.book.total == player.state.setup.cards
