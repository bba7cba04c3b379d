"""A script: open pages of a panel, `panel_clients.py HOST PORT READING SILENT`; the silent ones never read.

Prints "up" when all are open, and reads until it is killed. Each browser has at most three pages, as the panel allows.
"""

import http.client
import select
import socket
import sys

PAGES_OF_A_BROWSER = 3


def cookie_of(host: str, port: int) -> str:
    connection = http.client.HTTPConnection(host, port, timeout=10)
    connection.request("GET", "/")
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.headers["set-cookie"].split(";")[0]


def opened(host: str, port: int, cookie: str, view: str = "table") -> socket.socket:
    """The socket of a stream of pages, its request sent."""
    stream = socket.create_connection((host, port), 10)
    stream.sendall(f"GET /stream/{view} HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {cookie}\r\n\r\n".encode())
    return stream


def main(host: str, port: int, reading: int, silent: int) -> None:
    streams: list[socket.socket] = []
    cookie = ""
    for number in range(reading + silent):
        cookie = cookie_of(host, port) if number % PAGES_OF_A_BROWSER == 0 else cookie
        streams.append(opened(host, port, cookie))
    for stream in streams[:reading]:
        stream.recv(65_536)
    print("up", flush=True)
    while True:
        for stream in select.select(streams[:reading], [], [])[0]:
            stream.recv(65_536)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
