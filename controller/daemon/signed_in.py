"""The people who are signed in: their rights, their names, and the cards' faces, which are sent only to them."""

import asyncio

from controller.catalogue import Language, sentence
from controller.core.words import Person
from controller.daemon.language_views import LanguageViews
from controller.daemon.limits import terminal_of
from controller.daemon.rights import Right, Rights, end_of, is_purpose
from controller.daemon.server import Client
from controller.protocol.lines import (
    Hands,
    Line,
    PeopleAnswer,
    PersonDocument,
    Request,
    SignedIn,
    SignedOut,
    SignInAnswer,
    encode_line,
)
from controller.protocol.status import HandStatus
from controller.runtime.answers import Vouched
from controller.runtime.kernel import Runtime
from controller.staff import StaffBook


class SignedInPeople:
    """The rights by connection, the casino's people, and the hands of cards last sent to each signed-in connection."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, runtime: Runtime, views: LanguageViews, language: Language
    ) -> None:
        self._loop = loop
        self._runtime = runtime
        self._views = views
        self._language = language
        self.rights = Rights()
        self.people: tuple[PersonDocument, ...] = ()
        self._told_hands: dict[Client, list[HandStatus]] = {}

    def staff_known(self, book: StaffBook) -> None:
        """Stores the casino's people, and signs out those who were removed or have a new role, PIN or badge."""
        self.people = tuple(PersonDocument(one.number, one.name, one.role.value) for one in book.people)
        self._tell_ended(self.rights.removed(book))

    def end_rights(self) -> None:
        """Signs out the people whose rights are over after a change of the table's state or after some time."""
        self._tell_ended(self.rights.ended(self._runtime.ledger.latest, self._loop.time()))

    def used(self, client: Client) -> Right | None:
        """Returns the connection's right and sets its time of use to now. Returns None if no person is signed in over
        it.
        """
        right = self.rights.of(client)
        if right is not None:
            right.used_s = self._loop.time()
        return right

    def has_proven(self, client: Client, request: Request) -> None:
        """Renews the rights that the request's person has at its screen. Call it when the request's credential was
        right.
        """
        if request.person is not None and request.terminal:
            terminal = terminal_of(client.user, request.terminal)
            self.rights.used_by(Person(request.person), terminal, self._loop.time())

    def right_for(self, client: Client, request: Request) -> Right | None:
        """Returns the right under which the request is made, and sets the right's time of use to now. Returns None if
        no person is signed in over the connection, if the request names another person, or if the request has a PIN or
        badge.
        """
        right = self.rights.of(client)
        if right is None or request.pin is not None or request.badge or request.person != right.person:
            return None
        return self.used(client)

    def sign_in(self, client: Client, request: Request, vouched: Vouched) -> Line:
        """Gives the connection the right of a person whose credential was right, and returns the answer for the client.

        Returns an error if the person's role or the table's state does not permit the purpose.
        """
        speaker = self._views.of(request.language).speaker
        terminal = terminal_of(client.user, request.terminal)
        right = Right(vouched.person, vouched.role, request.purpose, self._loop.time(), terminal)
        if not is_purpose(right.purpose, right.role):
            return speaker.error(request.id, "not-this-person")
        if end_of(right, self._runtime.ledger.latest, right.used_s):
            return speaker.error(request.id, "not-for-this")
        client.listens = True  # the person may stay idle for as long as the right lasts
        self.rights.give(client, right)
        self._told_hands.pop(client, None)
        name = next((one.name for one in self.people if one.number == right.person), "")
        return SignInAnswer(request.id, SignedIn(right.person, name, right.role.value, right.purpose))

    def list_people(self, client: Client, request: Request) -> Line:
        """Returns the answer with the casino's people. Returns an error if no person is signed in over the
        connection.
        """
        if self.rights.of(client) is None:
            return self._views.of(request.language).speaker.error(request.id, "not-signed-in")
        return PeopleAnswer(request.id, list(self.people))

    def tell_hands(self) -> None:
        """Sends signed-in people the faces of the cards on the table, if the faces have changed."""
        signed_in = self.rights.clients()
        now = self._runtime.game.screen().hands(self._runtime.ledger.durable) if signed_in else []
        for client in signed_in:
            if self._told_hands.get(client) != now:
                client.send(encode_line(Hands(now)))
        self._told_hands = dict.fromkeys(signed_in, now)

    def _tell_ended(self, ended: list[tuple[Client, str]]) -> None:
        for client, why in ended:
            client.send(encode_line(SignedOut(why, sentence(f"signed-out.{why}", (), self._language))))
