"""Sets the security headers of every answer, and refuses a forbidden request before any page code sees it.

Cross-site requests are refused by `Sec-Fetch-Site` (or by `Origin` if a browser does not send it), and by a header that
another site's form cannot set. Requests for a name other than the panel's are refused by `Host`.
"""

from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LONGEST_BODY: Final = 4096
SAFE: Final = frozenset({"GET", "HEAD"})

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types sabot",
    )
)
_HEADERS: Final = (
    ("Content-Security-Policy", POLICY),
    ("Cache-Control", "no-store"),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
)


class Doorkeeper:
    """ASGI middleware that refuses forbidden requests and sets the security headers. `hosts`: the names that a request
    may give in `Host`. `scheme`: the scheme of a permitted `Origin`.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str], scheme: str) -> None:
        self._app = app
        self._hosts = hosts
        self._scheme = scheme

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in _HEADERS:
                    answer[name] = value
            await send(message)

        refused = self._refusal(scope["method"], headers)
        app = self._app if refused is None else PlainTextResponse("", status_code=refused)
        await app(scope, receive, send_with_headers)

    def _refusal(self, method: str, headers: Headers) -> int | None:
        """Returns the HTTP status of the refusal. Returns None if the request is permitted."""
        host = headers.get("host", "").lower()
        if host not in self._hosts:
            return 421
        if method in SAFE:
            return None
        if method != "POST":
            return 405
        if headers.get("x-sabot") != "1" or not self._is_ours(headers, host):
            return 403
        return 413 if _length(headers) > LONGEST_BODY else None

    def _is_ours(self, headers: Headers, host: str) -> bool:
        site = headers.get("sec-fetch-site")
        if site is not None:
            return site == "same-origin"
        return headers.get("origin") == f"{self._scheme}://{host}"


def _length(headers: Headers) -> int:
    """Returns the length in the header `content-length`, which the panel's script always sends. A missing header counts
    as too long.
    """
    text = headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else LONGEST_BODY + 1
