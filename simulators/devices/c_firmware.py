"""Simulated devices whose firmware is the C core. Only the mechanism and people's deeds are simulated in Python."""

from collections.abc import Callable
from functools import cached_property
from typing import ClassVar, Final, Generic

from firmware_protocols.tdp.link import DeviceIdentity
from firmware_protocols.tdp.pairable_link import PairableLink
from simulators.c.build import device_program
from simulators.c.firmware import CLink, CProgram, who
from simulators.devices.firmware import OFF_S, CommandT, EventT, Power, StatusT, TdpFirmware

U32: Final = 2**32
POWER_ON: Final = 1


class CFirmware(TdpFirmware[StatusT, CommandT, EventT], Generic[StatusT, CommandT, EventT]):
    """The base class of simulated devices whose counts, permissions and messages come from the C core."""

    program: ClassVar[Callable[[str], CProgram]] = lambda kind: CProgram(device_program(), kind)

    _asked = 0  # the work asked of the mechanism at the last look
    _has_disobeyed = False
    _begun = 0  # the newest boot, as counted here: a core that has lost its number draws another one

    @cached_property
    def _core(self) -> CLink:
        made = CLink(type(self).program(self._schema.kind.name.lower().replace("_", "-")))
        made.tell(0.0, "first", self._boot)
        return made

    def _tell(self, event: EventT, now_s: float) -> None:
        """Passes an event of the mechanism on to the C core."""

    def _start_words(self) -> tuple[int, ...]:
        """Returns the words that follow the boot's cause in the line of text that starts a boot of the C core. The base
        class has none.
        """
        return ()

    # ---- replaced by the C core

    def _status(self) -> StatusT:
        return self._schema.decode_status(self._core.last.status)

    def _is_silence_news(self) -> bool:
        last = self._core.last
        return (self._shown_block, self._asked) != (last.status, last.wants)

    def _post(self, event: EventT, now_s: float) -> None:
        self.before_talk()
        if self._power is Power.ON:
            self._tell(event, now_s)

    def _begin(self, now_s: float) -> None:
        core = self._link = self._core
        core.data_to_send()  # drops bytes of the boot before
        if self._begun >= self._boot:  # the boot number is used again, as a fault
            core.tell(now_s, "again")
        self._begun = self._boot
        core.tell(now_s, "who", who(self._identity, pairable=self._is_pairable))
        core.tell(now_s, "start", POWER_ON, *self._start_words())
        self._has_disobeyed = False
        self._settle(now_s)

    def receive_data(self, data: bytes, now_s: float) -> None:
        if self._has_disobeyed is not self.disobeys:
            self._has_disobeyed = self.disobeys
            self._core.tell(now_s, "disobey", int(self.disobeys))
        super().receive_data(data, now_s)

    def _spoil(self, now_s: float) -> None:
        """Makes the C core draw its next boot number."""
        self.reboot(now_s, off_s=OFF_S, forget_counts=True)

    @property
    def _is_pairable(self) -> bool:
        return issubclass(self.link_type, PairableLink)

    def identify_as(self, identity: DeviceIdentity) -> None:
        super().identify_as(identity)
        if self.pairing.key is not None:
            self._core.tell_now("key", self.pairing.key.hex())

    def switch_pairing_on(self, now_s: float) -> bool:
        if self._is_pairable:
            self.before_talk()
            self._core.tell(now_s, "switch")
            self._settle(now_s)
        return self._is_pairable

    def _settle(self, now_s: float) -> None:
        super()._settle(now_s)
        self._asked = self._core.last.wants

    def _lock_down(self) -> None:
        """Does nothing: the C core itself withdraws its permissions."""

    def _lower_counts(self, by: int) -> None:
        self._core.tell_now("add", -by % U32)
