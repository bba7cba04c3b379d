"""Rounds of blackjack in a process of its own: ENGINE SEATS ROUNDS; prints rounds a second of processor time.

`sabot` and `1andDone` play basic strategy with any two cards doubled, no surrender and no insurance, from six decks;
`sabot-below-16` and `jackblack` draw below 16 and have no other decision. A checkout of 1andDone/blackjack, which is in
no package registry, is named by SABOT_BENCH_1ANDDONE.
"""

import os
import random
import sys
from collections.abc import Callable
from time import process_time

DECKS = 6
BEHIND = 50  # cards that are not dealt
SEED = 1

BELOW_16 = """
      2 3 4 5 6 7 8 9 T A
 4-15 h h h h h h h h h h
 16-21 s s s s s s s s s s
"""
NO_PAIRS = """
      2 3 4 5 6 7 8 9 T A
 1-10 - - - - - - - - - -
"""


def sabot(seats: int, rounds: int, *, below_16: bool = False) -> Callable[[], int]:
    from controller.config.profile_file import law
    from controller.core.hand_rules import BetLimits
    from controller.core.words import Cents
    from tests.money.odds.loop import Players
    from tests.money.odds.shoes import DealtShoe
    from tests.money.odds.strategy import SOFT_DOUBLED, Strategy

    its = law("mo-shoe")
    rules = its.hand_rules(BetLimits(Cents(1_000), Cents(30_000), Cents(100)))
    strategy = Strategy(BELOW_16, BELOW_16, NO_PAIRS) if below_16 else Strategy(soft_text=SOFT_DOUBLED)
    shoe = DealtShoe(random.Random(SEED), DECKS, behind=BEHIND, burnt=1)  # noqa: S311 - the same rounds in each run
    players = Players(rules, strategy, shoe, its.procedure.bank_second_card, seats=seats)

    def play() -> int:
        return players.play(rounds).rounds // seats

    return play


def one_and_done(seats: int, rounds: int) -> Callable[[], int]:
    sys.path.insert(0, os.environ["SABOT_BENCH_1ANDDONE"])
    from blackjack.blackjack import Blackjack
    from blackjack.player import Player

    game = Blackjack(
        min_bet=10,
        max_bet=500,
        s17=True,
        blackjack_payout=1.5,
        max_hands=4,
        double_down=True,
        double_after_split=True,
        resplit_aces=False,
        insurance=False,
        late_surrender=False,
        dealer_shows_hole_card=False,
    )
    players = [Player(name=str(seat), bankroll=10**9, min_bet=10) for seat in range(seats)]
    for player in players:
        game.add_player(player=player)
    shoes = max(1, rounds * (1 + seats) * 27 // 10 // (52 * DECKS - BEHIND))

    def play() -> int:
        game.simulate(
            penetration=1 - BEHIND / (52 * DECKS),
            number_of_shoes=shoes,
            shoe_size=DECKS,
            seed=SEED,
            reset_bankroll=False,
            progress_bar=False,
        )
        return int(players[0].stats.summary(string=False)["TOTAL ROUNDS PLAYED"])

    return play


def jackblack(seats: int, rounds: int) -> Callable[[], int]:
    from jackblack.deck import Deck
    from jackblack.game import Simulation
    from jackblack.player import Player, Simple

    random.seed(SEED)
    players = [Player(str(seat), 10**9, Simple()) for seat in range(seats)]
    game = Simulation(players, Deck(shuffle=True, num_decks=DECKS))

    def play() -> int:
        game.run(n_times=rounds)
        return rounds

    return play


ENGINES = {
    "sabot": sabot,
    "sabot-below-16": lambda seats, rounds: sabot(seats, rounds, below_16=True),
    "1andDone": one_and_done,
    "jackblack": jackblack,
}


def main() -> None:
    name, seats, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    play = ENGINES[name](seats, rounds)
    begun = process_time()
    played = play()
    print(played / (process_time() - begun))


if __name__ == "__main__":
    main()
