"""Places that callers share: one address of the network cannot take them all, and the table's own screen keeps some."""

from collections import Counter
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

IPV6_OF_ONE: Final = 64
"""Bits of an IPv6 address that name a house's network: one computer may take any address below them."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Where a connection comes from. `is_own`: from this computer itself, as the screen at the table does."""

    address: str
    is_own: bool


OWN_SCREEN: Final = Caller("127.0.0.1", is_own=True)


def caller_of(there: str, here: str) -> Caller:
    """The caller at `there`, whose connection arrived at `here`.

    From its own address a computer hears nobody but itself: the system drops what comes with it from the network.
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
    """`most` in all; `kept` of them for this computer alone; `of_one`: what another address may have of the rest.

    No address has more than half as many as are free: the fewer are left, the fewer anybody gets, and one that has none
    still finds a place among hundreds that have some.
    """

    def __init__(self, most: int, kept: int, of_one: int) -> None:
        self._most = most
        self._kept = kept
        self._of_one = of_one
        self._own = 0
        self._others: Counter[str] = Counter()
        self._taken_by_others = 0

    def take(self, caller: Caller) -> bool:
        """True where the caller gets one place more."""
        if caller.is_own:
            has_room = self._own + self._taken_by_others < self._most
            self._own += has_room
            return has_room
        free = self._most - max(self._kept, self._own) - self._taken_by_others
        has_room = self._others[caller.address] < min(self._of_one, free // 2)
        self._count(caller, int(has_room))
        return has_room

    def give_back(self, caller: Caller) -> None:
        """A place that was taken is free again."""
        if caller.is_own:
            self._own -= 1
        else:
            self._count(caller, -1)

    def _count(self, caller: Caller, more: int) -> None:
        self._others[caller.address] += more
        self._taken_by_others += more
        if not self._others[caller.address]:
            del self._others[caller.address]
