"""Alert rules against promtool (Debian: prometheus): each fires on its fault, and none in a quiet evening."""

import json
import subprocess
from pathlib import Path

import pytest

from simulators.world.plan import WorldPlan
from tests.monitoring.evening import OF_AN_EVENING, series_of
from tests.monitoring.series import FOLDER, document, quiet

pytestmark = pytest.mark.waits


def asked(rules: Path, work: Path) -> subprocess.CompletedProcess[str]:
    return _promtool(document(rules), work)


def _promtool(document: object, work: Path) -> subprocess.CompletedProcess[str]:
    file = work / "rules_test.yml"
    file.write_text(json.dumps(document))
    return subprocess.run(["promtool", "test", "rules", str(file)], capture_output=True, text=True, timeout=300)


def test_each_alert_fires_on_its_fault_and_none_in_a_quiet_evening(tmp_path: Path) -> None:
    done = asked(FOLDER / "alerts.yml", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_none_fires_in_an_evening_of_the_world(tmp_path: Path) -> None:
    """Three hours of a whole simulated table, with jams and retried cards that end within minutes."""
    evening = series_of(WorldPlan(1, 100, OF_AN_EVENING))
    done = _promtool(quiet(FOLDER / "alerts.yml", evening), tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_rule_that_is_wrong_fails(tmp_path: Path) -> None:
    rules = tmp_path / "alerts.yml"
    rules.write_text((FOLDER / "alerts.yml").read_text().replace("sabot_up == 0", "sabot_up == 2"))
    assert asked(rules, tmp_path).returncode == 1
