"""The page of state diagrams, from the procedure's own tables: one chapter for each profile."""

from enum import StrEnum
from typing import Any

from transitions.extensions import GraphMachine

from controller.config.profile import CARD_PROFILES
from controller.config.profile_file import law
from controller.core.custody.round import ROUND
from controller.core.custody.state import SESSION, CardTrigger
from controller.core.engine.machine import ProcedureMachine
from controller.core.games.roulette.spin_table import SPIN
from controller.core.house.hold_table import HOLD, HOLD_RULES, forbids, hold_rule
from controller.core.house.session_table import PLAIN_SESSION
from controller.core.words import Device, HoldKind, SessionPhase

_IRREGULAR = CardTrigger.IRREGULAR_CLOSING_CONFIRMED


def diagrams_page() -> str:
    """Session, round and hold as Mermaid diagrams, then each kind of hold with its prohibitions and its people."""
    lines = ["# State diagrams", "", "Generated from the tables (`make pages`).", ""]
    for profile in CARD_PROFILES:
        procedure = law(profile).procedure
        lines += [
            f"## {profile}: session",
            "",
            "```mermaid",
            _diagram(SESSION, procedure, leave_out=_IRREGULAR),
            "```",
            "",
        ]
        sources = ", ".join(
            one for one in SESSION.sources_in(procedure, _IRREGULAR) if one is not SessionPhase.CHECKING
        )
        lines += [
            f"`{_IRREGULAR}`, the exit from a count that cannot be mended, leads to unloading from: {sources}.",
            "In the deck check (`checking`) it closes the session.",
            "",
        ]
        lines += [f"## {profile}: round", "", "```mermaid", _diagram(ROUND, procedure), "```", ""]
        lines += [f"An irregular closing ends whatever round there is: from anywhere to {ROUND.initial}.", ""]
    procedure = law("pt-roulette").procedure
    lines += ["## pt-roulette: session", "", "```mermaid", _diagram(PLAIN_SESSION, procedure), "```", ""]
    lines += ["## pt-roulette: spin", "", "```mermaid", _diagram(SPIN, procedure), "```", ""]
    lines += [
        "## Every hold, in any profile",
        "",
        "```mermaid",
        _diagram(HOLD, law("pt-csm").procedure),
        "```",
        "",
    ]
    return "\n".join([*lines, *_holds()]) + "\n"


def _diagram(machine: ProcedureMachine[Any], procedure: object, leave_out: StrEnum | None = None) -> str:
    """The library engine's drawing of this procedure's rows, without those of one trigger."""
    rows = [row for row in machine.rows if row.trigger is not leave_out and row.stands_in(procedure)]
    drawn = GraphMachine(
        states=[_id(state) for state in machine.states],
        transitions=[[row.trigger.value, _id(row.source), _id(row.target)] for row in rows],
        initial=_id(machine.initial),
        auto_transitions=False,
        graph_engine="mermaid",
    )
    text = str(drawn.get_graph().source)
    text = text[text.index("stateDiagram") :].strip()  # a title stands before it that is no front matter
    for state in machine.states:
        text = text.replace(f'state "{_id(state)}"', f'state "{state.value}"')
    return text


def _id(state: StrEnum) -> str:
    """The state's name without hyphens, which Mermaid does not read."""
    return state.value.replace("-", "_")


def _holds() -> list[str]:
    lines = ["| hold | forbids | attended by | cleared by | confirmed by |", "|---|---|---|---|---|"]
    for rule in HOLD_RULES:
        cells = [", ".join(part) or "-" for part in (rule.forbids, rule.attend, rule.clear, rule.confirm)]
        lines.append(f"| {rule.kind} | " + " | ".join(cells) + " |")
    lost = HoldKind.DEVICE_LOST
    still = [one for one in hold_rule(lost).forbids if not forbids(lost, Device.SHOE, one)]
    return [*lines, "", f"A `{lost}` at the shoe's reader leaves possible: {', '.join(still)}."]
