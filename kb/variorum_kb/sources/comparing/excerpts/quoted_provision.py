"""A provision as a document quotes it."""

from dataclasses import dataclass

from variorum_kb.answers.quotations.quotation_matching import Quoted
from variorum_kb.answers.quotations.quotation_search import FEWEST_WORDS
from variorum_kb.sources.reading.passages.passages import Passage, PassageKind
from variorum_kb.text.folding import fold_words

LONGEST_HEADWORD = 8
_LATIN = "\u024f"


@dataclass(frozen=True, slots=True)
class QuotedProvision:
    """Passages that quote one provision.

    Attributes:
        passages: Usually one; for an unmarked headword, also the passages below it.
        quoted: The words to look up.
        broken_off: The headword or number after it that ends the document; "" if there is none.
        aside: Text after it that is not part of the provision; "" if there is none.
        is_aside: Whether it is text between rules, not a rule.
        is_short: Whether it is part of a text and too short to identify.
    """

    passages: tuple[Passage, ...]
    quoted: Quoted
    broken_off: str = ""
    aside: str = ""
    is_aside: bool = False
    is_short: bool = False

    @property
    def is_telling(self) -> bool:
        """Say whether there are enough words to look up."""
        if self.is_aside or self.is_short:
            return False
        quoted = self.quoted
        if quoted.is_last and quoted.is_entry and not quoted.heading:
            return len(quoted.words.split()) > LONGEST_HEADWORD
        return (
            bool(quoted.heading or (quoted.number and quoted.words))
            or len(fold_words(quoted.words).split()) >= FEWEST_WORDS
        )


def quoted_of(passage: Passage) -> Quoted:
    """Return the words to look up for a passage that quotes rules."""
    texts = passage.text.split("\n")
    own = [text for text in texts if not _is_foreign(text)]
    return Quoted(
        passage.number,
        passage.headword or passage.heading,
        "\n".join(own or texts),
        passage.examples,
        is_entry=passage.kind is PassageKind.GLOSSARY,
        is_cut_before=passage.is_cut_before,
        is_cut_after=passage.is_cut_after,
        is_loose=passage.kind is PassageKind.TEXT,
    )


def _is_foreign(text: str) -> bool:
    """Say whether a paragraph is in another script, such as a translation below a rule."""
    if text.isascii():
        return False
    letters = [sign for sign in text if sign.isalpha()]
    return sum(sign > _LATIN for sign in letters) * 2 > len(letters)
