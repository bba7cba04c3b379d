"""Plays a demo: in a loop, looks at the table and lets each scripted person do the next deed, until the demo ends."""

import time
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from controller.core.words import HoldKind, Role, RoundPhase, SessionPhase
from controller.protocol.lines import Answer
from simulators.demo.child import ControllerChild
from simulators.demo.equipment import Equipment
from simulators.demo.forms import Forms
from simulators.demo.house import CHIEF, DEALER, GUESTS, INSPECTOR, MANAGER, TECHNICIAN, House
from simulators.demo.incidents import Incidents
from simulators.demo.judged import sighting_in
from simulators.demo.line import GLANCE_S, Line
from simulators.demo.narrator import Narrator
from simulators.demo.options import DemoOptions
from simulators.demo.physical import LampWatch
from simulators.demo.segments import SegmentTail
from simulators.demo.takeover import Takeover
from simulators.kit import procedure_of
from simulators.oracles.cards import Checkpoint
from simulators.oracles.sightings import Sighting
from simulators.people import hands, stakes
from simulators.people.chief import supervise
from simulators.people.choices import Choices
from simulators.people.dealer import deal
from simulators.people.doing import Ask, Doing, Recall, Touch, View
from simulators.people.inspector import inspect
from simulators.people.manager import manage
from simulators.people.out_of_play import banks_total
from simulators.people.sight import Sight, goes_on
from simulators.people.status import TableStatus, read_status
from simulators.people.technician import repair

SHORTEST_ALARM_S: Final = 1.5

QUICK_DEATHS: Final = 5
LOOKS_PASSED_OVER: Final = 4
SIGN_FOLLOWS_S: Final = 5.0


class Post(Struct, frozen=True):
    """One scripted person, with the function that decides on that person's next deed."""

    number: int
    role: Role
    decide: Callable[[View], Doing]


POSTS: Final = (
    Post(TECHNICIAN, Role.TECHNICIAN, repair),
    Post(CHIEF, Role.CHIEF_SUPERVISOR, supervise),
    Post(DEALER, Role.DEALER, deal),
    Post(INSPECTOR, Role.TABLE_INSPECTOR, inspect),
    Post(MANAGER, Role.ROOM_MANAGER, manage),
)


CALLED: Final = (Role.CHIEF_SUPERVISOR, Role.TECHNICIAN)


class Played(Struct):
    """The result of playing a demo, filled in during play."""

    is_over: bool = False
    status: bytes = b"{}"
    looks: list[Checkpoint] = field(default_factory=list)
    sightings: list[Sighting] = field(default_factory=list)
    dark_moments: list[str] = field(default_factory=list)
    stalled: str | None = None


class Stage:
    """Plays one demo: lets the scripted people act, and collects evidence for the oracles. Once `is_stopping` returns
    True, ends its waits early.
    """

    def __init__(
        self,
        options: DemoOptions,
        house: House,
        equipment: Equipment,
        incidents: Incidents,
        child: ControllerChild,
        narrator: Narrator,
        is_stopping: Callable[[], bool],
        forms: Forms,
    ) -> None:
        self._forms = forms
        self._options = options
        self._tempo = options.tempo
        self._house = house
        self._equipment = equipment
        self._incidents = incidents
        self._child = child
        self._narrator, self._heard = narrator, narrator.heard
        self._is_stopping = is_stopping
        self._line = Line(house.socket)
        self._tail = SegmentTail(house.journal)
        self._choices = Choices(options.seed, cards=52 * house.decks, rules_freely=False)
        self._takeovers = {
            CHIEF: Takeover(Role.CHIEF_SUPERVISOR, CHIEF),
            DEALER: Takeover(Role.DEALER, DEALER),
        }
        self._lamp = LampWatch()
        self._table_lamp = LampWatch()
        self._recall = Recall()
        self._recall_digest = ""
        self._seen: tuple[str, Sight] | None = None
        self._changed_s = time.monotonic()
        self._holds_since_s: dict[str, float] = {}
        self._looks: dict[tuple[int, int], Checkpoint] = {}
        self._sightings: dict[int, Sighting] = {}
        self._played = Played()
        self._deaths = 0
        self._has_opened = False

    def play(self) -> Played:
        """Plays until all sessions are over, the demo is stopped, or the table is stuck, and returns the result."""
        self._played.is_over = False
        try:
            while not self._is_stopping() and not self._played.is_over and self._played.stalled is None:
                if not self._step():
                    self._wait_for_a_change()
        finally:
            self._line.hang_up()
        self._played.looks = list(self._looks.values())
        self._played.sightings = list(self._sightings.values())
        self._played.dark_moments = [*self._lamp.dark_moments, *self._table_lamp.dark_moments, *self._short_alarms()]
        return self._played

    def pause(self, seconds: float) -> None:
        """Waits for `seconds` while people read; returns early once the demo is stopped."""
        until_s = time.monotonic() + seconds
        while (left_s := until_s - time.monotonic()) > 0 and not self._is_stopping():
            time.sleep(min(left_s, 0.05))

    # ---- one step

    def _wait_for_a_change(self) -> None:
        """Sleeps a moment, but returns early at a change that people must react to, such as a card in the mouth.

        Sleeps longer while only a machine moves cards by itself: people then have nothing to do.
        """
        began_s = time.monotonic()
        until_s = began_s + self._tempo.look_s
        while time.monotonic() < until_s and not self._is_stopping():
            time.sleep(GLANCE_S)
            sight = self._equipment.look()
            if self._seen is None or not goes_on(self._seen[1], sight):
                return
            if sight != self._seen[1]:
                until_s = began_s + LOOKS_PASSED_OVER * self._tempo.look_s

    def _step(self) -> bool:
        """Looks at the table once and lets people do at most one deed. Returns True after a deed, and also if no deed
        is possible: without a controller, at the end, or after a failure.
        """
        self._look_after_controller()
        if not self._equipment.is_served:
            self._played.stalled = "a simulated device has failed"
        if self._played.stalled:
            return True
        document = self._line.status()
        sight = self._equipment.look()
        if document is None:
            self._wait_for_an_answer(sight)
            return True
        status = read_status(document)
        self._played.status = document
        self._notice(status, sight, document)
        self._has_opened |= status.session is SessionPhase.IN_PLAY
        if self._view(DEALER, status, sight).is_over and self._sign_has_followed(status):
            self._played.is_over = True
            return True
        return self._let_people_act(status, sight)

    def _sign_has_followed(self, status: TableStatus) -> bool:
        """True if the sign shows the amount of the pool, has had SIGN_FOLLOWS_S seconds to show it, or if the table has
        no jackpot.

        A sign on a slow line needs part of a second for a new text. The oracles report a sign that stays wrong.
        """
        late = time.monotonic() - self._changed_s > SIGN_FOLLOWS_S
        return late or status.jackpot is None or self._equipment.shown_cents == status.jackpot.amount_cents

    def _wait_for_an_answer(self, sight: Sight) -> None:
        """Waits a moment while no controller answers, and checks the jam lamp.

        After `stalled_s` seconds without an answer, records the table as stuck, which is a violation.
        """
        now_s, stalled_s = time.monotonic(), self._options.stalled_s
        self._lamp.look(jam_stands=sight.jam_shown, lamp_lit=sight.lamp_lit, now_s=now_s)
        if now_s - self._changed_s > stalled_s:
            self._played.stalled = f"the controller has not answered for {stalled_s:.0f} s"
        self.pause(self._tempo.look_s)

    def _look_after_controller(self) -> None:
        if self._child.pid is not None:
            return
        if self._child.starts:
            lived_s = time.monotonic() - self._child.started_s
            was_killed = self._child.exit_code == -9
            self._deaths = 0 if was_killed or lived_s > 5.0 else self._deaths + 1
            if self._deaths >= QUICK_DEATHS or self._child.exit_code == 2:
                self._played.stalled = f"sabot run ends by itself with exit code {self._child.exit_code}"
                return
            self._narrator.controller_died(self._child.exit_code)
        self._child.start()

    def _notice(self, status: TableStatus, sight: Sight, document: bytes) -> None:
        now_s = time.monotonic()
        if self._seen != (status.state_digest, sight):
            self._seen = (status.state_digest, sight)
            self._changed_s = now_s
        stalled_s = self._options.stalled_s
        if now_s - self._changed_s > stalled_s and not self._guest_in_charge(now_s):
            self._played.stalled = f"nothing has moved for {stalled_s:.0f} s: {status.session} {status.round}"
        entries = self._tail.new_entries()
        if self._heard is not None:
            self._heard.at(document, banks_total(sight.table), now_s - self._changed_s)
            self._heard.look(entries)
        for takeover in self._takeovers.values():
            takeover.look(status, entries, now_s)
        self._holds_since_s = {hold.id: self._holds_since_s.get(hold.id, now_s) for hold in status.holds}
        self._watch_lamp(status, sight, now_s)
        self._narrator.look(status, entries)
        self._keep_evidence(status, document)

    def _guest_in_charge(self, now_s: float) -> bool:
        return bool(self._options.you) or any(takeover.in_charge(now_s) for takeover in self._takeovers.values())

    def _watch_lamp(self, status: TableStatus, sight: Sight, now_s: float) -> None:
        shuffler = status.devices.get("shuffler")
        hears = shuffler is not None and shuffler.connected and not sight.unplugged
        stands = sight.jam_shown or (hears and status.held_by(HoldKind.JAM))
        self._lamp.look(jam_stands=stands, lamp_lit=sight.lamp_lit, now_s=now_s)

        table_lamp = status.devices.get("lamp")
        says_so = status.held_by(HoldKind.JAM) and table_lamp is not None and table_lamp.connected
        self._table_lamp.look(jam_stands=says_so, lamp_lit=self._equipment.parts.lamp_is_lit, now_s=now_s)

    def _short_alarms(self) -> list[str]:
        """Returns a violation for each alarm of the buzzer that was shorter than SHORTEST_ALARM_S seconds.

        Returns none if kills were planned, since a kill may cut an alarm short.
        """
        alarms_s = [] if self._options.kill_at else self._equipment.parts.alarms_s()
        return [f"buzzer: an alarm of {alarm_s:.2f} s" for alarm_s in alarms_s if alarm_s < SHORTEST_ALARM_S]

    def _keep_evidence(self, status: TableStatus, document: bytes) -> None:
        """Stores for the oracles the first status after each entry, and between two rounds, once, the place of every
        card.
        """
        if status.journal.waiting or status.journal.seq in self._sightings:
            return
        sighting = sighting_in(document)
        self._sightings[sighting.seq] = sighting
        key = (status.session_number, status.round_number)
        is_idle = status.session is SessionPhase.IN_PLAY and status.round is RoundPhase.IDLE and not status.holds
        if is_idle and key not in self._looks:
            when = f"session {key[0]} after round {key[1]}"
            claims = {"status": sighting.counts or {}}
            self._looks[key] = Checkpoint(when, self._equipment.listing(), sighting.seq, claims, is_settled=True)

    # ---- people

    def _view(self, person: int, status: TableStatus, sight: Sight) -> View:
        known = status.state_digest == self._recall_digest
        return View(
            status=status,
            sight=sight,
            choices=self._choices,
            person=person,
            rounds=self._options.rounds_a_session,
            sessions=self._options.sessions,
            procedure=procedure_of(self._options.profile),
            quiet_s=time.monotonic() - self._changed_s,
            recall=self._recall if known else Recall(),
        )

    def _let_people_act(self, status: TableStatus, sight: Sight) -> bool:
        for post in POSTS:
            takeover = self._takeovers.get(post.number)
            guest = self._guest_at(post, takeover)
            # Incidents that the script's dealer does not see: a visitor at the post sees and hears them.
            seen = sight if guest is None else msgspec.structs.replace(sight, complaint=None, damaged=None)
            view = self._view(guest or post.number, status, seen)
            if guest is not None:
                view = msgspec.structs.replace(view, choices=replace(self._choices, for_a_guest=True))
                if self._heard is not None and post.role is Role.DEALER:
                    self._heard.bets(*stakes.wishes(view))
            doing = post.decide(view)
            if doing is not None and self._is_a_form_open():
                return False
            if doing is not None and self._do(post, guest, doing, status):
                return True
        return False

    def _is_a_form_open(self) -> bool:
        """True while a visitor fills in a form about the table. The script must then leave the table as it is."""
        now_s = time.monotonic()
        if is_open := self._forms.are_waited_for(now_s):
            self._changed_s = now_s
        return is_open

    def _guest_at(self, post: Post, takeover: Takeover | None) -> int | None:
        if post.role in self._options.you and (self._options.opens or self._has_opened):
            return GUESTS[post.role]
        return takeover.in_charge(time.monotonic()) if takeover else None

    def _do(self, post: Post, guest: int | None, doing: Touch | Ask, status: TableStatus) -> bool:
        """Lets the scripted person at this post do the deed or act. Returns True if it is done.

        If a visitor holds the post, the script still does the deeds. It leaves an act to the visitor, and prints it as
        a hint. A person on the way to the table does nothing.
        """
        if guest is None and self._is_still_walking(post, status):
            return False
        if isinstance(doing, Touch):
            self._touch(doing.hand)
            return True
        if guest is not None:
            if doing.act == "sign-in" and self._heard is not None and status.is_at_table(post.number):
                self._ask(post, Ask("sign-out"), status)  # the page then asks a trainee for his own number
                return True
            self._tell_turn(post, guest, doing)
            return False
        self._ask(post, doing, status)
        return True

    def _tell_turn(self, post: Post, guest: int, doing: Ask) -> None:
        if self._heard is not None and post.role is Role.DEALER:
            self._heard.wish(doing)
        self._narrator.your_turn(guest, doing)

    def _is_still_walking(self, post: Post, status: TableStatus) -> bool:
        """True while the scripted supervisor or technician is on the way to a hold, which takes longer at a jam."""
        is_here = any(person.person == post.number for person in status.present)
        if post.role not in CALLED or is_here or not status.holds:
            return False
        walk_s = self._tempo.walk_s if status.held_by(HoldKind.JAM) else self._tempo.walk_s / 3
        return time.monotonic() - min(self._holds_since_s.values()) < walk_s

    def _touch(self, hand: hands.HandAct) -> None:
        if isinstance(hand, hands.PullCard):
            prank = self._incidents.due(len(self._equipment.room.drawn))
            if prank is not None:
                self._equipment.play_prank(prank)
                self._narrator.prank(prank)
                return
        before = len(self._equipment.room.table)
        self._equipment.do(hand)
        self._narrator.hand(hand, self._equipment.room.table[before:])
        if isinstance(hand, hands.PullCard):
            self.pause(self._tempo.touch_s)

    def _ask(self, post: Post, ask: Ask, status: TableStatus) -> None:
        somebody = self._house.people[post.number]
        if ask.act == "sign-in" and post.number == CHIEF:
            self._equipment.parts.identify(somebody.badge)  # the badge identifies the chief; the PIN signs him in
        answer = self._line.act(ask.act, somebody.number, somebody.pin, ask.values, stays=not ask.gives_pin)
        if answer is None:
            return
        self._remember(ask, answer)
        if answer.ok and ask.act == "call-for-ruling":  # the ruling may come before the caller's next look
            self._equipment.do(hands.AboutDealingError.RULING_IS_CALLED)
        self._narrator.act(post.role, ask, answer)
        if answer.error is not None:
            self.pause(min((answer.error.wait_ms or 50) / 1000, 1.0))
        self._line.wait_until_known(answer)
        is_opening = status.session is not SessionPhase.IN_PLAY
        self.pause(self._tempo.opening_s if is_opening else self._tempo.act_s)

    def _remember(self, ask: Ask, answer: Answer) -> None:
        if answer.refusal is None:
            self._recall = Recall(last_done=ask.act, last_words=ask.words) if answer.ok else Recall()
        else:
            known = self._recall if answer.state_digest == self._recall_digest else Recall()
            self._recall = replace(known, refused={**known.refused, ask.words: answer.refusal.guard})
        self._recall_digest = answer.state_digest or ""
