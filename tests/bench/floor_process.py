"""The floor of a line: a process that answers at PORT without a controller.

FLOOR is `echo`, or `durable` with a file to append to. The process imports nothing but the system, so that its start
and its loop are the machine's own.
"""

import os
import sys

RECORD = bytes(200)


def main() -> None:
    port, answer_bytes, how = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    line = os.open(port, os.O_RDWR | os.O_NOCTTY)
    answer = b"\x01" * answer_bytes
    journal = os.open(sys.argv[4], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600) if how == "durable" else -1
    print("up", flush=True)
    while os.read(line, 4096):
        if journal >= 0:
            os.write(journal, RECORD)
            os.fdatasync(journal)
        os.write(line, answer)


main()
