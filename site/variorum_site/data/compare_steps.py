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
from dataclasses import dataclass
from hashlib import blake2b

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
from variorum_site.data.script_files import json_in, listing_file, script_file
from variorum_site.output_folder import EarlierGroup, digest_of
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


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """The data files of an earlier build.

    Attributes:
        files: All of these files.
        digest: A digest of everything that they depend on.
    """

    files: Mapping[str, bytes]
    digest: str


def read_written(group: EarlierGroup) -> WrittenFiles | None:
    """Return the data files of an earlier build; None if they are missing or were changed."""
    digest = group.group["results"].get("compared")
    names = [name for name in group.group["files"] if name.endswith(".js")]
    files = {name: group.read(name) for name in names}
    there = {name: data for name, data in files.items() if data is not None}
    if digest is None or not there or len(there) < len(files):
        return None
    return WrittenFiles(there, digest)


class CompareFiles:
    """The data files of a base; equal bases give equal bytes.

    Attributes:
        digest: A digest of everything that they depend on.
        known: How many editions were already in the files of the earlier build.
    """

    def __init__(self, base: KnowledgeBase, written: WrittenFiles | None = None) -> None:
        """Prepare the files.

        Args:
            base: The base.
            written: The files of an earlier build by this program; they are continued if the base
                begins with the same editions.
        """
        self._base = base
        self._written: Mapping[str, bytes] = written.files if written else {}
        self._parts = Parts(base)
        digests = self._digests()
        self.digest = digests[-1]
        self.known = 0
        if written is not None:
            before: PartsJson = json_in(self._written[PARTS])
            count = len(before["editions"])
            is_same = count < len(digests) and digests[count] == written.digest
            self.known = count if is_same else 0
        self._words = Words(map(self._texts, base.whole.held(0)))
        self._text_ids = _text_ids(base.whole)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield all files."""
        marks: list[str] = []
        chapters: dict[str, list[bytes]] = defaultdict(list)
        states, links = self._of_parts()
        changed = self._changed() if self.known else set(self._parts.names)
        for name in self._parts.names:
            file = part_file(name)
            written = self._written.get(file) if self.known else None
            if name in changed or written is None:
                before: PartJson | None = None if written is None else json_in(written)
                written = _marked(file, self._part(states[name], links.get(name, []), before))
            marks.append(_mark_in(written))
            chapters[chapter_of(name)].append(written)
            yield file, written
        for chapter, parts in chapters.items():
            yield chapter_file(chapter), listing_file(chapter_file(chapter), parts)
        order = _marked(ORDER, self._order())
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

    def _changed(self) -> set[str]:
        """Return the parts with a state or a link that changes after the known editions."""
        spans, last = self._base.whole.spans, self.known - 1
        states = {
            state
            for state, runs in spans.items()
            for first, stop in runs
            if first > last or last <= stop < self._base.whole.last
        }
        states |= {link.old for link in self._parts.links if link.edition > last}
        return {self._parts.of[state] for state in states}

    def _texts(self, state: int) -> StateTexts:
        return texts_of(self._base.whole.states, state, self._parts.origins[state])

    def _digests(self) -> list[str]:
        """Return digests of everything that the files depend on, by the number of editions in them."""
        digest = blake2b(digest_size=12)
        digests = [""]
        done = 0
        for place in range(len(self._base.editions)):
            held = self._base.whole.held(place)
            digest.update(held.tobytes())
            stop = max(done, max(held, default=-1) + 1)
            digest.update(repr([self._texts(state) for state in range(done, stop)]).encode())
            done = stop
            digests.append(digest.hexdigest())
        return digests

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

    def _order(self) -> OrderJson:
        before: OrderJson | None = json_in(self._written[ORDER]) if self.known else None
        return {"mark": "", "held": _held(self._base.whole, before["held"] if before else ())}

    def _part(
        self, states: Sequence[int], links: Sequence[HeirLink], before: PartJson | None
    ) -> PartJson:
        texts = PartTexts(
            self._words,
            [self._texts(state) for state in states],
            None if before is None else before["texts"],
        )
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


def _held(whole: Whole, known: Sequence[list[int]]) -> list[list[int]]:
    changes = list(known)
    before = [str(state) for state in whole.held(len(known) - 1)] if known else []
    due = sum([step + 1 for edits in known for step in _added(edits)])
    for edition in range(len(known), whole.last + 1):
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


def _added(edits: Sequence[int]) -> Iterator[int]:
    """Yield the steps to the states that the edits of a list add."""
    at = 0
    while at < len(edits):
        stop = at + 3 + edits[at + 2]
        yield from edits[at + 3 : stop]
        at = stop
