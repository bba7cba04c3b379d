"""What people do at the screen through an evening, each by its taps."""

from tests.panel.screen import Screen

DEALER, CHIEF = 12, 22

QUIET_LOOKS = 12
MOST_TAPS_OF_A_JAM = 6
MOST_TAPS_OF_A_ROUND = 5


def open_table(screen: Screen) -> None:
    """From the closed table to the cards mixed."""
    screen.sees("CLOSED")
    screen.tap("open-session")
    screen.sign_in(DEALER)
    screen.signed_in()
    screen.sees("SHOW CARDS")
    screen.tap("number-deck-set")
    screen.tap(f"p-{CHIEF}")
    screen.sign_in(CHIEF)
    screen.tap("do")
    screen.tap("confirm-display")
    screen.sees("MIX CARDS")
    screen.tap("confirm-mixing", hold_s=1.2)
    screen.sees("PREPARE")


def load(screen: Screen) -> None:
    """Packet by packet, until the table is open and the burn card is drawn."""
    screen.tap("watch-loading")
    screen.tap("begin-loading")
    for _packet in range(20):
        before = inside(screen)
        screen.tap("open-packet")
        screen.page.locator("#b-close-packet, #b-last-packet").wait_for()
        _all_in(screen, before)
        if screen.offers("last-packet"):
            break
        screen.tap("close-packet")
    screen.tap("last-packet")
    screen.sees("BETS")


def inside(screen: Screen) -> int:
    """How many cards are in the machine, as the screen says during the loading."""
    return int(screen.page.locator("progress").get_attribute("value") or 0)


def _all_in(screen: Screen, before: int) -> None:
    """Returns once cards have gone in and none has followed for a moment."""
    seen, quiet = before, 0
    while seen == before or quiet < QUIET_LOOKS:
        screen.page.wait_for_timeout(100)
        now = inside(screen)
        seen, quiet = now, quiet + 1 if now == seen else 0


def press(screen: Screen, name: str) -> None:
    """Taps this as soon as it can be; what holds the table until then is solved first, by taps that do not count."""
    either = screen.page.locator(f"#b-{name}, .held #b-take-charge")
    either.first.wait_for()
    while screen.offers("take-charge"):
        taps = screen.taps
        solve(screen)
        screen.taps = taps
        either.first.wait_for()
    screen.page.locator(f"#b-{name}").wait_for()
    if name == "turn-hole-card":
        screen.picture("playing")
    screen.tap(name)


def solve(screen: Screen) -> int:
    """From the alert to play; the taps that it took."""
    before = screen.taps
    screen.picture("jam")
    screen.tap("take-charge")
    if screen.page.locator(f"#p-{CHIEF}").or_(screen.page.locator("#pad:not([hidden])")).first.is_visible():
        if screen.offers(f"p-{CHIEF}"):
            screen.tap(f"p-{CHIEF}")
        screen.sign_in(CHIEF)
        screen.signed_in()
    while not screen.offers("play-on"):
        said = dict(word.split("=") for word in screen.evening.your_turn(CHIEF).split() if "=" in word)
        if screen.offers(name := f"jammed-{said.get('target')}"):
            screen.tap(name)
        screen.page.wait_for_timeout(100)
    screen.tap("play-on")
    return screen.taps - before


def play_round(screen: Screen) -> int:
    """One round without further cards; the taps that it took."""
    screen.taps = 0
    for name in ("no-more-bets", "turn-hole-card", "settled-collected", "begin-putting-back", "end-putting-back"):
        press(screen, name)
    return screen.taps
