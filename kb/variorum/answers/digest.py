"""What a reader should know first of many changes: sections, keywords, rules that others cite, phrases."""

import re
from collections import Counter
from functools import lru_cache
from sys import intern
from typing import NamedTuple

from variorum.answers.diff import SUBSTANTIVE, Change, Changes
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.sweeps import Swept
from variorum.answers.whole import cited_in
from variorum.history.word_diffs import GONE
from variorum.rows import State
from variorum.text import fold_title

_MOST_RULES, _MOST_TERMS = 6, 8
# A lost term is told if so many provisions had it. Chosen by hand.
_OFTEN = 4
_LYING = re.compile(r"\b((\w+) (?:on|in|from) the (\w+))\b")  # of which both are headwords
# Comparisons with the same edition ask the same of it.
_count, _has = lru_cache(4096)(str.count), lru_cache(4096)(str.__contains__)
_words = lru_cache(4)(lambda text: Counter(text.split()))


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
    swept: list[Swept]


def digest_of(base: KnowledgeBase, changes: Changes) -> Digest:
    """Return what to say first of the changes between two editions."""
    older, newer = (base.held(edition.place) for edition in changes.editions)
    pairs = [change.ends for change in changes.all if not change.is_part]
    came = [new for old, new in pairs if new and not old]
    heads = {it.address for it in newer if it.kind == "section" and "keyword" in it.heading.lower()}
    text = intern(" ".join([state.body for state in newer]).lower())

    def mentions(keyword: str) -> int:
        name = keyword.lower()
        return _count(text, f" {name} ") if " " in name else _words(text)[name]

    keywords = [new.heading for new in came if new.heading and new.parent in heads]
    return Digest(
        sections=[new for new in came if new.kind == "section"],
        removed=[old for old, new in pairs if old and not new and old.kind == "section"],
        renamed=[
            (old, new)
            for old, new in pairs
            if old and new and new.kind == "section" and old.heading
            if fold_title(old.heading) != fold_title(new.heading)
        ],
        keywords=sorted(keywords, key=mentions, reverse=True),
        rules=_rules(cited_in(base, changes.editions[0].place), changes),
        phrases=_lost_terms(changes, older, newer),
        swept=changes.recognised,
    )


def _rules(cited: dict[str, int], changes: Changes) -> list[RuleChanged]:
    best: dict[str, tuple[float, RuleChanged]] = {}
    for change in changes.all:
        old = None if change.is_part or change.change != SUBSTANTIVE else change.old
        if old and old.kind in {"rule", "subrule"} and old.number in cited:
            lost = [text for sign, text in change.pieces() if sign == GONE]
            share = len(" ".join(lost).split()) / (len(old.body.split()) + 1)
            weight = cited[old.number] * (min(share, 1) if change.new else 1)
            section = old.number.partition(".")[0]
            if lost and weight > best.get(section, (-1.0,))[0]:
                best[section] = weight, RuleChanged(change, cited[old.number], max(lost, key=len))
    return [rule for _, rule in sorted(best.values(), key=lambda it: -it[0])][:_MOST_RULES]


def _lost_terms(changes: Changes, older: list[State], newer: list[State]) -> list[str]:
    """Return terms that many provisions had and no rule has: "mana burn", "damage on the stack".

    A headword counts if it is gone, or its entry only says what it was; a renamed one is told as such.
    """
    texts = [f"{state.heading} {state.body}".lower() for state in older]
    rules = [f"{state.heading} {state.body}" for state in newer if state.number]
    now = intern("\n".join(rules).lower())
    entries = [(it.old, it.new) for it in changes.all if it.old and it.old.kind == "glossary"]
    heads = {old.heading.lower() for old, _ in entries}
    terms = {
        old.heading.lower()
        for old, new in entries
        if new is None or new.heading.startswith(old.heading)
    }
    then = "\n".join(texts)
    terms |= {it for it, *both in _LYING.findall(then) if heads.issuperset(both)}
    lost = [it for it in terms if not _has(now, it) and then.count(it) >= _OFTEN]
    counts = {it: count for it in lost if (count := sum(it in text for text in texts)) >= _OFTEN}
    return sorted(counts, key=lambda term: (-counts[term], term))[:_MOST_TERMS]
