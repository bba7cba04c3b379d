"""Makes the pages from templates, with the catalogue's sentences, the status, and the state of the browser."""

import hashlib
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import segno
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from msgspec import Struct

from controller.catalogue import Language, has_key
from controller.machine.support import here_today, over_since
from controller.panel import cloth
from controller.panel.adding import lacking
from controller.panel.asked import asked_for, person_asked
from controller.panel.banner import banner
from controller.panel.browsers import Browser, View
from controller.panel.complete import is_complete, stays, takes_back
from controller.panel.credential import takes_badge
from controller.panel.forms import (
    JUDGES,
    asked_values,
    filled,
    form_shown,
    is_typed,
    keyed,
    keyed_now,
    presumed,
    recorded,
    shown,
)
from controller.panel.gone import shown_of, written
from controller.panel.grid import RANKS, SUITS
from controller.panel.history import History
from controller.panel.keyboard import KEYS
from controller.panel.lapsed import lapses_told
from controller.panel.listed import last_stays, reported
from controller.panel.moment import Moment
from controller.panel.noted import StillCode
from controller.panel.offer import Offer
from controller.panel.offers import beside, is_pressed_in_the_middle, offer_of, offers
from controller.panel.players import numbers_in_a_row
from controller.panel.reading import LISTS, PRINTED, TRIED
from controller.panel.said import why_not
from controller.panel.seat_decisions import at_seats, stands_at_seat
from controller.panel.second import second_of, second_of_form, second_of_listed
from controller.panel.settings import PRACTICE, PanelSettings
from controller.panel.stakes import chips, is_unsent, markers, none_of, to_the_rack
from controller.panel.tiles import as_they_sit, choice_word, is_short
from controller.panel.troubles import STEPS, is_clock_unset, troubles
from controller.panel.wanted import asks_first
from controller.panel.watch import BACK_SHOWN_S, Seen
from controller.panel.wording import Wording
from controller.protocol.jackpot import export_said
from controller.protocol.lines import ActDocument
from controller.protocol.status import HandStatus

HERE: Final = Path(__file__).parent
NUMBER_HERE: Final = "@press@"
"""A mark in a page that several browsers share. Each browser gets the number of its next press in place of the mark."""

VERSION_HERE: Final = "@version@"
"""A mark that is replaced by the page's version. An answer to a press names the version with its outcome."""

ABOUT_THE_LAST: Final = frozenset(
    ("move-card", "report-misdealt", "report-extra-card", "report-face-up-card", "report-hole-exposed", "rename-card")
)
"""The acts about the card that was dealt last; their forms show that card."""

ONE_SHOWN: Final = frozenset({"entry", "before", "adds"})
"""The values of which a form shows the chosen one alone: their lists would push the other values below the fold."""

ACTING: Final = (View.TABLE, View.CHIEF)
"""The views with the buttons of acts; at the other views people read, and a technician tries a device."""

HTML_LANGUAGE: Final = {"pt": "pt-PT", "pt-BR": "pt-BR", "en": "en", "zh-Hant": "zh-Hant-MO"}


@cache
def environment() -> Environment:
    """Returns the environment of the templates, made once, with the functions and values that they use."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(suits=SUITS, ranks=RANKS, views=tuple(View))
    made.globals.update(shown=shown, asked_values=asked_values, recorded=recorded, presumed=presumed)
    made.globals.update(numbers_in_a_row=numbers_in_a_row, one_shown=ONE_SHOWN)
    made.globals.update(
        is_typed=is_typed, is_complete=is_complete, lacking=lacking, filled=filled, keyed=keyed, keyed_now=keyed_now
    )
    made.globals.update(is_short=is_short, choice_word=choice_word, as_they_sit=as_they_sit)
    made.globals.update(cloth_tiles=cloth.TILES, takes_back=takes_back, stays=stays)
    made.globals.update(cloth_rows=cloth.ROWS, cloth_red=cloth.RED, bets_at=cloth.bets_at)
    made.globals.update(
        to_rack=_to_rack,
        follows=_follows,
        why_not=why_not,
        draw_of=_draw_of,
        markers=markers,
        is_unsent=is_unsent,
        none_of=none_of,
        asked_for=asked_for,
        asks_first=asks_first,
        person_asked=person_asked,
        second_of=second_of,
        second_of_form=second_of_form,
        second_of_listed=second_of_listed,
    )
    made.globals.update(keyboard=KEYS, at_seats=at_seats, stands_at_seat=stands_at_seat)
    made.globals.update(dict=dict, trouble_steps=STEPS)
    made.globals.update(shown_of=shown_of, form_shown=form_shown, written=written)
    made.globals.update(takes_badge=takes_badge, reported=reported, about_the_last=ABOUT_THE_LAST, judging=JUDGES)
    made.globals.update(last_stays=last_stays, unread_cards=_unread_cards)
    return made


class Pages:
    """Makes pages in every language. A page that several browsers share is made once for each change."""

    def __init__(self, settings: PanelSettings, history: History) -> None:
        self._settings = settings
        self._history = history
        self._made: dict[tuple[object, ...], str] = {}
        self._versions: dict[Language, tuple[object, ...]] = {}
        self._environment = environment()
        self._code = StillCode()
        self._assets = assets()

    def document(self, view: View, browser: Browser, main: str) -> str:
        """Returns the whole page around its main part `main`."""
        language = browser.language
        return self._environment.get_template("document.html").render(
            view=view.value,
            lang=HTML_LANGUAGE[language.value],
            screen=self._settings.screen,
            assets=self._assets,
            t=Wording(language, self._settings.currency),
            main=main,
            is_practice=self._settings.is_practice,
        )

    def main(self, view: View, browser: Browser, seen: Seen, moment: Moment | None, now: float) -> str:
        """Returns the main part of the page, as `browser` sees it at the time `now`."""
        is_back = seen.back_at is not None and now - seen.back_at < BACK_SHOWN_S
        version = (seen, is_back, is_clock_unset(now), over_since(here_today()), lapses_told(seen, now))
        if version != self._versions.get(browser.language):
            self._versions[browser.language] = version
            self._made = {key: page for key, page in self._made.items() if key[1] is not browser.language}
        own = browser.sheet is not None or browser.asks_pin or browser.said or browser.has_read
        if own:  # this page is for one browser alone, and it is never kept: another browser may not see its content
            found = self._render(view, browser, seen, moment, now)
        else:
            found = self._shared((view, browser.language, *_seen_by(moment, browser)), view, browser, seen, moment, now)
        return found.replace(NUMBER_HERE, str(browser.number)).replace(VERSION_HERE, str(browser.version))

    def _shared(
        self, key: tuple[object, ...], view: View, browser: Browser, seen: Seen, moment: Moment | None, now: float
    ) -> str:
        if key not in self._made:
            self._made[key] = self._render(view, browser, seen, moment, now)
        return self._made[key]

    def _render(self, view: View, browser: Browser, seen: Seen, moment: Moment | None, now: float) -> str:
        language = browser.language
        template = self._environment.get_template("waiting.html" if moment is None else "main.html")
        is_back = seen.back_at is not None and now - seen.back_at < BACK_SHOWN_S
        code = self._code.at(moment.status, now) if moment and _shows_code(view, moment) else ""
        return template.render(
            t=Wording(language, self._settings.currency, moment.variants if moment else ()),
            lang=HTML_LANGUAGE[language.value],
            view=view.value,
            seen=seen,
            browser=browser,
            moment=moment,
            status=moment.status if moment else None,
            banner=banner(moment, language) if moment else None,
            is_practice=self._settings.is_practice,
            practice=PRACTICE,
            offers=offers(moment) if moment and view in ACTING else (),
            beside=beside(moment) if moment and view in ACTING else (),
            presses=moment is not None and view in ACTING and is_pressed_in_the_middle(moment),
            chips=chips(moment.status.money) if moment and moment.status.money else (),
            acts=view in ACTING,
            languages=self._settings.languages,
            lapsed=lapses_told(seen, now),
            back_at=seen.back_at if is_back else None,
            number=NUMBER_HERE,
            version=VERSION_HERE,
            bets=", ".join(map(str, moment.bets)) if moment else "",
            age_at=_raised_at(seen, moment),
            linked_at=_at(seen, moment.status.linked.since) if moment and moment.status.linked else 0,
            troubles=troubles(seen.stopped, now),
            is_clock_unset=is_clock_unset(now),
            support_over=over_since(here_today()),
            lists=LISTS,
            printed=PRINTED,
            tried=TRIED,
            pool_plot=self._history.pool.plot() if moment and moment.status.jackpot else None,
            jackpot_moves=_jackpot_moves(moment) if moment and view is View.RECORD else (),
            plots=self._history.plots() if view is View.DEVICES else {},
            page_qr=qr_of(browser.record.page) if browser.record else None,
            code=code,
            qr=qr_of(code),
        )


def assets() -> str:
    """Returns a digest of the files under `static`, which changes with each of them."""
    return hashlib.sha256(b"".join(p.read_bytes() for p in sorted((HERE / "static").iterdir()))).hexdigest()[:12]


def _unread_cards(act: ActDocument, moment: Moment) -> list[dict[str, str]]:
    """Returns seat and position of the card that the act `name-card` names; empty for any other act."""
    holds = [one.about for one in moment.status.holds if one.kind == "unread-card" and "seat" in one.about]
    return holds[:1] if act.act == "name-card" else []


def _jackpot_moves(moment: Moment) -> list[tuple[str, dict[str, str]]]:
    """Returns the sentences on how to move the jackpot's pool to another computer. Returns [] unless the table is
    closed.
    """
    export = moment.status.jackpot_export
    return [] if export is None or moment.status.session != "closed" else export_said(export)


def _shows_code(view: View, moment: Moment) -> bool:
    """True if the page shows the journal's code: the page of the record always, the pages with acts near a session's
    ends.

    The people at the table copy the code into a book when a session begins and when it is over.
    """
    return view is View.RECORD or (view in ACTING and moment.status.session in {"closed", "opened"})


def _to_rack(moment: Moment, seat: int) -> Offer | None:
    """Returns the button that moves a hand of `seat` to the rack. A touch on the seat presses it.

    Returns None if the seat has no hand to move.
    """
    found = () if moment.is_stopped or not moment.is_live else to_the_rack(moment)
    return next((one for one in found if one.hand.split("/")[0] == str(seat)), None)


def _draw_of(moment: Moment, seat: int | str) -> Offer | None:
    return offer_of(moment, f"draw-{seat}")


def _follows(name: str) -> str:
    """Returns the catalogue's key of the sentence on what follows from the press `name`. Returns "" if it has none."""
    key = f"panel.follows.{name}"
    return key if has_key(key) else ""


def _seen_by(moment: Moment | None, browser: Browser) -> tuple[object, ...]:
    """Returns all values that can make pages differ between browsers with the same table and language."""
    if moment is None:
        return ()
    faces = tuple(tuple(map(_known, hands)) for hands in (moment.faces, moment.lay))
    stakes, kept = tuple(moment.stakes.items()), tuple(moment.kept.items())
    here = moment.roles, moment.is_upheld, moment.here, tuple(moment.supervisors.items()), tuple(moment.words.items())
    asked = browser.caller.is_own, browser.is_shared, *browser.rights
    return moment.bets, moment.seats_before, moment.are_bets_kept, stakes, kept, moment.seat, *here, asked, faces


def _known(hand: HandStatus) -> tuple[object, ...]:
    return hand.seat, hand.hand, *hand.cards, hand.total, hand.called


class Qr(Struct, frozen=True, gc=False):
    """A QR code as one SVG path in a square of `size` by `size` units."""

    size: int
    path: str


@lru_cache(maxsize=8)
def qr_of(text: str) -> Qr | None:
    """Returns the QR code of the text. Returns None for an empty text."""
    if not text:
        return None
    matrix = segno.make(text, micro=False).matrix
    cells = [(x, y) for y, row in enumerate(matrix) for x, cell in enumerate(row) if cell]
    return Qr(len(matrix), "".join(f"M{x} {y}h1v1h-1z" for x, y in cells))


def _raised_at(seen: Seen, moment: Moment | None) -> int:
    """Returns the wall clock's time, in milliseconds, at which the shown hold was raised. Returns 0 without a hold."""
    if moment is None or moment.hold is None:
        return 0
    return _at(seen, moment.hold.since)


def _at(seen: Seen, table_ms: int) -> int:
    """Converts `table_ms`, a time of the table's clock, to milliseconds of the wall clock."""
    return int(seen.heard_at * 1000) - max(0, seen.table_ms - table_ms)
