"""JSON files for programs, in the forms of the `cr` command; docs/json.md lists them."""

from collections.abc import Iterator, Sequence

from variorum.answers.editions import listed
from variorum.answers.histories import whereabouts
from variorum.answers.number_histories import Life, NumberHolder
from variorum.answers.readings import LifeReading, Relative
from variorum.answers.whole import export_edition
from variorum.records import lineage
from variorum.records.answer import json_text
from variorum.rows import headword_of, wording_of
from variorum_site import names, urls
from variorum_site.page_index import PageIndex
from variorum_site.pages.story import says_more
from variorum_site.render import PageFile


def _json_file(file: str, value: object) -> PageFile:
    """Return JSON without blanks; equal values give equal bytes."""
    return PageFile(file, json_text(value, is_compact=True).encode())


def catalogue_files(index: PageIndex) -> Iterator[PageFile]:
    """Yield the lists of all editions and witnesses, the edition in force, and the passages of witnesses."""
    # A base does not store the names of source files.
    editions = [listed(edition, index.editions, "") for edition in index.editions]
    yield _json_file(urls.EDITIONS_JSON, editions)
    yield _json_file(urls.CURRENT_JSON, export_edition(index.base, index.current))
    everyone = index.witnesses.all()
    yield _json_file(urls.WITNESSES_JSON, everyone)
    for witness in everyone:
        passages = index.witnesses.passages_of(witness.sha256)
        yield _json_file(urls.witness_json(witness.sha256), passages)


class NumberFiles:
    """Makes the files of sections, and of the headwords with an initial."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index
        self._last = index.current.place

    def file(self, pages: Sequence[urls.Page]) -> PageFile:
        """Return the file of all numbers of a section, or of all headwords with an initial."""
        return _json_file(urls.data_of(pages[0]), [self._number(page) for page in pages])

    def _number(self, page: urls.Page) -> lineage.NumberBearers:
        """Return the provisions that have had a number or headword, the latest first."""
        is_number = page.startswith(urls.RULES)
        return lineage.NumberBearers(
            number=page.split("/")[1] if is_number else None,
            term=None if is_number else self._index.last_state(page).heading,
            bearers=[
                self._bearer(holder, is_home=not place or self._index.home_of(holder.end) == page)
                for place, holder in enumerate(self._index.holders(page))
            ],
        )

    def _bearer(self, holder: NumberHolder, *, is_home: bool) -> lineage.Bearer:
        index = self._index
        state, end, life = index.states[holder.state], holder.end, index.life(holder.end)
        is_alive = life.readings[-1].last == self._last
        last = whereabouts(index.states[end.state], index.labels[life.readings[-1].last])
        return lineage.Bearer(
            address=names.called(state),
            kind=state.kind,
            heading=state.heading,
            text=wording_of(state),
            runs=[lineage.PrintedRun(*self._run(first, until)) for first, until in holder.runs],
            now=lineage.Named(last.number, last.term) if is_alive else None,
            last=None if is_alive else last,
            heirs=[self._heir(heir) for heir in life.heirs],
            history=list(self._history(life)) if is_home else None,
        )

    def _run(self, first: int, last: int) -> tuple[str, str | None]:
        labels = self._index.labels
        return labels[first], None if last == self._last else labels[last]

    def _history(self, life: Life) -> Iterator[lineage.PastReading]:
        """Yield the readings; those that differ only in typography or citations are one."""
        groups: list[list[LifeReading]] = []
        for reading in life.readings:
            is_same = groups and names.called(groups[-1][0].state) == names.called(reading.state)
            if is_same and not says_more(reading):
                groups[-1].append(reading)
            else:
                groups.append([reading])
        for group in groups:
            state, first = group[-1].state, group[0]
            named = whereabouts(state, "")
            yield lineage.PastReading(
                named.number,
                named.term,
                *self._run(first.first, group[-1].last),
                heading=state.heading,
                kinds=list(first.kinds),
                class_=first.change,
            )

    def _heir(self, heir: Relative) -> lineage.Successor:
        headword, label = headword_of(heir.name), self._index.labels[heir.edition]
        return lineage.Successor(heir.how, label, None if headword else heir.name, headword or None)
