"""The configuration: reads a TOML file into frozen values, or reports every problem at once."""

from controller.config.load import read_config, setup
from controller.config.model import Config, DeviceConfig, PartConfig, PartKind, Protocol, TableConfig
from controller.config.problems import ConfigRefused, Problem, ProblemWords

__all__ = [
    "Config",
    "ConfigRefused",
    "DeviceConfig",
    "PartConfig",
    "PartKind",
    "Problem",
    "ProblemWords",
    "Protocol",
    "TableConfig",
    "read_config",
    "setup",
]
