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
