"""The driver of an Alpha (BetaBrite) sign. The sign shows the jackpot's amount or, as its priority message, a fault.

The amount is in a STRING file of the sign, which a TEXT file includes. The sign does not identify itself.

If the sign can be read, the driver asks for its contents after each write and every CHECK_EVERY_S, and trusts only the
answers. It writes the amount only if it differs from the wish. It writes the memory's lay-out and the TEXT file only if
they differ from ours, since they may lie in flash memory. After a write with unknown outcome it asks the sign before it
writes again.

If the sign cannot be read, the driver only writes, and its status claims only what it wrote. It writes the lay-out once
a connection, the TEXT file TEXTS times, and the amount at each change and every REFRESH_EVERY_S, since no answer
reports a lost byte.
"""

from collections import deque
from collections.abc import Callable
from typing import Final

from drivers.alpha_line import AlphaLine, Content
from drivers.alpha_sign import (
    AMOUNT_LABEL,
    CHECK_EVERY_S,
    LAY_OUT,
    LOST_AFTER_S,
    MODEL,
    REFRESH_EVERY_S,
    SET_UP_AGAIN_S,
    SET_UPS_AT_ONCE,
    SHOWN,
    TEXT,
    TEXT_LABEL,
    TEXTS,
    WRITES_BEFORE_FAULT,
    AlphaSettings,
)
from drivers.driver import Connection, DeviceDriver, MakeDriver
from drivers.errors import DriverError
from drivers.events import (
    DeviceConnected,
    DeviceLost,
    LostReason,
    Reported,
    StatusHeard,
    WrittenStatus,
)
from drivers.stats import DeviceStats
from drivers.unproven import unproven_identity
from drivers.wishes import Desired
from firmware_protocols.alpha.sign import (
    PRIORITY,
    Command,
    LayOutMemory,
    ReadMemory,
    ReadText,
    WriteString,
    WriteText,
    amount_shown,
    amount_text,
    text_saying,
)
from firmware_protocols.tdp.display import DisplayApply, DisplayFaultCode, DisplayFaulted, DisplayStatus
from firmware_protocols.tdp.schema import DeviceKind

_ASK_TEXT: Final = ReadText(TEXT_LABEL)


class AlphaDriver(Connection):
    """One connection to one sign (satisfies `DeviceDriver`). `boot`: the number of this connection, greater than that
    of any earlier connection.
    """

    def __init__(self, settings: AlphaSettings, boot: int, now_s: float) -> None:
        super().__init__()
        self._line = AlphaLine(settings.sign_type, settings.address, now_s, with_checksum=settings.checksum)
        self._reads_back = settings.read_back
        self._fault_text = text_saying(settings.fault_text)
        self._identity = unproven_identity(DeviceKind.DISPLAY, MODEL, boot=boot, simulated=settings.simulated)
        self._now_s = self._good_s = self._check_s = now_s
        self._number = 0
        self._is_connected = False
        self._desired: DisplayApply | None = None
        self._plan: deque[Command] = deque()
        self._laid_out = False
        self._texts = 0  # writes of TEXT to a sign that cannot be read
        self._set_ups = 0  # writes of lay-out or TEXT since the sign last matched the wish
        self._set_up_again_s = now_s
        self._amount = b""  # the sign's text, or the text written to it where it cannot be read
        self._priority = b""
        self._known = False  # True if the driver knows these two contents
        self._confirmed: DisplayApply | None = None  # the sign's contents, read back and equal to the wish
        self._writes = 0  # the writes of the present wish
        self._outstanding = False
        self._fault_told = False
        self._told: DisplayStatus | None = None
        if not self._reads_back:
            self._connected()

    @property
    def command_outstanding(self) -> bool:
        return self._outstanding

    @property
    def status(self) -> DisplayStatus | None:
        return self._told or (self._status() if self._is_connected else None)

    @property
    def stats(self) -> DeviceStats:
        return self._line.stats

    def receive_data(self, data: bytes, now_s: float) -> None:
        if self.end is not None:
            return
        self._now_s = now_s
        for content in self._line.receive_data(data, now_s):
            self._good_s = now_s
            self._connected()
            self._take(content)
        if self._line.refused() and not self._reads_back:
            self._check_s = now_s
        self._work(now_s)

    def handle_timeout(self, now_s: float) -> None:
        if self.end is not None:
            return
        question = self._line.overdue(now_s)
        if question is not None:
            self._plan.appendleft(question)
        self._work(now_s)

    def data_to_send(self) -> bytes:
        if self.end is not None:
            return b""
        was_taken = self._line.is_taken
        data = self._line.data_to_send()
        if not was_taken and self._line.is_taken:
            self._taken_by_port()
        return data

    def next_timeout_s(self) -> float | None:
        if self.end is not None:
            return None
        times = [self._line.next_time_s()] if self._plan or self._line.is_asking else []
        if self._desired is not None or self._reads_back:
            times.append(max(self._check_s, self._line.next_time_s()))
        if self._reads_back or not self._line.is_taken:
            times.append(self._good_s + LOST_AFTER_S)
        return min(times, default=None)

    def apply(self, desired: Desired, now_s: float, *, is_answer: bool) -> None:
        """Sets the amount and the fault that the sign must show from now on. Raises DriverError for a wish of another
        kind of device.

        Ignores a wish without a fault unless `is_answer`. A later report of the sign does not withdraw a wish: a sign
        reports only its contents, and no decision of the controller depends on them.
        """
        if not isinstance(desired, DisplayApply):
            raise DriverError(f"a sign cannot become {desired}")
        if not (is_answer or desired.fault):
            return
        if desired != self._desired:
            self._desired, self._writes, self._fault_told = desired, 0, False
            self._check_s = min(self._check_s, now_s)
        self._work(now_s)

    def acknowledge(self, boot: int, number: int) -> None:
        """Does nothing: the sign has no events of its own."""

    # ---- the next packet

    def _work(self, now_s: float) -> None:
        self._now_s = now_s
        waits = self._reads_back or not self._line.is_taken
        if waits and now_s - self._good_s >= LOST_AFTER_S:
            detail = f"no good update of the sign for {LOST_AFTER_S:.0f} s"
            self.end = DeviceLost(LostReason.SILENT, detail, self._outstanding)
            return
        if not self._line.is_free(now_s):
            return
        if not self._plan and now_s >= self._check_s:
            self._plan.extend(self._questions() if self._reads_back else self._blind_writes())
        if self._plan:
            self._send(self._plan.popleft(), now_s)

    def _questions(self) -> tuple[Command, ...]:
        self._check_s = self._now_s + CHECK_EVERY_S
        return SHOWN if self._laid_out else (ReadMemory(),)

    def _blind_writes(self) -> tuple[Command, ...]:
        """Returns the writes for a sign that cannot be read; () before the first wish.

        The lay-out is written once a connection, the TEXT file the first TEXTS times, the amount each time. The
        priority message is written each time, unless it is and must stay empty.
        """
        self._check_s = self._now_s + REFRESH_EVERY_S
        if self._desired is None:
            return ()
        new = () if self._known and self._priority == self._wanted_priority() == b"" else (self._priority_write(),)
        lay_out = () if self._laid_out else (LAY_OUT,)
        text = (TEXT,) if self._texts < TEXTS else ()
        self._laid_out, self._texts = True, self._texts + len(text)
        return (*lay_out, *new, *text, self._amount_write())

    def _send(self, command: Command, now_s: float) -> None:
        if isinstance(command, LayOutMemory | WriteText | WriteString):
            self._outstanding = True
            self._good_s = max(self._good_s, now_s) if not self._reads_back else self._good_s
        self._line.send(command, now_s)
        if not self._reads_back:
            self._take_as_written(command)

    # ---- a sign that can be read

    def _take(self, content: Content) -> None:
        match content:
            case LayOutMemory():
                self._plan.extend((_ASK_TEXT,) if content == LAY_OUT else self._set_up(LAY_OUT, ReadMemory()))
            case WriteText(label) if label == TEXT_LABEL:
                self._laid_out = content == TEXT
                self._plan.extend(SHOWN if self._laid_out else self._set_up(TEXT, _ASK_TEXT))
            case WriteString():
                self._amount = content.text
            case WriteText():
                self._priority, self._known = content.text, True
                self._judge()

    def _set_up(self, write: Command, question: Command) -> tuple[Command, ...]:
        """Returns `write`, which restores the sign's memory or TEXT file, and `question`, which checks the result; ()
        before the first wish.

        After SET_UPS_AT_ONCE such writes in a row reports a fault and returns () until SET_UP_AGAIN_S have passed.
        """
        if self._desired is None:
            return ()
        if self._now_s < self._set_up_again_s:
            self._fault()
            return ()
        self._set_ups += 1
        if self._set_ups == SET_UPS_AT_ONCE:
            self._set_ups, self._set_up_again_s = 0, self._now_s + SET_UP_AGAIN_S
        return (write, question)

    def _judge(self) -> None:
        """Compares the contents that the sign has answered with the wish. If they differ, plans writes or reports a
        fault.
        """
        self._outstanding = False
        self._tell_status()
        if self._desired is None:
            return
        wrong = self._wrong()
        if not wrong:
            self._confirmed, self._writes, self._fault_told = self._desired, 0, False
            self._set_ups, self._set_up_again_s = 0, self._now_s
            return
        if self._confirmed == self._desired:  # another program changed the sign: its memory may be gone, too
            self._confirmed, self._laid_out = None, False
            self._fault()
            self._check_s = self._now_s
            return
        if self._writes >= WRITES_BEFORE_FAULT:
            self._fault()
            self._writes, self._laid_out = WRITES_BEFORE_FAULT - 1, False
            return  # starts again at the next check, from the memory up
        self._writes += 1
        self._plan.extend((*wrong, *SHOWN))

    def _wrong(self) -> tuple[Command, ...]:
        amount = () if self._amount == self._amount_write().text else (self._amount_write(),)
        priority = () if self._priority == self._wanted_priority() else (self._priority_write(),)
        return (*amount, *priority)

    def _fault(self) -> None:
        if not self._fault_told:
            self._fault_told = True
            self._number += 1
            fault = DisplayFaulted(DisplayFaultCode.READ_BACK)
            self.reported.append(Reported(self._identity.boot, self._number, fault, self._status()))

    # ---- a sign that cannot be read

    def _take_as_written(self, command: Command) -> None:
        match command:
            case WriteString():
                self._amount = command.text
                self._known = True
                self._tell_status()
            case WriteText(label) if label == PRIORITY:
                self._priority = command.text

    def _taken_by_port(self) -> None:
        if not self._reads_back:
            self._good_s = self._now_s
            self._line.took(self._now_s)

    # ---- words

    def _connected(self) -> None:
        if not self._is_connected:
            self._is_connected = True
            self.reported.append(DeviceConnected(self._identity, self._status()))

    def _tell_status(self) -> None:
        status = self._status()
        if status != self._told:
            self._told = status
            self.reported.append(StatusHeard(status))

    def _status(self) -> DisplayStatus:
        status = DisplayStatus if self._reads_back else WrittenStatus
        return status(shown_cents=amount_shown(self._amount) or 0, fault_shown=self._priority == self._fault_text)

    def _amount_write(self) -> WriteString:
        return WriteString(AMOUNT_LABEL, amount_text(0 if self._desired is None else self._desired.cents))

    def _wanted_priority(self) -> bytes:
        return self._fault_text if self._desired is not None and self._desired.fault else b""

    def _priority_write(self) -> WriteText:
        return WriteText(PRIORITY, self._wanted_priority())


def make_alpha_driver(settings: AlphaSettings, opening: Callable[[int], int]) -> MakeDriver:
    """Returns a function that makes the sign's driver for each connection. `opening(connection)` must return a greater
    number for each connection than for all earlier connections.
    """

    def make(connection: int, now_s: float) -> DeviceDriver:
        return AlphaDriver(settings, opening(connection), now_s)

    return make
