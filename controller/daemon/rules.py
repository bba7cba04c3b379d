"""The digest of the rules that the controller follows in its decisions. Every start records it in the journal."""

from hashlib import sha256

from controller.config.profile import Profile
from controller.core.rules_version import RULES_VERSION
from controller.journal.codec import encode_canonical


def rules_digest(profile: Profile) -> str:
    """Returns the SHA-256 in hexadecimal digits of the rules' version and the profile's general figures, procedure, and
    figures of its game.
    """
    digest = sha256(f"rules {RULES_VERSION}\0".encode())
    for values in (profile.figures, profile.procedure, profile.game_figures):
        digest.update(encode_canonical(values))
    return digest.hexdigest()
