"""The host's end of one TDP connection: bytes and time in, bytes and events out. One object per connection."""

from firmware_protocols.tdp.link import LinkEvent, LinkStats


class HostLink:
    """Sans-IO. Give it what has arrived before you tell it that time has passed."""

    def __init__(self, *, opening: int, committed_boot: int, committed_number: int, now_s: float) -> None:
        self.stats = LinkStats()

    @property
    def is_identified(self) -> bool:
        """True from IDENTITY until the link goes down."""
        raise NotImplementedError

    @property
    def is_down(self) -> bool:
        """True for ever after LinkDown."""
        raise NotImplementedError

    @property
    def command_outstanding(self) -> bool:
        """True while a command waits for its answer."""
        raise NotImplementedError

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Takes what the port read."""
        raise NotImplementedError

    def handle_timeout(self, now_s: float) -> None:
        """Does what is due at `now_s`; harmless when nothing is."""
        raise NotImplementedError

    def next_timeout_s(self) -> float | None:
        """When handle_timeout wants to be called; None when the link is down."""
        raise NotImplementedError

    def data_to_send(self) -> bytes:
        """What the port shall write (drains)."""
        raise NotImplementedError

    def events(self) -> list[LinkEvent]:
        """What happened since the last call (drains)."""
        raise NotImplementedError

    def send_command(self, payload: bytes, now_s: float) -> int:
        """Sends a command and gives its number. Raises LinkBusy."""
        raise NotImplementedError

    def acknowledge(self, number: int) -> None:
        """Events up to `number` are durable. ValueError for one never taken; nothing once the link is down."""
        raise NotImplementedError
