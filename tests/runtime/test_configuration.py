"""The entry of a start names each key of the configuration that has changed, with both values; a reader rebuilds the
file.
"""

from controller.runtime.configuration import after_change, change_between

BEFORE = (("devices.shoe.port", "/dev/a"), ("table.currency", "EUR"), ("table.maximum_bet", "30000"))
NOW = (("devices.lamp.port", "/dev/g"), ("devices.shoe.port", "/dev/b"), ("table.currency", "EUR"))


def test_keys_that_came_changed_or_went_are_told_and_no_other() -> None:
    change = change_between(BEFORE, NOW)
    assert change is not None
    assert [(one.key, one.before, one.now) for one in change.changes] == [
        ("devices.lamp.port", "", "/dev/g"),
        ("devices.shoe.port", "/dev/a", "/dev/b"),
        ("table.maximum_bet", "30000", ""),
    ]
    assert after_change(BEFORE, change) == NOW
    assert change_between(NOW, NOW) is None
