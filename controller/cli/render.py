"""The status of a table in words: state, holds, next acts, and the people who may do them."""

from collections.abc import Mapping
from typing import Final

import msgspec

from controller.catalogue import Language, has_key, sentence
from controller.cli.commands import command
from controller.journal.noted_code import code_of
from controller.machine.support import here_today, over_since
from controller.protocol.amount import units
from controller.protocol.jackpot import FloorSays, JackpotStatus, LinkedHitStatus, LinkedStatus, export_said
from controller.protocol.status import NextStatus, OwedStatus, SessionStep, ShoeStatus, Status, StepState, StepStatus
from controller.protocol.wheel_status import WheelStatus


def decode_status(status: Mapping[str, msgspec.Raw]) -> Status:
    """Returns the status as a typed value. Raises msgspec.DecodeError if `status` has not the form of a status."""
    return msgspec.json.decode(msgspec.json.encode(status), type=Status)


def code_in(status: Status) -> str | None:
    """Returns the journal's code for the inspection's book. Returns None if the status names no chain value."""
    journal = status.journal
    return code_of(status.session_number, journal.seq, bytes.fromhex(journal.head)) if journal.head else None


def status_lines(status: Status, language: Language) -> list[str]:
    """Returns the lines of a status, the most urgent first, in the language that the status names. `language`: used if
    the status names none.
    """
    own = next((known for known in Language if known.value == status.language), language)
    page = Page(own)
    _head(page, status)
    _step(page, status)
    _holds(page, status)
    page.lines += [one.text for one in status.waiting]
    page.lines += [one.text for one in status.lapsed]
    page.lines += [one.text for one in status.differences]
    _next(page, status)
    _duties(page, status)
    _present(page, status)
    _counts(page, status)
    _devices(page, status)
    _journal(page, status)
    return page.lines


class Page:
    """Collects the lines of a status in one language."""

    def __init__(self, language: Language) -> None:
        self.lines: list[str] = []
        self.language = language

    def add(self, key: str, **values: str) -> None:
        self.lines.append(self.words(key, **values))

    def words(self, key: str, **values: str) -> str:
        return sentence(f"status.{key}", values, self.language)

    def blank(self) -> None:
        self.lines.append("")

    def next_act(self, entry: NextStatus) -> str:
        """Returns the line for an act that is possible now: the act's name and meaning, and who may do it."""
        key = f"act.{entry.act}.what"
        what = sentence(key, (), self.language) if has_key(key) else ""
        return self.words("next-act", act=entry.act.ljust(26), what=what, who=",".join(entry.who))

    def present(self, status: Status) -> str:
        """Returns the line that lists the people at the table."""
        people = ", ".join(
            self.words("person", person=str(one.person), role=one.role, operation=one.operation)
            for one in status.present
        )
        return self.words("present" if people else "nobody-present", people=people)

    def cards(self, status: Status) -> list[str]:
        """Returns the line with the number of cards in each place. Returns [] at a table without cards."""
        if status.counts is None:
            return []
        counts = status.counts
        places = {place: count for place, count in counts.items() if place != "total" and count}
        inside = f"inside-{status.machine}"
        cards = ", ".join(
            self.words("place", place=inside if place == "inside" else place, count=str(count))
            for place, count in places.items()
        )
        return [self.words("counts", cards=cards or "0", total=str(counts.get("total", 0)))]


def _head(page: Page, status: Status) -> None:
    if status.simulated:
        page.add("simulated")
    numbers = {"session": str(status.session_number), "round": str(status.round_number)}
    page.add("title", table=status.table, **numbers)
    if status.state:
        page.lines.append(status.state)


def _step(page: Page, status: Status) -> None:
    if status.holds or not status.state:
        page.add("step", session=status.session, round=status.round)
    if status.owed is not None and not status.holds:
        _owed(page, status.owed)
    if status.loading.packets and status.session == SessionStep.LOADING:
        feed = page.words("packet-open" if status.loading.packet_open else "packet-closed")
        page.add("packets", packets=", ".join(str(packet) for packet in status.loading.packets), feed=feed)
    if status.putting_back.due:
        page.add("putting-back", done=str(status.putting_back.done), due=str(status.putting_back.due))
    if status.shoe is not None:
        _shoe(page, status.session, status.shoe)
    if status.wheel is not None:
        _wheel(page, status.wheel)
    _pools(page, status)


def _pools(page: Page, status: Status) -> None:
    if status.jackpot is not None:
        _jackpot(page, status.jackpot)
    if status.linked is not None:
        _linked(page, status.linked)
    if status.jackpot_export is not None and status.session == SessionStep.CLOSED:
        for key, values in export_said(status.jackpot_export):
            page.add(key, **values)


def _shoe(page: Page, session: str, shoe: ShoeStatus) -> None:
    if shoe.decks_shuffled and session in {SessionStep.DISPLAYED, SessionStep.GATHERED}:
        page.add("decks-shuffled", decks=", ".join(map(str, shoe.decks_shuffled)))
    if shoe.players is not None and session == SessionStep.MIXED:
        seat = shoe.cut_offered_to
        page.add("cut-offered", seat=str(seat)) if seat is not None else page.add("cut-unwanted")
    if shoe.warning_card == "waiting" and session == SessionStep.CUT:
        page.add("warning-card-waits", behind=str(shoe.cards_behind))
    if shoe.warning_card == "out":
        page.add("last-round-told" if shoe.announced else "warning-card-out")
    elif shoe.last_round:
        page.add("few-cards-told" if shoe.announced else "few-cards-left")


def _wheel(page: Page, wheel: WheelStatus) -> None:
    if wheel.result is not None:
        page.add("wheel-result", number=str(wheel.result), colour=wheel.colour)
    if wheel.contested:
        page.add("wheel-contested")
    for prize in wheel.prizes:
        page.add("wheel-prize", player=str(prize.player), bet=prize.bet, amount=prize.amount, group=wheel.next_prizes)
    for one in wheel.players:
        page.add("wheel-player", player=str(one.player), colour=one.colour, value=one.value)
    for stake in wheel.stakes:
        page.add("wheel-stake", player=str(stake.player), bet=stake.bet, amount=stake.amount)


def _jackpot(page: Page, jackpot: JackpotStatus) -> None:
    page.add("jackpot", pool=units(jackpot.amount_cents), sign=jackpot.sign)
    if jackpot.slots != "none":
        seats = {"chips": jackpot.chips, "astray": jackpot.astray, "broken": jackpot.broken}
        listed = {name: ", ".join(map(str, found)) or "-" for name, found in seats.items()}
        page.add("jackpot-slots", slots=jackpot.slots, **listed)
    if jackpot.won:
        page.add("jackpot-pending", seats=", ".join(map(str, jackpot.won)))
    if (due := jackpot.next_prize) is not None:
        page.add("jackpot-next" if due.covered else "jackpot-short", seat=str(due.seat), amount=units(due.cents))


def _linked(page: Page, linked: LinkedStatus) -> None:
    amount = "-" if linked.cents is None else units(linked.cents)
    values = {"pool": linked.pool, "amount": amount, "age": str(linked.age_s)}
    match linked.floor:
        case FloorSays.NOTHING:
            page.add("linked-nothing", **values)
        case FloorSays.HEARD:
            page.add("linked-heard", **values)
        case FloorSays.AWAY:
            page.add("linked-away", **values)
    for hit in linked.hits:
        _linked_hit(page, hit)


def _linked_hit(page: Page, hit: LinkedHitStatus) -> None:
    seats = ", ".join(map(str, hit.seats))
    if hit.cents is None:
        page.add("linked-hit", seats=seats)
    elif hit.next_seat is None:
        page.add("linked-hit-unknown", entry=hit.entry, amount=units(hit.cents))
    else:
        next_seat = {"seat": str(hit.next_seat), "share": units(hit.next_cents)}
        page.add("linked-hit-known", seats=seats, amount=units(hit.cents), **next_seat)


def _owed(page: Page, owed: OwedStatus) -> None:
    if owed.seat is None:
        page.add("owed-burn")
    else:
        page.add("owed", seat=str(owed.seat))


def _holds(page: Page, status: Status) -> None:
    if not status.holds:
        page.add("not-held")
        return
    page.blank()
    page.add("held", count=str(len(status.holds)))
    for hold in status.holds:
        page.add("hold", id=hold.id, text=hold.text or hold.kind)
        if not hold.recorded:
            page.add("not-recorded")
        page.add("hold-where", place=hold.place or hold.device or "-")
        page.add("hold-who", who=",".join(hold.who))
        for number, step in enumerate(hold.plan, 1):
            _hold_step(page, number, step)


def _hold_step(page: Page, number: int, step: StepStatus) -> None:
    """Adds a hold's step and the people who do it. Adds the commands for the step if it is still to be done."""
    text = page.words("hold-step", mark=_MARKS[step.state], number=str(number), text=step.text, who=",".join(step.who))
    page.lines.append(text)
    if step.state in {StepState.NEXT, StepState.LATER}:
        page.lines += [f"            {command(act)}" for act in step.acts]
        page.lines += [f"            {sentence(f'cli.tool.{tool}', (), page.language)}" for tool in step.tools]


_MARKS: Final = {StepState.DONE: "+", StepState.NEXT: ">", StepState.LATER: " ", StepState.SKIPPED: "-"}


def _next(page: Page, status: Status) -> None:
    page.blank()
    page.add("next" if status.next else "nothing-next")
    page.lines += [page.next_act(entry) for entry in status.next]


def _duties(page: Page, status: Status) -> None:
    if status.duties:
        page.blank()
        page.add("duties")
    for duty in status.duties:
        page.add("duty", id=duty.id, text=duty.text or page.words("duty-kind", kind=duty.kind), who=duty.who)


def _present(page: Page, status: Status) -> None:
    page.blank()
    page.lines.append(page.present(status))
    if status.presented is not None:
        key = "presented-with-key" if status.presented.by == "badge-and-key" else "presented"
        page.add(key, person=str(status.presented.person), role=status.presented.role)


def _counts(page: Page, status: Status) -> None:
    page.lines += page.cards(status)


def _devices(page: Page, status: Status) -> None:
    for kind, device in status.devices.items():
        link = page.words("connected" if device.connected else "not-connected")
        page.add("device", device=kind, text=device.text or link)
        if device.proof_text:
            page.lines.append(f"      {device.proof_text}")
        if device.quality:
            page.lines.append(f"      {device.quality}")
    if status.power.undervoltage in ("now", "earlier"):
        page.add("power", text=status.power.text)


def _journal(page: Page, status: Status) -> None:
    lag_s = f"{status.journal.lag_ms / 1000:.1f}"
    page.add("journal-slow" if status.journal.slow else "journal", seq=str(status.journal.seq), lag_s=lag_s)
    if status.software:
        page.add("software", software=status.software)
    if month := over_since(here_today()):
        page.add("support-over", month=month)
    # the session number is ahead of the durable entries otherwise
    if not status.journal.waiting and (code := code_in(status)) is not None:
        page.add("journal-code", code=code)
    if (copy := status.journal.second_copy) is not None:
        values = {"behind": str(copy.behind), "lag_s": f"{copy.lag_ms / 1000:.1f}", "reason": copy.reason}
        page.add(f"second-copy-{copy.condition}", **values)
        if copy.same_medium and copy.condition != "failed":
            page.add("second-copy-same-medium")
