"""The command behind `make bench`: runs the benches, prints the table; exit 1 where a row misses its goal."""

import argparse
import faulthandler
import json
import sys

from tests.bench.benches import BENCHES
from tests.bench.report import document, misses, table
from tests.bench.rows import QUICK_REPETITIONS, Plan, Row, say

WHOLE_RUN_WITHIN_S = 1800.0  # a bench that hangs shows where


def main() -> int:
    arguments = _arguments()
    faulthandler.dump_traceback_later(WHOLE_RUN_WITHIN_S, exit=True)
    plan = Plan(arguments.repetitions, arguments.scale)
    rows: list[Row] = []
    for name in arguments.only or BENCHES:
        say(f"{name}:")
        rows += BENCHES[name](plan)
    faulthandler.cancel_dump_traceback_later()
    print(json.dumps(document(rows), indent=2) if arguments.json else table(rows))
    return 1 if misses(rows) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one document on standard output")
    parser.add_argument("--only", action="append", choices=tuple(BENCHES), help="this bench, and others so named")
    parser.add_argument("--repetitions", type=int, default=QUICK_REPETITIONS)
    parser.add_argument("--scale", type=float, default=1.0, help="measure this share of each repetition")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
