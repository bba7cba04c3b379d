"""Checks of PROTOCOL.md, section 7, with a slow host, whose heartbeats have the flag not_yet_durable."""

from typing import Final

from firmware_protocols.tdp.conform.life_checks import lasts_long, say_for, with_few_waiting
from firmware_protocols.tdp.conform.line import SETTLES_WITHIN_S, Broken, Host, must, there
from firmware_protocols.tdp.conform.parts import (
    SILENCE_S,
    lasting,
    permit,
    switch_of,
    switched,
    waiting,
)
from firmware_protocols.tdp.conform.silence_checks import of_silence
from firmware_protocols.tdp.link import FrameKind


def a_slow_host_is_told_of_now(host: Host) -> None:
    """Checks that the reply to a heartbeat with not_yet_durable has the present status, also after a command."""
    switch = switch_of(host)
    for on in (True, False):
        host.answer(switched(host, on=on))
        begun_s = host.line.now_s()
        while switch.is_on(host.answer(host.query).status) is not on and host.line.now_s() < begun_s + SETTLES_WITHIN_S:
            host.listen(0.1, alive=False)
        if switch.is_on(host.answer(host.query).status) is on:
            status = host.status(not_yet_durable=True)[0]
            must("7.3", switch.is_on(status) is on, f"the reply to a slow host has an earlier status: {status}")


def an_ack_takes_all_whatever_the_retry_time(host: Host) -> None:
    """Checks that one ACK takes all events that were sent, whether they were sent once or again and again, and also
    where the host was slow.
    """
    for waits_s, is_slow in ((0.3, False), (0.7, False), (2.0, False), (0.0, True)):
        number = waiting(host, 3)[-1].number
        host.status(not_yet_durable=is_slow)
        host.listen(waits_s)
        host.acknowledge(number)
        host.say_hello()
        heard = there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to HELLO again")
        oldest = host.read_identity(heard)[0].oldest_event
        must("6.12", oldest > number, f"ACK {number}, {waits_s} s behind a new session: EVENT {oldest} waits still")


SLOW_DISK_S: Final = 12.0  # longer than a patience that a firmware may have with it


def a_slow_disk_is_no_silence(host: Host) -> None:
    permission = lasting(host)
    lasts_long(host, permission)
    permit(host, permission)
    say_for(host, SLOW_DISK_S, lambda one: one.say_pulse(not_yet_durable=True))
    status = with_few_waiting(host)
    must("7.5", permission.is_given(status), f"not_yet_durable for {SLOW_DISK_S:.0f} s, and it is locked: {status}")
    permit(host, permission)
    host.say_pulse(not_yet_durable=True)
    host.listen(SILENCE_S, alive=False)
    status = host.status()[0]
    if not permission.is_locked(status):
        found = f"not_yet_durable, and then 2.3 s of silence: {status}"
        raise Broken(of_silence(host, permission, "7.6"), found)
