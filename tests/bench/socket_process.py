"""The floor of a question at a Unix socket PATH: answers everything with BYTES bytes, without a controller."""

import os
import socket
import sys


def main() -> None:
    path, answer = sys.argv[1], b"\x01" * int(sys.argv[2])
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen()
    print("up", flush=True)
    connection, _ = listener.accept()
    while connection.recv(4096):
        connection.sendall(answer)
    os.unlink(path)  # noqa: PTH108 - nothing is imported that need not be


main()
