"""The names of users and groups, for messages about files of another user."""

import grp
import os
import pwd
from contextlib import suppress
from pathlib import Path


def user_name(number: int) -> str:
    """Returns the name of a user; the number as text where the system has no name for it."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def owner_of(path: Path) -> str:
    """The name of the owner of a path; of the nearest directory above where the path cannot be read; of this process's
    user where none can.
    """
    for place in (path, *path.absolute().parents):
        with suppress(OSError):  # then the next directory above is tried
            return user_name(place.stat().st_uid)
    return user_name(os.geteuid())


def group_of(path: Path) -> str:
    """The name of the group of the nearest readable directory above a path, whose members may reach the path; this
    process's group as a number where none can be read.
    """
    for place in path.absolute().parents:
        with suppress(OSError):  # then the next directory above is tried
            number = place.stat().st_gid
            try:
                return grp.getgrgid(number).gr_name
            except KeyError:
                return str(number)
    return str(os.getegid())
