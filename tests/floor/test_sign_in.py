"""People sign in to the room's page at a provider; each reads what the table of roles permits, and writes nothing."""

import http.client
import http.cookiejar
import re
import ssl
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from typing import IO

import pytest
from joserfc.jwk import ECKey

from controller.floor.config import FloorConfigRefused, read_floor_config
from controller.floor.reading import READS, Part, Reader, parts_of
from controller.floor.sign_in import SESSION_S
from simulators.floor.room import FloorProcess, Room
from tests.floor.provider import CLIENT, SECRET, Provider, provided, roles

pytestmark = pytest.mark.waits

PATHS = {
    Part.ROOM: ("", "holds", "table/BJ-07"),
    Part.DEVICES: ("devices",),
    Part.JACKPOTS: ("jackpots",),
    Part.REPORT: ("report", "report/figures.csv"),
    Part.FLEET: ("fleet",),
}
WORDS = {"pit": "pit-managers", "technician": "tables-it", "manager": "floor-direction", "inspector": "srij"}


@pytest.fixture
def provider(room: Room) -> Iterator[Provider]:
    with provided(room) as provider:
        yield provider


@pytest.fixture
def floor(room: Room, provider: Provider) -> Iterator[FloorProcess]:
    with room:
        yield room.start()


class Unfollowed(urllib.request.HTTPRedirectHandler):
    """A handler that returns a redirect to the test instead of following it."""

    follows = True

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> urllib.request.Request | None:
        return super().redirect_request(req, fp, code, msg, headers, newurl) if self.follows else None


class Browser:
    """One person's browser, with its cookies."""

    def __init__(self, room: Room, floor: FloorProcess) -> None:
        self.page = floor.page
        self.cookies = http.cookiejar.CookieJar()
        context = ssl.create_default_context(cafile=str(room.authority.path))
        secure = urllib.request.HTTPSHandler(context=context)
        self.redirects = Unfollowed()
        self._opener = urllib.request.build_opener(
            secure, urllib.request.HTTPCookieProcessor(self.cookies), self.redirects
        )

    def get(self, path: str = "", data: bytes | None = None, **headers: str) -> tuple[int, str]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.page + path, data, named)  # noqa: S310
        try:
            with self._opener.open(request, timeout=30) as answer:
                self.at, self.headers = answer.url, answer.headers
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refused:
            with refused:
                self.at, self.headers = refused.url, refused.headers
                return refused.code, refused.read().decode()


def test_each_role_reads_what_is_its_own_and_its_links_lead_nowhere_else(
    room: Room, provider: Provider, floor: FloorProcess
) -> None:
    for reader in Reader:
        provider.claims = roles("something-else", WORDS[reader.value])
        browser = Browser(room, floor)
        status, text = browser.get("holds")
        assert (status, browser.at, "Ana Silva: sign out" in text) == (200, f"{floor.page}holds", True)
        links = set(re.findall(r'<a href="/([a-z]*)">', text))
        for part, paths in PATHS.items():
            is_read = part in READS[reader]
            assert (paths[0] in links) == is_read, (reader, part)
            for path in paths:
                found = browser.get(path)[0]
                assert (found != 403) == is_read, (reader, path)
                assert found in ({200, 404} if is_read else {403}), (reader, path)
    assert provider.asked == len(Reader)


def test_several_roles_read_the_union_and_no_role_reads_nothing(
    room: Room, provider: Provider, floor: FloorProcess
) -> None:
    assert parts_of([Reader.PIT, Reader.TECHNICIAN]) == READS[Reader.PIT] | {Part.FLEET}
    assert parts_of([]) == frozenset()
    for claims in (roles(), roles("stranger"), {"realm_access": "srij"}, {"roles": ["srij"]}, {"realm_access": None}):
        provider.claims = claims
        browser = Browser(room, floor)
        status, text = browser.get()
        assert (status, "do not read this page" in text) == (403, True), claims
        assert browser.get("fleet")[0] == 403


WRONG: dict[str, dict[str, object]] = {
    "another issuer": {"iss": "https://elsewhere.example"},
    "another client": {"aud": "another-client"},
    "another client, azp": {"aud": ["another-client"], "azp": CLIENT},
    "another nonce": {"nonce": "an older one"},
    "another client, too": {"aud": [CLIENT, "another-client"]},
    "over": {"exp": 1_000_000_000, "iat": 999_999_000},
    "no number": {"exp": "9999999999"},
    "not yet": {"iat": 9_999_999_999},
}
LEFT_OUT = ("iss", "aud", "nonce", "exp", "iat", "sub")


def test_a_token_that_is_not_for_here_and_now_signs_nobody_in(
    room: Room, provider: Provider, floor: FloorProcess
) -> None:
    for name, wrong in WRONG.items():
        provider.claims = roles("srij") | wrong
        status, text = Browser(room, floor).get()
        assert (status, "Nobody was signed in" in text) == (403, True), name
    provider.claims = roles("srij")
    for provider.left_out in LEFT_OUT:
        assert Browser(room, floor).get()[0] == 403, provider.left_out
    provider.left_out = ""
    assert Browser(room, floor).get()[0] == 200  # tried again


@pytest.mark.parametrize("names_keys", [False, True], ids=["no kid", "the same kid"])
def test_a_key_that_the_provider_has_replaced_signs_nobody_in_and_the_new_one_does(
    room: Room, provider: Provider, floor: FloorProcess, *, names_keys: bool
) -> None:
    provider.claims, provider.names_keys = roles("srij"), names_keys
    assert Browser(room, floor).get()[0] == 200
    before, provider.key = provider.key, ECKey.generate_key("P-256", {"kid": "one"})
    assert Browser(room, floor).get()[0] == 200
    provider.signer = before
    status, text = Browser(room, floor).get()
    assert (status, "Nobody was signed in" in text) == (403, True)


def test_a_token_signed_with_what_others_know_signs_nobody_in(
    room: Room, provider: Provider, floor: FloorProcess
) -> None:
    """No token that is signed with the client's secret or the provider's public key signs a person in."""
    provider.claims = roles("srij")
    for shared in (SECRET.encode(), provider.key.as_pem(private=False)):
        provider.shared = shared
        for permits in (["ES256"], ["HS256"], ["ES256", "HS256"], None):
            provider.metadata = {"id_token_signing_alg_values_supported": permits}
            assert Browser(room, floor).get()[0] == 403, permits


def test_a_long_name_fits_the_cookie_that_a_browser_keeps(room: Room, provider: Provider, floor: FloorProcess) -> None:
    provider.claims = roles(*WORDS.values(), *("x" * 2000,)) | {"name": "\u65e5" * 5000}
    browser = Browser(room, floor)
    assert browser.get()[0] == 200
    (cookie,) = browser.cookies
    assert len(f"{cookie.name}={cookie.value}") < 2000


def test_somebody_in_the_providers_place_signs_nobody_in(room: Room, provider: Provider, floor: FloorProcess) -> None:
    provider.claims = roles("srij")
    plain = provider.issuer.replace("https", "http")
    for metadata in ({"issuer": "https://elsewhere.example"}, {"token_endpoint": f"{plain}/token"}):
        provider.metadata = dict(metadata)
        assert Browser(room, floor).get()[0] == 403, metadata
    provider.metadata, provider.signer = {}, ECKey.generate_key("P-256", {"kid": "one"})
    assert Browser(room, floor).get()[0] == 403
    provider.signer, provider.has_id_token = None, False
    assert Browser(room, floor).get()[0] == 403
    provider.has_id_token, provider.is_unsigned = True, True
    assert Browser(room, floor).get()[0] == 403
    provider.is_unsigned = False
    assert Browser(room, floor).get()[0] == 200


def test_a_provider_with_another_certificate_or_that_is_away_is_not_believed(
    room: Room, provider: Provider, floor: FloorProcess, tmp_path: Path
) -> None:
    provider.claims = roles("srij")
    config = room.directory / "floor.toml"
    system = config.read_text().replace('authority = "authority.pem"\nclaim', "claim")
    config.write_text(system)
    assert Browser(room, room.start()).get()[0] == 403
    away = system.replace(provider.issuer, "https://127.0.0.1:9")
    config.write_text(away)
    assert Browser(room, room.start()).get()[0] == 403


def test_the_answer_to_another_browsers_question_signs_nobody_in(
    room: Room, provider: Provider, floor: FloorProcess
) -> None:
    """A provider's answer to another browser, a repeated one, or one without a question signs no person in."""
    provider.claims = roles("srij")
    victim, thief = Browser(room, floor), Browser(room, floor)
    thief.redirects.follows = False
    assert thief.get()[0] == 303
    thief.page = ""
    assert thief.get(thief.headers["Location"])[0] == 302
    back = thief.headers["Location"].removeprefix(floor.page)
    assert back.startswith("sign-in/back?code=")
    assert victim.get(back)[0] == 403
    assert victim.get("sign-in/back")[0] == 403
    assert list(victim.cookies) == []


def test_a_session_ends_and_a_cookie_that_was_changed_is_none(
    room: Room, provider: Provider, floor: FloorProcess
) -> None:
    provider.claims = roles("srij")
    browser = Browser(room, floor)
    assert browser.get()[0] == 200
    (cookie,) = browser.cookies
    assert (cookie.secure, cookie.has_nonstandard_attr("httponly"), cookie.name[:7]) == (True, True, "__Host-")
    assert cookie.expires is not None
    assert cookie.expires <= time.time() + SESSION_S + 5
    assert cookie.value is not None
    *kept, last_whole, end = cookie.value  # the last digit of a signature has unused bits
    changed = "".join((*kept, "a" if last_whole != "a" else "b", end))
    for value in (changed, "x" + cookie.value, "", "null"):
        cookie.value = value
        browser.redirects.follows = False
        assert browser.get()[0] == 303, value
    browser.redirects.follows = True
    assert browser.get("report?day=2026-11-01")[0] == 200
    assert browser.at == floor.page + "report?day=2026-11-01", "the page that was asked for, with its day"
    assert browser.get("sign-out", b"")[1].count("You are signed out.") == 1
    assert browser.get("changes", Sec_Fetch_Mode="cors")[0] == 401
    assert provider.asked == 2


def test_what_is_no_page_asks_nobody_and_nothing_leads_to_another_site(
    room: Room, provider: Provider, floor: FloorProcess
) -> None:
    provider.claims = roles("srij")
    browser = Browser(room, floor)
    for path in ("changes", "report/figures.csv", "fleet"):
        assert browser.get(path, Sec_Fetch_Mode="cors")[0] == 401
    assert browser.get("static/floor.css")[0] == 200
    assert browser.get("/elsewhere.example/x")[0] == 404
    assert browser.get("table/%5C%5Celsewhere.example")[0] == 404
    assert browser.at.startswith(floor.page)
    for path in ("", "holds", "report", "fleet"):
        assert browser.get(path, b"x")[0] == 405  # no page can be written to


def test_without_a_provider_the_page_is_on_this_computer_and_with_one_over_tls_alone(
    room: Room, provider: Provider, floor: FloorProcess
) -> None:
    assert floor.page.startswith("https://127.0.0.1:")
    connection = http.client.HTTPConnection("127.0.0.1", int(floor.page.rstrip("/").rpartition(":")[2]), timeout=10)
    connection.request("GET", "/")
    with pytest.raises((http.client.HTTPException, OSError)):
        connection.getresponse()
    connection.close()
    browser = Browser(room, floor)
    assert browser.get(Host="elsewhere.example")[0] == 400


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("https://", "http://", "sign_in.issuer"),
        ("pit =", "dealer =", "sign_in.roles"),
        ("[page]\nport = 0\n", "", "page"),
        ('client = "sabot-floor"', "", "client"),
    ],
)
def test_a_wrong_section_is_named(room: Room, provider: Provider, old: str, new: str, says: str) -> None:
    config = room.directory / "floor.toml"
    text = config.read_text()
    assert old in text
    config.write_text(
        text.replace(old, new).replace('language = "en"\n', "" if says == "page" else 'language = "en"\n')
    )
    with pytest.raises(FloorConfigRefused, match=re.escape(says)):
        read_floor_config(config)
