"""The people of a simulated table have names that are right on a page of any language."""

from pathlib import Path

from controller.catalogue import Language
from simulators.demo.house import furnish


def test_the_names_are_the_same_in_every_terminal(tmp_path: Path) -> None:
    """A page in Portuguese once showed "You" and "Scripted chief supervisor", the words of an English terminal."""
    names = {one: [who.name for who in furnish(tmp_path / one, one).people.values()] for one in Language}
    assert all(found == names[Language.EN] for found in names.values())
    assert not any(word in name for name in names[Language.EN] for word in ("You", "cript"))
