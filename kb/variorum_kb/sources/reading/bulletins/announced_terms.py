"""Reads a bulletin's announcements about the glossary: single entries and lists."""

import re
from collections.abc import Sequence
from dataclasses import replace

from variorum_kb.sources.reading.bulletins.announcement_patterns import (
    announcing_sentences,
    shorten,
)
from variorum_kb.sources.reading.bulletins.announcements import (
    Announcement,
    AnnouncementKind,
    Headed,
    sides_of,
)
from variorum_kb.sources.reading.bulletins.entry_announcements import announce

_TERM_HEADING = re.compile(
    r"(?:Glossary(?: entry| entries)?)\s*[:–—-]\s*(?P<term>\S.*)", re.IGNORECASE
)
_GLOSSARY = re.compile(r"\bglossary\b", re.IGNORECASE)
_NEW = re.compile(r"\b(?:new|added|additions?|introduced)\b", re.IGNORECASE)
_GONE = re.compile(r"\b(?:removed|deleted|eliminated|cut)\b", re.IGNORECASE)
_CHANGED = re.compile(r"\b(?:chang\w+|revis\w+|updat\w+|modif\w+|edit\w*)\b", re.IGNORECASE)
# Another definition for an existing headword.
_SENSE = re.compile(r"\bnew definitions? (?:was|were|has|have|is|are)\b", re.IGNORECASE)
_OF_RULES = re.compile(r"\b(?:rules?|subrules?|sections?|numbers?)\b", re.IGNORECASE)
_LISTING = re.compile(
    r"(?P<lead>[^:.]{0,60}\b(?:entries|entry|terms?|definitions?)\b[^:.]{0,60}?(?::|\bfor\b:?)"
    r"|[^:.]{0,40}\bchanges?\s+(?:to|for)\b:?"
    r"|(?:new|added|removed|deleted|changed|updated|revised|modified|edited)\s*:)\s*(?P<list>.*)",
    re.IGNORECASE,
)
_ANNOTATED = re.compile(r"(?P<term>[^:.]{1,50}):\s+(?P<rest>\S.*)")
_NEXT = re.compile(r"(?<=[.!])\s+(?=[A-Z][^:.]{1,45}:\s)")
_ARTICLE = re.compile(r"^(?:and|the)\s+", re.IGNORECASE)
_COMMA = re.compile(r"\s*[,;•]\s*(?:and\s+)?|\s+and\s+(?=[^,]*$)")
_RENAMED = re.compile(
    r"(?:(?:this|it) is )?the new (?:name|term) (?:of|for) (?:the )?(?P<old>[^.,;(]{2,50}?)"
    r"\s*(?:[.,;(]|$)",
    re.IGNORECASE,
)
_LONGEST_TERM = 6
# "This entry" means one headword, even if it has a comma; "these entries" means several.
_OF_ONE = re.compile(
    r"\b(?:this|it|an?)\b(?:\s+\w+)?\s+(?:entry|definition|term|is|was|has)\b", re.IGNORECASE
)
_OF_SEVERAL = re.compile(
    r"\b(?:entries|definitions|these|they|both|all)\b|\bterms\s+(?:are|were|have)\b", re.IGNORECASE
)


def term_of(heading: str) -> str:
    """Return the headword in a heading such as "Glossary: Lamp"; "" for other headings."""
    match = _TERM_HEADING.fullmatch(heading)
    term = match["term"].strip(" .:*") if match else ""
    return "" if _ANNOTATED.fullmatch(term) else term


def is_glossary(heading: str) -> bool:
    """Say whether a heading introduces lists of headwords."""
    return _GLOSSARY.search(heading) is not None and not term_of(heading)


def kind_in(words: str) -> AnnouncementKind | None:
    """Return the kind that a headline or lead announces for all that follows; None if unclear.

    >>> kind_in("New glossary entries"), kind_in("New and updated rules")
    (<AnnouncementKind.NEW: 'new'>, None)
    """
    if _SENSE.search(words):
        return AnnouncementKind.REWORDED
    kinds = [
        kind
        for kind, form in (
            (AnnouncementKind.REMOVED, _GONE),
            (AnnouncementKind.REWORDED, _CHANGED),
            (AnnouncementKind.NEW, _NEW),
        )
        if form.search(words)
    ]
    return kinds[0] if len(kinds) == 1 else None


def announce_term(term: str, paragraphs: Sequence[str], line: int) -> tuple[Announcement, ...]:
    """Return the announcements about a headword in the text below it."""
    renamed = next((m for text in paragraphs[:1] if (m := _RENAMED.match(text))), None)
    if renamed:
        return (
            Announcement(
                kind=AnnouncementKind.RENUMBERED,
                old=(renamed["old"].strip(),),
                new=(term,),
                words=shorten(announcing_sentences(paragraphs[0])[0]),
                line=line,
                is_term=True,
            ),
        )
    announcements = announce([Headed(term)], paragraphs, line)
    return tuple(
        [
            replace(announcement, is_term=True)
            for announcement in announcements
            if term in announcement.names
        ]
    )


def announce_terms(heading: str, paragraphs: Sequence[str], line: int) -> tuple[Announcement, ...]:
    """Return the announcements about each of one or several headwords."""
    terms = _headwords(heading, " ".join(paragraphs))
    return tuple(
        [announcement for term in terms for announcement in announce_term(term, paragraphs, line)]
    )


def _headwords(heading: str, words: str) -> tuple[str, ...]:
    """Return the headwords of a heading; a headword may have a comma.

    >>> _headwords("Lamp, Oar", "New entries."), _headwords("Lamp, Lit", "This entry is new.")
    (('Lamp', 'Oar'), ('Lamp, Lit',))
    """
    is_several = _OF_SEVERAL.search(words) is not None
    is_list = is_several or "," in heading or ";" in heading
    if not is_list or (_OF_ONE.search(words) and not is_several) or is_renaming([words]):
        return (heading,)
    return split_terms(heading) or (heading,)


def is_renaming(paragraphs: Sequence[str]) -> bool:
    """Say whether the text below a headword calls it the new name of another headword."""
    return bool(paragraphs) and _RENAMED.match(paragraphs[0]) is not None


class TermLists:
    """Reads the paragraphs below a glossary heading one by one."""

    def __init__(self, heading: str) -> None:
        self._heading = kind_in(heading)
        self._kind = self._heading

    def read(self, text: str, line: int) -> list[Announcement]:
        """Return the announcements of a paragraph; [] if it names no headword."""
        listing = _LISTING.fullmatch(text)
        kind = kind_in(listing["lead"]) if listing else None
        if listing and kind:
            self._kind = kind
            announcements = self._of(split_terms(listing["list"]), text, line)
            # If no list follows, the paragraphs below form a list.
            self._kind = self._heading if announcements else kind
            return announcements
        annotated = _ANNOTATED.fullmatch(text)
        if annotated and _is_term(annotated["term"]):
            kind = self._heading or AnnouncementKind.REWORDED
            # Wrapped lines may have been joined: "Lamp: Now lit. Oar: Now wet."
            parts = [_ANNOTATED.fullmatch(part) for part in _NEXT.split(text)]
            return [_about(kind, part["term"], part[0], line) for part in parts if part]
        terms = split_terms(text)
        return self._of(terms, text, line) if terms and self._kind else []

    def _of(self, terms: Sequence[str], text: str, line: int) -> list[Announcement]:
        return [_about(self._kind or AnnouncementKind.REWORDED, term, text, line) for term in terms]


def _about(kind: AnnouncementKind, term: str, text: str, line: int) -> Announcement:
    old, new = sides_of(kind, (term,))
    return Announcement(kind=kind, old=old, new=new, words=shorten(text), line=line, is_term=True)


def split_terms(text: str) -> tuple[str, ...]:
    """Return the headwords of a list; () if a part cannot be a headword.

    >>> split_terms("lamp, wick trimmer, and Dusk.")
    ('lamp', 'wick trimmer', 'Dusk')
    """
    parts = [_ARTICLE.sub("", part, count=1) for part in _COMMA.split(text.rstrip(" .")) if part]
    return tuple(parts) if all(map(_is_term, parts)) else ()


def _is_term(words: str) -> bool:
    return 0 < len(words.split()) <= _LONGEST_TERM and not re.search(r"[.!?:]\s|[.!?:]$", words)


def starts_term(text: str) -> bool:
    """Say whether a line names a glossary headword and its change."""
    term = term_in(text)
    return bool(term) and text.casefold().startswith("glossary") and not kind_in(term)


def term_in(text: str) -> str:
    """Return the headword of "Glossary: Lamp: this entry is new."."""
    parts = text.split(":", 2)
    return parts[1].strip() if len(parts) == 3 else ""  # noqa: PLR2004


def kind_below(headline: str) -> AnnouncementKind | None:
    """Return the kind that a headline such as "New rules" implies; None for "Rules changes"."""
    kind = kind_in(headline) if _OF_RULES.search(headline) else None
    return None if kind is AnnouncementKind.REWORDED else kind
