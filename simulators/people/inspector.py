"""The table inspector: cuts when no player will, where the profile names him for it (pt.bj.8d, br.prep.4b)."""

from simulators.people.doing import Doing, View


def inspect(_view: View) -> Doing:
    """The next thing for the table inspector."""
    return None
