"""The page of state diagrams, from the procedure's own tables: one chapter for each profile."""

from controller.config.profile import PROFILES
from controller.config.profile_file import law
from controller.core.games.blackjack.round_table import ROUND
from controller.core.house.hold_table import HOLD, HOLD_RULES, forbids, hold_rule
from controller.core.house.session_table import SESSION, SessionTrigger
from controller.core.words import Device, HoldKind, SessionPhase

_IRREGULAR = SessionTrigger.IRREGULAR_CLOSING_CONFIRMED


def diagrams_page() -> str:
    """Session, round and hold as Mermaid diagrams, then what each kind of hold forbids and who ends it."""
    lines = ["# State diagrams", "", "Generated from the tables (`make pages`).", ""]
    for profile in PROFILES:
        procedure = law(profile).procedure
        lines += [f"## {profile}: session", "", "```mermaid", SESSION.diagram(procedure, [_IRREGULAR]), "```", ""]
        sources = ", ".join(
            one for one in SESSION.sources_in(procedure, _IRREGULAR) if one is not SessionPhase.CHECKING
        )
        lines += [
            f"`{_IRREGULAR}`, the exit from a count that cannot be mended, leads to unloading from: {sources}.",
            "In the deck check (`checking`) it closes the session.",
            "",
        ]
        lines += [f"## {profile}: round", "", "```mermaid", ROUND.diagram(procedure), "```", ""]
        lines += [f"An irregular closing ends whatever round there is: from anywhere to {ROUND.initial}.", ""]
    lines += ["## Every hold, in any profile", "", "```mermaid", HOLD.diagram(law(PROFILES[0]).procedure), "```", ""]
    return "\n".join([*lines, *_holds()]) + "\n"


def _holds() -> list[str]:
    lines = ["| hold | clause | forbids | attended by | cleared by | confirmed by |", "|---|---|---|---|---|---|"]
    for rule in HOLD_RULES:
        cells = [", ".join(part) or "-" for part in (rule.forbids, rule.attend, rule.clear, rule.confirm)]
        lines.append(f"| {rule.kind} | {rule.clause} | " + " | ".join(cells) + " |")
    lost = HoldKind.DEVICE_LOST
    still = [one for one in hold_rule(lost).forbids if not forbids(lost, Device.SHOE, one)]
    return [*lines, "", f"A `{lost}` at the shoe's reader leaves possible: {', '.join(still)}."]
