"""The program `sabot-floor`: serves the floor, or does one act on its database (`--migrate`, `--end`, `--pool` ...)."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from ssl import SSLError
from typing import TYPE_CHECKING, Final

import msgspec

from controller.catalogue import Language, language_of, sentence
from drivers.errors import system_word

if TYPE_CHECKING:
    from controller.floor.config import FloorConfig

OK: Final = 0
FAILED: Final = 1
USAGE: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program and returns its exit code.

    0: the work is done. 1: the database or address cannot be used now, or no such finding is open. 2: wrong usage or
    configuration.
    """
    language = language_of(os.environ)
    parser = ArgumentParser("sabot-floor", description=sentence("floor.description", (), language))
    parser.add_argument("--config", type=Path, required=True, metavar="FILE")
    does = parser.add_mutually_exclusive_group()
    does.add_argument("--migrate", action="store_true", help=sentence("floor.migrate", (), language))
    does.add_argument("--findings", action="store_true", help=sentence("floor.findings", (), language))
    does.add_argument("--end", metavar="TABLE:KIND:EPOCH:ENTRY", help=sentence("floor.end", (), language))
    does.add_argument("--new-witness", metavar="NAME", help=sentence("floor.new-witness", (), language))
    does.add_argument("--pool", type=Path, metavar="FILE", help=sentence("floor.pool", (), language))
    does.add_argument("--fleet", action="store_true", help=sentence("floor.fleet", (), language))
    parser.add_argument("--json", action="store_true", help=sentence("cli.option.json", (), language))
    parser.add_argument("--by", default="", metavar="NAME", help=sentence("floor.by", (), language))
    parser.add_argument("--evidence", default="", metavar="TEXT", help=sentence("floor.evidence", (), language))
    return _run(parser.parse_args(arguments), language)


def _run(given: Namespace, language: Language) -> int:
    import psycopg

    from controller.floor.config import FloorConfigRefused, read_floor_config
    from controller.floor.database import DatabaseAway, DatabaseBusy, NotDurable
    from controller.floor.serve import serve
    from controller.journal.errors import SealKeyRefused, StorageFailed

    path: Path = given.config
    try:
        config = read_floor_config(path)
        if (done := _done(config, given, language)) is not None:
            return done
        serve(config, lambda word, url: print(f"{word}: {url}", flush=True))
    except FloorConfigRefused as refused:
        key = "config-unreadable" if refused.is_unreadable else "config"
        return _said(language, key, USAGE, file=str(path), detail=str(refused))
    except (SealKeyRefused, StorageFailed):
        return _said(language, "witness", USAGE, file=str(path))
    except (psycopg.Error, DatabaseAway, DatabaseBusy, NotDurable) as error:
        return _said(language, "database", FAILED, detail=_short(error))
    except OSError as error:
        detail = "no-certificate" if isinstance(error, SSLError) else system_word(error)
        return _said(language, "listen", FAILED, detail=detail)
    return OK


def _done(config: "FloorConfig", given: Namespace, language: Language) -> int | None:
    """Does the work on the database that the arguments ask for, and returns the exit code. Returns None if the
    arguments ask only to serve.

    Also returns an exit code if the database is too old or not migrated. Raises the errors that `_run` catches.
    """
    from controller.floor import schema

    conninfo = config.database.connection
    if given.new_witness is not None:
        return _new_witness(config, given.new_witness, language)
    if schema.is_too_old(conninfo):
        return _said(language, "postgres-old", USAGE, oldest=str(schema.OLDEST))
    if given.migrate:
        return _migrated(conninfo, language)
    if not schema.is_current(conninfo):
        return _said(language, "not-migrated", USAGE, file=str(given.config))
    if given.pool is not None:
        return _rule_pool(conninfo, given, language)
    if given.fleet:
        return _fleet(config, language, as_json=given.json)
    return _findings(conninfo, given, language) if given.findings or given.end is not None else None


def _new_witness(config: "FloorConfig", name: str, language: Language) -> int:
    """Makes the floor's witness, prints its public key, and returns the exit code.

    Returns USAGE if the configuration names no witness, the witness exists, or the name is not allowed. Raises
    StorageFailed, SealKeyRefused.
    """
    from controller.journal.note import KeyKind, NoteKey
    from controller.witness.place import is_name, make, name_and_signer

    path = None if config.witness is None else config.path(config.witness.directory)
    if path is None or path.exists() or not is_name(name):
        return _said(language, "new-witness", USAGE)
    make(path, name)
    made, signer = name_and_signer(path)
    print(NoteKey(made, KeyKind.COSIGNATURE, signer.public_key).text)
    return OK


def _rule_pool(conninfo: str, given: Namespace, language: Language) -> int:
    """Begins the linked pool of the file `given.pool`, or changes its rules, and returns the exit code.

    Returns USAGE and changes nothing if the file is unreadable, the person or evidence is missing, or the pool has
    another currency. Raises the errors of `Database`.
    """
    from controller.floor.database import Database
    from controller.floor.findings import Ending, account
    from controller.floor.pools import rule_pool
    from controller.protocol.linked import PoolRules

    ruling = Ending(given.by, account(), given.evidence)
    if not ruling.is_said:
        return _said(language, "end-unsaid", USAGE)
    try:
        rules = msgspec.toml.decode(given.pool.read_bytes(), type=PoolRules)
    except OSError as error:
        return _said(language, "config-unreadable", USAGE, file=str(given.pool), detail=system_word(error))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return _said(language, "config", USAGE, file=str(given.pool), detail=_short(error))
    with Database(conninfo, writers=1) as database:
        if not rule_pool(database, rules, ruling):
            return _said(language, "other-currency", USAGE, pool=rules.pool)
    return OK


def _fleet(config: "FloorConfig", language: Language, *, as_json: bool) -> int:
    """Prints the program that each table runs, the differences between tables, and the certificates. Returns 0.

    Raises the errors of `Database` and `certificates_of`.
    """
    from controller.floor.certificates import certificates_of
    from controller.floor.database import Database
    from controller.floor.fleet import fleet, lines

    with Database(config.database.connection, writers=1) as database:
        found = fleet(database, certificates_of(config))
    print(msgspec.json.encode(found).decode() if as_json else "\n".join(lines(found, language)))
    return OK


def _findings(conninfo: str, given: Namespace, language: Language) -> int:
    """Prints all findings or ends the finding `given.end`. Returns the exit code. Raises the errors of `Database`."""
    from controller.floor.database import Database
    from controller.floor.findings import Ending, account, all_findings, end_finding, named

    with Database(conninfo, writers=1) as database:
        if given.findings:
            for one in all_findings(database):
                print(msgspec.json.encode(one).decode())
            return OK
        found, ending = named(given.end), Ending(given.by, account(), given.evidence)
        if found is None:
            return _said(language, "no-finding", USAGE, finding=given.end)
        if not ending.is_said:
            return _said(language, "end-unsaid", USAGE)
        if not end_finding(database, *found, ending):
            return _said(language, "finding-not-standing", FAILED, finding=given.end)
    return OK


def _migrated(conninfo: str, language: Language) -> int:
    """Migrates the database's tables to this program's version and returns the exit code: 0, or FAILED. Raises
    psycopg.Error.
    """
    from sqlalchemy.exc import SQLAlchemyError  # needed here only

    from controller.floor.schema import migrate

    try:
        migrate(conninfo)
    except SQLAlchemyError as error:
        return _said(language, "database", FAILED, detail=_short(error))
    return OK


def _short(error: BaseException) -> str:
    """Returns the first line of the error's message. The further lines contain the failed statement."""
    return str(error).partition("\n")[0]


def _said(language: Language, key: str, code: int, **values: str) -> int:
    sys.stderr.write(sentence(f"floor.error.{key}", values, language) + "\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
