"""The page of acts for authors of scenarios: made from the rows of the acts and from the catalogue."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from controller.catalogue import Language, keys, sentence
from controller.core.custody.counting import MOVES, StateCardsMoved
from controller.core.games.blackjack.table import ACT_RULES, ACTS
from controller.core.games.roulette.table import ROULETTE
from controller.core.house.rule import ActRule
from controller.core.words import DutyKind, Outcome, Place, Role
from controller.runtime.act_values import asked_values, words_of
from controller.runtime.agreed import NOTICES
from controller.scenario.tongue import ENGLISH, PORTUGUESE

AT_A_WHEEL: Final = [rule for rule in ROULETTE.acts if rule.name not in ACTS]


def acts_page_in_portuguese() -> str:
    """Every act with the words of a Portuguese scenario."""
    lines = [
        "# Atos",
        "",
        "O que as pessoas fazem, pelo nome, com os valores de cada ato. Gerada a partir das tabelas do programa",
        "(`make pages`); [FORMAT.pt.md](FORMAT.pt.md) diz como se escrevem num cenário. Um deles:",
        "`pagador: aceitar-apostas lugares=1,3`. Um valor com vários elementos leva vírgulas e nenhum espaço. Onde é",
        "o fiscal de banca quem resolve os incidentes (`incident_authority` do perfil), ele faz também o que aqui está",
        "para o fiscal-chefe; uma decisão é só de quem os resolve. Como lugar, `banca` é a banca.",
        "",
        "| ato | quem | valores | o que é |",
        "|---|---|---|---|",
    ]
    under = "Com `perfil pt-roulette`, além de entrar, sair e dos atos das paragens."
    head = ["", "## Na roleta", "", under, "", *lines[-2:]]
    cards, wheel = ([_row(rule, Language.PT) for rule in rules] for rules in (ACT_RULES, AT_A_WHEEL))
    two = _two_people((*ACT_RULES, *AT_A_WHEEL), Language.PT)
    return "\n".join([*lines, *cards, *head, *wheel, *TWO_PEOPLE_PT, *two, *_duties(Language.PT)]) + "\n"


def acts_page() -> str:
    """Every act with its posts and its values."""
    lines = [
        "# Acts",
        "",
        "What people do, by name, with the values of each. Generated from the rows of the acts (`make pages`);",
        "[FORMAT.md](FORMAT.md) says how they stand in a scenario. `dealer: take-bets seats=1,3` is one of them.",
        "A value with several items has commas and no blanks between them. The clauses of an act are those of each",
        "law: `sabot clauses` has them.",
        "Where the table inspector settles incidents (the profile's `incident_authority`) he may do what stands here",
        "for the chief supervisor, too; a ruling is made by that authority alone. For a seat `bank` is the bank.",
        "",
        "| act | who | values | what |",
        "|---|---|---|---|",
    ]
    head = ["", "## At a wheel", "", "Under `pt-roulette`, beside the acts of every table.", "", *lines[-2:]]
    acts = [*lines, *map(_row, ACT_RULES), *_outcomes(), *head, *map(_row, AT_A_WHEEL)]
    two = _two_people((*ACT_RULES, *AT_A_WHEEL), Language.EN)
    return "\n".join([*acts, *TWO_PEOPLE, *two, *_duties(Language.EN), *_notices()]) + "\n"


TWO_PEOPLE: Final = (
    "",
    "## Two people",
    "",
    "Such an act waits until a second person has asked for the same with the same values and with a PIN; until then",
    "nothing is changed. The wait ends with another step of session or round, or when the dealer who asked leaves the",
    "table. A correction of a card is done at once; where bets are followed the round is not settled, and no hand is",
    "paid, surrendered or taken away, before a second person has done `agree-corrections`.",
    "",
    "| act | first | second | of which acts |",
    "|---|---|---|---|",
)
TWO_PEOPLE_PT: Final = (
    "",
    "## Duas pessoas",
    "",
    "Um destes atos espera até que uma segunda pessoa peça o mesmo, com os mesmos valores e com o seu PIN; até lá nada",
    "muda. A espera acaba com outro passo da partida ou da jogada, ou quando o pagador que pediu deixa a mesa. A",
    "correção de uma carta faz-se logo; onde se seguem apostas, a jogada não se paga antes de uma segunda pessoa",
    "concordar (`concordar-com-correções`).",
    "",
    "| ato | primeira | segunda | em que casos |",
    "|---|---|---|---|",
)


_TO_THESE: Final = {Language.EN: "to one of these", Language.PT: "a um destes"}


def posts_besides(rule: ActRule) -> tuple[Role, ...]:
    """The row's own posts that may be the second person to one of the second posts, and are no second post."""
    seconds = () if rule.second is None else rule.second.who
    return tuple(one for one in rule.who if one not in seconds) if set(rule.who) & set(seconds) else ()


def _two_people(rules: Sequence[ActRule], language: Language) -> list[str]:
    """The acts that wait for a second person, and the states until then."""
    said = _TONGUE[language].said
    rows = []
    for rule in (one for one in rules if one.second is not None):
        first, second = (", ".join(map(_ROLE[language], who)) for who in (rule.who, rule.second.who))
        if others := posts_besides(rule):
            second += f"; {_TO_THESE[language]} {', '.join(map(_ROLE[language], others))}"
        rows.append(f"| `{said(rule.name)}` | {first} | {second} | {_said(f'second.{rule.second.bound}', language)} |")
    return rows


def _outcomes() -> list[str]:
    """The events that each outcome of a ruling fits, by outcome."""
    head = ["", "## Outcomes of a ruling", "", "| outcome | is possible |", "|---|---|"]
    return [*head, *(f"| `{one.value}` | {_said(f'outcome-when.{one.value}')} |" for one in Outcome)]


def _duties(language: Language) -> list[str]:
    """The kinds of duties, each with what its person reports."""
    head = {Language.EN: ("Duties", "duty", "about"), Language.PT: ("Deveres", "dever", "sobre")}[language]
    said = _TONGUE[language].said
    rows = (f"| `{said(one.value)}` | {_said(f'duty-kind.{one.value}', language)} |" for one in DutyKind)
    return ["", f"## {head[0]}", "", f"| {head[1]} | {head[2]} |", "|---|---|", *rows]


def _notices() -> list[str]:
    """The page's lines on notices: each notice with the details that a scenario's fact `told` may name."""
    head = ["", "## Notices", "", "What the fact `told` may name, and its details.", ""]
    table = ["| notice | details | says |", "|---|---|---|"]
    told = (key for key in keys(Language.EN) if key.startswith("notice.") and key.partition(".")[2] not in NOTICES)
    for key in told:
        said = re.sub(r"\{(\w+)[^}]*\}", r"{\1}", _said(key))
        details = " ".join(f"`{one}`" for one in dict.fromkeys(re.findall(r"\{(\w+)", said))) or "-"
        table.append(f"| `{key.removeprefix('notice.')}` | {details} | {said} |")
    return [*head, *table]


_POSSIBLE: Final = {
    (StateCardsMoved, "source"): tuple(place.value for place in Place if place in MOVES),
    (StateCardsMoved, "target"): tuple(place.value for place in Place if any(place in to for to in MOVES.values())),
}
"""Words of a value, where its type has words that are never used."""


def _row(rule: ActRule, language: Language = Language.EN) -> str:
    name = rule.name
    who = ", ".join(_ROLE[language](role) for role in rule.who)
    who += _UNWATCHED[language] if rule.dealer_if_unwatched else ""
    values = "; ".join(_value(rule, name, value, language) for value in asked_values(rule.act)) or "-"
    return f"| `{_TONGUE[language].said(name)}` | {who} | {values} | {_said(f'act.{name}.what', language)} |"


def _value(rule: ActRule, name: str, value: str, language: Language) -> str:
    own = _TONGUE[language].said
    known = _POSSIBLE.get((rule.act, value)) or words_of(rule.act, value)
    words = " ".join(f"`{own(word)}`" for word in known)
    said = _said(f"act.{name}.value.{value}", language)
    named = (*known, *(_BETS if value == "bet" else ()))
    for word in sorted(named, key=len, reverse=True) if language is Language.PT and "yes" not in known else ():
        said = said.replace(word, own(word))
    return f"`{own(value)}=` {said}" + (f" ({words})" if words else "")


_BETS: Final = ("split-26-29", "line-25-30", "dozen-3", "column-35", "red", "orphans", "neighbours-17-5")
"""Examples from the catalogue."""
_TONGUE: Final = {Language.EN: ENGLISH, Language.PT: PORTUGUESE}
_ROLE: Final[dict[Language, Callable[[Role], str]]] = {
    Language.EN: lambda role: role.value.replace("_", " "),
    Language.PT: lambda role: sentence(f"role.{role.value}", (), Language.PT),
}
_UNWATCHED: Final = {
    Language.EN: ", and the dealer where nobody has to watch (`loading_supervised` false)",
    Language.PT: ", e o pagador onde ninguém tem de vigiar (`loading_supervised` false)",
}


def _said(key: str, language: Language = Language.EN) -> str:
    return sentence(key, (), language).replace("|", "or" if language is Language.EN else "ou")
