"""The comparison data have the content of the base."""

from pathlib import Path
from typing import Any

import pytest

from tests.site.building import base_of
from tests.site.data.compare_data import ReadPart, patched, read_held, read_part
from tests.support.small_bases import DAYS, edition
from variorum_kb.answers.between_editions.script_tokens import edits_of, tokens_with_canon
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.history.canonical import Folder
from variorum_kb.permalinks import slug_of
from variorum_kb.rows import NEW, State, full_text
from variorum_kb.text.words import SLOT
from variorum_site.data.compare_forms import PartsJson
from variorum_site.data.compare_parts import block_of, chapter_of
from variorum_site.data.compare_steps import (
    KIND_LETTERS,
    ORDER,
    PARTS,
    CompareFiles,
    WrittenFiles,
    chapter_file,
    part_file,
    read_written,
)
from variorum_site.data.script_files import json_in
from variorum_site.output_folder import EarlierGroup, GroupJson, digest_of, write


@pytest.fixture(scope="module")
def files(base: KnowledgeBase) -> dict[str, bytes]:
    """Return the files by their names."""
    return dict(CompareFiles(base).files())


@pytest.fixture(scope="module")
def listed(files: dict[str, bytes]) -> PartsJson:
    """Return the list of parts."""
    results: PartsJson = json_in(files[PARTS])
    return results


@pytest.fixture(scope="module")
def parts(files: dict[str, bytes], listed: PartsJson) -> list[ReadPart]:
    """Return the parts, read back."""
    return [read_part(json_in(files[part_file(name)]), listed) for name in listed["parts"]]


def test_marks(files: dict[str, bytes], listed: PartsJson) -> None:
    """The list has the marks of the parts and of the order, which differ between builds."""
    marks = [json_in(files[part_file(name)])["mark"] for name in listed["parts"]]

    assert listed["marks"] == marks
    assert listed["order"] == json_in(files[ORDER])["mark"]
    assert all(len(mark) == 8 for mark in [*marks, listed["order"]])


def test_files(files: dict[str, bytes], listed: PartsJson) -> None:
    """The list names all parts, and there are no other files."""
    chapters = dict.fromkeys(map(chapter_of, listed["parts"]))
    assert list(files) == [
        *map(part_file, listed["parts"]),
        *map(chapter_file, chapters),
        ORDER,
        PARTS,
    ]


def test_chapters(files: dict[str, bytes], listed: PartsJson) -> None:
    """The file of a chapter has its parts in the order in which they are listed."""
    chapters: dict[str, list[Any]] = {}
    for name in listed["parts"]:
        chapters.setdefault(chapter_of(name), []).append(json_in(files[part_file(name)]))

    assert {name: json_in(files[chapter_file(name)]) for name in chapters} == chapters
    assert len(listed["parts"]) > 10


def test_editions(base: KnowledgeBase, listed: PartsJson) -> None:
    """All editions are listed in order, with all their names."""
    expected = [
        (
            edition.label,
            str(edition.effective),
            edition.issue,
            edition.is_chosen,
            edition.set_code,
            edition.set_name,
        )
        for edition in base.editions
    ]

    assert [tuple(edition) for edition in listed["editions"]] == expected


def test_held(base: KnowledgeBase, files: dict[str, bytes]) -> None:
    """The states of each edition are read back in printed order."""
    expected = [list(base.whole.held(edition.place)) for edition in base.editions]

    assert read_held(json_in(files[ORDER])["held"]) == expected


def test_links(base: KnowledgeBase, parts: list[ReadPart]) -> None:
    """Every link except those to new provisions is in one part, in the order of walking."""
    by_edition = base.links.load().by_edition
    links = [
        (link.edition, link.source, link.old, link.new, link.bits)
        for edition in sorted(by_edition)
        for link in by_edition[edition]
        if link.old is not None
    ]
    read = [link for part in parts for link in part.links]

    assert sorted(read, key=links.index) == links
    assert all(part.links == sorted(part.links, key=links.index) for part in parts)
    assert all(
        link.bits & NEW for links in by_edition.values() for link in links if link.old is None
    )


def test_links_are_walked_in_order(base: KnowledgeBase) -> None:
    """The script sorts the links of all parts into the order of the history."""
    for links in base.links.load().by_edition.values():
        walked = [link for link in links if link.old is not None]

        assert walked == sorted(walked, key=lambda link: (link.source, link.old))


def test_states(base: KnowledgeBase, parts: list[ReadPart], listed: PartsJson) -> None:
    """Each state is read back once: kind, number, heading, words, and editions."""
    read = {state.id: state for part in parts for state in part.states}
    letters = {letter: kind for kind, letter in KIND_LETTERS.items()}

    assert sum(len(part.states) for part in parts) == len(base.whole.states) == listed["states"]
    for number, state in base.whole.states.items():
        state_read = read[number]
        assert letters[state_read.kind] == state.kind
        assert state_read.address == ("" if state.kind == "glossary" else state.address)
        assert (state_read.heading, state_read.body) == (state.heading, full_text(state.body))
        assert state_read.runs == base.whole.spans[number]


def test_parts(base: KnowledgeBase, parts: list[ReadPart], listed: PartsJson) -> None:
    """The parts for a number have all its bearers, with their predecessors and heirs."""
    part_of = {state.id: place for place, part in enumerate(parts) for state in part.states}
    links = [(old, new) for part in parts for _, _, old, new, _ in part.links if new is not None]
    for state in (state for part in parts for state in part.states if state.address):
        needed = set(listed["needs"][block_of(state.address)])
        before, after = {state.id}, {state.id}
        for _ in range(len(base.editions)):
            before |= {old for old, new in links if new in before}
            after |= {new for old, new in links if old in after}

        assert {part_of[number] for number in before | after} <= needed


def test_canonical_texts(base: KnowledgeBase, parts: list[ReadPart]) -> None:
    """The words for comparing texts, and their citations, are those of the command."""
    folder = Folder()
    for state in (state for part in parts for state in part.states):
        canon = folder.canon(base.whole.states[state.id])

        assert state.words == folder.vocabulary.decode(canon.whole)
        assert state.cited == [(citation.first, citation.last) for citation in canon.citations]


def test_common_words(listed: PartsJson, parts: list[ReadPart]) -> None:
    """No part lists a common word, or a word twice."""
    common = [repr(word) for word in listed["words"]]

    assert common
    assert all(len(set(part.words)) == len(part.words) for part in parts)
    assert not any(set(common) & set(part.words) for part in parts)


def test_what_words_do_not_tell() -> None:
    """A mark such as (TM) is not compared; only the whole text identifies it."""
    state = State("rule", "", "", "", "Magic(TM), see rule 100.1.", "", "", "")
    folder = Folder()

    tokens = [text for token in tokens_with_canon(state.body) for text in token.canon]

    assert tokens == ["magic", "tm", "see", "rule", SLOT]
    assert folder.vocabulary.decode(folder.canon(state).whole) == ["magic", "see", "rule", SLOT]


@pytest.mark.parametrize(
    ("text", "citing"),
    [
        ("See rules 603.7d-f.", {"603.7d-f": [("603.7d", "603.7f")]}),
        ("See rules 119.7–8.", {"119.7": [("119.7", "119.8")]}),
        ("See rule 702.9b’s.", {"702.9b’s": [("702.9b", "702.9b")]}),
        ("rules 100.1, 100.2 ", {"100.1": [("100.1", "100.1")], "100.2 ": [("100.2", "100.2")]}),
        ("702 more.", {}),
    ],
)
def test_citations(text: str, citing: dict[str, list[tuple[str, str]]]) -> None:
    """A citation belongs to the word in which it begins; there is a slot for each."""
    tokens = tokens_with_canon(text)

    by_name = {token.text: list(token.citations) for token in tokens if token.citations}
    assert by_name == citing
    assert "".join([token.text for token in tokens]) == text
    slots = sum(token.canon.count(SLOT) for token in tokens)
    assert slots == len(citing)


@pytest.mark.parametrize(
    ("first", "second"),
    [("", "abc"), ("abc", ""), ("abc", "abc"), ("abcdef", "xbcyef"), ("ab", "ba")],
)
def test_edits(first: str, second: str) -> None:
    """The edits between two lists turn the first into the second."""
    edits: list[int] = []
    for keep, drop, came in edits_of(first, second):
        edits += [keep, drop, len(came), *map(ord, came)]

    assert patched([ord(sign) for sign in first], edits) == [ord(sign) for sign in second]


def test_slugs(base: KnowledgeBase, parts: list[ReadPart]) -> None:
    """The files list anchors of headwords that differ from plain slugs."""
    slugs = {word: slug for part in parts for word, slug in part.slugs.items()}

    headwords = {state.heading for state in base.whole.states.values() if state.kind == "glossary"}
    assert slugs == {word: slug_of(word) for word in headwords if "’" in word}


def test_size(base: KnowledgeBase, parts: list[ReadPart]) -> None:
    """Each part has a text once, however many editions print it."""
    for part in parts:
        rows = [base.whole.states[state.id] for state in part.states]
        distinct = {"", *(row.heading for row in rows), *(row.body for row in rows)}

        assert len(part.texts) == len(distinct)


def written_of(base: KnowledgeBase) -> WrittenFiles:
    """Return data files of an earlier build."""
    files = CompareFiles(base)
    return WrittenFiles(dict(files.files()), files.digest)


def test_continued(tmp_path: Path) -> None:
    """If the files of the first editions are continued, they have the bytes of new ones."""
    documents = {
        f"{day}.txt": edition(day, rule=f"A boat (See rule 100.1) floats {'well ' * place}.")
        for place, day in enumerate(DAYS)
    }
    few = base_of(tmp_path / "few", dict(list(documents.items())[:3]))
    with KnowledgeBase.open(few) as base:
        written = written_of(base)
    kb = base_of(tmp_path / "all", documents)

    with KnowledgeBase.open(kb) as base:
        again = CompareFiles(base, written)
        assert again.known == 3
        assert dict(again.files()) == dict(CompareFiles(base).files())


def test_continued_sample(base: KnowledgeBase, files: dict[str, bytes]) -> None:
    """If there is no new edition, continued files stay as they are."""
    again = CompareFiles(base, written_of(base))

    assert again.known == len(base.editions)
    assert dict(again.files()) == files


def test_not_continued(base: KnowledgeBase, files: dict[str, bytes]) -> None:
    """Files of other editions are ignored."""
    again = CompareFiles(base, WrittenFiles(files, "of another base"))

    assert again.known == 0
    assert dict(again.files()) == files


def test_read_back(files: dict[str, bytes], tmp_path: Path) -> None:
    """Files are read back as written, unless one of them was changed."""
    write(tmp_path, files)
    digests = {name: digest_of(data) for name, data in files.items()}
    known: GroupJson = {"inputs": "", "results": {"compared": "known"}, "files": digests}
    group = EarlierGroup(tmp_path, known)

    assert read_written(group) == WrittenFiles(files, "known")

    (tmp_path / ORDER).write_bytes(b"{}")
    assert read_written(group) is None
