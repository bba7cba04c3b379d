"""What can go wrong with a port: a few errors that every kind of port maps its own failures to."""


class DriverError(Exception):
    """Base of everything that drivers raise."""


class PortError(DriverError):
    """A port cannot be opened or used. `path` names it, `reason` says why in technical words."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class PortMissing(PortError):  # noqa: N818 (the name says what became of the port)
    """Nothing is there to open; plugging the device in may help."""


class OtherDevice(PortMissing):
    """The device named is not there; one of the same maker and product is, which says `found` of itself."""

    def __init__(self, path: str, reason: str, found: str) -> None:
        super().__init__(path, reason)
        self.found = found


class PortBusy(PortError):  # noqa: N818 (the name says what became of the port)
    """Another process holds the port."""


class PortRefused(PortError):  # noqa: N818 (the name says what became of the port)
    """Something is there and may not or cannot be used as a port; waiting alone does not help."""


class PortLost(PortError):  # noqa: N818 (the name says what became of the port)
    """The port was open and is gone; it must be closed before it is opened again."""
