"""The subject of a page: the table as it was last heard, and this browser's own part."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

from controller.catalogue.sentences import Variants
from controller.panel.grid import Grid
from controller.protocol.money_status import AmountStatus, StakedHandStatus
from controller.protocol.status import HandStatus, HoldStatus, SessionStep, Status

Place: TypeAlias = tuple[int, int]
"""A seat, and the number of who bets there."""


PLAYED_ON: Final = frozenset(("jackpot-owed", "jackpot-doubted"))
"""Holds beside which other hands and other bets go on."""


def turn_of(values: Mapping[str, str]) -> str:
    """The hand that an act's values name, as the status writes it: a seat, behind a stroke which of its hands."""
    index = values.get("hand", "1")
    return values.get("seat", "") if index == "1" else f"{values.get('seat')}/{index}"


@dataclass(frozen=True)
class Moment:
    """`bets`: the seats that the next "no more bets" is about. `roles`: of whoever is signed in at this browser.

    `stakes`: where hands are followed, how much lies there then; `kept`: what lay in the last round on seats that
    nobody has touched since; `are_bets_kept`: so are the seats; `seat`: the one that chips go to. `lay`: how the cards
    of the last round lay, as far as they were shown here.
    """

    status: Status
    is_live: bool
    bets: tuple[int, ...]
    roles: frozenset[str]
    chosen_hold: str = ""
    faces: tuple[HandStatus, ...] = ()
    """What lies on the table, where somebody is signed in here; to others the cards show their backs."""
    stakes: Mapping[Place, int] = field(default_factory=dict)
    kept: Mapping[Place, int] = field(default_factory=dict)
    are_bets_kept: bool = False
    seat: int | None = None
    lay: tuple[HandStatus, ...] = ()
    here: tuple[str, ...] = ()
    """Who is signed in at this browser: numbers, with their names."""
    supervisors: Mapping[str, str] = field(default_factory=dict)
    """The same by post, without the dealer."""

    @cached_property
    def _next(self) -> dict[str, tuple[str, ...]]:
        return {one.act: tuple(one.who) for one in self.status.next}

    def may(self, act: str) -> bool:
        """True where a person here may do it now."""
        return act in self._next

    def who_may(self, act: str) -> tuple[str, ...]:
        return self._next.get(act, ())

    @cached_property
    def _asks(self) -> dict[str, str]:
        return {one.act: one.asks for one in self.status.next}

    def asks(self, act: str) -> str:
        """The credential that a possible act asks of its person, as the status says it."""
        return self._asks.get(act, "does")

    def whose(self, who: Sequence[str]) -> str:
        """For whom a press of these posts would speak, where he is signed in here or badge and key have named him."""
        found = next((self.supervisors[role] for role in who if role in self.supervisors), "")
        presented = self.status.presented
        is_named = presented is not None and presented.by == "badge-and-key" and presented.role in who
        return str(presented.person) if presented is not None and is_named and not found else found

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
    def is_stopped(self) -> bool:
        """The hold that the page is about stops the play; a jackpot's stands beside it."""
        return self.hold is not None and self.hold.kind not in PLAYED_ON

    @property
    def is_disputed(self) -> bool:
        """Somebody decides about the cards as they lie, or lay."""
        return self.hold is not None and self.hold.kind in {"complaint", "ruling"}

    @property
    def may_bet(self) -> bool:
        return self.may("take-bets") and self.status.round in {"idle", "betting"} and self.status.session == "in-play"

    @property
    def may_lay(self) -> bool:
        """Bets are laid one by one, and open."""
        return self.may("place-bet") and self.status.round in {"idle", "betting"} and self.status.session == "in-play"

    def may_lay_beside(self, act: str) -> bool:
        """It is open, or will be once the bet lies that was tapped in chips: it goes before."""
        return self.may_lay and (self.may(act) or (bool(self.stakes) and not self.status.seats))

    @property
    def turn(self) -> str:
        """The hand whose turn it is, or `bank`; empty where nobody plays or no hands are followed."""
        return self.status.money.turn if self.status.money is not None else ""

    @property
    def is_decided_by_people(self) -> bool:
        """The hand whose turn it is may decide something, or the bank gets a card for the asking."""
        money = self.status.money
        of_turn = (turn_of(one.values) == self.turn for one in (money.decisions if money is not None else ()))
        return any(of_turn)

    @property
    def variants(self) -> Variants:
        """The kinds of table for which the catalogue may have other words."""
        return () if self.status.wheel is None else ("no-cards",)

    @property
    def choices(self) -> tuple[str, ...]:
        """The acts of all decisions that this table knows; each has its place, open or not."""
        return tuple(self.status.money.choices) if self.status.money is not None else ()

    @property
    def is_hands_turn(self) -> bool:
        """A player's hand is played, whether or not something of it can be decided this moment."""
        return self.turn not in {"", "bank"}

    @property
    def has_reader(self) -> bool:
        return "shoe" in self.status.devices

    @property
    def is_to_show(self) -> bool:
        """A player's card lies face down, and every hand is played."""
        return self.turn == "bank" and any(card.seat for card in self.status.face_down)

    @property
    def nameless(self) -> tuple[int, int] | None:
        """Seat and place of an open card that no device has read, where people say which one it is."""
        if not self.may("state-card") or self.status.owed is not None:
            return None
        lying: dict[int, list[str | None]] = {}
        for hand in self.faces:
            lying.setdefault(hand.seat, []).extend(hand.cards)
        named = ((seat, cards.index("") + 1) for seat, cards in lying.items() if "" in cards)
        return next(named, None)

    @property
    def is_to_settle(self) -> bool:
        """Nothing is left to be dealt or turned before the amounts."""
        money = self.status.money
        return money.is_decided if money is not None else not self.may("turn-hole-card")

    @property
    def amounts(self) -> tuple[AmountStatus, ...]:
        """The amounts of this round, as far as they are known; of the last one none once bets are taken again."""
        is_over = self.status.round in {"idle", "betting", "dealing"}
        return () if is_over or self.status.money is None else tuple(self.status.money.amounts)

    @property
    def out(self) -> tuple[str, ...]:
        """The hands whose cards go to the rack before the amounts."""
        money = self.status.money
        if money is None or self.is_to_settle or not self.may("collect-hand"):
            return ()
        return tuple(one.hand for one in money.hands if one.is_out)

    def stake(self, seat: int) -> int:
        """The sum of all bets on a place, in cents."""
        return sum(cents for place, cents in self.stakes.items() if place[0] == seat)

    def kept_stake(self, seat: int) -> int:
        """The last round's bet there, until this round's is known."""
        return sum(cents for place, cents in self.kept.items() if place[0] == seat)

    @staticmethod
    def hand_name(hand: HandStatus) -> str:
        """As the amounts name it."""
        return f"{hand.seat}/{hand.hand}" if hand.hand > 1 else str(hand.seat)

    def gone(self, seat: int) -> tuple[str, ...]:
        """The hands of a seat that bring something and lie there no more."""
        lying = {self.hand_name(hand) for hand in self.hands(seat)}
        found = dict.fromkeys(one.hand for one in self.amounts if one.hand.split("/")[0] == str(seat))
        return tuple(hand for hand in found if hand not in lying)

    @property
    def is_pair_separated(self) -> bool:
        """Somebody has several hands before him."""
        return any(hand.hand > 1 for hand in self.faces or self.status.hands)

    def told(self, hand: str) -> str:
        """As people say it: of a pair that was separated the first hand has its number, too."""
        if not hand.isdecimal():
            return hand
        seat = int(hand)
        return f"{hand}/1" if len(self.hands(seat)) + len(self.gone(seat)) > 1 else hand

    def staked(self, seat: int, index: int = 1) -> StakedHandStatus | None:
        """The stake on a hand of this round."""
        name = self.hand_name(HandStatus(seat, [], index))
        hands = self.status.money.hands if self.status.money is not None else []
        return next((one for one in hands if one.hand == name), None)

    @property
    def has_other_bets(self) -> bool:
        """Bets lie where they were not said to lie."""
        return self.status.round == "betting" and set(self.bets) != set(self.status.seats)

    @property
    def is_all_loaded(self) -> bool:
        status = self.status
        return status.loading.packet_open and not self.count("outside") and len(status.loading.packets) > 1

    @property
    def not_entered(self) -> int:
        """At the deck check: cards that no reader has seen, and that nobody has entered yet."""
        if self.status.session != SessionStep.CHECKING or self.status.grids_entered:
            return 0
        return max(0, self.count("outside") - sum(self.status.figures.found))

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

    @property
    def facts(self) -> dict[str, str]:
        """The grounds of a decision: each hold in its own words, and the number that the wheel has told."""
        result = self.status.wheel.result if self.status.wheel is not None else None
        return {hold.id: hold.text for hold in self.status.holds} | ({} if result is None else {"number": str(result)})

    @property
    def last_card(self) -> str | None:
        """The one that may still be corrected, where its face is shown here."""
        seat, _, index = self.status.figures.last_at.partition("/")
        lying = [one for one in self.faces if (str(one.seat), one.hand) == (seat, int(index or 1)) and one.cards]
        return lying[0].cards[-1] if lying else None

    def hand(self, seat: int) -> HandStatus | None:
        return next(iter(self.hands(seat)), None)

    def hands(self, seat: int) -> tuple[HandStatus, ...]:
        """A seat's hands: several where a pair was separated."""
        found = tuple(hand for hand in self.faces or self.status.hands if hand.seat == seat)
        return found or (tuple(hand for hand in self.lay if hand.seat == seat) if self.is_disputed else ())
