"""The line to an Alpha sign: sends one packet at a time, makes the pauses that the sign needs, and asks at most one
question at a time.

The driver decides what the packets contain.
"""

from collections import Counter
from typing import Final, TypeAlias

from drivers.stats import DeviceStats
from firmware_protocols.alpha.answers import Acknowledged, AnswerDecoder, NotAcknowledged
from firmware_protocols.alpha.packet import encode_packet
from firmware_protocols.alpha.sign import (
    Command,
    LayOutMemory,
    ReadMemory,
    ReadString,
    ReadText,
    WriteString,
    WriteText,
    encode_command,
)
from firmware_protocols.errors import RejectReason

Content: TypeAlias = LayOutMemory | WriteText | WriteString

ANSWER_WITHIN_S: Final = 1.0  # at 9600 baud a question and the longest answer take a tenth of this time
PAUSE_S: Final = 0.1  # between two packets
LAY_OUT_TAKES_S: Final = 0.5  # the sign clears its memory and is deaf meanwhile

_RTT_WEIGHT: Final = 0.125  # the weight of a new round trip in the smoothed round trip


class AlphaLine:
    """Sends commands to a sign and finds the answer to each question. Times are in seconds.

    `send` may be called while `is_free`; `receive_data` returns the answers. `sign_type`, `address`: select the signs
    that get each packet.
    """

    def __init__(self, sign_type: str, address: str, now_s: float, *, with_checksum: bool) -> None:
        self._sign_type = sign_type
        self._address = address
        self._with_checksum = with_checksum
        self._decoder = AnswerDecoder()
        self._unsent = b""
        self._handed_out = False
        self._question: Command | None = None
        self._asked_s = now_s
        self._free_at_s = now_s
        self._rejected: Counter[str] = Counter()
        self._good = 0
        self._retransmissions = 0
        self._rtt_s: float | None = None
        self._last_good_s: float | None = None
        self._refused = 0

    @property
    def is_taken(self) -> bool:
        """True if the port has taken every byte of the last packet."""
        return not self._unsent and not self._handed_out

    @property
    def is_asking(self) -> bool:
        return self._question is not None

    @property
    def stats(self) -> DeviceStats:
        return DeviceStats(
            good=self._good,
            rejected=dict(self._rejected),
            retransmissions=self._retransmissions,
            rtt_ms=None if self._rtt_s is None else self._rtt_s * 1000,
            last_good_s=self._last_good_s,
        )

    def is_free(self, now_s: float) -> bool:
        """True if the next packet may be sent: the port has taken the last packet, the pause after it is over, and no
        question is open.
        """
        return self._question is None and self.is_taken and now_s >= self._free_at_s

    def next_time_s(self) -> float:
        """Returns the time at which the answer to the open question is overdue. Without a question returns the end of
        the pause after the last packet.
        """
        return self._free_at_s if self._question is None else self._asked_s + ANSWER_WITHIN_S

    def send(self, command: Command, now_s: float) -> None:
        """Sends a command. A command that reads from the sign is an open question until it is answered or overdue."""
        text = encode_command(command)
        self._unsent = encode_packet(
            text, sign_type=self._sign_type, address=self._address, with_checksum=self._with_checksum
        )
        self._free_at_s = now_s + (LAY_OUT_TAKES_S if isinstance(command, LayOutMemory) else PAUSE_S)
        if isinstance(command, ReadMemory | ReadText | ReadString):
            self._question, self._asked_s = command, now_s

    def data_to_send(self) -> bytes:
        """Returns the bytes to write, each once. A call also tells that the port has taken the bytes of the call
        before.
        """
        taken, self._unsent = self._unsent, b""
        self._handed_out = taken != b""
        return taken

    def overdue(self, now_s: float) -> Command | None:
        """Returns the open question and closes it, if its answer is overdue; else None. Counts the closed question as a
        retransmission.
        """
        question = self._question
        if question is None or now_s < self._asked_s + ANSWER_WITHIN_S:
            return None
        self._question = None
        self._retransmissions += 1
        return question

    def refused(self) -> bool:
        """True if the sign has refused a packet after the previous call."""
        count, self._refused = self._refused, 0
        return count > 0

    def took(self, now_s: float) -> None:
        """Counts the last packet as good: the port has taken it. A line without answers gives no better evidence."""
        self._good += 1
        self._last_good_s = now_s

    def receive_data(self, data: bytes, now_s: float) -> list[Content]:
        """Returns the contents that answer the open question. Counts an acknowledgement as good, notes a refusal for
        `refused`, and drops other contents as rejected.
        """
        answers = []
        for said in self._decoder.feed(data):
            match said:
                case RejectReason():
                    self._rejected[said.value] += 1
                case Acknowledged():
                    self._good += 1
                case NotAcknowledged():
                    self._rejected["not-acknowledged"] += 1
                    self._refused += 1
                case _ if self._question is not None and _answers(self._question, said):
                    self._answered(now_s)
                    answers.append(said)
                case _:
                    self._rejected["not-asked"] += 1
        return answers

    def _answered(self, now_s: float) -> None:
        self._question = None
        self._good += 1
        self._last_good_s = now_s
        rtt_s = now_s - self._asked_s
        self._rtt_s = rtt_s if self._rtt_s is None else self._rtt_s + _RTT_WEIGHT * (rtt_s - self._rtt_s)


def _answers(question: Command, content: Content) -> bool:
    match question:
        case ReadMemory():
            return isinstance(content, LayOutMemory)
        case ReadText(label):
            return isinstance(content, WriteText) and content.label == label
        case ReadString(label):
            return isinstance(content, WriteString) and content.label == label
        case _:
            return False
