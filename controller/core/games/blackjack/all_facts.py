"""Every fact of a table, under one name; each stands in the file of its subject, its name in the journal in its row."""

from controller.core.custody.devices import *
from controller.core.custody.reader import *
from controller.core.engine.act import Fact as Fact
from controller.core.engine.act import Source as Source
from controller.core.house.facts import *
