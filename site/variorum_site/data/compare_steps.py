"""Data files with which a browser compares any two editions as `cr diff` does.

`compare/parts.js` names the parts, and says which of them a comparison of a number needs.
`compare/parts/` has each part: its provisions, the links to their heirs, and their texts.
`compare/chapters/` has the parts of each chapter again, because a comparison of whole editions reads all.
`compare/order.js` gives the order of all provisions in each edition. The files are scripts, because
a page opened from the file system may only load scripts; from a server, the browser reads the JSON
in them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from variorum.answers.editions import EditionEntry
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.script_tokens import edits_of
from variorum.answers.whole import Whole
from variorum.rows import State
from variorum_site.data.compare_forms import (
    Columns,
    EditionRow,
    LinksJson,
    OrderJson,
    PartJson,
    PartsJson,
    Standing,
)
from variorum_site.data.compare_parts import HeirLink, Parts, chapter_of, runs_of
from variorum_site.data.compare_texts import PartTexts, StateTexts, Words, texts_of
from variorum_site.data.script_files import listing_file, script_file
from variorum_site.output_folder import digest_of
from variorum_site.page_index import GLOSSARY

PARTS = "compare/parts.js"
ORDER = "compare/order.js"
# The letters that stand for kinds of provisions.
KIND_LETTERS = {"chapter": "c", "section": "s", "rule": "r", "subrule": "u", GLOSSARY: "g"}
_MARK = 8


def part_file(name: str) -> str:
    """Return the name of the file of a part."""
    return f"compare/parts/{name}.js"


def chapter_file(chapter: str) -> str:
    """Return the name of the file with all parts of a chapter."""
    return f"compare/chapters/{chapter}.js"


class CompareFiles:
    """The data files of a base; equal bases give equal bytes."""

    def __init__(self, base: KnowledgeBase) -> None:
        """Prepare the files of a base."""
        self._base = base
        self._parts = Parts(base)
        self._words = Words(map(self._texts, base.whole.held(0)))
        self._text_ids = _text_ids(base.whole)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield all files."""
        marks: list[str] = []
        chapters: dict[str, list[bytes]] = defaultdict(list)
        states, links = self._of_parts()
        for name in self._parts.names:
            file = part_file(name)
            written = _marked(file, self._part(states[name], links.get(name, [])))
            marks.append(_mark_in(written))
            chapters[chapter_of(name)].append(written)
            yield file, written
        for chapter, parts in chapters.items():
            yield chapter_file(chapter), listing_file(chapter_file(chapter), parts)
        order = _marked(ORDER, {"mark": "", "held": _held(self._base.whole)})
        yield ORDER, order
        yield PARTS, script_file(PARTS, self._index(marks, _mark_in(order)))

    def _of_parts(self) -> tuple[dict[str, list[int]], dict[str, list[HeirLink]]]:
        states: dict[str, list[int]] = defaultdict(list)
        links: dict[str, list[HeirLink]] = defaultdict(list)
        for state, part in self._parts.of.items():
            states[part].append(state)
        for link in self._parts.links:
            links[self._parts.of[link.old]].append(link)
        return states, links

    def _texts(self, state: int) -> StateTexts:
        return texts_of(self._base.whole.states, state, self._parts.origins[state])

    def _index(self, marks: list[str], order: str) -> PartsJson:
        return {
            "editions": edition_rows(self._base.editions),
            "states": len(self._parts.of),
            "parts": self._parts.names,
            "marks": marks,
            "order": order,
            "needs": self._parts.needed(),
            "words": self._words.common_json(),
        }

    def _part(self, states: Sequence[int], links: Sequence[HeirLink]) -> PartJson:
        texts = PartTexts(self._words, [self._texts(state) for state in states], None)
        file = texts.file
        file["ids"] = runs_of([self._text_ids[text] for text in texts.of])
        rows = [self._base.whole.states[state] for state in states]
        columns, standing = _columns(rows, texts.of), _standing(self._base.whole, states)
        return {
            "mark": "",
            "states": {"ids": runs_of(states), **columns, **standing},
            "links": _links({state: place for place, state in enumerate(states)}, links),
            "texts": file,
        }


def edition_rows(editions: Sequence[EditionEntry]) -> list[EditionRow]:
    """Return the rows of editions: label, day, issue, whether the bare day means this issue, and set."""
    return [
        (
            edition.label,
            edition.effective.isoformat(),
            edition.issue,
            int(edition.is_chosen),
            edition.set_code,
            edition.set_name,
        )
        for edition in editions
    ]


# Parts ---------------------------------------------------------------------------------------------


def _steps(numbers: Sequence[int]) -> list[int]:
    """Return each number minus the one before it."""
    return [number - before for number, before in zip(numbers, (0, *numbers), strict=False)]


def _columns(rows: Sequence[State], place_of_text: Mapping[str, int]) -> Columns:
    """Return the kinds, numbers and texts of states."""
    numbers = [row.address for row in rows if row.kind != GLOSSARY]
    names = {number: place for place, number in enumerate(dict.fromkeys(numbers))}
    return {
        "kinds": "".join([KIND_LETTERS[row.kind] for row in rows]),
        "names": list(names),
        "numbers": _steps([names[number] for number in numbers]),
        "headings": [place_of_text[row.heading] for row in rows],
        "bodies": _steps([place_of_text[row.body] for row in rows]),
    }


def _standing(whole: Whole, states: Sequence[int]) -> Standing:
    """Return when states were in print."""

    def length(first: int, last: int) -> int:
        return 0 if last == whole.last else last - first + 1

    spans = [whole.spans[state] for state in states]
    return {
        "firsts": _steps([runs[0][0] for runs in spans]),
        "spans": [length(*runs[0]) for runs in spans],
        "returns": {
            str(place): [part for run in runs[1:] for part in (run[0], length(*run))]
            for place, runs in enumerate(spans)
            if len(runs) > 1
        },
    }


def _links(places: Mapping[int, int], links: Sequence[HeirLink]) -> LinksJson:
    counts: list[int] = []
    edition = 0
    for link in links:
        if not counts or link.edition != edition:
            counts += [link.edition - edition, 0]
            edition = link.edition
        counts[-1] += 1
    return {
        "counts": counts,
        "sources": {
            str(place): link.source
            for place, link in enumerate(links)
            if link.source < link.edition - 1
        },
        "olds": _steps([places[link.old] for link in links]),
        "news": _steps_of_news(
            [places.get(-1 if link.new is None else link.new) for link in links]
        ),
        "away": {
            str(place): link.new
            for place, link in enumerate(links)
            if link.new is not None and link.new not in places
        },
        "bits": [link.bits for link in links],
    }


def _steps_of_news(news: Sequence[int | None]) -> list[int | None]:
    differences: list[int | None] = []
    before = 0
    for new in news:
        differences.append(None if new is None else new - before)
        before = before if new is None else new
    return differences


def _text_ids(whole: Whole) -> dict[str, int]:
    """Return the ids of all texts, in the order of the states that first have them."""
    ids = {"": 0}
    for state in range(len(whole.states)):
        row = whole.states[state]
        ids.setdefault(row.heading, len(ids))
        ids.setdefault(row.body, len(ids))
    return ids


def _marked(file: str, value: PartJson | OrderJson) -> bytes:
    """Return the content of a file with its mark."""
    data = script_file(file, value)
    mark = digest_of(data)[:_MARK].encode()
    return data.replace(b'"mark":""', b'"mark":"%s"' % mark)


def _mark_in(data: bytes) -> str:
    """Return the mark of a file; nothing before it has a mark."""
    return data.partition(b'"mark":"')[2][:_MARK].decode()


# Order ---------------------------------------------------------------------------------------------


def _held(whole: Whole) -> list[list[int]]:
    changes: list[list[int]] = []
    before: list[str] = []
    due = 0
    for edition in range(whole.last + 1):
        held = [str(state) for state in whole.held(edition)]
        edits: list[int] = []
        for keep, drop, came in edits_of(before, held):
            edits += [keep, drop, len(came)]
            for state in came:
                edits.append(int(state) - due)
                due = int(state) + 1
        changes.append(edits)
        before = held
    return changes
