"""The people who can act in a scenario, by the name that the scenario uses, each with a number and a role."""

from typing import Final

from controller.core.words import Person, Role

PEOPLE: Final[dict[str, tuple[Person, Role]]] = {
    "dealer": (Person(11), Role.DEALER),
    "second-dealer": (Person(12), Role.DEALER),
    "chief": (Person(21), Role.CHIEF_SUPERVISOR),
    "second-chief": (Person(22), Role.CHIEF_SUPERVISOR),
    "manager": (Person(31), Role.ROOM_MANAGER),
    "technician": (Person(41), Role.TECHNICIAN),
    "inspector": (Person(51), Role.TABLE_INSPECTOR),
    "regulator": (Person(61), Role.REGULATOR),
}
