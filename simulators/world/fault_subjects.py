"""What a procedure has that a fault can befall: the conditions in the rows of faults.py."""

from controller.core.choices import BankSecond, Cut, Machine, OpeningCheck, WarningCard
from controller.core.setup import Procedure


def spoken_cards(procedure: Procedure) -> bool:
    """No device counts: what was dealt is said."""
    return procedure.machine is Machine.BOX


def hand_mixing(procedure: Procedure) -> bool:
    return procedure.machine is not Machine.SHUFFLER


def a_shuffler(procedure: Procedure) -> bool:
    return procedure.machine is Machine.SHUFFLER


def counted_decks(procedure: Procedure) -> bool:
    return procedure.opening_check is OpeningCheck.COUNT


def a_cut(procedure: Procedure) -> bool:
    return procedure.cut is not Cut.NONE


def warning_card(procedure: Procedure) -> bool:
    return procedure.warning_card is not WarningCard.NONE


def two_backs(procedure: Procedure) -> bool:
    return procedure.back_colours > 1


def hole_card(procedure: Procedure) -> bool:
    return procedure.bank_second_card is BankSecond.HOLE
