"""Data files with which a browser compares provisions: the words of each section in every edition.

`compare/705.js` has all provisions that ever had a number in section 705, with every number and text
that they had, also in other sections; `compare/glossary-f.js` has those that were entries under F.
`compare/all.js` says of every provision only where it stood and when its words changed, and
`search/ever.js` has the texts that are no longer in force.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from variorum.answers.number_histories import End, NumberHistories
from variorum.answers.script_tokens import Canonical
from variorum.permalinks import slug_of
from variorum.rows import State, name_of, split_body
from variorum_site.data.script_files import script_file
from variorum_site.page_index import GLOSSARY, PageIndex

ALL = "compare/all.js"
EVER = "search/ever.js"
# The letters that stand for kinds of provisions.
KIND_LETTERS = {"chapter": "c", "section": "s", "rule": "r", "subrule": "u", GLOSSARY: "g"}
Files = Iterator[tuple[str, bytes]]


class Stood(NamedTuple):
    """A state, and the first and last edition in which a provision had it."""

    state: int
    first: int
    last: int


class Provision(NamedTuple):
    """A provision through time.

    Attributes:
        key: Its place among all provisions.
        own: The first edition in which it is nobody else's: before that, it was a part of another.
        stretches: Its states, oldest first.
        gone: The first edition without it; None if the last edition has it.
        heirs: The names of its heirs in that edition, the main heir first.
    """

    key: int
    own: int
    stretches: Sequence[Stood]
    gone: int | None
    heirs: Sequence[str]


def section_of(state: State) -> str:
    """Return the name of the file that a state's number or headword belongs to.

    >>> section_of(State("subrule", "704.5k", "704.5k", "", "", "704.5", "", ""))
    '704'
    """
    if state.kind != GLOSSARY:
        return state.address.partition("#")[0].partition(".")[0]
    letter = slug_of(state.heading)[:1]
    return f"glossary-{letter if letter.isalpha() else '0'}"


def text_of(state: State) -> str:
    """Return the words of a provision as printed, with the markers of its examples."""
    return "\n".join([f"{marker} {text}".strip() for marker, text in split_body(state.body)])


class SectionStates:
    """All provisions of a base through time."""

    def __init__(self, index: PageIndex) -> None:
        self._index, self._states = index, index.whole.states
        self._canonical = Canonical()

    @cached_property
    def provisions(self) -> list[Provision]:
        """Return all provisions that ever were."""
        histories = NumberHistories(self._index.base, len(self._index.editions) - 1)
        owned: dict[End, int] = {}
        for holders in histories.holders(name_of).values():
            for holder in holders:
                first = holder.runs[0][0]
                owned[holder.end] = min(first, owned.get(holder.end, first))
        ends = sorted(owned.items())
        return [self._provision(key, end, own) for key, (end, own) in enumerate(ends)]

    def _provision(self, key: int, end: End, own: int) -> Provision:
        lineages = self._index.base.lineages
        stretches = [Stood(*each[:3]) for each in lineages.life(end.state, end.first)]
        onward = lineages.out_of(end.state, stretches[-1].last)
        heirs = [name_of(self._states[link.new]) for link in onward if link.new is not None]
        return Provision(key, own, stretches, onward[0].edition if onward else None, heirs)

    def files(self) -> Files:
        """Yield all files."""
        sections: dict[str, list[Provision]] = defaultdict(list)
        for provision in self.provisions:
            names = {section_of(self._states[each.state]) for each in provision.stretches}
            for name in sorted(names):
                sections[name].append(provision)
        for name, provisions in sorted(sections.items()):
            file = f"compare/{name}.js"
            yield file, script_file(file, self._section(provisions))
        yield ALL, script_file(ALL, self._all(sorted(sections)))
        yield EVER, script_file(EVER, self._ever())

    def _section(self, provisions: Sequence[Provision]) -> dict[str, object]:
        texts: dict[str, int] = {}
        rows: list[object] = []
        for provision in provisions:
            stretches: list[object] = []
            for first, last, state in self._joined(provision):
                stretches += [first, last, _called(state), KIND_LETTERS[state.kind]]
                stretches += [state.heading, texts.setdefault(text_of(state), len(texts))]
            rows.append([provision.key, provision.own, stretches, provision.gone, provision.heirs])
        return {"texts": list(texts), "provisions": rows}

    def _joined(self, provision: Provision) -> Iterator[tuple[int, int, State]]:
        """Yield the states of a provision that differ, each with its editions."""
        runs: list[tuple[int, int, State]] = []
        for stretch in provision.stretches:
            state, first = self._states[stretch.state], stretch.first
            if runs and runs[-1][1] == first - 1 and _shown(runs[-1][2]) == _shown(state):
                first = runs.pop()[0]
            runs.append((first, stretch.last, state))
        yield from runs

    def _worded(self, provision: Provision) -> Iterator[tuple[str, list[Stood]]]:
        """Yield the runs of a provision in which only typography, citations and numbers changed."""

        def words(stretch: Stood) -> str:
            state = self._states[stretch.state]
            return self._canonical.encoded(state.heading, state.body)

        for encoded, same in groupby(provision.stretches, key=words):
            yield encoded, list(same)

    def _all(self, sections: list[str]) -> dict[str, object]:
        """Return where each provision stood, and since when its words are the same.

        A row has `own`, the first edition without it or 0, then for each run of editions the first,
        the place of the section, and 1 if the words are others than before.
        """
        rows: list[list[int]] = []
        for provision in self.provisions:
            row = [provision.own, provision.gone or 0]
            for _, same in self._worded(provision):
                section = ""
                for stretch in same:
                    here = section_of(self._states[stretch.state])
                    if here != section:
                        row += [stretch.first, sections.index(here), int(not section)]
                    section = here
            rows.append(row)
        last = len(self._index.editions) - 1
        heads = {
            self._states[state].number: self._states[state].heading
            for place in range(last + 1)
            for state in self._index.whole.held(place)
            if self._states[state].kind in {"chapter", "section"}
        }
        return {"sections": sections, "headings": heads, "provisions": rows}

    def _ever(self) -> list[list[object]]:
        """Return the wordings of all editions but those of the last: name, kind, heading, text, when, now."""
        current = self._index.current.place
        rows: list[list[object]] = []
        for provision in self.provisions:
            end = provision.stretches[-1]
            is_here = end.first <= current <= end.last
            now = name_of(self._states[end.state]) if is_here else ""
            for _, same in self._worded(provision):
                first, last = same[0].first, same[-1].last
                if last >= provision.own and not first <= current <= last:
                    state = self._states[same[-1].state]
                    when = max(first, provision.own), last
                    what = _called(state), KIND_LETTERS[state.kind], state.heading
                    rows.append([*what, text_of(state), *when, now])
        return rows


def _called(state: State) -> str:
    """Return the address of a provision, or the slug of a glossary entry."""
    return slug_of(state.heading) if state.kind == GLOSSARY else state.address


def _shown(state: State) -> tuple[str, ...]:
    return state.kind, _called(state), state.heading, state.body
