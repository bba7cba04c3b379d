"""The page of second persons and credentials: made from the rows of the acts (money_at_stake.py, manner.py)."""

from collections.abc import Iterable
from typing import Any, Final

from controller.catalogue import Language, sentence
from controller.core.games.blackjack.table import ACT_RULES
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import AT_STAKE, Agrees, Money, SecondBy, Shows
from controller.core.house.rule import ActRule
from tests.pages.acts import AT_A_WHEEL, posts_besides

HEAD: Final = """# Money and the second person

Could two of dealer, player and chief supervisor take money by this act unseen? Asked of every act; the answer stands in
the act's row (`controller/core/house/money_at_stake.py`), and this page is made from the rows (`make pages`). A player
has no act: he moves money through the person who is with him. So an act of one person that could move a cent otherwise
than the cards, the number and the bets as recorded needs a second person's word, in one of three ways:

- **the same act**: it waits until the second person asks for the same with the same values and with a PIN. Until then
  nothing is changed; the wait stands on every screen. It ends with the first change of what it is about. Each ends
  with a hold that begins, ends or gives another reason, a step of the session, another dealer, a shift that is handed
  over, a correction, a start of the controller, the departure of the person who asked. A prize waits on until another
  prize is due or its cards have another name, a hand that is paid early until a card or bet of its seat or a card of
  the bank changes, a raise of the sign until the jackpot's chips do, differences until they do; a settlement, a ruling
  and a correction are about the whole round, and end with any card, bet or step of it. A correction's wait ends with
  its round's list, too. At a wheel an act on chips is about their colour or player alone, so that step and other
  players' chips leave it, and an act on the spin is not about chips that are changed meanwhile. That a request has
  lapsed, and why, stands in the journal and on every screen: until the act is asked for again if the table waits for
  it, else for half a minute, and no longer than the round. Whoever comes then is the first who asks;
- **agreement**: it is done at once, since the cards lie as people say; the round is not settled, no prize and no hand
  is paid, none is surrendered and none taken away, before a second person has done `agree-corrections` with a PIN;
- **two halves**: two acts, or the same one twice, of two people, the second with a PIN; nothing moves by the first.

No word counts twice: whoever asked first is refused as the second. How often a person does an act is not limited, since
each time takes the second person again. From which amount a payment takes two
people is the casino's (`second_person_payment_cents`, none as shipped), and so it is for a prize
(`second_person_prize_cents`, every prize as shipped). Each act stands in the journal with its person and its values.
Two people who tell each other their PINs, and two of the house who act together, are beyond it: this page says how many
have to.

A test holds each row (`tests/core/test_money_at_stake.py`): what every act changes is what its row says, for each role,
and in tables at which two people try every act at random no cent moves by fewer people than stand here.
"""
ASKS_HEAD: Final = """## Each act, and the credential that it asks of its person

A post names nobody. So each act's row says what its person does by it (`controller/core/house/manner.py`), and the
controller asks for a credential by that; a row without it cannot be made. The dealer's sign-in at the table is his
post: it stands until he leaves or is relieved, and serves all that is his, but for the PIN of a second half. Of all
others:

| the act | at the table's screen, and where several are signed in | at a tablet where he alone is signed in |
|---|---|---|
| he **attests**: he has seen it himself | PIN, or badge and key, for this act | his sign-in |
| he **decides**: by his judgement | the same; for the hold that he has signed in for, once | his sign-in |
| he **does**: with his hands | the same; for a hold also what clears it and changes no dealt card | his sign-in |
| the **second half** of an act for two, and the second person's word | PIN | PIN |

*Badge and key*: at the table's screen, held to the reader within the last ten seconds while the key is turned on, for
one request: a press with what belongs to it, or a sign-in for a hold with it. A sign-in for a hold ends with the hold.
"""
ASKS: Final = {
    Manner.ATTESTS: "He attests",
    Manner.DECIDES: "He decides",
    Manner.DOES: "He does",
}
ATTESTED: Final = {
    "state-cards-moved": "`target=foreign`: a card leaves the deck set, and the counts agree without it; and with "
    "`source=pending`: in a round the next hand gets another card",
}
MEANS: Final = {
    Money.LAID: "Stakes are laid before a card or number is known",
    Money.DECIDED: "What a player chooses before the next card is known",
    Money.AT_ONCE: "A hand that is paid before the settlement",
    Money.SEEN: "The number that lies open before all at the table",
    Money.NAMED: "A card that people name",
    Money.CORRECTED: "A card that was dealt is annulled, moved or named anew",
    Money.NOBODYS: "A card that no hand has yet leaves the round, or does not come to the next one",
    Money.ENTRY: "An entry of the round is put right, and what followed is worked out again",
    Money.AGREED: "The second person's word to that",
    Money.RULED: "A round, a spin or a card counts, or does not",
    Money.HALVES: "A round ends unplayed, by two acts",
    Money.PAID: "Payments by cards or number and stakes as they are recorded, and by chips as they are counted",
    Money.ROUNDED: "An amount that the table's chips do not make up",
    Money.PRIZE: "A prize out of the jackpot's pool",
    Money.CHIPS: "Chips that were moved, as they lay",
    Money.WORTH: "What a chip without face value is worth",
    Money.SIGN: "By how much the jackpot's sign was raised",
    Money.POOL: "How much is in the pool, and where it is",
    Money.PARAMETERS: "Parameters of a pool that nobody plays for yet",
    Money.RECEIPT: "Another computer has taken the pool over",
}
BOUND: Final = {
    Money.SEEN: "where a device tells it, what the device tells",
    Money.NAMED: "agreement, where bets are followed: a card that reader or seal should say, and any card of no deck",
    Money.CORRECTED: "agreement, where bets are followed and a card moves",
    Money.NOBODYS: "agreement, where bets are followed: fewer cards are pending in a round, or a card kept for the "
    "next one goes",
    Money.AGREED: "never the person whose word it is about; to a dealer's no second dealer",
    Money.HALVES: "two halves: chief supervisor and dealer, or chief supervisor and room manager",
    Money.ROUNDED: "by less than one smallest chip; the last decision counts",
    Money.POOL: "two halves, one the room manager's; what a pool lacks for the prize that is due one person lays in",
    Money.PARAMETERS: "the table closed, from the next reset on",
    Money.RECEIPT: "what the other computer has signed, for an export that is away",
}
AGREE: Final = {
    Agrees.BETS_ARE_OPEN: "bets are open: the dealer's announcement closes them, or the wheel's line",
    Agrees.NOTHING_IS_KNOWN: "the order of the turns and the cards so far; nobody knows the next",
    Agrees.DEVICE: "the device where there is one: reader and seal, or wheel",
    Agrees.RECORD: "cards, number and stakes as recorded",
    Agrees.WORTH: "what a chip that is changed is worth, as recorded; how many they are the dealer counts before all",
    Agrees.CHIP: "the smallest chip",
    Agrees.TABLE_IS_CLOSED: "the session: closed",
    Agrees.SIGNATURE: "the other computer's signature",
    Agrees.REFERENCE: "a reference that the inspection service has, where money comes in or its place is in doubt",
}
WHERE: Final = {
    Shows.CLOTH: "on the cloth, before all",
    Shows.ROUND_LIST: "the round's list at the screen",
    Shows.WAITING: "the wait, on every screen",
    Shows.NOTICE: "a notice",
    Shows.DISPLAY: "the display of values, before all",
    Shows.HOLD: "a hold",
    Shows.SIGN: "the sign",
    Shows.REPORT: "the evening's figures",
    Shows.AUDIT: "the pool's meters in the journal's audit",
}


def second_page() -> str:
    """Each act with money at stake, by its possible effect; the other acts by name."""
    rules = (*ACT_RULES, *AT_A_WHEEL)
    lines = [HEAD]
    for money in Money:
        if money is not Money.NONE:
            lines += _section(money, [rule for rule in rules if rule.money is money])
    lines += ["## No money hangs on it", "", _names(rule for rule in rules if rule.money is Money.NONE), "", ASKS_HEAD]
    for manner, title in ASKS.items():
        lines += [f"**{title}**: {_names(rule for rule in rules if rule.manner is manner and not rule.own_pin)}", ""]
    for rule in rules:
        if rule.attested_if is not None:
            lines += [f"`{rule.name}` is attested with {ATTESTED[rule.name]}.", ""]
    halves = _names(rule for rule in rules if rule.own_pin)
    return "\n".join([*lines, f"**The PIN alone, whoever is signed in**: {halves}"]) + "\n"


def _names(rules: Iterable[ActRule[Any, Any]]) -> str:
    return ", ".join(f"`{name}`" for name in dict.fromkeys(rule.name for rule in rules))


def _section(money: Money, rules: list[ActRule[Any, Any]]) -> list[str]:
    stake = AT_STAKE[money]
    agrees, shows = "; ".join(map(AGREE.__getitem__, stake.agrees)), "; ".join(map(WHERE.__getitem__, stake.shows))
    table = ["", "| act | who | second person | of which acts |", "|---|---|---|---|", *map(_row, rules), ""]
    return [f"## {MEANS[money]}", "", f"Agrees besides: {agrees or '-'}. Shows: {shows}.", *table]


def _row(rule: ActRule[Any, Any]) -> str:
    if rule.second is not None:
        others = posts_besides(rule)
        to_these = f"; to one of these {_roles(others)}" if others else ""
        second = f"the same act: {_roles(rule.second.who)}{to_these}"
        bound = sentence(f"second.{rule.second.bound}", (), Language.EN)
    else:
        second, bound = SECOND[AT_STAKE[rule.money].by], BOUND.get(rule.money, "-")
    return f"| `{rule.name}` | {_roles(rule.who)} | {second} | {bound} |"


SECOND: Final = {
    SecondBy.NOBODY: "-",
    SecondBy.LATER: "agreement: table inspector, chief supervisor; to a supervisor's the dealer",
    SecondBy.OTHER_HALF: "the other half",
}


def _roles(who: Iterable[Any]) -> str:
    return ", ".join(role.value.replace("_", " ") for role in who)
