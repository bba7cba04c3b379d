"""Every act of a table, under one name; each stands in the file of its subject, with its row.

Their names (`sabot act NAME`), who may do what, and when, stand in the rows.
"""

from controller.core.custody.agreement import AgreeCorrections as AgreeCorrections
from controller.core.custody.closing import *
from controller.core.custody.complaints import *
from controller.core.custody.corrections import *
from controller.core.custody.counting import *
from controller.core.custody.damage import *
from controller.core.custody.deck_check import *
from controller.core.custody.drawing import *
from controller.core.custody.mixing import *
from controller.core.custody.opening import *
from controller.core.custody.outage import *
from controller.core.custody.putting_back import *
from controller.core.custody.rulings import *
from controller.core.custody.shoe import *
from controller.core.custody.turning import *
from controller.core.engine.act import Act as Act
from controller.core.engine.act import value_names as value_names
from controller.core.games.blackjack.amounts import DecideAmount as DecideAmount
from controller.core.games.blackjack.bets.place import PlaceBet as PlaceBet
from controller.core.games.blackjack.bets.place import WithdrawBet as WithdrawBet
from controller.core.games.blackjack.bets.seats import CancelBets as CancelBets
from controller.core.games.blackjack.bets.seats import TakeBets as TakeBets
from controller.core.games.blackjack.bets.side import PlaceSideBet as PlaceSideBet
from controller.core.games.blackjack.bets.side import TakeSideBetDown as TakeSideBetDown
from controller.core.games.blackjack.deal import AnnounceNoMoreBets as AnnounceNoMoreBets
from controller.core.games.blackjack.decisions.doubling import DoubleDown as DoubleDown
from controller.core.games.blackjack.decisions.even_money import TakeEvenMoney as TakeEvenMoney
from controller.core.games.blackjack.decisions.five_cards import ClaimFiveCards as ClaimFiveCards
from controller.core.games.blackjack.decisions.insurance import Insure as Insure
from controller.core.games.blackjack.decisions.splitting import SplitPair as SplitPair
from controller.core.games.blackjack.decisions.surrender import Surrender as Surrender
from controller.core.games.blackjack.decisions.turns import DrawCard as DrawCard
from controller.core.games.blackjack.decisions.turns import Stand as Stand
from controller.core.games.blackjack.jackpot.bets import CollectJackpotBets as CollectJackpotBets
from controller.core.games.blackjack.jackpot.bets import PlaceJackpotBet as PlaceJackpotBet
from controller.core.games.blackjack.jackpot.bets import RaiseJackpot as RaiseJackpot
from controller.core.games.blackjack.jackpot.bets import WithdrawJackpotBet as WithdrawJackpotBet
from controller.core.games.blackjack.jackpot.prizes import PayJackpot as PayJackpot
from controller.core.games.blackjack.jackpot.prizes import PayJackpotByHand as PayJackpotByHand
from controller.core.games.blackjack.jackpot.slots import ChooseJackpotMarking as ChooseJackpotMarking
from controller.core.games.blackjack.settlement import CollectHand as CollectHand
from controller.core.games.blackjack.settlement import ConfirmSettled as ConfirmSettled
from controller.core.games.blackjack.side_bets import SideBet as SideBet
from controller.core.house.attendance import *
from controller.core.house.duties import *
from controller.core.house.hold_acts import *
from controller.core.house.jackpot_acts import *
from controller.core.house.jackpot_moving_guards import *
from controller.core.house.plain_session import IndicateClosing as IndicateClosing
from controller.core.house.plain_session import OpenSession as OpenSession
from controller.core.house.sign import StateSign as StateSign
