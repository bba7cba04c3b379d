"""The section `[linked]`: the jackpot pool that several tables of a floor share.

The table's jackpot chips also play for the linked pool.
"""

from typing import Final

from controller.config.jackpot import combination_of
from controller.config.model import LinkedConfig
from controller.config.rule import Broken, Rule, profile_of
from controller.config.shape import WellFormed
from controller.core.jackpot_rules import parse_combination
from controller.core.linked_rules import BetsWhenAway, LinkedRules, SignShows
from controller.journal.note import read_key

LEAST_AWAY_S: Final = 20
"""The least seconds without the floor that a configuration may permit: twice the interval at which an uplink brings
statements.
"""

MOST_AWAY_S: Final = 86_400
"""The most seconds without the floor that a configuration may permit: one day, since Michigan suspends a linked game
after 24 hours (R 432.1841).
"""

_POOL: Final = "linked.pool"
_CURRENCY: Final = "linked.currency"
_COMBINATION: Final = "linked.combination"
_AWAY: Final = "linked.away_after"


def _is_known(config: WellFormed) -> bool:
    """True if the profile permits a linked pool."""
    return any(one.name == "jackpot_linked" and one.value is True for one in profile_of(config).parameters)


def _not_here(config: WellFormed) -> Broken | None:
    return None if _is_known(config) else ()


def _no_jackpot(config: WellFormed) -> Broken | None:
    return None if not _is_known(config) or config.has(["jackpot.bet"]) else ()


def _no_uplink(config: WellFormed) -> Broken | None:
    return None if not _is_known(config) or "uplink" not in config.absent else ()


def _currency(config: WellFormed) -> Broken | None:
    of_table, of_pool = config.take("table.currency", str), config.take(_CURRENCY, str)
    return None if of_table == of_pool else (("currency", of_pool), ("table", of_table))


def _combination(config: WellFormed) -> Broken | None:
    text = config.take(_COMBINATION, str)
    return None if parse_combination(text) is not None else (("combination", text),)


def _away(config: WellFormed) -> Broken | None:
    after = config.take(_AWAY, int)
    if LEAST_AWAY_S <= after <= MOST_AWAY_S:
        return None
    return (("after", str(after)), ("least", str(LEAST_AWAY_S)), ("most", str(MOST_AWAY_S)))


LINKED_RULES: Final = (
    Rule("linked-not-here", "linked", (_POOL,), _not_here),
    Rule("linked-without-jackpot", "linked", (_POOL,), _no_jackpot),
    Rule("linked-without-uplink", "linked", (_POOL,), _no_uplink),
    Rule("linked-currency", _CURRENCY, ("table.currency", _CURRENCY), _currency),
    Rule("linked-combination", _COMBINATION, (_COMBINATION,), _combination),
    Rule("linked-away", _AWAY, (_POOL, _AWAY), _away),
)


def linked_rules(config: WellFormed) -> LinkedRules | None:
    """Returns the rules of the linked pool. Returns None if the table has no linked pool.

    The configuration must have no problems.
    """
    if not config.has([_POOL]):
        return None
    return LinkedRules(
        pool=config.take(_POOL, str),
        currency=config.take(_CURRENCY, str),
        combination=combination_of(config.take(_COMBINATION, str)),
        away_ms=config.take(_AWAY, int) * 1000,
        bets_when_away=BetsWhenAway(config.take("linked.bets_when_away", str)),
        sign=SignShows(config.take("linked.sign", str)),
    )


def linked_config(config: WellFormed) -> LinkedConfig | None:
    """Returns the rules of the linked pool with the public key that verifies the floor's signatures. Returns None if
    the table has no linked pool.
    """
    rules = linked_rules(config)
    return None if rules is None else LinkedConfig(rules, read_key(config.take("linked.floor", str)))
