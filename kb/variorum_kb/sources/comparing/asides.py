"""Words that stand among quoted rules and are none of them."""

import re
from collections.abc import Sequence
from dataclasses import replace

from variorum_kb.answers.identify import FEWEST_WORDS, Identifier, Quoted
from variorum_kb.sources.comparing.quoted_provision import QuotedProvision
from variorum_kb.sources.comparing.run_on_text import RunningOn
from variorum_kb.text.folding import fold_words
from variorum_kb.thresholds import ASIDE, ASIDE_OF_FEW_WORDS, MOSTLY_KNOWN

# So many texts are looked up among all words, so that it stays quick.
_MOST_LOOKED_FOR = 20
_FEW = 12
# What a page puts behind a rule, to lead on to another.
_POINTER = re.compile(r"\s*\(?see (?:also )?(?:rule|section)s? [\w., ]{1,40}\)?\.?$", re.IGNORECASE)
# A beginning of fewer words is that of too much.
_TELLING = 7


def set_apart(quotes: Sequence[QuotedProvision], identifier: Identifier) -> list[QuotedProvision]:
    """Return quotes, parted where they run on, and told from what only stands among them.

    A text without a number that is like nothing in any edition is an aside, such as "Here is what
    the rules say.", where the document quotes rules by their numbers. So is a paragraph behind a
    rule without which the rule stands word for word.

    Args:
        quotes: In printed order.
        identifier: Knows all editions.
    """
    found = identifier.find([one.quoted for one in quotes])
    numbered = [bool(one.states) for one in found if one.quoted.number]
    is_numbered = sum(numbered) > MOSTLY_KNOWN * len(numbered)
    running = RunningOn(found, identifier)
    apart: list[QuotedProvision] = []
    looked = 0
    for quote, one in zip(quotes, found, strict=True):
        parts = running.parts(one)
        if one.states or looked >= _MOST_LOOKED_FOR or len(parts) > 1:
            apart += [replace(quote, quoted=part, is_short=is_short) for part, is_short in parts]
        elif quote.quoted.is_loose:
            is_aside = is_numbered and _is_aside(quote.quoted, identifier)
            apart.append(replace(quote, is_aside=is_aside))
            looked += is_numbered
        else:
            apart.append(_bounded(quote, identifier) if quote.quoted.number else quote)
            looked += 1
    return apart


def _is_aside(quoted: Quoted, identifier: Identifier) -> bool:
    is_end = quoted.is_cut_before and len(fold_words(quoted.words).split()) < FEWEST_WORDS
    return not is_end and _is_unlike(quoted.words, identifier)


def _is_unlike(words: str, identifier: Identifier) -> bool:
    text = Quoted("", "", words, is_loose=True)
    length = len(fold_words(words).split())
    if length < FEWEST_WORDS:
        return not identifier.find([text])[0].states
    least = ASIDE_OF_FEW_WORDS if length < _FEW else ASIDE
    return all(one.likeness < least for one in identifier.nearest_anywhere(text)[:1])


def _bounded(quote: QuotedProvision, identifier: Identifier) -> QuotedProvision:
    """Return a rule without what is none of it; one that breaks off is told to, if it does.

    Whoever answers a question quotes the sentence that matters, and not the rest of its rule.
    """
    bounded = _without_asides(quote, identifier)
    quoted = bounded.quoted
    is_worth_it = bounded is quote and not quoted.examples and not quoted.is_cut_after
    if not is_worth_it or len(fold_words(quoted.text).split()) < _TELLING:
        return bounded
    cut = quoted._replace(is_cut_after=True)
    return replace(quote, quoted=cut) if identifier.find([cut])[0].states else quote


def _without_asides(quote: QuotedProvision, identifier: Identifier) -> QuotedProvision:
    """Return a rule without the paragraphs behind it that are none of it."""
    pointer = _POINTER.search(quote.quoted.text)
    if pointer is not None:
        quoted = quote.quoted._replace(text=quote.quoted.text[: pointer.start()])
        if identifier.find([quoted])[0].states:
            return replace(quote, quoted=quoted, aside=pointer[0].strip())
    if quote.quoted.examples:
        # Sites that explain the rules give examples of their own.
        quoted = quote.quoted._replace(examples=(), is_cut_after=False)
        examples = quote.quoted.examples
        if identifier.find([quoted])[0].states and all(
            _is_unlike(one, identifier) for one in examples
        ):
            return replace(quote, quoted=quoted, aside=" ".join(examples))
    above = quote.quoted.text.split("\n")
    for end in range(len(above) - 1, 0, -1):
        quoted = quote.quoted._replace(text="\n".join(above[:end]), is_cut_after=False)
        if identifier.find([quoted])[0].states:
            rest = above[end:]
            if all(_is_unlike(words, identifier) for words in rest):
                return replace(quote, quoted=quoted, aside=" ".join(rest))
    return quote
