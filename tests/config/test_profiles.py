"""The laws' profiles are complete, and a casino's profile changes only values that its law leaves open."""

import json
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest
from config_file import ConfigFile

from controller.config import ConfigRefused, read_config
from controller.config.law import limit_rules
from controller.config.profile import CARD_PROFILES, FOLDER, GAME_OF, PROFILES, GameName, Profile
from controller.config.profile_file import BrokenProfile, law, parse_law, read_derived
from controller.core.choices import BurnPlace, Faces, Machine, RoundBurn
from controller.core.words import Device, Role
from controller.devices.device_kinds import KINDS
from tests.endings import HANGS_S

SABOT = Path(sys.executable).parent / "sabot"
PT_CSM = (Path(__file__).parents[2] / "controller/profiles/blackjack/pt-csm.toml").read_text()


_WITHOUT_A_SHUFFLER = {"min_packets", "loading_supervised", "leftovers", "unloading_supervised"}
"""Parameters that mean nothing in a law without the continuous shuffler."""


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_is_whole_and_typed(name: str) -> None:
    profile = law(name)
    assert profile.name == name
    assert isinstance(profile.procedure.machine, Machine)
    assert isinstance(profile.procedure.incident_authority, Role)
    said = tomllib.loads((FOLDER / GAME_OF[name].value / f"{name}.toml").read_text())["parameters"]
    unexplained = {one for one, row in said.items() if not row["clauses"] and not row.get("ours")}
    of_the_machine = {"reserve_cards_per_hand"} | _WITHOUT_A_SHUFFLER
    silent_on = of_the_machine if name.startswith(("mo", "br", "pt-shoe")) else set()
    assert unexplained - silent_on == ({"incident_authority"} if profile.game is GameName.ROULETTE else set())


def test_what_the_seven_say_of_machine_burn_and_deal() -> None:
    """Seven profiles' values on machine, burn card and deal are those of the page that compares jurisdictions."""

    def of(name: str) -> tuple[Machine, int, BurnPlace, str, str]:
        figures, rules = law(name).figures, law(name).procedure
        return rules.machine, figures.burn_cards, rules.burn_place, rules.bank_second_card.value, rules.last_round.value

    assert {name: of(name) for name in CARD_PROFILES} == {
        "pt-csm": (Machine.SHUFFLER, 1, BurnPlace.RACK, "hole", "none"),
        "pt-shoe": (Machine.SHOE, 1, BurnPlace.RACK, "hole", "warning-card"),
        "mo-csm": (Machine.SHUFFLER, 1, BurnPlace.BURNT, "after-players", "none"),
        "mo-shoe": (Machine.SHOE, 1, BurnPlace.BURNT, "after-players", "warning-card"),
        "mo-box": (Machine.BOX, 1, BurnPlace.BURNT, "hole", "every-round"),
        "br": (Machine.SHOE, 5, BurnPlace.BURNT, "after-players", "warning-card"),
        "house": (Machine.SHUFFLER, 1, BurnPlace.RACK, "hole", "none"),
    }


def test_a_parameter_with_a_default_may_stand_unsaid() -> None:
    text = "\n".join(line for line in PT_CSM.splitlines() if not line.startswith("last_round_below"))
    [unsaid] = [one for one in parse_law(text.encode()).parameters if one.name == "last_round_below"]
    assert (unsaid.value, unsaid.clauses, unsaid.open.allowed) == (0, (), (0,))


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("cut_fallback =", "cut_falback =", "cut_falback, cut_fallback"),
        ('value = "shuffler"', 'value = "mixer"', "machine"),
        ("burn_cards = { value = 1", "burn_cards = { value = true", "burn_cards"),
        ("min_packets = { value = 2", "min_packets = { value = 1", "min_packets"),
        ("burn_cards = { value = 1", "burn_cards = { value = 1.0", "float"),
        ("burn_cards = { value = 1", "burn_cards = { valu = 1", "valu"),
    ],
)
def test_a_file_that_is_not_whole_says_where(old: str, new: str, named: str) -> None:
    assert old in PT_CSM
    with pytest.raises(BrokenProfile, match=named):
        parse_law(PT_CSM.replace(old, new).encode())


@pytest.mark.parametrize(
    ("profile", "decks", "refused_by"),
    [
        ("pt-csm", 5, "pt.bj.3a"),
        ("pt-shoe", 8, "pt.bj.3a"),
        ("pt-shoe", 4, None),
        ("mo-shoe", 8, None),
        ("mo-shoe", 0, "mo.1.2"),
        ("mo-box", 2, "mo.1.3"),
        ("br", 7, "br.head.1"),
        ("br", 1, None),
        ("house", 8, "pt.bj.3a"),
    ],
)
def test_decks_of_each_jurisdiction(file: ConfigFile, profile: str, decks: int, refused_by: str | None) -> None:
    file.replace('"pt-csm"', f'"{profile}"').replace("decks = 6", f"decks = {decks}")
    clauses = [problem.clause for key, problem in file.problems().items() if key == "table.decks"]
    assert clauses == ([] if refused_by is None else [refused_by])


def test_more_than_the_equipment_holds_names_no_clause(file: ConfigFile) -> None:
    problems = file.replace('"pt-csm"', '"mo-csm"').replace("decks = 6", "decks = 9").problems()
    assert (problems["table.decks"].clause, problems["table.decks"].wrong.key) == ("", "config.wrong.rule.built")


def test_a_table_without_any_device_is_one(file: ConfigFile) -> None:
    head, _, journal = file.text.partition("[devices.")
    file.text = head + "[journal" + journal.partition("[journal")[2]
    assert file.replace('"pt-csm"', '"mo-box"').replace("decks = 6", "decks = 1").problems() == {}
    assert read_config(file.path).devices == ()


@pytest.mark.parametrize(
    ("profile", "clause"), [("pt-shoe", "pt.bj.9c"), ("mo-shoe", "mo.2.1.1c"), ("br", "br.prep.4d")]
)
def test_a_shoe_is_no_shuffler(file: ConfigFile, profile: str, clause: str) -> None:
    problems = file.replace('"pt-csm"', f'"{profile}"').problems()
    assert {key: problem.clause for key, problem in problems.items()} == {"devices.shuffler": clause}
    start, end = file.text.index("[devices.shuffler]"), file.text.index("[devices.shoe]")
    file.text = file.text[:start] + file.text[end:]
    assert file.problems() == {}


_CARDS = {"pt-csm", "pt-shoe", "mo-csm", "mo-shoe", "mo-box", "br", "house"}
_SHUFFLERS, _WHEELS = {"pt-csm", "mo-csm", "house"}, {"pt-roulette"}


_STANDS_AT = {
    Device.SHUFFLER: _SHUFFLERS,
    Device.SHOE: _CARDS - {"mo-box"},
    Device.JACKPOT_DISPLAY: _CARDS,
    Device.ROULETTE_WHEEL: _WHEELS,
    Device.VALUE_DISPLAY: _WHEELS,
    Device.JACKPOT_SLOTS: _CARDS,
}


@pytest.mark.parametrize("device", Device)
def test_a_device_stands_where_somebody_knows_what_it_tells(file: ConfigFile, device: Device) -> None:
    protocol, stands_at = KINDS[device].protocols[0], _STANDS_AT[device]
    (start, end), text = (file.text.index(part) for part in ("[devices.shuffler]", "[journal]")), file.text
    refused, known = set(), _CARDS | _WHEELS
    for profile in known:
        section = f'[devices.{device}]\nport = "/dev/one"\nprotocol = "{protocol}"\n'
        file.text = (text[:start] + section + text[end:]).replace('"pt-csm"', f'"{profile}"')
        refused |= {profile for key in file.problems(ports_may_be_missing=True) if key == f"devices.{device}"}
    assert refused == known - stands_at


_BAD: Final = (
    ("minimum_bet = 10", 'minimum_bet = 500\nchip_values = ["0.50"]\ntracks = "nothing"'),
    ("decks = 6", "decks = 5"),
    ("[journal]", "[devices.roulette_wheel]\nport = '/dev/w'\nprotocol = 'cammegh'\n[jackpot]\nbet = 1\n[journal]"),
    ("[devices.shuffler]", "[devices.jackpot_display]"),
)


@pytest.mark.waits
@pytest.mark.parametrize("base", ["pt-csm", "mo-box", "br", "pt-roulette"])
def test_a_new_jurisdiction_is_one_file(file: ConfigFile, tmp_path: Path, base: str) -> None:
    """A copied profile in a file of its own works like the profile from which it was copied."""
    shutil.copytree(FOLDER.parent, tmp_path / "controller", ignore=shutil.ignore_patterns("__pycache__"))
    rows = (FOLDER / GAME_OF[base].value / f"{base}.toml").read_text()
    new = tmp_path / "controller/profiles" / GAME_OF[base].value / "xx.toml"
    new.write_text(rows.replace(f'name = "{base}"', 'name = "xx"', 1))
    for old, worse in _BAD:
        file.replace(old, worse)
    file.replace('"pt-csm"', f'"{base}"')
    known = {(key, one.clause or None) for key, one in file.problems().items()}
    file.path.write_text(file.text.replace(f'"{base}"', '"xx"'))
    command = [sys.executable, "-m", "controller.cli.main", "config", "check", "--json", str(file.path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert {(one["key"], one["clause"]) for one in json.loads(done.stdout)["errors"]} == known


def test_the_bounds_are_rules_with_clauses() -> None:
    assert [(rule.name, clause) for rule, clause in limit_rules(law("pt-csm"))] == [
        ("decks", "pt.bj.3a"),
        ("built", ""),
        ("seats", "pt.bj.2"),
        ("built", ""),
        ("maximum-bet", "pt.bj.37"),
    ]


def derived(path: Path, base: str, text: str) -> Profile:
    file = path / "casino.toml"
    file.write_text(f'name = "lisboa"\nderived_from = "{base}"\n[parameters]\n{text}')
    return read_derived(file)


def test_a_casino_chooses_what_is_left_open(tmp_path: Path) -> None:
    made = derived(tmp_path, "mo-shoe", 'burn_each_round = "start"\nburn_each_deck = true\nplayer_cards = "down"\n')
    assert (made.name, made.derived_from, made.jurisdiction) == ("lisboa", "mo-shoe", "mo")
    assert made.procedure.burn_each_round is RoundBurn.START
    assert made.procedure.player_cards is Faces.DOWN
    assert law("mo-shoe").procedure.player_cards is Faces.UP


@pytest.mark.parametrize(
    ("base", "text", "clause"),
    [
        ("mo-box", 'burn_each_round = "start"', "mo.4.2"),
        ("mo-box", 'player_cards = "up"', "mo.5.2.1.2"),
        ("pt-csm", "min_packets = 1", "pt.bj.54b"),
        ("pt-csm", 'cut = "seat-order"', "pt.bj.52a"),
        ("pt-csm", "spread_on_interruption = true", "pt.bj.57b"),
        ("pt-shoe", "burn_cards = 2", "pt.bj.10"),
        ("br", "shuffle_passes = 2", "br.prep.4a"),
        ("mo-shoe", "warning_card_behind = 29", "mo.2.1.1b"),
        ("mo-shoe", "burn_each_deck = 1", "mo.4.1"),
        ("mo-shoe", "split_hands = 3", "mo.16.1"),
        ("pt-roulette", "dealer_most_ms = 3_600_001", "pt.rou.33"),
    ],
)
def test_what_the_law_does_not_leave_open_is_refused_with_its_clause(
    tmp_path: Path, base: str, text: str, clause: str
) -> None:
    with pytest.raises(ConfigRefused) as refused:
        derived(tmp_path, base, text)
    assert [(one.key, one.clause) for one in refused.value.problems] == [(f"parameters.{text.split(' ')[0]}", clause)]


@pytest.mark.parametrize(
    ("base", "text", "bounds"),
    [
        ("mo-shoe", "warning_card_behind = 201", "30..200"),
        ("mo-shoe", "split_hands = 13", "4..12"),
        ("mo-shoe", "places_per_player = 10", "0..9"),
        ("mo-shoe", "last_round_below = 29", "30..51"),
        ("br", "shuffle_passes = 21", "3..20"),
        ("pt-csm", "join_ms = 20_000", "500..10000"),
        ("pt-csm", "min_packets = 13", "2..12"),
        ("pt-csm", "presence_timeout_ms = 29_999", "30000..600000"),
        ("pt-csm", "reserve_cards_per_hand = 1", "2..20"),
        ("pt-roulette", "dealer_most_ms = 59_999", "60000..3600000"),
        ("pt-shoe", 'complaints = "inspector-decides"', "until-mixed"),
        ("pt-shoe", "unloading_supervised = true", "false"),
    ],
)
def test_a_bound_of_ours_is_kept_and_cites_no_clause(tmp_path: Path, base: str, text: str, bounds: str) -> None:
    with pytest.raises(ConfigRefused) as refused:
        derived(tmp_path, base, text)
    (one,) = refused.value.problems
    assert (one.clause, dict(one.right.values)["allowed"]) == ("", bounds)


def test_everything_that_is_wrong_with_a_casinos_own_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        'name = "pt-csm"\nderived_from = "mo-box"\nbase = 1\n'
        '[parameters]\nburn_each_round = "start"\nplayer_cards = "up"\nburn_card = 1\njoin_ms = 1.5\n'
    )
    with pytest.raises(ConfigRefused) as refused:
        read_derived(tmp_path / "own.toml")
    found = {one.key: one.wrong.key for one in refused.value.problems}
    assert found == {
        "base": "config.wrong.unknown",
        "name": "config.wrong.value",
        "parameters.burn_each_round": "config.wrong.parameter",
        "parameters.player_cards": "config.wrong.parameter",
        "parameters.burn_card": "config.wrong.unknown",
        "parameters.join_ms": "config.wrong.parameter",
    }


def test_a_table_follows_a_casinos_own_profile(file: ConfigFile) -> None:
    own = file.path.parent / "own.toml"
    own.write_text('name = "estoril"\nderived_from = "pt-csm"\n[parameters]\nmin_packets = 3\n')
    file.replace('profile = "pt-csm"', 'profile = "pt-csm"\nprofile_file = "own.toml"')
    assert file.problems() == {}
    assert read_config(file.path, ports_may_be_missing=True).profile.figures.min_packets == 3
    own.write_text(own.read_text().replace("= 3", "= 1"))
    assert {key: one.clause for key, one in file.problems().items()} == {
        "table.profile_file: parameters.min_packets": "pt.bj.54b"
    }
    own.write_text(own.read_text().replace("= 1", "= 3").replace('"pt-csm"', '"house"'))
    assert file.problems()["table.profile_file"].wrong.key == "config.wrong.other-profile"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SABOT, "profile", *arguments], capture_output=True, text=True, timeout=HANGS_S)


@pytest.mark.waits
def test_the_command_names_and_shows(tmp_path: Path) -> None:
    assert [one["name"] for one in json.loads(run("list", "--json").stdout)] == list(PROFILES)
    shown = json.loads(run("show", "pt-csm", "--json").stdout)
    assert shown["differences"] == []
    row = next(one for one in shown["parameters"] if one["name"] == "min_packets")
    assert (row["value"], row["clauses"], row["least"]) == (2, ["pt.bj.54b"], 2)
    assert "packets" in row["meaning"]
    assert row["ours"] is None
    complaints = next(one for one in shown["parameters"] if one["name"] == "complaints")
    assert "until the session is closed" in complaints["ours"]
    assert "[R] The text asks that the chief supervisor be always present" in run("show", "pt-csm").stdout
    derived(tmp_path, "pt-csm", "min_packets = 3\n")
    own = run("show", str(tmp_path / "casino.toml")).stdout
    assert "min_packets = 3 instead of 2   [pt.bj.54b]" in own


@pytest.mark.waits
def test_an_unknown_profile_is_wrong_usage() -> None:
    assert run("show", "pt-cms").returncode == 2
