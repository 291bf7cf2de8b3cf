"""Recognises translations, which have the numbers of an edition in another language."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.quotations.quotation_matching import Quoted
from variorum_kb.sources.comparing.attestation_types import Attested, PassageVerdict
from variorum_kb.sources.comparing.excerpts.excerpt_quotes import runs_of
from variorum_kb.sources.comparing.excerpts.passage_words import said_by, set_quote
from variorum_kb.sources.comparing.excerpts.quoted_provision import QuotedProvision
from variorum_kb.sources.reading.passages.passages import Partial
from variorum_kb.text.words import set_of, words_of
from variorum_kb.thresholds.passages import ENGLISH, TRANSLATED_NUMBERS

_ENGLISH = set_of("a an and are be by can if in is it of or that the this to with")
# The fewest numbers of a translation, and the fewest that determine its edition.
_FEWEST, _FEWEST_TO_DATE = 2, 10
_SECTION_LENGTH = 3


def is_english(texts: Iterable[str]) -> bool:
    """Say whether texts are in English, judged by its commonest words.

    >>> is_english(["The keeper trims the wick of a lamp."]), is_english(["Se apaga la vela."])
    (True, False)
    """
    words = [word.casefold() for text in texts for word in words_of(text)]
    return sum(word in _ENGLISH for word in words) >= ENGLISH * max(len(words), 1)


def find_translation(
    base: KnowledgeBase, partial: Partial, quotes: Sequence[QuotedProvision]
) -> Attested | None:
    """Return what a translation attests; None for any other document."""
    quoted = [quote.quoted for quote in quotes]
    numbers = {text.number for text in quoted if "." in text.number}
    if len(numbers) < _FEWEST or is_english(text.words for text in quoted):
        return None
    shared, held = _counts(base, numbers, quoted)
    most = max(shared.values(), default=0)
    if most < TRANSLATED_NUMBERS * len(numbers):
        return None
    score = {
        place: shared[place] / (len(numbers) + held[place] - shared[place]) for place in shared
    }
    best = max(score.values())
    ties = [place for place in sorted(score) if score[place] == best]
    is_dated = len(numbers) >= _FEWEST_TO_DATE
    labels = [edition.label for edition in base.editions]
    counted = f"{shared[ties[-1]]} of its {len(numbers)} numbers stand in {runs_of(ties, labels)}"
    headline = (
        f"a translation of {labels[ties[-1]]}?"
        if is_dated
        else "a translation, too short to say of which edition:"
    )
    return replace(
        said_by(partial, ties if is_dated else ()),
        layout="translation",
        of=len(quotes),
        evidence=(partial.evidence, f"{headline} {counted}"),
        passages=tuple(
            [
                set_quote(quote, PassageVerdict.UNKNOWN, "its words are in another language")
                for quote in quotes
            ]
        ),
    )


def _counts(
    base: KnowledgeBase, numbers: set[str], quoted: Sequence[Quoted]
) -> tuple[Mapping[int, int], Mapping[int, int]]:
    """Return, by edition, the counts of shared numbers and of all numbers in their sections."""
    sections = {text.number[:_SECTION_LENGTH] for text in quoted if "." in text.number}
    shared = dict.fromkeys(range(len(base.editions)), 0)
    held = dict.fromkeys(range(len(base.editions)), 0)
    spans = base.whole.spans
    for state, provision in base.whole.states.items():
        if "." not in provision.number or provision.number[:_SECTION_LENGTH] not in sections:
            continue
        for first, last in spans.get(state, ()):
            for place in range(first, last + 1):
                held[place] += 1
                shared[place] += provision.number in numbers
    return shared, held
