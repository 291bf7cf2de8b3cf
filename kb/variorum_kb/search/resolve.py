"""Finds the rule that a quotation comes from, and its number today: `cr resolve`."""

from collections.abc import Sequence

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.forms.search import ResolveJson, SourceJson
from variorum_kb.rows import wording_of
from variorum_kb.search.queries.query import QueryError
from variorum_kb.search.queries.scopes import Everything
from variorum_kb.search.quotation import (
    QuotationCandidate,
    candidates,
    chosen,
    quoted_part,
    split_quotation,
)
from variorum_kb.text.search_words import plain_words
from variorum_kb.thresholds.quotations import QUOTED_SAME, QUOTED_WITH_NUMBER

RESOLVED, AMBIGUOUS, UNKNOWN = "resolved", "ambiguous", "unknown"
_MOST, _LOOKED_AT = 10, 60


class Resolver:
    """Finds the provisions that quoted words come from."""

    def __init__(self, everything: Everything) -> None:
        """Prepare the index of all texts."""
        self._base = everything.base
        self._searcher = everything.searcher
        self._keys = everything.keys
        self._lines = everything.lines
        self._members = everything.members
        self._latest = self._base.editions[-1].label

    def resolve(self, quotation: str, number: str, on: EditionEntry | None) -> ResolveJson:
        """Return the source of a quotation, in the form of `cr resolve --json`.

        Args:
            quotation: The words, perhaps with a rule's number before them.
            number: The number given with them, or "".
            on: The edition given with them.

        Raises:
            QueryError: The quotation has no words.
        """
        printed, text = split_quotation(quotation)
        number = number or printed
        words = plain_words(text)
        if not words:
            raise QueryError(f"{quotation!r}: no word to look for")
        held = (
            None if on is None else {self._keys[state] for state in self._base.texts.held(on.place)}
        )
        quoted = candidates(self._searcher, words, lambda key: held is None or key in held)
        edition_fits = None if on is None else bool(quoted)
        if on is not None and not quoted:
            on = None
            quoted = candidates(self._searcher, words, lambda _: True)
        quoted, number_fits = self._numbered(quoted, number, on)
        lines = chosen(quoted, self._lines.__getitem__)
        sources = [self._source(line, words, on) for line in lines[:_LOOKED_AT]]
        # Among equally similar sources, a source that is printed today comes first.
        sources.sort(
            key=lambda source: (-source["likeness"], source["stood"][-1][1] != self._latest)
        )
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
        """Return the most similar sources that are printed today."""
        likest = [source for source in sources if source["likeness"] == sources[0]["likeness"]]
        return [source for source in likest if source["stood"][-1][1] == self._latest]

    def _numbered(
        self, quoted: list[QuotationCandidate], number: str, on: EditionEntry | None
    ) -> tuple[list[QuotationCandidate], bool | None]:
        """Keep the candidates with a number, if any of the most similar candidates has it."""
        if not number:
            return quoted, None
        held = None if on is None else set(self._base.texts.held(on.place))
        keys = {
            self._keys[state]
            for state in self._base.texts.bearers(number)
            if held is None or state in held
        }
        best = quoted[0].likeness if quoted else 0.0
        bearing = [
            candidate
            for candidate in quoted
            if candidate.key in keys and candidate.likeness >= best - QUOTED_WITH_NUMBER
        ]
        return (bearing, True) if bearing else (quoted, False)

    def _source(
        self, line: Sequence[QuotationCandidate], words: Sequence[str], on: EditionEntry | None
    ) -> SourceJson:
        """Return a lineage's provision in the last edition that prints the words."""
        texts = self._base.texts
        best = max(candidate.likeness for candidate in line)
        states = [
            state
            for candidate in line
            if candidate.likeness >= best - QUOTED_SAME
            for state in self._members[candidate.key]
        ]
        if on is not None:
            held = set(texts.held(on.place))
            states = [state for state in states if state in held]
        last = {state: texts.stood([state])[-1][1] for state in states}
        state = max(states, key=lambda state: (last[state], state))
        place = last[state] if on is None else on.place
        row = texts.rows([state])[state]
        text = wording_of(row)
        labels = self._base.labels
        today = self._base.subjects.at(state, place).today
        keys = {self._keys[state] for state in states}
        runs = texts.stood([member for key in sorted(keys) for member in self._members[key]])
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
