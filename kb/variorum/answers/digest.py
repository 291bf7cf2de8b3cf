"""What a reader should know first of many changes: sections, keywords, rules that others cite, phrases."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.diff import SUBSTANTIVE, Change, Changes
from variorum.history.word_diffs import diff
from variorum.rows import State
from variorum.text import fold_title
from variorum.words import SILENT

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase

_MOST_RULES, _MOST_PHRASES, _MOST_SWEEPS = 6, 8, 5
# A phrase is told if so many provisions had it. Chosen by hand.
_OFTEN = 4
_LONGEST = 4
_MOSTLY = 0.8
_LONGEST_BEGIN = 30
_SHORTEST_WORD = 3
# Between the first and the last word of a phrase.
_JOINTS = {"on", "the"}
_WORD = re.compile(r"[a-z][a-z'’-]*")
_END = re.compile(r'[.,;:()"“”\n?!]')


class RuleChanged(NamedTuple):
    """A rule that was removed or rewritten, how many provisions cited it, and words it lost."""

    change: Change
    cited: int
    lost: str


class Digest(NamedTuple):
    """What to say first of many changes.

    Attributes:
        sections: The sections that are new.
        removed: The sections that are gone.
        renamed: The former and the new state of sections with another heading.
        keywords: The headings of new keywords.
        rules: The removed and rewritten rules that most others cited, at most one of a section.
        phrases: Phrases of many rules that no rule has any more.
        swept: Phrases that were replaced throughout, their replacements, and in how many provisions.
    """

    sections: list[State]
    removed: list[State]
    renamed: list[tuple[State, State]]
    keywords: list[str]
    rules: list[RuleChanged]
    phrases: list[str]
    swept: list[tuple[str, str, int]]


def digest_of(base: "KnowledgeBase", changes: Changes) -> Digest:
    """Return what to say first of the changes between two editions."""
    start, stop = base.edition(changes.from_edition), base.edition(changes.to_edition)
    pairs = [(change.old, change.new) for change in changes.all if not change.is_part]
    new_sections = [new for old, new in pairs if new and not old and new.kind == "section"]
    both = [(old, new) for old, new in pairs if old and new and new.kind == "section"]
    keyword_sections = {
        state.address
        for state in base.reader.states_in(stop.place)
        if state.kind == "section" and "keyword" in state.heading.lower()
    }
    return Digest(
        sections=[*new_sections],
        removed=[old for old, new in pairs if old and not new and old.kind == "section"],
        renamed=[
            (old, new)
            for old, new in both
            if old.heading and fold_title(old.heading) != fold_title(new.heading)
        ],
        keywords=[
            new.heading
            for old, new in pairs
            if new and not old and new.heading and new.parent in keyword_sections
        ],
        rules=_rules(base, changes, start.place),
        phrases=[*_phrases(base, changes, start.place, stop.place)],
        swept=swept_in(changes),
    )


def swept_in(changes: Changes) -> list[tuple[str, str, int]]:
    """Return the phrases that changes replaced throughout."""
    texts = " ".join([change.old.body for change in changes.all if change.old is not None])
    return recognisable(changes.swept, texts.lower())


def _rules(base: "KnowledgeBase", changes: Changes, place: int) -> list[RuleChanged]:
    """Return the changed rules that most others cite, weighed by how much of them was lost."""
    rows = base.reader.query(
        "SELECT w.word, count(DISTINCT w.provision) FROM cited w "
        "JOIN span s ON s.provision = w.provision WHERE s.first <= ? AND s.last >= ? "
        "GROUP BY w.word",
        (place, place),
    )
    cited = dict(rows)
    scored: list[tuple[float, RuleChanged]] = []
    for change in changes.all:
        old = change.old
        if old is None or change.is_part or change.change != SUBSTANTIVE or not old.number:
            continue
        lost = [text for sign, text in change.pieces() if sign == diff.GONE]
        share = 1.0 if change.is_gone else len(" ".join(lost).split()) / (len(old.body.split()) + 1)
        count = cited.get(old.number, 0)
        if count and lost and old.kind in {"rule", "subrule"}:
            scored.append((count * min(share, 1), RuleChanged(change, count, max(lost, key=len))))
    best: dict[str, RuleChanged] = {}
    for _, rule in sorted(scored, key=lambda pair: -pair[0]):
        if rule.change.old is not None:
            best.setdefault(rule.change.old.number.partition(".")[0], rule)
    return [*best.values()][:_MOST_RULES]


def _phrases(base: "KnowledgeBase", changes: Changes, start: int, stop: int) -> Iterator[str]:
    """Yield phrases between words of the glossary that many rules had and none has, like "mana burn"."""
    heads = {
        word
        for state in base.reader.states_in(start)
        if state.kind == "glossary" and len(state.heading.split()) <= 2  # noqa: PLR2004 - a short term
        for word in _WORD.findall(state.heading.lower())
    } - {*SILENT, *_JOINTS}
    # Words replaced throughout are told elsewhere.
    heads -= {word for old, _, _ in changes.swept for word in old.split()} - _NOUNS
    counts: Counter[str] = Counter()
    for change in changes.all:
        if change.old is not None and not change.is_part:
            counts.update(set(_grams(f"{change.old.heading}. {change.old.body}", heads)))
    now = " ".join(
        [f"{state.heading} {state.body}" for state in base.reader.states_in(stop) if state.number]
    )
    text = " ".join(_WORD.findall(now.lower()))
    told: list[str] = []
    for phrase, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        is_told = any(phrase in other or other in phrase for other in told)
        if count >= _OFTEN and not is_told and phrase not in text:
            told.append(phrase)
            yield phrase
        if len(told) == _MOST_PHRASES:
            return


# What is swept about these leaves them in use.
_NOUNS = {"creature", "game", "mana", "permanent"}


def _grams(text: str, heads: set[str]) -> Iterator[str]:
    for sentence in _END.split(text.lower()):
        words = _WORD.findall(sentence)
        for first, word in enumerate(words):
            if word not in heads:
                continue
            for last in range(first + 1, min(first + _LONGEST, len(words))):
                between = set(words[first + 1 : last])
                if words[last] in heads and between <= heads | _JOINTS:
                    yield " ".join(words[first : last + 1])


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
        if all(len(word) >= _SHORTEST_WORD or word in SILENT for word in old):
            begin = _begun(" ".join(old), texts)
            counts[begin + " ".join(old), begin + " ".join(new)] += count
    chosen: list[tuple[str, str, int]] = []
    for (before, after), count in counts.most_common():
        content = _content(before)
        said = [_content(other) for other, _, _ in chosen]
        is_said = any(other <= content or content <= other for other in said)
        if not is_said and len(chosen) < _MOST_SWEEPS:
            chosen.append((before, after, count))
    return chosen


def _content(phrase: str) -> set[str]:
    """Return the words of a phrase that say something, without their number; all if none does."""
    words = {word.rstrip("s") for word in phrase.split()}
    return words - SILENT or words


def _begun(phrase: str, texts: str) -> str:
    """Return what texts nearly always print right before a phrase, up to a hyphen."""
    begun: Counter[str] = Counter()
    for match in re.finditer(rf"{re.escape(phrase)}\b(?<!\w{re.escape(phrase)})", texts):
        before = texts[max(match.start() - _LONGEST_BEGIN, 0) : match.start()]
        begun["".join(re.findall(r"\w+-$", before))] += 1
    begin, count = begun.most_common(1)[0] if begun else ("", 0)
    return begin if count > _MOSTLY * begun.total() else ""
