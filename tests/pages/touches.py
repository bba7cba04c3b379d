"""The page of the touches that an opening, a jam and a round take, by the way in which a supervisor gives his word."""

from tests.panel.touches import JAM, OPENING, ROUND, Touched, Way, pins, total

HEAD = """\
# Touches

Generated from `tests/panel/touches.py` (`make pages`); `tests/panel/test_touches_of_a_day.py` counts every touch of
these in the real page of a table with a simulated shuffler, in English and Portuguese, at 1280x800 and 800x480, and
fails at one more or one less. A key of the PIN pad counts as any other: a PIN has six digits here, the fewest, and OK.
Each card that the bank draws is a touch more.

- **by PIN**: all people at the table's screen
- **by badge**: all at the table's screen; the supervisor by badge and key, the dealer by PIN
- **at a tablet**: the supervisor at a tablet of his own, where he alone is signed in; his touches and the dealer's
"""
AIMS = ((OPENING, "From the closed table to the first bet", 20), (JAM, "A jam", 8), (ROUND, "A round with hands", 8))


def touches_page() -> str:
    lines = [HEAD, "| | aim | by PIN | by badge | at a tablet |", "|---|---|---|---|---|"]
    for steps, name, aim in AIMS:
        lines.append(f"| {name} | {aim} | {' | '.join(_told(steps, way) for way in Way)} |")
    for steps, name, _aim in AIMS:
        lines += ["", f"## {name}", "", "| button | who | page | why | by PIN | by badge | at a tablet |"]
        lines += ["|---|---|---|---|---|---|---|", *map(_row, steps)]
    return "\n".join(lines) + "\n"


def _told(steps: tuple[Touched, ...], way: Way) -> str:
    typed = pins(steps, way)
    return f"**{total(steps, way)}**" + (f", {typed} PIN{'s' if typed > 1 else ''} among them" if typed else "")


def _row(one: Touched) -> str:
    counts = " | ".join(str(count) if count else "-" for count in one.touches)
    return f"| `{one.button}` | {one.who} | {one.page} | {one.why} | {counts} |"
