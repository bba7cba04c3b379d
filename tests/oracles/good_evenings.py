"""Evenings by the book: each is lawful from the first entry to the last, incidents and their ways out included."""

from collections.abc import Callable

from simulators.oracles.course import FACES
from tests.oracles.evening import CHIEF, DEALER, MANAGER, TECHNICIAN, Evening


def plain() -> Evening:
    return Evening().whole_session()


def two_sessions() -> Evening:
    evening = Evening().whole_session()
    evening.mixed(deck_set=2).loaded().draw_down("2C").act("take-bets", DEALER, seats=[1, 2])
    evening.act("cancel-bets", DEALER)
    evening.deal(2, 5).turn().act("draw-card", DEALER, seat=5).draw("3C").act("draw-card", DEALER, seat=0).draw("4C")
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
    """Count without identity for two seconds: the card is unread."""
    evening = Evening().in_play().announced().card_out().wait(2_000).timer("join").act("name-card", DEALER, card="7H")
    evening.add("reader-status-heard", {"passages": evening.numbers["shoe"]})  # it never saw that card
    return evening.draw("8H").draw("9H").draw_down("KH").collected().put_back(5)


def very_late_identity() -> Evening:
    """The reader's event comes after the card was named: it is that card's, and nothing of the next one."""
    evening = Evening().in_play().announced().card_out().wait(2_000).timer("join").act("name-card", DEALER, card="7H")
    evening.read(commitment="cd" * 32)
    return evening.draw("8H").draw("9H").draw_down("KH").collected().put_back(5)


def two_complaints() -> Evening:
    evening = Evening().in_play().deal(1, 2).collected().act("record-complaint", DEALER, seat=1)
    evening.act("record-complaint", CHIEF, seat=2).act("decide-complaint", CHIEF, upheld=True)
    return evening.act("decide-complaint", CHIEF, upheld=False).put_back(7)


def damaged_card() -> Evening:
    evening = Evening().in_play().deal(1).act("report-damaged-card", DEALER, card="9D").attend(1)
    evening.act("replace-card", CHIEF, replacement="9D").confirm(1).turn().collected().put_back(5).closed()
    return evening.act("report-duty", MANAGER, duty=1, reference="SRIJ 1")


def complaint() -> Evening:
    evening = Evening().in_play().deal(1).collected().act("record-complaint", DEALER, seat=1)
    return evening.act("decide-complaint", CHIEF, upheld=False).put_back(5)


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
        evening.draw(face)
    evening.card_out().act("complete-unloading", DEALER).act("enter-cards", DEALER, cards=["QS", "QS"])
    evening.act("confirm-deck-check", DEALER)
    evening.act("enter-grid", DEALER, counts=[1] * 52, foreign=0).act("confirm-deck-check", DEALER)
    return evening.act("open-session", DEALER)


def irregular() -> Evening:
    """A card is gone: chief supervisor and room manager close, the management reports, the deck set is out."""
    evening = Evening().in_play().unloading().unloaded(FACES[:51]).act("confirm-deck-check", DEALER)
    evening.act("propose-irregular-closing", CHIEF).act("confirm-irregular-closing", MANAGER)
    evening.act("report-duty", MANAGER, duty=1, reference="SRIJ 2")
    evening.act("open-session", DEALER).refused(
        "number-deck-set", CHIEF, "deck_set_is_not_refused", "pt.bj.55b", deck_set=1
    )
    return evening.act("number-deck-set", CHIEF, deck_set=2).act("confirm-display", DEALER)


def refused_acts() -> Evening:
    """Whatever is refused changes nothing."""
    evening = Evening().begin().refused("begin-loading", DEALER, "display_is_confirmed", "pt.bj.53a")
    evening.mixed().refused("begin-loading", DEALER, "supervisor_is_present_for_loading", "pt.bj.54d").loaded()
    evening.refused("announce-no-more-bets", DEALER, "burn_is_done", "pt.bj.10").draw_down("2C")
    evening.add("pin-refused", {"person": 21, "act": "sign-in"})
    return evening.deal(1).refused("take-bets", DEALER, "bets_are_not_closed", "pt.bj.13", seats=[2]).turn()


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
    refused_acts,
)
