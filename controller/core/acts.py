"""Every act of a table, under one name; each stands in its room.

Their names (`sabot act NAME`), who may do what, and when, stand in the rows of the rooms.
"""

from controller.core.custody.acts import *
from controller.core.engine.act import Act as Act
from controller.core.engine.act import value_names as value_names
from controller.core.games.blackjack.acts import *
from controller.core.house.acts import *
