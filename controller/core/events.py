"""Every fact of a table, under one name; each stands in its room, its name in the journal in the rows of that room."""

from controller.core.custody.facts import *
from controller.core.engine.fact import Fact as Fact
from controller.core.engine.fact import Source as Source
from controller.core.house.facts import *
