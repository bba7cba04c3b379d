"""The section `[jackpot]`: the rules for its values, and its translation into the core's JackpotRules (pt.bj.38 to 44).

A row of the pay table is a text of three parts: the rank from 1, the combination of cards, and the prize, which is an
amount or a share of the pool: `1 6-7-8-suited 200.00`, `2 7-7-7 5%`. The last row is the largest prize and gets the
rest of the pool: `3 7-7-7-suited rest`.
"""

import re
from collections.abc import Callable
from typing import Final

from controller.config.profile import Profile
from controller.config.rule import Broken, Rule, profile_of
from controller.config.shape import WellFormed
from controller.core.jackpot_rules import (
    FEWEST_CARDS,
    MILLION,
    MOST_CARDS,
    PRIZE,
    Combination,
    JackpotRules,
    Marking,
    Prize,
    Suits,
    parse_combination,
    parse_ppm,
)
from controller.core.money import cents_of, units
from controller.core.words import Cents

_ROW: Final = re.compile(PRIZE)
_BET: Final = "jackpot.bet"
_RATES: Final = ("jackpot.rate", "jackpot.reserve_rate")
_SLOTS: Final = "devices.jackpot_slots.port"
_PRIZES: Final = "jackpot.prizes"
_WHOLE_PPM: Final = 100  # bet (cents) times rate (ppm) must be a multiple of it


def _ppm(config: WellFormed, key: str) -> int:
    return parse_ppm(config.take(key, str)) or 0


def _cents(config: WellFormed, name: str) -> int:
    """Returns the optional amount `jackpot.<name>` in cents. Returns 0 if the file leaves it out."""
    return config.option(f"jackpot.{name}", int) or 0


def _follows_hands(config: WellFormed) -> Broken | None:
    return None if config.take("table.tracks", str) == "hands" else ()


def _is_automatic(config: WellFormed) -> Broken | None:
    """Checks that the configured marking of jackpot chips is automatic. Applies to a table with slots that detect
    chips.
    """
    return None if config.take("jackpot.marking", str) == Marking.AUTOMATIC.value else ()


def _bet(config: WellFormed) -> Broken | None:
    bet, most = config.take(_BET, int), config.take("table.maximum_bet", int)
    return None if 0 < bet <= most else (("bet", units(bet)), ("most", units(most)))


def _is_enough(config: WellFormed, amount: int) -> Broken | None:
    bet = config.take(_BET, int)
    times = profile_of(config).parameter("jackpot_least_start").value
    least = bet * times if isinstance(times, int) else 0
    if bet <= 0 or amount >= least:
        return None
    return (("amount", units(amount)), ("bet", units(bet)), ("least", units(least)))


def _start(config: WellFormed) -> Broken | None:
    return _is_enough(config, config.take("jackpot.start", int))


def _reset(config: WellFormed) -> Broken | None:
    reset = config.option("jackpot.reset", int)
    return None if reset is None else _is_enough(config, reset)


def _rate(config: WellFormed) -> Broken | None:
    rates = tuple(_ppm(config, key) for key in _RATES)
    return None if rates[0] > 0 and sum(rates) <= MILLION else ()


def _is_whole(config: WellFormed) -> Broken | None:
    bet = config.take(_BET, int)
    broken = [key for key in _RATES if bet * _ppm(config, key) % _WHOLE_PPM]
    return (("bet", units(bet)), ("rate", config.take(broken[0], str))) if broken else None


def _limit(config: WellFormed) -> Broken | None:
    limit, start = config.option("jackpot.limit", int), config.take("jackpot.start", int)
    least = max(start, _cents(config, "reset"))
    return None if limit is None or limit >= least else (("limit", units(limit)), ("least", units(least)))


def _by_hand(config: WellFormed) -> Broken | None:
    least = config.option("jackpot.pay_by_hand_from", int)
    return None if least is None or least > 0 else (("amount", units(least)),)


# --- the pay table


def _rows(config: WellFormed) -> list[tuple[int, str, str]]:
    found = [_ROW.fullmatch(text) for text in config.take(_PRIZES, tuple)]
    return [(int(row[1]), row[2], row[3]) for row in found if row is not None]


def _ranks(config: WellFormed) -> Broken | None:
    ranks = [rank for rank, _combination, _pays in _rows(config)]
    return None if ranks == list(range(1, len(ranks) + 1)) else (("ranks", ", ".join(map(str, ranks))),)


def _counts(text: str) -> bool:
    """True if the combination has a permitted number of cards, FEWEST_CARDS to MOST_CARDS."""
    beside = {Suits.SUITED.value, Suits.COLOURED.value, "same"}
    return FEWEST_CARDS <= sum(word not in beside for word in text.split("-")) <= MOST_CARDS


def _cards(config: WellFormed) -> Broken | None:
    wrong = next((text for _rank, text, _pays in _rows(config) if not _counts(text)), None)
    return None if wrong is None else (("combination", wrong),)


def _combinations(config: WellFormed) -> Broken | None:
    texts = [text for _rank, text, _pays in _rows(config) if _counts(text)]
    read = [(text, parse_combination(text)) for text in texts]
    wrong = next((text for text, one in read if one is None or _comes_twice(one, read)), None)
    return None if wrong is None else (("combination", wrong),)


def _comes_twice(one: Combination, read: list[tuple[str, Combination | None]]) -> bool:
    def key(of: Combination) -> tuple[object, ...]:
        return (sorted(of.ranks), of.suits, of.same)

    return sum(other is not None and key(other) == key(one) for _text, other in read) > 1


def _largest(config: WellFormed) -> Broken | None:
    """Checks that exactly one row, the last, pays the rest of the pool."""
    pays = [pays for _rank, _combination, pays in _rows(config)]
    at = [index for index, one in enumerate(pays) if one == "rest"]
    return None if at == [len(pays) - 1] else (("count", str(len(at))),)


def _amounts(config: WellFormed) -> Broken | None:
    """Checks the prizes of the pay table: each is above 0 and at most the pool after a start or reset, and no fixed
    prize is less than one in an earlier row.
    """
    start = config.take("jackpot.start", int)
    start = min(start, _cents(config, "reset") or start)
    least = 0
    for _rank, combination, pays in _rows(config):
        cents, ppm = _pays(pays)
        wrong = pays != "rest" and (not (cents or ppm) or ppm > MILLION or cents > start or 0 < cents < least)
        if wrong:
            return (("combination", combination), ("pays", pays), ("start", units(start)))
        least = max(least, cents)
    return None


def _pays(text: str) -> tuple[int, int]:
    """Returns a prize as an amount in cents and a share of the pool in parts per million.

    One of the two is 0. For `rest` both are 0.
    """
    if text == "rest":
        return 0, 0
    if text.endswith("%"):
        return 0, parse_ppm(text[:-1]) or 0
    return cents_of(text), 0


def _has_one(config: WellFormed) -> bool:
    return any(one.name == "jackpot_allowed" and one.value is True for one in profile_of(config).parameters)


def _not_here(config: WellFormed) -> Broken | None:
    return None if _has_one(config) else ()


def _rule(name: str, key: str, fields: tuple[str, ...], check: Callable[[WellFormed], Broken | None]) -> Rule:
    """Makes a rule that is checked only if the profile permits a jackpot. Under any other profile, `jackpot-not-here`
    reports the section.
    """

    def where_allowed(config: WellFormed) -> Broken | None:
        return check(config) if _has_one(config) else None

    return Rule(name, key, fields, where_allowed)


JACKPOT_RULES: Final = (
    Rule("jackpot-not-here", "jackpot", (_BET,), _not_here),
    _rule("jackpot-follows-hands", "table.tracks", ("table.tracks", _BET), _follows_hands),
    _rule("jackpot-slots", "jackpot.marking", (_SLOTS, "jackpot.marking"), _is_automatic),
    _rule("jackpot-bet", _BET, (_BET, "table.maximum_bet"), _bet),
    _rule("jackpot-start", "jackpot.start", (_BET, "jackpot.start"), _start),
    _rule("jackpot-start", "jackpot.reset", (_BET, "jackpot.reset"), _reset),
    _rule("jackpot-rate", "jackpot.rate", _RATES, _rate),
    _rule("jackpot-whole", "jackpot.rate", (_BET, *_RATES), _is_whole),
    _rule("jackpot-limit", "jackpot.limit", ("jackpot.limit", "jackpot.start"), _limit),
    _rule("jackpot-by-hand", "jackpot.pay_by_hand_from", ("jackpot.pay_by_hand_from",), _by_hand),
    _rule("jackpot-ranks", _PRIZES, (_PRIZES,), _ranks),
    _rule("jackpot-cards", _PRIZES, (_PRIZES,), _cards),
    _rule("jackpot-combinations", _PRIZES, (_PRIZES,), _combinations),
    _rule("jackpot-largest", _PRIZES, (_PRIZES,), _largest),
    _rule("jackpot-amounts", _PRIZES, (_PRIZES, "jackpot.start"), _amounts),
)


def jackpot_rules(config: WellFormed, profile: Profile) -> JackpotRules | None:
    """Returns the rules of the table's jackpot. Returns None for a table without a jackpot.

    The configuration must have no problems.
    """
    if not config.has([_BET]):
        return None
    start = config.take("jackpot.start", int)
    return JackpotRules(
        marking=Marking(config.take("jackpot.marking", str)),
        bet=Cents(config.take(_BET, int)),
        rate_ppm=_ppm(config, "jackpot.rate"),
        start=Cents(start),
        reset=Cents(_cents(config, "reset") or start),
        prizes=tuple(_prize(row) for row in _rows(config)),
        reserve_ppm=_ppm(config, "jackpot.reserve_rate"),
        limit=Cents(_cents(config, "limit")),
        by_hand_from=Cents(_cents(config, "pay_by_hand_from")),
        communication=config.take("jackpot.communication", str),
        conditions=profile.jackpot_conditions,
    )


def _prize(row: tuple[int, str, str]) -> Prize:
    rank, text, pays = row
    cents, ppm = _pays(pays)
    return Prize(rank, combination_of(text), Cents(cents), ppm)


def combination_of(text: str) -> Combination:
    combination = parse_combination(text)
    if combination is None:  # its rule has refused this earlier
        raise ValueError(text)
    return combination
