"""Alert rules: each has its fault, and uses existing figures. `make deb-test` asks promtool."""

import json
import re

from controller.screen.metrics import FAMILIES, UP
from tests.monitoring.series import FAULTS, FOLDER, alerts


def test_every_alert_has_a_fault_and_every_figure_of_them_exists() -> None:
    assert set(alerts()) == set(FAULTS)
    known = {UP, *(name for name, _kind, _read in FAMILIES)}
    dashboard = (FOLDER / "dashboard.json").read_text()
    used = set(re.findall(r"\bsabot_[a-z_]+", " ".join(alerts().values()) + dashboard))
    assert used - known == set()
    assert len(json.loads(dashboard)["panels"]) >= 8
