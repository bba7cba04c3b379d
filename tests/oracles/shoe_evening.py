"""Evenings at a shoe or a box, with a reader in it or without any device: the steps that Evening has not."""

from typing import Any

from tests.oracles.evening import CHIEF, DEALER, INSPECTOR, SALT, Evening

WARNING = {"what": "cut-card", "told": None}


class ShoeEvening(Evening):
    """One deck. `passages`: what the shoe has counted in all."""

    passages = 0

    @property
    def has_reader(self) -> bool:
        return bool(self.setup["has_reader"])

    # ---- the shoe

    def connect(self, shuffler: str = "", shoe: str = "R1") -> "ShoeEvening":
        if self.has_reader:
            body = {
                "model": "m",
                "firmware": "1",
                "simulated": True,
                "device": "shoe",
                "serial": shoe,
                "shuffler": None,
            }
            body |= {"boot": self.boots["shoe"], "passages": self.passages, "keeps_events": True}
            self.add("device-connected", body)
        return self

    def read(self, card: str | None = None, commitment: str | None = None) -> "ShoeEvening":
        self.passages += 1
        body = {"passage": self.passages, "card": card, "commitment": commitment, "told": None}
        return self.event("shoe", "card-read", body)

    def draw(self, card: str) -> "ShoeEvening":
        return self.read(self.another(card)) if self.has_reader else self.stated()

    def draw_down(self, card: str) -> "ShoeEvening":
        return self.read(commitment=self.sealed(card)) if self.has_reader else self.stated()

    def stated(self) -> "ShoeEvening":
        """No device counts: the dealer says that the card lies where it is owed."""
        return self.act("confirm-card-dealt", DEALER)

    def warning_card(self) -> "ShoeEvening":
        return self.event("shoe", "reader-noted", WARNING)

    # ---- opening

    def mixed(self, deck_set: int = 1) -> "ShoeEvening":
        self.act("open-session", DEALER).act("number-deck-set", CHIEF, deck_set=deck_set)
        match self.setup["procedure"]["opening_check"]:
            case "display":
                self.act("confirm-display", DEALER)
            case "count":
                self.act("confirm-count", DEALER, counted=[52])
        if self.setup["procedure"]["shuffle_each_deck"]:
            self.act("shuffle-deck", DEALER, deck=1, passes=3)
        return self.act("confirm-mixing", DEALER)

    def players(self, *seats: int) -> "ShoeEvening":
        return self.act("state-players", DEALER, seats=list(seats))

    def cut(self, seat: int = 0) -> "ShoeEvening":
        return self.act("confirm-cut", DEALER if seat else self.cuts_for_them, seat=seat)

    @property
    def cuts_for_them(self) -> str:
        return DEALER if self.setup["procedure"]["cut_fallback"] == "bank" else INSPECTOR

    def marked(self, behind: int | None = 20) -> "ShoeEvening":
        return self.act("place-warning-card", DEALER, behind=behind)

    @property
    def has_warning_card(self) -> bool:
        return bool(self.setup["procedure"]["warning_card_from_decks"] == 1)

    def filled(self) -> "ShoeEvening":
        if self.has_warning_card:
            self.marked()
        return self.act("fill-shoe", DEALER)

    def burnt(self) -> "ShoeEvening":
        setup: dict[str, Any] = self.setup
        due = setup["decks"] if setup["procedure"]["burn_each_deck"] else setup["parameters"]["burn_cards"]
        for _ in range(due):
            self.draw_down("2C")
        return self

    def in_play(self) -> "ShoeEvening":
        return self.begin().mixed().players().cut().filled().burnt()

    def places(self, **stated: int) -> dict[str, int]:
        return dict.fromkeys(("inside", "rack", "table", "burnt", "in_hand", "outside"), 0) | stated

    # ---- rounds

    def shown(self, seat: int, position: int, card: str = "KH") -> "ShoeEvening":
        """A player's card that lay face down."""
        where = {"seat": seat, "position": position}
        face = self.lay_hidden(card, 0)
        return self.act("turn-card", DEALER, **where, card=face, salt=SALT.hex(), seal_differs=False)

    def voided(self) -> "ShoeEvening":
        self.act("call-for-ruling", DEALER, cause="dispute").act("make-ruling", CHIEF, outcome="round-void")
        return self.act("collect-cards", DEALER)

    def closed_after_a_count(self) -> "ShoeEvening":
        """A round that is void before its first card; then the cards are counted, as somebody asked."""
        self.voided().act("call-for-count", DEALER).attend(2)
        self.act("state-whole-count", CHIEF, inside=51, rack=0, table=0, burnt=1, in_hand=0, outside=0).clear(
            2
        ).confirm(2)
        return self.closed()

    def ended(self) -> "ShoeEvening":
        return self.act("confirm-settled", DEALER).act("collect-cards", DEALER)

    def last_round(self) -> "ShoeEvening":
        return self.warning_card().act("announce-last-round", DEALER)

    def emptied(self) -> "ShoeEvening":
        self.act("indicate-closing", DEALER).act("begin-unloading", DEALER)
        return self.act("complete-unloading", DEALER)

    def closed(self) -> "ShoeEvening":
        self.emptied().act("enter-grid", DEALER, counts=[1] * 52, foreign=0)
        return self.act("confirm-deck-check", DEALER)
