"""Acts at every table: who comes and goes, holds, duties."""

from controller.core.engine.act import Act
from controller.core.words import DutyId, HoldId, Operation


class SignIn(Act, frozen=True):
    operation: Operation


class SignOut(Act, frozen=True):
    pass


class AttendHold(Act, frozen=True):
    hold: HoldId


class CallTechnician(Act, frozen=True):
    hold: HoldId


class AttestRepair(Act, frozen=True):
    hold: HoldId


class ClearHold(Act, frozen=True):
    hold: HoldId


class ConfirmHold(Act, frozen=True):
    hold: HoldId


class ReportDuty(Act, frozen=True):
    duty: DutyId
    reference: str
