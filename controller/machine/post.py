"""Sends a POST request to another computer, with bounds for the size of the answer and the time of each step."""

from contextlib import closing
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import urlsplit

WITHIN_S: Final = 30.0
LARGEST_ANSWER: Final = 1 << 16


def post(url: str, data: bytes, within_s: float = WITHIN_S) -> tuple[int, bytes]:
    """Sends `data` to `url`. Returns the HTTP status and the first LARGEST_ANSWER bytes of the answer.

    `within_s`: the longest time for each step of the connection. Raises OSError if no valid answer comes, and for an
    invalid URL.
    """
    try:
        place = urlsplit(url)
        kind = HTTPSConnection if place.scheme == "https" else HTTPConnection
        with closing(kind(place.netloc, timeout=within_s)) as connection:
            connection.request("POST", place.path, data)
            answer = connection.getresponse()
            return answer.status, answer.read(LARGEST_ANSWER)
    except (HTTPException, ValueError) as error:
        raise ConnectionError("not-understood") from error
