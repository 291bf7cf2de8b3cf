"""Judge whether a fetched document may be built in.

The reader has already refused unreadable documents. A document whose hash the facts have is trusted
without this. A new edition is first seen at one address, and must be judged before another address
has it. It is believed if its date is later than the newest edition's but not far ahead, most of its
provisions are in the edition before, none is missing, no two have exchanged places, and no
character commands a terminal or reorders a line. Another text of a known day needs two publishers.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.settle import Text
from variorum.documents.archive import ENOUGH_PUBLISHERS
from variorum.errors import BaseError, DocumentError
from variorum.facts import known_editions
from variorum.history.doubts import Wordings, hole_lines, nearest_elsewhere
from variorum.model import Condition
from variorum.reading.decoding import decode
from variorum.reading.originals import take_original
from variorum.rows import NOT_KNOWN, ONE_SOURCE, State
from variorum.text import escapes, visible
from variorum.versions import digest_of_sources, version_of
from variorum.witnesses.copies import describe

# A fetched text with fewer of the rules of the edition before has lost some. Measured: of 120
# editions, none has fewer rules than the one before it.
_RULES_KEPT = 0.9
# A fetched text in which more rules have changed places with each other is not believed.
# Measured: in 120 editions, at most this many have.
_MOST_EXCHANGED = 4

# An edition is published some days or weeks before it takes effect. If a date far ahead were
# believed, all later editions would seem to be in the past.
_FARTHEST = timedelta(days=60)

_PAGE = re.compile(
    rb"\s*(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body"
    rb"|title|meta|script|style|link|div|p|h[1-6]|center|table|form|iframe)\b",
    re.IGNORECASE | re.DOTALL,
)
_TITLE = re.compile(rb"<title[^>]*>([^<]{1,200})", re.IGNORECASE)
# The first tag of a page, and its title.
_HEAD = 4096

# The control characters that texts may contain: tabs, ends of lines, pages and files, soft hyphens
# (2026-08-07 has a line separator).
_ALLOWED = frozenset(map(ord, "\t\n\v\f\r\x1a\xad\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"))
_REFUSED = {code: None for code in escapes() if code not in _ALLOWED}


@cache
def judged_by() -> str:
    """Return the versions that a judgement depends on: of judge, reader and facts."""
    judge = digest_of_sources([Path(__file__)], Path(__file__).parent)
    return f"judge {judge}, reader {version_of('reader')}, facts {version_of('facts')}"


@cache
def known_hashes() -> frozenset[str]:
    """Return the hashes in the table of facts."""
    return frozenset(sha256 for facts in known_editions().values() for sha256 in facts.issues)


def reason_against(body: bytes, url: str = "", final_url: str = "") -> str:
    """Return why bytes from the web cannot be a document; "" if they can.

    >>> reason_against(b"<html><title>Log in</title>", "http://a/cr.txt", "http://hotel/welcome")
    'a web page instead of a document, sent by hotel: "Log in"'
    """
    if not body.strip(b" \t\r\n\0"):
        return "empty"
    if not _PAGE.match(body[:_HEAD]):
        return ""
    host = urlsplit(final_url).hostname or ""
    sender = f", sent by {host}" if host != (urlsplit(url).hostname or "") else ""
    title = _TITLE.search(body[:_HEAD])
    words = " ".join(title[1].decode(errors="replace").split()) if title else ""
    return f"a web page instead of a document{sender}" + (f': "{words}"' if words else "")


def controls_in(data: bytes) -> str:
    """Return the first forbidden character of a text with its line; "" if there is none."""
    try:
        original = take_original(data, "")
        lines = original.lines if original else decode(data, "").text.splitlines()
    except DocumentError:
        return ""  # the reader refuses these
    for number, line in enumerate(lines, start=1):
        if line.translate(_REFUSED) != line:
            sign = next(character for character in line if ord(character) in _REFUSED)
            called = unicodedata.name(sign, "").lower() or visible(sign)
            return f"control characters: {called} in line {number}"
    return ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """Why a text is not trusted; or the document of which it is a copy in other bytes; or neither."""

    reason: str = ""
    copy_of: str = ""


@dataclass(slots=True)
class Judge:
    """Compares texts with the editions that the base holds.

    Attributes:
        held: The editions, by their days, the best of a day last.
        today: The day of the run; dates too far after it are not believed.
    """

    held: dict[str, list[Text]]
    today: date
    _wordings: Wordings = field(default_factory=Wordings)
    _known: dict[str, set[int]] = field(default_factory=dict[str, set[int]])

    @classmethod
    def of_base(cls, folder: Path, today: date) -> "Judge":
        """Return the judge for a base; it trusts editions of any later day if there is no base."""
        held: dict[str, list[Text]] = {}
        try:
            with KnowledgeBase.open(folder) as base:
                # The edition that its day without an issue means is the last of its day.
                states, rows = base.reader.all_states(), base.reader.editions()
                for edition in sorted(base.editions, key=lambda edition: edition.is_chosen):
                    numbers = base.reader.states_of(edition.place)
                    text = Text(rows[edition.place], [states[number] for number in numbers])
                    held.setdefault(text.day, []).append(text)
        except BaseError:
            held.clear()
        return cls(held, today)

    def judge(self, text: Text, controls: str, publishers: int) -> Judgement:
        """Return the judgement of a text; if it is trusted, the next ones are compared with it.

        Args:
            text: The text.
            controls: What `controls_in` found in it.
            publishers: How many independent publishers served it.
        """
        same_day = self.held.get(text.day, [])
        if not text.is_original:
            for held in same_day:
                if _printed(held) == _printed(text):
                    return Judgement(copy_of=held.row.sha256)
        reason = controls or self._against_day(text, same_day, publishers)
        reason = reason or self._against_loss(text)
        is_lossy = text.row.condition == Condition.LOSSY.value
        if not reason and is_lossy and not text.is_original:
            reason = "characters of its text are lost"  # no known edition is lossy
        if not reason and not text.is_original:
            self.held.setdefault(text.day, []).append(text)
            self._known.clear()
        return Judgement(reason)

    def _against_day(self, text: Text, same_day: Sequence[Text], publishers: int) -> str:
        """Return why a text is not believed to be an edition of its day."""
        is_known = date.fromisoformat(text.day) in known_editions()
        if text.is_original and (same_day or is_known):
            return ""  # an original attests the text, or is compared with it
        if not is_known and all(map(_is_weak, same_day)):
            late = "" if same_day else self._against_date(text.day)
            return late or self._against_words(text)
        if publishers >= ENOUGH_PUBLISHERS:
            return ""
        if not same_day:
            return f"not the known text of {text.day}, which the archive does not have"
        differs = describe(same_day[-1].states, text.states) or "other introduction or credits"
        return f"another text of {text.day}: {differs}"

    def _against_date(self, day: str) -> str:
        ahead = date.fromisoformat(day) - self.today
        if ahead > _FARTHEST:
            return f"its date, {day}, lies {ahead.days:,} days ahead, farther than any announced"
        newest = max(self.held, default="")
        if day > newest:
            return ""
        known = "neither that of a known edition nor later than"
        return f"its date, {day}, is {known} {newest}, the newest one"

    def _against_words(self, text: Text) -> str:
        """Return why a text of a new day is not the next edition of those that we have."""
        if not self.held:
            return ""
        states_of = {day: texts[-1].states for day, texts in self.held.items()}
        if not self._known:
            self._known |= {day: self._wordings.of(held) for day, held in states_of.items()}
        nearest = nearest_elsewhere(text.day, self._wordings.of(text.states), self._known)
        if nearest:
            difference = describe(states_of[nearest], text.states) or "the same words"
            return f"it is the edition of {nearest} under another date: {difference}"
        before = states_of.get(max((d for d in states_of if d < text.day), default=""), [])
        after = states_of.get(min((d for d in states_of if d > text.day), default=""), [])
        holes = hole_lines(text.states, before, after)
        return holes[0] if holes else _exchanged(before, text.states)

    def _against_loss(self, text: Text) -> str:
        """Return what a text lost since the edition before; "" if nothing."""
        day = max((day for day in self.held if day <= text.day), default="")
        if not day or text.row.rules >= _RULES_KEPT * self.held[day][-1].row.rules:
            return ""
        before = self.held[day][-1].row.rules
        return f"it has {text.row.rules} rules, the edition of {day} has {before}"


def _is_weak(text: Text) -> bool:
    """Return whether a held text has lost characters or rules, and nothing attests it."""
    doubts = set(text.row.doubts.splitlines()) - {ONE_SOURCE, NOT_KNOWN}
    return bool(doubts) and not text.row.attested


def _printed(text: Text) -> tuple[object, ...]:
    """Return all that a text prints, but for its misprints."""
    states = [
        (state.kind, state.number, state.address, state.heading, state.body)
        for state in text.states
    ]
    return text.row.introduction, text.row.credits, states


def _exchanged(before: Sequence[State], here: Sequence[State]) -> str:
    """Return the rules that have changed places with each other since the edition before."""
    old = {state.address: state.body for state in before if state.kind != "glossary"}
    new = {state.address: state.body for state in here if state.kind != "glossary"}
    place: dict[str, str] = {}
    for address, body in new.items():
        place[body] = "" if body in place else address
    moved = {
        address: place[body]
        for address, body in old.items()
        if place.get(body) and new.get(address) != body
    }
    circling = [address for address in moved if _returns_to(address, moved)]
    if len(circling) <= _MOST_EXCHANGED:
        return ""
    named = ", ".join(f"{address} is now {moved[address]}" for address in circling[:2])
    return f"{len(circling)} rules have changed places with each other: {named} …"


def _returns_to(start: str, moved: Mapping[str, str]) -> bool:
    """Return whether rules changed places in a circle that includes this address."""
    visited, at = {start}, moved[start]
    while at in moved and at not in visited:
        visited.add(at)
        at = moved[at]
    return at == start
