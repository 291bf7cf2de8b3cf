"""Converts documents that are not editions to the forms of docs/json.md."""

from collections.abc import Iterator

from variorum_kb.forms.document import (
    AnnouncementJson,
    ClaimJson,
    PassageJson,
    ReadWitnessJson,
    StatedJson,
    WitnessDocumentJson,
    WitnessLedgerJson,
)
from variorum_kb.model import Condition
from variorum_kb.sources.reading.bulletins.announcements import Announcement
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin
from variorum_kb.sources.reading.passages.passages import Claim, Partial, Passage, Stated

Witness = Partial | Bulletin
_LOST = "\N{REPLACEMENT CHARACTER}"


def witness_json(document: Witness) -> ReadWitnessJson:
    """Return a document in its JSON form."""
    if isinstance(document, Bulletin):
        return {
            "document": about_json(document),
            "passages": [],
            "announcements": [
                _announcement(announcement) for announcement in document.announcements
            ],
            "furniture": [],
        }
    return {
        "document": about_json(document),
        "passages": [_passage(passage) for passage in document.passages],
        "announcements": [],
        "furniture": [
            {"role": part.role.value, "text": part.text, "line": part.line}
            for part in document.furniture
        ],
    }


def about_json(document: Witness) -> WitnessDocumentJson:
    """Return the metadata of a document and its counts."""
    matter = document.matter if isinstance(document, Bulletin) else document
    about: WitnessDocumentJson = {
        "layout": "",
        "evidence": "",
        "markup": document.markup.value,
        "sha256": document.sha256,
        "encoding": document.decoding.encoding,
        "reason": document.decoding.reason,
        "line_ends": None,
        "title": matter.title,
        "author": matter.author,
        "source": matter.source,
        "edition": None,
        "dated": _stated(matter.dated),
        "effective": "",
        "sets": [],
        "counts": {},
        "condition": _condition_of(document).value,
        "notes": list(_notes_of(document)),
    }
    if isinstance(document, Bulletin):
        number = len(document.announcements)
        return {
            **about,
            "layout": "bulletin",
            "evidence": f"{number} changes to the rules are announced by number or headword",
            "effective": document.matter.effective,
            "sets": list(document.matter.sets),
            "counts": {"announcement": number, "entry": document.entries},
        }
    ends = document.line_ends
    return {
        **about,
        "layout": document.layout.value,
        "evidence": document.evidence,
        "line_ends": {"crlf": ends.crlf, "cr": ends.cr, "lf": ends.lf},
        "edition": _stated(document.edition),
        "counts": document.counts(),
    }


def witness_ledger_json(document: Witness) -> WitnessLedgerJson:
    """Return the ledger of a document."""
    ledger, about = document.ledger, about_json(document)
    return {
        "layout": about["layout"],
        "lines": ledger.lines,
        "blank": ledger.blank,
        "accounted": {role.value: number for role, number in ledger.accounted},
        "unaccounted": list(ledger.unaccounted),
        "characters": ledger.characters,
        "characters_kept": ledger.characters_kept,
        "markup": ledger.markup,
        "condition": about["condition"],
        "reason": about["reason"],
        "notes": about["notes"],
    }


def _condition_of(document: Witness) -> Condition:
    """Return whether a document was repaired, or has lost characters."""
    if any(_LOST in text for text in _texts(document)):
        return Condition.LOSSY
    return Condition.REPAIRED if _notes_of(document) else Condition.SOUND


def _notes_of(document: Witness) -> tuple[str, ...]:
    return document.decoding.repairs if isinstance(document, Bulletin) else document.notes


def _texts(document: Witness) -> Iterator[str]:
    if isinstance(document, Bulletin):
        yield from (
            f"{announcement.words}{announcement.reason}" for announcement in document.announcements
        )
        return
    yield from (part.text for part in document.furniture)
    for passage in document.passages:
        yield passage.headword + passage.heading
        yield from (paragraph.text for paragraph in passage.paragraphs)


def _stated(stated: Stated | None) -> StatedJson | None:
    if stated is None:
        return None
    day = stated.day.isoformat() if stated.day else None
    return {"words": stated.words, "day": day, "line": stated.line or None}


def _passage(passage: Passage) -> PassageJson:
    return {
        "kind": passage.kind.value,
        "number": passage.number,
        "printed": passage.printed,
        "headword": passage.headword,
        "heading": passage.heading,
        "paragraphs": [
            {
                "text": paragraph.text,
                "marker": paragraph.marker,
                "line": paragraph.line,
                "claims": [_claim(claim) for claim in paragraph.claims],
            }
            for paragraph in passage.paragraphs
        ],
        "under": passage.under,
        "about": passage.about,
        "edition": passage.edition,
        "quotations": [
            {"start": quotation.start, "end": quotation.end, "number": quotation.number}
            for quotation in passage.quotations
        ],
        "cut_before": passage.is_cut_before,
        "cut_after": passage.is_cut_after,
        "first": passage.first,
        "last": passage.last,
    }


def _claim(claim: Claim) -> ClaimJson:
    return {
        "words": claim.words,
        "source": claim.source,
        "day": claim.day.isoformat() if claim.day else None,
        "start": claim.start,
        "end": claim.end,
    }


def _announcement(announcement: Announcement) -> AnnouncementJson:
    return {
        "kind": announcement.kind.value,
        "old": list(announcement.old),
        "new": list(announcement.new),
        "words": announcement.words,
        "reason": announcement.reason,
        "line": announcement.line,
        "term": announcement.is_term,
        "implied": announcement.is_implied,
        "said": announcement.is_said,
    }
