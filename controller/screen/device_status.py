"""One device in the status: the connection, the identity, and the quality of the line, for a technician."""

from controller.catalogue import Language, sentence
from controller.core.words import Device
from controller.devices.device_kinds import KINDS
from controller.protocol.status import DeviceStatus, PowerStatus
from controller.screen.surroundings import Undervoltage
from drivers.stats import DeviceStats
from drivers.supervisor import DeviceSupervisor
from drivers.unproven import is_unauthenticated


def device_status(supervisor: DeviceSupervisor, now_s: float, language: Language) -> DeviceStatus:
    """Returns the status of one device: its connection, identity, proof of identity, and the counters of its line since
    this run began.
    """
    stats, trouble, who = supervisor.stats, supervisor.trouble, supervisor.identity
    return DeviceStatus(
        connected=supervisor.connected,
        text=_text(supervisor, language),
        trouble=trouble.code.value if trouble else None,
        good=stats.good,
        rejected=sum(stats.rejected.values()),
        rejected_by_reason=dict(stats.rejected),
        retransmissions=stats.retransmissions,
        rtt_ms=None if stats.rtt_ms is None else round(stats.rtt_ms, 3),
        reconnects=stats.reconnects,
        last_good_s=_since_s(stats, now_s),
        quality=quality_text(stats, now_s, language),
        identity=identity_word(supervisor),
        model=who.model if who else None,
        serial_number=(who.serial or None) if who else None,
        firmware=(who.firmware or None) if who else None,
        proof=proof_word(supervisor),
        proof_text=proof_text(supervisor, language),
    )


def identity_word(supervisor: DeviceSupervisor) -> str:
    """Returns `unknown` before any device has answered, `unauthenticated` for a device that does not identify itself,
    and `stated` otherwise.
    """
    if supervisor.identity is None:
        return "unknown"
    return "unauthenticated" if is_unauthenticated(supervisor.identity) else "stated"


def proof_word(supervisor: DeviceSupervisor) -> str | None:
    """Returns `proven` if the device has proven that it has the key which it shares with the table, and `unproven` if
    it has not. None before a device has answered.
    """
    who = supervisor.identity
    return None if who is None else "proven" if who.is_proven else "unproven"


def proof_text(supervisor: DeviceSupervisor, language: Language) -> str:
    """Returns the sentence about a connected device that has not proven its identity; "" for any other device."""
    is_told = supervisor.connected and proof_word(supervisor) == "unproven"
    return sentence("status.unproven", (), language) if is_told else ""


def quality_text(stats: DeviceStats, now_s: float, language: Language) -> str:
    """Returns a sentence with the counters of the device's line: frames, round trip, reconnections."""
    since_s = _since_s(stats, now_s)
    reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(stats.rejected.items()) if count)
    values = {
        "good": str(stats.good),
        "rejected": str(sum(stats.rejected.values())),
        "reasons": reasons,
        "again": str(stats.retransmissions),
        "rtt_ms": "-" if stats.rtt_ms is None else f"{stats.rtt_ms:.1f}",
        "reconnects": str(stats.reconnects),
        "since_s": "-" if since_s is None else f"{since_s:.1f}",
    }
    return sentence("status.quality-noisy" if reasons else "status.quality", values, language)


def quality_values(supervisor: DeviceSupervisor, now_s: float) -> dict[str, object]:
    """Returns the state of the device's line and its counters by name, for the log."""
    stats = supervisor.stats
    return {
        "connected": supervisor.connected,
        "identity": identity_word(supervisor),
        "proof": proof_word(supervisor),
        "frames_good": stats.good,
        "frames_rejected": dict(stats.rejected),
        "retransmissions": stats.retransmissions,
        "round_trip_ms": None if stats.rtt_ms is None else round(stats.rtt_ms, 3),
        "reconnects": stats.reconnects,
        "last_good_s_ago": _since_s(stats, now_s),
    }


def power_status(undervoltage: Undervoltage, language: Language) -> PowerStatus:
    """Returns the part of the status about the power supply of this computer."""
    return PowerStatus(undervoltage.value, sentence(f"power.{undervoltage.value}", (), language))


def _since_s(stats: DeviceStats, now_s: float) -> float | None:
    return None if stats.last_good_s is None else round(max(0.0, now_s - stats.last_good_s), 1)


def _text(supervisor: DeviceSupervisor, language: Language) -> str:
    if supervisor.connected:
        told = KINDS[Device(supervisor.name)].says(supervisor.status, supervisor.desired)
        if told is not None:
            return sentence(*told, language)
        return sentence("status.connected-" + identity_word(supervisor), (), language)
    trouble = supervisor.trouble
    if trouble is None:
        return sentence("status.not-connected", (), language)
    what = sentence(f"reason.{trouble.what.value}", (), language) if trouble.what else ""
    values = {"code": trouble.code.value, "what": what, "expected": trouble.expected, "found": trouble.found}
    return sentence("status.device-trouble", values, language)
