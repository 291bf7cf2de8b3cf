"""What a reader should know first of many changes: sections, keywords, rules that others cite, phrases."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from variorum.answers.diff import SUBSTANTIVE, Change, Changes
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.history import word_diffs
from variorum.rows import State
from variorum.text import fold, fold_title
from variorum.words import SILENT

_MOST_RULES, _MOST_TERMS = 6, 8
# A lost term is told if so many provisions had it. Chosen by hand.
_OFTEN = 4


# Of swept phrases; a word and a hyphen that so many places print before one belong to it. By hand.
_MOST_SHOWN, _SHORTEST_WORD, _LONGEST, _MOSTLY = 5, 3, 30, 0.8


class RuleChanged(NamedTuple):
    """A rule that was removed or rewritten, how many provisions cited it, and words it lost."""

    change: Change
    cited: int
    lost: str


class Digest(NamedTuple):
    """What to say first of many changes; `rules` has at most one of a section, the most cited first.

    `phrases` are terms of many rules that no rule has any more; `swept` were replaced in so many provisions.
    """

    sections: list[State]
    removed: list[State]
    renamed: list[tuple[State, State]]
    keywords: list[str]
    rules: list[RuleChanged]
    phrases: list[str]
    swept: list[tuple[str, str, int]]


def digest_of(base: KnowledgeBase, changes: Changes) -> Digest:
    """Return what to say first of the changes between two editions."""
    start, stop = base.edition(changes.from_edition), base.edition(changes.to_edition)
    older, newer = base.held(start.place), base.held(stop.place)
    pairs = [(change.old, change.new) for change in changes.all if not change.is_part]
    heads = [state for state in newer if state.kind == "section"]
    of_keywords = {state.address for state in heads if "keyword" in state.heading.lower()}
    came = [new for old, new in pairs if new and not old]
    keywords = [new.heading for new in came if new.heading and new.parent in of_keywords]
    words, rules = _printed(base, stop.place)
    return Digest(
        sections=[new for new in came if new.kind == "section"],
        removed=[old for old, new in pairs if old and not new and old.kind == "section"],
        renamed=[
            (old, new)
            for old, new in pairs
            if old and new and new.kind == "section" and old.heading
            if fold_title(old.heading) != fold_title(new.heading)
        ],
        keywords=sorted(keywords, key=lambda name: -_count(words, f" {name.lower()} ")),
        rules=_rules(base.texts.cited_in(start.place), changes),
        phrases=_lost_terms(changes, older, rules),
        swept=swept_in(changes),
    )


def swept_in(changes: Changes) -> list[tuple[str, str, int]]:
    """Return the phrases that changes replaced throughout."""
    texts = [change.old.body for change in changes.all if change.old is not None]
    return recognisable(changes.swept, fold(" ".join(texts)))


def _rules(cited: dict[str, int], changes: Changes) -> list[RuleChanged]:
    scored: list[tuple[float, RuleChanged]] = []
    for change in changes.all:
        old = change.old
        if old is None or old.kind not in {"rule", "subrule"} or old.number not in cited:
            continue
        if change.is_part or change.change != SUBSTANTIVE:
            continue
        lost = [text for sign, text in change.pieces() if sign == word_diffs.GONE]
        share = len(" ".join(lost).split()) / (len(old.body.split()) + 1)
        count = cited[old.number]
        if lost:
            weight = count if change.is_gone else count * min(share, 1)
            scored.append((weight, RuleChanged(change, count, max(lost, key=len))))
    best: dict[str, RuleChanged] = {}
    for _, rule in sorted(scored, key=lambda pair: -pair[0]):
        if rule.change.old is not None:
            best.setdefault(rule.change.old.number.partition(".")[0], rule)
    return [*best.values()][:_MOST_RULES]


def _lost_terms(changes: Changes, older: list[State], now: str) -> list[str]:
    """Return headwords that many provisions had and no rule has, like "mana burn", but for swept ones."""
    texts = [f"{state.heading} {state.body}".lower() for state in older]
    swept, whole = [before.replace(" ", "-") for before, _, _ in changes.swept], "\n".join(texts)
    counts: dict[str, int] = {}
    for term in {state.heading.lower() for state in older if state.kind == "glossary"} - {""}:
        joined = term.replace(" ", "-")
        if not _has(now, term) and not any(joined in it or it in joined for it in swept):
            counts[term] = whole.count(term) >= _OFTEN and sum(term in text for text in texts)
    often = [term for term, count in counts.items() if count >= _OFTEN]
    return sorted(often, key=lambda term: (-counts[term], term))[:_MOST_TERMS]


# Editions that are compared with the same one ask for the same words of it.
_count, _has = lru_cache(4096)(str.count), lru_cache(4096)(str.__contains__)


@lru_cache(1)
def _printed(base: KnowledgeBase, place: int) -> tuple[str, str]:
    """Return the texts of an edition, and those of its rules with their headings."""
    held = base.held(place)
    rules = [f"{state.heading} {state.body}" for state in held if state.number]
    return "\n".join([state.body for state in held]).lower(), "\n".join(rules).lower()


def recognisable(
    swept: Sequence[tuple[str, str, int]], texts: str = ""
) -> list[tuple[str, str, int]]:
    """Return the phrases replaced throughout that a reader recognises, at most five.

    Words around a replacement are left out, and what remains is counted together. What the `texts`
    print before a hyphen belongs to a phrase: "state-based effects".

    >>> recognisable([("permanent enters the battlefield", "permanent enters", 9), ("en us", "en", 8)])
    [('enters the battlefield', 'enters', 9)]
    """
    counts: Counter[tuple[str, str]] = Counter()
    for before, after, count in swept:
        old, new = before.split(), after.split()
        while len(old) > 1 and len(new) > 1 and old[:2] == new[:2]:
            old, new = old[1:], new[1:]
        phrase = " ".join(old)
        if all(len(word) >= _SHORTEST_WORD or word in SILENT for word in old):
            ends = re.finditer(rf"{re.escape(phrase)}\b(?<!\w{re.escape(phrase)})", texts)
            starts = [texts[max(it.start() - _LONGEST, 0) : it.start()] for it in ends]
            begun = Counter("".join(re.findall(r"\w+-$", start)) for start in starts)
            begin, times = [*begun.most_common(1), ("", 0)][0]
            begin = begin if times > _MOSTLY * begun.total() else ""
            if starts or not texts:  # not parts of a web address
                counts[begin + phrase, begin + " ".join(new)] += count
    chosen: list[tuple[str, str, int]] = []
    said: list[set[str]] = []
    for (before, after), count in counts.most_common():
        words = {word.rstrip("s") for word in before.split()}
        content = words - SILENT or words
        if len(chosen) < _MOST_SHOWN and not any(it <= content or content <= it for it in said):
            chosen.append((before, after, count))
            said.append(content)
    return chosen
