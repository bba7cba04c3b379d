"""The cards of each round of an export, by FORMAT.md, "Which card lies where": imports nothing of the project.

python cards_by_text.py EXPORT
"""

import json
import sys
from pathlib import Path
from typing import Any

CHANGES = frozenset(
    (
        *("move-card", "report-misdealt", "report-extra-card", "report-face-up-card", "report-hole-exposed"),
        *("retract-card", "rename-card", "make-ruling", "replace-card", "replace-deck", "correct-entry"),
        *("add-entry", "state-count", "state-whole-count", "state-cards-moved", "attend-hold", "confirm-outage"),
        *("cards-may-have-passed", "report-warning-card", "confirm-irregular-closing"),
    )
)
"""The kinds after which the text says: see these entries."""
ENDS_HAND = frozenset(("surrender", "take-even-money", "claim-five-cards"))
POINTS = {"A": 1, "K": 10, "Q": 10, "J": 10, **{str(number): number for number in range(2, 11)}}
BANK = 0


def points(faces: list[str]) -> int:
    low = sum(POINTS[face[:-1]] for face in faces)
    return low + 10 if low <= 11 and any(face[0] == "A" for face in faces) else low


class Cards:
    """The cards of the entries taken so far. `cards`: of the last round, each with seat, hand and face."""

    def __init__(self) -> None:
        self.setup: dict[str, Any] = {}
        self.session = self.round = self.filled_at = self.burns = self.burned = 0
        self.is_open = False
        self.odd = self.carried = ""  # why the round, and the one behind it, is left out
        self.bets: dict[int, set[int]] = {}
        self.hands: dict[int, list[int]] = {}  # of each seat, in the order of play
        self.cards: list[dict[str, Any]] = []
        self.over, self.doubled, self.split = (set[tuple[int, int]]() for _ in range(3))
        self.asked: tuple[int, int] | None = None
        self.counted, self.read = 0, list[Any]()

    def take(self, entry: dict[str, Any]) -> None:
        if entry["refusal"] is not None:
            return
        kind, body = entry["kind"], entry["body"]
        if kind in CHANGES and (self.is_open or self.bets):
            self.odd = self.odd or kind
            self.carried = kind if kind == "report-extra-card" else self.carried
        if (taken := getattr(self, "on_" + kind.replace("-", "_"), None)) is not None:
            taken(body)
        elif kind in ENDS_HAND:
            self.over.add(_hand(body))

    # cards out of machine, shoe or box

    def on_controller_started(self, body: dict[str, Any]) -> None:
        self.odd = "controller-started" if self.is_open else ""
        self.setup = body["setup"]

    def on_card_counted_out(self, _body: dict[str, Any]) -> None:
        self.counted += 1
        self._pair()

    def on_card_read(self, body: dict[str, Any]) -> None:
        self.read.append(body["card"])
        self.counted += self.setup["procedure"]["machine"] != "shuffler"
        self._pair()

    def on_timer_fired(self, body: dict[str, Any]) -> None:
        if body["timer"] == "join":
            self.odd, self.counted, self.read = self.odd or "timer-fired", 0, []

    def on_confirm_card_dealt(self, _body: dict[str, Any]) -> None:
        self.odd = "confirm-card-dealt" if self.setup["has_reader"] else self.odd
        self.comes(None)

    def _pair(self) -> None:
        if self.counted and not self.setup["has_reader"]:
            self.counted, self.read = self.counted - 1, [None]
        elif self.counted and self.read:
            self.counted -= 1
        else:
            return
        self.comes(self.read.pop(0))

    def comes(self, face: str | None) -> None:
        if self.burns:
            self.burns -= 1
        elif self.is_open and self._is_burnt():
            self.burned += 1
        elif self.is_open and (place := self._place()) is not None:
            down = self._is_down(place[0])
            self.cards.append({"seat": place[0], "hand": place[1], "face": face, "lies": True, "down": down})
            self.asked = None
        elif self.is_open:
            self.odd = self.odd or "a card that was not owed"

    def _is_burnt(self) -> bool:
        each = self.setup["procedure"]["burn_each_round"]
        if each == "none" or self.round <= self.filled_at + 1:
            return False
        second = each == "start-and-second" and self._place() == (BANK, 1) and len(self.of(BANK, 1)) == 1
        return self.burned == 0 or (self.burned == 1 and second)

    def _deal(self) -> list[int]:
        hole = [BANK] if self.setup["procedure"]["bank_second_card"] == "hole" else []
        return [*sorted(self.bets), BANK, *sorted(self.bets), *hole]

    def _is_down(self, seat: int) -> bool:
        dealt, deal = len(self.cards), self._deal()
        is_hole = seat == BANK and dealt == len(deal) - 1 > len(self.bets)
        is_players = seat != BANK and self.setup["procedure"]["player_cards"] == "down"
        return is_hole or (is_players and dealt < len(deal))

    def _place(self) -> tuple[int, int] | None:
        deal = self._deal()
        if len(self.cards) < len(deal):
            return deal[len(self.cards)], 1
        if self.asked is not None or self.setup["delivery"] == "ejects" or self.setup["hand_rules"] is None:
            return self.asked
        return self._in_turn()

    def _in_turn(self) -> tuple[int, int] | None:
        places = ((seat, hand) for seat in sorted(self.hands) for hand in self.hands[seat])
        turn = next((place for place in places if not self._is_over(*place)), (BANK, 1))
        return None if None in self.of(*turn) else turn

    def of(self, seat: int, hand: int) -> list[Any]:
        return [one["face"] for one in self.cards if (one["seat"], one["hand"]) == (seat, hand)]

    def _is_over(self, seat: int, hand: int) -> bool:
        place, faces, rules = (seat, hand), self.of(seat, hand), self.setup["hand_rules"]["figures"]
        if place in self.over or len(faces) < 2 or None in faces:
            return place in self.over
        if place in self.split and faces[0][0] == "A" and len(faces) > rules["split_ace_cards"]:
            most = rules["split_hands"] or len(self.hands[seat]) + 1
            again = rules["split_aces_again"] and len(self.hands[seat]) < most
            return not (again and len(faces) == 2 and faces[1][0] == "A")
        is_blackjack = len(faces) == 2 and (place not in self.split or rules["split_21_is_blackjack"])
        most = 22 if rules["draws_at_21"] and not is_blackjack else 21
        return points(faces) >= most or (place in self.doubled and len(faces) >= 2 + rules["double_cards"])

    # acts of people

    def on_open_session(self, _body: dict[str, Any]) -> None:
        self.session, self.round, self.filled_at = self.session + 1, 0, 0

    def on_complete_loading(self, _body: dict[str, Any]) -> None:
        setup = self.setup
        self.burns = setup["decks"] if setup["procedure"]["burn_each_deck"] else setup["parameters"]["burn_cards"]
        self.burned = 0

    def on_fill_shoe(self, body: dict[str, Any]) -> None:
        self.filled_at = self.round
        self.on_complete_loading(body)

    def on_take_bets(self, body: dict[str, Any]) -> None:
        self.bets = {**(self.bets if self.is_open else {}), **{seat: {seat} for seat in body["seats"]}}

    def on_place_bet(self, body: dict[str, Any]) -> None:
        self.bets.setdefault(body["seat"], set()).add(body["bettor"] or body["seat"])

    def on_withdraw_bet(self, body: dict[str, Any]) -> None:
        self.bets[body["seat"]].discard(body["bettor"] or body["seat"])
        self.bets = {seat: left for seat, left in self.bets.items() if left}

    def on_cancel_bets(self, _body: dict[str, Any]) -> None:
        self.bets = {}

    def on_announce_no_more_bets(self, _body: dict[str, Any]) -> None:
        self.round, self.is_open, self.burned, self.asked = self.round + 1, True, 0, None
        self.odd, self.carried = self.odd or self.carried, ""
        self.cards, self.hands = [], {seat: [1] for seat in self.bets}
        self.counted, self.read = 0, []
        self.over, self.doubled, self.split = set(), set(), set()

    def on_draw_card(self, body: dict[str, Any]) -> None:
        self.asked = _hand(body)

    def on_double_down(self, body: dict[str, Any]) -> None:
        self.asked = _hand(body)
        self.doubled.add(_hand(body))

    def on_stand(self, body: dict[str, Any]) -> None:
        self.over.add(_hand(body))

    def on_split_pair(self, body: dict[str, Any]) -> None:
        place = _hand(body)
        hands = self.hands[place[0]]
        new = max(hands) + 1
        hands.insert(hands.index(place[1]) + 1, new)
        [one for one in self.cards if (one["seat"], one["hand"]) == place][1]["hand"] = new
        self.split |= {place, (place[0], new)}

    def on_turn_hole_card(self, body: dict[str, Any]) -> None:
        self.on_turn_card({**body, "seat": BANK, "position": 2})

    def on_turn_card(self, body: dict[str, Any]) -> None:
        if body["seal_differs"] or (body["salt"] is None and self.setup["has_reader"]):
            self.odd = "a card turned without its seal"
        self.on_state_card(body)

    def on_state_card(self, body: dict[str, Any]) -> None:
        lying = [one for one in self.cards if one["seat"] == body["seat"] and one["lies"]]
        if len(lying) < body["position"]:
            self.odd = self.odd or "a card that is not there"
            return
        lying[body["position"] - 1]["face"] = body["card"]

    def on_name_card(self, body: dict[str, Any]) -> None:
        unread = [one for one in self.cards if one["face"] is None and not one["down"]]
        if unread:
            unread[0 if self.setup["has_reader"] else -1]["face"] = body["card"]

    def on_collect_hand(self, body: dict[str, Any]) -> None:
        for hand in self.hands[body["seat"]] if body["hand"] is None else [body["hand"]]:
            faces = self.of(body["seat"], hand)
            is_bust = None not in faces and points(faces) > 21
            if body["hand"] or len(self.hands[body["seat"]]) == 1 or is_bust or (body["seat"], hand) in self.over:
                self.over.add((body["seat"], hand))
                for one in self.cards:
                    one["lies"] &= (one["seat"], one["hand"]) != (body["seat"], hand)

    def on_collect_cards(self, _body: dict[str, Any]) -> None:
        self.is_open, self.bets, self.odd = False, {}, ""


def _hand(body: dict[str, Any]) -> tuple[int, int]:
    return body["seat"], (1 if body["seat"] == BANK else body.get("hand") or 1)


def told(read: Cards, end: str) -> str:
    """The line of the last round. A card is SEAT/HAND:FACE, the bank is seat 0, and `?` is an unseen face."""
    lying = " ".join(f"{one['seat']}/{one['hand']}:{one['face'] or '?'}" for one in read.cards)
    return f"session {read.session} round {read.round}{end}: {read.odd and 'see ' + read.odd + ' '}{lying or 'no card'}"


def main() -> None:
    read = Cards()
    for line in Path(sys.argv[1]).read_text("utf-8").splitlines():
        entry = json.loads(line).get("entry")
        if not isinstance(entry, dict):
            continue
        if entry["kind"] == "collect-cards" and entry["refusal"] is None:
            print(told(read, ""))
        read.take(entry)
    if read.is_open:
        print(told(read, ", not ended"))


if __name__ == "__main__":
    main()
