"""A table whose cards, badge and key are in the test's own hands, with a real controller, panel and shuffler."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from controller.config import read_config
from controller.core.words import Purpose, Role
from controller.staff import load_staff, save_staff
from simulators.demo.equipment import Equipment, set_up
from simulators.demo.incidents import Incidents
from simulators.demo.parts import part_links, part_sections
from simulators.devices.faults import AnyFault, FaultPlan
from simulators.devices.shuffler_firmware import FAST_PACE
from simulators.people.choices import Choices
from simulators.people.hands import AtShuffler, CollectTable, FreedTo, FreeJam, HandOverPacket, PullCard
from simulators.people.stack import TENS, Stack
from tests.daemon.rig import BADGE, CHIEF, DAY, PINS, Rig, Status
from tests.panel.tables import Panel
from tests.waiting import wait_for

SEED = 7
ANOTHER = "127.0.0.2"


class Tablet(NamedTuple):
    """The table as a tablet reaches it."""

    url: str
    pins: dict[int, str]
    socket: Path


class AtHand:
    """A table of four decks that follows hands. `faults`: those of its shuffler. `rig`: its controller."""

    def __init__(self, directory: Path, *faults: AnyFault) -> None:
        directory.mkdir()
        self._faults = FaultPlan(faults)
        self._of_tablet: Panel | None = None
        self.rig = Rig(directory)
        self.rig.host.close()
        self.pins = PINS
        self.socket = self.rig.socket
        text = self.rig.config.read_text().replace("simulated =", 'tracks = "hands"\nsimulated =')
        sections = "\n".join(part_sections(directory))
        self.rig.config.write_text(text.replace("[journal]", f"{sections}\n\n[journal]", 1))
        self._give_badge(directory / "staff.toml")
        self.equipment = self._set_up()
        self.equipment.deal_by(Stack(first=TENS, second=TENS))  # each seat has 20 and stands
        self.equipment.__enter__()
        self.rig.start()
        self.rig.connected()
        self._panel = Panel(self.rig.config)
        self.url = self._panel.url

    @staticmethod
    def _give_badge(path: Path) -> None:
        book = load_staff(path).without(CHIEF, DAY)
        save_staff(book.with_person(CHIEF, f"Person {CHIEF}", Role.CHIEF_SUPERVISOR, PINS[CHIEF], BADGE), path)

    def _set_up(self) -> Equipment:
        config = read_config(self.rig.config, ports_may_be_missing=True)
        wires = {one.kind: (one.protocol.value, Path(one.port)) for one in config.devices}
        choices = Choices(SEED, cards=52 * config.table.decks)
        incidents = Incidents(self._faults, FaultPlan(), [])
        links = part_links(self.rig.directory)
        return set_up(config.table.profile, wires, links, choices, incidents, FAST_PACE)

    def end(self) -> None:
        for panel in filter(None, (self._panel, self._of_tablet)):
            panel.end()
        self.rig.stop()
        self.equipment.__exit__(None, None, None)

    def at_tablet(self) -> "Tablet":
        """A panel of the same table at an address at which this computer is not the table's own screen."""
        self._of_tablet = self._of_tablet or Panel(self.rig.config, listen=ANOTHER)
        return Tablet(self._of_tablet.url, self.pins, self.socket)

    # ---- hands

    def feed(self, cards: int, inside: int) -> None:
        """Puts a packet of `cards` cards into the feed; returns when the table counts `inside` cards in the machine."""
        self.equipment.do(HandOverPacket(cards))
        self.equipment.do(AtShuffler.FEED_PACKET)
        self._until(lambda status: status["counts"]["inside"] == inside)

    def burn(self) -> None:
        """Draws the burn card once the machine offers it; returns when bets may be laid."""
        self._until(lambda status: status["owed"] is not None)
        self._draw(self.rig.status())
        self._until(lambda status: status["session"] == "in-play")

    @property
    def is_held(self) -> bool:
        return bool(self.rig.status()["holds"])

    @property
    def is_decided(self) -> bool:
        """True once the bank draws no further card. It waits for the bank's card that is being turned or read, and for
        its entry: the money is that of the entries on the disk.
        """
        self._until(
            lambda status: not (status["face_down"] or status["counts"].get("pending") or status["journal"]["waiting"])
        )
        return bool(self.rig.status()["money"]["is_decided"])

    def deal(self) -> None:
        """Draws each card that is owed; returns once none is owed any more, or at a hold."""
        while not _is_dealt(status := self.rig.status()):
            if status["owed"] is not None:
                self._draw(status)

    def _draw(self, before: Status) -> None:
        """Draws the owed card once the machine offers it; returns when the table knows of the card, or at a hold."""
        wait_for(lambda: self.equipment.look().mouth_open or self.is_held, self.rig.log.read_text)
        if not self.is_held:
            owed, numbers = before["owed"], (before["session_number"], before["round_number"])
            purpose = Purpose(owed["purpose"])
            self.equipment.do(PullCard(purpose, owed["seat"], *numbers, purpose is Purpose.HOLE))
            self._until(lambda status: status["owed"] != owed or status["holds"])

    def collect(self) -> None:
        status = self.rig.status()
        self.equipment.do(CollectTable(status["session_number"], status["round_number"]))

    def put_back(self) -> None:
        """Lays all cards of the rack into the feed; returns when the next bets may be laid."""
        self._until(lambda status: status["round"] == "putting-back")
        self.equipment.do(AtShuffler.FEED_RACK)
        self._until(lambda status: status["round"] == "idle")

    def free_jam(self) -> None:
        """Takes the jammed card out of the machine to the rack; returns when the machine has told of it."""
        for deed in (AtShuffler.OPEN_LID, FreeJam(FreedTo.RACK), AtShuffler.CLOSE_LID):
            self.equipment.do(deed)
        self._until(lambda status: _met(status) >= {"path_is_clear", "lid_is_closed"})

    def turn_key(self, *, on: bool) -> None:
        self.equipment.host.call(lambda now_s: self.equipment.parts.key.turn(now_s, on=on))
        state = "on" if on else "off"
        self._until(lambda status: state in status["devices"]["key_switch"]["text"])

    def hold_badge(self) -> None:
        """Holds the chief supervisor's badge to the reader, with the key turned on, until the table knows it."""
        self.equipment.host.call(lambda _now_s: self.equipment.parts.reader.show(BADGE))
        self._until(lambda status: (status["presented"] or {}).get("by") == "badge-and-key")

    def _until(self, what: Callable[[Status], object]) -> None:
        wait_for(lambda: what(self.rig.status()), lambda: self.rig.status() | {"log": self.rig.log.read_text()[-500:]})


def _is_dealt(status: Status) -> bool:
    return bool(status["holds"]) or not (
        status["owed"] or status["counts"].get("pending") or status["round"] == "dealing"
    )


def _met(status: Status) -> set[str]:
    """The evidence of the open holds that is met."""
    return {one["what"] for hold in status["holds"] for one in hold["evidence"] if one["met"]}
