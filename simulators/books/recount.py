"""The table's cards, recounted from the journal's entries alone: a second, smaller reading of the procedure."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from simulators.books.export import Entry
from simulators.books.journal_book import JournalBook
from simulators.books.recount_jams import JamSteps
from simulators.books.recount_round import TABLE, RoundCards
from simulators.books.rules import Rules, whole

SPAN: Final = 2**32  # the device's cumulative counts wrap here
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
NOTHING_LOADED: Final = ("closed", "opened", "mixed")  # the machine has to be empty
MOST_AT_ONCE: Final = 1000  # cards between two events; more is another counter
GRID: Final = tuple(rank + suit for suit in "CDHS" for rank in RANKS)


class Recount:
    """Goes through the entries once."""

    def __init__(self, at: Iterable[int] = ()) -> None:
        """`at`: numbers of entries after which a snapshot of the places is kept."""
        self.book = JournalBook()
        self._at = frozenset(at)
        self._counts: tuple[int, int] | None = None  # the machine's cumulative cards in and out
        self._inside: int | None = None  # as the machine says
        self._session = "closed"
        self._round = "idle"
        self._packet_open = False
        self._rules = Rules({})
        self._cards = RoundCards(self._rules)
        self._session_burned = 0
        self._due = 0
        self._put_back = 0
        self._waits_for_identity = False
        self._read_waits = False
        self._irregular = self._ended_irregularly = False
        self._looked_at = False  # the damaged card, at the display or in the deck check
        self._found: Counter[str] = Counter()
        self._jams = JamSteps(self.book.jams)

    def run(self, entries: Iterable[Entry]) -> JournalBook:
        """The book after all entries."""
        for entry in entries:
            if entry.refused:
                self.book.refused[entry.kind] += 1
            else:
                self.book.events[entry.kind] += 1
                self._take(entry)
            if entry.seq in self._at:
                self.book.snapshots[entry.seq] = Counter(self.book.places)
        self.book.is_closed = self._session == "closed"
        return self.book

    def _take(self, entry: Entry) -> None:
        step = getattr(self, "_on_" + entry.kind.replace("-", "_"), None)
        if entry.part("status"):
            self._follow(entry)
        self._jams.take(entry)
        if step is not None:
            step(entry)

    # ---- the machine's counts

    def _follow(self, entry: Entry) -> None:
        """Cards move by the difference of the machine's cumulative counts; only its numbered events move them."""
        status = entry.part("status")
        now = (whole(status, "cards_in"), whole(status, "cards_out"))
        self._inside = whole(status, "inside") if status.get("inside") is not None else None
        if entry.kind == "shuffler-status-heard":
            return
        before, self._counts = self._counts, now
        if before is None:
            return
        into, out = ((later - earlier) % SPAN for earlier, later in zip(before, now, strict=True))
        if max(into, out) > MOST_AT_ONCE or not status.get("counts_known"):
            return
        for _ in range(into):
            self._card_in()
        for _ in range(out):
            self._card_out()

    def _card_in(self) -> None:
        due_from = self._feed_source()
        likely = (place for place in ("rack", "outside", "burnt") if self.book.places[place])
        self._move(due_from or next(likely, "outside"), "inside")
        self._put_back += due_from == "rack"
        self.book.loaded += due_from == "outside"

    def _feed_source(self) -> str | None:
        if self._session == "loading" and self._packet_open:
            return "outside"
        if self._round == "collected":  # the dealer has laid the cards in the feed: no act says so
            return "rack"
        return "rack" if self._round == "putting-back" and self._put_back < self._due else None

    def _card_out(self) -> None:
        if self._session in {"unloading", "taking-out"}:
            self.book.unloaded += self._session == "unloading"
            self._move("inside", "outside")
            return
        if self._session in NOTHING_LOADED:
            if not (self._session == "closed" and self._ended_irregularly):  # what it kept then
                self._move("inside" if self.book.places["inside"] else "outside", "pending")
            return
        self.book.drawn += 1
        target = self._owed()
        self._move("inside", target or "pending")
        self._waits_for_identity = not self._read_waits
        self._read_waits = False

    def _owed(self) -> str | None:
        """Where the card that came out was owed; counts what was burnt."""
        if self._waits_for_identity:
            return None  # a second card before the first was joined
        if self._session == "loaded" and self._session_burned < self._rules.burns(self.book.decks):
            self._session_burned += 1
            self.book.burned += 1
            return self._rules.burn_place
        if self._round != "playing":
            return None
        place = self._cards.next_place()
        self.book.burned += place not in {None, TABLE}
        return place

    # ---- what devices say besides

    def _on_controller_started(self, entry: Entry) -> None:
        self.book.decks = whole(entry.part("setup"), "decks")
        self._rules = Rules(entry.part("setup"))
        self._cards.rules = self._rules
        if self._session == "closed" and not self.book.places["inside"] + self.book.places["pending"]:
            self._all_outside()

    def _on_device_connected(self, entry: Entry) -> None:
        self.book.boots.setdefault(entry.text("device"), set()).add(entry.number("boot"))
        shuffler = entry.part("shuffler")
        if shuffler and self._session in NOTHING_LOADED and (self._counts is None or not shuffler.get("counts_known")):
            self._counts = (whole(shuffler, "cards_in"), whole(shuffler, "cards_out"))

    def _on_reader_restarted(self, entry: Entry) -> None:
        self.book.boots.setdefault("shoe", set()).add(-entry.seq)  # it numbers no boot: each is another one

    def _on_device_lost(self, entry: Entry) -> None:
        self.book.lost[entry.text("device"), entry.text("reason")] += 1

    def _on_card_read(self, entry: Entry) -> None:
        self._note_face(entry)
        card = entry.text("card")
        if self._session == "unloading":
            if card:
                self._found[card] += 1
        elif self._waits_for_identity:
            self._waits_for_identity = False
        else:
            self._read_waits = self._session not in NOTHING_LOADED and not self._read_waits

    def _note_face(self, entry: Entry) -> None:
        card = entry.text("card")
        self.book.unread += not card and not entry.text("commitment")
        if card and entry.number("passage"):
            self.book.read[entry.number("passage")] = card
        elif card:
            self.book.read_unnumbered.append(card)

    def _on_timer_fired(self, entry: Entry) -> None:
        if entry.text("timer") == "join":
            self._waits_for_identity = self._read_waits = False

    def _on_shuffler_jammed(self, entry: Entry) -> None:
        if self._session not in NOTHING_LOADED:
            source = (self._feed_source() or "outside") if entry.text("place") == "feed" else "inside"
            self._move(source, "jammed", min(entry.number("cards"), self.book.places[source]))

    # ---- what people say of cards and duties

    def _on_state_cards_moved(self, entry: Entry) -> None:
        self._move(entry.text("source"), entry.text("target"), entry.number("count"))
        if self._round == "putting-back":
            self._due = self._put_back + self.book.places["rack"]

    def _on_state_count(self, entry: Entry) -> None:
        counted = {place: entry.number(place) for place in ("rack", "table", "pending", "in_hand", "outside")}
        lying = sum(counted.values()) + self.book.places["burnt"]
        if self._inside is None or lying + self._inside != self.book.cards:
            return  # only a whole count changes the book
        burnt = self.book.places["burnt"]  # they lie where they lay
        self.book.places = Counter(counted | {"inside": self._inside, "burnt": burnt})
        self._due = self._put_back + counted["rack"]

    def _on_report_damaged_card(self, _entry: Entry) -> None:
        self._looked_at = self._session in {"opened", "mixed", "checking"}  # no machine had given it

    def _on_replace_card(self, _entry: Entry) -> None:
        self.book.withdrawn += 1
        if self._rules.reports_damage and not (self._looked_at and self._rules.deck_at_check):
            self.book.duties_opened.append("report-damaged-card")

    def _on_replace_deck(self, _entry: Entry) -> None:
        self.book.withdrawn += 52

    def _on_report_duty(self, _entry: Entry) -> None:
        self.book.duties_reported += 1

    # ---- what people do: session

    def _on_open_session(self, _entry: Entry) -> None:
        self.book.sessions += 1
        self._session, self._cards.number, self._ended_irregularly = "opened", 0, False
        self._all_outside()

    def _on_begin_loading(self, _entry: Entry) -> None:
        self._session = "loading"
        self._session_burned = 0
        self._packet_open = False

    def _on_open_packet(self, _entry: Entry) -> None:
        self._packet_open = True

    def _on_close_packet(self, _entry: Entry) -> None:
        self._packet_open = False

    def _on_complete_loading(self, _entry: Entry) -> None:
        self._session = "loaded"
        self.book.burns_due += self._rules.burns(self.book.decks)

    def _on_take_out_loading(self, _entry: Entry) -> None:
        self._session = "taking-out"

    def _on_confirm_taken_out(self, _entry: Entry) -> None:
        self._session = "mixed"
        self._all_outside()

    def _on_abandon_opening(self, _entry: Entry) -> None:
        self._session = "closed"

    def _on_indicate_closing(self, _entry: Entry) -> None:
        self._session = "closing"
        self._move("table", "rack", self.book.places["table"])

    def _on_begin_unloading(self, _entry: Entry) -> None:
        self._session = "unloading"
        self._found.clear()

    def _on_complete_unloading(self, _entry: Entry) -> None:
        self._session = "checking"
        self.book.left_in_rack += self.book.places["rack"]
        self._all_outside()

    def _on_enter_cards(self, entry: Entry) -> None:
        self._found.update(str(card) for card in entry.items("cards"))

    def _on_enter_grid(self, entry: Entry) -> None:
        counts = [count for count in entry.items("counts") if isinstance(count, int)]
        self._found = Counter(dict(zip(GRID, counts, strict=True)))
        self._found["FOREIGN"] = entry.number("foreign")

    def _on_confirm_deck_check(self, _entry: Entry) -> None:
        regular = Counter(dict.fromkeys(GRID, self.book.decks))
        if self._irregular or self._found == regular:
            self._close()

    def _on_confirm_irregular_closing(self, _entry: Entry) -> None:
        self.book.irregular_closings += 1
        self.book.duties_opened.append("report-irregular-closing")
        self._irregular = True
        self._round = "idle"
        self._packet_open = self._waits_for_identity = self._read_waits = False
        if self._session == "checking":
            self._close()
        else:
            self._session = "unloading"

    def _close(self) -> None:
        self._session, self._ended_irregularly = "closed", self._irregular
        self._irregular = False
        self._all_outside()

    # ---- what people do: round

    def _on_take_bets(self, entry: Entry) -> None:
        seats = (seat for seat in entry.items("seats") if isinstance(seat, int))
        self._cards.bet(seats, is_late=self._round == "playing")

    def _on_place_bet(self, entry: Entry) -> None:
        self._cards.lay_bet(*_bet(entry))

    def _on_withdraw_bet(self, entry: Entry) -> None:
        self._cards.give_back(*_bet(entry))

    def _on_cancel_bets(self, _entry: Entry) -> None:
        self._cards.give_all_back()

    def _on_announce_no_more_bets(self, _entry: Entry) -> None:
        self._round = "playing"
        self._session = "in-play"
        self._cards.begin()
        self.book.burns_due += self._rules.burns_a_round if self._cards.number > 1 else 0

    def _on_draw_card(self, entry: Entry) -> None:
        self._cards.ask(entry.number("seat"))

    _on_double_down = _on_draw_card  # its one card

    def _on_collect_hand(self, entry: Entry) -> None:
        self._move("table", "rack", self._cards.collect(entry.number("seat")))

    def _on_confirm_settled(self, _entry: Entry) -> None:
        self._round = "settled"
        self.book.rounds += 1

    def _on_collect_cards(self, _entry: Entry) -> None:
        self._round = "collected"
        self._move("table", "rack", self.book.places["table"])
        if self._rules.returns_burnt:
            self._move("burnt", "rack", self.book.places["burnt"])

    def _on_begin_putting_back(self, _entry: Entry) -> None:
        self._round = "putting-back"
        self._due, self._put_back = self.book.places["rack"], 0

    def _on_end_putting_back(self, _entry: Entry) -> None:
        if self._put_back == self._due:
            self._round = "idle"

    def _on_leave_in_rack(self, _entry: Entry) -> None:
        self._round = "idle"

    # ---- places

    def _move(self, source: str, target: str, count: int = 1) -> None:
        self.book.places[source] -= count
        self.book.places[target] += count

    def _all_outside(self) -> None:
        self.book.places = Counter({"outside": self.book.cards})


def _bet(entry: Entry) -> tuple[int, int]:
    """The seat, and who bets there: who sits there, where nobody is named."""
    seat, bettor = entry.number("seat"), entry.body.get("bettor")
    return seat, bettor if isinstance(bettor, int) else seat
