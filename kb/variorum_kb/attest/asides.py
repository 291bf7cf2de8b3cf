"""Words that stand among quoted rules and are none of them, and rules that run on in one text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from variorum_kb.answers.identify import FEWEST_WORDS, Identifier, Quoted, folded
from variorum_kb.attest.quote import Quote

_SENTENCE = re.compile(
    r"(?:(?<=[.!?])|(?<=[.!?][”\"’')\]])|(?<=[.!?][”\"’'][)\]]))\s+(?=[A-Z“\"‘'({\[])"
)
_EXAMPLE = re.compile(r"Examples?:\s+")
# Shorter texts are hardly two provisions.
_FEWEST_RUN_ON = 25
# So many texts are looked up among all words, so that it stays quick.
_MOST_LOOKED_FOR = 20
_MOSTLY = 0.5
# Less like any provision than this is an aside; a few words are like something soon.
_LIKE, _LIKE_OF_FEW = 0.65, 0.8
_FEW = 12


def set_apart(quotes: Sequence[Quote], identifier: Identifier) -> list[Quote]:
    """Return quotes, parted where they run on, and told from what only stands among them.

    A text without a number that is like nothing in any edition is an aside, such as "Here is what
    the rules say.", where the document quotes rules by their numbers. So is a paragraph behind a
    rule without which the rule stands word for word.

    Args:
        quotes: In printed order.
        identifier: Knows all editions.
    """
    found = identifier.find([one.quoted for one in quotes])
    known = [bool(one.states) for one in found]
    numbered = [is_known for one, is_known in zip(found, known, strict=True) if one.quoted.number]
    is_numbered = sum(numbered) > _MOSTLY * len(numbered)
    apart: list[Quote] = []
    looked = 0
    for quote, is_known in zip(quotes, known, strict=True):
        if is_known or looked >= _MOST_LOOKED_FOR:
            apart.append(quote)
        elif quote.quoted.is_loose:
            parts = list(_parts(quote, identifier))
            is_aside = len(parts) == 1 and is_numbered and _is_aside(quote.quoted, identifier)
            apart += [replace(quote, is_aside=True)] if is_aside else parts
            looked += is_numbered
        else:
            apart.append(_without_asides(quote, identifier) if quote.quoted.number else quote)
            looked += 1
    return apart


def _is_aside(quoted: Quoted, identifier: Identifier) -> bool:
    is_end = quoted.is_cut_before and len(folded(quoted.words).split()) < FEWEST_WORDS
    return not is_end and _is_unlike(quoted.words, identifier)


def _is_unlike(words: str, identifier: Identifier) -> bool:
    text = Quoted("", "", words, is_loose=True)
    length = len(folded(words).split())
    if length < FEWEST_WORDS:
        return not identifier.find([text])[0].states
    least = _LIKE_OF_FEW if length < _FEW else _LIKE
    return all(one.likeness < least for one in identifier.nearest_anywhere(text)[:1])


def _without_asides(quote: Quote, identifier: Identifier) -> Quote:
    """Return a rule without the paragraphs behind it that are none of it."""
    above = quote.quoted.text.split("\n")
    for end in range(len(above) - 1, 0, -1):
        quoted = quote.quoted._replace(text="\n".join(above[:end]), is_cut_after=False)
        if identifier.find([quoted])[0].states:
            rest = above[end:]
            if all(_is_unlike(words, identifier) for words in rest):
                return replace(quote, quoted=quoted, aside=" ".join(rest))
    return quote


def _parts(quote: Quote, identifier: Identifier) -> Iterator[Quote]:
    """Yield the provisions of a text without a number, told by which sentences stand together."""
    quoted = quote.quoted
    sentences = _SENTENCE.split(quoted.text)
    is_long = len(quoted.text.split()) >= _FEWEST_RUN_ON and len(sentences) > 1
    groups = _groups(sentences, identifier) if is_long and not quoted.examples else []
    if len(groups) < 2:  # noqa: PLR2004
        yield quote
        return
    for place, text in enumerate(groups):
        part = quoted._replace(
            text=text,
            is_cut_before=quoted.is_cut_before and place == 0,
            is_cut_after=quoted.is_cut_after and place == len(groups) - 1,
            is_last=quoted.is_last and place == len(groups) - 1,
        )
        yield replace(quote, quoted=part)


def _groups(sentences: Sequence[str], identifier: Identifier) -> list[str]:
    """Return the sentences in as few texts as stand in one provision each; none if few do."""
    wanted = [_EXAMPLE.sub("", one, count=1) for one in sentences]
    found = identifier.find([Quoted("", "", one, is_loose=True) for one in wanted])
    groups: list[str] = []
    known: list[set[int] | None] = []
    for sentence, text, one in zip(sentences, wanted, found, strict=True):
        here = set(one.states) if one.states or len(folded(text).split()) >= FEWEST_WORDS else None
        both = _both(known[-1], here) if groups else set[int]()
        if both is not None and not both and groups and text.startswith(("(", "See ")):
            # What is an entry by itself may stand in this rule, too.
            joined = Quoted("", "", f"{groups[-1]} {text}", is_loose=True)
            both = set(identifier.find([joined])[0].states)
        if groups and (both is None or both) and sentence == text:
            groups[-1] += f" {text}"
            known[-1] = both
        else:
            groups.append(text)
            known.append(here)
    return groups if sum(map(bool, known)) > _MOSTLY * len(groups) else []


def _both(states: set[int] | None, here: set[int] | None) -> set[int] | None:
    """Return where two sentences stand together; None where neither says."""
    if states is None or here is None:
        return here if states is None else states
    return states & here
