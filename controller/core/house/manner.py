"""The manner of an act, and the credential that it requires from its person. Each act's row names one manner.

A post alone does not show which person acts. An act counts as a person's own only if a credential shows that this
person asked for it, at that moment. The dealer's sign-in at the table is enough for all three manners until the dealer
leaves or is relieved. A supervisor, who comes and goes, gives a credential at the table's screen for each act that he
attests or decides. A supervisor in charge of a hold gives it once for all his decisions and deeds about the hold.
"""

from enum import StrEnum, unique


@unique
class Manner(StrEnum):
    """The ways in which a person answers for an act."""

    ATTESTS = "attests"  # he has seen it himself: requires his credential at that moment
    DECIDES = "decides"  # he judges: requires his credential, for this act or for the hold in his charge
    DOES = "does"  # he does it with his hands, before all: being signed in is enough


@unique
class Credential(StrEnum):
    """The credential by which an act counts as a person's. The act's entry in the journal names it."""

    PIN = "pin"  # typed for this press
    BADGE_AND_KEY = "badge-and-key"  # held to the reader with the key turned on, for this press
    POST = "post"  # the dealer's sign-in, while he is at the table
    OWN_SCREEN = "own-screen"  # a sign-in at a screen where no other person is signed in
    SHARED_SCREEN = "shared-screen"  # a sign-in for one hold at a screen that others touch: it attests nothing
