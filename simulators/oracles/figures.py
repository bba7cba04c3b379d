"""The figures that an observer goes by: those of profile and equipment, as plain numbers and words."""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from simulators.oracles.export_reader import Entry, is_whole


@dataclass(frozen=True, slots=True)
class Procedure:
    """Which of the regulations' alternatives this table follows: what `sabot profile show` says, word for word."""

    machine: str = "shuffler"
    opening_check: str = "display"
    shuffle_passes: int = 1
    shuffle_each_deck: bool = False
    cut: str = "none"
    cut_fallback: str = "none"
    warning_card: str = "none"
    warning_card_behind: int = 0
    warning_card_from_decks: int = 0
    warning_card_middle_if_alone: bool = False
    loading_supervised: bool = True
    burn_each_deck: bool = False
    burn_each_round: str = "none"
    burn_place: str = "rack"
    player_cards: str = "up"
    bank_second_card: str = "hole"
    misdealt_unseen: str = "next-who-asks"
    misdealt_seen: str = "discard"
    face_up_card: str = "discard"
    bank_extra_card: str = "discard"
    bets_close: str = "before-deal"
    last_round: str = "none"
    last_round_voided: bool = False
    shuffle_at_will: bool = False
    spread_on_interruption: bool = False
    put_back: str = "after-each-round"
    leftovers: str = "stay-in-rack"
    complaints: str = "until-put-back"
    damaged_card: str = "card"
    incident_authority: str = "chief_supervisor"
    unloading_supervised: bool = True
    back_colours: int = 1
    last_round_below: int = 0
    deck_replaced_at_check: bool = True
    deck_replaced_at_closing: bool = False


@dataclass(frozen=True, slots=True)
class Figures:
    """One table's figures; times in milliseconds of table time."""

    decks: int  # pt.bj.3a
    seats: int  # pt.bj.2
    min_packets: int = 2  # pt.bj.54b
    loads_per_session: int = 1  # pt.bj.54c; 0: as often as the cards are mixed
    burn_cards: int = 1  # pt.bj.10
    presence_timeout_ms: int = 180_000  # pt.bj.54d [R]
    join_ms: int = 2_000  # DESIGN 4
    difference_ms: int = 2_000  # DESIGN 4
    reserve_cards_per_hand: int = 6  # pt.bj.60a [R]
    has_reader: bool = True
    procedure: Procedure = Procedure()
    grace_ms: int = 1_000  # what a controller may take to act on a timer or on its people
    stop_ms: int = 5_000  # what a machine may take to stop once it was told (it locks itself after 2 s of silence)

    @property
    def cards(self) -> int:
        """Cards of the deck set."""
        return 52 * self.decks

    @property
    def has_shuffler(self) -> bool:
        """Cards are dealt from a shuffler: not from a shoe or a box."""
        return self.procedure.machine == "shuffler"

    @property
    def supervisors(self) -> frozenset[str]:
        """The posts with a chief supervisor's powers: where the inspector decides incidents, he too (br.staff.3)."""
        return frozenset(("chief_supervisor", self.procedure.incident_authority))


_PARAMETERS = (
    *("min_packets", "loads_per_session", "burn_cards", "presence_timeout_ms", "join_ms", "difference_ms"),
    "reserve_cards_per_hand",
)
BOUND = ("decks", "seats", "has_reader", *_PARAMETERS)
"""The figures that stand in a table's setup, beside its procedure."""

PROCEDURE = tuple(field.name for field in fields(Procedure))


def figures_bound_by(entry: Entry) -> Figures:
    """The figures that a `controller-started` entry says it runs with. KeyError where it is none."""
    setup = entry.part("setup")
    numbers = _numbers(setup, ("decks", "seats"))
    parameters = setup["parameters"]
    if isinstance(parameters, dict):
        numbers |= _numbers(parameters, _PARAMETERS)
    return Figures(**numbers, has_reader=setup["has_reader"] is True, procedure=_procedure(setup["procedure"]))


def _numbers(part: Mapping[str, object], names: tuple[str, ...]) -> dict[str, int]:
    return {name: value for name in names if is_whole(value := part[name])}


def _procedure(part: object) -> Procedure:
    """Journals of earlier releases lack what every table did alike then."""
    chosen = part if isinstance(part, dict) else {}
    return Procedure(**{name: chosen[name] for name in PROCEDURE if name in chosen})
