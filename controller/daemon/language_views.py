"""The views of the table, one for each language: its sentences, its status, its list of acts, and its subscribers."""

from collections import deque
from collections.abc import Sequence
from typing import Final

from msgspec import Struct, field

from controller.catalogue import Language
from controller.catalogue.words import notice_text, variants_of
from controller.config.notice_clauses import cited
from controller.core.engine.decision import Notice, Permitted
from controller.core.house.state import State
from controller.daemon.server import Client
from controller.daemon.speaker import Speaker
from controller.protocol.lines import ActDocument
from controller.protocol.status import NoticeStatus, Status
from controller.runtime.agreed import agreed_by
from controller.runtime.answers import Trouble
from controller.runtime.kernel import Runtime
from controller.screen.status import StatusMaker
from controller.screen.surroundings import Surroundings
from controller.screen.table_view import TableView

NOTICES_SHOWN: Final = 20


def is_open(notice: Notice, state: State) -> bool:
    """True unless the notice asks for a second person and the request that it is about has ended."""
    act = dict(notice.values).get("act") if notice.key == "second-person-asked" else None
    return act is None or act in {one.act for one in state.house.waiting}


class LanguageView(Struct):
    """The view of the table in one language. `told`: the status last sent to its subscribers; None without subscribers.
    `acts`: the documents of acts made so far, for the state `acts_of` and the trouble `acts_trouble`. `permitted`: the
    core's answer for every act in that state.
    """

    speaker: Speaker
    status: StatusMaker
    told: Status | None = None
    subscribers: list[Client] = field(default_factory=list)
    permitted: tuple[Permitted, ...] = ()
    acts: dict[str, ActDocument] = field(default_factory=dict)
    acts_of: State | None = None
    acts_trouble: Trouble | None = None


class LanguageViews:
    """The views of the table by language. Each view is made at its first use. `language`: the table's own language."""

    def __init__(self, runtime: Runtime, language: Language, around: Surroundings) -> None:
        self._runtime = runtime
        self._language = language
        self._around = around
        self._table = TableView(runtime)
        self._views: dict[Language, LanguageView] = {}
        self._notices: deque[tuple[int, Notice]] = deque(maxlen=NOTICES_SHOWN)
        self._notice_id = 0

    def of(self, language: str = "") -> LanguageView:
        """Returns the view in `language`. If the catalogue lacks `language`, returns the view in the table's own."""
        return self._view(next((one for one in Language if one.value == language), self._language))

    def every(self) -> list[LanguageView]:
        return list(self._views.values())

    def clear(self) -> None:
        self._views.clear()

    def keep(self, notices: Sequence[Notice]) -> None:
        """Adds notices to the status in every language. The status shows the last NOTICES_SHOWN."""
        profile = self._runtime.ledger.latest.setup.profile
        for notice in notices:
            self._notice_id += 1
            self._notices.append((self._notice_id, cited(profile, notice)))

    def status(self, view: LanguageView, now_s: float) -> Status:
        language = view.speaker.language
        state = self._runtime.ledger.durable
        open_now = [(number, notice) for number, notice in self._notices if is_open(notice, state)]
        notices = [
            NoticeStatus(number, notice_text(notice, language), agreed_by(notice)) for number, notice in open_now
        ]
        return view.status.status(now_s, notices)

    def acts(self, view: LanguageView, name: str = "", *, allowed: bool = False) -> list[ActDocument]:
        """Returns the document of each act, or only of the act `name`. With `allowed`, leaves out refused acts.

        One document needs up to some hundred questions to the core. So a document is made on request, and kept until
        the durable state or the trouble changes.
        """
        durable, trouble = self._runtime.ledger.durable, self._runtime.trouble()
        if view.acts_of is not durable or view.acts_trouble is not trouble:
            view.acts_of, view.acts_trouble = durable, trouble
            view.permitted, view.acts = self._runtime.permitted(), {}
        asked = [one for one in view.permitted if name in {"", one.act}]
        if allowed:
            asked = [one for one in asked if one.refusal is None and trouble is None]
        made = view.speaker.acts(durable, [one for one in asked if one.act not in view.acts], trouble)
        view.acts.update((one.act, one) for one in made)
        return [view.acts[one.act] for one in asked]

    def _view(self, language: Language) -> LanguageView:
        if language not in self._views:
            variants = variants_of(self._runtime.ledger.latest.setup.procedure)
            speaker = Speaker(self._runtime.game, language, variants)
            maker = StatusMaker(self._runtime, language, self._around, self._table)
            self._views[language] = LanguageView(speaker, maker)
        return self._views[language]
