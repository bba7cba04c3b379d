"""`sabot profile list|show NAME`: lists the profiles, or prints the parameters of one profile with their clauses.

For a casino's own profile it also prints the differences from the law's profile.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from controller.cli.talk import Talk
from controller.config.profile import PROFILES, Limit, Parameter, Profile, shown
from controller.config.profile_file import law, read_derived
from controller.machine.exits import CliFailure, ExitCode


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[Namespace, Talk], ExitCode]) -> ArgumentParser:
        text = words(f"cli.profile.{name}")
        made = commands.add_parser(name, help=text, description=text)
        made.add_argument("--json", action="store_true", help=words("cli.option.json"))
        made.set_defaults(run=run)
        return made

    command("list", _list)
    command("show", _show).add_argument("profile", metavar="NAME", help=words("cli.option.profile"))


def _list(_arguments: Namespace, talk: Talk) -> ExitCode:
    laws = [law(name) for name in PROFILES]
    talk.document(
        [{"name": one.name, "jurisdiction": one.jurisdiction, "machine": one.procedure.machine.value} for one in laws]
    )
    for one in laws:
        machine = one.procedure.machine.value
        talk.result(talk.words("cli.profile.listed", name=one.name, jurisdiction=one.jurisdiction, machine=machine))
    return ExitCode.OK


def _show(arguments: Namespace, talk: Talk) -> ExitCode:
    profile = _profile(arguments.profile)
    changed = differences(profile)
    talk.document(
        {
            "name": profile.name,
            "jurisdiction": profile.jurisdiction,
            "derived_from": profile.derived_from,
            "limits": [_limit(one) for one in profile.limits],
            "parameters": [_row(one, talk) for one in profile.parameters],
            "differences": [{"name": one.name, "value": one.value, "law": law.value} for one, law in changed],
        }
    )
    if not talk.as_json:
        _tell(profile, changed, talk)
    return ExitCode.OK


def _profile(name: str) -> Profile:
    if name in PROFILES:
        return law(name)
    if "/" in name or name.endswith(".toml"):
        return read_derived(Path(name))
    raise CliFailure(ExitCode.USAGE, "unknown-profile", name=name, known=", ".join(PROFILES))


def differences(profile: Profile) -> list[tuple[Parameter, Parameter]]:
    """Returns each parameter whose value differs from the law's, with the law's parameter. Returns [] for a law's
    profile.
    """
    if profile.derived_from is None:
        return []
    rows = zip(profile.parameters, law(profile.derived_from).parameters, strict=True)
    return [(mine, laws) for mine, laws in rows if mine.value != laws.value]


def _limit(one: Limit) -> dict[str, object]:
    return {
        "name": one.name,
        "allowed": list(one.open.allowed),
        "least": one.open.least,
        "most": one.open.most,
        "built": one.equipment_most,
        "clauses": list(one.clauses),
    }


def _row(one: Parameter, talk: Talk) -> dict[str, object]:
    return {
        "name": one.name,
        "value": one.value,
        "clauses": list(one.clauses),
        "meaning": talk.words(one.meaning),
        "allowed": list(one.open.allowed),
        "least": one.open.least,
        "most": one.open.most,
        "built_least": one.program_bounds.least,
        "built_most": one.program_bounds.most,
        "ours": talk.words(f"ours.{one.ours}") if one.ours else None,
    }


def _tell(profile: Profile, changed: list[tuple[Parameter, Parameter]], talk: Talk) -> None:
    head = "head" if profile.derived_from is None else "head-derived"
    base = profile.derived_from or ""
    talk.result(talk.words(f"cli.profile.{head}", name=profile.name, jurisdiction=profile.jurisdiction, base=base))
    for limit in profile.limits:
        values = {"open": limit.open.shown(), "clauses": ", ".join(limit.clauses)}
        talk.result(talk.words("cli.profile.limit", name=limit.name, **values))
    for one in profile.parameters:
        _tell_row(one, talk)
    if profile.derived_from is not None:
        talk.result(talk.words("cli.profile.differences" if changed else "cli.profile.no-differences", base=base))
    for one, laws in changed:
        values = {"value": shown(one.value), "law": shown(laws.value), "clauses": ", ".join(one.clauses)}
        talk.result(talk.words("cli.profile.difference", name=one.name, **values))


def _tell_row(one: Parameter, talk: Talk) -> None:
    values = {"value": shown(one.value), "clauses": ", ".join(one.clauses) or "-"}
    talk.result(talk.words("cli.profile.row", name=one.name, **values))
    talk.result(talk.words("cli.profile.meaning", text=talk.words(one.meaning)))
    if one.ours:
        talk.result(talk.words("cli.profile.ours", text=talk.words(f"ours.{one.ours}")))
    if one.open.allowed != (one.value,):
        talk.result(talk.words("cli.profile.open", open=one.bounds))
