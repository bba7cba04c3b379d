"""`sabot-sim demo`: parses the options, chooses the demo of the game, and prepares its directory
and signal handlers.
"""

import argparse
import contextlib
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Final

from controller.catalogue import Language, language_of
from controller.config.model import TRACKS_OF, Tracks
from controller.config.profile import GAME_OF, PROFILES, USUAL_PROFILE, GameName
from controller.core.jackpot_rules import Marking
from controller.core.words import Role
from simulators.c.build import CompilerMissing
from simulators.demo.house import (
    GUESTS,
    NO_JACKPOT,
    DirectoryInUseError,
    furnish,
    markings_at,
)
from simulators.demo.incidents import NAMES, Kind
from simulators.demo.killer import KillPlace
from simulators.demo.options import DISPLAYS, SHOES, DemoOptions
from simulators.demo.played import Demo
from simulators.device_kinds import Firmware
from simulators.pty_port import LinkInUseError
from simulators.spoken import spoken, system_said
from simulators.wheel.demo import WheelDemo

USUAL_PORT: Final = 8021

USUAL_TRACKS: Final = {GameName.BLACKJACK: Tracks.HANDS, GameName.ROULETTE: Tracks.BETS}

DEMOS: Final[Mapping[GameName, type[Demo]]] = {GameName.BLACKJACK: Demo, GameName.ROULETTE: WheelDemo}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Gives `parser` the options of `sabot-sim demo`, and `run` as the function of the subcommand."""
    said = spoken()

    def known(key: str, names: Iterable[str]) -> str:
        return said[f"help.{key}"].format(known=", ".join(names))

    tracks = [f"{'|'.join(of)} ({game.value})" for game, of in TRACKS_OF.items()]
    parser.add_argument("--rounds", type=_positive, metavar="N", help=said["help.rounds"])
    parser.add_argument("--seed", type=int, default=0, metavar="S", help=said["help.seed"])
    parser.add_argument("--profile", default=USUAL_PROFILE, metavar="P", help=known("profile", PROFILES))
    parser.add_argument("--tracks", metavar="WHAT", help=known("tracks", tracks))
    jackpots = known("jackpot", (*Marking, NO_JACKPOT))
    parser.add_argument("--jackpot", metavar="MARKING", help=jackpots)
    parser.add_argument("--shoe", default=SHOES[0], metavar="PROTOCOL", help=known("shoe", SHOES))
    parser.add_argument("--display", default=DISPLAYS[0], metavar="PROTOCOL", help=known("display", DISPLAYS))
    parser.add_argument("--shuffler", default=Firmware.PYTHON, metavar="FIRMWARE", help=known("shuffler", Firmware))
    parser.add_argument("--json", action="store_true", help=said["help.json"])
    parser.add_argument("--no-panel", action="store_true", help=said["help.no-panel"])
    parser.add_argument("--panel-port", type=int, metavar="N", help=said["help.panel-port"])
    kinds = known("faults", NAMES)
    parser.add_argument("--faults", type=_kinds, default=tuple(Kind), metavar="KIND,...", help=kinds)
    parser.add_argument("--you", type=_roles, default=(), metavar="ROLE,...", help=said["help.you"])
    parser.add_argument("--state-dir", type=Path, metavar="DIR", help=said["help.state-dir"])
    parser.add_argument("--kill-at", type=_places, default=(), metavar="N,KIND:N+K,...", help=said["help.kill-at"])
    parser.set_defaults(run=run)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(spoken()["wrong.least"])
    return number


def _kinds(text: str) -> tuple[Kind, ...]:
    words = [word for word in text.split(",") if word]
    if any(word not in NAMES for word in words):
        raise argparse.ArgumentTypeError(spoken()["wrong.of"].format(known=", ".join(NAMES)))
    return tuple(NAMES[word] for word in words)


def _roles(text: str) -> tuple[Role, ...]:
    known = {role.value: role for role in GUESTS}
    if any(word not in known for word in text.split(",")):
        raise argparse.ArgumentTypeError(spoken()["wrong.of"].format(known=", ".join(known)))
    return tuple(known[word] for word in text.split(","))


def _places(text: str) -> tuple[KillPlace, ...]:
    try:
        return tuple(KillPlace.read(item) for item in text.split(",") if item)
    except ValueError as error:
        raise argparse.ArgumentTypeError(spoken()["wrong.place"].format(detail=error)) from error


def run(arguments: argparse.Namespace) -> int:
    """Plays a demo. Returns 0 without violations, 1 with violations, 2 for wrong options or if nothing can
    be set up.
    """
    game = GAME_OF.get(arguments.profile, GameName.BLACKJACK)
    tracks = arguments.tracks or USUAL_TRACKS[game]
    markings = markings_at(arguments.profile) if tracks == Tracks.HANDS else (NO_JACKPOT,)
    jackpot = arguments.jackpot or markings[0]
    for what, given, known in (
        ("profile", arguments.profile, PROFILES),
        ("tracks", tracks, TRACKS_OF[game]),
        ("jackpot", jackpot, markings),
        ("shoe", arguments.shoe, SHOES),
        ("display", arguments.display, DISPLAYS),
        ("shuffler", arguments.shuffler, tuple(Firmware)),
    ):
        if given not in known:
            text = spoken()["wrong.not-available"].format(what=what, given=given, known=", ".join(known))
            print(text, file=sys.stderr)
            return 2
    if arguments.panel_port and not arguments.no_panel and not _is_free(arguments.panel_port):
        print(spoken()["wrong.panel-port"].format(port=arguments.panel_port), file=sys.stderr)
        return 2
    options = DemoOptions(
        rounds=arguments.rounds or (50 if arguments.json else None),
        seed=arguments.seed,
        profile=arguments.profile,
        tracks=Tracks(tracks),
        jackpot=None if jackpot == NO_JACKPOT else Marking(jackpot),
        as_json=arguments.json,
        state_dir=arguments.state_dir,
        shoe=arguments.shoe,
        display=arguments.display,
        shuffler=Firmware(arguments.shuffler),
        kill_at=arguments.kill_at,
        panel_port=None if arguments.no_panel else panel_port(arguments.panel_port),
        faults=arguments.faults,
        you=arguments.you,
    )
    try:
        with _directory(options) as directory, stop_signals() as is_stopping:
            return demo_of(options.profile)(
                options,
                furnish(directory, _language(), options),
                is_stopping,
            ).run()
    except (DirectoryInUseError, LinkInUseError) as error:
        print(f"sabot-sim demo: {error}", file=sys.stderr)
    except CompilerMissing:
        print(f"sabot-sim demo: {spoken()['wrong.no-compiler']}", file=sys.stderr)
    except OSError as error:
        print(f"sabot-sim demo: {system_said(error)}", file=sys.stderr)
    return 2


def demo_of(profile: str) -> type[Demo]:
    return DEMOS[GAME_OF[profile]]


def panel_port(wanted: int | None) -> int:
    """Returns the port for the panel: `wanted` or, if that is None, the usual port. Returns 0 (any free port) if
    `wanted` is None and another program uses the usual port.
    """
    if wanted is not None:
        return wanted
    return USUAL_PORT if _is_free(USUAL_PORT) else 0


def _is_free(port: int) -> bool:
    """True if no program of this computer listens at the port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _language() -> Language:
    return language_of(os.environ)


@contextlib.contextmanager
def _directory(options: DemoOptions) -> Iterator[Path]:
    """Yields the demo's directory: the directory that an option gives, or a temporary one.

    At the end deletes a temporary directory; with `--json` keeps its journal and the journal's keys.
    """
    if options.state_dir is not None:
        yield options.state_dir
        return
    directory = Path(tempfile.mkdtemp(prefix="sabot-demo-"))
    try:
        yield directory
    finally:
        for path in directory.iterdir():
            if not (options.as_json and path.name in {"journal", "journal.key", "journal.pub"}):
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        with contextlib.suppress(OSError):
            directory.rmdir()


@contextlib.contextmanager
def stop_signals() -> Iterator[Callable[[], bool]]:
    """Makes SIGINT, SIGTERM and SIGHUP ask for an orderly end. Yields a function that returns True after
    such a signal.
    """
    asked: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        asked.append(number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    try:
        yield lambda: bool(asked)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
