"""Evenings by the book of every profile that has no shuffler, and of those whose shuffler is Macau's or the house's."""

from collections.abc import Callable

from tests.oracles.evening import CHIEF, DEALER, INSPECTOR, Evening
from tests.oracles.shoe_evening import ShoeEvening


def two_shoes() -> Evening:
    """Portugal: the cut goes in turn, the warning card ends the first shoe, an interruption the second."""
    evening = ShoeEvening.of("pt-shoe").begin().mixed().players(4, 2, 6)
    evening.act("refuse-cut", DEALER, seat=2).cut(4).filled().burnt()
    evening.deal(2).last_round().act("draw-card", DEALER, seat=2).draw("3C").turn().ended()
    evening.act("gather-cards", DEALER).act("confirm-mixing", DEALER).cut(6).filled().burnt()
    evening.deal(2).turn().ended().act("spread-cards", DEALER).act("confirm-mixing", DEALER).cut(2).filled().burnt()
    return evening.last_round().closed()


def nobody_cuts() -> Evening:
    evening = ShoeEvening.of("pt-shoe").begin().mixed().players(2).act("refuse-cut", DEALER, seat=2)
    return evening.cut(0).marked(None).act("fill-shoe", DEALER).burnt().act("report-warning-card", DEALER)


def interrupted_before_the_first_round() -> Evening:
    evening = ShoeEvening.of("pt-shoe").in_play().act("spread-cards", DEALER)
    return evening.closed().mixed().act("abandon-opening", DEALER)


def warning_card_told_twice() -> Evening:
    """The dealer saw it a card later than the shoe: counted."""
    evening = ShoeEvening.of("pt-shoe").in_play().announced(1).draw("9D").warning_card().draw("9C")
    evening.warning_card().attend(1).counted(rack=1, table=2).clear(1).confirm(1)
    return evening.draw("8C").draw_down("KH").act("announce-last-round", DEALER).turn().ended()


def not_owed_out_of_the_shoe() -> Evening:
    evening = ShoeEvening.of("pt-shoe").in_play().draw_down("5H").attend(1)
    evening.act("state-cards-moved", CHIEF, source="pending", target="rack", count=1)
    return evening.clear(1).confirm(1).deal(1).turn().ended()


def unread_out_of_the_shoe() -> Evening:
    evening = ShoeEvening.of("pt-shoe").in_play().announced(1).read().act("name-card", DEALER, card="9D")
    return evening.draw("9C").draw("8C").draw_down("KH").turn().ended()


def shoe_lost_a_card() -> Evening:
    """Its own number is ahead of its events: a difference, a hold, a count."""
    evening = ShoeEvening.of("pt-shoe").in_play().told(2).wait(2_000).timer("counts").attend(1)
    evening.passages = 2
    return evening.counted(rack=2).clear(1).confirm(1).deal(1).turn().ended()


def complaint_about_the_shoe() -> Evening:
    """Until its cards are mixed."""
    evening = ShoeEvening.of("pt-shoe").in_play().deal(1).turn().ended().act("spread-cards", DEALER)
    evening.act("record-complaint", DEALER, seat=1).act("decide-complaint", CHIEF, upheld=False)
    return evening.act("confirm-mixing", DEALER)


def unseen_by_the_shoe() -> Evening:
    """People say a card that its reader has not seen, take one back, and count a shoe that has forgotten its number."""
    evening = ShoeEvening.of("pt-shoe").in_play().announced(1).stated().act("name-card", DEALER, card="9D")
    evening.draw("9C").draw("8C").stated().act("retract-card", DEALER).draw_down("KH").turn().ended()
    evening.passages, evening.boots["shoe"] = 0, 2
    evening.numbers["shoe"] = 0
    evening.connect().rows[-1]["body"]["passages"] = None
    evening.attend(2).attend(3).act("state-whole-count", CHIEF, **evening.places(inside=47, rack=5)).clear(2).confirm(2)
    return evening.clear(3).confirm(3).deal(1).turn().ended()


def two_backs() -> Evening:
    evening = ShoeEvening.of("pt-shoe", decks=2, back_colours=2).in_play().emptied()
    evening.act("enter-grid", DEALER, counts=[1] * 52, foreign=0, back=1)
    evening.act("enter-grid", DEALER, counts=[1] * 52, foreign=0, back=2)
    return evening.act("confirm-deck-check", DEALER)


def brazil() -> Evening:
    """Five burnt, the bank's second card on request, the inspector settles incidents."""
    evening = ShoeEvening.of("br").in_play().announced(1, 3)
    for card in ("9D", "9C", "9H", "8D", "8C"):
        evening.draw(card)
    evening.act("draw-card", DEALER, seat=0).draw("7C").act("draw-card", DEALER, seat=0).draw("6C")
    evening.act("report-extra-card", DEALER, seen=False)
    evening.act("make-ruling", INSPECTOR, outcome="continue").ended().last_round()
    evening.act("take-bets", DEALER, seats=[1]).act("announce-no-more-bets", DEALER)
    return evening.act("call-for-ruling", DEALER, cause="dispute").act("make-ruling", INSPECTOR, outcome="round-void")


def brazil_voids_the_last_round() -> Evening:
    evening = ShoeEvening.of("br", last_round_voided=True).in_play().announced(1).draw("9D").last_round()
    return evening.act("collect-cards", DEALER).act("gather-cards", DEALER).closed()


def next_shoe_of_brazil() -> Evening:
    """Its cards are counted again once they are mixed, all together."""
    evening = ShoeEvening.of("br").in_play().announced(1).draw("9D").draw("9C").last_round().draw("8C").ended()
    evening.act("gather-cards", DEALER).act("shuffle-deck", DEALER, deck=1, passes=3)
    return evening.act("confirm-count", DEALER, counted=[52]).act("confirm-mixing", DEALER).cut()


def macau_burns() -> Evening:
    """One for each deck, one at the start of each following round, one before the bank's second card."""
    evening = ShoeEvening.of("mo-shoe", burn_each_round="start-and-second", burn_each_deck=True).in_play()
    evening.announced(1).draw("9D").draw("9C").draw("8C").act("draw-card", DEALER, seat=0).draw("7C").ended()
    evening.announced(1).draw_down("2D").draw("9D").draw("9C").draw("8C").act("draw-card", DEALER, seat=1).draw("6C")
    evening.act("draw-card", DEALER, seat=0).draw_down("3D").draw("7C").act("draw-card", DEALER, seat=0).draw("4D")
    return evening.ended().act("gather-cards", DEALER).act("confirm-mixing", DEALER).cut()


def macau_face_down() -> Evening:
    """Players' cards lie face down until they show them, at the settlement at the latest."""
    evening = ShoeEvening.of("mo-shoe", player_cards="down").in_play().announced(1).draw_down("KH").draw("9C")
    evening.draw_down("KH").act("draw-card", DEALER, seat=1).draw("6C").act("draw-card", DEALER, seat=0).draw("7C")
    return evening.shown(1, 1).shown(1, 2).ended()


def few_cards() -> ShoeEvening:
    """A shoe of one deck has no warning card: 27 cards are left when a round begins (mo.1.3)."""
    evening = ShoeEvening.of("mo-shoe").in_play()
    for suit in "CDHS":
        evening.announced(1, 2)
        for rank in "34567":
            evening.draw(rank + suit)
        evening.act("draw-card", DEALER, seat=0).draw("8" + suit).ended()
    return evening.announced(1).draw("9C").draw("9D").draw("9H").act("draw-card", DEALER, seat=0).draw("9S")


def last_round_of_few_cards() -> Evening:
    return few_cards().act("announce-last-round", DEALER).ended().act("gather-cards", DEALER)


def box_of_macau() -> Evening:
    """No device: people state every card, one too many is taken back, a round is the only one of its shuffle."""
    evening = ShoeEvening.of("mo-box", has_reader=False).in_play().announced(1, 2)
    for _ in range(4):
        evening.stated()
    evening.act("retract-card", DEALER).stated().stated().stated()
    for seat, position in ((1, 1), (1, 2), (2, 1), (2, 2)):
        card = f"{seat + 2 * position}D"
        evening.act("turn-card", DEALER, seat=seat, position=position, card=card, salt=None, seal_differs=False)
    evening.act("rename-card", DEALER, seat=2, position=1, card="9H").act("draw-card", DEALER, seat=1)
    evening.stated().act("turn-hole-card", DEALER, card="KH", salt=None, seal_differs=False).ended().act(
        "gather-cards", DEALER
    )
    return evening.act("confirm-mixing", DEALER).cut().filled().burnt().announced(1).closed_after_a_count()


def blind_box() -> Evening:
    """The controller was down while a card was due."""
    evening = ShoeEvening.of("mo-box", has_reader=False).in_play().announced(1).stated().stated().start().attend(1)
    evening.act("state-outage", CHIEF, became="unchanged").act("confirm-outage", DEALER, became="unchanged")
    counted = {"inside": 50, "rack": 0, "table": 1, "burnt": 1, "in_hand": 0, "outside": 0}
    return evening.act("state-whole-count", CHIEF, **counted).clear(1).confirm(1).stated().stated().stated()


def shuffler_of_macau() -> Evening:
    """Nothing is shown or mixed; leftovers are somebody's decision; a failed loading is taken out."""
    evening = Evening.of("mo-csm").begin().act("open-session", DEALER).act("number-deck-set", CHIEF, deck_set=1)
    evening.act("begin-loading", DEALER).packet(52).act("complete-loading", DEALER).draw_down("2C").announced(1)
    evening.draw("9D").draw("9C").draw("8C").act("draw-card", DEALER, seat=0).draw("7C").collected()
    evening.act("leave-in-rack", DEALER).act("make-ruling", CHIEF, outcome="continue").announced(1)
    evening.draw("9D").draw("9C").draw("8C").collected()
    return evening.put_back(8)


def bets_of_the_house() -> Evening:
    """house.4: until the seat's own first card."""
    evening = Evening.of("house", bets_close="own-first-card").in_play().announced(1, 5).draw("9D")
    evening.act("take-bets", DEALER, seats=[1, 3, 5])
    for card in ("9C", "8C", "7C", "6C", "5C", "4C"):
        evening.draw(card)
    return evening.draw_down("KH").turn().collected().put_back(9)


GOOD_SHOES: tuple[Callable[[], Evening], ...] = (
    two_shoes,
    nobody_cuts,
    interrupted_before_the_first_round,
    warning_card_told_twice,
    not_owed_out_of_the_shoe,
    unread_out_of_the_shoe,
    shoe_lost_a_card,
    complaint_about_the_shoe,
    unseen_by_the_shoe,
    two_backs,
    brazil,
    brazil_voids_the_last_round,
    next_shoe_of_brazil,
    macau_burns,
    macau_face_down,
    last_round_of_few_cards,
    box_of_macau,
    blind_box,
    shuffler_of_macau,
    bets_of_the_house,
)
