"""What an observer has seen so far, and what follows from it at any moment. The folding is in picture.py."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from simulators.oracles.book import Book
from simulators.oracles.course import BANK, BURN, SEAT, Lying, Owed, Passing, Reader, Round, Session, Shoe, deal_order
from simulators.oracles.export_reader import Entry
from simulators.oracles.figures import Figures
from simulators.oracles.machine import SPAN, Devices, Status
from simulators.oracles.people import People
from simulators.oracles.troubles import Trouble, Troubles

NOTHING_LOADED: Final = frozenset(("closed", "opened", "displayed", "gathered", "mixed", "cut"))
"""Steps at which no card of the deck set may be inside."""

BEFORE_LOADING: Final = frozenset(("opened", "displayed", "mixed"))
"""The cards are on the table, and the machine has to be empty (pt.bj.53)."""

BEYOND_MENDING: Final = frozenset(
    ("count", "unexpected-card", "unread-card", "damaged-card", "jam", "lid", "device-lost", "journal-fault")
)
"""Kinds of hold that may never find their own end: for them there is the irregular closing."""

OF_A_DEVICE: Final = frozenset(("jam", "lid", "device-lost"))
"""Kinds of hold whose cause is a device that does not work as it should."""

REPORTS_COME_LATE: Final = frozenset(("journal-fault", "device-lost"))
"""While one of these stands, when a card moved cannot be told from when its event was taken."""

CARDS_MAY_BE_INSIDE: Final = frozenset(("loading", "taking-out", "loaded", "in-play", "closing", "unloading"))


_BURN: Final = Owed(BURN, None)


class Seen:
    """All that is known of a table after some entries."""

    def __init__(self, figures: Figures, told: Mapping[int, tuple[str, str | None]]) -> None:
        self.figures = figures
        self.seq = 0
        self.boot = 0
        self.resumed_at: frozenset[int] = frozenset()  # numbers behind parts that were left out of the export
        self.last: Entry | None = None
        self.people = People(figures.presence_timeout_ms, figures.supervisors)
        self.book = Book(figures.cards)
        self.devices = Devices()
        self.troubles = Troubles(told)
        self.session = Session()
        self.shoe = Shoe()
        self.round = Round()
        self.passing = Passing()
        self.reader = Reader()
        self.differing_since_ms: int | None = None
        self.lid_open_since_ms: int | None = None
        self.journal_fails = False
        self.damaged: str | None = None
        self.damaged_at_check = False  # nobody's machine gave it: it was looked at (pt.bj.5b)
        self.replaced_alone: list[str] = []  # cards whose decks go at the closing
        self.authorised = False  # to replace the damaged card alone (pt.bj.5c)
        self.away: Counter[str] = Counter()  # faces that left the table and have not come back
        self.faces_too_many: dict[str, int] = {}  # faces.py, after the last entry
        self.set_aside: Lying | None = None  # dealt by mistake, for whoever asks next (pt.bj.18d)
        self.proposed_by: int | None = None
        self.refused_deck_sets: set[int] = set()
        self.duties: list[str] = []  # of all that were ever opened; the first has number 1
        self.reported: set[int] = set()
        self.tally = Counter({"rounds": 0, "drawn": 0, "burned": 0, "loads": 0, "complaints": 0})

    @property
    def status(self) -> Status | None:
        """The shuffler's figures as last heard."""
        return self.devices.shuffler.status

    @property
    def reports_come_late(self) -> bool:
        """After an irregular closing the unloading may be called complete before the machine has told of each card."""
        return self.session.step == "checking" and self.session.irregular

    @property
    def needed(self) -> tuple[str, ...]:
        """The devices without which the procedure cannot go on."""
        shuffler = ("shuffler",) if self.figures.has_shuffler else ()
        return (*shuffler, "shoe") if self.figures.has_reader else shuffler

    @property
    def open_duties(self) -> list[str]:
        """The kinds of the duties that nobody has reported yet."""
        return [kind for number, kind in enumerate(self.duties, 1) if number not in self.reported]

    def matters(self, device: str) -> bool:
        """Whether the table must hold when this device goes."""
        return device in self.needed and self.session.step not in {"closed", "checking"}

    def chief_is_here(self, operation: str, at_ms: int) -> bool:
        """A chief supervisor is present for this operation."""
        return self.people.chief_is_here(operation, at_ms, self.figures.grace_ms)

    def must_be_watched(self, operation: str) -> bool:
        """Whether the law wants a chief supervisor's eyes on it (pt.bj.54d, 55a)."""
        procedure = self.figures.procedure
        if operation == "loading":
            return procedure.loading_supervised
        return procedure.unloading_supervised if operation == "unloading" else True

    def order(self) -> tuple[Owed, ...]:
        """The cards of this round's deal."""
        return deal_order(self.round.in_play, self.figures.procedure.bank_second_card)

    @property
    def last_is_of_the_deal(self) -> bool:
        """The last card lies where the order of the deal put it; a further card did not come after."""
        last = self.round.dealt[-1:]
        at = len(self.round.dealt) - 1
        return bool(last) and self.order()[at : at + 1] == (Owed(last[0].purpose, last[0].seat),)

    def is_last_by_its_cards(self) -> bool:
        """A shoe without a warning card: few cards at a round's start make it the last (mo.1.3)."""
        procedure = self.figures.procedure
        is_told = procedure.last_round == "warning-card" and not self.figures.has_warning_card
        return is_told and self.book.count("inside") < procedure.last_round_below

    def lies_open(self, purpose: str) -> bool:
        """Whether a card that comes for this now lies open: the bank's; players' as the profile says (mo.5.2)."""
        if purpose == SEAT:
            return self.figures.procedure.player_cards == "up" or self.round.step != "dealing"
        return purpose == BANK

    @property
    def is_pending_alone(self) -> bool:
        """One card came that nobody was owed, and nobody has said yet what becomes of it."""
        return self.book.count("pending") == 1 and self.set_aside is None

    def owed(self) -> Owed | None:
        """The card that comes next; None while none is owed, or while the last one is half known."""
        if self.passing.counted_ms is not None:
            return None
        if self.session.step == "loaded":
            return _BURN if self.session.burned < self.figures.burns_due else None
        return self._owed_in_play() if self.session.step == "in-play" else None

    def _owed_in_play(self) -> Owed | None:
        if self.round.step == "dealing" and self.round.chips:
            return None
        if self.round.step == "dealing":
            order, dealt = self.order(), len(self.round.dealt)
            return _BURN if self._burn_is_due() else order[dealt] if dealt < len(order) else None
        if self.round.step == "playing" and self.round.requested is not None:
            return _BURN if self._burn_is_due() else Owed(SEAT if self.round.requested else BANK, self.round.requested)
        return None

    def _burn_is_due(self) -> bool:
        """In each round after the first: one at its start, or one more before the bank's second (mo.4.2)."""
        each_round, now = self.figures.procedure.burn_each_round, self.round
        if each_round == "none" or now.number <= self.shoe.first_round:
            return False
        if now.burned == 0:
            return True
        second = now.requested == 0 and sum(one.seat == 0 for one in now.dealt) == 1
        return each_round == "start-and-second" and second and now.burned == 1

    def feed_source(self) -> str | None:
        """Where a card that is counted in comes from; None: none is expected."""
        if self.session.step == "loading" and self.session.packet_open:
            return "outside"
        if self.round.step == "putting-back" and self.round.put_back < self.round.put_back_due:
            return "rack"
        return None

    @property
    def deck_goes(self) -> bool:
        """Of the damaged card not that card alone is replaced (pt.bj.5b): as its table's rule and its finding say."""
        procedure = self.figures.procedure
        return procedure.damaged_card == "deck" or (self.damaged_at_check and procedure.deck_replaced_at_check)

    def differences(self) -> list[tuple[str, int, int]]:
        """Figures of the book, and evidence that says otherwise: name, book, evidence."""
        if self.session.irregular:
            return []
        if self.cards_are_compared:
            pairs = self._of_the_shuffler() if self.figures.has_shuffler else self._of_the_shoe()
        else:
            pairs = self._of_the_slots() if self._must_be_empty else []
        return [(name, book, evidence) for name, book, evidence in pairs + self._awaited_events() if book != evidence]

    def _awaited_events(self) -> list[tuple[str, int, int]]:
        """What a device says it has made, and has not sent."""
        if self.session.step in {"closed", "checking"}:
            return []
        links = [(device, self.devices.links[device]) for device in ("shuffler", "shoe")]
        last = {device: self.devices.last_taken(device) for device, _ in links}
        return [
            (f"{device} events", taken, max(link.awaited, taken))
            for device, link in links
            if link.connected and (taken := last[device][1] if last[device][0] == link.boot else 0) is not None
        ]

    def _of_the_shuffler(self) -> list[tuple[str, int, int]]:
        status, shuffler = self.status, self.devices.shuffler
        if status is None or not self.devices.links["shuffler"].connected:
            return []
        pairs = [
            ("cards in", shuffler.followed_in, status.cards_in),
            ("cards out", shuffler.followed_out, status.cards_out),
            ("total", self.book.total, self.cards_there_must_be()),
        ]
        return pairs + self._of_the_slots() + self._untold_passages()

    @property
    def _must_be_empty(self) -> bool:
        """While the decks are checked, and after; an irregular closing may leave cards, and holds for no others."""
        is_known = not self.session.ended_irregularly or self.book.count("inside") > 0
        is_over = self.session.step == "checking" or (self.session.step == "closed" and is_known)
        return self.figures.has_shuffler and is_over

    def _of_the_slots(self) -> list[tuple[str, int, int]]:
        """What the machine has inside by its own figure; where nothing is loaded both must say that nothing is."""
        status, shuffler = self.status, self.devices.shuffler
        if status is None or not self.devices.links["shuffler"].connected or status.inside is None:
            return []
        if shuffler.hands_inside or self.troubles.keep_the_machine_open:
            return []
        agreed = ("inside", self.book.in_the_machine, status.inside)
        has_none = self.session.step in NOTHING_LOADED or self.session.step == "checking"
        return [agreed, ("inside", 0, status.inside)] if has_none else [agreed]

    @property
    def cards_are_compared(self) -> bool:
        """Whether the deck set is out, so that book and machines must agree; a shoe's begin with its filling."""
        step = self.session.step
        return step in CARDS_MAY_BE_INSIDE or (step in BEFORE_LOADING and self.figures.has_shuffler)

    def _of_the_shoe(self) -> list[tuple[str, int, int]]:
        """Without a shuffler the reader's own number is the evidence; what people take out nobody counts but they."""
        pairs = [("total", self.book.total, self.cards_there_must_be()), *self._untold_passages()]
        inside = self.counted_by_the_shoe()
        if inside is not None and self.session.step not in {"closing", "unloading"}:
            pairs.append(("inside", self.book.count("inside"), inside))
        return pairs

    def cards_there_must_be(self) -> int:
        """Cards of the set, those that foreign ones may have lain in the place of apart."""
        cards, total = self.figures.cards, self.book.total
        seen = self.session.read_out.get("FOREIGN", 0) if self.session.step == "unloading" else 0
        return total if self.book.is_whole_with(cards, total, seen) else cards

    def counted_by_the_shoe(self) -> int | None:
        """Cards that are left in the shoe by the reader's own number; None where it does not know it."""
        told, began = self.reader.passages if self.reader.heard is None else self.reader.heard, self.shoe.filled_at
        if told is None or began is None or not self.devices.links["shoe"].connected:
            return None
        return self.figures.cards - (told - began) % SPAN

    def counted_inside(self) -> int | None:
        """Cards inside by the machine's own figure; of a box, which has none, as many as people say."""
        if self.figures.has_shuffler:
            return None if self.status is None else self.status.inside
        return self.counted_by_the_shoe() if self.figures.has_reader else self.book.count("inside")

    def _untold_passages(self) -> list[tuple[str, int, int]]:
        """Cards that the reader has counted and no event of it has told; decks that run out are checked by hand."""
        passages, heard = self.reader.passages, self.reader.heard
        if not self.devices.links["shoe"].connected or self.session.step in {"taking-out", "unloading"}:
            return []
        return [] if passages is None or heard is None else [("passages", passages, heard)]

    def is_watched(self, at_ms: int) -> bool:
        """Whether a chief supervisor watches what must be watched at this step."""
        if self.session.step == "unloading":
            return self.chief_sees("unloading", at_ms)
        return self.session.step not in {"loading", "taking-out"} or self.chief_sees("loading", at_ms)

    def chief_sees(self, operation: str, at_ms: int) -> bool:
        """A chief supervisor is present, or none is asked for."""
        return not self.must_be_watched(operation) or self.chief_is_here(operation, at_ms)

    def raise_(
        self,
        kind: str,
        entry: Entry,
        device: str | None = None,
        *,
        needs_count: bool = False,
        seat: int = 0,
        about: int = 0,
    ) -> Trouble:
        """From this entry on the table must hold."""
        return self.troubles.raise_(
            kind, device, entry.seq, entry.table_ms, needs_count=needs_count, seat=seat, about=about
        )

    def leave(self, entry: Entry, person: int) -> None:
        """Somebody is gone: what he watched must stop, what he attended waits again."""
        for trouble in self.troubles.standing:
            if trouble.attended_by == person and trouble.phase == "attended":
                trouble.phase, trouble.attended_by = "raised", None
        gone = self.people.leave(person, entry.table_ms)
        watched = {"loading": self.session.packet_open or self.session.step == "taking-out"}
        watched["unloading"] = self.session.step == "unloading"
        if gone is None or gone.role not in self.figures.supervisors:
            return
        if any(watched.get(op) and not self.chief_sees(op, entry.table_ms) for op in gone.operations):
            self.raise_("supervisor-absent", entry)

    def owes_a_half(self) -> str | None:
        """The device that has still to tell its half of the card that is passing."""
        if self.passing.since_ms is None:
            return None
        return "shuffler" if self.passing.counted_ms is None else "shoe"
