"""What a browser compares editions with says all that the base says."""

import json
from pathlib import Path

import pytest

from tests.site.building import base_of
from tests.site.data.compare_data import patched, read_held, read_texts
from tests.support.small_bases import DAYS, edition
from variorum_kb.answers.diff_tokens import edits_of, tokens_with_canon
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.history.canonical import Folder
from variorum_kb.permalinks import slug_of
from variorum_kb.rows import NEW, State, full_text
from variorum_kb.text.words import SLOT
from variorum_site.data.compare_steps import (
    KIND_LETTERS,
    STEPS,
    CompareFiles,
    StepsJson,
    WrittenFiles,
    files_of,
    read_written,
    script_of,
    texts_file,
)
from variorum_site.data.compare_texts import Texts, TextsJson
from variorum_site.output_folder import EarlierGroup, GroupJson, digest_of, write


@pytest.fixture(scope="module")
def files(base: KnowledgeBase) -> dict[str, bytes]:
    """Return the files by their names."""
    return dict(files_of(base))


@pytest.fixture(scope="module")
def steps(files: dict[str, bytes]) -> StepsJson:
    """Return the steps."""
    results: StepsJson = json.loads(files[STEPS])
    return results


@pytest.fixture(scope="module")
def texts(files: dict[str, bytes]) -> list[TextsJson]:
    """Return the files of texts."""
    return [
        json.loads(files[name])
        for name in sorted(files)
        if "texts/" in name and name.endswith(".json")
    ]


def test_marks(steps: StepsJson, texts: list[TextsJson]) -> None:
    """The steps know their texts from those of another build."""
    assert steps["marks"] == [file["mark"] for file in texts]
    assert all(len(mark) == 12 for mark in steps["marks"])


def test_files(files: dict[str, bytes], steps: StepsJson) -> None:
    """The steps say how many files of texts there are; each is there as a script, too."""
    names = [STEPS, *map(texts_file, range(len(steps["files"])))]

    assert list(files) == [file for name in names for file in (name, script_of(name))]
    for name in names:
        script = f'variorum.take("{name}",{files[name].decode()});\n'
        assert files[script_of(name)].decode() == script


def test_same_bytes(base: KnowledgeBase, files: dict[str, bytes], sample_base: Path) -> None:
    """The same base gives the same bytes, asked again or opened again."""
    again = dict(files_of(base))
    with KnowledgeBase.open(sample_base) as second:
        opened_again = dict(files_of(second))

    assert again == files
    assert opened_again == files


def test_editions(base: KnowledgeBase, steps: StepsJson) -> None:
    """All editions stand there in order, with all that may name them."""
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

    assert [tuple(edition) for edition in steps["editions"]] == expected


def test_held(base: KnowledgeBase, steps: StepsJson) -> None:
    """The states of each edition come back in printed order."""
    expected = [list(base.whole.held(edition.place)) for edition in base.editions]

    assert read_held(steps["held"]) == expected


def test_links(base: KnowledgeBase, steps: StepsJson) -> None:
    """Every link but those to what is new is there, in the order in which they are walked."""
    rows: list[tuple[int, int, int, int | None, int]] = []
    columns = steps["links"]
    old = new = place = 0
    for place_of_edition, count in enumerate(columns["counts"]):
        for _ in range(count):
            old += columns["olds"][place]
            step = columns["news"][place]
            new += step or 0
            source = columns["sources"].get(str(place), place_of_edition - 1)
            heir = None if step is None else new
            rows.append((place_of_edition, source, old, heir, columns["bits"][place]))
            place += 1

    by_edition = base.links.load().by_edition
    links = [link for edition in sorted(by_edition) for link in by_edition[edition]]
    assert rows == [
        (link.edition, link.source, link.old, link.new, link.bits)
        for link in links
        if link.old is not None
    ]
    assert all(link.bits & NEW for link in links if link.old is None)
    assert columns["sources"]


def test_states(base: KnowledgeBase, steps: StepsJson, texts: list[TextsJson]) -> None:
    """Each state comes back: kind, number, heading and words."""
    read = read_texts(texts)
    columns = steps["states"]
    letters = {letter: kind for kind, letter in KIND_LETTERS.items()}
    numbers = iter(columns["numbers"])
    place = body = 0
    for item, letter in enumerate(columns["kinds"]):
        state = base.whole.states[item]
        if letter != "g":
            place += next(numbers)
        body += columns["bodies"][item]

        number = "" if letter == "g" else steps["numbers"][place]
        heading = read[columns["headings"][item]]
        assert (letters[letter], heading, read[body]) == (
            state.kind,
            state.heading,
            full_text(state.body),
        )
        assert letter == "g" or (number, number.partition("#")[0]) == (state.address, state.number)


def test_canonical_texts(base: KnowledgeBase, texts: list[TextsJson]) -> None:
    """The words that texts are compared by, and their citations, are those of the command."""
    folder = Folder()
    known = {place: words for file in texts for place, words in file["canon"].items()}
    places = Texts(base).of
    for state in base.whole.states.values():
        canon = folder.canon(state)
        words: list[str] = []
        cited: list[tuple[str, str]] = []
        for text, printed in ((state.heading, state.heading), (state.body, full_text(state.body))):
            tokens = tokens_with_canon(printed)
            words += known.get(
                str(places[text]), [item for token in tokens for item in token.canon]
            )
            cited += [citation for token in tokens for citation in token.citations]

        assert words == folder.vocabulary.decode(canon.whole)
        assert cited == [(citation.first, citation.last) for citation in canon.citations]


def test_what_words_do_not_tell() -> None:
    """A mark in brackets is compared by nothing, which only the whole text shows."""
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
    """What makes one list another makes it that."""
    edits: list[int] = []
    for keep, drop, came in edits_of(first, second):
        edits += [keep, drop, len(came), *map(ord, came)]

    assert patched([ord(sign) for sign in first], edits) == [ord(sign) for sign in second]


def test_slugs(base: KnowledgeBase, texts: list[TextsJson]) -> None:
    """Anchors of headwords that are not the plain words are told."""
    told = {int(place): slug for file in texts for place, slug in file["slugs"].items()}
    read = read_texts(texts)

    headwords = {state.heading for state in base.whole.states.values() if state.kind == "glossary"}
    assert told == {read.index(word): slug_of(word) for word in headwords if "’" in word}


def test_size(base: KnowledgeBase, texts: list[TextsJson]) -> None:
    """Each text stands there once, however many editions print it."""
    states = base.whole.states.values()
    distinct = {"", *(state.heading for state in states), *(state.body for state in states)}

    assert sum(len(file["texts"]) for file in texts) == len(distinct)


def written_of(files: dict[str, bytes], digest: str) -> WrittenFiles:
    """Return data files as an earlier build wrote them."""
    steps: StepsJson = json.loads(files[STEPS])
    texts = [json.loads(files[texts_file(place)]) for place in range(len(steps["files"]))]
    return WrittenFiles(steps, texts, digest)


@pytest.mark.parametrize("full", [400_000, 700])
def test_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, full: int) -> None:
    """Continued from those of the first editions, files have the bytes of new ones."""
    monkeypatch.setattr("variorum_site.data.compare_texts._FULL", full)
    documents = {
        f"{day}.txt": edition(day, rule=f"A boat (See rule 100.1) floats {'well ' * place}.")
        for place, day in enumerate(DAYS)
    }
    few = base_of(tmp_path / "few", dict(list(documents.items())[:3]))
    with KnowledgeBase.open(few) as base:
        earlier = CompareFiles(base)
        written = written_of(dict(earlier.files()), earlier.digest)
    kb = base_of(tmp_path / "all", documents)

    with KnowledgeBase.open(kb) as base:
        assert Texts(base, written.texts, 3, written.digest).known == 3
        written = written_of(dict(earlier.files()), earlier.digest)
        assert dict(CompareFiles(base, written).files()) == dict(files_of(base))


def test_not_continued(base: KnowledgeBase, files: dict[str, bytes]) -> None:
    """Files of other editions are left aside."""
    written = written_of(files, "of another base")

    again = CompareFiles(base, written)

    assert Texts(base, written.texts, len(base.editions), written.digest).known == 0
    assert dict(again.files()) == files


def test_read_back(files: dict[str, bytes], tmp_path: Path) -> None:
    """Files are read back as they were written, unless one of them was changed since."""
    write(tmp_path, files)
    digests = {name: digest_of(data) for name, data in files.items()}
    known: GroupJson = {"inputs": "", "results": {"compared": "known"}, "files": digests}
    group = EarlierGroup(tmp_path, known)

    assert read_written(group) == written_of(files, "known")

    (tmp_path / texts_file(0)).write_bytes(b"{}")
    assert read_written(group) is None
