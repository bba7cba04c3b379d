"""The configuration of the table under test."""

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
"""A table without devices: it runs anywhere."""

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
has-jackpot_display = false
has-jackpot_slots = false
has-lamp = false
has-buzzer = false
has-key_switch = false
has-badge_reader = false
again = false
started = false
"""
)
PINS = "739164\n739165\n739166\n"
