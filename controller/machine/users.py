"""The names of users and groups, for messages about files of another user."""

import grp
import os
import pwd
from contextlib import suppress
from pathlib import Path


def user_name(number: int) -> str:
    """Returns the name of the user `number`, or the number as text if the system has no name for it."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def owner_of(path: Path) -> str:
    """Returns the name of a path's owner. If the path is unreadable, returns the owner of the nearest readable
    directory above it. If no such directory is readable, returns the owner of this process.
    """
    for place in (path, *path.absolute().parents):
        with suppress(OSError):  # then the next directory above is tried
            return user_name(place.stat().st_uid)
    return user_name(os.geteuid())


def group_of(path: Path) -> str:
    """Returns the name of the group of the nearest readable directory above a path. If no directory is readable,
    returns the number of this process's group.
    """
    for place in path.absolute().parents:
        with suppress(OSError):  # then the next directory above is tried
            number = place.stat().st_gid
            try:
                return grp.getgrgid(number).gr_name
            except KeyError:
                return str(number)
    return str(os.getegid())
