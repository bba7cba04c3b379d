"""Messages of a wheel as lines, for the tests; the program itself only reads lines."""

from typing import assert_never

from firmware_protocols.cammegh.words import Answered, BonusWon, Message, NumberSaid, Status


def line_of(message: Message) -> bytes:
    """Returns a message as a line with its end, as a wheel sends it."""
    match message:
        case Status(state, game, number, warnings, speed, clockwise):
            came = "  " if number is None else f"{number:2}"
            text = f"*X;{state:d};{game:03};{came};{warnings:X};{speed:03};{0 if clockwise else 1}"
        case BonusWon(bonus, win):
            text = f"*Y;{bonus};{win:3}"
        case NumberSaid(number):
            text = f"{number:2}"
        case Answered(said):
            text = f"*{said}"
        case _:
            assert_never(message)
    return text.encode("ascii") + b"\r\n"
