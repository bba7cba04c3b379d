"""`sabot journal summary` counts entries as people have corrected them."""

from pathlib import Path

from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.correcting import CorrectHandEntry
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.record.session_summary import summary_of_session
from controller.record.shown import entries_shown
from tests.runtime.bench import CHIEF, DEALER, Bench
from tests.runtime.shown import written


def test_a_round_that_was_settled_too_early_is_one_round(tmp_path: Path) -> None:
    bench = Bench()
    bench.play()
    bench.deal((1,))
    for act in (TurnHoleCard, ConfirmSettled):
        bench.act(act, DEALER)
    settled = bench.latest.log.correctable()[-1].number
    for person in (DEALER, CHIEF):
        bench.act(CorrectHandEntry, person, entry=settled)
    bench.act(ConfirmSettled, DEALER)
    evening = summary_of_session(entries_shown(Path(written(bench.storage, tmp_path / "journal"))))
    assert evening.rounds == 1
