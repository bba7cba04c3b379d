"""People, roles and PINs: the staff file, the check of a PIN, and the lockout after wrong PINs."""

from controller.staff.book import HashCost, StaffBook, StaffMember, StaffRefused, check_pin
from controller.staff.file import change_staff, load_or_begin, load_staff, save_staff
from controller.staff.former import Forgotten, FormerMember
from controller.staff.known import StaffChanged, StaffEntry, StaffKnown, known_of
from controller.staff.lockout import Lockout, Tries, wait_after_ms

__all__ = [
    "Forgotten",
    "FormerMember",
    "HashCost",
    "Lockout",
    "StaffBook",
    "StaffChanged",
    "StaffEntry",
    "StaffKnown",
    "StaffMember",
    "StaffRefused",
    "Tries",
    "change_staff",
    "check_pin",
    "known_of",
    "load_or_begin",
    "load_staff",
    "save_staff",
    "wait_after_ms",
]
