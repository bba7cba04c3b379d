"""A scenario's step of a device that its table does not have ends the scenario, and makes no event."""

import pytest

from controller.catalogue import has_key
from controller.core.custody.devices import LidOpened, ShufflerJammed
from controller.core.house.facts import DeviceLost
from controller.core.words import Device
from controller.scenario.play import play
from controller.scenario.text import read_scenarios


@pytest.mark.parametrize(
    ("head", "step", "what"),
    [
        ("profile pt-shoe", "jam mouth", "no-such-device"),
        ("profile pt-shoe", "lid-open", "no-such-device"),
        ("profile br", "card-in 1", "no-such-device"),
        ("profile mo-box", "lost shuffler", "no-such-device"),
        ("profile mo-box", "read 5C", "no-such-device"),
        ("set reader no", "draw-unread", "no-such-device"),
        ("profile pt-csm", "lost jackpot-display", "no-such-device"),
        ("profile pt-csm", "tells jackpot-display display-faulted code=2", "no-such-device"),
        ("profile pt-csm", "tells shoe reader-error-raised", "values"),
        ("profile pt-csm", "tells shoe reader-error-raised code=2 codes=3", "values"),
        ("profile pt-csm", "warning-card", "no-warning-card"),
    ],
)
def test_a_step_of_a_device_that_is_not_there_ends_the_scenario(head: str, step: str, what: str) -> None:
    found, mistakes = read_scenarios(f"scenario X x\n{head}\ngiven in-play\nwhen\n{step}\nthen no-hold\n")
    assert mistakes == []
    played = play(found[0])
    assert played.failure is not None
    assert (played.failure.line, played.failure.what) == (5, f"stopped.{what}")
    assert has_key(f"scenario.stopped.{what}")
    assert not any(isinstance(event, ShufflerJammed | LidOpened | DeviceLost) for event in played.events)


@pytest.mark.parametrize("device", Device)
def test_each_kind_of_device_is_one_that_a_table_may_lack(device: Device) -> None:
    word = device.value.replace("_", "-")
    found, mistakes = read_scenarios(f"scenario X x\nprofile mo-box\ngiven in-play\nwhen\nlost {word}\nthen no-hold\n")
    assert mistakes == []
    failure = play(found[0]).failure
    assert failure is not None
    assert failure.what == "stopped.no-such-device"
