"""Who may do what at every table: come and go, take up and end holds, report duties. One row an act (act_rule.py)."""

from typing import Any

from controller.core.house import acts as a
from controller.core.house import duty_guards as gd
from controller.core.house import effects
from controller.core.house import hold_guards as gh
from controller.core.house import people_guards as gp
from controller.core.house.act_rule import (
    AT_THE_TABLE,
    CHIEF,
    HOLD_PEOPLE,
    ActRule,
)
from controller.core.house.guard import AnyGuard
from controller.core.words import Role

PEOPLE_RULES: tuple[ActRule[Any, Any], ...] = (
    ActRule("sign-in", a.SignIn, AT_THE_TABLE, "pt.bj.54d", effects.come, (gp.OPERATION_FITS_THE_ROLE,)),
    ActRule(
        "sign-out",
        a.SignOut,
        AT_THE_TABLE,
        "pt.bj.54d",
        effects.go,
        (gp.ACTOR_IS_SIGNED_IN, gp.DEALER_LEAVES_BETWEEN_ROUNDS),
    ),
)


def on_hold_rules(evidence: tuple[AnyGuard[Any, Any], ...]) -> tuple[ActRule[Any, Any], ...]:
    """The rows of acts on a hold; `evidence`: the guards of every kind that a hold of this table may ask for."""
    return (
        ActRule(
            "attend-hold",
            a.AttendHold,
            HOLD_PEOPLE,
            "pt.bj.51d",
            effects.on_hold(effects.attend_hold),
            (gh.HOLD_STANDS, gh.ACTOR_MAY_END_THE_HOLD),
        ),
        ActRule(
            "call-technician",
            a.CallTechnician,
            CHIEF,
            "pt.bj.51e",
            effects.on_hold(effects.call_technician),
            (gh.HOLD_STANDS, gh.HOLD_IS_ATTENDED),
        ),
        ActRule(
            "attest-repair",
            a.AttestRepair,
            (Role.TECHNICIAN,),
            "pt.bj.51e",
            effects.on_hold(effects.attest_repair),
            (gh.HOLD_STANDS, gh.TECHNICIAN_WAS_CALLED),
        ),
        ActRule(
            "clear-hold",
            a.ClearHold,
            HOLD_PEOPLE,
            "pt.bj.51d",
            effects.on_hold(effects.clear_hold),
            (
                gh.HOLD_STANDS,
                gh.ACTOR_MAY_END_THE_HOLD,
                gh.HOLD_IS_ATTENDED,
                gh.HOLD_IS_NOT_CLEARED_YET,
                gh.CALLED_TECHNICIAN_CLEARS,
                gh.REPAIR_IS_ATTESTED,
                gh.SPARE_DEVICE_IS_BOUND,
                *evidence,
            ),
        ),
        ActRule(
            "confirm-hold",
            a.ConfirmHold,
            CHIEF,
            "pt.bj.51d",
            effects.on_hold(effects.confirm_hold),
            (
                gh.HOLD_STANDS,
                gh.ACTOR_MAY_END_THE_HOLD,
                gh.HOLD_IS_CLEARED,
                gh.SPARE_DEVICE_IS_BOUND,
                *evidence,
            ),
        ),
    )


DUTY_RULES: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "report-duty",
        a.ReportDuty,
        (Role.ROOM_MANAGER,),
        "pt.bj.51b",
        effects.report_duty,
        (gd.DUTY_IS_OPEN, gd.REFERENCE_IS_GIVEN),
    ),
)
