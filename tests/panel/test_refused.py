"""The panel refuses forbidden requests, and they do not change the table."""

import json
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.cli.client import Client
from controller.core.games.blackjack.table import ACT_RULES, ACTS
from controller.journal.verify import entries_of
from tests.daemon.rig import DEALER, PINS
from tests.found import stands_in
from tests.night import examples
from tests.panel.tables import Closed
from tests.panel.visitor import FORM, Visitor

pytestmark = pytest.mark.waits

OPEN = "open-session?|about?"
PRESS = urlencode({"number": "1", "name": "act:open-session", "value": "", "shown": OPEN, "sure": "1"})


OF_PEOPLE = {*(rule.name for rule in ACT_RULES), "pin-refused", "sign-ins-kept-away"}
"""The kinds of entries that people cause. The table adds others, such as the loss of a device's link."""


def said(table: Closed) -> list[str]:
    """The kinds of the journal's entries that people have caused so far."""
    return [entry.kind for entry in entries_of(table.rig.journal) if entry.kind in OF_PEOPLE]


@pytest.fixture
def visitor(closed: Closed) -> Iterator[Visitor]:
    """A visitor of the panel; after the test the journal must have no new entry of people."""
    found = Visitor(closed.url)
    found.visit()
    before = said(closed)
    yield found
    assert said(closed) == before


def test_a_page_has_every_lock(visitor: Visitor) -> None:
    visitor.cookie = ""
    status, page = visitor.ask("GET", "/")
    assert status == 200
    assert "SIMULATED" in page
    assert "unsafe" not in visitor.headers["content-security-policy"]
    assert "require-trusted-types-for 'script'" in visitor.headers["content-security-policy"]
    for part in ("__Host-sabot=", "HttpOnly", "Secure", "SameSite=strict", "Path=/"):
        assert part in visitor.headers["set-cookie"]


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Host": "evil.example"}, 421),
        ({"X_Sabot": "0"}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Sec_Fetch_Site": "none"}, 403),
        ({"Cookie": "__Host-sabot=another"}, 403),
        ({"Cookie": ""}, 403),
    ],
)
def test_a_request_from_elsewhere_is_refused(visitor: Visitor, headers: dict[str, str], expected: int) -> None:
    assert visitor.post("/press", PRESS, **headers)[0] == expected
    assert visitor.post("/pin", "pin=123456", **headers)[0] == expected


def test_without_the_word_of_the_browser_the_origin_counts(visitor: Visitor) -> None:
    headers = {"X_Sabot": "1", "Content_Type": FORM}
    assert visitor.ask("POST", "/press", PRESS, **headers)[0] == 403
    assert visitor.ask("POST", "/press", PRESS, Origin="http://evil.example", **headers)[0] == 403


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_no_act_by_another_method(visitor: Visitor, method: str) -> None:
    assert visitor.ask(method, "/press?" + PRESS)[0] in {404, 405}


@pytest.mark.parametrize(
    "body",
    ["", "&&&", "%ff%fe", "number", "name=a&name=b", "=" * 100, "a=1&" * 40 + "a=1", "\x00", json.dumps({"name": 1})],
)
def test_a_body_that_is_no_form_is_refused(visitor: Visitor, body: str) -> None:
    for path in ("/press", "/pin"):
        status, text = visitor.post(path, body)
        assert status == 400 or not json.loads(text)["ok"]


@pytest.mark.parametrize("size", [4097, 100_000])
def test_a_huge_body_is_refused_unread(visitor: Visitor, size: int) -> None:
    try:
        status = visitor.post("/press", "name=" + "x" * (size - 5))[0]
    except (BrokenPipeError, ConnectionResetError):
        return
    assert status == 413


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("act:clear-hold", ""),
        ("act:", ""),
        ("act:draw", "4"),
        ("act:draw", "../../etc"),
        ("more:open-session", ""),
        ("more:confirm-irregular-closing", ""),
        ("ui:do", ""),
        ("ui:sure", ""),
        ("ui:pick", "seat=1"),
        ("ui:person", "22"),
        ("ui:language", "xx"),
        ("ui:sheet", "who"),
        ("nonsense", "x" * 3000),
    ],
)
def test_what_the_page_does_not_offer_is_not_done(visitor: Visitor, name: str, value: str) -> None:
    status, _text = visitor.post("/press", urlencode({"number": "1", "name": name, "value": value, "sure": "1"}))
    assert status == 200


KINDS = st.sampled_from(["act", "more", "ui", "", "ACT", "act:act"])
NAMES = (
    st.sampled_from([*ACTS, "seat", "cell", "count", "do", "sure", "person", "sheet", "draw", "sign-out"]) | st.text()
)
FIELDS = st.fixed_dictionaries(
    {"name": st.tuples(KINDS, NAMES).map(":".join), "number": st.sampled_from(["0", "1", "2", "x" * 99])},
    optional={"value": st.text(max_size=300), "sure": st.sampled_from(["0", "1", "?"]), "view": st.text(max_size=9)},
)


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(fields=FIELDS, pin=st.text(max_size=20))
def test_nothing_that_can_be_sent_does_anything_without_a_pin(
    visitor: Visitor, fields: dict[str, str], pin: str
) -> None:
    """The panel answers any fields of a form: no page breaks, and the table has no new entry."""
    assert visitor.post("/press", urlencode(fields))[0] in {200, 400, 413}
    assert visitor.post("/pin", urlencode({"pin": pin, "person": pin}))[0] in {200, 400}
    assert visitor.ask("GET", "/")[0] == 200


def test_a_press_without_anybody_signed_in_asks_who_it_is(visitor: Visitor) -> None:
    assert visitor.post("/press", PRESS)[0] == 200
    assert 'id="asks-pin"' in visitor.ask("GET", "/")[1]


def test_a_pin_that_nobody_asked_for_is_not_tried(visitor: Visitor) -> None:
    assert not json.loads(visitor.post("/pin", "pin=123456")[1])["ok"]


@pytest.mark.parametrize("number", ["0", "100000", "311247", "999999999999"])
def test_a_pin_that_was_typed_where_a_number_is_asked_for_is_shown_nowhere(visitor: Visitor, number: str) -> None:
    assert visitor.post("/press", PRESS)[0] == 200
    assert "First the number" in json.loads(visitor.post("/pin", f"pin={number}")[1])["say"]
    page = visitor.ask("GET", "/")[1]
    assert 'data-person=""' in page
    assert number == "0" or not stands_in(number, page)


@pytest.mark.parametrize("person", ["", "12", "0", "x"])
def test_a_pin_that_was_typed_for_one_person_is_never_taken_for_another_or_for_a_number(
    visitor: Visitor, person: str
) -> None:
    """A PIN that was typed before the page named another person is used for neither that person nor as a number."""
    assert visitor.post("/press", PRESS)[0] == 200
    assert json.loads(visitor.post("/pin", f"pin={DEALER}")[1])["ok"]
    assert not json.loads(visitor.post("/pin", urlencode({"pin": "123456", "person": person}))[1])["ok"]
    assert f'data-person="{DEALER}"' in visitor.ask("GET", "/")[1]


def test_what_a_request_says_of_its_sender_is_not_read(visitor: Visitor) -> None:
    cookie = visitor.cookie
    status, page = visitor.ask("GET", "/", X_Forwarded_For="10.9.9.9", Forwarded="for=10.9.9.9", Accept_Language="pt")
    assert (status, visitor.cookie) == (200, cookie)
    assert '<html lang="en"' in page


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/%2e%2e/app.py", "/stream/nothing", "/nothing", "//"])
def test_no_other_path_leads_anywhere(visitor: Visitor, path: str) -> None:
    assert visitor.ask("GET", path)[0] in {404, 307}


def test_a_dealer_gets_no_act_of_another_role_and_what_is_refused_to_him_is_journaled(own_table: Closed) -> None:
    """The dealer gets no act of another role, also not from an earlier page; nor does a person at another browser."""
    dealer, other = Visitor(own_table.url), Visitor(own_table.url)
    for one in (dealer, other):
        one.visit()
    assert dealer.press("act:open-session").items() >= {"ok": True, "say": "", "wait_ms": None}.items()
    for fields in ({"pin": str(DEALER)}, {"pin": PINS[DEALER], "person": str(DEALER)}):
        assert json.loads(dealer.post("/pin", urlencode(fields))[1])["ok"]
    before, refused = len(said(own_table)), 0
    with Client(own_table.socket) as client:
        acts = client.ask("list").acts
    for act in (one for one in acts if not one.allowed):
        dealer.press("ui:sheet", "why")
        is_asked = "dealer" in act.who and not act.values and not act.needs_pin
        refused += is_asked
        assert dealer.press(f"more:{act.act}")["ok"] is not is_asked, act.act  # else a sheet or the PIN pad opens
        dealer.press("ui:close")
    assert refused
    assert len(said(own_table)) == before + refused
    allowed = next(act.act for act in acts if act.allowed and "dealer" in act.who and not act.values)
    for one, number in ((other, ""), (dealer, "2")):
        one.press("ui:sheet", "more")
        one.press(f"more:{allowed}", number=number)
    assert len(said(own_table)) == before + refused
    assert 'id="asks-pin"' in other.ask("GET", "/")[1]
