"""A world told as a story: time, who, what, which device, which hold, which fault."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import assert_never

from controller.runtime.answers import Answer, Done, Failed, Refused
from controller.runtime.gate import BadValues
from controller.runtime.happenings import Happening
from simulators.people.doing import Ask, Touch
from simulators.world.faults import ROWS, PlannedFault
from simulators.world.host import Person
from simulators.world.world import START_S, World

Tell = Callable[[str], None]


@dataclass(slots=True)
class Storyteller:
    """Watches a world and tells each line as it happens."""

    world: World
    tell: Tell

    def watch(self) -> None:
        """From now on."""
        world = self.world
        world.crew.on_deed = self._deed
        world.crew.on_answer = self._answer
        world.mischief.scene.on_met = self._fault
        world.host.on_happening = self._happening
        world.host.on_power = self._power
        for fault in world.mischief.scene.planned:
            self.tell(f"planned: {describe(fault)}")

    def _say(self, who: str, what: str) -> None:
        seconds = self.world.clock.now_s - START_S
        minutes, seconds = divmod(seconds, 60)
        self.tell(f"{int(minutes):4}:{seconds:06.3f}  {who:<16}  {what}")

    def _deed(self, person: Person, deed: Ask | Touch) -> None:
        self._say(person.role.value.replace("_", " "), _deed_words(deed))

    def _answer(self, person: Person, ask: Ask, answer: Answer | BadValues | None) -> None:
        match answer:
            case Done():
                pass
            case Refused():
                self._say("controller", f"refuses {ask.act}: {answer.refusal.guard} ({answer.refusal.clause})")
            case Failed():
                self._say("controller", f"does not take {ask.act} of {person.number}: {answer.trouble.value}")
            case BadValues():
                self._say("controller", f"cannot read the values of {ask.act}")
            case None:
                self._say("controller", f"gives no answer to {ask.act}")
            case _:
                assert_never(answer)

    def _fault(self, fault: PlannedFault) -> None:
        self._say("FAULT", describe(fault))

    def _happening(self, happening: Happening) -> None:
        if happening.name in {"act", "act-refused"}:
            return
        values = " ".join(f"{name}={value}" for name, value in happening.values if value != "")
        self._say("controller", f"{happening.name} {values}".rstrip())

    def _power(self, what: str) -> None:
        self._say("controller", what)


def describe(fault: PlannedFault) -> str:
    """A planned fault in one line."""
    row = ROWS[fault.kind]
    where = f" at the {fault.device.value.replace('_', ' ')}" if fault.device else ""
    long = f", for {fault.for_s:.1f} s" if row.for_s != (0.0, 0.0) else ""
    return f"#{fault.number} {fault.kind.value}{where}: {row.what} ({row.moment.name.lower()} {fault.at}{long})"


def _deed_words(deed: Ask | Touch) -> str:
    if isinstance(deed, Touch):
        return f"[hands] {deed.hand}"
    return "asks: " + " ".join(deed.words)


def tell_to(tell: Tell) -> Callable[[World], None]:
    """What `run_world` takes to have a world told."""
    return partial(_watch, tell)


def _watch(tell: Tell, world: World) -> None:
    Storyteller(world, tell).watch()
