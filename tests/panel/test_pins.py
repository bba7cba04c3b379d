"""The number of times that a supervisor types the PIN, at the table's screen and at a tablet of one's own."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from controller.catalogue import Language
from controller.machine.places import OWN_SCREEN, Caller
from controller.panel.browsers import Browser, Right
from controller.panel.wire import Wire
from controller.protocol.lines import ActDocument, Answer
from controller.protocol.status import (
    DeviceStatus,
    HoldStatus,
    NextStatus,
    PresentedStatus,
    PresentStatus,
    Status,
    StepState,
    StepStatus,
)
from controller.protocol.suggestion import Suggestion
from tests.endings import HANGS_S
from tests.panel.desk import (
    CHIEF,
    CHIEF_ALONE,
    DEALER,
    MANAGER,
    TABLET,
    Desk,
    Staffed,
    asks_of,
    hold,
    run,
    status,
    table_of,
)
from tests.panel.test_forms_stay import page

pytestmark = pytest.mark.waits


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Staffed]:
    with table_of(tmp_path) as found:
        yield found


def held(session: str, *holds: HoldStatus, jammed: int = 0) -> Status:
    attend, confirm = (
        Suggestion(f"{act}-hold", {"hold": holds[0].id}, [], list(CHIEF_ALONE), None, True)
        for act in ("attend", "confirm")
    )
    step = {"raised": attend, "cleared": confirm}.get(holds[0].phase, attend)
    planned = HoldStatus(
        holds[0].id,
        holds[0].kind,
        holds[0].phase,
        who=list(CHIEF_ALONE),
        plan=[StepStatus("step", "", StepState.NEXT, list(CHIEF_ALONE), [step])],
    )
    counts = {"outside": 300, "inside": 12 - jammed, "rack": 0, "jammed": jammed, "total": 312}
    acts = ("sign-in", "attend-hold", "clear-hold", "confirm-hold")
    return status(session, *acts, holds=[planned, *holds[1:]], counts=counts)


async def solve(desk: Desk, session: str, number: int) -> None:
    """Plays a jam from the alert to its end; the person signs in wherever a PIN is required."""
    desk.status = held(session, hold(number, "jam"))
    await credited(desk, "act:take-charge")
    desk.status = held(session, hold(number, "jam", "attended"), jammed=1)
    await desk.press("act:jammed-rack")
    desk.status = held(session, hold(number, "jam", "cleared"))
    await credited(desk, "act:play-on")


WATCHES = [PresentStatus(CHIEF, "chief_supervisor", "loading")]


async def load(desk: Desk) -> None:
    """Plays a loading from the numbering to the last packet, with a jam and a supervisor's absence."""
    await desk.press("act:number-deck-set")
    if desk.browser.asks_pin:
        await desk.comes(CHIEF)
    await desk.press("ui:digit", "deck_set=1")
    await credited(desk, "ui:do")
    desk.status = status("mixed", "sign-in")
    await credited(desk, "act:watch-loading")
    desk.status = status("loading", "open-packet", present=WATCHES)
    await credited(desk, "act:open-packet")
    await solve(desk, "loading", 1)
    desk.status = held("loading", hold(2, "supervisor-absent"))
    await credited(desk, "act:i-am-here")
    desk.status = status("loading", "close-packet", present=WATCHES)
    await credited(desk, "act:close-packet")


async def credited(desk: Desk, name: str) -> None:
    """Presses the button `name`, and types the PIN where the act requires one."""
    await desk.press(name)
    if desk.browser.asks_pin or desk.browser.sheet == "who":
        await desk.comes(CHIEF)


LOADED: Final = [
    "number-deck-set",
    "sign-in",
    "open-packet",
    "attend-hold",
    "state-cards-moved",
    "clear-hold",
    "confirm-hold",
    "sign-in",
    "close-packet",
]


def test_at_the_tables_screen_a_chief_types_his_pin_for_each_word_of_his(table: Staffed) -> None:
    """The chief types six PINs for the loading and two for the jam: to take charge of it, and for its end."""
    desk = Desk(table, status("opened", "number-deck-set"))
    run(load(desk))
    assert desk.pins == ["own", "own", "own", "H1", "own", "own", "own"]
    assert [act for act, _values in table.asked] == LOADED


def test_a_pin_typed_while_the_link_is_down_keeps_the_pad(table: Staffed) -> None:
    """The pad once closed with "The table has gone on", though the link alone had failed."""
    desk = Desk(table, status("mixed", "sign-in"))

    async def evening() -> None:
        await desk.press("act:watch-loading")
        if desk.browser.asks_person is None:
            await desk.presses.pin(desk.browser, {"pin": str(CHIEF), "person": ""})
        desk.is_live = False
        lost = await desk.types_pin(CHIEF)
        assert lost.say.startswith("The link was lost")
        assert (lost.is_done, desk.browser.asks_pin, desk.browser.said, table.asked) == (False, True, "", [])
        desk.is_live = True
        assert (await desk.types_pin(CHIEF)).is_done

    run(evening())
    assert [act for act, _values in table.asked] == ["sign-in"]


def test_at_a_tablet_where_he_alone_is_signed_in_he_types_one(table: Staffed) -> None:
    desk = Desk(table, status("opened", "number-deck-set"), Browser(Language.EN, TABLET))
    run(load(desk))
    assert desk.pins == ["loading"]
    assert [act for act, _values in table.asked] == LOADED


def test_by_badge_and_key_he_types_none_and_each_is_one_press(table: Staffed) -> None:
    shown = PresentedStatus(CHIEF, "chief_supervisor", "badge-and-key")
    desk = Desk(table, status("loading", "open-packet", present=WATCHES, presented=shown))

    async def evening() -> None:
        await desk.press("act:open-packet")
        desk.status = status("loading", "close-packet", present=WATCHES)
        await desk.press("act:close-packet")

    run(evening())
    assert [act for act, _values in table.asked] == ["open-packet"]
    assert desk.browser.asks_pin, "the badge has named him for one press"
    assert desk.pins == []


@pytest.mark.parametrize("parts", [("badge_reader",), ("badge_reader", "key_switch")], ids=len)
def test_the_pad_says_that_badge_and_key_would_do_where_the_table_has_them(
    table: Staffed, parts: tuple[str, ...]
) -> None:
    devices = {part: DeviceStatus(True, "") for part in parts}
    desk = Desk(table, status("loading", "open-packet", devices=devices))

    async def evening() -> str:
        await desk.press("act:open-packet")
        return page(desk)

    assert ("With badge and key instead" in run(evening())) is (len(parts) == 2)


def test_where_the_chief_has_typed_his_pin_the_dealer_alone_attests_nothing_for_him(table: Staffed) -> None:
    """The chief's PIN of the numbering once let the dealer open and close packets, and attest presence, in his name."""
    desk = Desk(table, status("opened", "number-deck-set"))

    async def evening() -> None:
        await desk.press("act:number-deck-set")
        await desk.press("ui:digit", "deck_set=1")
        await credited(desk, "ui:do")
        for session, act, name in (
            ("mixed", "sign-in", "watch-loading"),
            ("loading", "open-packet", "open-packet"),
            ("loading", "close-packet", "close-packet"),
        ):
            desk.status = status(session, act)
            await desk.press(f"act:{name}")
            assert desk.browser.asks_pin
            await desk.press("ui:no-pin")

    run(evening())
    assert [act for act, _values in table.asked] == ["number-deck-set"]
    assert desk.browser.rights == {}, "his sign-in has ended with its step"


def test_a_chief_who_comes_back_to_a_loading_says_so_and_closes_the_packet_by_a_pin_each(table: Staffed) -> None:
    desk = Desk(table, held("loading", hold(1, "supervisor-absent")))

    async def evening() -> None:
        await credited(desk, "act:i-am-here")
        desk.status = status("loading", "close-packet", present=WATCHES)
        await credited(desk, "act:close-packet")

    run(evening())
    assert desk.pins == ["own", "own"]
    assert [act for act, _values in table.asked] == ["sign-in", "close-packet"]


def test_in_play_each_jam_takes_a_pin_to_take_charge_and_one_for_its_end(table: Staffed) -> None:
    """Each jam takes two PINs: between two jams another person may have come to the screen."""
    desk = Desk(table, status("in-play"))

    async def evening() -> None:
        for number in (1, 2):
            await solve(desk, "in-play", number)

    run(evening())
    assert desk.pins == ["H1", "own", "H2", "own"]


def test_a_button_that_speaks_for_somebody_carries_his_name(table: Staffed) -> None:
    desk = Desk(table, held("in-play", hold(1, "jam")))

    async def evening() -> str:
        await desk.press("act:take-charge")
        await desk.comes(CHIEF)
        desk.status = held("in-play", hold(1, "jam", "attended"), jammed=1)
        return page(desk)

    assert f'<small class="of-whom">{CHIEF} Person {CHIEF}</small>' in run(evening())


def test_unloading_with_two_jams_and_the_deck_check(table: Staffed) -> None:
    """The dealer's second PIN is for the law's check of the decks, which requires proof of the person (`own_pin`)."""
    desk = Desk(table, status("closing", "sign-in", "begin-unloading"))

    async def evening() -> None:
        await credited(desk, "act:watch-unloading")
        desk.status = status("closing", "begin-unloading", who=("dealer",))
        await desk.press("act:begin-unloading")
        await desk.comes(DEALER)
        for number in (1, 2):
            await solve(desk, "unloading", number)
        desk.status = status("checking", "confirm-deck-check", who=("dealer",))
        await desk.press("act:confirm-deck-check")
        await desk.comes(DEALER)

    run(evening())
    assert desk.pins == ["own", "table", "H1", "own", "H2", "own", "own"]


def test_who_is_no_supervisor_comes_for_the_hold_alone(table: Staffed) -> None:
    """The room manager, who is no supervisor, confirms an irregular closing, at which no unloading is watched."""
    act = Suggestion("confirm-irregular-closing", {}, [], ["room_manager"], None, True)
    plan = [StepStatus("irregular-closing", "", StepState.NEXT, ["room_manager"], [act])]
    count = HoldStatus("H1", "count", "cleared", who=["room_manager"], plan=plan)
    confirm = [NextStatus("confirm-irregular-closing", ["room_manager"], "pin")]
    desk = Desk(table, status("unloading", holds=[count], next=confirm))

    async def evening() -> None:
        await desk.press("act:confirm-irregular-closing")
        await desk.comes(MANAGER)  # a second person's word requires his own PIN (`own_pin`)

    run(evening())
    assert desk.pins == ["own"]
    assert [act for act, _values in table.asked] == ["confirm-irregular-closing"]


def test_in_the_middle_of_a_jam_the_shift_is_handed_over_by_two_with_their_own_pins(table: Staffed) -> None:
    """Both supervisors sign the handover by PIN: the first in the list (More), the second by a button of its own."""
    who = ["chief_supervisor", "room_manager"]
    jam, signed_once = held("in-play", hold(1, "jam", "attended"), jammed=1), NextStatus("take-over-shift", who)
    first = NextStatus("hand-over-shift", who, asks_of("hand-over-shift"))
    desk = Desk(table, held("in-play", hold(1, "jam")))

    async def evening() -> None:
        await desk.press("act:take-charge")
        await desk.comes(CHIEF)
        desk.status = replace(jam, next=[*jam.next, first])
        desk.browser.acts = (ActDocument("hand-over-shift", "", "", who, True, True, 0, *5 * (None,), [], []),)
        assert desk.shown("act:take-over-shift") == ""
        await desk.press("more:hand-over-shift")
        await desk.comes(CHIEF)
        desk.status = replace(jam, next=[*jam.next, signed_once])
        await desk.press("act:take-over-shift")
        await desk.press("ui:person")  # the pad names the chief, who is signed in here
        await desk.comes(MANAGER)

    run(evening())
    assert desk.pins == ["H1", "own", "own"]
    assert [act for act, _values in table.asked] == ["attend-hold", "hand-over-shift", "take-over-shift"]


@pytest.mark.parametrize(("caller", "pins"), [(OWN_SCREEN, ["look", "own"]), (TABLET, ["look"])])
def test_who_reads_the_sheet_of_a_shift_and_signs_it_first_types_at_his_tablet_one_pin(
    caller: Caller, pins: list[str], table: Staffed
) -> None:
    """At his own tablet the supervisor types one PIN for a shift's sheet, though a loading and a jam are under way."""
    who = ["chief_supervisor", "room_manager"]
    during = held("loading", hold(1, "jam"))
    first = NextStatus("hand-over-shift", who, asks_of("hand-over-shift"))
    desk = Desk(table, replace(during, next=[*during.next, first]), Browser(Language.EN, caller))

    async def evening() -> None:
        await desk.press("read:shift")
        await desk.comes(CHIEF)
        desk.browser.acts = (ActDocument("hand-over-shift", "", "", who, True, True, 0, *5 * (None,), [], []),)
        await desk.press("more:hand-over-shift")
        if desk.browser.asks_pin:
            await desk.comes(CHIEF)

    run(evening())
    assert desk.pins == pins
    assert [act for act, _values in table.asked] == ["hand-over-shift"]


def test_whoever_signs_out_is_told_so(table: Staffed) -> None:
    desk = Desk(table, held("in-play", hold(1, "jam")))

    async def evening() -> None:
        await desk.press("act:take-charge")
        await desk.comes(CHIEF)
        await desk.press("ui:sign-out", str(DEALER))
        assert desk.browser.said == ""
        await desk.press("ui:sign-out", str(CHIEF))

    run(evening())
    assert desk.browser.said == f"{CHIEF} is signed out at this screen."
    assert desk.browser.names_here == ()


@pytest.mark.parametrize(
    ("session", "told"), [("in-play", ", and deals at the table until relieved."), ("closed", ".")]
)
def test_a_dealer_who_signs_out_deals_on_at_an_open_table(table: Staffed, session: str, told: str) -> None:
    desk = Desk(table, status("closed", "open-session", who=("dealer",)))

    async def evening() -> None:
        await desk.press("act:open-session")
        await desk.comes(DEALER)
        desk.status = status(session)
        await desk.press("ui:sign-out", str(DEALER))

    run(evening())
    assert desk.browser.said == f"{DEALER} is signed out at this screen{told}"


def test_an_act_that_ends_its_right_has_its_answer_all_the_same(tmp_path: Path) -> None:
    """The controller reports the end of the sign-in's purpose before the answer: the panel still takes the answer."""
    browser, over, left = Browser(Language.EN), asyncio.Event(), asyncio.Event()

    async def controller(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = json.loads(await reader.readline())["id"]
        writer.write(b'{"signed_out": "over", "text": ""}\n')
        await over.wait()
        writer.write(json.dumps({"id": number, "ok": True}).encode() + b"\n")
        await reader.read()
        writer.close()
        left.set()

    async def evening() -> Answer:
        server = await asyncio.start_unix_server(controller, tmp_path / "control.sock")
        wire = await Wire.open(tmp_path / "control.sock")
        browser.sign_in(Right(CHIEF, "", "chief_supervisor", "H1", wire))
        asked = asyncio.create_task(wire.ask(5.0, do="act"))
        async with asyncio.timeout(HANGS_S):
            while browser.rights:
                await asyncio.sleep(0)
        over.set()
        answer = await asked
        await asyncio.wait_for(left.wait(), HANGS_S)
        server.close()
        await server.wait_closed()
        return answer

    assert run(evening()).ok
