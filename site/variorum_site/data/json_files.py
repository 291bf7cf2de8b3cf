"""Everything as JSON, in the forms of the command; docs/json.md says what stands where.

What the pages of an edition or of numbers have asked anyway is asked once: these files are made
together with them.
"""

import json
from collections.abc import Iterable, Iterator

from variorum_kb.answers.changes import Changes, change_json
from variorum_kb.answers.crosswalk import crosswalk_rows
from variorum_kb.answers.edition_entry import EditionEntry, listed_json
from variorum_kb.answers.export import export_edition
from variorum_kb.answers.number_histories import NumberHolder
from variorum_kb.forms.lineage import DiffSummaryJson, NowJson
from variorum_kb.forms.lint import LintJson
from variorum_kb.forms.number import BearerJson, NumberJson, RunJson
from variorum_kb.rows import State, wording_of
from variorum_site import urls
from variorum_site.page_index import GLOSSARY, PageIndex

Files = Iterator[tuple[str, bytes]]


def encoded(value: object) -> bytes:
    """Return JSON without blanks; equal values give equal bytes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


# Editions ------------------------------------------------------------------------------------------


def editions_file(index: PageIndex) -> Files:
    """Yield the list of all editions."""
    # What files were called that documents came from, a base does not say.
    found = [listed_json(one, index.editions, "") for one in index.editions]
    yield urls.EDITIONS_JSON, encoded(found)


def edition_files(
    index: PageIndex, edition: EditionEntry, found: Changes | None, summary: DiffSummaryJson | None
) -> Files:
    """Yield an edition, and what it changed.

    Args:
        index: Of the base.
        edition: Which.
        found: What it changed; None of the first.
        summary: The same in numbers.
    """
    export = encoded(export_edition(index.base, edition))
    yield from _labelled(edition, urls.json_of(urls.edition(edition.label)), export)
    if found is not None:
        changes = {
            "summary": summary,
            "changes": [change_json(one) for one in found.all],
            "announced": index.witnesses.announcements(edition),
        }
        yield from _labelled(edition, urls.json_of(urls.changes(edition.label)), encoded(changes))


def lint_file(edition: EditionEntry, found: LintJson) -> Files:
    """Yield what is wrong in an edition."""
    yield from _labelled(edition, urls.json_of(urls.lint(edition.label)), encoded(found))


def crosswalk_file(index: PageIndex, place: int) -> Files:
    """Yield the file that says what became of the numbers of an edition in the newest."""
    edition = index.editions[place]
    rows = crosswalk_rows(index.base, edition, index.latest)
    yield from _labelled(edition, urls.crosswalk_json(edition.label), encoded(rows))


def witness_files(index: PageIndex) -> Files:
    """Yield the list of witnesses, and what each attests."""
    everyone = index.witnesses.all()
    yield urls.WITNESSES_JSON, encoded(everyone)
    for one in everyone:
        passages = index.witnesses.passages_of(one["sha256"])
        yield urls.witness_json(one["sha256"]), encoded(passages)


def _labelled(edition: EditionEntry, file: str, data: bytes) -> Files:
    """Yield a file; that of the issue which a date means, under the date too."""
    yield file, data
    day = edition.effective.isoformat()
    if edition.is_chosen and edition.label != day:
        yield file.replace(f"/{edition.label}.json", f"/{day}.json"), data


# Numbers and headwords -----------------------------------------------------------------------------


class NumberFiles:
    """Makes the files of numbers and headwords."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index
        self._last = len(index.editions) - 1

    def files(self, pages: Iterable[urls.Page]) -> Files:
        """Yield the files of some pages of numbers and headwords."""
        for page in pages:
            is_number = page.startswith(urls.RULES)
            found: object = self.number(page) if is_number else self.entry(page)
            yield urls.json_of(page), encoded(found)

    def number(self, page: urls.Page) -> NumberJson:
        """Return who ever bore a number, the latest first."""
        holders = self._index.holders(page)
        return {
            "number": page.removeprefix(urls.RULES).rstrip("/"),
            "bearers": [
                self._bearer(one, has_history=not place or self._index.home_of(one.end) == page)
                for place, one in enumerate(holders)
            ],
        }

    def _bearer(self, holder: NumberHolder, *, has_history: bool) -> BearerJson:
        index, end = self._index, holder.end
        state = index.states[holder.state]
        onward = index.base.lineages.out_of(end.state, end.first)
        last = onward[0].source if onward else self._last
        ended = self._place(index.states[end.state], last)
        return {
            "address": state.address,
            "kind": state.kind,
            "heading": state.heading,
            "text": wording_of(state),
            "runs": [self._run(first, until) for first, until in holder.runs],
            "now": ended if last == self._last else None,
            "last": ended,
            "history": index.subject_of(holder).history(is_alone=True) if has_history else None,
        }

    def _run(self, first: int, last: int) -> RunJson:
        labels = self._index.labels
        return {"from": labels[first], "to": None if last == self._last else labels[last]}

    def _place(self, state: State, edition: int) -> NowJson:
        is_entry = state.kind == GLOSSARY
        return {
            "edition": self._index.labels[edition],
            "number": None if is_entry else state.address,
            "term": state.heading if is_entry else None,
        }

    def entry(self, page: urls.Page) -> list[dict[str, object]]:
        """Return the entries that a headword ever had and that no other headword tells, the latest first."""
        holders = self._index.holders(page)
        return [
            self._entry(one)
            for place, one in enumerate(holders)
            if not place or self._index.home_of(one.end) == page
        ]

    def _entry(self, holder: NumberHolder) -> dict[str, object]:
        match = self._index.subject_of(holder)
        rules, history = match.rules(), match.history()
        return {**match.as_json([]), "rules": rules, "history": history}
