"""The device's end of a TDP line, for the whole life of one boot: bytes and time in, bytes and events out."""

from firmware_protocols.tdp.link import DeviceIdentity, DeviceLinkEvent, LinkStats


class DeviceLink:
    """Sans-IO. `boot` is the device's persistent boot number, never 0."""

    def __init__(self, identity: DeviceIdentity, boot: int, now_s: float) -> None:
        self.stats = LinkStats()

    @property
    def in_session(self) -> bool:
        """True once a host of our major opened a session, until the next boot."""
        raise NotImplementedError

    @property
    def host_silent(self) -> bool:
        """True while no valid frame of the session came for 2 s, and before the first session."""
        raise NotImplementedError

    @property
    def host_must_wait(self) -> bool:
        """True while 48 or more events wait to be acknowledged."""
        raise NotImplementedError

    @property
    def waiting_events(self) -> int:
        """How many events wait to be acknowledged, at most 64."""
        raise NotImplementedError

    def set_status(self, status_payload: bytes) -> None:
        """The status block that every answer carries from now on. Set it before anything else, at each change."""
        raise NotImplementedError

    def post_event(self, payload: bytes, now_s: float) -> int:
        """Queues an event (message id, status after it, fields) and gives its number. Over 64 the oldest goes."""
        raise NotImplementedError

    def answer(self, number: int, result: int, status_payload: bytes) -> None:
        """Answers the command last received. ValueError when that number is not waiting for an answer."""
        raise NotImplementedError

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Takes what the line brought."""
        raise NotImplementedError

    def handle_timeout(self, now_s: float) -> None:
        """Does what is due at `now_s`; harmless when nothing is."""
        raise NotImplementedError

    def next_timeout_s(self) -> float | None:
        """When handle_timeout wants to be called; None while nothing can become due."""
        raise NotImplementedError

    def data_to_send(self) -> bytes:
        """What the line shall carry (drains)."""
        raise NotImplementedError

    def events(self) -> list[DeviceLinkEvent]:
        """What happened since the last call (drains)."""
        raise NotImplementedError
