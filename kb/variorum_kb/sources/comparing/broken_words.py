"""Words that were broken at the ends of lines are put together again."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from variorum_kb.answers.identify import Identifier
from variorum_kb.sources.reading.passages import (
    Claim,
    Partial,
    Passage,
    PassageKind,
    PassageParagraph,
)

_BROKEN = re.compile(r"(?<![\w-])([^\W\d_]{2,})[-\u2010]([^\W\d_]{2,})(?![\w-])")


def without_breaks(partial: Partial, identifier: Identifier) -> Partial:
    """Return a document with its broken words put together, as the editions have them.

    "Com-bat" is one that no edition has, while some has "combat"; "face-down" is none.

    Args:
        partial: Any document but a bulletin; what its passages of prose quote stays as it is.
        identifier: Knows the words of all editions.
    """
    texts = [one.text for passage in _quoting(partial) for one in passage.paragraphs]
    texts += [one.headword or one.heading for one in _quoting(partial)]
    broken = {
        match[0]: "".join(match.groups()) for text in texts for match in _BROKEN.finditer(text)
    }
    mended = {
        word: whole
        for word, whole in broken.items()
        if not identifier.has_letters(word.replace("\u2010", "-")) and identifier.has_letters(whole)
    }
    if not mended:
        return partial
    passages = [
        one if one.kind is PassageKind.PROSE else _mend_passage(one, mended)
        for one in partial.passages
    ]
    return replace(partial, passages=tuple(passages))


def _quoting(partial: Partial) -> Iterable[Passage]:
    return [one for one in partial.passages if one.kind is not PassageKind.PROSE]


def _mend_passage(passage: Passage, mended: Mapping[str, str]) -> Passage:
    return replace(
        passage,
        headword=_mend(passage.headword, mended),
        heading=_mend(passage.heading, mended),
        paragraphs=tuple([_mend_paragraph(one, mended) for one in passage.paragraphs]),
    )


def _mend_paragraph(paragraph: PassageParagraph, mended: Mapping[str, str]) -> PassageParagraph:
    text = paragraph.text
    lost = [match.end(1) for match in _BROKEN.finditer(text) if match[0] in mended]
    claims = [_shifted(claim, lost) for claim in paragraph.claims]
    return replace(paragraph, text=_mend(text, mended), claims=tuple(claims))


def _shifted(claim: Claim, lost: Iterable[int]) -> Claim:
    """Return a claim about words before which some hyphens were lost."""
    places = list(lost)
    start = claim.start - sum(place < claim.start for place in places)
    return replace(claim, start=start, end=claim.end - sum(place < claim.end for place in places))


def _mend(text: str, mended: Mapping[str, str]) -> str:
    return _BROKEN.sub(lambda match: mended.get(match[0], match[0]), text)
