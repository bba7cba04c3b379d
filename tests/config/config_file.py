"""A good configuration that a test can spoil and check."""

from pathlib import Path

import pytest

from controller.catalogue import Language
from controller.config import ConfigRefused, Problem, read_config

GOOD = """\
[table]
id = "BJ-07"
profile = "pt-csm"
decks = 6
seats = 7
minimum_bet = 10
maximum_bet = "300.00"
currency = "EUR"
language = "pt"
simulated = true

[devices.shuffler]
port = "{shuffler}"
protocol = "tdp"
serial_number = "SH-1"

[devices.shoe]
port = "{shoe}"
protocol = "tdp"

[journal]
path = "journal"

[staff]
path = "/etc/sabot/staff.toml"
"""


class ConfigFile:
    """A file to write into, and the result of its check."""

    def __init__(self, path: Path, ports: dict[str, str]) -> None:
        self.path = path
        self.text = GOOD.format(**ports)

    def replace(self, old: str, new: str) -> "ConfigFile":
        assert old in self.text
        self.text = self.text.replace(old, new)
        return self

    def problems(self, *, ports_may_be_missing: bool = False) -> dict[str, Problem]:
        """Every problem by its key; empty for a good file."""
        self.path.write_text(self.text, "utf-8")
        try:
            read_config(self.path, ports_may_be_missing=ports_may_be_missing)
        except ConfigRefused as error:
            refused = error
        else:
            return {}
        found = {problem.key: problem for problem in refused.problems}
        assert len(found) == len(refused.problems), "two problems of one key"
        for language in Language:
            assert not any("{" in line.replace("{…}", "") for line in refused.lines(language)), "a value is missing"
        return found

    def lines(self) -> list[str]:
        self.path.write_text(self.text, "utf-8")
        with pytest.raises(ConfigRefused) as refused:
            read_config(self.path)
        return refused.value.lines(Language.EN)
