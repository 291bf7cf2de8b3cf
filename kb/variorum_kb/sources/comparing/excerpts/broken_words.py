"""Rejoins words that were hyphenated at the ends of lines."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from variorum_kb.answers.quotations.quotation_search import Identifier
from variorum_kb.sources.reading.passages.passages import (
    Claim,
    Partial,
    Passage,
    PassageKind,
    PassageParagraph,
)

_BROKEN = re.compile(r"(?<![\w-])([^\W\d_]{2,})[-\u2010]([^\W\d_]{2,})(?![\w-])")


def without_breaks(partial: Partial, identifier: Identifier) -> Partial:
    """Return a document with its hyphenated words rejoined as the editions print them.

    "Com-bat" is rejoined, because an edition has "combat" and none has "com-bat". "Face-down" is
    kept.
    """
    texts = [paragraph.text for passage in _quoting(partial) for paragraph in passage.paragraphs]
    texts += [passage.headword or passage.heading for passage in _quoting(partial)]
    broken = {
        match[0]: "".join(match.groups()) for text in texts for match in _BROKEN.finditer(text)
    }
    texts_of_base = identifier.texts
    mended = {
        word: joined
        for word, joined in broken.items()
        if not texts_of_base.have_letters(word.replace("\u2010", "-"))
        and texts_of_base.have_letters(joined)
    }
    if not mended:
        return partial
    passages = [
        passage if passage.kind is PassageKind.PROSE else _mend_passage(passage, mended)
        for passage in partial.passages
    ]
    return replace(partial, passages=tuple(passages))


def _quoting(partial: Partial) -> Iterable[Passage]:
    return [passage for passage in partial.passages if passage.kind is not PassageKind.PROSE]


def _mend_passage(passage: Passage, mended: Mapping[str, str]) -> Passage:
    return replace(
        passage,
        headword=_mend(passage.headword, mended),
        heading=_mend(passage.heading, mended),
        paragraphs=tuple([_mend_paragraph(paragraph, mended) for paragraph in passage.paragraphs]),
    )


def _mend_paragraph(paragraph: PassageParagraph, mended: Mapping[str, str]) -> PassageParagraph:
    text = paragraph.text
    lost = [match.end(1) for match in _BROKEN.finditer(text) if match[0] in mended]
    claims = [_shifted(claim, lost) for claim in paragraph.claims]
    return replace(paragraph, text=_mend(text, mended), claims=tuple(claims))


def _shifted(claim: Claim, lost: Iterable[int]) -> Claim:
    """Return a claim with its position adjusted for hyphens removed before it."""
    places = list(lost)
    start = claim.start - sum(place < claim.start for place in places)
    return replace(claim, start=start, end=claim.end - sum(place < claim.end for place in places))


def _mend(text: str, mended: Mapping[str, str]) -> str:
    return _BROKEN.sub(lambda match: mended.get(match[0], match[0]), text)
