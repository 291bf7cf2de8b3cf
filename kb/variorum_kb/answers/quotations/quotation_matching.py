"""Folds quoted provisions and decides whether a state has their words."""

from typing import NamedTuple

from variorum_kb.rows import State, examples_of, text_of
from variorum_kb.text.folding import fold_words

# A search for a passage uses this many of its words.
_LOOKED_FOR = 4


class Quoted(NamedTuple):
    """A quoted provision.

    Attributes:
        number: As printed; "" if there is none.
        heading: The heading of a section or keyword rule, or a headword; "" if there is none.
        text: Its paragraphs, joined by line feeds, without examples.
        examples: The examples, in printed order.
        is_entry: Whether it is among definitions of the glossary.
        is_cut_before: Whether its beginning is missing.
        is_cut_after: Whether its end is missing.
        is_loose: Whether it has no number or headword and is not among definitions.
        is_last: Whether the document ends with it, so that examples may be missing.
    """

    number: str
    heading: str
    text: str
    examples: tuple[str, ...] = ()
    is_entry: bool = False
    is_cut_before: bool = False
    is_cut_after: bool = False
    is_loose: bool = False
    is_last: bool = False

    @property
    def is_part(self) -> bool:
        """Return whether it may be only part of a provision."""
        return self.is_cut_before or self.is_cut_after or self.is_loose

    @property
    def words(self) -> str:
        """Return the text and then the examples, joined by line feeds."""
        return "\n".join([part for part in (self.text, *self.examples) if part])


class Folded(NamedTuple):
    """Words, folded.

    Attributes:
        text: All paragraphs except examples.
        paragraphs: Each such paragraph, if there are several.
        examples: Each example.
        whole: The text, and then the examples.
    """

    text: str
    paragraphs: tuple[str, ...]
    examples: tuple[str, ...]
    whole: str


class Wanted(NamedTuple):
    """A quoted provision, folded."""

    quoted: Quoted
    heading: str
    words: Folded

    @property
    def rare(self) -> list[str]:
        """Return the longest words, for searching."""
        words = {word for word in self.words.whole.split() if word.isascii() and word.isalpha()}
        return sorted(words, key=lambda word: (-len(word), word))[:_LOOKED_FOR]


def fold_body(body: str) -> Folded:
    """Fold the paragraphs of a state."""
    return _fold_parts(text_of(body), tuple(examples_of(body)))


def want(quoted: Quoted) -> Wanted:
    """Fold a quotation."""
    return Wanted(quoted, fold_words(quoted.heading), _fold_parts(quoted.text, quoted.examples))


def _fold_parts(text: str, examples: tuple[str, ...]) -> Folded:
    parts = text.split("\n")
    paragraphs = tuple(map(fold_words, parts)) if parts[1:] else ()
    shown_text = fold_words(" ".join(parts))
    shown = tuple(map(fold_words, examples))
    return Folded(
        shown_text, paragraphs, shown, " ".join([words for words in (shown_text, *shown) if words])
    )


def says(state: State, words: Folded, wanted: Wanted, *, with_examples: bool) -> bool:
    """Return whether a state has a quoted provision word for word.

    Args:
        state: Any state.
        words: The state's words, folded.
        wanted: The quoted provision.
        with_examples: Whether the document has examples. A document that has one
            example has all.
    """
    is_entry = state.kind == "glossary"
    if not is_entry and _is_headed(state, words, wanted):
        return True
    return _is_of(state, wanted) and _says_words(
        words, wanted, is_entry=is_entry, with_examples=with_examples
    )


def _is_headed(state: State, words: Folded, wanted: Wanted) -> bool:
    """Return whether a quotation is a heading alone, or a number with a heading as its only text."""
    quoted = wanted.quoted
    is_bare = bool(quoted.number) and not wanted.heading and not words.whole
    return (quoted.is_loose or is_bare) and wanted.words.whole == fold_words(state.heading) != ""


def _is_of(state: State, wanted: Wanted) -> bool:
    """Return whether a state may be the source: its kind and its heading fit the quotation."""
    quoted, is_entry = wanted.quoted, state.kind == "glossary"
    if not quoted.is_loose and is_entry != (quoted.is_entry and not quoted.number):
        return False
    return not wanted.heading or wanted.heading == fold_words(state.heading)


def _says_words(words: Folded, wanted: Wanted, *, is_entry: bool, with_examples: bool) -> bool:
    quoted = wanted.quoted
    # Without headwords, the bounds of an entry are unknown.
    is_headless = (is_entry and not wanted.heading) or quoted.is_loose
    if quoted.is_cut_before or quoted.is_cut_after:
        if is_headless and any(
            _is_part(text, wanted.words.whole, quoted)
            for text in (words.text, *words.paragraphs, *words.examples)
        ):
            return True
        text, part = (words.whole, wanted.words.whole) if with_examples else (words.text, "")
        return _is_part(text, part or wanted.words.text, quoted)
    if wanted.words.text != words.text and not (
        is_headless and wanted.words.whole in (*words.paragraphs, *words.examples)
    ):
        return False
    return not with_examples or _has_examples(words, wanted)


def _is_part(text: str, part: str, quoted: Quoted) -> bool:
    """Return whether a text begins with, ends with or contains a part, depending on the cut."""
    if quoted.is_cut_before and quoted.is_cut_after:
        return part in text
    return text.endswith(part) if quoted.is_cut_before else text.startswith(part)


def _has_examples(words: Folded, wanted: Wanted) -> bool:
    quoted, shown = wanted.quoted, wanted.words.examples
    if quoted.is_loose and not (shown and wanted.words.text):
        return True  # a piece of a provision may be only its text or its examples
    return words.examples[: len(shown)] == shown if quoted.is_last else words.examples == shown


def holds(words: Folded, wanted: Wanted) -> bool:
    """Return whether a state contains a passage, whatever its number and heading."""
    return f" {wanted.words.whole} " in f" {words.whole} "
