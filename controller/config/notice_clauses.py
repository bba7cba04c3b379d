"""Finds the law's clauses for a rule in the table's profile. A rule without clauses is Sabot's own."""

from controller.config.profile import PROFILES
from controller.config.profile_file import law
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace


def clauses_behind(profile: str, rule: str) -> tuple[str, ...]:
    """Returns the law's clauses for the rule; a refusal names the first. Returns () for Sabot's own rule or an unknown
    profile.
    """
    return law(profile).rules.get(rule, ()) if profile in PROFILES else ()


def clause_behind(profile: str, rule: str) -> str | None:
    """Returns the law's clause that a refusal by `rule` names. Returns None for Sabot's own rule or an unknown
    profile.
    """
    return next(iter(clauses_behind(profile, rule)), None)


def cited(profile: str, notice: Notice) -> Notice:
    """Returns the notice with the added value `clause`: the law's clause for the notice's rule, or "-" if the law has
    no clause for the rule. Returns a notice without a rule unchanged.
    """
    if not notice.rule:
        return notice
    return replace(notice, values=(*notice.values, ("clause", clause_behind(profile, notice.rule) or "-")))
