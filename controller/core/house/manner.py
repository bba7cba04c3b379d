"""The manner of an act, and the credential by which its person is known then.

Each act's row names one answer. A post names nobody: an act counts as a person's own only as far as a credential shows
that it was this person, at that moment. The dealer's sign-in at the table is his post: it stands until he leaves or is
relieved, and serves all three. A supervisor, who comes and goes, gives his at the table's screen for each act that he
attests or decides; where he has taken charge of a hold, once for what he decides and does about it.
"""

from enum import StrEnum, unique


@unique
class Manner(StrEnum):
    """The ways in which an act is a person's."""

    ATTESTS = "attests"  # that he has seen it himself: his credential at that moment
    DECIDES = "decides"  # by his judgement: his credential, for this act or for the hold that he has in charge
    DOES = "does"  # with his hands, before all: he is signed in where it is asked for
