"""Signs people in to the room's page at the casino's OpenID Connect provider. Authlib handles the provider's protocol.

The sign-in is the code flow with PKCE. The ID token's signature, issuer, audience, nonce and end are checked. The
session is a signed cookie with name, roles and end: every process of the floor can read it, and none has to store it.
"""

import hmac
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final
from urllib.parse import quote

import msgspec
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.starlette_client import OAuth
from httpx2 import HTTPError
from joserfc.errors import JoseError
from msgspec import Struct
from starlette.middleware import Middleware
from starlette.middleware.sessions import SessionMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from controller.floor.config import FloorConfig, SignInSection
from controller.floor.reading import Person, Reader, parts_of

SESSION_S: Final = 3600
"""The seconds of a session, after which the provider is asked again, since a person's role may have been removed."""

LONGEST_NAME: Final = 100
"""The most characters of a name in the cookie: a browser keeps no cookie above 4 KiB, and would sign in without end."""

PROVIDER_S: Final = 10.0
COOKIE: Final = "__Host-sabot-floor"
_PURPOSE: Final = b"sabot floor page session 1\n"
_ALGORITHMS: Final = frozenset(
    (*(f"{kind}{bits}" for kind in ("RS", "PS", "ES") for bits in (256, 384, 512)), "EdDSA", "Ed25519")
)
"""The algorithms with which a provider may sign: never `none`, and none with a shared secret."""

_ENDPOINTS: Final = ("authorization_endpoint", "token_endpoint", "jwks_uri")
_USUAL: Final = "RS256"


class NotTheProvider(Exception):  # noqa: N818 (the name says what it is)
    """Raised if the provider's description of itself names another issuer, or an address without TLS."""


_FAILURES: Final = (AuthlibBaseError, HTTPError, JoseError, NotTheProvider, ValueError, KeyError, TypeError)
"""The errors of Authlib, and those from a provider's wrong answer."""


class _Session(Struct, frozen=True):
    name: str
    roles: list[Reader]
    until: int


class SignIn:
    """Signs people in at the casino's provider. All methods are called in the event loop. The constructor raises
    OSError and ssl.SSLError for files that cannot be used.
    """

    def __init__(self, config: FloorConfig, section: SignInSection, secret: bytes, told: Callable[[str], None]) -> None:
        """`secret`: the floor's secret, from the database. `told`: called with the reason of a failed sign-in.

        Raises OSError if the client's secret or the authority's certificate cannot be read.
        """
        of_client = config.path(section.secret).read_text().strip()
        authority = str(config.path(section.authority)) if section.authority else None
        self._section = section
        self._told = told
        self._key = hmac.digest(secret, _PURPOSE + of_client.encode(), "sha256").hex()
        self._client = OAuth().register(
            "casino",
            client_id=section.client,
            client_secret=of_client,
            server_metadata_url=f"{section.issuer.rstrip('/')}/.well-known/openid-configuration",
            client_kwargs={
                "scope": section.scope,
                "code_challenge_method": "S256",
                "timeout": PROVIDER_S,
                "verify": ssl.create_default_context(cafile=authority),
            },
        )

    @property
    def middleware(self) -> Middleware:
        return Middleware(
            SessionMiddleware, secret_key=self._key, session_cookie=COOKIE, max_age=SESSION_S, https_only=True
        )

    def person(self, request: Request) -> Person | None:
        """Returns the person of the session in the request's cookie. None without a session and after its end."""
        try:
            session = msgspec.convert(dict(request.session), _Session)
        except msgspec.ValidationError:
            return None
        is_over = time.time() >= session.until
        return None if is_over else Person(session.name, parts_of(session.roles), session.until)

    async def begin(self, request: Request, back: str) -> Response | None:
        """Returns a redirect to the provider, which later answers at the path `back`. Returns None if the provider
        fails.
        """
        try:
            return await self._begun(request, back)
        except _FAILURES as error:
            self._told(type(error).__name__)
        return None

    async def answered(self, request: Request) -> Response | None:
        """Handles the provider's answer. Returns a redirect to the page that the person wanted; None if the sign-in has
        failed.
        """
        try:
            return await self._signed_in(request)
        except _FAILURES as error:
            self._told(type(error).__name__)
        return None

    # ---- within; these methods raise the errors in _FAILURES

    async def _begun(self, request: Request, back: str) -> Response:
        await self._provider()
        request.session.clear()
        query = f"?{request.url.query}" if request.url.query else ""
        request.session["to"] = "/" + quote(request.url.path.lstrip("/\\")) + query
        found = await self._client.authorize_redirect(request, f"https://{request.url.netloc}{back}")
        return RedirectResponse(found.headers["location"], 303)

    async def _signed_in(self, request: Request) -> Response:
        await self._provider()
        self._client.server_metadata.pop("jwks", None)  # fetched anew: a token without `kid` does not tell an old key
        to = str(request.session["to"])
        options = {"iss": {"values": [self._section.issuer]}, "aud": {"values": [self._section.client]}}
        token = await self._client.authorize_access_token(request, claims_options=options)
        claims: Mapping[str, object] = token["userinfo"]
        readers = self._readers(_said(claims, self._section.claim))
        name = str(claims.get("name") or claims.get("preferred_username") or claims["sub"])[:LONGEST_NAME]
        request.session.clear()
        session = _Session(name, readers, int(time.time()) + SESSION_S)
        request.session.update(msgspec.to_builtins(session))
        return RedirectResponse(to, 303)

    def _readers(self, said: Sequence[str]) -> list[Reader]:
        """Returns the roles on the floor's page that the provider's words `said` give to the person."""
        return sorted(reader for reader, words in self._section.roles.items() if set(words) & set(said))

    async def _provider(self) -> None:
        """Reads the provider's description once, checks it, and removes the signing algorithms that the floor does not
        accept.

        Raises NotTheProvider, and Authlib's errors.
        """
        found: dict[str, object] = await self._client.load_server_metadata()
        endpoints = [str(found.get(key, "")) for key in _ENDPOINTS]
        if found.get("issuer") != self._section.issuer or not all(one.startswith("https://") for one in endpoints):
            found.pop("_loaded_at", None)  # a corrected description is then read the next time
            raise NotTheProvider
        signs = found.get("id_token_signing_alg_values_supported")
        known = [one for one in signs if one in _ALGORITHMS] if isinstance(signs, list) else []
        found["id_token_signing_alg_values_supported"] = known or [_USUAL]


def _said(claims: Mapping[str, object], path: str) -> list[str]:
    """Returns the words of the claim `path`, a path of keys such as `realm_access.roles`. Returns [] if the token lacks
    it.
    """
    value: object = claims
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    words = value if isinstance(value, list) else [value]
    return [one for one in words if isinstance(one, str)]
