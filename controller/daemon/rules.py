"""The digest of the deciding rules, which every start records: their version, and the values of the profile."""

from hashlib import sha256

from controller.config.profile import Profile
from controller.core.rules_version import RULES_VERSION
from controller.journal.codec import encode_canonical


def rules_digest(profile: Profile) -> str:
    """SHA-256 (hex) over the version of the rules, and the profile's general figures, procedure and figures of its
    game.
    """
    digest = sha256(f"rules {RULES_VERSION}\0".encode())
    for values in (profile.figures, profile.procedure, profile.game_figures):
        digest.update(encode_canonical(values))
    return digest.hexdigest()
