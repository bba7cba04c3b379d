"""The command behind `make bench`: prints each row once it is measured, and exits with 1 if a row misses its goal."""

import argparse
import faulthandler
import json
import sys

from tests.bench.benches import BENCHES
from tests.bench.report import document, head, line, machine, misses
from tests.bench.rows import QUICK_REPETITIONS, Plan, Row, say

WHOLE_RUN_WITHIN_S = 1800.0  # a hanging bench then shows its place


def main() -> int:
    arguments = _arguments()
    faulthandler.dump_traceback_later(WHOLE_RUN_WITHIN_S, exit=True)
    plan = Plan(arguments.repetitions, arguments.scale)
    print(json.dumps({"machine": machine()}) if arguments.json else head(), flush=True)
    rows: list[Row] = []
    for name in arguments.only or BENCHES:
        say(f"{name}:")
        for row in BENCHES[name](plan):
            print(json.dumps(document(row)) if arguments.json else line(row), flush=True)
            rows.append(row)
    faulthandler.cancel_dump_traceback_later()
    return 1 if misses(rows) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--json", action="store_true", help="one object a line on standard output")
    parser.add_argument("--only", action="append", choices=tuple(BENCHES), help="this bench, and others so named")
    parser.add_argument("--repetitions", type=int, default=QUICK_REPETITIONS)
    parser.add_argument("--scale", type=float, default=1.0, help="measure this share of each repetition")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
