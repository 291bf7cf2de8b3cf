"""What the page of a number or headword rests on, as a digest: nothing that merely is the newest.

So one more edition leaves alone whatever it does not change.
"""

from collections.abc import Iterable, Iterator
from functools import cache, cached_property

from variorum_kb.answers.number_histories import End, NumberHolder
from variorum_site import urls
from variorum_site.output_folder import digest_of
from variorum_site.page_index import PageIndex, page_of
from variorum_site.pages.timeline import horizon
from variorum_site.pages.today import Today


class PageInputs:
    """Knows what the pages of numbers and headwords rest on."""

    def __init__(self, index: PageIndex, made_by: str) -> None:
        """Prepare them.

        Args:
            index: Of the base.
            made_by: A digest of the program, its facts and all other witnesses.
        """
        self._index = index
        self._today = Today(index)
        days = [one.effective for one in index.editions[: index.current.place + 1]]
        self._frame = made_by, days[0], horizon(days[-1])

    def of_page(self, page: urls.Page) -> str:
        """Return a digest of all that a page rests on."""
        holders = self._index.holders(page)
        coming = self._index.coming.get(page)
        parts: list[object] = [*self._frame, [self._holder(one) for one in holders]]
        if coming is not None:
            parts.append((self._edition(coming[0]), self._state(coming[1])))
        for one in holders:
            if one.runs[-1][1] == self._today.place and one.end.state == one.state:
                parts += self._bearer(one.state)
            else:
                heir = self._index.subject_of(one).destination(self._index.current).heir
                parts.append(None if heir is None else self._index.states[heir].address)
        return _digest(parts)

    def _holder(self, holder: NumberHolder) -> tuple[object, ...]:
        runs = [(self._edition(first), self._last(last)) for first, last in holder.runs]
        return self._state(holder.state), runs, self._life(holder.end)

    def _bearer(self, state: int) -> Iterator[object]:
        """Yield what a page says of who bears a number today besides its history."""
        today, states = self._today, self._index.states
        below = list(today.tree(state))
        yield [self._text(one) for one in (state, *below)]
        around = [one for one in today.neighbours(state) if one is not None]
        yield [(states[one].address, states[one].heading) for one in (*today.path(state), *around)]
        yield [(page_of(states[one]), said) for one, said in today.citing(state)]
        if states[state].kind == "rule":
            yield [self._life(self._end(one)) for one in below]

    def _end(self, state: int) -> End:
        holders = self._index.holders(page_of(self._index.states[state]))
        return next(one.end for one in holders if one.end.state == state)

    @cache  # noqa: B019 - inputs and their index go together
    def _text(self, state: int) -> str:
        """Return a digest of a provision in force: its words, and where they link to."""
        index = self._index
        cited = [
            (part, start, stop, index.states[target].address, page_of(index.states[target]))
            for part, start, stop, target in index.citations(state, self._today.place)
        ]
        return _digest((self._state(state), cited, self._today.terms_of(state)))

    @cache  # noqa: B019 - as above
    def _life(self, end: End) -> str:
        """Return a digest of a history."""
        life = self._index.life(end)
        readings = [
            (
                [self._state(stretch.state) for stretch in one.stretches],
                [self._edition(stretch.first) for stretch in one.stretches],
                self._last(one.last),
                one.kinds,
                one.change,
                one.confidence,
                self._index.read_reason(one),
                [(kin.how, kin.name, self._edition(kin.edition)) for kin in one.relatives],
            )
            for one in life.readings
        ]
        heirs = [(kin.how, kin.name, self._edition(kin.edition)) for kin in life.heirs]
        gone = None if life.gone is None else self._edition(life.gone)
        return _digest((readings, life.ending, gone, heirs))

    @cache  # noqa: B019 - as above
    def _state(self, state: int) -> str:
        return _digest(self._index.states[state])

    def _last(self, place: int) -> object:
        """Return the last edition of a run and the day it was replaced; None of what is in force."""
        if place == self._today.place:
            return None
        return self._edition(place), self._index.editions[place + 1].effective

    @cached_property
    def _editions(self) -> list[tuple[str, str]]:
        return [(one.label, one.sha256) for one in self._index.editions]

    def _edition(self, place: int) -> tuple[str, str]:
        return self._editions[place]


def _digest(parts: Iterable[object]) -> str:
    return digest_of(repr(tuple(parts)).encode())
