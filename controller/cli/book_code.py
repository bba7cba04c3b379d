"""Reads the code for the inspection's book from the controller after a session has opened or closed, and prints it."""

from io import StringIO
from typing import Final

from controller.cli.client import Client
from controller.cli.connection import failure_of
from controller.cli.render import code_in, decode_status
from controller.cli.talk import Talk
from controller.protocol.status import SessionStep

SHOWN_IN: Final = {
    "open-session": SessionStep.OPENED,
    "abandon-opening": SessionStep.CLOSED,
    "confirm-deck-check": SessionStep.CLOSED,
    "confirm-irregular-closing": SessionStep.CLOSED,
}
"""The acts that may open or close a session, each with the session's step after it."""


def code_after(act: str, client: Client) -> str | None:
    """Returns the journal's code after an act that opened or closed the session. Returns None after any other act.

    Raises CliFailure, Unreachable.
    """
    if act not in SHOWN_IN:
        return None
    answer = client.ask("status")
    if answer.status is None:
        raise failure_of(answer)
    status = decode_status(answer.status)
    return code_in(status) if status.session == SHOWN_IN[act] else None


def show(code: str, talk: Talk) -> None:
    """Prints the code and a QR code with the code's text. With JSON prints nothing."""
    import segno

    talk.result(code)
    picture = StringIO()
    segno.make(code, micro=False).terminal(picture, compact=True)
    talk.result(picture.getvalue().rstrip("\n"))
