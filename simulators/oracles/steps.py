"""Who may do what at which step of session and round: one row an act, each with its clause; and their rules.

Steps that are not named do not matter to the act. What more is asked of an act stands in the other rules.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from simulators.oracles.export_reader import Entry
from simulators.oracles.rule import Rule, on
from simulators.oracles.seen import Seen
from simulators.oracles.violation import Finding


@dataclass(frozen=True, slots=True)
class Step:
    """One act."""

    act: str
    clause: str
    roles: tuple[str, ...]
    session: tuple[str, ...] = ()
    round: tuple[str, ...] = ()
    is_of_the_loading: bool = False  # the dealer's, too, where nobody has to watch it (mo.2.1.2)


_DEALER: Final = ("dealer",)
_CHIEF: Final = ("chief_supervisor",)
_MANAGER: Final = ("room_manager",)
_TECHNICIAN: Final = ("technician",)
_DEALER_OR_CHIEF: Final = (*_DEALER, *_CHIEF)
_CHIEF_OR_TECHNICIAN: Final = (*_CHIEF, *_TECHNICIAN)
_ANYBODY: Final = (*_DEALER_OR_CHIEF, *_MANAGER, *_TECHNICIAN, "table_inspector", "regulator")
_PLAY: Final = ("in-play",)
_CARDS_LIE: Final = ("dealing", "playing")
_LOADED: Final = ("loading", "taking-out", "loaded", "in-play", "closing", "unloading", "checking")
_FILLED: Final = ("loaded", "in-play")
_BEFORE_CLOSING: Final = (*_FILLED, "gathered", "mixed", "cut")
_OUT: Final = ("gathered", "cut", *_LOADED)
_OPEN: Final = ("opened", "displayed", "mixed", *_OUT)

STEPS: Final = (
    Step("sign-in", "pt.bj.54d", _ANYBODY),
    Step("sign-out", "pt.bj.54d", _ANYBODY),
    Step("open-session", "pt.bj.7a", _DEALER, ("closed",)),
    Step("number-deck-set", "pt.bj.7b", _CHIEF, ("opened",)),
    Step("confirm-display", "pt.bj.53a", _DEALER, ("opened",)),
    Step("confirm-mixing", "pt.bj.53b", _DEALER, ("opened", "displayed", "gathered")),
    Step("confirm-count", "br.prep.2b", _DEALER, ("opened", "gathered")),
    Step("shuffle-deck", "br.prep.4a", _DEALER, ("displayed", "gathered")),
    Step(
        "state-players", "pt.bj.8b", _DEALER, ("opened", "displayed", "mixed", "cut", "gathered", *_FILLED), ("idle",)
    ),
    Step("refuse-cut", "pt.bj.8d", _DEALER, ("mixed",)),
    Step("confirm-cut", "pt.bj.8a", (*_DEALER, "table_inspector"), ("mixed",)),
    Step("place-warning-card", "pt.bj.9a", _DEALER, ("cut",)),
    Step("fill-shoe", "pt.bj.9c", _DEALER, ("cut",)),
    Step("confirm-card-dealt", "pt.bj.17a", _DEALER, _FILLED),
    Step("report-warning-card", "pt.bj.11a", _DEALER, _FILLED),
    Step("announce-last-round", "pt.bj.11a", _DEALER, _FILLED),
    Step("gather-cards", "pt.bj.11b", _DEALER, _FILLED, ("idle",)),
    Step("spread-cards", "pt.bj.12", _DEALER, _FILLED, ("idle",)),
    Step("begin-loading", "pt.bj.53c", _DEALER, ("opened", "mixed")),
    Step("open-packet", "pt.bj.54b", _CHIEF, ("loading",), is_of_the_loading=True),
    Step("close-packet", "pt.bj.54b", _CHIEF, ("loading",), is_of_the_loading=True),
    Step("complete-loading", "pt.bj.54b", _DEALER_OR_CHIEF, ("loading",), is_of_the_loading=True),
    Step("take-out-loading", "pt.bj.54c", _CHIEF, ("loading",), is_of_the_loading=True),
    Step("confirm-taken-out", "pt.bj.54c", _CHIEF, ("taking-out",), is_of_the_loading=True),
    Step("abandon-opening", "pt.bj.7a", _DEALER_OR_CHIEF, ("opened", "displayed", "mixed", "cut")),
    Step("take-bets", "pt.bj.13", _DEALER, _FILLED, ("idle", "betting", "dealing")),
    Step("place-bet", "pt.bj.13", _DEALER, _FILLED, ("idle", "betting")),
    Step("withdraw-bet", "pt.bj.13", _DEALER, _FILLED, ("betting",)),
    Step("place-side-bet", "mo.13", _DEALER, _PLAY, ("betting", "dealing")),
    Step("place-jackpot-bet", "pt.bj.45a", _DEALER, _FILLED, ("betting",)),
    Step("withdraw-jackpot-bet", "pt.bj.45a", _DEALER, _FILLED, ("betting",)),
    Step("collect-jackpot-bets", "pt.bj.48b", _DEALER, _PLAY, ("dealing",)),
    Step("raise-jackpot", "pt.bj.41b1", _DEALER),
    Step("pay-jackpot", "pt.bj.49", _DEALER),
    Step("pay-jackpot-by-hand", "pt.bj.49", _CHIEF),
    Step("approve-jackpot", "pt.bj.40", _MANAGER, ("closed",)),
    Step("lay-into-jackpot", "pt.bj.50a", (*_CHIEF, *_MANAGER)),
    Step("state-jackpot", "pt.bj.44", (*_CHIEF, *_MANAGER)),
    Step("take-side-bet-down", "mo.13.1.2", _DEALER, _PLAY, ("playing",)),
    Step("insure", "pt.bj.33a", _DEALER, _PLAY, ("playing",)),
    Step("take-even-money", "pt.bj.34", _DEALER, _PLAY, ("playing",)),
    Step("surrender", "pt.bj.36a", _DEALER, _PLAY, ("playing",)),
    Step("stand", "pt.bj.18a", _DEALER, _PLAY, ("playing",)),
    Step("split-pair", "pt.bj.26a", _DEALER, _PLAY, ("playing",)),
    Step("double-down", "pt.bj.29a", _DEALER, _PLAY, ("playing",)),
    Step("claim-five-cards", "mo.19.1", _DEALER, _PLAY, ("playing",)),
    Step(
        "decide-amount",
        "pt.bj.21a",
        ("dealer", "table_inspector", "chief_supervisor"),
        round=("idle", "betting", "playing", "settled", "collected", "putting-back"),
    ),
    Step("state-card", "mo.5.2.1.2", _DEALER, _PLAY, _CARDS_LIE),
    Step("cancel-bets", "pt.bj.13", _DEALER, ("loaded", "in-play"), ("betting",)),
    Step("announce-no-more-bets", "pt.bj.48b", _DEALER, _PLAY, ("betting",)),
    Step("draw-card", "pt.bj.17a", _DEALER, _PLAY, ("playing",)),
    Step("turn-hole-card", "pt.bj.17b", _DEALER, _PLAY, ("playing",)),
    Step("turn-card", "mo.6.2", _DEALER, _PLAY, ("playing",)),
    Step("confirm-settled", "pt.bj.59a", _DEALER, _PLAY, ("playing",)),
    Step("collect-hand", "pt.bj.58", _DEALER, _PLAY, ("playing",)),
    Step("collect-cards", "pt.bj.59a", _DEALER, _PLAY, ("settled",)),
    Step("begin-putting-back", "pt.bj.59b", _DEALER, _PLAY, ("collected", "idle")),
    Step("end-putting-back", "pt.bj.59b", _DEALER, _PLAY, ("putting-back", "idle")),
    Step("leave-in-rack", "pt.bj.60a", _DEALER, _PLAY, ("collected", "putting-back")),
    Step("report-misdealt", "pt.bj.18d", _DEALER_OR_CHIEF, _PLAY, _CARDS_LIE),
    Step("move-card", "mo.5.1.2a", _DEALER_OR_CHIEF, _PLAY, _CARDS_LIE),
    Step("report-hole-exposed", "pt.bj.17c", _DEALER_OR_CHIEF, _PLAY, ("playing",)),
    Step("report-extra-card", "pt.bj.19b", _DEALER_OR_CHIEF, _PLAY, ("playing",)),
    Step("report-face-up-card", "br.inc.2", _DEALER_OR_CHIEF, _PLAY, _CARDS_LIE),
    Step("rename-card", "pt.bj.17b", _DEALER_OR_CHIEF, _PLAY, ("dealing", "playing")),
    Step("retract-card", "pt.bj.17a", _DEALER_OR_CHIEF, _PLAY, _CARDS_LIE),
    Step("call-for-count", "pt.bj.55b", _DEALER_OR_CHIEF, _FILLED),
    Step("call-for-ruling", "br.inc.1", ("dealer", "table_inspector", "chief_supervisor"), ("loaded", "in-play")),
    Step("make-ruling", "br.inc.1", ("table_inspector", "chief_supervisor")),
    Step("attend-hold", "pt.bj.51c", _CHIEF_OR_TECHNICIAN),
    Step("call-technician", "pt.bj.51e", _CHIEF),
    Step("attest-repair", "pt.bj.51e", _TECHNICIAN),
    Step("clear-hold", "pt.bj.51d", _CHIEF_OR_TECHNICIAN),
    Step("confirm-hold", "pt.bj.51d", _CHIEF),
    Step("state-cards-moved", "pt.bj.51d", _CHIEF),
    Step("state-count", "pt.bj.51e", _CHIEF, _OPEN),
    Step("state-whole-count", "pt.bj.55b", _CHIEF, _OPEN),
    Step("state-outage", "pt.bj.51e", _CHIEF, ("loaded", "in-play")),
    Step("confirm-outage", "pt.bj.51e", _DEALER, ("loaded", "in-play")),
    Step("name-card", "pt.bj.17a", _DEALER),
    Step("report-damaged-card", "pt.bj.51a", _DEALER_OR_CHIEF, _OPEN),
    Step("replace-card", "pt.bj.51a", _CHIEF),
    Step("record-authorisation", "pt.bj.5c", (*_CHIEF, *_MANAGER, "regulator")),
    Step("replace-deck", "pt.bj.5b", _CHIEF),
    Step("record-complaint", "pt.bj.61", _DEALER_OR_CHIEF),
    Step("decide-complaint", "pt.bj.61", _CHIEF),
    Step("report-duty", "pt.bj.51b", _MANAGER),
    Step("indicate-closing", "pt.bj.55a", (*_DEALER_OR_CHIEF, *_MANAGER), _BEFORE_CLOSING, ("idle",)),
    Step("begin-unloading", "pt.bj.55a", _DEALER, ("closing",)),
    Step("complete-unloading", "pt.bj.55a", _DEALER, ("unloading",)),
    Step("enter-cards", "pt.bj.55b", _DEALER, ("checking",)),
    Step("enter-grid", "pt.bj.55b", _DEALER, ("checking",)),
    Step("confirm-deck-check", "pt.bj.55b", _DEALER, ("checking",)),
    Step("propose-irregular-closing", "pt.bj.55b", _CHIEF, _OPEN),
    Step("confirm-irregular-closing", "pt.bj.55b", _MANAGER, _OPEN),
)

ACTS: Final = frozenset(step.act for step in STEPS)
_DEALERS: Final = frozenset(
    step.act for step in STEPS if step.is_of_the_loading or ("dealer" in step.roles and step.roles != _ANYBODY)
)


def _role(step: Step, seen: Seen, entry: Entry) -> Finding | None:
    role = entry.text("role")
    may = role in step.roles or ("chief_supervisor" in step.roles and role in seen.figures.supervisors)
    by_the_dealer = step.is_of_the_loading and role == "dealer" and not seen.must_be_watched("loading")
    return None if may or by_the_dealer else Finding(f"{step.act} by {role or 'nobody'}", " or ".join(step.roles))


def _session_step(step: Step, seen: Seen, _entry: Entry) -> Finding | None:
    found = seen.session.step
    return None if found in step.session else Finding(f"session {found}", " or ".join(step.session))


def _round_step(step: Step, seen: Seen, _entry: Entry) -> Finding | None:
    found = seen.round.step
    return None if found in step.round else Finding(f"round {found}", " or ".join(step.round))


def _rules() -> Iterator[Rule]:
    for step in STEPS:
        yield Rule(f"role of {step.act}", step.clause, on(step.act), partial(_role, step))
        if step.session:
            yield Rule(f"session at {step.act}", step.clause, on(step.act), partial(_session_step, step))
        if step.round:
            yield Rule(f"round at {step.act}", step.clause, on(step.act), partial(_round_step, step))


def _dealer_at_table(seen: Seen, entry: Entry) -> Finding | None:
    """Whoever acts as a dealer is the one who is signed in here, also where others may do the same."""
    person, dealer = entry.number("person"), seen.people.dealer
    if entry.text("role") != "dealer" or person == dealer:
        return None
    return Finding(f"{entry.kind} by person {person}", f"the dealer at the table, {dealer}")


STEP_RULES: Final = (*_rules(), Rule("dealer at table", "pt.bj.7a", _DEALERS, _dealer_at_table))
