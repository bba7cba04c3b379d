"""Evenings by the book: each is lawful from the first entry to the last, incidents and their ways out included."""

from collections.abc import Callable

from simulators.oracles.course import FACES
from tests.oracles.evening import CHIEF, DEALER, MANAGER, TECHNICIAN, Evening, Machine


def plain() -> Evening:
    return Evening().whole_session()


def two_sessions() -> Evening:
    evening = Evening().whole_session()
    evening.drawn.clear()
    evening.mixed(deck_set=2).loaded().draw_down("2C").act("take-bets", DEALER, seats=[1, 2])
    evening.act("cancel-bets", DEALER)
    evening.deal(2, 5).act("draw-card", DEALER, seat=5).draw("3C").turn().act("draw-card", DEALER, seat=0).draw("4C")
    evening.collected().act("leave-in-rack", DEALER)
    return evening.deal(1).collected().put_back(13).closed().act("sign-out", DEALER)


def failed_loading() -> Evening:
    evening = Evening().begin().act("open-session", DEALER).act("abandon-opening", DEALER)
    evening.mixed().loading().packet(52)
    evening.refused("complete-loading", DEALER, "packets_are_enough", "pt.bj.54b")
    evening.act("take-out-loading", CHIEF)
    for _ in range(52):
        evening.draw_down("2C")
    evening.act("confirm-taken-out", CHIEF)
    return evening.act("begin-loading", DEALER).packet(20).packet(32).act("complete-loading", DEALER).draw_down("2C")


def jams() -> Evening:
    """One of the mouth while cards are dealt, one of the feed that needs a technician."""
    evening = Evening().in_play().deal(1).jam_ended(1).turn().collected()
    evening.act("begin-putting-back", DEALER).jam(place="feed").attend(2).act("call-technician", CHIEF, hold=2)
    evening.freed().act("attest-repair", TECHNICIAN, hold=2)
    evening.clear(2, TECHNICIAN).released().recounted(46).confirm(2)
    return evening.card_in(6).act("end-putting-back", DEALER).closed()


def tampered_lid() -> Evening:
    evening = Evening().in_play().shuffler("lid-opened", lid_open=True).attend(1)
    evening.shuffler("lid-closed", lid_open=False).clear(1).recounted(51)
    return evening.confirm(1).whole_round()


def unexpected_card() -> Evening:
    """A card that nobody owes comes out: counted by people, laid in the rack."""
    evening = Evening().in_play().draw_down("5H").attend(1)
    evening.act("state-cards-moved", CHIEF, source="pending", target="rack", count=1)
    return evening.clear(1).confirm(1).deal(1).collected().put_back(6)


def stray_read() -> Evening:
    """The reader sees a card that the shuffler did not give: a supervised count."""
    evening = Evening().in_play().read(commitment="ab" * 32).attend(1)
    return evening.counted(rack=1).clear(1).confirm(1).whole_round()


def unread_card() -> Evening:
    evening = Evening().in_play().announced().card_out().read().act("name-card", DEALER, card="7H")
    return evening.draw("8H").draw("9H").draw_down("KH").turn().collected().put_back(5)


def late_identity() -> Evening:
    """Count without identity for two seconds: the card is unread. When the reader has told all, the deal goes on;
    whose face it tells now nobody knows, so that the round's other cards are named, too."""
    evening = Evening().in_play().announced().card_out().wait(2_000).timer("join").act("name-card", DEALER, card="7H")
    evening.told(2).told(1)
    for card in ("8H", "9H"):
        evening.draw_down(card).act("name-card", DEALER, card=card)
    return evening.draw_down("KH").collected().put_back(5).whole_round()


def very_late_identity() -> Evening:
    """The reader's event comes after the card was named: it is that card's, and nothing of the next one."""
    evening = Evening().in_play().announced().card_out().wait(2_000).timer("join").act("name-card", DEALER, card="7H")
    evening.read(commitment="cd" * 32)
    return evening.draw("8H").draw("9H").draw_down("KH").collected().put_back(5)


def damaged_card() -> Evening:
    evening = Evening().in_play().deal(1).act("report-damaged-card", DEALER, card="9D").attend(1)
    evening.act("replace-card", CHIEF, replacement="9D").confirm(1).turn().collected().put_back(5).closed()
    return evening.act("report-duty", MANAGER, duty=1, reference="SRIJ 1")


def complaint() -> Evening:
    evening = Evening().in_play().deal(1).collected().act("record-complaint", DEALER, seat=1)
    return evening.act("decide-complaint", CHIEF, upheld=False).put_back(5)


def two_complaints() -> Evening:
    """One a seat: what the same seat says again is the same one; the oldest is decided first."""
    evening = Evening().in_play().deal(1, 3).collected()
    for seat in (1, 3, 3):
        evening.act("record-complaint", DEALER, seat=seat)
    evening.act("decide-complaint", CHIEF, upheld=False).act("decide-complaint", CHIEF, upheld=True)
    return evening.put_back(7)


def device_lost() -> Evening:
    evening = Evening().in_play().add("device-lost", {"device": "shuffler", "reason": "port-lost"})
    return evening.attend(1, TECHNICIAN).connect().clear(1, TECHNICIAN).confirm(1).whole_round()


def rebooted() -> Evening:
    evening = Evening().in_play()
    evening.boots["shuffler"], evening.numbers["shuffler"] = 2, 0
    return evening.connect().attend(1).clear(1).confirm(1).whole_round()


def missed_events() -> Evening:
    """Events of the shuffler are gone; its counts say that no card has moved, and people count."""
    evening = Evening().in_play()
    number = evening.numbers["shuffler"]
    evening.add("events-missed", {"device": "shuffler", "first": number + 1, "last": number + 3})
    evening.numbers["shuffler"] = number + 3
    evening.attend(1).recounted(51).counted(rack=1).clear(1).confirm(1)
    return evening.whole_round()


def difference() -> Evening:
    """The machine's own figure says one card less than the book: a hold after two seconds, a card found in the rack."""
    evening = Evening().in_play().heard(inside=50).wait(2_000).timer("counts").attend(1).recounted(50)
    return evening.counted(rack=2).clear(1).confirm(1).deal(1).collected().put_back(6)


def put_back_short() -> Evening:
    """The dealer says that all is in, the machine counted four of five; the fifth lies in the rack and goes in."""
    evening = Evening().in_play().deal(1).collected().put_back(4).attend(1).recounted(51).counted(rack=1)
    return evening.clear(1).confirm(1).card_in().act("end-putting-back", DEALER)


def journal_fault() -> Evening:
    evening = Evening().in_play().add("journal-failed", {"reason": "disk full"}).add("journal-restored", {})
    return evening.attend(1, TECHNICIAN).clear(1, TECHNICIAN).confirm(1).whole_round()


def supervisor_leaves() -> Evening:
    """A chief supervisor goes while a packet is open: the loading waits for one."""
    evening = Evening().begin().mixed().loading().act("open-packet", CHIEF).card_in(20).act("sign-out", CHIEF)
    evening.act("sign-in", CHIEF, operation="loading").card_in(6).act("close-packet", CHIEF)
    return evening.packet().act("complete-loading", DEALER)


def late_report() -> Evening:
    """The chief supervisor goes, a card is on its way, its event comes late: figures have told of it in time."""
    evening = Evening().in_play().unloading().draw("AC").act("sign-out", CHIEF)
    before = evening.machine
    evening.heard(cards_out=before.cards_out + 1, inside=49).wait(2_000).timer("counts").wait(6_000)
    evening.machine = before
    evening.draw("2C").act("sign-in", CHIEF, operation="unloading").attend(2).recounted(49)
    evening.counted(rack=1, outside=2).clear(2).confirm(2)
    evening.unloaded(FACES[2:51]).act("enter-cards", DEALER, cards=["KS"])
    return evening.act("confirm-deck-check", DEALER)


def restart() -> Evening:
    """In the middle of a deal: nobody but the dealer is known to be here, and the next card is the next."""
    evening = Evening().in_play().announced().draw("9D").start().connect()
    return evening.draw("9C").draw("9H").draw_down("KH").turn().collected().put_back(5)


def replaced_reader() -> Evening:
    """Another reader begins with its own numbers."""
    evening = Evening().in_play().add("device-lost", {"device": "shoe", "reason": "port-lost"})
    evening.numbers["shoe"], evening.boots["shoe"] = 0, 9
    return evening.connect(shoe="R2").attend(1).clear(1).confirm(1).whole_round()


def grid() -> Evening:
    """The deck check by hand: the reader missed a card, a first look found it doubled, the second did not."""
    evening = Evening().in_play().unloading()
    for face in FACES[:-2]:
        evening.card_out().read(face)
    evening.card_out().act("complete-unloading", DEALER).act("enter-cards", DEALER, cards=["QS", "QS"])
    evening.act("confirm-deck-check", DEALER)
    evening.act("enter-grid", DEALER, counts=[1] * 52, foreign=0).act("confirm-deck-check", DEALER)
    return evening.act("open-session", DEALER)


def irregular() -> Evening:
    """A card is gone: chief supervisor and room manager close, the management reports, the deck set is out."""
    evening = Evening().in_play().unloading().unloaded(FACES[:51])
    evening.refused("confirm-deck-check", DEALER, "every_card_is_entered", "pt.bj.55b")
    evening.act("enter-grid", DEALER, counts=[1] * 51 + [0], foreign=0).act("confirm-deck-check", DEALER)
    evening.act("propose-irregular-closing", CHIEF).act("confirm-irregular-closing", MANAGER)
    evening.act("report-duty", MANAGER, duty=1, reference="SRIJ 2")
    evening.act("open-session", DEALER).refused(
        "number-deck-set", CHIEF, "deck_set_is_not_refused", "pt.bj.55b", deck_set=1
    )
    return evening.act("number-deck-set", CHIEF, deck_set=2).act("confirm-display", DEALER)


def late_reports() -> Evening:
    """Closed irregularly: what the machine gives out is told of when the cards are being checked already."""
    evening = Evening().in_play().draw_down("5H").act("propose-irregular-closing", CHIEF)
    evening.act("confirm-irregular-closing", MANAGER).act("sign-in", CHIEF, operation="unloading")
    evening.act("complete-unloading", DEALER)
    evening.draw_down("6H").act("enter-grid", DEALER, counts=[1] * 52, foreign=0).act("confirm-deck-check", DEALER)
    return evening.act("report-duty", MANAGER, duty=1, reference="SRIJ 2")


def refused_acts() -> Evening:
    """Whatever is refused changes nothing."""
    evening = Evening().begin().refused("begin-loading", DEALER, "display_is_confirmed", "pt.bj.53a")
    evening.mixed().refused("begin-loading", DEALER, "supervisor_is_present_for_loading", "pt.bj.54d").loaded()
    evening.refused("announce-no-more-bets", DEALER, "burn_is_done", "pt.bj.10").draw_down("2C")
    evening.add("pin-refused", {"person": 21, "act": "sign-in"})
    return evening.deal(1).refused("take-bets", DEALER, "bets_are_not_closed", "pt.bj.13", seats=[2]).turn()


def nothing_loaded() -> Evening:
    """A machine that counts anew before the loading: where its figures begin nobody counts cards."""
    evening = Evening(machine=Machine(cards_in=900, cards_out=880, inside=None, counts_known=False))
    evening.begin().read(commitment="ab" * 32).act("open-session", DEALER).shuffler("card-counted-in", cards_in=901)
    evening.add("events-missed", {"device": "shuffler", "first": 2, "last": 4})
    evening.numbers["shuffler"] = 4
    evening.shuffler("shuffler-started", {"cause": "power-on"}, cards_in=7_000, cards_out=7_000).recounted(0)
    evening.heard(counts_known=True).connect()
    evening.act("number-deck-set", CHIEF, deck_set=1).act("confirm-display", DEALER).act("confirm-mixing", DEALER)
    return evening.loaded().draw_down("2C").whole_round()


def fed_before_the_loading() -> Evening:
    """A card goes in too early: it comes out through the lid, all are counted, and the loading begins."""
    evening = Evening().begin().mixed().card_in().attend(1).recounted(1)
    return early_card_out(evening, 1, 2).counted(outside=52).clear(1).confirm(2).confirm(1).loaded()


def early_card_out(evening: Evening, cards: int, lid: int) -> Evening:
    """Under the eyes of who attends: the lid opened, so many cards taken out and laid to the others."""
    evening.shuffler("lid-opened", lid_open=True).attend(lid)
    evening.act("state-cards-moved", CHIEF, source="inside", target="outside", count=cards)
    return evening.shuffler("lid-closed", lid_open=False).clear(lid).recounted(0)


def fed_at_a_closed_table() -> Evening:
    """Two cards; the controller is started anew meanwhile. No session, no deck set: nobody counts one."""
    evening = Evening().begin().card_in(2).start().connect().act("sign-in", DEALER, operation="table").attend(1)
    evening.recounted(2).clear(1).refused("confirm-hold", CHIEF, "counts_agree", "pt.bj.51e", hold=1)
    return early_card_out(evening, 2, 2).confirm(2).confirm(1).mixed().loaded()


def out_before_the_loading() -> Evening:
    """A card that nobody knew to be inside comes out: it is counted with the others."""
    evening = Evening().begin().mixed()
    evening.shuffler("card-counted-out", cards_out=evening.machine.cards_out + 1).read(commitment="ab" * 32).attend(1)
    evening.act("state-cards-moved", CHIEF, source="pending", target="outside", count=1)
    return evening.counted(outside=52).clear(1).confirm(1).loaded()


def lost_before_the_loading() -> Evening:
    """It went in and is nowhere: no count is whole, and the opening ends irregular."""
    evening = Evening().begin().mixed().card_in().attend(1).recounted(0).counted(outside=51)
    evening.refused("clear-hold", CHIEF, "count_is_stated", "pt.bj.51e", hold=1)
    evening.act("propose-irregular-closing", CHIEF).act("confirm-irregular-closing", MANAGER)
    evening.act("sign-in", CHIEF, operation="unloading").act("complete-unloading", DEALER)
    return evening.act("enter-grid", DEALER, counts=[1] * 51 + [0], foreign=0).act("confirm-deck-check", DEALER)


def counted_before_loading() -> Evening:
    """People may count at every step of an open session."""
    evening = Evening().begin().mixed().lost().attend(1).connect().counted(outside=52).clear(1).confirm(1)
    return evening.loaded()


def taken_up_again() -> Evening:
    """A jam that was cleared is attended once more: a card was still to be laid in its place."""
    evening = Evening().in_play().deal(1).jam().attend(1).freed().clear(1).released().recounted(46)
    evening.act("state-cards-moved", CHIEF, source="rack", target="in_hand", count=1).attend(1)
    evening.act("state-cards-moved", CHIEF, source="in_hand", target="rack", count=1)
    return evening.clear(1).recounted(46).confirm(1).settled()


def call_taken_back() -> Evening:
    """The chief supervisor called a technician, and then mended it without one."""
    evening = Evening().in_play().deal(1).jam().attend(1).act("call-technician", CHIEF, hold=1).attend(1)
    return evening.freed().clear(1).released().recounted(46).confirm(1).settled()


def lid_under_another_hold() -> Evening:
    """The lid is held for itself, though the chief supervisor attends a card that nobody owed."""
    evening = Evening().in_play().draw_down("5H").attend(1).shuffler("lid-opened", lid_open=True).attend(2)
    evening.shuffler("lid-closed", lid_open=False).clear(2).recounted(50).confirm(2)
    evening.act("state-cards-moved", CHIEF, source="pending", target="rack", count=1)
    return evening.clear(1).confirm(1).deal(1).collected().put_back(6)


def lid_seen_in_figures() -> Evening:
    evening = Evening().in_play().heard(lid_open=True).attend(1).heard(lid_open=False)
    return evening.clear(1).recounted(51).confirm(1).whole_round()


def jam_while_loading() -> Evening:
    """The card that had stuck was taken out and is fed again: the packet counts it twice, the book once."""
    evening = Evening().begin().mixed().loading().act("open-packet", CHIEF).card_in(26).jam(place="carousel").attend(1)
    evening.shuffler("lid-opened", lid_open=True, inside=25).shuffler("jam-path-cleared", path_blocked=False)
    evening.shuffler("lid-closed", lid_open=False)
    evening.act("state-cards-moved", CHIEF, source="jammed", target="outside", count=1)
    evening.clear(1).released().recounted(25).confirm(1).card_in().act("close-packet", CHIEF)
    return evening.packet().act("complete-loading", DEALER)


def another_sign_in() -> Evening:
    """A chief supervisor who comes for something else does not end the wait for one who watches the loading."""
    evening = Evening().begin().mixed().loading().act("open-packet", CHIEF).card_in(26).act("sign-out", CHIEF)
    evening.act("sign-in", CHIEF, operation="unloading").act("close-packet", CHIEF)
    evening.act("sign-out", CHIEF).act("sign-in", CHIEF, operation="loading")
    return evening.packet().act("complete-loading", DEALER)


def replaced_shuffler() -> Evening:
    """Its counts are a new beginning, and people count what it holds."""
    evening = Evening().in_play().lost()
    evening.machine = Machine(cards_in=5, cards_out=5, inside=51, jams=0, recounts=0)
    evening.numbers["shuffler"], evening.boots["shuffler"] = 0, 9
    evening.connect(shuffler="S2").attend(1).clear(1).confirm(1)
    evening.attend(2).recounted(51).counted(rack=1).clear(2).confirm(2)
    return evening.whole_round()


def dead_shuffler() -> Evening:
    """It never comes back: an irregular closing, the cards taken out by hand; mended before the next session."""
    evening = Evening().in_play().lost().act("propose-irregular-closing", CHIEF)
    evening.act("confirm-irregular-closing", MANAGER).act("sign-in", CHIEF, operation="unloading")
    evening.act("complete-unloading", DEALER).act("confirm-deck-check", DEALER)
    evening.connect().attend(1).clear(1).confirm(1)
    return evening.act("open-session", DEALER)


def irregular_with_a_damaged_card() -> Evening:
    """Both reports are owed; the open lid still has its own way out."""
    evening = Evening().in_play().act("report-damaged-card", DEALER, card="AS").shuffler("lid-opened", lid_open=True)
    evening.act("propose-irregular-closing", CHIEF).act("confirm-irregular-closing", MANAGER)
    evening.attend(2).shuffler("lid-closed", lid_open=False).clear(2).recounted(51).confirm(2)
    evening.act("report-duty", MANAGER, duty=2, reference="SRIJ 3")
    return evening.act("report-duty", MANAGER, duty=1, reference="SRIJ 4")


def proposal_lapsed() -> Evening:
    """An irregular closing was proposed for a lid that was then closed by the book."""
    evening = Evening().in_play().shuffler("lid-opened", lid_open=True).act("propose-irregular-closing", CHIEF)
    evening.attend(1).shuffler("lid-closed", lid_open=False).clear(1).recounted(51).confirm(1)
    evening.refused("confirm-irregular-closing", MANAGER, "irregular_closing_is_proposed", "pt.bj.55b")
    return evening.whole_round()


def emptied() -> Evening:
    """Further cards until none is left."""
    evening = Evening().in_play().deal(1)
    for _ in range(47):
        evening.act("draw-card", DEALER, seat=1).draw("3C")
    return evening.refused("draw-card", DEALER, "a_card_is_inside", "pt.bj.60a", seat=1).turn().collected().put_back(52)


def away_with_its_half() -> Evening:
    """The reader's cable is pulled over a card that was counted: it is read when the reader is back."""
    evening = Evening().in_play().announced().card_out().lost("shoe").wait(20_000)
    evening.connect().wait(1_500).read("9D").attend(1).clear(1).confirm(1)
    return evening.draw("8H").draw("9H").draw_down("KH").collected().put_back(5)


def passages_lost() -> Evening:
    """Events of the reader are gone; its own word then is where its figure begins anew."""
    evening = Evening().in_play().announced().add("events-missed", {"device": "shoe", "first": 2, "last": 2})
    evening.numbers["shoe"] = 2
    evening.attend(1).recounted(51).counted(rack=1).clear(1).confirm(1)
    evening.card_out().wait(2_000).timer("join").act("name-card", DEALER, card="7H").told(2)
    for card in ("8H", "9H"):  # the round's other cards are named, too
        evening.draw_down(card).act("name-card", DEALER, card=card)
    return evening.draw_down("KH").collected().put_back(5)


def one_of_two_leaves() -> Evening:
    """The loading is still watched by the other chief supervisor."""
    evening = Evening().begin().mixed().loading()
    evening.add("sign-in", {"person": 22, "role": CHIEF, "operation": "loading"}).act("open-packet", CHIEF).card_in(6)
    evening.add("sign-out", {"person": 22, "role": CHIEF}).card_in(20).act("close-packet", CHIEF)
    return evening.packet().act("complete-loading", DEALER)


def figure_of_the_reader_ahead() -> Evening:
    """The reader has counted a passage that no event tells: held after two seconds, and ended by a whole count."""
    evening = Evening().in_play().told(2).wait(2_000).timer("counts").attend(1).recounted(51)
    evening.counted(rack=1).clear(1).confirm(1)
    evening.numbers["shoe"] = 1
    return evening.deal(1)


def face_disputed() -> Evening:
    """Another face than the sealed one: no salt is told, and after the hold the people's word is taken."""
    evening = Evening().in_play().deal(1)
    evening.act("turn-hole-card", DEALER, card="AS", salt=None, seal_differs=True)
    evening.attend(1).counted(rack=1, table=4).clear(1).confirm(1)
    return evening.act("turn-hole-card", DEALER, card="AS", salt=None, seal_differs=False).collected().put_back(5)


def reader_lost_while_unloading() -> Evening:
    evening = Evening().in_play().lost("shoe").unloading()
    for _ in range(51):
        evening.card_out()
    evening.act("complete-unloading", DEALER).act("enter-grid", DEALER, counts=[1] * 52, foreign=0)
    return evening.act("confirm-deck-check", DEALER)


def left_in_the_rack_after_all() -> Evening:
    """pt.bj.60a: the shuffler takes no more of them."""
    evening = Evening().in_play().deal(1).turn().collected().act("begin-putting-back", DEALER).card_in(2)
    evening.act("leave-in-rack", DEALER).deal(1).turn().collected()
    return evening.put_back(7)


def complaint_that_nobody_decided() -> Evening:
    evening = Evening().in_play().deal(1).collected().act("record-complaint", DEALER, seat=1).jam(0)
    evening.act("propose-irregular-closing", CHIEF).act("confirm-irregular-closing", MANAGER)
    evening.act("sign-in", CHIEF, operation="unloading").act("complete-unloading", DEALER)
    evening.act("confirm-deck-check", DEALER)
    return evening.act("report-duty", MANAGER, duty=2, reference="SRIJ 2")


def grid_of_less_than_was_read() -> Evening:
    """Both figures are told; the deck check of the next grid answers it."""
    evening = Evening().in_play().whole_round().unloading().unloaded()
    evening.act("enter-grid", DEALER, counts=[0] + [1] * 51, foreign=0)
    return evening.act("enter-grid", DEALER, counts=[1] * 52, foreign=0).act("confirm-deck-check", DEALER)


def dealer_removed_from_the_staff() -> Evening:
    return Evening().in_play().add("person-removed", {"person": 11}).act("sign-in", DEALER, operation="table")


def finished_by_hand() -> Evening:
    """The controller was down in a deal, and a card came out that nobody owes: ended by hand."""
    evening = Evening().in_play().deal(1).turn().start().connect().draw_down("5H").attend(1)
    evening.act("state-outage", CHIEF, became="voided").act("confirm-outage", DEALER, became="finished")
    evening.act("state-outage", CHIEF, became="finished").act("confirm-outage", DEALER, became="finished")
    return evening.counted(rack=6).clear(1).confirm(1).deal(1).turn().collected().put_back(10)


def closed_after_an_outage() -> Evening:
    evening = Evening().in_play().deal(1).turn().start().connect().draw_down("5H").attend(1)
    evening.act("state-outage", CHIEF, became="closed").act("confirm-outage", DEALER, became="closed")
    return evening.counted(rack=6).clear(1).confirm(1).act("sign-in", CHIEF, operation="unloading")


def jackpot() -> Evening:
    """Every act of a jackpot: lawful for who does not know what the cards win."""
    evening = Evening().begin().act("approve-jackpot", MANAGER, reference="G-1").mixed().loaded().draw_down("2C")
    evening.act("place-bet", DEALER, seat=1, amount=1000).act("place-jackpot-bet", DEALER, seat=1)
    evening.act("withdraw-jackpot-bet", DEALER, seat=1).act("place-jackpot-bet", DEALER, seat=1)
    evening.act("announce-no-more-bets", DEALER).act("collect-jackpot-bets", DEALER, seats=[1])
    evening.act("raise-jackpot", DEALER, amount=80).draw("9D").draw("9D").draw("9D").draw_down("KH")
    evening.act("pay-jackpot", DEALER, seat=1).act("lay-into-jackpot", CHIEF, amount=1, reference="G-2")
    evening.act("pay-jackpot-by-hand", CHIEF, seat=1).act("state-jackpot", CHIEF, amount=1)
    return evening.turn().collected().put_back(5)


def bets_and_decisions() -> Evening:
    """Every act of a table that follows hands, in one round: lawful for who does not know what the cards count."""
    evening = Evening().in_play().act("place-bet", DEALER, seat=1, amount=1000)
    evening.act("place-bet", DEALER, seat=2, amount=1000).act("withdraw-bet", DEALER, seat=2)
    evening.act("place-side-bet", DEALER, seat=1, amount=1000, bet="over").act("announce-no-more-bets", DEALER)
    evening.draw("9D").draw("9D").draw("9D").draw_down("KH")
    evening.act("insure", DEALER, seat=1, amount=500).act("take-even-money", DEALER, seat=1)
    evening.act("split-pair", DEALER, seat=1).act("double-down", DEALER, seat=1).draw("9D")
    evening.act("stand", DEALER, seat=1, hand=2).act("claim-five-cards", DEALER, seat=1)
    evening.act("take-side-bet-down", DEALER, seat=1).act("decide-amount", DEALER, seat=1, amount=1500)
    evening.act("state-card", DEALER, seat=1, card="9D")
    return evening.act("surrender", DEALER, seat=1).turn().collected().put_back(6)


GOOD: tuple[Callable[[], Evening], ...] = (
    plain,
    two_sessions,
    failed_loading,
    jams,
    tampered_lid,
    unexpected_card,
    stray_read,
    unread_card,
    late_identity,
    very_late_identity,
    two_complaints,
    damaged_card,
    complaint,
    device_lost,
    rebooted,
    missed_events,
    difference,
    put_back_short,
    journal_fault,
    supervisor_leaves,
    late_report,
    restart,
    replaced_reader,
    grid,
    irregular,
    late_reports,
    refused_acts,
    nothing_loaded,
    fed_before_the_loading,
    fed_at_a_closed_table,
    out_before_the_loading,
    lost_before_the_loading,
    counted_before_loading,
    taken_up_again,
    call_taken_back,
    lid_under_another_hold,
    lid_seen_in_figures,
    jam_while_loading,
    another_sign_in,
    replaced_shuffler,
    dead_shuffler,
    irregular_with_a_damaged_card,
    proposal_lapsed,
    emptied,
    away_with_its_half,
    passages_lost,
    figure_of_the_reader_ahead,
    face_disputed,
    reader_lost_while_unloading,
    left_in_the_rack_after_all,
    complaint_that_nobody_decided,
    grid_of_less_than_was_read,
    dealer_removed_from_the_staff,
    finished_by_hand,
    closed_after_an_outage,
    one_of_two_leaves,
)
