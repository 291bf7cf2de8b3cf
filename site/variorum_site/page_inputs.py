"""Digests of the inputs of number and headword pages.

They leave out which edition is the newest, so a new edition remakes only the pages that it changes.
"""

from collections.abc import Iterable, Iterator
from functools import cache, cached_property

from variorum.answers.number_histories import End, NumberHolder
from variorum_site import urls
from variorum_site.output_folder import digest_of
from variorum_site.page_index import PageIndex, page_of
from variorum_site.pages.current_provisions import CurrentProvisions
from variorum_site.pages.timeline import horizon


class PageInputs:
    """Computes digests of the inputs of number and headword pages."""

    def __init__(self, index: PageIndex, made_by: str) -> None:
        """Prepare the digests.

        Args:
            index: The base's page index.
            made_by: A digest of what all these pages depend on: program, settings, witnesses.
        """
        self._index = index
        self._current = CurrentProvisions(index)
        days = [edition.effective for edition in index.editions[: index.current.place + 1]]
        self._frame = made_by, days[0], horizon(days[-1])

    def of_page(self, page: urls.Page) -> str:
        """Return a digest of everything that a page shows."""
        holders = self._index.holders(page)
        coming = self._index.coming.get(page)
        parts: list[object] = [*self._frame, [self._holder(holder) for holder in holders]]
        if coming is not None:
            parts.append((self._edition(coming[0]), self._state(coming[1])))
        for holder in holders:
            if holder.runs[-1][1] == self._current.place and holder.end.state == holder.state:
                parts += self._bearer(holder.state)
            else:
                heir = self._index.subject_of(holder).destination(self._index.current).heir
                parts.append(None if heir is None else self._index.states[heir].address)
        return _digest(parts)

    def _holder(self, holder: NumberHolder) -> tuple[object, ...]:
        runs = [(self._edition(first), self._last(last)) for first, last in holder.runs]
        return self._state(holder.state), runs, self._life(holder.end)

    def _bearer(self, state: int) -> Iterator[object]:
        """Yield what a page shows about a number's current provision, apart from its history."""
        current, states = self._current, self._index.states
        below = list(current.tree(state))
        yield [self._text(text_state) for text_state in (state, *below)]
        around = [near for near in current.neighbours(state) if near is not None]
        yield [
            (states[near].address, states[near].heading) for near in (*current.path(state), *around)
        ]
        yield [
            (page_of(states[citing_state]), sentence)
            for citing_state, sentence in current.citing(state)
        ]
        if states[state].kind == "rule":
            yield [self._life(self._end(child)) for child in below]

    def _end(self, state: int) -> End:
        holders = self._index.holders(page_of(self._index.states[state]))
        return next(holder.end for holder in holders if holder.end.state == state)

    @cache  # noqa: B019 - inputs and their index go together
    def _text(self, state: int) -> str:
        """Return a digest of a provision in force: its words and their links."""
        index = self._index
        cited = [
            (part, start, stop, index.states[target].address, page_of(index.states[target]))
            for part, start, stop, target in index.citations(state, self._current.place)
        ]
        return _digest((self._state(state), cited, self._current.terms_of(state)))

    @cache  # noqa: B019 - as above
    def _life(self, end: End) -> str:
        """Return a digest of a history."""
        life = self._index.life(end)
        readings = [
            (
                [self._state(stretch.state) for stretch in reading.stretches],
                [self._edition(stretch.first) for stretch in reading.stretches],
                self._last(reading.last),
                reading.kinds,
                reading.change,
                reading.confidence,
                self._index.read_reason(reading),
                [(kin.how, kin.name, self._edition(kin.edition)) for kin in reading.relatives],
            )
            for reading in life.readings
        ]
        heirs = [(kin.how, kin.name, self._edition(kin.edition)) for kin in life.heirs]
        gone = None if life.gone is None else self._edition(life.gone)
        return _digest((readings, life.ending, gone, heirs))

    @cache  # noqa: B019 - as above
    def _state(self, state: int) -> str:
        return _digest(self._index.states[state])

    def _last(self, place: int) -> object:
        """Return the last edition of a run and the day it was replaced; None if it is in force."""
        if place == self._current.place:
            return None
        return self._edition(place), self._index.editions[place + 1].effective

    @cached_property
    def _editions(self) -> list[tuple[str, str]]:
        return [(edition.label, edition.sha256) for edition in self._index.editions]

    def _edition(self, place: int) -> tuple[str, str]:
        return self._editions[place]


def _digest(parts: Iterable[object]) -> str:
    return digest_of(repr(tuple(parts)).encode())
