"""Data files with which a browser compares provisions: the words of each section in every edition.

`compare/705.js` has all provisions that ever had a number in section 705, with every number and text
that they had, also in other sections; `compare/glossary-f.js` has those that were entries under F.
`compare/all.js` says of every provision only where it stood and when its words changed;
`compare/since/2024-04-12.js`, what changed from then until today; and `search/ever.js` has the texts
that are no longer in force.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby, takewhile
from typing import NamedTuple

from variorum.answers.diff import SUBSTANTIVE, Change, find_changes, summary
from variorum.answers.number_histories import End, NumberHistories
from variorum.answers.script_tokens import Canonical
from variorum.permalinks import slug_of
from variorum.rows import CHANGE_CLASSES, COPIED, MERGED, SPLIT, Row, State, name_of, split_body
from variorum_site.data.script_files import script_file
from variorum_site.page_index import GLOSSARY, PageIndex
from variorum_site.render import PageFile

# The letters that stand for kinds of provisions.
KIND_LETTERS = {"chapter": "c", "section": "s", "rule": "r", "subrule": "u", GLOSSARY: "g"}
# A text that shares at least so many characters with the one before is kept as a difference.
_WORTH_A_DIFFERENCE = 30
# How many of the rules with most changed words are listed.
_MOST_REWORDED = 8
_SORTS = ("", "new", "gone", "parted")
_KEYWORDS = re.compile("keyword", re.IGNORECASE)


class Stood(NamedTuple):
    """A state, and the first and last edition in which a provision had it."""

    state: State
    first: int
    last: int


class Provision(NamedTuple):
    """A provision through time.

    `own` is the first edition in which it is nobody else's: before that, it was a part of another;
    `gone` is the first edition without it, which has the heirs, the main heir first.
    """

    key: int
    own: int
    stretches: Sequence[Stood]
    gone: int | None
    heirs: Sequence[str]


def _section_of(state: State) -> str:
    """Return the name of the file that a state's number or headword belongs to."""
    if state.kind != GLOSSARY:
        return state.address.partition("#")[0].partition(".")[0]
    letter = slug_of(state.heading)[:1]
    return f"glossary-{letter if letter.isalpha() else '0'}"


def _text_of(state: State) -> str:
    """Return the words of a provision as printed, with the markers of its examples."""
    return "\n".join([f"{marker} {text}".strip() for marker, text in split_body(state.body)])


def _called(state: State) -> str:
    """Return the address of a provision, or the slug of a glossary entry."""
    return slug_of(state.heading) if state.kind == GLOSSARY else state.address


class SectionStates:
    """All provisions of a base through time."""

    def __init__(self, index: PageIndex) -> None:
        self._index, self._states = index, index.whole.states
        self._canonical = Canonical()

    @cached_property
    def _provisions(self) -> list[Provision]:
        """Return all provisions that ever were."""
        histories = NumberHistories(self._index.base, len(self._index.editions) - 1)
        owned: dict[End, int] = {}
        for holders in histories.holders(name_of).values():
            for holder in holders:
                first = holder.runs[0][0]
                owned[holder.end] = min(first, owned.get(holder.end, first))
        return [self._provision(key, *owning) for key, owning in enumerate(sorted(owned.items()))]

    def _provision(self, key: int, end: End, own: int) -> Provision:
        lineages = self._index.base.lineages
        stretches = [
            Stood(self._states[each.state], each.first, each.last)
            for each in lineages.life(end.state, end.first)
        ]
        onward = lineages.out_of(end.state, stretches[-1].last)
        heirs = [name_of(self._states[link.new]) for link in onward if link.new is not None]
        return Provision(key, own, stretches, onward[0].edition if onward else None, heirs)

    def files(self) -> Iterator[PageFile]:
        """Yield all files but those of single editions."""
        sections: dict[str, list[Provision]] = defaultdict(list)
        for provision in self._provisions:
            for name in {_section_of(each.state) for each in provision.stretches}:
                sections[name].append(provision)
        for name, provisions in sorted(sections.items()):
            yield script_file(f"compare/{name}.js", self._section(provisions))
        yield script_file("compare/all.js", self._all(sorted(sections)))
        yield script_file("search/ever.js", self._ever())

    def _section(self, provisions: Sequence[Provision]) -> dict[str, object]:
        """Return provisions with their states, and the texts of these.

        A text may be a difference: the place of another one, how many of its characters precede and
        follow what is new, and this.
        """
        places: dict[str, int] = {}
        texts: list[object] = []
        rows: list[object] = []
        for provision in provisions:
            columns: list[object] = []
            before = ""
            for first, last, state in _joined(provision):
                text = _text_of(state)
                if text not in places:
                    places[text] = len(texts)
                    texts.append(_difference(text, before, places))
                before = text
                columns += [first, last, _called(state), KIND_LETTERS[state.kind]]
                columns += [state.heading, places[text]]
            rows.append([provision.key, provision.own, columns, provision.gone, provision.heirs])
        return {"texts": texts, "provisions": rows}

    def _worded(self, provision: Provision) -> Iterator[list[Stood]]:
        """Yield the runs of a provision in which only typography, citations and numbers changed."""

        def words(stretch: Stood) -> str:
            return self._canonical.encoded(stretch.state.heading, stretch.state.body)

        for _, same in groupby(provision.stretches, key=words):
            yield list(same)

    def _all(self, sections: list[str]) -> dict[str, object]:
        """Return where each provision stood, and since when its words are the same.

        A row has `own`, the first edition without it or 0, then for each run of editions the first,
        the place of the section, and 1 if the words are others than before.
        """
        rows: list[list[int]] = []
        for provision in self._provisions:
            row = [provision.own, provision.gone or 0]
            for same in self._worded(provision):
                section = ""
                for stretch in same:
                    here = _section_of(stretch.state)
                    if here != section:
                        row += [stretch.first, sections.index(here), int(not section)]
                    section = here
            rows.append(row)
        headings: dict[str, str] = {}
        for edition in self._index.editions:
            headings |= self._index.outline(edition.place).headings
        return {"sections": sections, "headings": headings, "provisions": rows}

    def _ever(self) -> list[list[object]]:
        """Return the wordings of all editions but those of the last: name, kind, heading, text, when, now."""
        current = self._index.current.place
        rows: list[list[object]] = []
        for provision in self._provisions:
            end = provision.stretches[-1]
            now = name_of(end.state) if end.first <= current <= end.last else ""
            for same in self._worded(provision):
                first, (state, _, last) = same[0].first, same[-1]
                if last >= provision.own and not first <= current <= last:
                    what = _called(state), KIND_LETTERS[state.kind], state.heading, _text_of(state)
                    rows.append([*what, max(first, provision.own), last, now])
        return rows


def _joined(provision: Provision) -> Iterator[tuple[int, int, State]]:
    """Yield the states of a provision that differ, each with its editions."""

    def shown(stretch: Stood) -> tuple[str, ...]:
        state = stretch.state
        return state.kind, _called(state), state.heading, state.body

    for _, same in groupby(provision.stretches, key=shown):
        run = list(same)
        yield run[0].first, run[-1].last, run[-1].state


def _difference(text: str, before: str, places: dict[str, int]) -> object:
    """Return a text, or how it differs from the one before it.

    Scripts count characters beyond the basic plane twice.
    """
    if max(text + before, default="") > "\uffff":
        return text
    head = _shared(text, before)
    tail = _shared(text[head:][::-1], before[head:][::-1])
    if head + tail < _WORTH_A_DIFFERENCE:
        return text
    return [places[before], head, tail, text[head : len(text) - tail]]


def _shared(text: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    alike = takewhile(lambda signs: signs[0] == signs[1], zip(text, other, strict=False))
    return sum(1 for _ in alike)


# From an edition to the one in force -----------------------------------------------------------------


def since_file(index: PageIndex, place: int) -> PageFile:
    """Return what changed from an edition to the one in force, in the figures of `cr since`.

    These are counts, the sections and keywords that are new or gone, and all changes by section.
    """
    edition = index.editions[place]
    changes = find_changes(index.base, edition, index.current)
    headings = index.outline(place).headings | index.outline(index.current.place).headings
    titles = [f"{what} {kind}" for kind in ("sections", "keywords") for what in ("New", "Removed")]
    lists: dict[str, list[list[str]]] = {title: [] for title in titles}
    sections: dict[str, list[list[str | int]]] = {}
    for change in changes.all:
        row = change.new or change.old
        if row is None:
            continue
        section = "glossary" if row.kind == GLOSSARY else row.address.partition(".")[0]
        sections.setdefault(section, []).append(_row(change))
        is_new = change.is_new or change.is_part
        is_keyword = row.kind == "rule" and row.heading and _KEYWORDS.search(headings[section])
        if (is_new or change.is_gone) and (row.kind == "section" or is_keyword):
            what = "sections" if row.kind == "section" else "keywords"
            lists[f"{'New' if is_new else 'Removed'} {what}"].append([name_of(row), row.heading])
    whole = {
        "summary": summary(changes).as_json(),
        "lists": [[title, rows] for title, rows in lists.items() if rows],
        "reworded": _most_reworded(changes.all),
        "sections": [
            [section, headings.get(section, ""), rows] for section, rows in sections.items()
        ],
    }
    return script_file(f"compare/since/{edition.label}.js", whole)


def _row(change: Change) -> list[str | int]:
    """Return the old and the new name of a change ("=": the same), its sort, and the class of its words."""
    sort = "new" if change.is_new else "gone" if change.is_gone else ""
    if change.is_part or change.bits & (SPLIT | MERGED | COPIED):
        sort = "parted"
    old, new = ("" if row is None else name_of(row) for row in (change.old, change.new))
    same = "=" if old == new else new
    return [old, same, _SORTS.index(sort), CHANGE_CLASSES.index(change.change)]


def _most_reworded(changes: Sequence[Change]) -> list[list[object]]:
    """Return the names and headings of provisions, with the words that were removed and added."""
    counts: list[tuple[int, int, Row]] = []
    for change in changes:
        if change.old is None or change.new is None or change.is_part:
            continue
        # A heading is not a rewording of the text that stood in its place.
        if change.change == SUBSTANTIVE and bool(change.old.body) == bool(change.new.body):
            sides = dict.fromkeys("=-+", 0)
            for sign, text in change.pieces():
                sides[sign] += len(text.split())
            counts.append((sides["-"], sides["+"], change.new))
    counts.sort(key=lambda each: each[0] + each[1], reverse=True)
    return [[name_of(row), row.heading, *words] for *words, row in counts[:_MOST_REWORDED]]
