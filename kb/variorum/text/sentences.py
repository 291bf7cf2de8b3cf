"""Sentences of a text.

Each task divides texts differently, and answers depend on the differences:

| function               | divides at                                | for                          |
| ---------------------- | ----------------------------------------- | ---------------------------- |
| `sentence_spans`       | line ends; quotations are not divided     | excerpts in search           |
| `sentence_around` (*)  | line ends, and blanks after few signs     | the sentence of a citation   |
| `sentences_of`         | line ends; drops what closes a quotation  | prose about rules            |
| `sentences_of_rules`   | also colons; keeps every character        | rules that run on            |

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
_CLOSED = rf"[{re.escape(CLOSING)}]"
# Up to three closing signs may follow the period of a sentence, as in ".)]”".
_IN_RULES = re.compile(
    r"(?:(?<=[.!?:])(?<!Example:)(?<!Examples:)"
    rf"|(?<=[.!?]{_CLOSED})|(?<=[.!?]{_CLOSED * 2})|(?<=[.!?]{_CLOSED * 3}))"
    r"\s+(?=[A-Z“\"‘'({\[])"
)


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


def sentences_of_rules(text: str) -> list[str]:
    """Return the sentences of a text of rules; words before a colon count as a sentence.

    >>> sentences_of_rules("It says: (Draw.) Then discard. Example: It goes.")
    ['It says:', '(Draw.)', 'Then discard.', 'Example: It goes.']
    """
    return _IN_RULES.split(text)


def ends_sentence(text: str, stops: tuple[str, ...] = STOPS_AND_COLON) -> bool:
    """Return whether a sentence may end at the end of a line or paragraph.

    >>> ends_sentence("(It says “draw.”)"), ends_sentence("It says"), ends_sentence("")
    (True, False, False)
    """
    return text.rstrip(CLOSING).endswith(stops)
