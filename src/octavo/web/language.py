"""The reader's language: which it is, and the words, numbers and dates of the pages in it.

Catalogues are gettext's (`locale/`), English is the language of the messages themselves. Titles and abstracts stay as
they are; what a source or the search says in English is translated where `phrases` knows how.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path

DOMAIN = "octavo"
LOCALE = Path(__file__).parent / "locale"
CODES = ("en", "zh-CN")
"""The languages that the pages are in, the usual one first; as in the attribute `lang` of HTML."""
NAMES = {"en": "English", "zh-CN": "简体中文"}

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_ACCEPTED = re.compile(r"\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*|\*)\s*(?:;\s*q\s*=\s*([01](?:\.[0-9]{0,3})?)\s*)?")
_MOST_READ = 1_000


@dataclass(frozen=True, slots=True)
class Language:
    """One language of the pages."""

    code: str
    texts: gettext.NullTranslations

    def say(self, message: str, **values: object) -> str:
        """A message in this language, with its `{names}` filled in."""
        text = self.texts.gettext(message)
        return text.format(**values) if values else text

    def count(self, one: str, many: str, n: int, **values: object) -> str:
        """A message that depends on a number; `{n}` is the number with its thousands parted."""
        return self.texts.ngettext(one, many, n).format(n=self.number(n), **values)

    def number(self, n: int) -> str:
        """`12,345`."""
        return f"{n:,}"

    def date(self, iso: str) -> str:
        """A date with the precision that it has: `9 May 2031`, `May 2031`, `2031`; as it is where it is none."""
        year, _, rest = iso.partition("-")
        month, _, day = rest.partition("-")
        if not (year + month + day).isdigit() or (month and not 1 <= int(month) <= 12):
            return iso
        if not month:
            return self.say("{year}", year=year)
        named = self.say(_MONTHS[int(month) - 1])
        if not day:
            return self.say("{month} {year}", month=named, year=year)
        return self.say("{day} {month} {year}", day=int(day), month=named, year=year)

    def day(self, iso: str) -> str:
        """A date with its day of the week: `Friday, 9 May 2031`."""
        try:
            weekday = _DAYS[datetime.fromisoformat(iso).weekday()]
        except ValueError:
            return self.date(iso)
        return self.say("{weekday}, {date}", weekday=self.say(weekday), date=self.date(iso))

    def moment(self, iso: str) -> str:
        """A stored moment in the reader's own zone, to the minute."""
        try:
            local = datetime.fromisoformat(iso).astimezone()
        except ValueError:
            return iso
        on, at = local.strftime("%Y-%m-%d"), local.strftime("%H:%M")
        return self.say("{date}, {time}", date=self.date(on), time=at)


@cache
def language(code: str) -> Language:
    """The language of that code, which is one of CODES."""
    texts = gettext.translation(DOMAIN, LOCALE, [code.replace("-", "_")], fallback=True)
    return Language(code, texts)


def code_of(tag: str) -> str | None:
    """The code for a language tag as people and browsers write it; None where the pages are not in it.

    >>> [code_of(tag) for tag in ("zh", "zh-Hans-CN", "zh_cn", "EN-gb", "fr")]
    ['zh-CN', 'zh-CN', 'zh-CN', 'en', None]
    """
    first = tag.strip().lower().replace("_", "-").partition("-")[0]
    return next((code for code in CODES if code.partition("-")[0] == first), None)


def accepted(header: str) -> Iterable[str]:
    """The tags of an `Accept-Language`, the most wanted first."""
    matches = (_ACCEPTED.fullmatch(part) for part in header[:_MOST_READ].split(","))
    wishes = [(float(match[2] or 1), match[1]) for match in matches if match]
    return [tag for wish, tag in sorted(wishes, key=lambda one: -one[0]) if wish > 0]


def choose(asked: str, remembered: str, header: str) -> str:
    """The code to use: what the address asks for, else what was chosen before, else what the browser wishes.

    >>> choose("", "", "fr;q=0.9, zh-TW;q=0.8, en;q=0.2")
    'zh-CN'
    """
    for tag in (asked, remembered, *accepted(header)):
        if tag and (code := code_of(tag)):
            return code
    return CODES[0]
