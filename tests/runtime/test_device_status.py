"""A device in the status and in the log: its identity, the quality of its line, its wrong displays."""

import json

import msgspec
import pytest
from structlog.testing import capture_logs

from controller.catalogue import Language
from controller.cli.render import decode_status, status_lines
from controller.core.words import Device
from controller.daemon.logs import Log
from controller.runtime.devices import alpha_supervisor, tdp_supervisor
from controller.runtime.log_events import Level, LogEvent
from controller.screen.device_status import device_status, quality_values
from controller.screen.status import StatusMaker
from controller.screen.surroundings import Surroundings, Undervoltage
from drivers.alpha_sign import AlphaSettings
from drivers.events import DeviceRefused
from drivers.supervisor import DeviceSupervisor
from firmware_protocols.tdp.display import DisplayApply
from simulators.devices.alpha_sign import SimulatedAlphaSign
from tests.runtime.bench import Bench
from tests.runtime.peers import ShoePeer


def signed() -> tuple[DeviceSupervisor, SimulatedAlphaSign]:
    settings = AlphaSettings("HELD", simulated=True)
    make = alpha_supervisor(Device.JACKPOT_DISPLAY, settings, start_number=1, jitter=lambda: 0.0)
    return make(lambda: (0, 0)), SimulatedAlphaSign()


def exchange(supervisor: DeviceSupervisor, sign: SimulatedAlphaSign, from_s: float, to_s: float) -> None:
    now_s = from_s
    if supervisor.wants_open:
        supervisor.port_opened(now_s)
    while now_s < to_s:
        now_s += 0.05
        while data := supervisor.data_to_send():
            sign.receive_data(data, now_s)
        supervisor.receive_data(sign.data_to_send(), now_s)
        supervisor.handle_timeout(now_s)
        supervisor.events()
        if supervisor.awaits_answer and supervisor.desired is not None:
            supervisor.apply(supervisor.desired, now_s)


def test_a_sign_is_said_to_be_unauthenticated() -> None:
    supervisor, sign = signed()
    assert device_status(supervisor, 0.0, Language.EN).identity == "unknown"
    supervisor.apply(DisplayApply(100), 0.0)
    exchange(supervisor, sign, 0.0, 3.0)
    status = device_status(supervisor, 3.0, Language.EN)
    assert (status.connected, status.identity, status.serial_number) == (True, "unauthenticated", None)
    assert "UNAUTHENTICATED" in status.text


def test_what_a_sign_shows_and_should_not_is_said() -> None:
    supervisor, sign = signed()
    supervisor.apply(DisplayApply(100), 0.0)
    exchange(supervisor, sign, 0.0, 3.0)
    sign.is_stuck = True
    supervisor.apply(DisplayApply(250), 3.0)
    exchange(supervisor, sign, 3.0, 6.0)
    text = device_status(supervisor, 6.0, Language.EN).text
    assert text == "connected, but it shows 1.00 and should show 2.50"
    supervisor.apply(DisplayApply(250, fault=True), 6.0)
    assert "should show the fault message" in device_status(supervisor, 6.0, Language.EN).text


def test_a_device_that_says_who_it_is() -> None:
    bench = Bench()
    bench.run(1)
    status = device_status(bench.supervisors[Device.SHUFFLER], bench.now_s, Language.EN)
    assert (status.identity, status.text) == ("stated", "connected")
    assert status.proof == "unproven"
    assert "unproven" in status.proof_text
    assert status.serial_number is not None
    assert status.quality.startswith(f"line: {status.good} frames good, none rejected, ")


@pytest.mark.parametrize("language", Language)
def test_bad_frames_are_counted_by_reason_in_words(language: Language) -> None:
    bench = Bench()
    bench.run(1)
    supervisor = bench.supervisors[Device.SHOE]
    supervisor.receive_data(b"\x01\x02\x00" * 3 + b"\x05\x01\x00", bench.now_s)
    status = device_status(supervisor, bench.now_s, language)
    assert status.rejected == sum(status.rejected_by_reason.values()) == 4
    assert "bad-" not in status.quality
    assert "{" not in status.quality


def test_the_figures_stand_in_json_and_in_text_beside_the_power() -> None:
    bench = Bench()
    bench.run(1)
    around = Surroundings(undervoltage=Undervoltage.EARLIER)
    status = StatusMaker(bench.runtime, Language.EN, around).status(bench.now_s, [])
    document = json.loads(msgspec.json.encode(status))
    assert document["power"]["undervoltage"] == "earlier"
    wanted = {"good", "rejected", "rejected_by_reason", "retransmissions", "rtt_ms", "reconnects", "last_good_s"}
    assert all(wanted <= set(device) for device in document["devices"].values())
    raw = msgspec.json.decode(msgspec.json.encode(status), type=dict[str, msgspec.Raw])
    text = "\n".join(status_lines(decode_status(raw), Language.EN))
    assert text.count("unproven") == len(document["devices"])
    assert text.count("frames good") == len(document["devices"])
    assert "too low for a time" in text


def test_a_fault_in_the_log_has_its_line_s_quality_beside_it() -> None:
    bench = Bench()
    bench.run(1)
    supervisor = bench.supervisors[Device.SHOE]
    happened = [
        LogEvent(Level.INFO, "device-connected", (("device", "shoe"),)),
        LogEvent(Level.WARNING, "device-lost", (("device", "shoe"), ("reason", "silent"))),
        LogEvent(Level.WARNING, "hold", (("device", ""), ("kind", "complaint"))),
    ]
    with capture_logs() as lines:
        Log("T1").tell(happened, 0.0, lambda name: {"name": name} | quality_values(supervisor, bench.now_s))
    assert [line["event"] for line in lines] == ["device-connected", "device-lost", "link", "hold"]
    assert (lines[2]["name"], lines[2]["connected"], lines[2]["frames_good"]) == ("shoe", True, supervisor.stats.good)


@pytest.mark.parametrize(
    ("wanted", "found"),
    [({"model": "Reader 9000"}, "peer"), ({"serial": "SH-77"}, "S1")],
    ids=["model", "serial number"],
)
def test_another_device_than_the_configured_one_is_refused_with_both_values(wanted: dict[str, str], found: str) -> None:
    peer = ShoePeer(0.0)
    make = tdp_supervisor(
        Device.SHOE, wanted.get("serial"), simulated=True, start_number=1, jitter=lambda: 0.0, model=wanted.get("model")
    )
    supervisor = make(lambda: (0, 0))
    supervisor.port_opened(0.0)
    for step in range(100):
        now_s = step / 100
        peer.receive_data(supervisor.data_to_send(), now_s)
        peer.on_time(now_s)
        supervisor.receive_data(peer.data_to_send(), now_s)
        supervisor.handle_timeout(now_s)
    (refused,) = (event for event in supervisor.events() if isinstance(event, DeviceRefused))
    (value,) = wanted.values()
    assert (refused.expected, refused.found) == (value, found)
    text = device_status(supervisor, 1.0, Language.EN).text
    assert value in text
    assert found in text
