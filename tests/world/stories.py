"""A story for each kind of fault, in which the table meets it.

`sabot-sim world --rounds 2 --faults KIND --seeds SEED:SEED+1 --explain` prints a story. A row has words that the story
must contain after the fault, in this order: the reactions of controller, people and journal. A change of people or
protocol changes every story; `make golden` then searches a new seed and stores it in its file.
"""

from dataclasses import dataclass

from controller.config.model import Tracks
from simulators.world.card_game import run_world
from simulators.world.fault_kinds import FaultKind as K
from simulators.world.plan import WorldPlan
from simulators.world.result import End, Result
from simulators.world.story import Storyteller
from simulators.world.world import make_world

ROUNDS = 2
MOST_SEEDS = 50


@dataclass(frozen=True)
class Story:
    kind: K
    words: tuple[str, ...]  # each in one line, in order, after the fault
    others: frozenset[K] = frozenset()  # kinds without which this one has no effect
    end: End = End.CLOSED
    profile: str = "pt-csm"
    rounds: int = ROUNDS
    tracks: Tracks = Tracks.CARDS


def _hold(kind: str, *meanwhile: str) -> tuple[str, ...]:
    return (f"kind={kind} phase=raised", *meanwhile, f"hold-ended id=1 kind={kind}")


JAM = _hold("jam", "shuffler-jammed", "hands: open-lid", "hands: free-jam", "jam-path-cleared", "asks: clear-hold")
LID = ("lid-opened", "hands: close-lid", "lid-closed", "asks: confirm-hold", "hold-ended id=1 kind=lid")
LOST = ("device-lost", "device-connected", "asks: clear-hold", "kind=device-lost")
RESTARTS = ("controller        starts", "journal           #", "controller-started", "device-connected")
UNREAD = _hold("unread-card", "asks: name-card")
JOURNAL = ("journal-failed", "kind=journal-fault phase=raised", "journal-restored", "hold-ended id=1")
REFUSED = ("controller        refuses",)
RULED = ("asks: call-for-ruling cause=", "kind=ruling phase=raised", "asks: make-ruling", "kind=ruling")
LINE = ("has seen on the",)

STORIES = (
    Story(K.JAM_AT_FEED, JAM),
    Story(K.JAM_IN_CAROUSEL, JAM),
    Story(K.JAM_AT_MOUTH, JAM),
    Story(K.RETRIED_FEED, ("card-retried place=feed",)),
    Story(K.RETRIED_DEAL, ("card-retried place=mouth",)),
    Story(K.DOUBLE_FEED_IN, ("kind=count phase=raised", "asks: state-count", "kind=count")),
    Story(K.DOUBLE_FEED_OUT, ("kind=unexpected-card phase=raised", "hands: tidy-aside", "hold-ended")),
    Story(K.MISCOUNT_IN, ("kind=count phase=raised", "asks: ", "hold-ended")),
    Story(K.MISCOUNT_OUT, ("phase=raised", "asks: attend-hold", "hold-ended")),
    Story(K.LID_SPRUNG, LID),
    Story(K.MISREAD, UNREAD),
    Story(K.WRONG_READ, ("card-read", "asks: enter-grid", "asks: confirm-deck-check")),
    Story(K.UNSEEN_PASSAGE, UNREAD),
    Story(K.READER_ERROR, ("reader-error", "kind=unread-card phase=raised", "asks: name-card")),
    Story(K.PHANTOM_READ, ("kind=unexpected-card phase=raised", "asks: ", "hold-ended")),
    Story(K.CARD_SHOWN, ("kind=unexpected-card phase=raised", "asks: rename-card", "hold-ended"), tracks=Tracks.HANDS),
    Story(
        K.DISOBEYS,
        (
            "command-undone device=shoe times=1",
            "command-undone device=shoe times=2",
            "kind=device-lost phase=raised",
            "command-undone device=shoe times=0",
        ),
        profile="pt-shoe",
    ),
    Story(K.DISPLAY_STUCK, ("display-faulted code=2",)),
    Story(K.DISPLAY_FAULT, ("display-faulted code=",)),
    Story(K.SLOT_BROKEN, ("slots-changed", "slots-changed"), rounds=4, tracks=Tracks.HANDS),
    Story(K.SLOT_LIES, ("slots-changed", "slots-changed"), rounds=4, tracks=Tracks.HANDS),
    Story(
        K.SLOT_FLICKERS, ("slots-changed", "slots-changed", "asks: collect-jackpot-bets"), rounds=4, tracks=Tracks.HANDS
    ),
    Story(K.REBOOTED, LOST),
    Story(K.REBOOTED_WITHOUT_COUNTS, LOST),
    Story(K.REBOOTED_WITH_LOWER_COUNTS, ("device-connected", "kind=count phase=raised", "kind=count")),
    Story(K.NUMBERS_CHANGED, ("kind=count phase=raised", "asks: state-count", "kind=count")),
    Story(
        K.COUNTS_BACK_IN_HOLD,
        ("kind=count phase=raised", "asks: state-count", "kind=count"),
        frozenset((K.JAM_AT_MOUTH, K.LID_OPENED)),
    ),
    Story(K.BOOT_NUMBER_AGAIN, ("device-refused device=shuffler expected=a boot number not used", "device-connected")),
    Story(K.FLOODED, ("events-missed", "kind=count phase=raised", "hold-ended")),
    Story(K.HUNG, ("device-lost", "reason=silent", "device-connected")),
    Story(K.ANSWERS_LATE, LINE),
    Story(K.BUFFER_FILLED, ("more entries of cards in and out", "events-awaited", "confirm-deck-check")),
    Story(K.OTHER_SERIAL, ("device-refused", "expected=", "device-connected", "hold-ended")),
    Story(K.OTHER_VERSION, ("device-refused", "device-connected")),
    Story(K.LINK_LOSS, LINE),
    Story(K.LINK_DUPLICATION, LINE),
    Story(K.LINK_CORRUPTION, ("rejected",)),
    Story(K.LINK_DELAY, LINE),
    Story(K.LINK_CUT, LOST),
    Story(K.LINK_STALL, LINE),
    Story(K.EVENTS_WITHHELD, ("events-awaited", "kind=count phase=raised", "kind=count")),
    Story(K.EVENTS_DENIED, ("events-missed", "kind=count phase=raised", "kind=count")),
    Story(K.OLD_FRAMES, ("rejected",)),
    Story(K.LINK_NOISE, ("rejected",)),
    Story(K.CABLE_PULLED, LOST),
    Story(K.DISK_FULL, JOURNAL),
    Story(K.DISK_SLOW, ("#", "confirm-deck-check")),
    Story(K.SYNC_FAILED, JOURNAL),
    Story(K.SYNC_LOST_DATA, JOURNAL),
    Story(K.TORN_WRITE, ("controller        starts", "findings=torn")),
    Story(K.BIT_FLIP, ("journal-damaged", "kind=journal-fault phase=raised"), end=End.HELD_DAMAGED),
    Story(K.COPY_SLOW, ("#", "confirm-deck-check")),
    Story(K.COPY_HANGS, ("#", "confirm-deck-check")),
    Story(K.COPY_FULL, ("second-copy-failed reason=full", "second-copy-restored", "confirm-deck-check")),
    Story(K.COPY_TORN, RESTARTS),
    Story(
        K.DAMAGE_CLOSED,
        ("journal-damaged", "kind=journal-fault", "findings=damage-sealed", "hold-ended", "confirm-deck-check"),
    ),
    Story(K.POWER_CUT, RESTARTS),
    Story(K.POWER_CUT_OF_ALL, (*RESTARTS, "kind=device-lost phase=raised", "hold-ended")),
    Story(K.PROCESS_KILLED, RESTARTS),
    Story(K.KILLED_TWICE, ("controller        starts", "controller        dies", "controller        starts")),
    Story(K.WALL_CLOCK_JUMPED, ("wall clock", "table time")),
    Story(K.PERSON_SLOW, ("hands: ", "confirm-deck-check")),
    Story(K.PERSON_AWAY, ("kind=supervisor-absent phase=raised", "timer=presence", "asks: sign-in", "hold-ended")),
    Story(K.WRONG_KEY, REFUSED),
    Story(K.WRONG_HOLD, REFUSED, frozenset((K.LID_OPENED,))),
    Story(K.FORGOTTEN_STEP, REFUSED),
    Story(K.PRESSED_TWICE, REFUSED),
    Story(K.WRONG_PIN, ("pin-refused", "pin-wrong")),
    Story(K.LID_OPENED, LID),
    Story(K.CARD_SLIPPED_IN, ("foreign", "asks: propose-irregular-closing")),
    Story(K.CARD_TAKEN_OUT, ("phase=raised", "asks: propose-irregular-closing")),
    Story(
        K.CARD_FED_EARLY,
        (
            "hands: feed-too-early cards=",
            *("kind=count phase=raised", "card-counted-in", "hands: open-lid", "hands: take-out-inside"),
            *("lid-closed", "asks: state-cards-moved", "hold-ended id=1 kind=count"),
            *("asks: begin-loading", "asks: confirm-deck-check"),
        ),
    ),
    Story(K.WRONG_SEAT, ("controller        refuses move-card", *RULED)),
    Story(K.MISDEALT_SEEN, ("asks: report-misdealt seen=yes", "hands: take-off-table cards=1")),
    Story(K.MISDEALT_UNSEEN, ("asks: report-misdealt seen=no", "hands: set-aside", "hands: give-aside")),
    Story(K.EXTRA_CARD, ("asks: report-extra-card", "hands: take-off-table cards=1")),
    Story(K.HOLE_EXPOSED, ("asks: report-hole-exposed", "hands: take-off-table cards=1", "purpose=hole")),
    Story(K.FACE_UP_CARD, ("asks: report-face-up-card", "hands: take-off-table cards=1")),
    Story(
        K.SEVERAL_DAMAGED,
        ("hands: swap-deck", "asks: replace-deck", "asks: record-authorisation", "asks: replace-card"),
        profile="pt-shoe",
        rounds=4,
    ),
    Story(K.FAILED_IN_ROUND, (*RULED, "hands: bring-spare", "serial=SPARE-", "kind=device-lost")),
    Story(
        K.FAILED_AND_DAMAGED,
        (
            "asks: report-damaged-card",
            "asks: make-ruling outcome=spare-device-cards-replaced",
            "hands: bring-spare",
            "serial=SPARE-",
        ),
    ),
    Story(K.WRONG_HAND_COLLECTED, ("asks: collect-hand", "hands: collect-hand", *RULED)),
    Story(K.BACK_FORGOTTEN, ("refuses enter-grid: grid_is_of_one_back", "asks: enter-grid", "back=2")),
    Story(K.DISPUTED, RULED),
    Story(K.DEALER_RELIEVED, ("dealer            asks: sign-in operation=table", "confirm-deck-check")),
    Story(K.COUNTED_WRONGLY, ("refuses confirm-count: decks_are_whole", "asks: confirm-mixing"), profile="br"),
    Story(K.SHUFFLE_FORGOTTEN, ("refuses shuffle-deck: passes_are_enough", "asks: shuffle-deck"), profile="br"),
    Story(K.CUT_OUT_OF_TURN, ("refuses confirm-cut: cut_goes_in_turn", "asks: fill-shoe"), profile="pt-shoe"),
    Story(K.WARNING_CARD_MISPLACED, ("asks: report-warning-card", "asks: gather-cards"), profile="mo-shoe", rounds=8),
    Story(K.WARNING_CARD_OVERLOOKED, ("asks: report-warning-card", "asks: announce-"), profile="mo-shoe", rounds=12),
    Story(
        K.LAST_ROUND_UNTOLD,
        ("refuses draw-card: last_round_is_announced", "asks: announce-last-round"),
        profile="mo-shoe",
        rounds=12,
    ),
    Story(K.FILLED_SHORT, ("asks: fill-shoe", "hands: lay-behind", "asks: confirm-deck-check"), profile="mo-shoe"),
    Story(
        K.GATHERED_SHORT,
        ("asks: gather-cards", "hands: order-decks", "asks: fill-shoe"),
        profile="pt-shoe",
        rounds=12,
    ),
    Story(K.BURN_DEALT, ("hands: take-off-table cards=1", "asks: take-bets"), profile="mo-shoe"),
    Story(K.CARD_NOT_SAID, ("hands: pull-card", "confirm-card-dealt", "confirm-card-dealt"), profile="mo-box"),
    Story(K.CARD_SAID_TWICE, ("asks: confirm-card-dealt", "asks: retract-card"), profile="mo-box"),
    Story(K.CARD_MISNAMED, ("asks: turn-", "asks: rename-card", "asks: confirm-settled"), profile="mo-box"),
    Story(
        K.COUNT_MISSTATED,
        ("asks: state-whole-count", "asks: state-whole-count", "hold-ended id=1 kind=count"),
        frozenset((K.PROCESS_KILLED,)),
        profile="mo-box",
        rounds=8,
    ),
    Story(
        K.MISTYPED,
        ("asks: correct-entry entry=", "asks: correct-entry entry=", "hands: forget-entry", "confirm-deck-check"),
        tracks=Tracks.HANDS,
        rounds=4,
    ),
)


def plan_of(story: Story, seed: int) -> WorldPlan:
    return WorldPlan(
        seed, story.rounds, frozenset({story.kind}) | story.others, profile=story.profile, tracks=story.tracks
    )


def told(story: Story, seed: int) -> tuple[Result, list[str]]:
    lines: list[str] = []
    return run_world(plan_of(story, seed), lambda world: Storyteller(world, lines.append).watch()), lines


def is_met(story: Story, lines: list[str]) -> bool:
    """True where the story names the fault, and then has the row's texts in order."""
    rest = iter(lines)
    is_named = any("FAULT" in line and f" {story.kind.value}" in line for line in rest)
    return is_named and all(any(words in line for line in rest) for words in story.words)


def stands(story: Story, result: Result, lines: list[str]) -> bool:
    """True where this world ended as its row says, and the table met the fault."""
    return result.end is story.end and is_met(story, lines)


def seeds(story: Story) -> list[int]:
    """Returns all seeds to try, those of small tables first, whose stories take a third of the time."""
    return sorted(range(1, 1 + MOST_SEEDS), key=lambda seed: make_world(plan_of(story, seed)).deck_size)


def first_met(story: Story, *tried_first: int) -> int:
    """Returns the first seed in whose world the table meets the fault.

    Raises AssertionError where an earlier world breaks a rule, or no world meets the fault.
    """
    for seed in (*tried_first, *seeds(story)):
        result, lines = told(story, seed)
        assert result.violations == (), "\n".join(lines)
        if stands(story, result, lines):
            return seed
    raise AssertionError(f"{story.kind.value} is not met in {MOST_SEEDS} seeds")


def command(story: Story, seed: int) -> str:
    """The command that prints the story for people."""
    faults = ",".join(sorted({story.kind.value} | story.others))
    tracks = "" if story.tracks is Tracks.CARDS else f"--tracks {story.tracks.value} "
    at = tracks + ("" if story.profile == "pt-csm" else f"--profile {story.profile} ")
    return f"sabot-sim world {at}--seeds {seed}:{seed + 1} --rounds {story.rounds} --faults {faults} --explain"
