"""Plays the people at a table's screen through a session, by taps."""

from dataclasses import dataclass, field
from typing import NamedTuple

from controller.cli.client import Client
from controller.cli.render import decode_status
from tests.panel.screen import SCREENS_AT_THE_TABLE, Screen
from tests.panel.tables import Evening

DEALER, CHIEF = 12, 22


class Effort(NamedTuple):
    """The taps and PINs that a task takes."""

    taps: int
    pins: int


MOST_OF_A_JAM = Effort(6, 2)
"""The most taps and PINs that a jam takes. The second PIN is for the jam's end, which the supervisor sees himself."""

MOST_TAPS_OF_A_ROUND = 4


@dataclass
class Player:
    """Dealer and chief supervisor at one screen. `jams`: the effort of each jam, from the alert until play goes on."""

    screen: Screen
    evening: Evening
    jams: list[Effort] = field(default_factory=list)

    def open_table(self) -> None:
        """Opens the session at a closed table, up to the mixed cards."""
        screen = self.screen
        screen.sees("CLOSED")
        screen.tap("open-session")
        screen.sign_in(DEALER)
        screen.signed_in()
        screen.sees("NUMBER DECKS")
        screen.tap("d-deck_set-1")
        self._chief_says("do")
        screen.tap("confirm-display")
        screen.sees("MIX CARDS")
        screen.tap("confirm-mixing", hold_s=1.2)
        screen.sees("READY TO LOAD")

    def load(self) -> None:
        """Loads packets until the table is open and the burn card is drawn; the chief supervisor attests each."""
        self._chief_says("begin-watched")
        while (counts := self._packet())["outside"]:
            self._chief_says("next-packet")
        assert counts["inside"] > 0
        self._chief_says("last-packet")
        self.screen.sees("BETS")

    def _packet(self) -> dict[str, int]:
        """Waits until the page counts the cards of the open packet, and returns the table's counts."""
        known = len(self.evening.turns(CHIEF))
        self.evening.turn_of(CHIEF, "close-packet", known)
        with Client(self.evening.socket) as client:
            counts = decode_status(client.ask("status").status or {}).counts
        self.screen.page.locator(f'progress[value="{counts["inside"]}"]').wait_for()
        return counts

    def press(self, name: str) -> None:
        """Taps the button `name` as soon as the page has it; solves a hold that comes first."""
        screen = self.screen
        either = screen.page.locator(f"#b-{name}, .held #b-take-charge")
        either.first.wait_for()
        while screen.offers("take-charge"):
            self._solve()
            either.first.wait_for()
        screen.page.locator(f"#b-{name}").wait_for()
        if name == "turn-hole-card":
            screen.picture("playing")
        screen.tap(name)

    def _solve(self) -> None:
        """Solves a jam, from the alert until play goes on. The taps count for `jams`, not for the round."""
        screen = self.screen
        taps, pins = screen.taps, screen.pins
        screen.picture("jam")
        screen.tap("take-charge")
        self._chief_signs_in()
        screen.page.locator("#b-jammed-rack").wait_for()
        for size in (*SCREENS_AT_THE_TABLE[::-1], SCREENS_AT_THE_TABLE[1]):
            screen.is_of(size)
            what = ".step-now" if size[2] == "7in" else ".steps li"
            assert (size, screen.hides(what, "#middle")) == (size, [])
        screen.tap(f"jammed-{self._where_the_card_is()}")
        self._chief_says("play-on")
        self.jams.append(Effort(screen.taps - taps, screen.pins - pins))
        screen.taps = taps

    def _chief_says(self, name: str) -> None:
        self.screen.tap(name)
        self._chief_signs_in()

    def _chief_signs_in(self) -> None:
        """Signs the chief supervisor in by PIN; also by number where no present person holds the post."""
        self.screen.page.locator(f"#p-{CHIEF}, #pad:not([hidden])").first.wait_for()
        if self.screen.offers(f"p-{CHIEF}"):
            self.screen.tap(f"p-{CHIEF}")
        self.screen.sign_in(CHIEF)
        self.screen.signed_in()

    def read_the_evening(self) -> None:
        """Reads as an inspector: the story of the last round, then an evening's figures, at the view for them."""
        screen = self.screen
        screen.page.goto(self.evening.url + "record")
        screen.tap("r-story")
        screen.page.locator(f"#record .told li, #p-{CHIEF}").first.wait_for()
        if screen.offers(f"p-{CHIEF}"):  # the chief's look at the decks is over by now
            self._chief_signs_in()
        screen.page.locator("#record .told li").first.wait_for()
        screen.picture("story")
        screen.tap("r-summary")
        screen.page.locator("#record .summary").wait_for()

    def read_chinese(self) -> None:
        """Reads the table's page in Chinese; a character without a glyph makes the page report an error."""
        screen = self.screen
        screen.page.goto(self.evening.url)
        screen.tap("more")
        screen.tap("lang-zh-Hant")
        screen.sees("投注")
        screen.picture("chinese")

    def _where_the_card_is(self) -> str:
        """The place of the card that was freed from a jam, from the demo's words to the chief supervisor."""
        return self.evening.turn_of(CHIEF, r"state-cards-moved .*\btarget=(\w+).*")[1]

    def play_round(self) -> int:
        """Plays one round without further cards, until the next bets can be taken. Returns the number of taps."""
        self.screen.taps = 0
        bets = "same-seats" if self.screen.offers("same-seats") else "no-more-bets"
        for name in (bets, "turn-hole-card", "settled-collected", "begin-putting-back"):
            self.press(name)
        self.screen.page.locator("#b-same-seats").wait_for()
        return self.screen.taps
