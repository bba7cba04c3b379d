"""Who says what of cards that were moved, counted, named, damaged. One row an act (act_rule.py)."""

from typing import Any

from controller.core.custody import acts as a
from controller.core.custody import card_guards as gc
from controller.core.custody import (
    damage,
    outage,
    statements,
    supervised_count,
)
from controller.core.custody import shoe_guards as gz
from controller.core.house import hold_guards as gh
from controller.core.house import people_guards as gp
from controller.core.house.act_rule import CHIEF, DEALER, DEALER_OR_CHIEF, DELIBERATE_MS, FINAL_MS, ActRule, S
from controller.core.words import Role

STATEMENT_RULES: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "state-cards-moved",
        a.StateCardsMoved,
        CHIEF,
        "pt.bj.51d",
        statements.state_cards_moved,
        (gh.A_HOLD_IS_ATTENDED, gc.MOVE_IS_POSSIBLE, gc.CARDS_STAY_AT_THE_TABLE, gc.DEALT_CARDS_LIE_ON_THE_TABLE),
    ),
    ActRule(
        "state-count",
        a.StateCount,
        CHIEF,
        "pt.bj.55b",
        supervised_count.state_count,
        (
            gh.A_HOLD_IS_ATTENDED,
            gc.COUNT_IS_POSSIBLE,
            gc.CARDS_STAY_AT_THE_TABLE,
            gc.DEALT_CARDS_LIE_ON_THE_TABLE,
            gc.SHUFFLER_COUNT_IS_KNOWN,
        ),
        in_session=tuple(phase for phase in S if phase is not S.CLOSED),
    ),
    ActRule(
        "state-whole-count",
        a.StateWholeCount,
        CHIEF,
        "pt.bj.55b",
        supervised_count.state_count,
        (
            gz.NO_SHUFFLER_COUNTS,
            gh.A_HOLD_IS_ATTENDED,
            gc.COUNT_IS_POSSIBLE,
            gc.CARDS_STAY_AT_THE_TABLE,
            gc.DEALT_CARDS_LIE_ON_THE_TABLE,
        ),
        in_session=tuple(phase for phase in S if phase is not S.CLOSED),
    ),
    ActRule(
        "state-outage",
        a.StateOutage,
        CHIEF,
        outage.CLAUSE,
        outage.state_outage,
        (outage.OUTAGE_IS_TO_BE_STATED, gh.A_HOLD_IS_ATTENDED, outage.CHIEF_HAS_NOT_STATED_IT),
        hold_ms=DELIBERATE_MS,
    ),
    ActRule(
        "confirm-outage",
        a.ConfirmOutage,
        DEALER,
        outage.CLAUSE,
        outage.confirm_outage,
        (outage.OUTAGE_IS_TO_BE_STATED, outage.CHIEF_HAS_STATED_IT),
        own_pin=True,
    ),
    ActRule("name-card", a.NameCard, DEALER, "pt.bj.17a", statements.name_card, (gc.CARD_WAITS_FOR_ITS_NAME,)),
    ActRule(
        "report-damaged-card",
        a.ReportDamagedCard,
        DEALER_OR_CHIEF,
        "pt.bj.51a",
        damage.report_damaged_card,
        (gc.NO_CARD_IS_DAMAGED_YET, gc.A_CARD_IS_OUT, gc.CARD_BELONGS_TO_THE_DECKS),
        in_session=tuple(phase for phase in S if phase is not S.CLOSED),
    ),
    ActRule(
        "replace-card",
        a.ReplaceCard,
        CHIEF,
        "pt.bj.51a",
        damage.replace_damaged,
        (
            gc.CARD_IS_DAMAGED,
            gp.CHIEF_PRESENT_FOR_HOLD,
            gc.ALONE_IF_AUTHORISED,
            gc.REPLACEMENT_IS_THE_SAME_CARD,
        ),
    ),
    ActRule(
        "record-authorisation",
        a.RecordAuthorisation,
        (Role.CHIEF_SUPERVISOR, Role.ROOM_MANAGER, Role.REGULATOR),
        "pt.bj.5c",
        statements.record_authorisation,
        (gc.CARD_IS_DAMAGED, gc.WHOLE_DECK_IS_REPLACED, gc.REFERENCE_IS_GIVEN),
    ),
    ActRule(
        "replace-deck",
        a.ReplaceDeck,
        CHIEF,
        "pt.bj.5b",
        damage.replace_damaged,
        (gc.CARD_IS_DAMAGED, gc.WHOLE_DECK_IS_REPLACED, gc.DECK_EXISTS, gp.CHIEF_PRESENT_FOR_HOLD),
        hold_ms=FINAL_MS,
    ),
)
