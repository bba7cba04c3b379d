"""What is worked out from cards and stakes, each by the clauses that it computes. One row a function."""

from typing import Final

from controller.core.computation import Computation

COMPUTATIONS: Final = (
    Computation("card_value", ("pt.bj.6b", "pt.bj.6c", "br.values.1", "house.3", "mo.8")),
    Computation("hand_points", ("pt.bj.6a1", "br.values.1", "house.3", "mo.8")),
    Computation("points", ("pt.bj.32", "house.13")),
    Computation("is_below_its_total", ("pt.bj.6a2", "br.ex.12b")),
    Computation(
        "is_blackjack",
        ("pt.bj.1a", "pt.bj.20b", "house.2", "house.11b", "mo.10.1", "mo.10.6b", "br.values.2", "br.pairs.6b"),
    ),
    Computation(
        "result",
        (
            *("pt.bj.1b", "pt.bj.20a", "house.1", "house.2"),
            *("mo.7.2", "mo.9", "mo.10.4", "mo.10.5", "mo.10.6a", "mo.11.1", "mo.11.2"),
            *("br.play.2", "br.play.5", "br.play.6", "br.play.8b", "br.play.8c"),
            *(f"br.ex.{number}" for number in range(1, 11)),
        ),
    ),
    Computation(
        "settle_bet",
        (
            *("pt.bj.21a", "pt.bj.23", "pt.bj.24a", "pt.bj.25", "house.17", "house.18", "house.19"),
            *("mo.10.2", "mo.10.7", "br.play.7", "br.play.9", "br.pairs.2", "br.ex.12a"),
        ),
    ),
    Computation(
        "may_bet",
        ("house.5", "house.6a", "house.7a", "mo.3.3", "br.bets.2", "br.players.4b", "br.players.6"),
    ),
    Computation("may_insure", ("br.ins.3",)),
    Computation("may_insure_with", ("pt.bj.15c",)),
    Computation("bets_of_new_hand", ("pt.bj.28a", "pt.bj.28b", "mo.16.2")),
    Computation("bets_of_doubled_hand", ("pt.bj.30", "house.14")),
    Computation(
        "settle_insurance",
        ("pt.bj.33c", "house.15b", "mo.12.2", "mo.12.3", "br.ins.4", "br.ins.5", "br.ex.11"),
    ),
    Computation("special_prizes", ("mo.15",)),
    Computation("settle_any_pair", ("mo.13.1", "mo.13.1.1", "mo.13.1.2", "mo.14.1")),
    Computation(
        "settle_sevens",
        ("mo.13.2.1", "mo.13.2.2", "mo.14.2", "mo.14.2.1", "mo.14.2.2", "mo.14.2.3", "mo.14.2.4"),
    ),
    Computation("settle_over_under", ("mo.14.3",)),
    Computation("first_cards", ("pt.bj.42", "pt.bj.46")),
    Computation("wins", ("pt.bj.42", "pt.bj.43a", "pt.bj.43b", "pt.bj.46")),
    Computation("hit", ("pt.bj.43a", "pt.bj.50a")),
    Computation("next_payment", ("pt.bj.50a", "pt.bj.50b")),
)
