"""A provision as a document quotes it: the passages compared with one provision."""

from dataclasses import dataclass

from variorum_kb.answers.identify import FEWEST_WORDS, Quoted
from variorum_kb.sources.reading.passages import Passage, PassageKind
from variorum_kb.text.folding import fold_words

LONGEST_HEADWORD = 8
_LATIN = "\u024f"


@dataclass(frozen=True, slots=True)
class QuotedProvision:
    """Passages that quote one provision.

    Attributes:
        passages: Most often one; a headword that nothing marks as one, and what it heads.
        quoted: What is looked for.
        broken_off: The headword or number behind it that the document ends with; "" without.
        aside: What stands behind it, as if it were of it, and is not; "" without.
        is_aside: It stands among rules and is none.
        is_short: It is a part of a text, too short to say what of.
    """

    passages: tuple[Passage, ...]
    quoted: Quoted
    broken_off: str = ""
    aside: str = ""
    is_aside: bool = False
    is_short: bool = False

    @property
    def is_telling(self) -> bool:
        """Say whether there is enough of it to look for."""
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
    """Return what a passage of a kind that quotes rules is looked for by."""
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
    """Say whether a paragraph is in another script, as a translation below each rule is."""
    letters = [sign for sign in text if sign.isalpha()]
    return sum(sign > _LATIN for sign in letters) * 2 > len(letters)
