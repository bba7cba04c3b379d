"""A controller that does not start, or whose medium fails in play: the screen shows the cause and the remedy."""

import html
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from controller.catalogue import Language, sentence
from controller.config import ConfigRefused
from controller.core.words import HoldKind
from controller.daemon.stopped import stopped_by
from controller.journal.errors import StorageFailed, StorageReason
from controller.journal.signing import keep_known, known_path, public_path
from controller.journal.verify import entries_of
from controller.machine.exits import CliFailure, ExitCode
from controller.panel.browsers import Browser, View
from controller.panel.history import History
from controller.panel.moment import Moment
from controller.panel.pages import Pages
from controller.panel.settings import PanelSettings
from controller.panel.troubles import STEPS, WRITTEN_S, read_stopped
from controller.panel.watch import Seen
from controller.protocol.status import Status
from controller.protocol.stopped import Cause, note_path
from controller.staff import StaffRefused
from tests.daemon.rig import DEALER, Rig
from tests.endings import HANGS_S
from tests.panel.visitor import Visitor
from tests.waiting import wait_for

pytestmark = pytest.mark.waits


def said(cause: Cause, language: Language = Language.EN, **values: str) -> list[str]:
    """The page's sentences on this cause: the fault, and each step of the remedy."""
    return [sentence(f"panel.stopped.{cause.value}.{part}", values, language) for part in ("text", *STEPS)]


@contextmanager
def screen(rig: Rig, *more: str) -> Iterator[subprocess.Popen[str]]:
    """Runs a panel as a process; the next line on its standard output is its address."""
    command = [sys.executable, "-m", "controller.cli.main", "panel", "--config", str(rig.config), "--port", "0", *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"LANG": "en"}) as panel:
        try:
            yield panel
        finally:
            panel.terminate()
            panel.wait(HANGS_S)


def visitor(panel: subprocess.Popen[str]) -> Visitor:
    assert panel.stdout is not None
    return Visitor(panel.stdout.readline().split()[-1])


def page_of(visitor: Visitor, path: str = "/") -> str:
    return html.unescape(visitor.ask("GET", path)[1])


def until_said(visitor: Visitor, sentences: list[str], path: str = "/") -> str:
    def shown() -> str | None:
        page = page_of(visitor, path)
        return page if all(one in page for one in sentences) else None

    return wait_for(shown, lambda: page_of(visitor, path))


def moved_journal(rig: Rig) -> Path:
    """Configures the journal on a missing medium; returns the directory that a mount of the medium would make."""
    medium = rig.directory / "medium"
    rig.config.write_text(rig.config.read_text().replace('"journal"', f'"{medium}/journal"'))
    return medium


def test_a_medium_that_is_not_there_is_named_and_the_table_comes_by_itself_once_it_is(rig: Rig) -> None:
    medium = moved_journal(rig)
    assert rig.refused()[0] == ExitCode.FAILED
    with screen(rig) as panel:
        table = visitor(panel)
        page = until_said(table, said(Cause.MEDIUM_AWAY))
        assert sentence("panel.headline.not-started", {}, Language.EN) in page
        medium.mkdir()
        rig.start()
        page = until_said(table, ["T1"])
        assert said(Cause.MEDIUM_AWAY)[0] not in page
    assert not note_path(rig.socket).exists()


def test_a_begun_journal_without_its_entries_is_a_medium_that_is_not_there(running: Rig) -> None:
    running.stop()
    running.journal.rename(running.directory / "elsewhere")
    with screen(running) as panel:
        table = visitor(panel)
        assert running.refused()[0] == ExitCode.FAILED
        until_said(table, said(Cause.MEDIUM_AWAY))


def is_an_empty_place(medium: Path) -> None:
    """Moves the medium's directory away and leaves an empty one, as when the medium is not mounted."""
    medium.rename(medium.with_name("unmounted"))
    medium.mkdir()


def is_another_tables(medium: Path) -> None:
    is_an_empty_place(medium)
    (medium / "journal.key").write_bytes(bytes(range(32)))
    (medium / "journal.key").chmod(0o600)


@pytest.mark.parametrize("spoil", [is_an_empty_place, is_another_tables])
def test_no_journal_begins_where_the_medium_of_the_known_one_is_not_mounted(
    rig: Rig, spoil: Callable[[Path], None]
) -> None:
    medium = moved_journal(rig)
    medium.mkdir()
    rig.start()
    rig.stop()
    keep_known(rig.config, public_path(medium / "journal").read_bytes())
    spoil(medium)
    before = sorted(medium.iterdir())
    with screen(rig) as panel:
        code, log = rig.refused()
        assert (code, "is not mounted there, or another one is" in log) == (ExitCode.FAILED, True)
        until_said(visitor(panel), said(Cause.MEDIUM_AWAY))
    assert sorted(medium.iterdir()) == before
    shutil.rmtree(medium)
    medium.with_name("unmounted").rename(medium)
    rig.start()
    assert entries_of(medium / "journal")


@pytest.mark.parametrize("text", ["", "no key"])
def test_a_mark_that_is_no_key_lets_no_journal_begin(rig: Rig, text: str) -> None:
    known_path(rig.config).write_text(text)
    assert rig.refused()[0] == ExitCode.FAILED
    assert not rig.journal.exists()


@pytest.mark.parametrize(
    ("how", "cause"),
    [("full", Cause.MEDIUM_FULL), ("read-only", Cause.MEDIUM_READ_ONLY), ("failing", Cause.MEDIUM_FAILING)],
)
def test_a_medium_that_takes_nothing_as_the_table_starts_is_named(rig: Rig, how: str, cause: Cause) -> None:
    rig.slow_directory.write_text(how)
    assert rig.refused()[0] == ExitCode.FAILED
    with screen(rig) as panel:
        until_said(visitor(panel), said(cause))


@pytest.mark.parametrize("how", ["full", "read-only"])
def test_a_medium_that_takes_nothing_in_play_is_a_hold_with_its_steps(running: Rig, how: str) -> None:
    running.act("sign-in", DEALER, operation="table")
    with screen(running) as panel:
        table = visitor(panel)
        running.disk.write_text(how)
        running.act("open-session")
        (hold,) = running.until(lambda status: bool(status["holds"]))["holds"]
        assert hold["kind"] == HoldKind.JOURNAL_FAULT.value
        assert sentence(f"storage.{how}", {}, Language.EN) in hold["text"]
        until_said(table, [hold["text"], *hold["steps"]])
    running.disk.write_text("0")


def test_a_start_that_is_refused_behind_a_table_in_play_is_said_above_what_stood(running: Rig) -> None:
    with screen(running) as panel:
        table = visitor(panel)
        until_said(table, ["T1"])
        running.kill()
        running.slow_directory.write_text("read-only")
        assert running.refused()[0] == ExitCode.FAILED
        page = until_said(table, said(Cause.MEDIUM_READ_ONLY))
        assert "T1" in page, "what stood stays, grey"


def test_a_wrong_configuration_has_a_page_at_the_own_screen_until_it_is_mended(rig: Rig) -> None:
    whole = rig.config.read_text()
    rig.config.write_text(whole.replace("decks = 4", "decks = 0"))
    assert rig.refused()[0] == ExitCode.USAGE
    with screen(rig, "--commission", str(rig.directory / "nobody.sock")) as panel:
        page = page_of(visitor(panel))
        for language in (Language.EN, Language.PT, Language.ZH):
            assert [one for one in said(Cause.CONFIGURATION, language) if one not in page] == []
        rig.config.write_text(whole)
        until_said(visitor(panel), [sentence("panel.why.never", {}, Language.EN)])


def test_a_table_without_its_data_partition_has_a_page_and_no_commissioning(rig: Rig) -> None:
    """The data partition with the configuration is missing: the page says so and offers no commissioning."""
    whole = rig.config.read_text()
    rig.config.unlink()
    with screen(rig, "--commission", str(rig.directory / "nobody.sock")) as panel:
        page = page_of(visitor(panel))
        for language in (Language.EN, Language.PT, Language.ZH):
            assert [one for one in said(Cause.MEDIUM_AWAY, language) if one not in page] == []
        assert sentence("panel.first.headline", {}, Language.EN) not in page
        rig.config.write_text(whole)
        visitor(panel)


# ---- the note


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        (StorageReason.GONE, Cause.MEDIUM_AWAY),
        (StorageReason.FULL, Cause.MEDIUM_FULL),
        (StorageReason.READ_ONLY, Cause.MEDIUM_READ_ONLY),
        (StorageReason.IO_ERROR, Cause.MEDIUM_FAILING),
        (StorageReason.REFUSED, Cause.OTHER),
    ],
)
def test_what_the_storage_says_is_the_cause(reason: StorageReason, cause: Cause) -> None:
    failure = CliFailure(ExitCode.FAILED, "journal-file", path="p", file="f", reason=reason.value)
    failure.__cause__ = StorageFailed("make", "f", reason, "")
    note = stopped_by(failure)
    assert (note.cause, note.key) == (cause, "cli.error.journal-file")
    assert sentence(note.key, dict(note.values), Language.EN)


def test_a_key_that_finds_no_room_is_a_full_medium_and_a_wrong_one_is_another_thing() -> None:
    failure = CliFailure(ExitCode.FAILED, "seal-key", path="p")
    assert stopped_by(failure).cause is Cause.OTHER
    failure.__cause__ = OSError(28, "no room")
    assert stopped_by(failure).cause is Cause.MEDIUM_FULL


def test_configuration_and_people_are_causes_of_their_own() -> None:
    assert stopped_by(ConfigRefused(Path(), [])).cause is Cause.CONFIGURATION
    assert stopped_by(StaffRefused("nobody")).cause is Cause.STAFF


def test_what_is_no_note_is_none(tmp_path: Path) -> None:
    note_path(tmp_path / "control.sock").write_text("{")
    assert read_stopped(tmp_path / "control.sock") is None


# ---- the clock


SETTINGS = PanelSettings(Path("no-socket"), "127.0.0.1", 0, None, (), "7in", tuple(Language), "EUR")


def drawn(view: View, now: float, *, is_known: bool, language: Language = Language.EN) -> str:
    status = Status(session="closed", round="idle")
    moment = Moment(status, True, (), frozenset()) if is_known else None
    seen = Seen(1, status if is_known else None, is_live=is_known)
    return html.unescape(Pages(SETTINGS, History()).main(view, Browser(language), seen, moment, now))


@pytest.mark.parametrize("language", list(Language))
def test_a_clock_at_1970_is_said_at_the_table_and_its_steps_where_the_technician_looks(language: Language) -> None:
    steps = said(Cause.CLOCK, language, date="1970-01-01")
    for view, is_known in ((View.DEVICES, True), (View.TABLE, False)):
        assert [one for one in steps if one not in drawn(view, 60.0, is_known=is_known, language=language)] == []
        assert steps[0] not in drawn(view, WRITTEN_S, is_known=is_known, language=language)
    short = sentence("panel.clock-unset", {}, language)
    assert short in drawn(View.TABLE, 60.0, is_known=True, language=language)
    assert short not in drawn(View.TABLE, WRITTEN_S, is_known=True, language=language)


def test_a_clock_that_is_set_meanwhile_is_drawn_anew() -> None:
    pages, browser, seen = Pages(SETTINGS, History()), Browser(Language.EN), Seen(1)
    before, after = (pages.main(View.TABLE, browser, seen, None, now) for now in (60.0, WRITTEN_S))
    assert before != after


def test_the_clock_is_measured_by_a_date_before_this_program() -> None:
    assert datetime.fromtimestamp(WRITTEN_S, UTC) == datetime(2026, 1, 1, tzinfo=UTC)
