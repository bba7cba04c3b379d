"""The banner of a page: a headline that is legible from two metres, a sentence below it, and a tone for its urgency."""

from enum import StrEnum, unique
from typing import Final

from msgspec import Struct

from controller.catalogue import Language, has_key, sentence
from controller.panel.loading import is_without_supervisor
from controller.panel.moment import Moment
from controller.protocol.amount import units
from controller.protocol.status import HoldStatus, Status


@unique
class Tone(StrEnum):
    CALM = "calm"
    RAISED = "held raised"  # no person has taken charge
    HELD = "held"
    ATTENDED = "attended"
    LOST = "lost"


class Banner(Struct, frozen=True, gc=False):
    """The banner of one page. `colour`: the colour of the winning number, if the headline is a number. `room`: the
    longest sentence that may replace `why` under the same headline, whose space the page reserves; "" for none.
    """

    headline: str
    why: str
    tone: Tone
    colour: str = ""
    room: str = ""


HEADLINE: Final = "panel.headline"


def banner(moment: Moment, language: Language) -> Banner:
    """Returns the banner for `moment`. Raises UnknownKey for a state that has no headline in the catalogue."""
    status = moment.status
    if not moment.is_live and moment.is_practice:
        return Banner(_say(f"{HEADLINE}.practice-over", language), _say("panel.why.practice-over", language), Tone.CALM)
    if not moment.is_live:
        return Banner(_say(f"{HEADLINE}.lost", language), _say("panel.why.lost", language), Tone.LOST)
    hold = moment.hold
    if hold is not None:
        return Banner(_of_hold(hold, status, language), _why_held(hold, moment, language), _tone(hold))
    if status.differences:
        why = " · ".join(one.text for one in status.differences)
        return Banner(_say(f"{HEADLINE}.differences", language), why, Tone.CALM)
    key, values = _of_table(moment)
    headline = _say(f"{HEADLINE}.{key}", language, **values)
    colour = values.get("colour", "")
    why, room = _why(key, moment, language, values), _room(key, language)
    return Banner(headline.upper() if colour else headline, why, Tone.CALM, colour, room)


def _why_held(hold: HoldStatus, moment: Moment, language: Language) -> str:
    """Returns the hold's sentence. A jackpot's prize that may be paid has a sentence of its own."""
    jackpot = moment.status.jackpot
    prize = jackpot.next_prize if jackpot is not None else None
    if hold.kind == "jackpot-owed" and prize is not None:
        return _say("panel.why.prize-due", language, seat=str(prize.seat), amount=units(prize.cents))
    return _say("panel.why.cleared", language) if hold.phase == "cleared" else hold.text


def _tone(hold: HoldStatus) -> Tone:
    if hold.phase in {"attended", "cleared"}:
        return Tone.ATTENDED
    return Tone.RAISED if hold.phase == "raised" else Tone.HELD


def _of_hold(hold: HoldStatus, status: Status, language: Language) -> str:
    key = f"{HEADLINE}.hold.{hold.kind}"
    special = f"{key}-{hold.place_code or ('of' if hold.device else '')}"
    values = {"table": status.table, "device": hold.device or ""}
    return _say(special if has_key(special) else key, language, **values).upper()


def _of_table(moment: Moment) -> tuple[str, dict[str, str]]:
    """Returns the headline's key and the values of its sentence, for a table without a hold."""
    status = moment.status
    if status.session != "in-play":
        packet = str(len(status.loading.packets) + (0 if status.loading.packet_open else 1))
        return f"session.{status.session}{_loading(moment)}{_before(moment)}", {"packet": packet, **_figures(moment)}
    if (wheel := status.wheel) is not None and wheel.result is not None:
        return "number", {"number": str(wheel.result), "colour": wheel.colour}
    if moment.is_decided_by_people:
        offered = "offered" if status.owed is not None else "hand"
        return ("turn.bank", {}) if moment.turn == "bank" else (f"turn.{offered}", _hand(moment.told(moment.turn)))
    if status.owed is not None:
        where = {None: "burn", 0: "bank"}.get(status.owed.seat, "seat")
        kind = "first" if status.round == "dealing" else "draw"
        values = {"seat": str(status.owed.seat), "amount": _rise(moment)}
        return f"owed.{where}-{kind}" if where != "burn" else "owed.burn", values
    if status.round == "putting-back":
        done, due = status.putting_back.done, status.putting_back.due
        return "round.putting-back", {"done": str(done), "due": str(due)}
    return _of_round(moment), {}


def _hand(told: str) -> dict[str, str]:
    seat, _, index = told.partition("/")
    return {"hand": told, "seat": seat, "index": index}


def _rise(moment: Moment) -> str:
    """Returns the amount by which the round's chips raise the jackpot's sign, as the controller writes amounts."""
    return units(moment.status.jackpot.increment_cents if moment.status.jackpot is not None else 0)


def _figures(moment: Moment) -> dict[str, str]:
    """Returns the numbers that the sentences about loading and about the deck check contain, by name."""
    packets = str(moment.status.figures.packets)
    return {"outside": str(moment.count("outside")), "packets": packets, "left": str(moment.not_entered)}


def _loading(moment: Moment) -> str:
    """Returns the suffix of the headline's key while cards are loaded or unloaded.

    "-all" if every card has been moved, "-open" if a packet is open, else "".
    """
    if moment.status.session != "loading":
        return "-all" if moment.status.session == "unloading" and not moment.count("inside") else ""
    return "-all" if not moment.count("outside") else "-open" if moment.status.loading.packet_open else ""


def _before(moment: Moment) -> str:
    """Returns the suffix of the headline's key before the loading.

    "-unnumbered" until the deck set has its number, "-cut" if a person may confirm the cut of the mixed cards, else "".
    """
    if moment.status.session == "opened":
        return "" if moment.status.figures.deck_set else "-unnumbered"
    return "-cut" if moment.status.session == "mixed" and moment.may("confirm-cut") else ""


def _of_round(moment: Moment) -> str:
    if moment.status.round == "playing" and moment.turn:
        return "turn.pay" if moment.is_to_settle else "turn.show" if moment.is_to_show else "turn.bank"
    if moment.may_lay:
        return "turn.bets"
    if moment.may("collect-jackpot-bets"):
        return "turn.collect"
    return "round.bank" if moment.is_banks_turn else f"round.{moment.status.round}"


def _more(key: str, moment: Moment) -> str:
    """Returns the ending for a special case of the key of the banner's sentence. Returns "" in the usual case."""
    match key:
        case "turn.bets" if moment.status.money is not None and moment.status.money.side_bets and moment.seat:
            return "-beside"
        case "turn.bets":
            return "-again" if any(moment.kept.values()) else ""
        case "turn.hand" | "turn.offered" if _insures(moment):
            return "-insure"
        case "turn.hand":
            return "-of-pair" if "/" in moment.told(moment.turn) else ""
        case "session.opened":
            return "-numbered"
        case "session.mixed":
            return _watched(moment)
        case "session.loading-all" if moment.status.loading.packet_open:
            return "-open"
        case "owed.seat-first":
            return _sign(moment)
        case "round.settled":
            return _void(moment)
        case _:
            return "-open" if moment.not_entered else ""


def _watched(moment: Moment) -> str:
    """Returns "-unwatched" while a supervisor must still come to watch the loading, "-watched" once it may begin, else
    "".
    """
    if is_without_supervisor(moment):
        return "-unwatched"
    return "-watched" if moment.is_present("loading") and moment.may("begin-loading") else ""


def _sign(moment: Moment) -> str:
    """Returns "-sign" if the dealer has to raise the jackpot's sign, "-sign-follows" if a device raises it; else ""."""
    if not moment.is_sign_to_be_raised:
        return ""
    return "-sign-follows" if "jackpot_display" in moment.status.devices else "-sign"


def _void(moment: Moment) -> str:
    """Returns "-void" if the round is void, "-void-chips" if the jackpot may have chips to be given back; else ""."""
    if moment.status.money is None or moment.amounts:
        return ""
    return "-void" if moment.status.jackpot is None else "-void-chips"


def _insures(moment: Moment) -> bool:
    """True if players may take insurance: the dealer offers it to every seat before the first decision."""
    return moment.status.money is not None and any(one.act == "insure" for one in moment.status.money.decisions)


def _room(key: str, language: Language) -> str:
    """Returns the longest sentence that the banner may show while bets are open (key "turn.bets"). Returns "" for any
    other key.

    The page reserves space for it, so that the chips below stay in place when the sentence changes.
    """
    if key != "turn.bets":
        return ""
    return max((_say(f"panel.why.{key}{more}", language) for more in ("", "-again", "-beside")), key=len)


def _why(key: str, moment: Moment, language: Language, values: dict[str, str]) -> str:
    own = f"panel.why.{key}{_more(key, moment)}"
    # the panel's sentences are about cards: a wheel shows its status text, except for a number not yet announced
    is_ours = moment.status.wheel is None or (key == "number" and moment.status.round == "no-more-bets")
    why = _say(own, language, **values) if has_key(own) and is_ours else moment.status.state
    is_by_hand = key.startswith("owed.") and moment.may("call-for-count")  # no device tells that a card is stuck
    return f"{why} {_say('panel.why.owed.stuck', language)}" if is_by_hand else why


def _say(key: str, language: Language, **values: str) -> str:
    return sentence(key, values, language)
