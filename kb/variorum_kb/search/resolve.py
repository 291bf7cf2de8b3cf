"""Where quoted words come from, then and now: `cr resolve`."""

from collections.abc import Sequence

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.forms.search import ResolveJson, SourceJson
from variorum_kb.rows import wording_of
from variorum_kb.search.engine import Searcher
from variorum_kb.search.query import QueryError
from variorum_kb.search.quotation import (
    QuotationCandidate,
    candidates,
    chosen,
    quoted_part,
    split_quotation,
)
from variorum_kb.text.search_words import plain_words
from variorum_kb.thresholds import QUOTED_SAME, QUOTED_WITH_NUMBER

RESOLVED, AMBIGUOUS, UNKNOWN = "resolved", "ambiguous", "unknown"
_MOST, _LOOKED_AT = 10, 60


class Resolver:
    """Finds the provisions that quoted words come from."""

    def __init__(self, base: KnowledgeBase, searcher: Searcher) -> None:
        """Prepare for a base and its index of all texts."""
        self._base = base
        self._searcher = searcher
        self._keys = searcher.kept.keys()
        self._lines = searcher.kept.lines()
        self._latest = base.editions[-1].label
        self._members: dict[int, list[int]] = {}
        for state, key in enumerate(self._keys):
            self._members.setdefault(key, []).append(state)

    def resolve(self, quotation: str, number: str, on: EditionEntry | None) -> ResolveJson:
        """Return where quoted words come from, in the form of `cr resolve --json`.

        Args:
            quotation: The words; a rule's number may stand before them.
            number: The number they are said to bear, "" if none is.
            on: The edition they are said to stand in.

        Raises:
            QueryError: There are no words.
        """
        printed, text = split_quotation(quotation)
        number = number or printed
        words = plain_words(text)
        if not words:
            raise QueryError(f"{quotation!r}: has no word to look for")
        held = None if on is None else {self._keys[one] for one in self._base.texts.held(on.place)}
        found = candidates(self._searcher, words, lambda key: held is None or key in held)
        edition_fits = None if on is None else bool(found)
        if on is not None and not found:
            on = None
            found = candidates(self._searcher, words, lambda _: True)
        found, number_fits = self._numbered(found, number, on)
        lines = chosen(found, self._lines.__getitem__)
        sources = [self._source(line, words, on) for line in lines[:_LOOKED_AT]]
        # What is printed today comes before what was, and is meant if the words are as like.
        sources.sort(key=lambda one: (-one["likeness"], one["stood"][-1][1] != self._latest))
        meant = [] if on else self._printed_today(sources)
        return {
            "quotation": quotation,
            "status": UNKNOWN
            if not lines
            else RESOLVED
            if len(meant or sources) == 1
            else AMBIGUOUS,
            "sources": sources[:_MOST],
            "total": len(sources),
            "number_fits": number_fits,
            "edition_fits": edition_fits,
        }

    def _printed_today(self, sources: Sequence[SourceJson]) -> list[SourceJson]:
        """Return those of the likest sources that are printed today."""
        likest = [one for one in sources if one["likeness"] == sources[0]["likeness"]]
        return [one for one in likest if one["stood"][-1][1] == self._latest]

    def _numbered(
        self, found: list[QuotationCandidate], number: str, on: EditionEntry | None
    ) -> tuple[list[QuotationCandidate], bool | None]:
        """Keep the candidates that bear a number, if any of the likest ones does."""
        if not number:
            return found, None
        held = None if on is None else set(self._base.texts.held(on.place))
        keys = {
            self._keys[state]
            for state in self._base.texts.bearers(number)
            if held is None or state in held
        }
        best = found[0].likeness if found else 0.0
        bearing = [
            one for one in found if one.key in keys and one.likeness >= best - QUOTED_WITH_NUMBER
        ]
        return (bearing, True) if bearing else (found, False)

    def _source(
        self, line: Sequence[QuotationCandidate], words: Sequence[str], on: EditionEntry | None
    ) -> SourceJson:
        """Return the provision of a lineage, as the last edition has it that prints the words."""
        texts = self._base.texts
        best = max(one.likeness for one in line)
        states = [
            state
            for one in line
            if one.likeness >= best - QUOTED_SAME
            for state in self._members[one.key]
        ]
        if on is not None:
            held = set(texts.held(on.place))
            states = [state for state in states if state in held]
        last = {state: texts.stood([state])[-1][1] for state in states}
        state = max(states, key=lambda one: (last[one], one))
        place = last[state] if on is None else on.place
        row = texts.rows([state])[state]
        text = wording_of(row)
        labels = self._base.labels
        today = self._base.subjects.at(state, place).today
        keys = {self._keys[one] for one in states}
        runs = texts.stood([one for key in sorted(keys) for one in self._members[key]])
        return {
            "edition": labels[place],
            "doubts": list(self._base.editions[place].doubts),
            "number": None if row.kind == "glossary" else row.address,
            "kind": row.kind,
            "heading": row.heading,
            "text": text,
            "snippet": quoted_part(text, words),
            "likeness": round(best, 3),
            "stood": [[labels[first], labels[end]] for first, end in runs],
            "now": None if today is None else today.name,
        }
