"""The view of `sabot status --watch`: the lines that fit on the screen, most urgent first."""

from enum import StrEnum, unique
from textwrap import wrap
from typing import Final

from msgspec import Struct

from controller.catalogue import Language
from controller.cli.commands import command
from controller.cli.render import Page, code_in
from controller.protocol.status import HoldStatus, Status, StepState, StepStatus

NARROWEST: Final = 40
FEWEST_ROWS: Final = 6


@unique
class Look(StrEnum):
    """The look of a line on the screen: the parameters of the terminal's SGR sequence."""

    PLAIN = ""
    BANNER = "1;7"
    HELD = "1;30;43"
    NOW = "1"
    QUIET = "2"


class Line(Struct, frozen=True, gc=False):
    text: str
    look: Look = Look.PLAIN

    def painted(self, columns: int, *, in_colour: bool) -> str:
        """Returns the text with the terminal sequences of its look. Without colour returns only the text.

        A banner or a hold's line is padded to `columns`, so that its colour is seen from afar.
        """
        if not in_colour or not self.look:
            return self.text
        text = self.text.ljust(columns) if self.look in {Look.BANNER, Look.HELD} else self.text
        return f"\x1b[{self.look.value}m{text}\x1b[0m"


class Screen(Struct, frozen=True, gc=False):
    """The terminal that shows the view. `devices`: True if the view lists every device; otherwise only devices without
    a connection. `lost_at`: the time at which the connection to the controller was lost; "" during a connection.
    """

    columns: int
    rows: int
    devices: bool = False
    lost_at: str = ""


def watch_lines(status: Status, language: Language, screen: Screen) -> list[Line]:
    """Returns the lines of the view, cut to the screen's height and width, but at least to FEWEST_ROWS and NARROWEST.
    Does not cut a long word of a command.
    """
    sheet = _Sheet(status, language, screen)
    sheet.banner()
    for hold in status.holds[:1]:
        sheet.hold(hold)
    for hold in status.holds[1:]:
        sheet.also(hold)
    for hold in status.holds[:1]:
        sheet.other_steps(hold)
    if not status.holds:
        sheet.next()
    sheet.devices()
    sheet.figures()
    return sheet.fitted()


class _Sheet:
    """Collects the lines of one screen."""

    def __init__(self, status: Status, language: Language, screen: Screen) -> None:
        own = next((known for known in Language if known.value == status.language), language)
        self._page = Page(own)
        self._status = status
        self._screen = screen
        self._columns = max(screen.columns, NARROWEST)
        self._lines: list[Line] = []

    def fitted(self) -> list[Line]:
        """Returns the lines that fit on the screen. If there are more, the last line tells how many are left out."""
        rows = max(self._screen.rows, FEWEST_ROWS)
        lines = self._lines
        if len(lines) > rows:
            more = self._page.words("watch-more", count=str(len(lines) - rows + 1))
            lines = [*lines[: rows - 1], Line(more[: self._columns], Look.QUIET)]
        if self._screen.lost_at:
            lines = [lines[0], *(Line(line.text, Look.QUIET) for line in lines[1:])]
        return lines

    def say(self, key: str, look: Look = Look.PLAIN, **values: str) -> None:
        self._wrapped(self._page.words(key, **values), look)

    def _wrapped(self, text: str, look: Look = Look.PLAIN, indent: str = "") -> None:
        for number, line in enumerate(wrap(text, self._columns, subsequent_indent="  ", initial_indent=indent)):
            self._lines.append(Line(f"{indent if number else ''}{line}"[: self._columns], look))

    def banner(self) -> None:
        """Adds the table's name, and a line with its first hold or its state. A lost connection is shown above both."""
        status = self._status
        if self._screen.lost_at:
            self.say("watch-lost", Look.HELD, time=self._screen.lost_at)
        simulated = self._page.words("simulated") if status.simulated else ""
        numbers = {"session": str(status.session_number), "round": str(status.round_number)}
        self._wrapped(f"{self._page.words('title', table=status.table, **numbers)}  {simulated}".strip(), Look.QUIET)
        if status.holds:
            hold = status.holds[0]
            place = hold.place or hold.device or "-"
            self.say("watch-held", Look.HELD, id=hold.id, kind=hold.kind, place=place)
        else:
            self._wrapped(status.state or status.session, Look.BANNER)

    def hold(self, hold: HoldStatus) -> None:
        """Adds the sentence of `hold`, and its next step with the commands for that step."""
        self._wrapped(hold.text or hold.kind)
        if not hold.recorded:
            self.say("not-recorded", Look.QUIET)
        for step in _now(hold):
            self._lines.append(Line(""))
            self._step(hold, step, Look.NOW)
            for act in step.acts:
                self._command(command(act))

    def also(self, hold: HoldStatus) -> None:
        """Adds one line for a hold after the first."""
        text = self._page.words("watch-also", id=hold.id, text=hold.text or hold.kind)
        self._lines.append(Line(text[: self._columns], Look.NOW))

    def other_steps(self, hold: HoldStatus) -> None:
        """Adds the hold's steps other than the next one: done, skipped or later."""
        self._lines.append(Line(""))
        for step in hold.plan:
            if step not in _now(hold):
                self._step(hold, step, Look.QUIET)

    def _step(self, hold: HoldStatus, step: StepStatus, look: Look) -> None:
        mark = {StepState.DONE: "+", StepState.NEXT: ">", StepState.LATER: " ", StepState.SKIPPED: "-"}[step.state]
        number = str(hold.plan.index(step) + 1)
        text = self._page.words("watch-step", number=number, text=step.text, who=",".join(step.who))
        if look is Look.QUIET:  # a step that is not next gets one line
            self._lines.append(Line(f"{mark} {text}"[: self._columns], look))
        else:
            self._wrapped(f"{mark} {text}", look)

    def _command(self, text: str) -> None:
        """Adds a command that can be copied into a shell. Breaks a long one into lines that end with a backslash."""
        lines = wrap(text, self._columns - 8, break_long_words=False, break_on_hyphens=False)
        for number, line in enumerate(lines):
            indent = "      " if number else "    "
            self._lines.append(Line(indent + line + (" \\" if number < len(lines) - 1 else ""), Look.NOW))

    def next(self) -> None:
        """Adds the card that is due next, and one line for each act that is possible now."""
        status = self._status
        if status.owed is not None:
            key = "owed-burn" if status.owed.seat is None else "owed"
            self.say(key, Look.NOW, seat=str(status.owed.seat))
        self.say("next" if status.next else "nothing-next")
        for entry in status.next:
            text = self._page.next_act(entry)
            self._lines.append(Line(text[: self._columns]))

    def devices(self) -> None:
        """Adds the devices without a connection. With `Screen.devices` adds all devices, and the quality of their
        lines.
        """
        for kind, device in self._status.devices.items():
            if self._screen.devices or not device.connected:
                look = Look.PLAIN if device.connected else Look.NOW
                link = self._page.words("connected" if device.connected else "not-connected")
                self.say("device", look, device=kind, text=device.text or link)
            if self._screen.devices and device.quality:
                self._wrapped(device.quality, Look.QUIET, "      ")

    def figures(self) -> None:
        """Adds the less urgent lines: duties, people, cards, the journal."""
        status = self._status
        self._lines.append(Line(""))
        for duty in status.duties:
            self.say("duty", id=duty.id, text=duty.text or self._page.words("duty-kind", kind=duty.kind), who=duty.who)
        self._wrapped(self._page.present(status))
        for line in self._page.cards(status):
            self._wrapped(line)
        lag_s = f"{status.journal.lag_ms / 1000:.1f}"
        journal = "journal-slow" if status.journal.slow else "journal"
        self.say(journal, Look.PLAIN, seq=str(status.journal.seq), lag_s=lag_s)
        if not status.journal.waiting and (code := code_in(status)) is not None:
            self.say("journal-code", Look.PLAIN, code=code)


def _now(hold: HoldStatus) -> list[StepStatus]:
    return [step for step in hold.plan if step.state is StepState.NEXT]
