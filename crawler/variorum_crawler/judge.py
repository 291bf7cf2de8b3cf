"""Judge whether a fetched document may be built in.

The reader has already refused unreadable documents. A document whose hash the facts have is trusted
without this. A new edition is first seen at one address, and must be judged before another address
has it. It is believed if its date is later than the newest edition's but not far ahead, most of its
provisions are in the edition before, none is missing, no two have exchanged places, and no
character commands a terminal or reorders a line. Another text of a known day needs two publishers.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.editions import Text
from variorum.documents.archive import ENOUGH_PUBLISHERS
from variorum.errors import BaseError
from variorum.facts import known_editions
from variorum.history.doubts import holes_in, same_elsewhere, wordings_of
from variorum.rows import State, full_text
from variorum.text import HIDDEN, visible
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
# Texts may contain soft hyphens, and 2026-08-07 has a line separator.
_REFUSED = re.compile(rf"(?![\t\xad\u2028\u2029]){HIDDEN}")


@cache
def known_hashes() -> frozenset[str]:
    """Return the hashes in the table of facts."""
    return frozenset(sha256 for *_, issues in known_editions().values() for sha256 in issues)


def page_instead(body: bytes) -> str:
    """Return what came in place of a document, if it is a page for people or nothing."""
    if not body.strip(b" \t\r\n\0"):
        return "the answer is empty"
    return "a web page instead of a document" if _PAGE.match(body[:4096]) else ""


@dataclass(slots=True)
class Judge:
    """Compares texts with those that are held, by their days, the edition of a day last.

    `today` is the day of the run; dates too far after it are not believed.
    """

    held: dict[str, list[Text]]
    today: date

    @classmethod
    def of_base(cls, folder: Path, today: date) -> "Judge":
        """Return the judge for a base; it trusts editions of any later day if there is no base."""
        held: dict[str, list[Text]] = {}
        try:
            with KnowledgeBase.open(folder) as base:
                states, rows = base.reader.states_by_id(), base.reader.editions()
                for edition in sorted(base.editions, key=lambda edition: edition.is_chosen):
                    numbers = base.reader.states_of(edition.place)
                    text = Text(rows[edition.place], [states[number] for number in numbers])
                    held.setdefault(text.day, []).append(text)
        except BaseError:
            held.clear()
        return cls(held, today)

    def copied(self, text: Text) -> str:
        """Return the hash of the held text that prints the same; "" if none does."""
        held = () if text.is_original else self.held.get(text.day, ())
        return next((it.row.sha256 for it in held if _printed(it) == _printed(text)), "")

    def trust(self, text: Text) -> None:
        """Hold a text, so that the next ones are compared with it."""
        if not text.is_original:
            self.held.setdefault(text.day, []).append(text)

    def reasons_against(self, text: Text, publishers: int) -> Iterator[str]:
        """Yield why a text that so many independent publishers served is not trusted."""
        for state in text.states:
            if found := _REFUSED.search(f"{state.heading}{full_text(state.body)}"):
                called = unicodedata.name(found[0], "").lower() or visible(found[0])
                yield f"control characters: {called} in {state.address}"
        is_known = text.day in known_editions()
        same_day = self.held.get(text.day, [])
        if text.is_original and (same_day or is_known):
            pass  # an original attests the text, or is compared with it
        elif not same_day and not is_known:
            yield from self._against_new(text)
        elif publishers < ENOUGH_PUBLISHERS:
            if same_day:
                differs = describe(same_day[-1].states, text.states)
                yield f"another text of {text.day}: {differs or 'other introduction or credits'}"
            else:
                yield f"not the known text of {text.day}, which the archive does not have"
        days = [day for day in self.held if day <= text.day]
        before = self.held[max(days)][-1] if days else None
        if before and (rules := text.row.rules) < _RULES_KEPT * before.row.rules:
            yield f"it has {rules} rules, the edition of {before.day} has {before.row.rules}"
        if text.row.condition == "lossy" and not text.is_original:
            yield "characters of its text are lost"  # no known edition is lossy

    def _against_new(self, text: Text) -> Iterator[str]:
        ahead = date.fromisoformat(text.day) - self.today
        if ahead > _FARTHEST:
            yield f"its date, {text.day}, lies more than {_FARTHEST.days} days ahead"
        if not self.held:
            return
        newest = self.held[max(self.held)][-1]
        if text.day < newest.day:
            known = "neither that of a known edition nor later than"
            yield f"its date, {text.day}, is {known} {newest.day}, the newest one"
            return
        old, new = wordings_of(newest.states), wordings_of(text.states)
        if same_elsewhere(new, {newest.day: old}):
            differs = describe(newest.states, text.states) or "the same words"
            yield f"it is the edition of {newest.day} under another date: {differs}"
        yield from filter(None, [holes_in(text.states, newest.states, [])])
        yield from _exchanges(newest.states, text.states)


def _printed(text: Text) -> tuple[object, ...]:
    """Return all that a text prints, but for its misprints."""
    states = [(it.kind, it.number, it.address, it.heading, it.body) for it in text.states]
    return text.row.introduction, text.row.credits, states


def _exchanges(before: Sequence[State], here: Sequence[State]) -> Iterator[str]:
    """Yield the rules that have changed places with each other since the edition before."""
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
    # What moved to a place that nothing left has only been shifted.
    while shifted := [address for address, now in moved.items() if now not in moved]:
        for address in shifted:
            del moved[address]
    if len(moved) > _MOST_EXCHANGED:
        named = ", ".join(f"{address} is now {now}" for address, now in [*moved.items()][:2])
        yield f"{len(moved)} rules have changed places with each other: {named} …"
