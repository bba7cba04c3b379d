"""The words of a page in one language: sentences of the catalogue, and amounts as that language writes them.

Only the panel writes amounts with the language's decimal sign and grouping and the table's currency. Status, journal,
scenarios and command line use a decimal point, as the controller's sentences do. The panel rewrites the amounts in the
controller's sentences.
"""

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Final

from babel import Locale
from babel.numbers import format_currency, format_decimal, get_decimal_symbol
from markupsafe import Markup
from msgspec import Struct

from controller.catalogue import Language, sentence
from controller.catalogue.sentences import Variants, fitting

_LOCALES: Final = {
    Language.PT: Locale("pt", "PT"),
    Language.BR: Locale("pt", "BR"),
    Language.EN: Locale("en"),
    Language.ZH: Locale("zh", "MO", script="Hant"),
}
_WRITTEN: Final = r"[+-]?[0-9]{1,12}\.[0-9]{2}(?:[0-9]{2})?"
"""An amount as core and controller write it; with four decimals where it has a fraction of a cent."""

_AMOUNT: Final = re.compile(_WRITTEN, re.ASCII)
_IN_SENTENCE: Final = re.compile(rf"(?<![\w.,+-]){_WRITTEN}(?![0-9]|[.,][0-9])", re.ASCII)
_CARD: Final = re.compile(r"(?<![\w/.,+-])(10|[2-9AJQK])([SHDC])(?=x[0-9]|(?![\w/-]))", re.ASCII)
"""A card's code in a sentence: rank, then the letter of its suit, as in "AD" or "10Cx2"."""

_AS_CARDS: Final = frozenset(("FOREIGN", "JOKER"))
"""Words in capitals that stand among the codes of cards."""

_SIGN: Final = Markup(
    '<span class="sr">{named}</span>'
    '<span class="of-card" aria-hidden="true">{rank}<svg class="mark {suit}"><use href="#suit-{suit}"/></svg></span>'
)
_NAMES: Final = frozenset(
    ("amount", "pool", "sum", "least", "most", "minimum", "maximum", "stake", "paid", "shown", "chip", "values")
)
"""The names of values that are amounts if they have the form of an amount."""


class Wording(Struct, frozen=True, gc=False):
    """The words for one page: language, currency (three letters), and variants of sentences for the table's kind."""

    language: Language
    currency: str
    variants: Variants = ()

    def __call__(self, key: str, **values: object) -> str:
        """Returns the catalogue's sentence for `key`, filled with `values`. Raises UnknownKey."""
        told = {name: self._value(name, str(value)) for name, value in values.items()}
        return sentence(fitting(key, self.variants), told, self.language)

    def units(self, cents: int) -> str:
        """Returns the amount `cents` in its short form: without currency, and without decimals that are zero."""
        return self._short(Decimal(cents) / 100)

    def short(self, written: str) -> str:
        """Returns an amount, given as text, in the short form of `units`, with its sign."""
        return self._signed(written, self._short)

    def money(self, cents: int) -> str:
        """Returns an amount with the table's currency."""
        return self._whole(Decimal(cents) / 100)

    def amount(self, written: str) -> str:
        """Returns an amount, given as text, with its sign and the table's currency.

        Returns any other text unchanged.
        """
        return self._signed(written, self._whole) if _AMOUNT.fullmatch(written) else written

    def text(self, told: str) -> str:
        """Returns the controller's sentence `told` with its amounts written as the language writes them."""
        return _IN_SENTENCE.sub(lambda found: self.amount(found.group(0)), told)

    def told(self, sentence: str) -> Markup:
        """Returns a sentence as `text` does, for a page.

        Each card has the picture of its suit in place of the letter.
        """
        text, parts, end = self.text(sentence), [], 0
        for found in _CARD.finditer(text):
            if _is_word(text, found):
                continue
            parts += [Markup.escape(text[end : found.start()]), self._sign(found.group(1), found.group(2).lower())]
            end = found.end()
        return Markup("").join([*parts, Markup.escape(text[end:])])

    def _sign(self, rank: str, suit: str) -> Markup:
        named = self("panel.card.named", rank=rank, suit=self(f"panel.suit.{suit}"))
        return _SIGN.format(named=named, rank=rank, suit=suit)

    def typed(self, digits: str) -> str:
        """Returns an amount that is being typed, with the language's decimal sign in place of the point."""
        return digits.replace(".", get_decimal_symbol(self._locale))

    @property
    def _locale(self) -> Locale:
        return _LOCALES[self.language]

    def _value(self, name: str, value: str) -> str:
        return self.amount(value) if name in _NAMES else value

    def _whole(self, value: Decimal) -> str:
        return format_currency(value, self.currency, locale=self._locale, decimal_quantization=False)

    def _short(self, value: Decimal) -> str:
        places = "#,##0" if value == value.to_integral_value() else "#,##0.00##"
        return format_decimal(value, places, locale=self._locale)

    def _signed(self, written: str, shown: Callable[[Decimal], str]) -> str:
        plus = "+" if written.startswith("+") else ""
        return plus + shown(Decimal(written))


def _is_word(text: str, found: re.Match[str]) -> bool:
    """True for "AS" or another card code that is a word here: it stands by a word in capitals ("LIE AS RECORDED")."""
    before, after = text[: found.start()].split()[-1:], text[found.end() :].split()[:1]
    beside = {one.strip(".,:;()\u201c\u201d") for one in (*before, *after)} - _AS_CARDS
    return found.group(0).isalpha() and any(len(one) > 2 and one.isalpha() and one.isupper() for one in beside)
