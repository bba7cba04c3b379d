"""Limits the places, such as connections, that callers share: no address can take all of them.

Some places are reserved for the table's own screen.
"""

from collections import Counter
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from msgspec import Struct

IPV6_OF_ONE: Final = 64
"""The bits of an IPv6 address that name one network; a computer may take any address within its network."""


class Caller(Struct, frozen=True, gc=False):
    """The source of a connection. `address`: the source's IPv4 address or IPv6 network; callers are counted by this
    address. `is_own`: True for this computer itself, such as the screen at the table.
    """

    address: str
    is_own: bool


OWN_SCREEN: Final = Caller("127.0.0.1", is_own=True)


def caller_of(there: str, here: str) -> Caller:
    """Returns the caller at the address `there`, whose connection arrived at the address `here`.

    A connection from the computer's own address comes from the computer itself: the system drops a packet from the
    network that claims the computer's address as its source.
    """
    return Caller(_counted_as(there), is_own=there == here)


def _counted_as(host: str) -> str:
    address = ip_address(host.partition("%")[0])
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address, IPV6_OF_ONE), strict=False))


class Places:
    """Counts places: `most` in all, `kept` of them for this computer alone, and at most `of_one` for any other address.

    An address gets another place only while it has fewer than half as many as are free. So each address gets fewer
    places as they run out, and a new address still finds one among hundreds of others.
    """

    def __init__(self, most: int, kept: int, of_one: int) -> None:
        self._most = most
        self._kept = kept
        self._of_one = of_one
        self._own = 0
        self._others: Counter[str] = Counter()
        self._taken_by_others = 0

    def take(self, caller: Caller) -> bool:
        """Takes one place for the caller. Returns False if none is free for him."""
        if caller.is_own:
            has_room = self._own + self._taken_by_others < self._most
            self._own += has_room
            return has_room
        free = self._most - max(self._kept, self._own) - self._taken_by_others
        has_room = self._others[caller.address] < min(self._of_one, free // 2)
        self._count(caller, int(has_room))
        return has_room

    def give_back(self, caller: Caller) -> None:
        """Frees a place that the caller has taken."""
        if caller.is_own:
            self._own -= 1
        else:
            self._count(caller, -1)

    def _count(self, caller: Caller, more: int) -> None:
        self._others[caller.address] += more
        self._taken_by_others += more
        if not self._others[caller.address]:
            del self._others[caller.address]
