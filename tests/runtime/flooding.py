"""A device that sends as much as its line carries: each event names itself as the oldest, so no inbox is ever full."""

from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.link_rows import FrameKind
from tests.runtime.peers import Peer


def flood(peer: Peer, event: object, count: int, **changes: object) -> None:
    """Sends `count` numbered events on the line at once, each with these changes of the status."""
    peer.change(**changes)
    payload = peer.schema.encode_event(event, peer.status)
    link = peer.link
    for _ in range(count):
        number, link._next_event = link._next_event, link._next_event + 1
        body = rows.EVENT_LAYOUT.encode(rows.EventBody(number)) + payload
        link._io.send(link._header(FrameKind.EVENT, number), body)
