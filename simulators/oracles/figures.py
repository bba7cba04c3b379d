"""The parameters of a table, taken from profile and equipment, as plain numbers and words for the oracles."""

from collections.abc import Mapping
from dataclasses import dataclass

from simulators.oracles.export_entries import Entry, as_object, whole


@dataclass(frozen=True, slots=True)
class Figures:
    """The parameters of one table. Times are in milliseconds of table time."""

    setup: Mapping[str, object]  # the whole setup
    cards: int  # the number of cards in the deck set (pt.bj.3a)
    has_reader: bool
    has_shuffler: bool  # cards are dealt from a shuffler, not from a shoe or a box
    supervisors: frozenset[str]  # the posts with a chief supervisor's powers
    supervised: frozenset[str]  # operations that a chief supervisor must watch
    extra_card_waits: bool  # the bank's extra card may be the first card of the next round
    presence_timeout_ms: int  # pt.bj.54d [R]
    difference_ms: int  # DESIGN 4
    whole_deck_goes: bool = False  # the whole deck of a damaged card is replaced, or may be
    grace_ms: int = 1_000  # a controller's time to act on a timer or on its people
    stop_ms: int = 5_000  # a machine's time to stop after the command (it locks itself after 2 s of silence)


def figures_bound_by(entry: Entry) -> Figures:
    """Returns the parameters in a `controller-started` entry. Raises KeyError for any other entry."""
    setup = entry.part("setup")
    parameters, procedure = as_object(setup["parameters"]), as_object(setup["procedure"])
    return Figures(
        setup=setup,
        cards=52 * whole(setup, "decks"),
        has_reader=setup["has_reader"] is True,
        has_shuffler=procedure["machine"] == "shuffler",
        # The inspector has these powers where he decides incidents (br.staff.3).
        supervisors=frozenset(("chief_supervisor", str(procedure["incident_authority"]))),
        supervised=frozenset(one for one in ("loading", "unloading") if procedure[f"{one}_supervised"] is True),
        extra_card_waits=procedure["bank_extra_card"] != "discard",
        whole_deck_goes=procedure["damaged_card"] in {"deck", "inspector-decides"},
        presence_timeout_ms=whole(parameters, "presence_timeout_ms"),
        difference_ms=whole(parameters, "difference_ms"),
    )
