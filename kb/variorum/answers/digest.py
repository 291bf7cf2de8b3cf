"""What a reader should know first of many changes: sections, keywords, rules that others cite, phrases."""

import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from variorum.answers.diff import SUBSTANTIVE, Change, Changes
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.stored import cited_in, kept
from variorum.history.word_diffs import GONE
from variorum.rows import State
from variorum.text import fold_title

_MOST_RULES, _MOST_TERMS, _LONGEST = 6, 8, 30  # the last in characters
# A lost term is told if so many provisions had it. Chosen by hand.
_OFTEN = 4
_LYING = re.compile(r"\b((\w+) (?:on|in|from) the (\w+))\b")  # of which both are headwords


@kept
def _rules_having(base: KnowledgeBase, place: int) -> Callable[[str], bool]:
    """Return what tells whether the rules of an edition have a term."""
    held = [state for state in base.held(place) if state.number]
    return cache("\n".join([f"{it.heading} {it.body}" for it in held]).lower().__contains__)


class RuleChanged(NamedTuple):
    """A rule that was removed or rewritten, how many provisions cited it, and words it lost."""

    change: Change
    cited: int
    lost: str


class Digest(NamedTuple):
    """What to say first of many changes; `rules` has at most one of a section, the most cited first.

    `phrases` are terms of many rules that no rule has any more. The others end with their confidence.
    """

    sections: list[tuple[State, float]]
    removed: list[tuple[State, float]]
    renamed: list[tuple[State, State, float]]
    keywords: list[tuple[str, float]]
    rules: list[RuleChanged]
    phrases: list[str]


def digest_of(base: KnowledgeBase, changes: Changes) -> Digest:
    """Return what to say first of the changes between two editions."""
    older, newer = (base.held(edition.place) for edition in changes.editions)
    heads = {it.address for it in newer if it.kind == "section" and "keyword" in it.heading.lower()}
    pairs = [(*change.ends, change.confidence) for change in changes.all if not change.is_part]
    came = [(new, sure) for old, new, sure in pairs if new and not old]
    keywords = [(it.heading, sure) for it, sure in came if it.heading and it.parent in heads]
    return Digest(
        sections=[(new, sure) for new, sure in came if new.kind == "section"],
        removed=[(it, sure) for it, new, sure in pairs if it and not new and it.kind == "section"],
        renamed=[
            (old, new, sure)
            for old, new, sure in pairs
            if old and new and new.kind == "section" and old.heading
            if fold_title(old.heading) != fold_title(new.heading)
        ],
        keywords=sorted(keywords),
        rules=_rules(cited_in(base, changes.editions[0].place), changes),
        phrases=_lost_terms(changes, older, _rules_having(base, changes.editions[1].place)),
    )


def _rules(cited: dict[str, int], changes: Changes) -> list[RuleChanged]:
    best: dict[str, tuple[float, RuleChanged]] = {}
    swept = re.compile("|".join([rf"\b{re.escape(it)}\b" for it, _, _ in changes.swept]) or "(?!)")
    for change in changes.all:
        old = None if change.is_part or change.change != SUBSTANTIVE else change.old
        if old and old.kind in {"rule", "subrule"} and old.number in cited:
            lost = {text: swept.sub("", text) for sign, text in change.pieces if sign == GONE}
            share = len(" ".join(lost.values()).split()) / (len(old.body.split()) + 1)
            weight = cited[old.number] * (min(share, 1) if change.new else 1)
            section = old.number.partition(".")[0]
            if lost and weight > best.get(section, (-1.0,))[0]:
                words = max(lost, key=lambda text: len(lost[text]))
                best[section] = weight, RuleChanged(change, cited[old.number], words)
    return [rule for _, rule in sorted(best.values(), key=lambda it: -it[0])][:_MOST_RULES]


def _lost_terms(changes: Changes, older: list[State], has: Callable[[str], bool]) -> list[str]:
    """Return terms that many provisions had and no rule has: "mana burn", "damage on the stack".

    A headword counts if it is gone, or its entry only says what it was; a renamed one is told as such.
    """
    then = "\0".join([f"{state.heading} {state.body}" for state in older]).lower()
    entries = [(it.old, it.new) for it in changes.all if it.old and it.old.kind == "glossary"]
    heads = {old.heading.lower() for old, _ in entries}
    terms = {
        it.heading.lower() for it, new in entries if not new or new.heading.startswith(it.heading)
    }
    for before, after in pairwise(then.split(" the ")):
        if before.endswith((" on", " in", " from")):
            lying = _LYING.findall(f"{before[-_LONGEST:]} the {after[:_LONGEST]}")
            terms |= {it for it, *both in lying if heads.issuperset(both)}
    lost = [(term, then.split(term)[1:-1]) for term in terms if not has(term)]
    counts = {term: sum("\0" in part for part in parts) + 1 for term, parts in lost}
    often = [term for term, count in counts.items() if count >= _OFTEN]
    return sorted(often, key=lambda term: (-counts[term], term))[:_MOST_TERMS]
