"""The series of the fault of each alert rule, a quiet evening, and both in promtool's form."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "systemd/monitoring"

FAULTS: dict[str, tuple[str, str, str]] = {
    "SabotDown": ('sabot_up{instance="t"}', "1x10 0x290", 'instance="t"'),
    "SabotFiguresOld": (
        'node_textfile_mtime_seconds{instance="t",file="/x/sabot.prom"}',
        "0x300",
        'instance="t",file="/x/sabot.prom"',
    ),
    "SabotHeldLong": ('sabot_hold_age_seconds{instance="t",kind="jam"}', "0+60x300", 'instance="t",kind="jam"'),
    "SabotJournalNotWritten": ('sabot_journal_writing{instance="t"}', "1x10 0x290", 'instance="t"'),
    "SabotJournalSlow": ('sabot_journal_lag_seconds{instance="t"}', "0.01x10 4x290", 'instance="t"'),
    "SabotSecondCopyFailed": ('sabot_second_copy_working{instance="t"}', "1x10 0x290", 'instance="t"'),
    "SabotDeviceLost": (
        'sabot_device_connected{instance="t",device="shoe"}',
        "1x10 0x290",
        'instance="t",device="shoe"',
    ),
    "SabotDeviceComesAndGoes": (
        'sabot_device_reconnects_total{instance="t",device="shoe"}',
        "0+1x300",
        'instance="t",device="shoe"',
    ),
    "SabotLineNoisy": (
        'sabot_device_frames_rejected_total{instance="t",device="shoe",reason="checksum"}',
        "0+20x300",
        'instance="t",device="shoe"',
    ),
    "SabotManyJams": (
        'sabot_table_events_total{instance="t",event="jams_raised"}',
        "0+0.2x300",
        'instance="t"',
    ),
    "SabotUndervoltage": ('sabot_undervoltage{instance="t"}', "0x10 1x290", 'instance="t"'),
    "SabotHot": ('sabot_temperature_celsius{instance="t"}', "60x10 85x290", 'instance="t"'),
    "SabotSimulated": (
        'sabot_info{instance="t",table="T",simulated="true"}',
        "1x300",
        'instance="t",table="T",simulated="true"',
    ),
    "SabotTwin": ('sabot_info{instance="u",table="T",simulated="false"}', "1x300", 'table="T"'),
}
"""For each alert the faulty series, its values a minute, and the labels of the alert."""

QUIET: dict[str, str] = {
    'sabot_up{instance="t"}': "1x300",
    'sabot_info{instance="t",table="T",simulated="false"}': "1x300",
    'sabot_session_open{instance="t"}': "1x300",
    'sabot_journal_writing{instance="t"}': "1x300",
    'sabot_journal_lag_seconds{instance="t"}': "0.01x300",
    'sabot_second_copy_working{instance="t"}': "1x300",
    'sabot_device_connected{instance="t",device="shuffler"}': "1x300",
    'sabot_device_reconnects_total{instance="t",device="shuffler"}': "0x100 1x199",
    'sabot_device_frames_rejected_total{instance="t",device="shuffler",reason="checksum"}': "0+0.1x300",
    'sabot_table_events_total{instance="t",event="drawn"}': "0+15x300",
    'sabot_table_events_total{instance="t",event="jams_raised"}': "0+0.02x300",
    'sabot_hold_age_seconds{instance="t",kind="jam"}': "_x50 30+60x5 _x200",
    'sabot_undervoltage{instance="t"}': "0x300",
    'sabot_temperature_celsius{instance="t"}': "62x300",
    'node_textfile_mtime_seconds{instance="t",file="/x/sabot.prom"}': "0+60x300",
}
"""An evening with one jam of five minutes, one lost line, a few bad frames."""


def alerts() -> dict[str, str]:
    """The expression of each alert, by the alert's name."""
    text = (FOLDER / "alerts.yml").read_text()
    return dict(re.findall(r"- alert: (\w+)\n\s+expr: (?:>\n\s+)?(.+(?:\n\s+/.+)?)", text))


def document(rules: Path) -> dict[str, object]:
    """promtool's input: JSON is YAML, too."""
    tests = [_test("quiet", QUIET, {})]
    for alert, (series, values, labels) in FAULTS.items():
        tests.append(_test(alert, QUIET | {series: values}, {alert: labels}))
    return _rules_test(rules, tests)


def quiet(rules: Path, evening: Mapping[str, Sequence[str]]) -> dict[str, object]:
    """The test of one evening, by its values a minute: no rule fires at any of its minutes."""
    minutes = len(next(iter(evening.values())))
    series = {name: " ".join(values) for name, values in evening.items()}
    series['node_textfile_mtime_seconds{instance="t",file="/x/sabot.prom"}'] = f"0+60x{minutes}"
    checks = [
        {"eval_time": f"{at}m", "alertname": alert, "exp_alerts": []} for alert in FAULTS for at in range(minutes)
    ]
    inputs = [{"series": name, "values": values} for name, values in series.items()]
    test = {"name": "evening", "interval": "1m", "input_series": inputs, "alert_rule_test": checks}
    return _rules_test(rules, [test])


def _rules_test(rules: Path, tests: Sequence[object]) -> dict[str, object]:
    return {"rule_files": [str(rules)], "evaluation_interval": "1m", "tests": tests}


def _test(name: str, series: dict[str, str], fires: dict[str, str]) -> dict[str, object]:
    """A test at several moments of five hours: the alert fires at the end, and no other at any moment."""
    checks = []
    for alert in FAULTS:
        labels = dict(re.findall(r'(\w+)="([^"]*)"', fires.get(alert, "")))
        expected = [{"exp_labels": labels | {"severity": severity(alert)}}] if alert in fires else []
        moments = [f"{at}m" for at in ((290,) if alert in fires else (20, 60, 120, 240, 290))]
        checks += [{"eval_time": at, "alertname": alert, "exp_alerts": expected} for at in moments]
    for check in checks:
        for one in check["exp_alerts"]:
            one["exp_annotations"] = {"summary": summary(str(check["alertname"]), one["exp_labels"])}
    inputs = [{"series": name, "values": values} for name, values in series.items()]
    return {"name": name, "interval": "1m", "input_series": inputs, "alert_rule_test": checks}


def severity(alert: str) -> str:
    found = re.search(rf"alert: {alert}\n.*?severity: (\w+)", (FOLDER / "alerts.yml").read_text(), re.DOTALL)
    assert found is not None
    return found[1]


def summary(alert: str, labels: dict[str, str]) -> str:
    found = re.search(rf'alert: {alert}\n.*?summary: "([^"]+)"', (FOLDER / "alerts.yml").read_text(), re.DOTALL)
    assert found is not None
    return re.sub(r"{{ \$labels\.(\w+) }}", lambda match: labels[match[1]], found[1])
