"""Provisions as people paste them: without numbers, wrapped, run on, with broken words."""

import textwrap
from collections.abc import Iterable, Iterator
from enum import Enum

from variorum_kb.answers.subject import Subject


class Form(Enum):
    """The forms in which paragraphs are pasted."""

    APART = "a paragraph a line, blank lines between them"
    LINES = "a paragraph a line"
    WRAPPED = "wrapped at 72 columns, nothing between them"
    NARROW = "wrapped at 40 columns, nothing between them"
    BROKEN = "wrapped, with words broken at the ends of lines"
    RUN_ON = "all in one line"
    FLOWING = "all in one paragraph, wrapped"


def pasted(matches: Iterable[Subject], form: Form, *, cut: int = 0) -> str:
    """Return the words of provisions without their numbers and headwords.

    Args:
        matches: Provisions in printed order.
        form: The form of the text.
        cut: How many words are missing at the beginning and at the end.
    """
    parts = list(_paragraphs(matches))
    if cut:
        parts[0] = " ".join(parts[0].split()[cut:])
        parts[-1] = " ".join(parts[-1].split()[:-cut])
    match form:
        case Form.APART:
            return "\n\n".join(parts) + "\n"
        case Form.LINES:
            return "\n".join(parts) + "\n"
        case Form.WRAPPED | Form.NARROW:
            width = 72 if form is Form.WRAPPED else 40
            return "\n".join([_wrapped(part, width) for part in parts]) + "\n"
        case Form.BROKEN:
            return "\n".join([_broken(part, 60) for part in parts]) + "\n"
        case Form.RUN_ON:
            return " ".join(parts) + "\n"
        case Form.FLOWING:
            return _wrapped(" ".join(parts), 72) + "\n"


def _paragraphs(matches: Iterable[Subject]) -> Iterator[str]:
    for match in matches:
        yield from [paragraph for paragraph in match.text.split("\n") if paragraph]
        yield from [f"Example: {example}" for example in match.examples]


def _wrapped(text: str, width: int) -> str:
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


def _broken(text: str, width: int) -> str:
    """Wrap a text; purely alphabetic words are broken if that fills a line."""
    lines: list[str] = [""]
    for word in text.split():
        room = width - len(lines[-1]) - 2
        if len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] = f"{lines[-1]} {word}".strip()
        elif word.isalpha() and 3 <= room <= len(word) - 3:
            lines[-1] += f" {word[:room]}-"
            lines.append(word[room:])
        else:
            lines.append(word)
    return "\n".join(lines)
