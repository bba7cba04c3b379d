"""Suggests acts that a person can do next, as data: the act, the known values and the roles. Each client adds its own
words. An act is suggested only if it is possible now.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from controller.core.engine.decision import Refusal
from controller.core.house.holds import hold_of
from controller.core.house.people import roles_in
from controller.core.house.permitted import is_permitted
from controller.core.house.registry import Registry
from controller.core.house.state import State
from controller.core.words import HoldId, Role
from controller.protocol.suggestion import Suggestion
from controller.runtime.act_values import asked_values, may_be_left_out, parse_values
from controller.screen.who_may import Rule, needs_pin, who_may

Values: TypeAlias = Mapping[str, str]


class Way(Struct, frozen=True, gc=False):
    """An act to suggest, with the values known for it. `who`: the roles to which it is suggested; empty for all roles
    that may ask for it.

    After a refusal, `{name}` in a value stands for the value `name` of the refusal or of the refused act, and `{act}`
    for the refused act.
    """

    act: str
    values: Mapping[str, str] = field(default_factory=dict)
    who: tuple[Role, ...] = ()


_RULING: Final = Way("call-for-ruling", {"cause": "deal-beyond-repair"})
_COUNTS: Final = (Way("state-count"), Way("state-whole-count"))
CHIEF: Final = (Role.CHIEF_SUPERVISOR,)
_ATTEND: Final = Way("attend-hold", {"hold": "{hold}"})
_COUNTED: Final = Way("confirm-count")
_DECIDE: Final = Way("decide-complaint")
_RULE: Final = Way("make-ruling")
_REPLACE: Final = Way("replace-card", {"replacement": "{damaged}"})
_CLOSE: Final = Way("indicate-closing")

REMEDIES: Final[Mapping[str, Sequence[Way]]] = {
    "operation_fits_the_role": [Way("sign-in")],
    "actor_is_the_dealer_at_table": [Way("sign-in", {"operation": "table"}, (Role.DEALER,))],
    "supervisor_is_present_for_loading": [Way("sign-in", {"operation": "loading"}, CHIEF)],
    "supervisor_is_present_for_unloading": [Way("sign-in", {"operation": "unloading"}, CHIEF)],
    "supervisor_is_present_for_hold": [_ATTEND],
    "deck_set_is_a_number": [Way("number-deck-set")],
    "deck_set_is_not_refused": [Way("number-deck-set")],
    "deck_set_is_numbered": [Way("number-deck-set")],
    "display_is_confirmed": [Way("confirm-display")],
    "mixing_is_confirmed": [Way("confirm-mixing")],
    "packet_is_closed": [Way("close-packet")],
    "packet_is_open": [Way("open-packet")],
    "packets_are_enough": [Way("take-out-loading")],
    "cards_are_all_loaded": [Way("open-packet"), Way("take-out-loading")],
    "machine_is_a_shuffler": [Way("fill-shoe")],
    "decks_are_whole": [_COUNTED],
    "cards_are_all_in_the_mix": [Way("confirm-count", {"counted": "{expected}"}), _CLOSE],
    "cards_are_counted_again": [_COUNTED],
    "cards_are_mixed_by_hand": [Way("begin-loading")],
    "decks_are_shuffled_one_by_one": [Way("confirm-mixing")],
    "deck_is_not_shuffled_yet": [Way("shuffle-deck")],
    "passes_are_enough": [Way("shuffle-deck")],
    "decks_are_shuffled": [Way("shuffle-deck")],
    "players_are_stated": [Way("state-players")],
    "players_sit_at_seats": [Way("state-players")],
    "cut_goes_in_turn": [Way("confirm-cut"), Way("refuse-cut")],
    "cut_falls_to_the_right_person": [Way("confirm-cut")],
    "warning_card_lies_right": [Way("place-warning-card")],
    "warning_card_is_placed": [Way("place-warning-card")],
    "warning_card_is_inside": [Way("announce-last-round")],
    "last_round_is_announced": [Way("announce-last-round")],
    "shoe_is_not_over": [Way("gather-cards")],
    "cards_may_be_shuffled": [_CLOSE],
    "nothing_was_played": [_CLOSE],
    "something_was_played": [Way("abandon-opening")],
    "no_shuffler_counts": [Way("state-count")],
    "last_card_was_said": [Way("report-misdealt"), Way("call-for-count")],
    "cards_are_enough": [Way("begin-putting-back"), Way("gather-cards")],
    "players_card_is_face_down": [Way("turn-card")],
    "players_cards_are_shown": [Way("turn-card")],
    "hand_is_shown": [Way("turn-card")],
    "card_was_read_off": [Way("rename-card"), Way("call-for-ruling", {"cause": "dispute"})],
    "no_other_card_comes_first": [_RULING],
    "hand_is_in_play": [Way("draw-card")],
    "no_complaint_is_open": [_DECIDE],
    "complaint_is_for_the_actor": [_DECIDE],
    "complaint_is_open": [Way("record-complaint")],
    "last_card_is_provisional": [_RULING],
    "a_card_can_be_corrected": [_RULING],
    "hole_card_is_the_last": [_RULING],
    "exposed_card_is_discarded": [_RULING],
    "error_is_not_to_be_rectified": [Way("move-card"), _RULING],
    "error_is_rectified_here": [Way("report-misdealt")],
    "last_card_is_the_banks": [Way("report-misdealt"), _RULING],
    "card_came_while_players_ask": [Way("move-card"), Way("report-hole-exposed"), Way("report-extra-card"), _RULING],
    "only_an_unseen_card_goes_on": [Way("make-ruling", {"outcome": "card-discarded"}), Way("report-misdealt")],
    "every_card_is_entered": [Way("enter-cards"), Way("enter-grid")],
    "nothing_contradicts_the_grid": [Way("enter-grid"), Way("attend-hold"), Way("propose-irregular-closing")],
    "complaint_is_in_time": [Way("record-complaint")],
    "banks_card_was_not_due": [Way("rename-card"), _RULING],
    "hand_could_be_without_it": [_RULING],
    "card_goes_where_it_is_owed": [Way("move-card"), _RULING],
    "place_is_in_turn": [Way("report-misdealt"), Way("call-for-ruling", {"cause": "dispute"})],
    "hole_card_is_turned": [Way("turn-hole-card")],
    "no_card_is_set_aside": [Way("draw-card"), Way("report-misdealt", {"seen": "yes"})],
    "no_ruling_is_owed": [_RULE],
    "no_other_ruling_is_owed": [_RULE],
    "actor_is_the_authority": [_RULE],
    "outcome_is_possible": [_RULE],
    "ruling_is_owed": [Way("call-for-ruling")],
    "card_alone_is_authorised": [Way("replace-deck"), Way("record-authorisation")],
    "whole_deck_is_replaced": [_REPLACE],
    "replacement_is_the_same_card": [_REPLACE],
    "card_is_replaced": [_REPLACE, Way("replace-deck")],
    "no_card_is_damaged_yet": [_REPLACE, Way("replace-deck")],
    "no_round_is_played": [Way("clear-hold"), Way("record-authorisation")],
    "card_is_damaged": [Way("report-damaged-card")],
    "hold_stands": [Way("{act}", {"hold": "{hold}"})],
    "hold_is_not_cleared_yet": [Way("confirm-hold", {"hold": "{hold}"})],
    "hold_is_attended": [_ATTEND],
    "a_hold_is_attended": [_ATTEND],
    "called_technician_clears": [Way("call-technician", {"hold": "{hold}"})],
    "technician_was_called": [Way("call-technician", {"hold": "{hold}"})],
    "repair_is_attested": [Way("attest-repair", {"hold": "{hold}"})],
    "hold_is_cleared": [Way("clear-hold", {"hold": "{hold}"})],
    "jammed_cards_are_stated": [Way("state-cards-moved", {"source": "jammed", "count": "{jammed}"})],
    "no_card_is_in_hand": [Way("state-cards-moved", {"source": "in_hand", "count": "{in_hand}"})],
    "no_card_is_pending": [Way("state-cards-moved", {"source": "pending", "count": "{pending}"})],
    "faces_are_possible": [Way("rename-card"), Way("correct-entry"), *_COUNTS],
    "doubted_cards_are_named": [Way("rename-card")],
    "count_is_stated": _COUNTS,
    "counts_agree": [*_COUNTS, Way("state-cards-moved"), Way("propose-irregular-closing")],
    "shuffler_count_is_known": [Way("state-whole-count")],
    "dealt_cards_lie_on_the_table": [_RULING],
    "outage_is_stated": [Way("state-outage"), Way("confirm-outage")],
    "chief_has_not_stated_it": [Way("confirm-outage")],
    "chief_has_stated_it": [Way("state-outage")],
    "closing_is_indicated": [_CLOSE],
    "grid_is_of_one_back": [Way("enter-grid")],
    "every_back_is_counted": [Way("enter-grid")],
    "grid_is_whole": [Way("enter-grid")],
    "corrections_are_agreed": [Way("agree-corrections")],
    "irregular_closing_is_proposed": [Way("propose-irregular-closing")],
    "pool_is_accounted_for": [Way("show-receipt"), Way("take-back-jackpot"), Way("state-jackpot")],
    "no_prize_is_owed": [Way("pay-jackpot"), Way("pay-jackpot-by-hand")],
    "two_people_close": [Way("confirm-irregular-closing")],
}
"""The acts that remove the reason of a refusal, by the guard that refused."""


def remedy_acts(registry: Registry[Any], state: State, refusal: Refusal, act: str, given: Values) -> list[Suggestion]:
    """Returns the acts possible now that remove the reason why `act` was refused. `given`: the values of `act`."""
    known = {**given, **dict(refusal.values), "act": act}
    known.pop("hold", None)
    if (hold := given.get("hold")) is not None:
        known["hold"] = hold
    return [one for way in REMEDIES.get(refusal.guard, ()) for one in suggestions(registry, state, _filled(way, known))]


def suggestions(registry: Registry[Any], state: State, way: Way) -> Iterator[Suggestion]:
    """Yields the act of `way` as a suggestion, if the act is possible now. An act on a hold is suggested for the hold
    that `way` names. If `way` names no open hold, the act is suggested for each open hold.
    """
    rule = registry.act_named.get(way.act)
    if rule is None or not is_permitted(registry, state, rule.act):
        return
    if "hold" not in asked_values(rule.act):
        yield from _suggestion(state, rule, way)
        return
    for number in _holds(state, way.values.get("hold", "")):
        yield from _suggestion(state, rule, replace(way, values={**way.values, "hold": f"H{number}"}))


def _holds(state: State, named: str) -> list[HoldId]:
    """Returns the hold with the number `named` ("3" or "H3"), if it is open; otherwise all open holds."""
    standing = [hold.id for hold in state.house.holds]
    return [number for number in standing if named.upper() in {f"H{number}", str(number)}] or standing


def _suggestion(state: State, rule: Rule, way: Way) -> Iterator[Suggestion]:
    """Yields one suggestion; none if no role of `way` may ask for the act, or if all values are known and the guards
    refuse them.
    """
    act = rule.act
    asks = [name for name in asked_values(act) if name not in way.values and not may_be_left_out(act, name)]
    fields = {} if asks else parse_values(act, way.values)
    if isinstance(fields, list):
        return
    may = rule.who_in(state.setup) if asks else who_may(state, rule, fields)
    who = [role for role in may if not way.who or role in roles_in(state.setup, way.who)]
    if who:
        person = None if way.act == "sign-in" else _person(state, who, way.values.get("hold", ""))
        roles = [role.value for role in who]
        yield Suggestion(way.act, dict(way.values), asks, roles, person, needs_pin(state, rule))


def _person(state: State, who: Sequence[Role], hold: str) -> int | None:
    """Returns the person who should do the act: the person in charge of the hold, if present in one of the roles `who`,
    else the only person present in one of them. None if there is no such person.
    """
    present = {one.person: one.role for one in state.house.present if one.role in who}
    if hold and (held := hold_of(state, HoldId(int(hold.lstrip("Hh"))))) is not None and held.attended_by in present:
        return held.attended_by
    return next(iter(present)) if len(present) == 1 else None


def _filled(way: Way, known: Values) -> Way:
    """Returns `way` with each `{name}` in its values replaced by the value in `known`. Leaves out a value whose
    `{name}` is not in `known`.
    """
    filled = {name: known.get(text[1:-1], "") if text.startswith("{") else text for name, text in way.values.items()}
    act = known["act"] if way.act == "{act}" else way.act
    return replace(way, act=act, values={name: text for name, text in filled.items() if text})
