"""Find the rule that quoted words come from, with its numbers through the years: `cr identify "words"`."""

import re

from rapidfuzz import fuzz

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import NUMBER, parse_questions
from variorum.quoting.page import words_of
from variorum.quoting.quotations import RuleWithWords, printings_with, rules_with
from variorum.quoting.texts import known_texts, runs_of
from variorum.records.search import Resolution, Source
from variorum.rows import named, wording_of
from variorum.rule_numbers import SECTION, order_of
from variorum.search.query import QueryError
from variorum.search.search import Search, SearchOptions
from variorum.text import placed_words, plain_words, sentence_spans

RESOLVED, AMBIGUOUS, UNKNOWN = "resolved", "ambiguous", "unknown"
_MOST = 10
# Words in more printings are no quotation; to tell their rules apart would take seconds.
_MOST_PRINTINGS = 2000
# The rule with the number beside the words is believed if it is behind the likest by no more.
_NUMBERED = 0.2
# What is less alike may be a paraphrase, and so many rules that a search finds are named.
_ALIKE, _FEW = 0.85, 3
# A number, with words for rules before it and signs around it.
_OPENING = re.compile(
    rf"[\s\"“‘'(\[]*(?:(?:CR|C\.R\.|rule|§)[\s:]*)?(?P<number>{SECTION}\.\S+?)[.:,)\]]*\s+(?=\S)",
    re.IGNORECASE,
)


def find_source(
    base: KnowledgeBase, quotation: str, number: str = "", on: str | None = None
) -> Resolution:
    """Return the source of a quotation, which a rule's number may precede; given are its number and edition.

    One that has no words, or such as stand in thousands of texts, raises QueryError.
    """
    printed, words = split_quotation(quotation)
    number = number or printed
    if not words_of(words):
        raise QueryError(f"{quotation!r}: no word to look for")
    place = None if on is None else base.edition(on).place
    known, latest = known_texts(base), len(base.editions) - 1
    printings, found = known.printings, printings_with(words, known)
    if len(found) > _MOST_PRINTINGS:
        said = f"{len(found):,} texts of the rules have this; quote more words, or use cr search"
        raise QueryError(f"{quotation!r}: {said}")
    chosen, edition_fits, number_fits = found, None, None
    if place is not None:
        held = {at: like for at, like in found.items() if printings[at].editions >> place & 1}
        edition_fits = bool(held)
        chosen, place = (held, place) if held else (found, None)
    if number:
        least = max(chosen.values(), default=0.0) - _NUMBERED
        likely = {at: like for at, like in chosen.items() if like >= least}
        numbered = {at: like for at, like in likely.items() if printings[at].number == number}
        number_fits = bool(numbered)
        chosen = numbered or chosen
    rules = rules_with(found, chosen, known)
    rules.sort(key=lambda rule: _order(rule, latest))
    today = [] if place is not None else [rule for rule in rules if rule.runs[-1].last == latest]
    status = UNKNOWN if not rules else RESOLVED if len(today or rules) == 1 else AMBIGUOUS
    sources = [_source(base, rule, words, place) for rule in rules[:_MOST]]
    about, near = (status, sources, len(rules), number_fits, edition_fits), list[str]()
    if max([it.likeness for it in sources], default=0.0) < _ALIKE:  # perhaps it is a paraphrase
        with Search(base) as engine:
            hits = engine.search(SearchOptions(" ".join(plain_words(words)), limit=_FEW)).hits
        near = [hit.number or hit.heading for hit in hits]
    return Resolution(quotation, *about, near)


def _order(rule: RuleWithWords, latest: int) -> tuple[bool, bool, tuple[object, ...], str]:
    number, headword, _, last = rule.runs[-1]
    return last != latest, not number, order_of(number), headword


def _source(base: KnowledgeBase, rule: RuleWithWords, words: str, place: int | None) -> Source:
    known, labels = known_texts(base), base.labels
    place = rule.runs[-1].last if place is None else place
    held = [index for index in rule.printings if known.printings[index].editions >> place & 1]
    subject = base.at((held or rule.printings)[-1], place)
    row, text, today = subject.state, wording_of(subject.state), subject.heir()
    first = base.at(rule.printings[0], runs_of(known.printings[rule.printings[0]].editions)[0][0])
    return Source(
        edition=labels[place],
        doubts=base.editions[place].doubts.splitlines(),
        number=None if row.kind == "glossary" else row.address,
        kind=row.kind,
        heading=row.heading,
        text=text,
        snippet=_quoted_part(text, plain_words(words)),
        likeness=round(rule.likeness, 3),
        numbers=[
            (named(number, headword), labels[first], labels[last])
            for number, headword, first, last in rule.runs
        ],
        now=today and today.name,
        confidence=round(first.destination().confidence, 4),
    )


def split_quotation(text: str) -> tuple[str, str]:
    """Split a quotation into the rule's number before it, "" without one, and the words.

    >>> split_quotation("“CR 704.5k: Two permanents”")
    ('704.5k', 'Two permanents”')
    """
    match = _OPENING.match(text)
    kind, number = parse_questions(match["number"])[0][:2] if match else ("", "")
    if match is None or kind != NUMBER or "." not in number:
        return "", text
    return number, text[match.end() :]


def _quoted_part(text: str, words: list[str]) -> str:
    printed = placed_words(text)
    part = fuzz.partial_ratio_alignment(words, [word.word for word in printed])
    if part is None or part.dest_start == part.dest_end:
        return text
    start, stop = printed[part.dest_start].start, printed[part.dest_end - 1].stop
    touched = [span for span in sentence_spans(text) if span[0] < stop and span[1] > start]
    return text[touched[0][0] : touched[-1][1]]
