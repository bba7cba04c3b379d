"""The configuration of the table under test."""

from controller.config.model import PartKind
from controller.core.words import Device

TABLE = """
[table]
id = "BJ-07"
profile = "mo-box"
decks = 1
seats = 6
minimum_bet = 10
maximum_bet = 300
[journal]
path = "/var/lib/sabot/journal"
[staff]
path = "/var/lib/sabot/staff.toml"
"""
"""A table without devices, which runs anywhere."""

ANSWERS = (
    TABLE
    + """
[staff.dealer]
number = 11
name = "N"
[staff.chief_supervisor]
number = 21
name = "N"
[staff.technician]
number = 31
name = "N"
[ask]
again = false
started = false
"""
    + "".join(f"has-{kind} = false\n" for kind in (*Device, *PartKind))
)
PINS = "739164\n739165\n739166\n"
