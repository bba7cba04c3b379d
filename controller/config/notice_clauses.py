"""Which clauses of a profile's law say a rule. A rule that none says is Sabot's own."""

from controller.config.profile import PROFILES
from controller.config.profile_file import law
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace


def clauses_behind(profile: str, rule: str) -> tuple[str, ...]:
    """The clauses that say this rule, the first one for a refusal to name; none where the rule is ours."""
    return law(profile).rules.get(rule, ()) if profile in PROFILES else ()


def clause_behind(profile: str, rule: str) -> str | None:
    """The clause that a refusal names; None where the rule is ours."""
    return next(iter(clauses_behind(profile, rule)), None)


def cited(profile: str, notice: Notice) -> Notice:
    """The notice of an amount, with the clause of this profile's law."""
    if not notice.rule:
        return notice
    return replace(notice, values=(*notice.values, ("clause", clause_behind(profile, notice.rule) or "-")))
