"""An OpenID Connect provider on loopback, over TLS: the code flow with PKCE, and signed tokens.

The provider signs in every visitor at once with the present claims; each field that a test changes is a fault of a
provider or an impostor.
"""

import asyncio
import base64
import hmac
import secrets
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import msgspec
import uvicorn
from joserfc import jwt
from joserfc.jwk import ECKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.machine import web
from simulators.floor.room import Room

CLIENT = "sabot-floor"
SECRET = "a secret of the casino's"  # noqa: S105 (of this test)

SECTION = """
[sign_in]
issuer = "{issuer}"
client = "sabot-floor"
secret = "client.secret"
listen = "127.0.0.1"
name = "127.0.0.1"
certificate = "floor.pem"
authority = "authority.pem"
claim = "realm_access.roles"

[sign_in.roles]
pit = ["pit-managers"]
technician = ["tables-it"]
manager = ["floor-direction"]
inspector = ["srij", "inspection"]
"""


@dataclass
class Provider:
    """A provider. `claims`: replace those of the next token. `signer`: signs it in place of the published key.

    `names_keys`: keys and tokens have a `kid`, which OpenID Connect requires only with several keys.
    """

    issuer: str = ""
    claims: dict[str, object] = field(default_factory=dict)
    metadata: dict[str, object] = field(default_factory=dict)
    key: ECKey = field(default_factory=lambda: ECKey.generate_key("P-256", {"kid": "one"}))
    signer: ECKey | None = None
    names_keys: bool = True
    has_id_token: bool = True
    is_unsigned: bool = False
    shared: bytes = b""
    """A secret with which tokens are signed (HS256) in place of the key."""
    left_out: str = ""
    asked: int = 0
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def application(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self._description),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
                Route("/keys", self._keys),
            ]
        )

    async def _description(self, _request: Request) -> Response:
        found = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "id_token_signing_alg_values_supported": ["ES256", "none"],
        }
        return JSONResponse(found | self.metadata)

    async def _authorize(self, request: Request) -> Response:
        self.asked += 1
        asked = dict(request.query_params)
        assert (asked["client_id"], asked["response_type"], asked["code_challenge_method"]) == (CLIENT, "code", "S256")
        code = secrets.token_urlsafe()
        self.codes[code] = asked
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}", 302)

    async def _token(self, request: Request) -> Response:
        asked = {key: values[0] for key, values in parse_qs((await request.body()).decode()).items()}
        known = self.codes.pop(asked.get("code", ""), None)  # each is valid once
        basic = base64.b64encode(f"{CLIENT}:{SECRET.replace(' ', '+').replace(chr(39), '%27')}".encode()).decode()
        challenge = base64.urlsafe_b64encode(sha256(asked["code_verifier"].encode()).digest()).decode().rstrip("=")
        is_client = request.headers["authorization"] in {f"Basic {basic}", f"Basic {_plain()}"}
        if known is None or not is_client or known["code_challenge"] != challenge:
            return JSONResponse({"error": "invalid_grant"}, 400)
        now = int(time.time())
        right = {"iss": self.issuer, "sub": "7", "aud": CLIENT, "iat": now, "exp": now + 60, "nonce": known["nonce"]}
        token = {"access_token": "x", "token_type": "Bearer"}
        if self.has_id_token:
            signer = self.signer or self.key
            claims = {name: value for name, value in (right | self.claims).items() if name != self.left_out}
            named = {"kid": "one"} if self.names_keys else {}
            token["id_token"] = jwt.encode({"alg": "ES256"} | named, claims, signer)
            if self.is_unsigned:
                token["id_token"] = f"{_part({'alg': 'none'})}.{_part(claims)}."
            if self.shared:
                signed = f"{_part({'alg': 'HS256', 'kid': 'one'})}.{_part(claims)}"
                token["id_token"] = f"{signed}.{_digits(hmac.digest(self.shared, signed.encode(), 'sha256'))}"
        return JSONResponse(token)

    async def _keys(self, _request: Request) -> Response:
        key = self.key.as_dict(private=False)
        return JSONResponse({"keys": [key if self.names_keys else {name: key[name] for name in key if name != "kid"}]})


def _part(value: dict[str, object]) -> str:
    return _digits(msgspec.json.encode(value))


def _digits(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _plain() -> str:
    return base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()


def roles(*words: str) -> dict[str, object]:
    return {"name": "Ana Silva", "realm_access": {"roles": list(words)}}


@contextmanager
def provided(room: Room) -> Iterator[Provider]:
    """Serves the provider on a port of its own; the room's configuration names it."""
    with _served(room.authority.signed("provider")) as provider:
        config = room.directory / "floor.toml"
        config.write_text(config.read_text() + SECTION.format(issuer=provider.issuer))
        (room.directory / "client.secret").write_text(f"{SECRET}\n")
        yield provider


@contextmanager
def _served(certificate: Path) -> Iterator[Provider]:
    listener = web.listening("127.0.0.1", 0)
    provider = Provider(f"https://127.0.0.1:{listener.getsockname()[1]}")
    config = web.settings(provider.application(), keep_alive_s=5, certificate=certificate)
    config.load()
    assert isinstance(config.ssl, ssl.SSLContext)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listener])))
    thread.start()
    try:
        yield provider
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
