"""Data files with which a browser compares any two editions as `cr diff` does.

`compare/steps.json` lists the provisions of each edition and the links between them. `compare/texts/`
has each distinct text once; a text that follows from another is stored as its differences.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypedDict

from variorum_kb.answers.diff_tokens import edits_of
from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.stored.whole import Whole
from variorum_kb.rows import NEW
from variorum_site.data.compare_texts import Texts, TextsJson
from variorum_site.output_folder import EarlierGroup
from variorum_site.page_index import GLOSSARY

STEPS = "compare/steps.json"
# The letters that stand for kinds of provisions.
KIND_LETTERS = {"chapter": "c", "section": "s", "rule": "r", "subrule": "u", GLOSSARY: "g"}


EditionRow = tuple[str, str, int, int, str, str]


class LinksJson(TypedDict):
    """All links except those to new provisions, in the order in which they are followed.

    Attributes:
        counts: How many links lead into each edition.
        sources: The source edition of links that skip editions, by their place in the list.
        olds: The ids of old states, each minus the one before it.
        news: The ids of heirs, likewise; None for removed provisions.
        bits: What happened, see rows.STEP_KINDS.
    """

    counts: list[int]
    sources: dict[str, int]
    olds: list[int]
    news: list[int | None]
    bits: list[int]


class StatesJson(TypedDict):
    """All states by their ids, in columns.

    Attributes:
        kinds: A letter for each state, see KIND_LETTERS.
        numbers: Their places among the numbers, each minus the one before it; none for the glossary.
        headings: The texts of headings; 0 without one.
        bodies: The texts of bodies, each minus the one before it.
    """

    kinds: str
    numbers: list[int]
    headings: list[int]
    bodies: list[int]


class StepsJson(TypedDict):
    """The provisions of all editions, and the links between them.

    Attributes:
        editions: Label, day, issue, whether the bare day means it, set code and set name.
        numbers: All numbers ever printed; with "#1" and "#2" if an edition prints one twice.
        states: All states.
        held: How each edition's list of states follows from the one before: repeatedly, how many
            are kept, removed and added, then the added ones, each minus the expected next id.
        links: The links between states.
        files: The first text of each file of texts.
        marks: The marks of the files of texts.
    """

    editions: list[EditionRow]
    numbers: list[str]
    states: StatesJson
    held: list[list[int]]
    links: LinksJson
    files: list[int]
    marks: list[str]


def texts_file(place: int) -> str:
    """Return the name of a file of texts."""
    return f"compare/texts/{place:02}.json"


@dataclass(frozen=True, slots=True)
class WrittenFiles:
    """The data files that an earlier build wrote.

    Attributes:
        steps: The steps.
        texts: The files of texts.
        digest: A digest of all that they depend on.
    """

    steps: StepsJson
    texts: list[TextsJson]
    digest: str


def read_written(group: EarlierGroup) -> WrittenFiles | None:
    """Return the data files that an earlier build wrote; None if they are not there unchanged."""
    digest, data = group.group["results"].get("compared"), group.read(STEPS)
    if digest is None or data is None:
        return None
    steps: StepsJson = json.loads(data)
    texts = [group.read(texts_file(place)) for place in range(len(steps["files"]))]
    there = [json.loads(text) for text in texts if text is not None]
    return WrittenFiles(steps, there, digest) if len(there) == len(texts) else None


class CompareFiles:
    """The data files of a base; equal bases give equal bytes.

    Attributes:
        digest: A digest of all that they depend on.
    """

    def __init__(self, base: KnowledgeBase, written: WrittenFiles | None = None) -> None:
        """Prepare the files.

        Args:
            base: The base.
            written: The files of an earlier build by this program, which are continued if the base
                has the same first editions.
        """
        if written is None:
            texts, held = Texts(base), list[list[int]]()
        else:
            held = written.steps["held"]
            texts = Texts(base, written.texts, len(held), written.digest)
        self._texts = texts.files
        self._steps = steps_of(base, texts, held[: texts.known])
        self.digest = texts.digests[len(base.editions)]

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield all files.

        Each comes twice: as JSON to fetch, and as a script, because a page opened from the file
        system may only load scripts.
        """
        whole = {STEPS: _encoded(self._steps)}
        whole |= {texts_file(place): _encoded(file) for place, file in enumerate(self._texts)}
        for file, text in whole.items():
            yield file, text.encode()
            yield script_of(file), f'variorum.take("{file}",{text});\n'.encode()


def files_of(base: KnowledgeBase) -> Iterator[tuple[str, bytes]]:
    """Yield all data files of a base."""
    return CompareFiles(base).files()


def script_of(file: str) -> str:
    """Return the name of the script with the content of a file.

    >>> script_of(STEPS)
    'compare/steps.js'
    """
    return file.removesuffix("on")


def _encoded(value: StepsJson | TextsJson) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def edition_rows(editions: Sequence[EditionEntry]) -> list[EditionRow]:
    """Return the rows of editions: label, day, issue, whether the bare day means it, and set."""
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


# Steps ---------------------------------------------------------------------------------------------


def steps_of(base: KnowledgeBase, texts: Texts, held: Sequence[list[int]] = ()) -> StepsJson:
    """Return the provisions of all editions, and the links between them.

    Args:
        base: The base.
        texts: Its texts.
        held: The lists of the first editions' states, as an earlier build wrote them.
    """
    whole = base.whole
    return {
        "editions": edition_rows(base.editions),
        "numbers": _numbers(whole),
        "states": _states(whole, texts),
        "held": _held(whole, held),
        "links": _links(base),
        "files": texts.starts,
        "marks": [file["mark"] for file in texts.files],
    }


def _numbers(whole: Whole) -> list[str]:
    """Return all numbers, in the order of the states that first have them."""
    states = (whole.states[state] for state in range(len(whole.states)))
    return list(dict.fromkeys(state.address for state in states if state.kind != GLOSSARY))


def _states(whole: Whole, texts: Texts) -> StatesJson:
    place_of = {number: place for place, number in enumerate(_numbers(whole))}
    states = [whole.states[state] for state in range(len(whole.states))]
    return {
        "kinds": "".join([KIND_LETTERS[state.kind] for state in states]),
        "numbers": _steps([place_of[state.address] for state in states if state.kind != GLOSSARY]),
        "headings": [texts.of[state.heading] for state in states],
        "bodies": _steps([texts.of[state.body] for state in states]),
    }


def _steps(numbers: Sequence[int]) -> list[int]:
    """Return each number minus the one before it."""
    return [number - before for number, before in zip(numbers, (0, *numbers), strict=False)]


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


def _links(base: KnowledgeBase) -> LinksJson:
    by_edition = base.links.load().by_edition
    steps = [
        [link for link in by_edition.get(place, ()) if link.old is not None and not link.bits & NEW]
        for place in range(len(base.editions))
    ]
    links = [link for step in steps for link in step]
    return {
        "counts": [len(step) for step in steps],
        "sources": {str(place): link.source for place, link in enumerate(links) if link.is_return},
        "olds": _steps([link.old or 0 for link in links]),
        "news": _steps_of_news([link.new for link in links]),
        "bits": [link.bits for link in links],
    }


def _steps_of_news(news: Sequence[int | None]) -> list[int | None]:
    differences: list[int | None] = []
    before = 0
    for new in news:
        differences.append(None if new is None else new - before)
        before = before if new is None else new
    return differences
