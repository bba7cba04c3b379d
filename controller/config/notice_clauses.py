"""The law's clauses behind a rule, as the table's profile names them. A rule without clauses is Sabot's own."""

from controller.config.profile import PROFILES
from controller.config.profile_file import law
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace


def clauses_behind(profile: str, rule: str) -> tuple[str, ...]:
    """The law's clauses behind this rule, of which a refusal names the first.

    Empty for a rule of Sabot's own, and for a profile that this program does not have.
    """
    return law(profile).rules.get(rule, ()) if profile in PROFILES else ()


def clause_behind(profile: str, rule: str) -> str | None:
    """The law's clause that a refusal by this rule names; None for a rule of Sabot's own, and for a profile that this
    program does not have.
    """
    return next(iter(clauses_behind(profile, rule)), None)


def cited(profile: str, notice: Notice) -> Notice:
    """The notice with the value `clause`, the law's clause behind its rule ("-" for none); unchanged without a rule."""
    if not notice.rule:
        return notice
    return replace(notice, values=(*notice.values, ("clause", clause_behind(profile, notice.rule) or "-")))
