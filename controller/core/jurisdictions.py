"""What stands in another law for the clause that a row names: the rows were first written for one jurisdiction.

A row's own clause holds wherever its document does. Elsewhere the clause here is cited: the one that says the same, or,
where that law has nothing so particular, the nearest that the rule follows from: the equipment that has to serve, the
end of play, and in Brazil the inspector who settles every incident. The leaflet of a house fills itself up from
Portugal's regulation and is cited where it speaks itself.
"""

from typing import Final

_CSM, _BOX, _MO, _BR, _PT, _HOUSE = "mo-csm", "mo-box", "mo", "br", "pt", "house"

_INSTEAD: Final[dict[str, dict[str, str]]] = {
    # equipment and cards
    "pt.bj.2": {_MO: "mo.3.1", _BR: "br.players.1", _HOUSE: "house.8"},
    "pt.bj.3a": {_MO: "mo.1.2", _BR: "br.decks.1"},
    "pt.bj.3b": {_MO: "mo.1.2", _BR: "br.head.1"},
    "br.decks.2": {_MO: "mo.1.2", _PT: "pt.bj.55b"},
    "pt.bj.5b": {_MO: "mo.2.2.1", _BR: "br.inc.1"},
    "pt.bj.5c": {_MO: "mo.2.2.1", _BR: "br.inc.1"},
    # opening, mixing, cut
    "pt.bj.7a": {_MO: "mo.2.1", _BR: "br.prep.1"},
    "pt.bj.7b": {_MO: "mo.1.2", _BR: "br.prep.2b"},
    "br.prep.2b": {_MO: "mo.2.1", _PT: "pt.bj.7a"},
    "br.prep.4a": {_MO: "mo.2.1.1a", _PT: "pt.bj.8a"},
    "br.prep.3b": {_MO: "mo.2.1.1a", _PT: "pt.bj.8a"},
    "pt.bj.8a": {_CSM: "mo.2.1.2", _MO: "mo.2.1.1a", _BR: "br.prep.4b"},
    "pt.bj.8b": {_CSM: "mo.2.1.2", _MO: "mo.2.1.1a", _BR: "br.prep.4b"},
    "pt.bj.8c": {_CSM: "mo.2.1.2", _MO: "mo.2.1.1a", _BR: "br.prep.4b"},
    "pt.bj.8d": {_CSM: "mo.2.1.2", _MO: "mo.2.1.1a", _BR: "br.prep.4b"},
    "pt.bj.9a": {_CSM: "mo.2.1.2", _MO: "mo.2.1.1b", _BR: "br.prep.4c"},
    "pt.bj.9c": {_CSM: "mo.2.1.2", _MO: "mo.2.1.1c", _BR: "br.prep.4d"},
    "pt.bj.52a": {_MO: "mo.2.1.2", _BR: "br.prep.4b"},
    "pt.bj.52b": {_CSM: "mo.2.1.2", _MO: "mo.2.1.1b", _BR: "br.prep.4c"},
    "mo.2.1.2": {_PT: "pt.bj.53b", _BR: "br.prep.4a"},
    # loading
    "pt.bj.53a": {_MO: "mo.2.1", _BR: "br.prep.2b"},
    "pt.bj.53b": {_CSM: "mo.2.1.2", _MO: "mo.2.1.1a", _BR: "br.prep.4a"},
    "pt.bj.53c": {_CSM: "mo.2.1.2", _MO: "mo.2.1.1c", _BR: "br.prep.4d"},
    "pt.bj.54b": {_CSM: "mo.2.1.2", _MO: "mo.2.1.1c", _BR: "br.prep.4d"},
    "pt.bj.54c": {_CSM: "mo.2.1.2", _MO: "mo.2.1.1c", _BR: "br.prep.4d"},
    "pt.bj.54d": {_MO: "mo.2.1", _BR: "br.staff.3"},
    # burn, deal
    "pt.bj.10": {_MO: "mo.4.1", _BR: "br.burn.1"},
    "pt.bj.13": {_MO: "mo.5.1", _BR: "br.bets.1"},
    "pt.bj.17a": {_MO: "mo.5.1", _BR: "br.dev.1", _HOUSE: "house.8"},
    "pt.bj.17b": {_BOX: "mo.5.2.1.2", _MO: "mo.5.2.2.2", _BR: "br.play.1", _HOUSE: "house.8"},
    "pt.bj.17c": {_MO: "mo.5.1.2a", _BR: "br.inc.1"},
    "pt.bj.18c": {_MO: "mo.6", _BR: "br.players.5"},
    "pt.bj.18d": {_MO: "mo.5.1.2a", _BR: "br.inc.1"},
    "pt.bj.18f": {_MO: "mo.5.1.2a", _BR: "br.inc.1"},
    "pt.bj.18a": {_MO: "mo.6.2", _BR: "br.play.4", _HOUSE: "house.9b"},
    "pt.bj.19c": {_MO: "mo.6.1a", _BR: "br.play.8a"},
    "pt.bj.26a": {_MO: "mo.16.1", _BR: "br.pairs.1", _HOUSE: "house.10a"},
    "pt.bj.29a": {_MO: "mo.17.1", _BR: "br.double.1", _HOUSE: "house.12"},
    "pt.bj.33a": {_MO: "mo.12.1", _BR: "br.ins.1", _HOUSE: "house.15a"},
    "pt.bj.33b": {_MO: "mo.12.1", _BR: "br.ins.3", _HOUSE: "house.15a"},
    "pt.bj.34": {_MO: "mo.10.3", _BR: "br.play.7"},
    "pt.bj.36a": {_MO: "mo.18.1", _BR: "br.play.4", _HOUSE: "house.16a"},
    "mo.13": {_PT: "pt.bj.13", _BR: "br.bets.1"},
    "mo.19.1": {_PT: "pt.bj.18a", _BR: "br.play.4"},
    "pt.bj.19b": {_MO: "mo.6.1b", _BR: "br.inc.1"},
    "pt.bj.23": {_MO: "mo.9", _BR: "br.dev.2"},
    "pt.bj.48b": {_MO: "mo.5.1", _BR: "br.bets.1"},
    "mo.5.2.1.1": {_PT: "pt.bj.17a", _BR: "br.dev.1"},
    "mo.6.2": {_PT: "pt.bj.17a", _BR: "br.dev.1"},
    "mo.6.4": {_PT: "pt.bj.17a", _BR: "br.dev.1"},
    "mo.5.1.2a": {_PT: "pt.bj.17a", _BR: "br.inc.1"},
    "br.inc.2": {_MO: "mo.5.1.1", _PT: "pt.bj.18f"},
    # incidents
    "pt.bj.51a": {_MO: "mo.2.2.1", _BR: "br.inc.1"},
    "pt.bj.51b": {_MO: "mo.2.2.1", _BR: "br.inc.1"},
    "pt.bj.51c": {_CSM: "mo.1.4", _MO: "mo.1.3", _BR: "br.inc.1"},
    "pt.bj.51d": {_CSM: "mo.1.4", _MO: "mo.1.3", _BR: "br.inc.1"},
    "pt.bj.51e": {_CSM: "mo.1.4", _MO: "mo.1.3", _BR: "br.inc.1"},
    "pt.bj.61": {"pt-shoe": "pt.bj.11b", _CSM: "mo.2.2.4", _MO: "mo.2.2", _BR: "br.inc.1"},
    "br.inc.1": {_MO: "mo.5.1.2b", _PT: "pt.bj.51d"},
    "br.staff.3": {_MO: "mo.5.1.2b", _PT: "pt.bj.51d"},
    "mo.5.1.2b": {_PT: "pt.bj.51d", _BR: "br.inc.1"},
    # the end of a round, and of the session
    "pt.bj.11a": {_CSM: "mo.2.2.4", _BOX: "mo.2.2.3", _MO: "mo.2.2.1", _BR: "br.dev.3"},
    "pt.bj.11b": {_CSM: "mo.2.2.4", _BOX: "mo.2.2.3", _MO: "mo.2.2.1", _BR: "br.dev.4"},
    "br.dev.4": {_MO: "mo.2.2", _PT: "pt.bj.11b"},
    "pt.bj.12": {_MO: "mo.2.2", _BR: "br.dev.4"},
    "pt.bj.56": {_CSM: "mo.2.2.4", _BOX: "mo.2.2.3", _MO: "mo.2.2.1", _BR: "br.dev.3"},
    "pt.bj.57a": {_MO: "mo.2.2", _BR: "br.dev.4"},
    "pt.bj.57b": {_MO: "mo.2.2", _BR: "br.dev.4"},
    "pt.bj.58": {_CSM: "mo.2.2.4", _BOX: "mo.2.2.3", _MO: "mo.2.2.1", _BR: "br.dev.2"},
    "pt.bj.59a": {_CSM: "mo.2.2.4", _BOX: "mo.2.2.3", _MO: "mo.2.2.1", _BR: "br.dev.2"},
    "pt.bj.59b": {_CSM: "mo.2.2.4", _BOX: "mo.2.2.3", _MO: "mo.2.2.1", _BR: "br.dev.2"},
    "pt.bj.60a": {"pt-shoe": "pt.bj.11b", _CSM: "mo.2.2.4", _BOX: "mo.2.2.3", _MO: "mo.2.2.1", _BR: "br.prep.4c"},
    "pt.bj.55a": {_MO: "mo.2.2", _BR: "br.dev.4"},
    "pt.bj.55b": {_MO: "mo.2.2", _BR: "br.dev.4"},
}
"""Each with the more particular profile before its jurisdiction."""


def clause_in(clause: str, profile: str) -> str:
    """The clause that a table of this profile cites where a row names `clause`."""
    instead = _INSTEAD.get(clause)
    if instead is None:
        return clause
    return _of(instead, profile) or (_of(instead, _PT) if profile == _HOUSE else None) or clause


def _of(instead: dict[str, str], profile: str) -> str | None:
    return next((other for start, other in instead.items() if profile.startswith(start)), None)
