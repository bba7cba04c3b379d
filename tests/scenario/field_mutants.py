"""Functions of the core with one error each: a field dropped where a part is replaced, or a condition reversed.

Places are found by rule in any file: in every function of the core with the table's state, or a struct within it, among
its arguments or as its result. A mutant is named by its function and its change there.
"""

import ast
import gc
import pkgutil
import typing
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property, partial
from importlib import import_module
from inspect import getsource, unwrap
from types import CodeType, FunctionType, ModuleType
from typing import Final, TypeGuard

from msgspec import Struct

from controller import core
from controller.core.custody.state import CardState, CardStateT
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.registry import Registry
from tests.scenario.mutants import Changed, Mutant

_LONGEST: Final = 90
"""Letters of a condition in a mutant's name."""


def field_mutants() -> Iterator[Mutant]:
    """Returns every mutant, in order of file and line; equal changes in functions of one name are numbered."""
    seen: Counter[str] = Counter()
    for module in _modules():
        for node, function in _functions(module):
            for kind, what in _changes(node, named=module.__name__.startswith((*_SHARED, _GAME))):
                name = f"{function.__qualname__}: {what}"
                seen[name] += 1
                name = f"{name} #{seen[name]}" if seen[name] > 1 else name
                codes = frozenset(right for right, _wrong in _pairs(function.__code__, function.__code__))
                yield Mutant(kind, name, frozenset(), swapped(node, function), codes)


def swapped(node: ast.FunctionDef, function: FunctionType) -> Callable[[], AbstractContextManager[None]]:
    """Returns a maker of contexts in which the function runs by the changed tree `node`."""
    pairs = _pairs(function.__code__, _code(node, function))
    return partial(_applied, [(one, right, wrong) for right, wrong in pairs for one in _running(function, right)])


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(core.__path__, f"{core.__name__}."):
        yield import_module(found.name)


def _pairs(right: CodeType, wrong: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yields the code of a function, and of its inner functions, each with its changed code."""
    yield right, wrong
    for inner, changed in zip(_made_in(right), _made_in(wrong), strict=True):
        yield from _pairs(inner, changed)


def _made_in(code: CodeType) -> list[CodeType]:
    """Returns the code of the inner functions with a name.

    Lambdas and comprehensions are made anew whenever the function runs.
    """
    return [one for one in code.co_consts if isinstance(one, CodeType) and not one.co_name.startswith("<")]


def _running(function: FunctionType, code: CodeType) -> list[FunctionType]:
    """Returns all functions that run this code, also one that another function has made and put into a table."""
    if function.__code__ is code:
        return [function]
    gc.unfreeze()  # an earlier test may have started a controller, which froze the present objects
    return [one for one in gc.get_referrers(code) if isinstance(one, FunctionType)]


@contextmanager
def _applied(swaps: list[tuple[FunctionType, CodeType, CodeType]]) -> Iterator[None]:
    """Runs the context with the functions' code changed, and restores the code after it.

    The functions themselves change, so all callers run the changed code.
    """
    for function, _right, wrong in swaps:
        function.__code__ = wrong
    forget()
    try:
        yield
    finally:
        for function, right, _wrong in swaps:
            function.__code__ = right
        forget()


def forget() -> None:
    """Clears all cached answers, since those were given by the unchanged functions."""
    for kept in _KEPT:
        kept()


def _caches() -> Iterator[Callable[[], None]]:
    for module in _modules():
        for one in vars(module).values():
            if hasattr(one, "cache_clear") and not isinstance(one, type):
                yield one.cache_clear
            elif isinstance(one, Registry):
                yield one.follows.cache_clear


_KEPT: Final = tuple(_caches())


def _functions(module: ModuleType) -> Iterator[tuple[ast.FunctionDef, FunctionType]]:
    """Yields the module's own functions and methods that use the table's state, each with its tree."""
    tree, parts = ast.parse(getsource(module)), _OF_ANY_CARDS if module.__name__ in _SHARED else _PARTS
    for node in tree.body:
        holder = getattr(module, node.name, None) if isinstance(node, ast.ClassDef) else module
        inner = node.body if isinstance(node, ast.ClassDef) else [node]
        for one in inner:
            if isinstance(one, ast.FunctionDef) and _is_of_the_state(one, parts):
                one.decorator_list = []
                yield one, _plain(vars(holder)[one.name])


def _plain(found: object) -> FunctionType:
    """The function below its decorators."""
    function = (
        found.fget if isinstance(found, property) else found.func if isinstance(found, cached_property) else found
    )
    assert callable(function)
    function = unwrap(function)
    assert isinstance(function, FunctionType)
    return function


def _is_of_the_state(node: ast.FunctionDef, parts: frozenset[str]) -> bool:
    arguments = [one.annotation for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    words = [word for one in (*arguments, node.returns) if one is not None for word in ast.walk(one)]
    return any(isinstance(word, ast.Name) and word.id in parts for word in words)


def _parts(of: object) -> frozenset[str]:
    """The structs within a struct, by name, itself included."""
    if isinstance(of, type) and issubclass(of, Struct):
        inner = (_parts(hint) for hint in typing.get_type_hints(of).values())
        return frozenset({of.__name__}).union(*inner)
    return frozenset().union(*map(_parts, typing.get_args(of)))


_PARTS: Final = _parts(BlackjackState)
_OF_ANY_CARDS: Final = _PARTS | {CardState.__name__, CardStateT.__name__}
"""The names of a state in functions that every game of cards shares."""
_SHARED: Final = tuple(
    f"controller.core.custody.{name}"
    for name in (
        "agreement",
        "complaints",
        "corrections",
        "putting_back",
        "round",
        "rulings",
        "set_aside",
        "taking_back",
        "turning",
    )
)
"""The files of a round of any cards. Of the rest of custody only the rows are changed."""
_GAME: Final = "controller.core.games.blackjack"
_PUTTING_IN: Final = tuple(
    f"with_{part}" for part in ("round", "custody", "shoe_game", "tally", "game", "stakes", "jackpot")
)
"""Functions that put a changed part into the state: of the cards, of a round, of its bets."""


# --- the changes


def _changes(node: ast.FunctionDef, *, named: bool) -> Iterator[tuple[Changed, str]]:
    """Makes one change of this function after another, and yields the kind and name of each.

    The function keeps a change until the next one is asked for. `named`: also drops parts that a function of their name
    puts in (`with_round`).
    """
    for place in [*ast.walk(node)]:
        yield from ((Changed.FIELD, what) for what in _without_a_field(place, named=named))
        for asked, turn in conditions(place):
            turn(ast.copy_location(ast.UnaryOp(ast.Not(), asked), asked))
            yield Changed.CONDITION, f"turned: {_short(asked)}"
            turn(asked)


def _without_a_field(place: ast.AST, *, named: bool) -> Iterator[str]:
    if _is_replaced(place, named=named):
        whole = place.keywords
        for keyword in whole:
            if keyword.arg is not None and not _is_replaced(keyword.value, named=named):
                place.keywords = [one for one in whole if one is not keyword]
                yield f"{keyword.arg} of {_short(place.args[0])} dropped"
        place.keywords = whole


def _is_replaced(value: ast.AST, *, named: bool) -> TypeGuard[ast.Call]:
    """True for a replaced part within another, which is dropped field by field."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Name):
        return False
    return value.func.id == "replace" or (named and value.func.id in _PUTTING_IN)


def conditions(place: ast.AST) -> Iterator[tuple[ast.expr, Callable[[ast.expr], None]]]:
    """Yields each condition at this place, with the function that replaces the condition."""
    match place:
        case ast.If() | ast.IfExp() | ast.While():
            yield place.test, partial(setattr, place, "test")
        case ast.match_case(guard=guard) if guard is not None:
            yield guard, partial(setattr, place, "guard")
        case ast.comprehension(ifs=ifs):
            yield from ((asked, partial(ifs.__setitem__, index)) for index, asked in enumerate(ifs))
        case _:
            pass


def _short(found: ast.AST) -> str:
    text = ast.unparse(found)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "..."


def _code(changed: ast.FunctionDef, function: FunctionType) -> CodeType:
    module = compile(ast.Module([changed], []), function.__code__.co_filename, "exec")
    return next(one for one in module.co_consts if isinstance(one, CodeType) and one.co_name == changed.name)
