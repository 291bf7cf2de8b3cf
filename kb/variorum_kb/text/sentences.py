"""Sentences of a text.

Each task divides texts differently, and answers depend on the differences:

| function               | divides at                                | for                          |
| ---------------------- | ----------------------------------------- | ---------------------------- |
| `sentence_spans`       | line ends; quotations are not divided     | excerpts in search           |
| `sentence_around` (*)  | line ends, and blanks after few signs     | the sentence of a citation   |
| `sentences_of`         | line ends; drops what closes a quotation  | prose about rules            |
| `sentences_of_bulletin` | as in prose, but no line ends             | announcements                |
| `sentences_of_rules`   | also colons; keeps every character        | rules that run on            |
| `rough_sentences`      | any blank after a full stop               | counting                     |

(*) In the module `sentence_around`, since look-ups need it and the patterns here compile slowly.
"""

import re

STOPS = (".", "!", "?")
STOPS_AND_COLON = (*STOPS, ":")
# Characters that may follow the end of a sentence.
CLOSING = "\"'”’)]"
# A sentence ends only where another begins: not within "704.5k" or after a quotation inside it.
_END = re.compile(r"(?<=[.!?])[\"”’')]*(?=\s+[A-Z0-9\"“‘(\[{])|\n")
_IN_PROSE = re.compile(rf"(?<=[.!?])[{re.escape(CLOSING)}]*\s+(?=[“\"‘'(\[]?[A-Z0-9])|\n+")
_IN_BULLETINS = re.compile(rf"(?<=[.!?])[{re.escape(CLOSING)}]*\s+(?=[A-Z\"“(\[0-9])")
_CLOSED = rf"[{re.escape(CLOSING)}]"
# Up to three closing signs may follow the period of a sentence, as in ".)]”".
_IN_RULES = re.compile(
    r"(?:(?<=[.!?:])(?<!Example:)(?<!Examples:)"
    rf"|(?<=[.!?]{_CLOSED})|(?<=[.!?]{_CLOSED * 2})|(?<=[.!?]{_CLOSED * 3}))"
    r"\s+(?=[A-Z“\"‘'({\[])"
)
_ROUGH = re.compile(r"(?<=[.!?])\s+")
_BETWEEN = re.compile(rf"[.!?][{re.escape(CLOSING)}]*\s")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of a text begin and end, without the blanks around them.

    >>> text = "See rule 702.9b. (It flies.) It says “Draw.” or “Discard.” twice."
    >>> [text[start:stop] for start, stop in sentence_spans(text)]
    ['See rule 702.9b.', '(It flies.)', 'It says “Draw.” or “Discard.” twice.']
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for stop in [*(end.end() for end in _END.finditer(text)), len(text)]:
        words = text[start:stop]
        if stop < len(text) and _is_open(words) and text[stop - 1] != "\n":
            continue  # only a quoted sentence ends here
        if words.strip():
            first = start + len(words) - len(words.lstrip())
            spans.append((first, start + len(words.rstrip())))
        start = stop
    return spans or [(0, len(text))]


def _is_open(words: str) -> bool:
    """Return whether a quotation begins in some words but does not end."""
    return words.count("“") > words.count("”") or words.count('"') % 2 == 1


def sentences_of(text: str) -> list[str]:
    """Return the sentences of prose.

    >>> sentences_of("It is gone. Is it? Yes.")
    ['It is gone.', 'Is it?', 'Yes.']
    """
    return [sentence.strip() for sentence in _IN_PROSE.split(text) if sentence.strip()]


def sentences_of_bulletin(text: str) -> list[str]:
    """Return the sentences of a paragraph that announces changes.

    >>> sentences_of_bulletin("205.3: This rule is new. 205.4 is gone.")
    ['205.3: This rule is new.', '205.4 is gone.']
    """
    return [sentence.strip() for sentence in _IN_BULLETINS.split(text) if sentence.strip()]


def sentences_of_rules(text: str) -> list[str]:
    """Return the sentences of a text of rules; words before a colon count as a sentence.

    >>> sentences_of_rules("It says: (Draw.) Then discard. Example: It goes.")
    ['It says:', '(Draw.)', 'Then discard.', 'Example: It goes.']
    """
    return _IN_RULES.split(text)


def rough_sentences(text: str) -> list[str]:
    """Divide a text after each full stop, including those of abbreviations.

    >>> rough_sentences("Mr. X draws. so")
    ['Mr.', 'X draws.', 'so']
    """
    return _ROUGH.split(text)


def ends_sentence(
    text: str, stops: tuple[str, ...] = STOPS_AND_COLON, closing: str = CLOSING
) -> bool:
    """Return whether a sentence may end at the end of a text.

    Args:
        text: A line or a paragraph.
        stops: The signs that end a sentence.
        closing: The characters that may follow them.

    >>> ends_sentence("(It says “draw.”)"), ends_sentence("It says"), ends_sentence("")
    (True, False, False)
    """
    return text.rstrip(closing).endswith(stops)


def ends_marked_sentence(text: str) -> bool:
    """Return whether a sentence may end at the end of a Markdown or wikitext text, before markup.

    >>> ends_marked_sentence("See **rule 702.9.**"), ends_sentence("See **rule 702.9.**")
    (True, False)
    """
    return ends_sentence(text, closing=f"{CLOSING}*_")


def has_sentence_end(text: str, start: int, stop: int) -> bool:
    """Return whether a sentence ends between two places of a text.

    >>> has_sentence_end("It flies. See 702.9b.", 0, 12), has_sentence_end("See 702.9b. So", 0, 10)
    (True, False)
    """
    return _BETWEEN.search(text, start, stop) is not None
