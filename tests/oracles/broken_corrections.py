"""Evenings that break the law with corrections, rulings and damaged decks: for each rule at least one."""

from collections.abc import Callable

from tests.oracles.evening import CHIEF, DEALER, INSPECTOR, Evening


def asked() -> Evening:
    """Seat 1 has asked for a card and got it."""
    return Evening().in_play().deal(1, 2).act("draw-card", DEALER, seat=1).draw("3C")


def turn_given_back_before_anybody_asked() -> Evening:
    evening = Evening().in_play().deal(1, 2).act("call-for-ruling", DEALER, cause="dispute")
    return evening.act("make-ruling", CHIEF, outcome="turn-given-back")


def turn_given_back_to_another() -> Evening:
    """The place behind it has asked since: its turn is over."""
    evening = Evening().in_play().deal(1, 2).act("draw-card", DEALER, seat=2).draw("3C")
    evening.act("call-for-ruling", DEALER, cause="dispute").act("make-ruling", CHIEF, outcome="turn-given-back")
    evening.act("draw-card", DEALER, seat=2).draw("4C")
    return evening.act("draw-card", DEALER, seat=1)


def ended_without_the_spare() -> Evening:
    """It was ruled once the hold had been cleared."""
    evening = Evening().in_play().deal(1).jam().attend(1).freed().clear(1).released().recounted(47)
    evening.act("call-for-ruling", DEALER, cause="device-malfunction")
    return evening.act("make-ruling", CHIEF, outcome="spare-device").confirm(1)


def two_of_one_face() -> Evening:
    return Evening().in_play().announced().draw("9D").card_out().read("9D").attend(1).clear(1)


def joker_amid_the_deal() -> Evening:
    return (
        Evening()
        .in_play()
        .announced()
        .draw("9D")
        .draw("9C")
        .act("rename-card", DEALER, seat=1, position=1, card="FOREIGN")
    )


def joker_while_a_card_is_owed() -> Evening:
    return asked().act("draw-card", DEALER, seat=2).act("rename-card", DEALER, seat=1, position=1, card="FOREIGN")


def moved_after_the_next_act() -> Evening:
    return asked().act("draw-card", DEALER, seat=2).act("move-card", DEALER, seat=2)


def moved_twice() -> Evening:
    evening = Evening().in_play().announced(1, 2).draw("9D")
    return evening.act("move-card", DEALER, seat=1).act("move-card", DEALER, seat=1)


def moved_though_annulled() -> Evening:
    return asked().act("move-card", DEALER, seat=2)


def face_up_after_the_turn() -> Evening:
    return asked().turn().act("report-face-up-card", DEALER)


def misdealt_while_another_is_owed() -> Evening:
    return asked().act("draw-card", DEALER, seat=2).act("report-misdealt", DEALER, seen=False)


def misdealt_hole_card() -> Evening:
    return Evening().in_play().deal(1).act("report-misdealt", DEALER, seen=True)


def second_card_aside() -> Evening:
    evening = asked().act("report-misdealt", DEALER, seen=False).card_out()
    return evening.act("report-misdealt", DEALER, seen=False)


def card_aside_into_the_next_round() -> Evening:
    """Nobody asked for it: it was discarded when the round was settled (pt.bj.18e); who asks now draws his own."""
    evening = asked().act("report-misdealt", DEALER, seen=False).collected().put_back(9).deal(1)
    return evening.act("draw-card", DEALER, seat=1).act("draw-card", DEALER, seat=1)


def aside_over_the_closing() -> Evening:
    """Nobody's place any more: it was to be laid in the rack when the closing was indicated."""
    evening = Evening.of("pt-csm", bank_extra_card="valid-if-unseen").in_play().deal(1).turn()
    evening.act("draw-card", DEALER, seat=0).draw("3C").act("report-extra-card", DEALER, seen=False)
    evening.collected().put_back(5).unloading()
    for _ in range(51):
        evening.draw("9D")
    evening.lost("shoe").attend(1).counted(pending=1, outside=51).connect().clear(1).confirm(1)
    return evening.act("complete-unloading", DEALER)


def counted_apart_and_closed() -> Evening:
    """The burnt card lies apart, people say, and nobody says what becomes of it."""
    evening = Evening().in_play().lost("shoe").attend(1).counted(pending=1).connect().clear(1).confirm(1)
    return evening.act("indicate-closing", DEALER)


def asked_again_behind_a_collected_hand() -> Evening:
    """Seat 2 has had its turn, and its cards are gone (pt.bj.22a): seat 1 does not ask after it."""
    evening = Evening().in_play().deal(1, 2).act("draw-card", DEALER, seat=2).draw("3C")
    return evening.act("collect-hand", DEALER, seat=2).act("draw-card", DEALER, seat=1)


def player_after_the_bank() -> Evening:
    return Evening().in_play().deal(1).turn().act("draw-card", DEALER, seat=1)


def rectified() -> Evening:
    evening = Evening.of("mo-csm", loading_supervised=True, burn_place="rack", opening_check="display")
    evening.in_play().announced()
    return evening.draw("9D").act("report-misdealt", DEALER, seen=True)


def moved_out_of_order() -> Evening:
    return Evening().in_play().announced(1, 2).draw("9D").act("move-card", DEALER, seat=2)


def moved_to_a_seat_that_does_not_play() -> Evening:
    return Evening().in_play().announced(1, 2).draw("9D").act("move-card", DEALER, seat=5)


def hole_exposed_late() -> Evening:
    return asked().act("report-hole-exposed", DEALER)


def hole_exposed_after_it_was_turned() -> Evening:
    return Evening().in_play().deal(1).turn().act("report-hole-exposed", DEALER)


def exposed_where_it_is_not_discarded() -> Evening:
    return Evening.of("pt-csm", misdealt_seen="rectify").in_play().deal(1).act("report-hole-exposed", DEALER)


def extra_card_of_a_player() -> Evening:
    return asked().act("report-extra-card", DEALER, seen=True)


def called_twice() -> Evening:
    return asked().act("call-for-ruling", DEALER, cause="dispute").act("call-for-ruling", CHIEF, cause="dispute")


def nobody_called() -> Evening:
    return asked().act("make-ruling", CHIEF, outcome="continue")


def inspector_rules_in_portugal() -> Evening:
    return asked().act("call-for-ruling", DEALER, cause="dispute").act("make-ruling", INSPECTOR, outcome="continue")


def called() -> Evening:
    return Evening().in_play().deal(1).act("call-for-ruling", DEALER, cause="dispute")


def void_after_settling() -> Evening:
    evening = Evening().in_play().deal(1).settled().act("call-for-ruling", DEALER, cause="dispute")
    return evening.act("make-ruling", CHIEF, outcome="round-void")


def hole_card_discarded() -> Evening:
    return called().act("make-ruling", CHIEF, outcome="card-discarded")


def spare_for_a_good_device() -> Evening:
    return called().act("make-ruling", CHIEF, outcome="spare-device")


def spare_without_its_cards() -> Evening:
    evening = damaged().lost().act("call-for-ruling", DEALER, cause="device-malfunction")
    return evening.act("make-ruling", CHIEF, outcome="spare-device")


def cards_replaced_of_whole_decks() -> Evening:
    evening = Evening().in_play().deal(1).lost().act("call-for-ruling", DEALER, cause="device-malfunction")
    return evening.act("make-ruling", CHIEF, outcome="spare-device-cards-replaced")


def same_device_again() -> Evening:
    evening = Evening().in_play().deal(1).lost("shoe").act("call-for-ruling", DEALER, cause="device-malfunction")
    return evening.act("make-ruling", CHIEF, outcome="spare-device").connect().attend(1).clear(1)


def dealt_over_a_ruling() -> Evening:
    return called().act("draw-card", DEALER, seat=1)


def damaged(profile: str = "pt-csm", **otherwise: object) -> Evening:
    evening = Evening.of(profile, **otherwise).in_play().deal(1)
    return evening.act("report-damaged-card", DEALER, card="9D").attend(1)


def deck_for_a_card() -> Evening:
    return damaged().act("replace-deck", CHIEF, deck=1)


def card_for_a_deck() -> Evening:
    return damaged(damaged_card="deck").act("replace-card", CHIEF, replacement="9D")


def authorised_for_another_card() -> Evening:
    evening = damaged(damaged_card="deck").act("record-authorisation", CHIEF, reference="SRIJ 9")
    evening.act("replace-card", CHIEF, replacement="9D").confirm(1)
    return evening.act("report-damaged-card", DEALER, card="9C").attend(2).act("replace-card", CHIEF, replacement="9C")


def nothing_damaged() -> Evening:
    return Evening.of("pt-csm", damaged_card="deck").in_play().act("record-authorisation", CHIEF, reference="SRIJ 9")


def second_deck_of_one() -> Evening:
    return damaged(damaged_card="deck").act("replace-deck", CHIEF, deck=2)


def replaced_without_the_chief() -> Evening:
    return (
        Evening().in_play().act("report-damaged-card", DEALER, card="9D").act("replace-card", CHIEF, replacement="9D")
    )


def left_before_it_is_decided() -> Evening:
    evening = Evening.of("pt-csm", leftovers="hold-next-round").in_play().deal(1).turn().collected()
    return evening.act("call-for-ruling", DEALER, cause="dispute").act("leave-in-rack", DEALER)


def put_back_between_rounds() -> Evening:
    return Evening().in_play().deal(1).turn().collected().act("leave-in-rack", DEALER).act("begin-putting-back", DEALER)


def card_alone_at_the_display() -> Evening:
    evening = Evening().begin().mixed().act("report-damaged-card", DEALER, card="9D").attend(1)
    return evening.act("replace-card", CHIEF, replacement="9D")


BROKEN_CORRECTIONS: tuple[tuple[str, Callable[[], Evening]], ...] = (
    ("no other ruling is owed", left_before_it_is_decided),
    ("only leftovers between rounds", put_back_between_rounds),
    ("alone if authorised", card_alone_at_the_display),
    ("faces are possible", two_of_one_face),
    ("outcome is possible", turn_given_back_before_anybody_asked),
    ("place is in turn", turn_given_back_to_another),
    ("spare device is there", ended_without_the_spare),
    ("no other card comes first", joker_amid_the_deal),
    ("no other card comes first", joker_while_a_card_is_owed),
    ("last card can change", moved_after_the_next_act),
    ("last card can change", moved_twice),
    ("last card can change", face_up_after_the_turn),
    ("mistake can change", misdealt_while_another_is_owed),
    ("mistake can change", misdealt_hole_card),
    ("mistake can change", second_card_aside),
    ("nothing is under way", card_aside_into_the_next_round),
    ("nothing is forgotten", aside_over_the_closing),
    ("waits for the end of unexpected-card", counted_apart_and_closed),
    ("place is in turn", asked_again_behind_a_collected_hand),
    ("place is in turn", player_after_the_bank),
    ("error is not to be rectified", rectified),
    ("error is rectified here", moved_though_annulled),
    ("card goes where it is owed", moved_out_of_order),
    ("card goes where it is owed", moved_to_a_seat_that_does_not_play),
    ("hole card is the last", hole_exposed_late),
    ("hole card is the last", hole_exposed_after_it_was_turned),
    ("exposed card is discarded", exposed_where_it_is_not_discarded),
    ("extra card is the bank's", extra_card_of_a_player),
    ("no ruling is owed yet", called_twice),
    ("ruling is owed", nobody_called),
    ("ruling by the authority", inspector_rules_in_portugal),
    ("outcome is possible", void_after_settling),
    ("outcome is possible", hole_card_discarded),
    ("outcome is possible", spare_for_a_good_device),
    ("outcome is possible", spare_without_its_cards),
    ("outcome is possible", cards_replaced_of_whole_decks),
    ("spare device is there", same_device_again),
    ("waits for the end of ruling", dealt_over_a_ruling),
    ("whole deck is replaced", deck_for_a_card),
    ("alone if authorised", card_for_a_deck),
    ("alone if authorised", authorised_for_another_card),
    ("a card is damaged", nothing_damaged),
    ("deck exists", second_deck_of_one),
    ("chief supervisor attends", replaced_without_the_chief),
)
"""Rule: an evening that breaks it."""
