"""Recognises asides: text between quoted rules that belongs to no rule."""

import re
from collections.abc import Sequence
from dataclasses import replace

from variorum_kb.answers.quotations.quotation_matching import Quoted
from variorum_kb.answers.quotations.quotation_search import FEWEST_WORDS, Identifier
from variorum_kb.sources.comparing.excerpts.quoted_provision import QuotedProvision
from variorum_kb.sources.comparing.excerpts.run_on_text import RunningOn
from variorum_kb.text.folding import fold_words
from variorum_kb.thresholds.passages import ASIDE, ASIDE_OF_FEW_WORDS, MOSTLY_KNOWN

# At most this many texts are searched for in all editions, to stay fast.
_MOST_LOOKED_FOR = 20
_FEW = 12
# A page may add a pointer to another rule after a rule.
_POINTER = re.compile(r"\s*\(?see (?:also )?(?:rule|section)s? [\w., ]{1,40}\)?\.?$", re.IGNORECASE)
# Too many provisions begin with the same words if there are fewer words than this.
_TELLING = 7


def set_apart(quotes: Sequence[QuotedProvision], identifier: Identifier) -> list[QuotedProvision]:
    """Return quotes, split where several run together, with asides marked.

    In a document that quotes rules by number, a text without a number is an aside if it resembles
    nothing in any edition: "Here is what the rules say." A paragraph after a rule is an aside if
    the rule matches word for word without it.
    """
    quotations = identifier.find([quote.quoted for quote in quotes])
    numbered = [bool(quotation.states) for quotation in quotations if quotation.quoted.number]
    is_numbered = sum(numbered) > MOSTLY_KNOWN * len(numbered)
    running = RunningOn(quotations, identifier)
    apart: list[QuotedProvision] = []
    looked = 0
    for quote, quotation in zip(quotes, quotations, strict=True):
        parts = running.parts(quotation)
        if quotation.states or looked >= _MOST_LOOKED_FOR or len(parts) > 1:
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
    return all(nearest.likeness < least for nearest in identifier.nearest_anywhere(text)[:1])


def _bounded(quote: QuotedProvision, identifier: Identifier) -> QuotedProvision:
    """Return a rule without its asides; mark it as cut if it breaks off.

    People often quote only one sentence of a rule.
    """
    bounded = _without_asides(quote, identifier)
    quoted = bounded.quoted
    is_worth_it = bounded is quote and not quoted.examples and not quoted.is_cut_after
    if not is_worth_it or len(fold_words(quoted.text).split()) < _TELLING:
        return bounded
    cut = quoted._replace(is_cut_after=True)
    return replace(quote, quoted=cut) if identifier.find([cut])[0].states else quote


def _without_asides(quote: QuotedProvision, identifier: Identifier) -> QuotedProvision:
    """Return a rule without the paragraphs after it that do not belong to it."""
    pointer = _POINTER.search(quote.quoted.text)
    if pointer is not None:
        quoted = quote.quoted._replace(text=quote.quoted.text[: pointer.start()])
        if identifier.find([quoted])[0].states:
            return replace(quote, quoted=quoted, aside=pointer[0].strip())
    if quote.quoted.examples:
        # Sites that explain the rules have their own examples.
        quoted = quote.quoted._replace(examples=(), is_cut_after=False)
        examples = quote.quoted.examples
        if identifier.find([quoted])[0].states and all(
            _is_unlike(example, identifier) for example in examples
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
