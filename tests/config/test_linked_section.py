"""The section `[linked]` of a file: its values, and each value that is refused."""

import pytest
from config_file import ConfigFile

from controller.config import read_config, setup
from controller.core.jackpot_rules import parse_combination
from controller.core.linked_rules import BetsWhenAway, LinkedRules, SignShows
from controller.journal.note import KeyKind, NoteKey
from controller.journal.signing import Signer

KEY = NoteKey("floor.casino", KeyKind.COSIGNATURE, Signer(b"\7" * 32).public_key)
SECTIONS = f"""\
[jackpot]
marking = "manual"
bet = "1.00"
rate = "80"
start = 10000
prizes = ["1 7-7-7-suited rest"]
communication = "SRIJ 2026/7"

[uplink]
address = "floor.casino:8443"
authority = "floor.pem"
certificate = "table.pem"

[linked]
pool = "gold"
currency = "EUR"
floor = "{KEY.text}"
combination = "A-A-A-suited"
away_after = 60
bets_when_away = "play-on"
sign = "linked"

[journal]"""


@pytest.fixture
def linked(file: ConfigFile) -> ConfigFile:
    file = file.replace("[journal]", SECTIONS).replace("simulated = true", 'simulated = true\ntracks = "hands"')
    return file.replace('profile = "pt-csm"', 'profile = "house"')


def test_what_the_table_plays_for(linked: ConfigFile) -> None:
    linked.path.write_text(linked.text, "utf-8")
    config = read_config(linked.path)
    combination = parse_combination("A-A-A-suited")
    assert combination is not None
    assert setup(config).linked == LinkedRules(
        "gold", "EUR", combination, 60_000, BetsWhenAway.PLAY_ON, SignShows.LINKED
    )
    assert config.linked is not None
    assert config.linked.floor == KEY


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('currency = "EUR"\nfloor', 'currency = "USD"\nfloor', "linked.currency"),
        ("A-A-A-suited", "A-A-A-A-A", "linked.combination"),
        ("away_after = 60", "away_after = 19", "linked.away_after"),
        ("away_after = 60", "away_after = 86401", "linked.away_after"),
        ('"gold"', '"Gold"', "linked.pool"),
        ('"play-on"', '"stay"', "linked.bets_when_away"),
        ('sign = "linked"', 'sign = "both"', "linked.sign"),
        (KEY.text, "floor", "linked.floor"),
        (SECTIONS[: SECTIONS.index("[uplink]")], "", "linked"),
        (SECTIONS[SECTIONS.index("[uplink]") : SECTIONS.index("[linked]")], "", "linked"),
        ('profile = "house"', 'profile = "pt-csm"', "linked"),
        ('profile = "house"', 'profile = "pt-shoe"', "linked"),
        ('profile = "house"', 'profile = "pt-roulette"', "linked"),
    ],
)
def test_refused(linked: ConfigFile, old: str, new: str, key: str) -> None:
    assert old in linked.text
    assert key in linked.replace(old, new).problems()
