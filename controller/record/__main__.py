"""The low-priority process that makes a record for the controller: the process reads one order from stdin and writes
the record to stdout. While it checks a journal, it also writes its progress in percent, one JSON object a line. The
process ends after its answer, or when the controller ends.
"""

import os
import sys
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from controller.protocol.lines import Checked, RecordAnswer
from controller.record.names import names_of
from controller.record.order import Order
from controller.record.read import Wish, read
from controller.staff import StaffRefused

NICE: Final = 10


def main() -> None:
    os.nice(NICE)
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=Order)
    try:
        names = names_of([Path(order.staff)], order.language)
    except StaffRefused:  # then people appear by number
        names = names_of([], order.language)
    wish = Wish(Path(order.path), order.what, order.session, order.round, order.language, names)
    _put(RecordAnswer(None, read(wish, lambda percent: _put(Checked(percent)))))


def _put(line: Struct) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
