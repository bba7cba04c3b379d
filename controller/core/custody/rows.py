"""The rows of custody for a table's registry: acts in the order of a session, facts and deadlines."""

from typing import Any

from controller.core.custody.agreement import AGREEMENT_ACTS
from controller.core.custody.closing import IRREGULAR_CLOSING_ACTS, UNLOADING_ACTS
from controller.core.custody.complaints import COMPLAINT_ACTS
from controller.core.custody.corrections import CORRECTION_ACTS
from controller.core.custody.counting import CALLING_ACTS, COUNTS_BY_PEOPLE_ACTS, COUNTS_DEADLINE
from controller.core.custody.cut_taken_back import TAKING_BACK_CUT_ACTS
from controller.core.custody.damage import DAMAGE_ACTS
from controller.core.custody.dealing_by_word import DEALING_BY_WORD_ACTS
from controller.core.custody.deck_check import DECK_CHECK_ACTS
from controller.core.custody.devices import DEVICE_FACTS, DEVICES_DEADLINE, OTHER_DEVICE_FACTS, SHUFFLER_FACTS
from controller.core.custody.drawing import JOIN_DEADLINE
from controller.core.custody.mixing import COUNTING_DECKS_ACTS, CUTTING_ACTS, MIXING_ACTS
from controller.core.custody.naming import NAMING_ACTS
from controller.core.custody.opening import ABANDONING_ACTS, LOADING_ACTS, OPENING_ACTS
from controller.core.custody.outage import OUTAGE_ACTS, START_OF_CARDS
from controller.core.custody.reader import CARDS_UNSEEN, READER_FACTS
from controller.core.custody.rulings import RULING_ACTS
from controller.core.custody.shoe import EMPTYING_ACTS, FILLING_ACTS
from controller.core.custody.turning import RENAMING_ACTS
from controller.core.house.registry import Deadline, FactRule
from controller.core.house.rule import ActRule

OPENING_RULES: tuple[ActRule[Any, Any], ...] = (
    *OPENING_ACTS,
    *MIXING_ACTS,
    *COUNTING_DECKS_ACTS,
    *CUTTING_ACTS,
    *FILLING_ACTS,
    *TAKING_BACK_CUT_ACTS,
    *DEALING_BY_WORD_ACTS,
    *EMPTYING_ACTS,
    *LOADING_ACTS,
    *ABANDONING_ACTS,
)
CLOSING_RULES: tuple[ActRule[Any, Any], ...] = (*UNLOADING_ACTS, *DECK_CHECK_ACTS, *IRREGULAR_CLOSING_ACTS)
STATEMENT_RULES: tuple[ActRule[Any, Any], ...] = (*COUNTS_BY_PEOPLE_ACTS, *OUTAGE_ACTS, *NAMING_ACTS, *DAMAGE_ACTS)
CORRECTION_RULES: tuple[ActRule[Any, Any], ...] = (
    *CORRECTION_ACTS,
    *RENAMING_ACTS,
    *CALLING_ACTS,
    *RULING_ACTS,
    *AGREEMENT_ACTS,
)
COMPLAINT_RULES: tuple[ActRule[Any, Any], ...] = COMPLAINT_ACTS
CUSTODY_FACTS: tuple[FactRule[Any, Any], ...] = (
    *START_OF_CARDS,
    *DEVICE_FACTS,
    *CARDS_UNSEEN,
    *SHUFFLER_FACTS,
    *READER_FACTS,
    *OTHER_DEVICE_FACTS,
)
CUSTODY_DEADLINES: tuple[Deadline[Any], ...] = (JOIN_DEADLINE, COUNTS_DEADLINE, DEVICES_DEADLINE)
