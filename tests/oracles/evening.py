"""Journals written by hand, entry by entry, for the rules of the oracles: no code of the product makes them.

One deck, two packets of 26. Each method adds what its name says and gives the journal back its next entries' context:
the shuffler's own figures, the numbers of its events, the time.
"""

from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Any

from simulators.oracles.course import FACES
from simulators.oracles.export_reader import Export, read_export
from simulators.oracles.figures import Figures, Procedure
from tests.oracles.lines import canonical, export_of
from tests.oracles.setups import setup_of

FIGURES = Figures(decks=1, seats=7, reserve_cards_per_hand=2)
PEOPLE = {
    "dealer": 11,
    "chief_supervisor": 21,
    "room_manager": 31,
    "technician": 41,
    "table_inspector": 51,
    "regulator": 61,
}
DEALER, CHIEF, MANAGER, TECHNICIAN = "dealer", "chief_supervisor", "room_manager", "technician"
INSPECTOR = "table_inspector"
SETUP = {
    "table": "t1",
    "profile": "pt-csm",
    "decks": 1,
    "seats": 7,
    "has_reader": True,
    "has_display": False,
    "simulated": True,
    "parameters": {
        "min_packets": 2,
        "loads_per_session": 1,
        "burn_cards": 1,
        "presence_timeout_ms": 180_000,
        "join_ms": 2_000,
        "difference_ms": 2_000,
        "devices_due_ms": 5_000,
        "reserve_cards_per_hand": 2,
    },
    "procedure": {
        "machine": "shuffler",
        "opening_check": "display",
        "shuffle_passes": 1,
        "shuffle_each_deck": False,
        "cut": "none",
        "cut_fallback": "none",
        "warning_card": "none",
        "warning_card_behind": 0,
        "warning_card_from_decks": 0,
        "warning_card_middle_if_alone": False,
        "loading_supervised": True,
        "burn_each_deck": False,
        "burn_each_round": "none",
        "burn_place": "rack",
        "player_cards": "up",
        "bank_second_card": "hole",
        "misdealt_unseen": "next-who-asks",
        "misdealt_seen": "discard",
        "face_up_card": "discard",
        "bank_extra_card": "discard",
        "bets_close": "before-deal",
        "last_round": "none",
        "last_round_below": 0,
        "last_round_voided": False,
        "shuffle_at_will": False,
        "spread_on_interruption": False,
        "put_back": "after-each-round",
        "leftovers": "stay-in-rack",
        "complaints": "until-put-back",
        "damaged_card": "card",
        "incident_authority": "chief_supervisor",
        "unloading_supervised": True,
        "back_colours": 1,
        "deck_replaced_at_check": True,
    },
}
FIGURED = (
    "min_packets",
    "loads_per_session",
    "burn_cards",
    "presence_timeout_ms",
    "join_ms",
    "difference_ms",
    "reserve_cards_per_hand",
)
SALT = bytes(range(32))


@dataclass(frozen=True)
class Machine:
    """The shuffler's own figures."""

    cards_in: int = 500
    cards_out: int = 500
    inside: int | None = 0
    jams: int = 3
    recounts: int = 7
    counts_known: bool = True
    jammed: bool = False
    path_blocked: bool = False
    lid_open: bool = False


@dataclass
class Evening:
    """A journal as it grows; `rows` can be changed before it is exported."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    ms: int = 0
    mono_ms: int = 1_000_000
    boot: int = 0
    machine: Machine = Machine()
    setup: dict[str, Any] = field(default_factory=lambda: SETUP)
    numbers: dict[str, int] = field(default_factory=lambda: {"shuffler": 0, "shoe": 0})
    drawn: set[str] = field(default_factory=set)  # faces
    hidden: list[tuple[str, str]] = field(default_factory=list)  # face down: as it was named, and what it is
    boots: dict[str, int] = field(default_factory=lambda: {"shuffler": 1, "shoe": 1})

    @classmethod
    def of(cls, profile: str, **otherwise: object) -> "Evening":
        """At a table of another profile; `otherwise`: parameters that the casino has chosen."""
        return cls(setup=setup_of(profile, SETUP, **otherwise))

    def figures(self) -> Figures:
        """The figures of this table, from what it was set up with."""
        parameters = {name: self.setup["parameters"][name] for name in FIGURED}
        procedure = Procedure(**self.setup["procedure"])
        decks, seats, has_reader = (self.setup[name] for name in ("decks", "seats", "has_reader"))
        return Figures(decks=decks, seats=seats, has_reader=has_reader, procedure=procedure, **parameters)

    # ---- entries

    def add(self, kind: str, body: dict[str, Any], **more: object) -> "Evening":
        self.wait(10)
        row = {"boot": self.boot, "mono_ns": self.mono_ms * 1_000_000, "wall_ms": self.ms, "wall_synced": True}
        row |= {"table_ms": self.ms, "kind": kind, "body": body, "source": None, "refusal": None}
        self.rows.append(row | more)
        return self

    def wait(self, ms: int) -> "Evening":
        self.ms += ms
        self.mono_ms += ms
        return self

    def payloads(self) -> list[bytes]:
        return [canonical({"seq": seq} | row) for seq, row in enumerate(self.rows, 1)]

    def export(self) -> Export:
        return read_export(export_of(self.payloads()))

    @property
    def last(self) -> dict[str, Any]:
        return self.rows[-1]

    @property
    def seq(self) -> int:
        return len(self.rows)

    # ---- the controller, its devices

    def start(self, *findings: str) -> "Evening":
        self.boot += 1
        self.ms -= 10  # table time stands still while no controller runs
        body = {"start_number": self.boot, "setup": self.setup, "config_digest": "c", "rules_digest": "r"}
        return self.add("controller-started", body | {"software": "0", "findings": list(findings), "public_key": ""})

    def connect(self, shuffler: str = "S1", shoe: str = "R1") -> "Evening":
        who = {"model": "m", "firmware": "1", "simulated": True}
        body = who | {
            "device": "shuffler",
            "serial": shuffler,
            "boot": self.boots["shuffler"],
            "passages": None,
            "keeps_events": True,
        }
        self.add("device-connected", body | {"shuffler": asdict(self.machine)})
        body = who | {"device": "shoe", "serial": shoe, "boot": self.boots["shoe"], "keeps_events": True}
        body |= {"passages": self.numbers["shoe"], "shuffler": None}
        return self.add("device-connected", body)

    def event(self, device: str, kind: str, body: dict[str, Any]) -> "Evening":
        self.numbers[device] += 1
        boot, number = self.boots[device], self.numbers[device]
        source = {"device": device, "device_boot": boot, "event_number": number}
        return self.add(kind, body | {"source": {"boot": boot, "number": number}}, source=source)

    def shuffler(self, kind: str, body: dict[str, Any] | None = None, **figures: object) -> "Evening":
        self.machine = Machine(**asdict(self.machine) | figures)
        return self.event("shuffler", kind, {"status": asdict(self.machine)} | (body or {}))

    def heard(self, **figures: object) -> "Evening":
        self.machine = Machine(**asdict(self.machine) | figures)
        return self.add("shuffler-status-heard", {"status": asdict(self.machine)})

    def timer(self, timer: str) -> "Evening":
        return self.add("timer-fired", {"timer": timer})

    def card_in(self, cards: int = 1) -> "Evening":
        for _ in range(cards):
            self.shuffler("card-counted-in", cards_in=self.machine.cards_in + 1, inside=_more(self.machine.inside, 1))
        return self

    def card_out(self) -> "Evening":
        return self.shuffler(
            "card-counted-out", cards_out=self.machine.cards_out + 1, inside=_more(self.machine.inside, -1)
        )

    def read(self, card: str | None = None, commitment: str | None = None) -> "Evening":
        body = {"passage": self.numbers["shoe"] + 1, "card": card, "commitment": commitment, "told": None}
        return self.event("shoe", "card-read", body)

    def told(self, passages: int) -> "Evening":
        """The reader says how many passages it has counted in all."""
        return self.add("reader-status-heard", {"passages": passages})

    def lost(self, device: str = "shuffler") -> "Evening":
        return self.add("device-lost", {"device": device, "reason": "port-lost"})

    def another(self, card: str) -> str:
        """This face, or where it has been drawn in this evening already, one that has not: there is one deck."""
        left = [face for face in (card, *FACES) if face not in self.drawn] or [card]
        self.drawn.add(left[0])
        return left[0]

    def draw(self, card: str) -> "Evening":
        return self.card_out().read(self.another(card))

    def draw_down(self, card: str) -> "Evening":
        return self.card_out().read(commitment=self.sealed(card))

    def sealed(self, card: str) -> str:
        self.hidden.append((card, self.another(card)))
        return sha256(SALT + self.hidden[-1][1].encode()).hexdigest()

    def lay_hidden(self, card: str, at: int) -> str:
        """What was drawn face down in the name of this card: the first (0) or the last (-1) that nobody has turned."""
        those = [one for one in self.hidden if one[0] == card]
        if not those:
            return card
        self.hidden.remove(those[at])
        return those[at][1]

    # ---- people

    def act(self, kind: str, role: str, **values: object) -> "Evening":
        return self.add(kind, {"person": PEOPLE[role], "role": role} | values)

    def refused(self, kind: str, role: str, reason: str, clause: str, **values: object) -> "Evening":
        self.act(kind, role, **values)
        self.last["refusal"] = {"reason": reason, "rule": reason, "clause": clause}
        return self

    # ---- opening

    def begin(self) -> "Evening":
        return self.start().connect().act("sign-in", DEALER, operation="table")

    def mixed(self, deck_set: int = 1) -> "Evening":
        self.act("open-session", DEALER).act("number-deck-set", CHIEF, deck_set=deck_set)
        return self.act("confirm-display", DEALER).act("confirm-mixing", DEALER)

    def packet(self, cards: int = 26) -> "Evening":
        return self.act("open-packet", CHIEF).card_in(cards).act("close-packet", CHIEF)

    def loading(self) -> "Evening":
        return self.act("sign-in", CHIEF, operation="loading").act("begin-loading", DEALER)

    def loaded(self) -> "Evening":
        return self.loading().packet().packet().act("complete-loading", DEALER)

    def in_play(self) -> "Evening":
        return self.begin().mixed().loaded().draw_down("2C")

    # ---- round

    def announced(self, *seats: int) -> "Evening":
        return self.act("take-bets", DEALER, seats=list(seats or (1,))).act("announce-no-more-bets", DEALER)

    def deal(self, *seats: int) -> "Evening":
        self.announced(*seats)
        for _ in range(2 * len(seats or (1,)) + 1):
            self.draw("9D")
        return self.draw_down("KH")

    def turn(self, card: str = "KH") -> "Evening":
        face = self.lay_hidden(card, -1)
        return self.act("turn-hole-card", DEALER, card=face, salt=SALT.hex(), seal_differs=False)

    def settled(self) -> "Evening":
        return self.act("confirm-settled", DEALER)

    def collected(self) -> "Evening":
        return self.settled().act("collect-cards", DEALER)

    def put_back(self, cards: int) -> "Evening":
        return self.act("begin-putting-back", DEALER).card_in(cards).act("end-putting-back", DEALER)

    def whole_round(self) -> "Evening":
        """The first: four cards and the burnt one go back."""
        return self.deal(1).turn().collected().put_back(5)

    # ---- holds

    def attend(self, hold: int, role: str = CHIEF) -> "Evening":
        return self.act("attend-hold", role, hold=hold)

    def clear(self, hold: int, role: str = CHIEF) -> "Evening":
        return self.act("clear-hold", role, hold=hold)

    def confirm(self, hold: int, role: str = CHIEF) -> "Evening":
        return self.act("confirm-hold", role, hold=hold)

    def jam(self, cards: int = 1, place: str = "mouth") -> "Evening":
        inside = self.machine.inside if place == "feed" else _more(self.machine.inside, 0)
        body = {"place": place, "cards": cards}
        jams = self.machine.jams + 1
        return self.shuffler("shuffler-jammed", body, jams=jams, jammed=True, path_blocked=True, inside=inside)

    def freed(self) -> "Evening":
        """The lid opened, the card taken out of the mouth and laid in the rack, the lid closed."""
        self.shuffler("lid-opened", lid_open=True).shuffler("jam-path-cleared", path_blocked=False)
        self.shuffler("lid-closed", lid_open=False)
        return self.act("state-cards-moved", CHIEF, source="jammed", target="rack", count=1)

    def recounted(self, inside: int) -> "Evening":
        request = self.machine.recounts + 1
        return self.shuffler(
            "shuffler-recounted", {"request": request, "inside": inside}, recounts=request, inside=inside
        )

    def released(self) -> "Evening":
        return self.shuffler("jam-released", jammed=False)

    def counted(self, **places: int) -> "Evening":
        counts = dict.fromkeys(("rack", "table", "pending", "in_hand", "outside"), 0)
        return self.act("state-count", CHIEF, **counts | places)

    def jam_ended(self, hold: int) -> "Evening":
        """A card in the mouth, freed to the rack: the way out by the book."""
        inside = (self.machine.inside or 0) - 1
        self.jam().attend(hold).freed().clear(hold).released().recounted(inside)
        return self.confirm(hold)

    # ---- closing

    def unloading(self) -> "Evening":
        self.act("indicate-closing", DEALER).act("sign-in", CHIEF, operation="unloading")
        return self.act("begin-unloading", DEALER).recounted(self.machine.inside or 0)

    def unloaded(self, faces: tuple[str, ...] = FACES) -> "Evening":
        for face in faces:
            self.card_out().read(face)
        return self.act("complete-unloading", DEALER)

    def closed(self) -> "Evening":
        return self.unloading().unloaded().act("confirm-deck-check", DEALER)

    def whole_session(self) -> "Evening":
        return self.in_play().whole_round().closed()


def _more(inside: int | None, cards: int) -> int | None:
    return None if inside is None else inside + cards
