"""Blame: for every word of a provision, the edition that added it."""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import accumulate

from msgspec import structs

from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.history import blame as dating
from variorum.history.blame import WordDates, WordSource, words_in
from variorum.history.lineages import Stretch
from variorum.records.lineage import DatedProvision, DatedSubrule, DatedWord, whereabouts
from variorum.rows import CHANGE_CLASSES, UNCERTAIN, examples_of, wording_of
from variorum.text import plain_signs

# A state, and the place of an edition that has it.
Held = tuple[int, int]
# The editions that added the words of a state's heading and text, see `words_in`.
Ages = tuple[list[int], list[int]]

# At most this many provisions are compared with a provision that may have taken their words.
_MOST_COMPARED = 3
# Words in more texts than this are too common to say where they came from.
_MOST_HOLDING = 6
_CHANGED = (
    "SELECT DISTINCT old, lower(body) FROM link JOIN provision ON provision.id = old "
    "JOIN reading ON reading.id = reading "
    "WHERE edition = ? AND (new IS NULL OR class = ?)"
)


class Blame:
    """Dates the words of provisions by the links of a base."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base, self._lineages, self._states = base, base.lineages, base.states
        self._known: dict[Held, Ages] = {}
        self._changed = cache(self._find_changed)

    def of(self, subject: Subject, *, is_alone: bool = False) -> DatedProvision:
        """Return the words of a provision in an edition and, unless it is alone, of its subrules."""
        subrules = [] if is_alone else [self._dated(subrule) for subrule in subject.tree()]
        own, edition = structs.asdict(self._dated(subject)), subject.edition
        doubts = edition.doubts.splitlines()
        return DatedProvision(**own, edition=edition.label, doubts=doubts, subrules=subrules)

    def _dated(self, subject: Subject) -> DatedSubrule:
        row, edition, labels = subject.state, subject.edition, self._base.labels
        texts, ages = (row.heading, wording_of(row)), self._ages(row.id, edition.place)
        heading, words = (
            [DatedWord(word, labels[at]) for word, at in zip(words_in(text), since, strict=True)]
            for text, since in zip(texts, ages, strict=True)
        )
        at = whereabouts(row, edition.label)
        return DatedSubrule(at.number, at.term, heading, words, len(examples_of(row.body)))

    def _ages(self, state: int, place: int) -> Ages:
        """Return the edition that added each word of a state's heading and words.

        The oldest states are dated first, because recursion through a long history goes too deep.
        """
        into = self._lineages.into(state, place)
        here, past = (state, into[0].edition if into else 0), list[Stretch]()
        for stretch in () if here in self._known else self._lineages.life(state, place):
            if stretch.first <= place:
                key = stretch[:2]
                self._known[key] = self._known.get(key) or self._find(stretch, past)
                past.append(stretch)
        return self._known[here]

    def _find(self, stretch: Stretch, past: Sequence[Stretch]) -> Ages:
        row, first = self._states[stretch.state], stretch.first
        # Candidates of uncertain steps are no sources.
        came = [
            (link.old, link.edition - 1)
            for link in stretch.led
            if link.old is not None and not (link.bits & UNCERTAIN and link.rank)
        ]
        for before in [self._states[state] for state, _ in came[:1]]:
            if (before.heading, before.body) == (row.heading, row.body):
                return self._ages(*came[0])
        heading, words = WordDates(row.heading, first), WordDates(wording_of(row), first)
        for rank, held in enumerate(came):
            for part, dates in enumerate((heading, words)):
                source = self._source(held, dating.MOVED_FROM_ANCESTOR, part)
                (dates.take if rank else dates.follow)(source)
        if first and row.body:
            self._find_moved(words, stretch, [state for state, _ in came], past[:-1])
        return heading.since, words.since

    def _find_moved(
        self, words: WordDates, here: Stretch, known: Sequence[int], past: Sequence[Stretch]
    ) -> None:
        """Date words that came from former words of a provision, or from others that lost them in this step."""
        sought = [*words.sought()]
        for former in reversed(past) if sought and known else ():
            text = plain_signs(wording_of(self._states[former.state]).lower())
            if any(some in text for some in sought):
                source = self._source((former.state, former.last), dating.MOVED_NEARBY)
                words.take(source, [wording_of(self._states[known[0]])])
        # The states, changed or ended by the step, that have most of the sought words; no common ones.
        hits, (changed, texts) = Counter[int](), self._changed(here.first) if sought else ([], "")
        for some in sought:
            before = [part.count("\0") for part in texts.split(some)[:-1]]
            holding = dict.fromkeys(accumulate(before))
            hits.update(changed[nth] for nth in holding if len(holding) <= _MOST_HOLDING)
        near = {self._states[state].number[:3] for state in known} - {""}
        for state, _ in hits.most_common(_MOST_COMPARED):
            if state not in known:
                is_near = self._states[state].number[:3] in near
                least = dating.MOVED_NEARBY if is_near else dating.MOVED_FAR
                step = self._lineages.out_of(state, here.first - 1)
                heirs = {link.new for link in step} - {None, here.state}
                left = [wording_of(self._states[heir]) for heir in heirs if heir is not None]
                words.take(self._source((state, here.first - 1), least), left)

    def _source(self, held: Held, least: float, part: int = 1) -> WordSource:
        row = self._states[held[0]]
        text = wording_of(row) if part else row.heading
        return WordSource(text, lambda: self._ages(*held)[part], least)

    def _find_changed(self, edition: int) -> tuple[list[int], str]:
        """Return the states that a step into an edition changed or ended, and their words, joined."""
        rows = self._base.reader.query(_CHANGED, [edition, CHANGE_CLASSES.index("substantive")])
        return [old for old, _ in rows], plain_signs("\0".join([body for _, body in rows]))
