"""Pictures (states) of the panel's page that follow each other without a touch, from whole tables in virtual time.

In a simulated world facts come between the acts of people. A chain begins with the picture after a touch, and goes on
with each picture that facts alone have caused.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from functools import cache

from controller.catalogue import Language
from controller.config.model import Tracks
from controller.core.house.permitted import permitted_act
from controller.core.house.state import State
from controller.daemon.speaker import Speaker
from controller.panel.browsers import Browser, View
from controller.panel.gone import shown_of
from controller.panel.moment import Moment, Place
from controller.panel.offer import Offer
from controller.panel.offers import offers, pressable
from controller.panel.stakes import stakes_of
from controller.panel.watch import Seen
from controller.protocol.lines import ActDocument
from controller.protocol.status import HandStatus, Status
from controller.runtime.game import AnyGame
from controller.screen.status import StatusMaker
from simulators.wheel.world import make_wheel_world
from simulators.world.fault_kinds import FaultKind
from simulators.world.plan import WorldPlan
from simulators.world.play import run_to_end
from simulators.world.playable import Playable
from simulators.world.world import make_world
from tests.night import IS_NIGHT
from tests.panel.test_pages import PAGES

SEEDS, ROUNDS = (range(1, 13), 6) if IS_NIGHT else (range(1, 2), 3)
TABLES = (
    ("pt-csm", Tracks.CARDS),
    ("pt-csm", Tracks.HANDS),
    ("mo-shoe", Tracks.HANDS),
    ("pt-shoe", Tracks.HANDS),
    ("mo-box", Tracks.CARDS),
    ("br", Tracks.HANDS),
    ("pt-roulette", Tracks.BETS),
)


@dataclass(frozen=True)
class Pressable:
    """A button whose press records an entry. `is_held`: it must be held down, and a mere touch does nothing."""

    name: str
    act: str
    shown: str
    is_held: bool


@dataclass(frozen=True)
class Picture:
    """One state of a page. `buttons`: those that record something. `moment`: the first moment with this picture.

    Two pictures are equal by `buttons` and `shape`.
    """

    buttons: tuple[Pressable, ...]
    shape: tuple[object, ...]
    moment: Moment = field(compare=False)

    @property
    def page(self) -> str:
        return page_of(self.moment, Browser(Language.EN))


@dataclass(frozen=True)
class Form:
    """An act's form as it opens, in each language, and the moment at which the act was first possible."""

    moment: Moment
    acts: Mapping[Language, ActDocument]


@dataclass(frozen=True)
class Looked:
    """The found pictures, the chains of more than one picture, and the forms by table and act."""

    pictures: AbstractSet[Picture]
    chains: AbstractSet[tuple[Picture, ...]]
    forms: Mapping[tuple[str, str], Form]
    chinese: Sequence[Moment]
    """The moments of the pictures at Macau's tables, with the status in Chinese."""


class Undigested(StatusMaker):
    """Makes a status without the digest, which no screen shows and which costs as much as the rest."""

    def _digest_now(self, _state: State) -> str:
        return ""


@dataclass
class Onlooker:
    """Collects pictures, chains and forms of one world's panel, as a signed-in dealer would see them."""

    world: Playable
    chains: set[tuple[Picture, ...]] = field(default_factory=set)
    pictures: set[Picture] = field(default_factory=set)
    forms: dict[str, Form] = field(default_factory=dict)
    chinese: list[Moment] = field(default_factory=list)
    _chain: list[Picture] = field(default_factory=list)
    _asked: int = 0
    _known: set[str] = field(default_factory=set)
    _last: dict[Place, int] = field(default_factory=dict)
    _bets: tuple[int, ...] = ()
    _seen: object = None

    def __post_init__(self) -> None:
        changed, crew = self.world.host.on_change, self.world.crew

        def look() -> None:
            changed()
            self._look()

        self.world.host.on_change = look
        crew.on_deed = lambda _person, deed: self._touched(1) if hasattr(deed, "words") else None
        crew.on_answer = lambda *_: self._touched(-1)

    def _touched(self, by: int) -> None:
        self._keep()
        self._asked = max(0, self._asked + by)
        self._chain = []

    def _keep(self) -> None:
        if len(self._chain) > 1:
            self.chains.add(tuple(self._chain))

    def _look(self) -> None:
        run = self.world.host.run
        if run is None or self._asked or run.runtime.ledger.durable is self._seen:
            return
        self._seen = run.runtime.ledger.durable
        status = Undigested(run.runtime, Language.EN).status(self.world.clock.now_s, [])
        hands = run.runtime.game.screen().hands(run.runtime.ledger.durable)
        picture = picture_of(self._moment(status, hands))
        if picture not in self.pictures and status.profile.startswith("mo-"):
            said = Undigested(run.runtime, Language.ZH).status(self.world.clock.now_s, [])
            self.chinese.append(replace(picture.moment, status=said))
        self.pictures.add(picture)
        self._opens_forms(run.runtime.game, run.runtime.ledger.durable, picture.moment)
        if not self._chain or self._chain[-1] != picture:
            self._chain.append(picture)

    def _opens_forms(self, game: AnyGame, state: State, moment: Moment) -> None:
        """Records the form of each act that has become possible for the first time and asks for values."""
        for name in {one.act for one in moment.status.next} - self._known:
            self._known.add(name)
            may = (permitted_act(game.registry, state, game.registry.act_named[name].act),)
            documents = {one: Speaker(game, one).acts(state, may, None)[0] for one in Language}
            if documents[Language.EN].values:
                self.forms[name] = Form(moment, documents)

    def _moment(self, status: Status, hands: Sequence[HandStatus]) -> Moment:
        self._bets = tuple(status.seats) or self._bets
        self._last = stakes_of(status.money) or self._last
        is_open = status.round in {"idle", "betting"}
        stakes = stakes_of(status.money) if status.round == "betting" else {}
        touched = {seat for seat, _bettor in stakes}
        return Moment(
            status,
            True,
            tuple(status.seats) or self._bets,
            frozenset({"dealer", "chief_supervisor"}),
            faces=tuple(hands) if status.hands else (),
            stakes=stakes,
            kept={place: cents for place, cents in self._last.items() if place[0] not in touched} if is_open else {},
            are_bets_kept=is_open and not status.seats and bool(self._bets),
        )


def picture_of(moment: Moment) -> Picture:
    found = tuple(_pressable(one) for one in pressable(moment) if one.steps)
    status = moment.status
    names = tuple(one.name for one in offers(moment))
    shape = (status.session, status.round, moment.is_stopped, names, moment.choices)
    return Picture(found, shape, moment)


def page_of(moment: Moment, browser: Browser, view: View = View.TABLE) -> str:
    """The page that `browser` gets of `view`, with the clock set to `moment`."""
    seen = Seen(1, moment.status, is_live=True, lost_at=NOW, heard_at=NOW)
    return PAGES.main(view, browser, seen, moment, NOW)


NOW = 1_800_000_000.0


def _pressable(offer: Offer) -> Pressable:
    return Pressable(offer.name, offer.act or offer.name, shown_of(offer), offer.hold_ms > 0)


@cache
def looked_at(seeds: range, rounds: int) -> Looked:
    """Plays tables of every kind with every possible fault, and returns their pictures, chains and forms."""
    pictures: set[Picture] = set()
    chains: set[tuple[Picture, ...]] = set()
    forms: dict[tuple[str, str], Form] = {}
    chinese: list[Moment] = []
    for profile, tracks in TABLES:
        for seed in seeds:
            plan = WorldPlan(seed, rounds, frozenset(FaultKind), profile=profile, tracks=tracks, decks=1)
            world = make_wheel_world(plan) if profile == "pt-roulette" else make_world(plan)
            onlooker = Onlooker(world)
            run_to_end(world)
            pictures |= onlooker.pictures
            chains |= onlooker.chains
            forms |= {(profile, act): form for act, form in onlooker.forms.items()}
            chinese += onlooker.chinese
    return Looked(pictures, chains, forms, chinese)
