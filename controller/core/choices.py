"""The choices of a profile: one enumeration for each point on which the regulations differ."""

from enum import StrEnum, unique


@unique
class Machine(StrEnum):
    """The machine or box from which the cards are dealt."""

    SHUFFLER = "shuffler"
    SHOE = "shoe"
    BOX = "box"
    NONE = "none"  # no cards at all: a wheel


@unique
class Delivery(StrEnum):
    """The way in which the machine gives a further card. Used only at a table with `tracks = "hands"`."""

    EJECTS = "ejects"  # one card for each act that asks for it: the mouth is never open otherwise
    OFFERS = "offers"  # the next card is presented, and drawing it is the request of the hand in turn


@unique
class OpeningCheck(StrEnum):
    """The check of the cards before the mixing."""

    DISPLAY = "display"  # face up, in rows, by deck
    COUNT = "count"  # seals, the maker's order, 52 cards in each deck
    NONE = "none"


@unique
class Cut(StrEnum):
    """The players who are offered the cut, and their order."""

    NONE = "none"
    SEAT_ORDER = "seat-order"  # the lowest occupied seat first, then in order of the seats
    ANY_PLAYER = "any-player"


@unique
class CutFallback(StrEnum):
    """The person who cuts when no player does."""

    NONE = "none"
    TABLE_INSPECTOR = "table-inspector"  # and the next shoe begins at the lowest seat again
    BANK = "bank"
    DEALER_AND_INSPECTOR = "dealer-and-inspector"


@unique
class WarningCard(StrEnum):
    """The rule for the number of cards behind the warning card."""

    NONE = "none"
    COUNTED = "counted"  # as near to the number as possible
    COUNTED_OR_MORE = "counted-or-more"
    ONE_ROUND = "one-round"


@unique
class RoundBurn(StrEnum):
    """The times at which a card is burnt in each round after the first."""

    NONE = "none"
    START = "start"
    START_AND_SECOND = "start-and-second"  # also before the bank's second card


@unique
class BurnPlace(StrEnum):
    RACK = "rack"
    BURNT = "burnt"  # a separate place beside the table


@unique
class Faces(StrEnum):
    UP = "up"
    DOWN = "down"


@unique
class BankSecond(StrEnum):
    """The way in which the bank's second card is dealt."""

    HOLE = "hole"  # face down, with the players' second cards
    AFTER_PLAYERS = "after-players"  # face up, when no player wants another card


@unique
class Misdealt(StrEnum):
    """The procedure for a card that was dealt by mistake: people report the card (`report-misdealt`) or move it
    (`move-card`). The refusal of one of these acts names the other act as the remedy.
    """

    NEXT_WHO_ASKS = "next-who-asks"  # reported; laid aside for the next player who asks, else the bank's
    DISCARD = "discard"  # reported; annulled
    RECTIFY = "rectify"  # moved to the hand to which it belongs (`move-card`)
    INSPECTOR_DECIDES = "inspector-decides"  # a ruling is owed


@unique
class FaceUpCard(StrEnum):
    """The procedure for a card that lies face up in the machine."""

    DISCARD = "discard"  # to the used cards
    CONTAINER = "container"  # to the burnt cards beside the table
    VALID_IF_FIRST = "valid-if-first"  # the first of the game stays valid; any other goes to the burnt cards


@unique
class ExtraCard(StrEnum):
    """The procedure for a card that the bank should not have drawn."""

    DISCARD = "discard"  # to the used cards
    VALID_IF_UNSEEN = "valid-if-unseen"  # the next card to be drawn; to the used cards where a person has seen it
    INSPECTOR_DECIDES = "inspector-decides"  # a ruling is owed


@unique
class BetsClose(StrEnum):
    BEFORE_DEAL = "before-deal"
    OWN_FIRST_CARD = "own-first-card"


@unique
class LastRound(StrEnum):
    """The event that makes a round the last before the cards are mixed again."""

    NONE = "none"
    WARNING_CARD = "warning-card"
    EVERY_ROUND = "every-round"


@unique
class PutBack(StrEnum):
    NONE = "none"
    AFTER_EACH_ROUND = "after-each-round"


@unique
class Leftovers(StrEnum):
    """The procedure for cards of a round that cannot be put back."""

    NONE = "none"
    STAY_IN_RACK = "stay-in-rack"
    HOLD_NEXT_ROUND = "hold-next-round"


@unique
class ComplaintWindow(StrEnum):
    UNTIL_PUT_BACK = "until-put-back"
    UNTIL_MIXED = "until-mixed"
    INSPECTOR_DECIDES = "inspector-decides"


@unique
class DamagedCard(StrEnum):
    """The rule for the cards that are replaced when a card is damaged."""

    CARD = "card"
    DECK = "deck"  # the card alone where the inspection service authorises it
    WHEN_UNFIT = "when-unfit"  # all cards, once they are unfit for use
    INSPECTOR_DECIDES = "inspector-decides"


@unique
class Pair(StrEnum):
    """The rule for the two first cards that a player may split."""

    SAME_VALUE = "same-value"  # a king and a ten are a pair
    SAME_RANK = "same-rank"


@unique
class DoubleOn(StrEnum):
    """The totals of two cards, with an ace as 1, on which the stake may be doubled."""

    NINE_TO_ELEVEN = "nine-to-eleven"
    ANY_TWO = "any-two"
    ELEVEN = "eleven"  # only with the cards dealt, not after a split
    ELEVEN_ALSO_SPLIT = "eleven-also-split"


@unique
class EvenMoney(StrEnum):
    """The bank's open cards against which a blackjack may take even money."""

    NEVER = "never"
    ACE = "ace"
    ACE_OR_TEN = "ace-or-ten"


@unique
class Surrender(StrEnum):
    """The time until which a player may surrender a hand."""

    NEVER = "never"
    BEFORE_OWN_CARD = "before-own-card"
    BEFORE_ANY_CARD = "before-any-card"  # before any player has drawn in the round


@unique
class OthersBets(StrEnum):
    """The conditions for a bet on another player's place."""

    FREE = "free"
    CONSENT = "consent"  # only with the consent of the seated player


@unique
class SharedPlace(StrEnum):
    """The rule for the player who decides at a place with several bets."""

    HOLDER = "holder"  # the player at the place; without one the highest bet, of equal ones the lowest seat
    SEATED = "seated"  # the player at the place; without one the bet nearest to the bank
    SEATED_OF_FEW = "seated-of-few"  # like `seated`, with a limit on the bettors of a place
    HIGHEST = "highest"  # the highest bet; of equal ones the player at the place


@unique
class OthersFollow(StrEnum):
    """The rule for other players' bets on a hand that is split or doubled: the players may follow, or always follow."""

    OPTIONAL = "optional"
    ALWAYS = "always"


@unique
class NumberOrder(StrEnum):
    """The orders of the wheel's numbers, clockwise as printed; the law knows these two (pt.rou.2)."""

    FRENCH = "0-32-15-19-4-21-2-25-17-34-6-27-13-36-11-30-8-23-10-5-24-16-33-1-20-14-31-9-22-18-29-7-28-12-35-3-26"
    AMERICAN = "0-28-9-26-30-11-7-20-32-17-5-22-34-15-3-24-36-13-1-27-10-25-29-12-8-19-31-18-6-21-33-16-4-23-35-14-2"


@unique
class TableForm(StrEnum):
    """The form of a table: a single cloth at the wheel, or a cloth on each side of the wheel."""

    SINGLE = "single"
    DOUBLE = "double"


@unique
class NeighboursLimit(StrEnum):
    """The part of a neighbours' bet that counts, with the straight bets, towards the maximum of a straight bet."""

    EACH_NUMBER = "each-number"
    WHOLE_BET = "whole-bet"
