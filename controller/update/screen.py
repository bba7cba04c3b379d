"""Asks, at the table's screen, the people who must sign an update. Each question is a page of the panel."""

from dataclasses import dataclass
from typing import ClassVar, Final

from controller.catalogue import Language, sentence
from controller.commission.desk import Desk
from controller.core.words import Role
from controller.protocol.commission import YES, Input, Question
from controller.protocol.lines import TABLE_SCREEN
from controller.update.course import End
from controller.update.decision import Card, Offer

NO_NUMBER: Final = 0


@dataclass
class ScreenPeople:
    """Asks technician and chief supervisor at the screen (implements `People`)."""

    terminal: ClassVar[str] = TABLE_SCREEN

    desk: Desk
    language: Language

    def agree(self, card: Card, offer: Offer) -> bool:
        values = {"now": str(card.own or "-"), "then": str(offer.release), "says": offer.says}
        return self._asks(Input.YES_NO, "let-in", **values) == YES

    def signs(self, role: Role) -> tuple[int, str]:
        number = self._asks(Input.NUMBER, "number", of=role.value)
        pin = self._asks(Input.PIN, "pin", of=role.value)
        return (int(number) if number.isdecimal() else NO_NUMBER), pin

    def again(self, why: str) -> bool:
        """Shows that a number or PIN was refused, with the reason `why`, until the person continues. Returns True."""
        self.desk.ask(self._page(Input.READ, self._words("wrong"), (why,) if why else ()))
        return True

    def waits(self, key: str) -> None:
        self.desk.show(self._page(Input.WAIT, self._words(key)))

    def is_told(self, end: End) -> None:
        """Shows why an update was refused, the remedy and `rauc`'s message, until the person continues. Shows nothing
        without a refusal.
        """
        if end.refusal is None:
            return
        remedy = self._words(f"refused.{end.refusal.value}.then")
        said = (remedy, end.detail) if end.detail else (remedy,)
        self.desk.ask(self._page(Input.READ, self._words(f"refused.{end.refusal.value}.text"), said))

    def is_over(self) -> None:
        self.desk.show(self._page(Input.OVER, self._words("over")))

    def _asks(self, kind: Input, key: str, **values: str) -> str:
        return (self.desk.ask(self._page(kind, self._words(key, **values))) or "").strip()

    def _page(self, kind: Input, text: str, said: tuple[str, ...] = ()) -> Question:
        return Question(0, kind, text, self.language.value, said=said)

    def _words(self, key: str, **values: str) -> str:
        return sentence(f"update.{key}", values, self.language)
