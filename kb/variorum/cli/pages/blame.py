"""Format the edition that added each word; without click."""

from itertools import groupby

from msgspec.structs import replace

from variorum.cli.pages.diff import EXAMPLE, paragraph
from variorum.rows import named
from variorum.terminal import bold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from variorum.records.lineage import DatedProvision, DatedSubrule, DatedWord

_DATE = 14


def set_blame(blame: "DatedProvision", *, width: int) -> str:
    """Format the answer of `cr history --words`."""
    lines = [f"{_name(blame)}  in the edition of {blame.edition}"]
    lines += _words(blame, width)
    for subrule in blame.subrules:
        lines += ["", _name(subrule), *_words(subrule, width)]
    return "\n".join([*lines, ""])


def _name(blamed: "DatedSubrule") -> str:
    return bold(named(blamed.number, blamed.term))


def _words(blamed: "DatedSubrule", width: int) -> "Iterator[str]":
    heading, words = blamed.heading, blamed.words
    if _text(heading) != _text(words):  # a heading stands in for missing words
        yield from _runs(heading, width)
    yield from _runs([*_with_examples_named(words, blamed.examples)], width)


def _with_examples_named(words: "list[DatedWord]", examples: int) -> "Iterator[DatedWord]":
    others = _text(words).count("\n") + 1 - examples
    ends, is_start = 0, True
    for word in words:
        name = EXAMPLE if is_start and ends >= others else ""
        yield replace(word, text=name + word.text)
        ends += word.text.count("\n")
        is_start = word.text.endswith("\n")


def _text(words: "list[DatedWord]") -> str:
    return "".join([word.text for word in words])


def _runs(words: "list[DatedWord]", width: int) -> "Iterator[str]":
    runs: list[tuple[str, str]] = []
    for since, group in groupby(words, key=lambda word: word.since):
        text = "".join([word.text for word in group])
        # Lone signs belong to the words before them.
        if runs and (runs[-1][0] == since or not any(sign.isalnum() for sign in text)):
            runs[-1] = runs[-1][0], runs[-1][1] + text
        else:
            runs.append((since, text))
    for since, run in runs:
        text = run.strip()
        first, *rest = paragraph(text, _DATE, width)
        yield f"  {since:<{_DATE - 2}}{first[_DATE:]}"
        yield from rest
