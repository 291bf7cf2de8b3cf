"""Judge whether a fetched document may be built in. Pure; it reads nothing.

The reader has already refused unreadable documents. The judge compares a document with the known
editions: a new edition is not in the past and does not lose rules.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from urllib.parse import urlsplit

from variorum.facts import EditionFacts
from variorum.model import Condition, Sha256
from variorum.thresholds.trust import ENOUGH_PUBLISHERS, RULES_KEPT

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


@dataclass(frozen=True, slots=True)
class Candidate:
    """An edition to judge, or one that the base holds.

    Attributes:
        rules: How many rules and subrules it has.
        is_original: Whether it is an original, such as a Word document. An original attests an edition
            but is not an issue of it.
        encoding: The encoding of its text.
        condition: Its condition as shown: sound, repaired or lossy.
        words: A digest of all its words.
        differs: How it differs from the edition of its day; "" if it does not.
        against: Why its words do not fit an edition of its day; see `suspicious_text.py`.
        controls: The control characters in it; "" if there are none.
        publishers: How many independent publishers served it.
        is_weak: Whether it is held, has lost characters or rules, and nothing attests it.
    """

    sha256: Sha256
    effective: date
    rules: int
    is_original: bool = False
    encoding: str = ""
    condition: str = Condition.SOUND.value
    words: str = ""
    differs: str = ""
    against: str = ""
    controls: str = ""
    publishers: int = 0
    is_weak: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of a candidate.

    Attributes:
        reason: Why it is not trusted; "" if it is.
        is_further: Whether it is trusted, but differs from the known text of its date.
        copy_of: The document with the same words in other bytes, if there is one; else "". A copy
            is not built in.
    """

    reason: str = ""
    is_further: bool = False
    copy_of: str = ""

    @property
    def is_built_in(self) -> bool:
        """Return whether the document goes into the base."""
        return not (self.reason or self.copy_of)


def reason_against(body: bytes, url: str, final_url: str) -> str:
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


def weigh(
    candidates: Sequence[Candidate],
    held: Sequence[Candidate],
    known: Mapping[date, EditionFacts],
    today: date,
) -> dict[Sha256, Judgement]:
    """Return the judgement of each candidate.

    Older candidates are weighed first. Of the candidates of one day, those in the table of facts are
    weighed first. A trusted candidate counts as held for the next ones.

    Args:
        candidates: The candidates of a run, in the order of fetching.
        held: The editions in the base.
        known: The table of facts.
        today: The day of the run; dates too far after it are not believed.
    """
    newest = max(
        [candidate.effective for candidate in held]
        + [candidate.effective for candidate in candidates if candidate.effective in known],
        default=None,
    )

    def is_known(candidate: Candidate) -> bool:
        return (
            candidate.effective in known and candidate.sha256 in known[candidate.effective].issues
        )

    judgements: dict[Sha256, Judgement] = {}
    standing = list(held)
    for candidate in sorted(
        candidates,
        key=lambda candidate: (candidate.effective, not is_known(candidate), -candidate.publishers),
    ):
        same_day = [trusted for trusted in standing if trusted.effective == candidate.effective]
        is_of_known = bool(same_day) or candidate.effective in known
        if is_known(candidate):
            judgement = Judgement()
        elif twin := "" if candidate.is_original else _twin(candidate, same_day):
            judgement = Judgement(copy_of=twin)
        else:
            reason = candidate.controls or _against_day(candidate, same_day, known, newest, today)
            reason = reason or _against_loss(candidate, standing) or _against_condition(candidate)
            judgement = Judgement(reason, is_of_known and not reason and not candidate.is_original)
        if judgement.is_built_in and not candidate.is_original:
            standing.append(candidate)
        judgements[candidate.sha256] = judgement
    return judgements


def _twin(candidate: Candidate, same_day: Iterable[Candidate]) -> str:
    """Return the document with the same words in other bytes; "" if there is none."""
    twins = (
        trusted.sha256
        for trusted in same_day
        if candidate.words and candidate.words == trusted.words
    )
    return next(twins, "")


def _against_day(
    candidate: Candidate,
    same_day: Sequence[Candidate],
    known: Mapping[date, EditionFacts],
    newest: date | None,
    today: date,
) -> str:
    """Return why a text is not believed to be an edition of its day."""
    is_held = any(not trusted.is_weak for trusted in same_day)
    if candidate.is_original and (same_day or candidate.effective in known):
        return ""  # an original attests the text, or is compared with it
    if not is_held and candidate.effective not in known:
        return (
            _against_date(candidate, newest, today) if not same_day else ""
        ) or candidate.against
    if candidate.publishers >= ENOUGH_PUBLISHERS:
        return ""
    if not candidate.differs and not same_day:
        return f"not the known text of {candidate.effective}, which the archive does not have"
    return f"another text of {candidate.effective}: {candidate.differs or 'other introduction or credits'}"


def _against_date(candidate: Candidate, newest: date | None, today: date) -> str:
    if candidate.effective > today + _FARTHEST:
        ahead = (candidate.effective - today).days
        return f"its date, {candidate.effective}, lies {ahead:,} days ahead, farther than any announced"
    if newest is None or candidate.effective > newest:
        return ""
    return (
        f"its date, {candidate.effective}, is neither that of a known edition nor later than {newest}, "
        "the newest one"
    )


def _against_loss(candidate: Candidate, standing: Iterable[Candidate]) -> str:
    """Return what a candidate lost since the edition before; "" if nothing."""
    earlier = [trusted for trusted in standing if trusted.effective <= candidate.effective]
    before = max(earlier, key=lambda trusted: trusted.effective, default=None)
    if before is None or candidate.rules >= RULES_KEPT * before.rules:
        return ""
    return f"it has {candidate.rules} rules, the edition of {before.effective} has {before.rules}"


def _against_condition(candidate: Candidate) -> str:
    """Return why a lossy text is refused; no known edition is lossy."""
    if candidate.is_original or candidate.condition != Condition.LOSSY.value:
        return ""
    return "characters of its text are lost"
