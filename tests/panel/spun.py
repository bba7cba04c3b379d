"""A table of roulette, played by the core itself. The wheel gives the numbers of a list, one after the other."""

from collections.abc import Mapping

from controller.catalogue import Language
from controller.catalogue.words import refusal_words
from controller.core.games.roulette.wheel import BallLaunched, SpinEnded
from controller.core.house.permitted import offered
from controller.protocol.status import DeviceStatus, HandStatus, NextStatus, Status
from controller.runtime.game import game_of
from controller.scenario.table import make_table
from controller.scenario.wheel_player import WheelPlayer
from controller.scenario.words import vocabulary_of
from controller.screen.status import differences_status, hold_status, waiting_status


class Spun:
    """A table in play from the start (satisfies the interface of `Served`)."""

    profile = "pt-roulette"
    hands: list[HandStatus] = []  # noqa: RUF012 - a wheel deals none

    def __init__(self, *numbers: int, **settings: str) -> None:
        table = make_table(self.profile, [("tracks", "bets"), ("value_display", "yes"), *settings.items()])
        assert not table.problems
        self.player = WheelPlayer(table.setup)
        self.player.start()
        vocabulary_of(self.profile).steps["in-play"].do(self.player, ())
        self.numbers = list(numbers)

    def ask(self, act: str, values: Mapping[str, str], role: str = "dealer") -> str:
        """Does the act, and lets a connected wheel report its part. Returns the reason of a refusal, else ""."""
        self.player.act(role, act, values)
        if self.player.refusal is not None:
            return refusal_words(self.player.refusal, Language.EN).reason
        if not self.player.state.setup.has_wheel:
            return ""
        if act == "launch-ball":
            self.player.game += 1
            self.player.put(BallLaunched(self.player.game, rotor_clockwise=not self.player.state.wheel.clockwise))
        if act == "announce-nothing-more":
            self.player.put(SpinEnded(self.player.game, self.numbers.pop(0)))
        return ""

    @property
    def status(self) -> Status:
        state = self.player.state
        game = game_of(self.profile)
        part = game.screen().part(state, state)
        return Status(
            table="roulette-1",
            simulated=True,
            language="en",
            profile=self.profile,
            session=state.house.session.value,
            session_number=1,
            round=state.game.phase.value,
            round_number=state.game.number,
            figures=part.figures,
            wheel=part.wheel,
            holds=[hold_status(game, state, state, hold, Language.EN) for hold in state.house.holds],
            waiting=waiting_status(game, state, Language.EN),
            differences=differences_status(state, Language.EN),
            devices={"roulette_wheel": DeviceStatus(connected=True), "value_display": DeviceStatus(connected=True)},
            next=[NextStatus(act, [role.value for role in who]) for act, who in offered(self.player.registry, state)],
        )
