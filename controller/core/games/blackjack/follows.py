"""Lists what follows from any event at a blackjack table: the watches, which change the state, and the tells, which
give notices.
"""

from typing import Any, Final

from msgspec import UnsetType

from controller.core.choices import ComplaintWindow
from controller.core.custody.closing import lapse_proposal
from controller.core.custody.complaints import close_by_feeding, close_by_mixing
from controller.core.custody.counting import watch_counts
from controller.core.custody.damage import watch_damaged
from controller.core.custody.doubt import watch_doubted
from controller.core.custody.game import lapse_set_aside, watch_faces
from controller.core.custody.naming import watch_unread
from controller.core.custody.outage import watch_outage
from controller.core.custody.putting_back import of_laid_back, watch_feed
from controller.core.custody.rulings import of_corrections
from controller.core.custody.shoe import of_shoe
from controller.core.games.blackjack.at_once import watch_at_once
from controller.core.games.blackjack.bets.side import of_side_bets_back
from controller.core.games.blackjack.correcting import of_cards_in_vain
from controller.core.games.blackjack.decisions.even_money import EVEN_MONEY
from controller.core.games.blackjack.decisions.five_cards import FIVE_CARDS
from controller.core.games.blackjack.decisions.insurance import INVITATION, of_insurance
from controller.core.games.blackjack.decisions.turns import SHOWING, of_covered_hands
from controller.core.games.blackjack.decisions.unfounded import of_doubles_back
from controller.core.games.blackjack.jackpot.bets import RAISING_ACTS
from controller.core.games.blackjack.jackpot.linked import of_linked, watch_linked
from controller.core.games.blackjack.jackpot.notices import of_jackpot, of_paid_in_vain
from controller.core.games.blackjack.jackpot.prizes import PRIZE_ACTS, watch_jackpot
from controller.core.games.blackjack.jackpot.slots import of_slots, watch_slots
from controller.core.games.blackjack.jackpot.unseen import of_unseen
from controller.core.games.blackjack.settlement import SETTLING_ACTS, of_money, of_void_round
from controller.core.house.clocks import asks_for_clock, watch_clock
from controller.core.house.correct_entry import CONFIRM_DIFFERENCES, of_log
from controller.core.house.following import Tell, Watch
from controller.core.house.jackpot_acts import watch_pool
from controller.core.house.jackpot_two import lapse_asking
from controller.core.house.lapses import lapses, of_lapses
from controller.core.house.linked_acts import linked_acts
from controller.core.house.notices import of_display, of_duties, of_holds, of_obedience, of_steps
from controller.core.house.rule import ActRule
from controller.core.house.second_person import of_second_person
from controller.core.house.shift_acts import of_shift
from controller.core.house.sign import watch_sign
from controller.core.house.state import KNOWN_AS
from controller.core.setup import Setup
from controller.core.words import RoundPhase

_R = RoundPhase
OWN_MATTERS: Final[tuple[ActRule[Any, Any], ...]] = (
    *(*SETTLING_ACTS, *PRIZE_ACTS, *RAISING_ACTS, *linked_acts()),
    *(EVEN_MONEY, FIVE_CARDS, CONFIRM_DIFFERENCES),
)
"""The rows of acts for two people, if what both see alike is less than the whole round (`SecondPerson.sees`)."""

_STEP: Final = ("house.session", "game.phase")


def _has_shuffler(setup: Setup) -> bool:
    return setup.has_shuffler


def _has_slots(setup: Setup) -> bool:
    return setup.has_slots


def _has_jackpot(setup: Setup) -> bool:
    return setup.jackpot is not None


def _is_linked(setup: Setup) -> bool:
    return not isinstance(setup.linked, UnsetType)


def _follows_hands(setup: Setup) -> bool:
    return setup.hand_rules is not None


def _mixing_ends_complaints(setup: Setup) -> bool:
    return setup.procedure.complaints is ComplaintWindow.UNTIL_MIXED


def _feeding_ends_complaints(setup: Setup) -> bool:
    return not _mixing_ends_complaints(setup)


# An event first changes the state by its own row. Then each row of WATCHES is called once, from the top down, and sees
# the changes made by the rows above it. So a cause stands above its effects:
#
#   feed       cards laid in the feed begin or end the putting back, as an act of the dealer would
#   faces      a face that has come too often raises a hold
#   damaged    a damaged card raises its hold again once the round that had to be finished first is over
#   unread     the hold for unread cards names the card that people must identify next
#   doubt      the hold for doubted cards names those that people must still identify
#   complaints the time for complaints ends when the cards go into the machine or are mixed
#   counts     book and evidence differ, or agree again; by now all holds of custody are raised
#   lapses     a proposal, or a card set aside, ends when its reason does
#   outage     a count that differs turns the doubt about an interrupted round into a hold
#   at once    an amount that was paid or taken at once and is not due any more is a difference
#   chips      the slots report the chips that play; then the cards decide what they win; then the pool is checked
#   sign       after all these rows, since the sign is compared with the pool
#   waits      last: a first person's request ends if any row has changed what that person saw
#
# A row with names of parts is called only if one of these parts of the state has changed. So no row may change a part
# of a row above it, since that row would not be called again. Two rows have no parts and are called after any event:
# `watch_feed`, since it may go on from any event after its step, and the last, since a wait may depend on any part.
WATCHES: Final[tuple[Watch, ...]] = (
    Watch(watch_feed, needs=_has_shuffler, in_round=(_R.COLLECTED, _R.PUTTING_BACK)),
    Watch(watch_faces, ("game.dealt",)),
    Watch(watch_damaged, ("game.phase",), only_while="custody.damaged"),
    Watch(watch_unread, ("game.dealt", "custody.join", "house.holds"), only_while="house.holds"),
    Watch(watch_doubted, ("game.dealt", "house.holds"), only_while="house.holds"),
    Watch(close_by_feeding, ("custody.book.rack",), needs=_feeding_ends_complaints),
    Watch(close_by_mixing, ("house.session",), needs=_mixing_ends_complaints),
    Watch(watch_counts, ("house", "devices", "custody")),
    Watch(lapse_proposal, ("house.holds", "house.irregular_proposed_by"), only_while="house.irregular_proposed_by"),
    Watch(lapse_set_aside, ("custody.book", "custody.set_aside"), only_while="custody.set_aside"),
    Watch(watch_outage, ("game.phase", "house.outage", "house.holds")),
    Watch(watch_at_once, ("game",), _follows_hands, (_R.PLAYING,)),
    Watch(watch_slots, ("devices", "game", "house"), needs=_has_slots),
    Watch(watch_jackpot, ("game",), only_while="game.jackpot.is_collected"),
    Watch(watch_linked, ("game", "house"), needs=_is_linked),
    Watch(watch_pool, ("house.pool", "house.start_number")),
    Watch(lapse_asking, ("house.session",), only_while="house.handover.asked"),
    Watch(watch_clock, ("house.session",), needs=asks_for_clock),
    Watch(watch_sign, ("devices.display", "house.pool", "house.linked", "house.session")),
    Watch(lapses(OWN_MATTERS), only_while="house.waiting"),
)

# Notices are made from the state before the event and the state after all watches. The order of the rows is that of
# the sentences: waiting requests and holds, then the news of the round, then the step that is reached.
TELLS: Final[tuple[Tell, ...]] = (
    Tell(of_second_person, ("house.waiting",)),
    Tell(of_lapses, ("house.lapsed",)),
    Tell(of_log, ("log.corrected", "log.differences")),
    Tell(of_laid_back, ("log.corrected",)),
    Tell(of_cards_in_vain, ("log.corrected",)),
    Tell(of_holds, ("house.holds",)),
    Tell(of_duties, ("house.duties",)),
    Tell(of_shift, ("house.shift",)),
    Tell(of_display, ("devices.display",)),
    Tell(of_obedience, tuple(f"devices.{field}.link.undone" for field in KNOWN_AS.values())),
    Tell(of_corrections, ("house.tally.corrections", "house.tally.voided", "game.last_ruling")),
    Tell(of_doubles_back, ("game.last_ruling",), _follows_hands),
    Tell(of_void_round, ("house.tally.voided",), _follows_hands),
    Tell(of_insurance, ("game.phase", "game.dealt"), lambda setup: INVITATION in setup.reminders, (_R.PLAYING,)),
    Tell(of_covered_hands, ("game.dealt",), lambda setup: SHOWING in setup.reminders),
    Tell(of_money, ("game", "takings"), _follows_hands, (_R.PLAYING, _R.SETTLED)),
    Tell(of_side_bets_back, ("game.stakes",), _follows_hands, (_R.BETTING, _R.IDLE)),
    Tell(of_jackpot, ("game.phase", "game.jackpot", "house.pool", "house.handover")),
    Tell(of_paid_in_vain, ("game.dealt", "game.jackpot"), _has_jackpot, (_R.DEALING, _R.PLAYING)),
    Tell(of_unseen, ("unseen.of_round",)),
    Tell(of_linked, ("house.linked",), _is_linked),
    Tell(of_slots, ("devices", "game"), _has_slots),
    Tell(of_shoe, ("custody.shoe_game", "house.session")),
    Tell(of_steps, _STEP),
)
