"""What a page is about: the table as it was last heard, and what this browser adds to it."""

from dataclasses import dataclass
from functools import cached_property

from controller.panel.grid import Grid
from controller.protocol.status import HandStatus, HoldStatus, Status


@dataclass(frozen=True)
class Moment:
    """`bets`: the seats that the next "no more bets" is about. `roles`: of whoever is signed in at this browser."""

    status: Status
    is_live: bool
    bets: tuple[int, ...]
    roles: frozenset[str]
    chosen_hold: str = ""
    faces: tuple[HandStatus, ...] = ()
    """What lies on the table, where somebody is signed in here; to others the cards show their backs."""

    @cached_property
    def _next(self) -> dict[str, tuple[str, ...]]:
        return {one.act: tuple(one.who) for one in self.status.next}

    def may(self, act: str) -> bool:
        """Whether somebody may do it now."""
        return act in self._next

    def who_may(self, act: str) -> tuple[str, ...]:
        return self._next.get(act, ())

    def count(self, place: str) -> int:
        return (self.status.counts or {}).get(place, 0)

    def is_present(self, operation: str) -> bool:
        return any(present.operation == operation for present in self.status.present)

    @cached_property
    def hold(self) -> HoldStatus | None:
        """The one that the page is about: chosen, or the first of those that wait for somebody, or the first.

        A hold that is cleared and cannot be ended yet may wait for another one that came of it.
        """
        holds = self.status.holds
        chosen = [hold for hold in holds if hold.id == self.chosen_hold]
        waiting = [hold for hold in holds if hold.phase != "cleared"]
        return next(iter(chosen or waiting or holds), None)

    @property
    def may_bet(self) -> bool:
        return self.may("take-bets") and self.status.round in {"idle", "betting"} and self.status.session == "in-play"

    @property
    def has_other_bets(self) -> bool:
        """Bets lie where they were not said to lie."""
        return self.status.round == "betting" and set(self.bets) != set(self.status.seats)

    @property
    def is_all_loaded(self) -> bool:
        status = self.status
        return status.loading.packet_open and not self.count("outside") and len(status.loading.packets) > 1

    @property
    def grid(self) -> Grid | None:
        """At the deck check: what was found so far."""
        found, decks = self.status.figures.found, self.status.figures.decks
        return Grid.found(found, decks) if any(found) else None

    @property
    def is_banks_turn(self) -> bool:
        """The bank has begun, and may draw: its face-down card is turned, or its second card lies open."""
        bank = self.hand(0)
        is_begun = bank is not None and len(bank.cards) > 1 and not self.may("turn-hole-card")
        return self.status.round == "playing" and self.status.owed is None and is_begun

    @property
    def is_last_face_up(self) -> bool:
        return self.status.figures.provisional and bool(self.status.hands) and not self.status.face_down

    @property
    def phase(self) -> str:
        """Where session, round and holds are: what was said in another one is not news any more."""
        holds = "".join(f" {hold.id} {hold.phase}" for hold in self.status.holds)
        return f"{self.status.session} {self.status.round} {self.status.round_number}{holds}"

    def hand(self, seat: int) -> HandStatus | None:
        return next((hand for hand in self.faces or self.status.hands if hand.seat == seat), None)
