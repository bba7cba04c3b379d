"""Reads the fields of a form that the panel's script sends."""

import asyncio
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

from controller.machine.connections import ASKED_WITHIN_S
from controller.panel.security import LONGEST_BODY

MOST_FIELDS: Final = 16


async def fields_of(request: Request) -> dict[str, str] | None:
    """Returns the form's fields. Returns None if the body is too long, late, incomplete or malformed, or repeats a
    name.

    A form with more than MOST_FIELDS fields also gives None.
    """
    body = b""
    try:
        async with asyncio.timeout(ASKED_WITHIN_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > LONGEST_BODY:
                    return None
    except (TimeoutError, ClientDisconnect):
        return None
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        return None
    fields = dict(pairs)
    return fields if len(fields) == len(pairs) else None
