"""The figures for a wheel, its chips and its bets that law, profile and table set."""

from msgspec import Struct

from controller.core import choices as c
from controller.core.hand_rules import BetLimits, Rate
from controller.core.words import Cents


class WheelFigures(Struct, frozen=True, gc=False):
    """The profile's figures for a wheel; each field is named as in the profile's file."""

    number_order: c.NumberOrder
    table_form: c.TableForm
    # the ball, and who launches it
    ball_mm: int
    ball_change_ms: int
    relaunch_alternates: bool  # a launch after a null spin also goes the other way
    dealer_most_ms: int
    dealer_warning_ms: int  # the time before the end of the dealer's hour at which he gets a notice
    # chips
    idle_spins: int  # spins without a bet after which a colour is lost while others wait
    first_four: bool  # the table takes 0-1-2 as a street and 0-1-2-3 as a corner
    # limits, in minimum bets
    straight_most: int
    split_most: int
    street_most: int
    corner_most: int
    line_most: int
    dozen_most: int
    column_most: int
    dozen_split_most: int
    column_split_most: int
    simple_most: int
    # and in chips
    large_series_most: int
    small_series_most: int
    orphans_most: int
    series_within_maxima: bool  # the chips of a series are also within the maximum of each chance
    neighbours_limit: c.NeighboursLimit
    # payments
    straight_pays: Rate
    split_pays: Rate
    street_pays: Rate
    corner_pays: Rate
    line_pays: Rate
    dozen_pays: Rate
    column_pays: Rate
    dozen_split_pays: Rate
    column_split_pays: Rate
    simple_pays: Rate


class WheelRules(Struct, frozen=True, gc=False):
    """The limits, figures and chip values that decide on spins, bets and payments.

    `limits.maximum` is the maximum of a straight bet.
    """

    limits: BetLimits
    figures: WheelFigures
    follows_bets: bool  # False: only spins and chips are followed
    chip_values: tuple[Cents, ...] = ()  # the values that the table posts, besides its minimum
