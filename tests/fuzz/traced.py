"""The lines and the ways out of each branch in a run, measured with the interpreter's own tracing.

A branch is a conditional jump of the compiled code: both its ways out count. Ways into `assert_never` do not: the type
checker shows that they are never taken.
"""

import dis
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

NEVER = "assert_never"


@dataclass(frozen=True, slots=True, order=True)
class Way:
    """A way from one line to another at a conditional jump; `offset` distinguishes two jumps of one line."""

    function: str
    offset: int
    line: int
    to_line: int


@dataclass(slots=True)
class Taken:
    """The executed lines."""

    steps: set[tuple[CodeType, int, int]] = field(default_factory=set)  # from instruction to instruction
    lines: set[tuple[CodeType, int]] = field(default_factory=set)


def code_of(*functions: Callable[..., Any]) -> list[CodeType]:
    """The code of these functions, of the methods of these classes, and of the functions within them."""
    found: list[CodeType] = []
    for function in functions:
        members = vars(function).values() if isinstance(function, type) else (function,)
        codes = [
            getattr(member, "__code__", getattr(getattr(member, "fget", None), "__code__", None)) for member in members
        ]
        found += [inner for code in codes if code is not None for inner in _with_nested(code)]
    return [code for code in found if not code.co_filename.startswith("<")]


def _with_nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_nested(constant)


@contextmanager
def tracing(codes: list[CodeType]) -> Iterator[Taken]:
    """Records the execution of these codes."""
    taken, wanted = Taken(), set(codes)
    last: dict[int, int] = {}

    def begin(frame: FrameType, event: str, _argument: object) -> Callable[..., object] | None:
        if event != "call" or frame.f_code not in wanted:
            return None
        frame.f_trace_opcodes = True
        last[id(frame)] = -1
        return step

    def step(frame: FrameType, event: str, _argument: object) -> Callable[..., object]:
        if event == "opcode":
            code = frame.f_code
            taken.steps.add((code, last.get(id(frame), -1), frame.f_lasti))
            taken.lines.add((code, frame.f_lineno))
            last[id(frame)] = frame.f_lasti
        return step

    before = sys.gettrace()
    sys.settrace(begin)
    try:
        yield taken
    finally:
        sys.settrace(before)


def lines_left(codes: list[CodeType], taken: Taken) -> list[str]:
    """Lines with code that were not executed."""
    left = []
    for code in codes:
        source = _source(code)
        known = {line for _, _, line in code.co_lines() if line is not None and line != code.co_firstlineno}
        for line in sorted(known):
            if (code, line) not in taken.lines and NEVER not in source[line - 1]:
                left.append(f"{Path(code.co_filename).name}:{line}: {source[line - 1].strip()}")
    return left


def ways_left(codes: list[CodeType], taken: Taken) -> list[Way]:
    """Ways out of conditional jumps that were not taken."""
    return sorted(way for code in codes for way in _ways_of(code, taken))


def _ways_of(code: CodeType, taken: Taken) -> Iterator[Way]:
    source = _source(code)
    instructions = list(dis.get_instructions(code))
    line_at: dict[int, int] = {}
    line = code.co_firstlineno
    for one in instructions:
        line = one.positions.lineno if one.positions and one.positions.lineno else line
        line_at[one.offset] = line
    for before, jump, after in zip(instructions, instructions[1:], instructions[2:], strict=False):
        if ("_IF_" not in jump.opname and jump.opname != "FOR_ITER") or before.opname == "CHECK_EXC_MATCH":
            continue  # an exception that no `except` names leaves: no way of the decoder's own
        # The interpreter may run a comparison and its jump as one step: then the way begins at the comparison.
        starts = (jump.offset, before.offset)
        for target in (after.offset, int(jump.argval)):
            way = Way(code.co_qualname, jump.offset, line_at[jump.offset], line_at[target])
            is_taken = any((code, start, target) in taken.steps for start in starts)
            if not is_taken and NEVER not in source[way.to_line - 1]:
                yield way


def _source(code: CodeType) -> list[str]:
    return [*Path(code.co_filename).read_text(encoding="utf-8").splitlines(), ""]
