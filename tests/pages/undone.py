"""The page of the ways to undo each act: made from the rows of the acts (core/house/undoing.py)."""

from typing import Any, Final

from controller.core.games.blackjack.table import ACT_RULES
from controller.core.house.rule import ActRule
from controller.core.house.undoing import Never, Way
from tests.pages.acts import AT_A_WHEEL

HEAD: Final = """# The way back from each act

Everybody errs who works with a finger. So each act's row says what undoes it, until when, by whom and with what
evidence, or why nothing may (`controller/core/house/undoing.py`). This page is made from the rows (`make pages`); a
row without an answer cannot be made.
"""
MEANS: Final = {
    Way.ENTRY: """## An entry of the round is put right

`correct-entry` at a table of cards, `correct-spin-entry` at a wheel; `add-entry` and `add-spin-entry` for what was
never entered. **Until** the next round begins (its first bet, its launch), the play of the session ends, or the
round's log is full (1,500 events). **By** the dealer or a supervisor who names the entry in the round's list, and a
supervisor who asks for the same. The entry is taken back (with others that hang on it: `also`), has other values,
is another act, or is added before the first entry that came behind it; all that followed is worked out again from
the entries that stand. Refused, with the entry that hangs on it, where a later one could not have been made then;
and where a card or a prize of the jackpot would be another one: a ruling decides then. A jackpot bet that was keyed
at a wrong seat, or not at all, and on which an unpaid prize of the table's own pool hangs, the room manager puts
right with the recording, and another person asks for the same: the prize goes, and one that the right seat has won is
owed. What people have decided of an amount that is another one now falls away, and so does an agreement with a
correction that is taken back. A hand that was ended by mistake (by a double, too, that was a request for a card),
while later hands have played since, is asked again in the order of the places, until the bank's card is open: a hand
that has got cards plays on to its end before it, one that has not been asked comes after it; their cards stay where
they lie. That the other finishes first no law says; so it is done at tables. Once the bank's card is open, all have
seen that the hand has ended: a double that was a request for a card is a card and a stand, which the list then shows
as an entry of its own, unless the hand could not have stood. Where by a correction no hand waits for the bank, as when
the only player's stand was a surrender, the cards that it has drawn lie where they came and count for no hand
(pt.bj.22b, 19b); all are told how many, and they go to the discard rack with the others. A stand of a hand that has
ended without it falls away, and need not be named. An amount that is another one now is a
difference: nothing else is settled, paid, taken away or put back, and no bet of another round of cards taken, before
two people have said that it is settled
(`confirm-differences`). A void round of cards
returns every stake with all that was paid for it: of those no difference is left. In a void spin what was paid
comes back by the corrected list, and so the difference to it stays owed. Cards of the rack that lie on the table
again by a correction are laid back where they lay, as the screen shows each hand; all are told how many, and until
they lie there a count is refused. With a report of the warning card that is taken back the announcement of the last
round falls away, and need not be named.
At a wheel no chips are changed and no ball is launched while a difference waits (pt.rou.19), but chips may be laid; a
spin that is under way gets its announcement and its number. There a payment of prizes that are none any more, the
return of such prizes and the word that play goes on need not be named: they fall away with what they were about. A
prize that is added before one that was paid already is a difference, too: the order of payment (pt.rou.29b) keeps
nothing from being put right. A number that no line reports is an entry with a value like another. Against the wheel's
line it is not corrected: there `contest-spin` and `rule-on-spin` say what all see on the wheel, until the payments are
confirmed, and behind them once that entry is taken back.
A correction by which nothing would be other than it is is refused: a later entry says how it is, as a bet that two
people have stated.
**Grows**: the log by one event with each act, to its bound. **Evidence**: both entries stay in the journal,
and the correction with its two people behind them.
""",
    Way.ACT: """## Another act undoes it

**Until** that act is no longer offered; **by** those who may do it (SECOND.md). **Evidence**: both acts in the journal.
""",
    Way.AGAIN: """## The same act again, with other values

**Until** the step that it belongs to has ended; **by** those who may do it. The last one counts. **Evidence**: each
of them in the journal.
""",
    Way.NEVER: """## Nothing undoes it
""",
}
BECAUSE: Final = {
    Never.SEEN: "A card lies open that nobody can put back unseen; a person's decision alone changes what follows",
    Never.MIXED: "The cards were mixed or taken away: nobody can see again how they lay",
    Never.SAID: "A person's word about a moment that has passed; another word is recorded beside it",
    Never.DECIDED: "The law says whose decision it is; a complaint is the way",
    Never.AGREED: "Two people have agreed to it and money has moved; a complaint is the way",
    Never.ENDED: "A round, a session or a deck set has ended with it",
}


def undone_page() -> str:
    """Each act under its way of being undone, or the reason why it is final."""
    rules = {rule.name: rule for rule in (*ACT_RULES, *AT_A_WHEEL)}
    lines = [HEAD]
    for way in Way:
        lines += [MEANS[way], *_section(way, [rule for rule in rules.values() if rule.undone.way is way]), ""]
    return "\n".join(lines[:-1]) + "\n"


def _section(way: Way, rules: list[ActRule[Any, Any]]) -> list[str]:
    match way:
        case Way.ENTRY | Way.AGAIN:
            return [_names(rules)]
        case Way.ACT:
            return ["| act | undone by |", "|---|---|", *(f"| `{rule.name}` | {_by(rule)} |" for rule in rules)]
        case Way.NEVER:
            return [f"- {BECAUSE[why]}: {_names([one for one in rules if one.undone.reason is why])}" for why in Never]


def _names(rules: list[ActRule[Any, Any]]) -> str:
    return ", ".join(f"`{rule.name}`" for rule in rules)


def _by(rule: ActRule[Any, Any]) -> str:
    return ", ".join(f"`{name}`" for name in rule.undone.by)
