"""Measures of lineages: alignment, word diffs and answers about time, on a base of all editions."""

import difflib
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

from variorum_kb.answers.between_editions.change_finder import find_changes
from variorum_kb.answers.between_editions.changes import NONE, SUBSTANTIVE, diff_json
from variorum_kb.answers.between_editions.crosswalk import crosswalk_rows
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.build.workers import Aligned, align_editions
from variorum_kb.history.word_diffs.diff import SAME, word_diff
from variorum_kb.rows import State, full_text
from variorum_kb.store.reader import Reader
from variorum_kb.text.words import tokens_of

Run = Callable[[], tuple[float, float]]


def once(question: Callable[[], object]) -> Run:
    """Return a function that measures a question asked once."""

    def run() -> tuple[float, float]:
        start = time.perf_counter()
        question()
        return time.perf_counter() - start, 0.0

    return run


def processor(question: Callable[[], object]) -> Run:
    """Return a function that measures the processor time of a question asked once."""

    def run() -> tuple[float, float]:
        start = time.process_time()
        question()
        return time.process_time() - start, 0.0

    return run


def aligning(folder: Path) -> Iterator[tuple[str, Run, str]]:
    """Yield measures of aligning all consecutive pairs (wall time on two cores) and of one pair."""
    reader = Reader(folder / "kb.sqlite")
    states = reader.all_states()
    rows = [states[number] for number in range(len(states))]
    editions = [
        (str(edition["effective"]), reader.states_of(edition["id"]))
        for edition in reader.editions()
    ]
    pairs = list(pairwise(range(len(editions))))
    name = f"aligning {len(pairs)} pairs of editions, two processes"
    yield name, once(lambda: list(align_editions(rows, editions, pairs, 2))), "15 s"
    rewrite = [edition for edition, _ in editions].index("2009-07-11")
    for name, pair in (("one more edition", pairs[-1]), ("M10", pairs[rewrite - 1])):
        question = partial(_align_one, rows, editions, pair)
        yield f"aligning {name}, with verdicts: processor time", processor(question), "0.5 s"


def _align_one(rows: Sequence[State], editions: Sequence[Aligned], pair: tuple[int, int]) -> object:
    return list(align_editions(rows, editions, [pair], 1))


def answering(folder: Path) -> Iterator[tuple[str, Run, str]]:
    """Yield measures of answers about time, warm."""
    base = KnowledgeBase.open(folder)
    crosswalk_rows(base, "first", "latest")
    yield "show, warm (baseline)", once(lambda: base.show("704.5k")), ""
    yield (
        "history of 800.4a",
        fresh(folder, lambda base: base.subject("800.4a").history()),
        "0.03 s",
    )
    yield (
        "history of 705 with its rules",
        fresh(folder, lambda base: base.subject("705").history()),
        "",
    )
    yield (
        "history of 702 with its rules",
        fresh(folder, lambda base: base.subject("702").history()),
        "",
    )
    yield "blame of 704 with its rules", fresh(folder, lambda base: base.subject("704").blame()), ""
    yield "blame of 800.4a", fresh(folder, lambda base: base.subject("800.4a").blame()), "0.03 s"
    yield "blame of 603.2", fresh(folder, lambda base: base.subject("603.2").blame()), "0.03 s"
    yield (
        "crosswalk, first to latest",
        once(lambda: crosswalk_rows(base, "first", "latest")),
        "0.1 s",
    )
    yield (
        "crosswalk, latest to first",
        once(lambda: crosswalk_rows(base, "latest", "first")),
        "0.1 s",
    )
    yield "crosswalk, M10 to latest", once(lambda: crosswalk_rows(base, "M10", "latest")), "0.1 s"
    yield "crosswalk, latest to M10", once(lambda: crosswalk_rows(base, "latest", "M10")), "0.1 s"
    yield "crosswalk, M10 to latest, first of a base", fresh(folder, _crosswalk), ""
    yield (
        "diff, first to latest, with all words",
        once(lambda: diff_json(find_changes(base, "first", "latest"))),
        "0.3 s",
    )


def _crosswalk(base: KnowledgeBase) -> object:
    return crosswalk_rows(base, "M10", "latest")


def fresh(folder: Path, question: Callable[[KnowledgeBase], object]) -> Run:
    """Return a function that asks a base that was just opened and has loaded its editions."""

    def run() -> tuple[float, float]:
        with KnowledgeBase.open(folder) as base:
            base.edition()
            start = time.perf_counter()
            question(base)
            return time.perf_counter() - start, 0.0

    return run


def changed_items(folder: Path, since: str) -> list[tuple[str, str]]:
    """Return the readings that changed between consecutive editions, each before and after."""
    with KnowledgeBase.open(folder) as base:
        editions = [edition for edition in base.editions if edition.label >= since]
        return [
            (full_text(change.old.body), full_text(change.new.body))
            for older, newer in pairwise(editions)
            for change in find_changes(base, older, newer).all
            if change.old is not None and change.new is not None and change.change != NONE
        ]


_FINE = re.compile(r"\s+|\w+|[^\w\s]")


def diffing(folder: Path) -> Iterator[tuple[str, Run, str]]:
    """Yield measures of word diffs, and of the standard library on the same items."""
    items = changed_items(folder, "2015")

    def with_difflib(split: Callable[[str], list[str]], *, autojunk: bool) -> Callable[[], None]:
        def run() -> None:
            for older, newer in items:
                matcher = difflib.SequenceMatcher(None, split(older), split(newer), autojunk)
                matcher.get_opcodes()

        return run

    def ours() -> None:
        for older, newer in items:
            word_diff(older, newer)

    yield f"word diff of {len(items)} changed readings (baseline)", once(ours), ""
    fine = with_difflib(_FINE.findall, autojunk=False)
    yield "difflib: words, signs and blanks, all of them", once(fine), "15 times ours"
    fine = with_difflib(_FINE.findall, autojunk=True)
    yield "difflib: the same, frequent words left out", once(fine), ""
    coarse = with_difflib(lambda text: list(tokens_of(text)), autojunk=False)
    yield "difflib: our own tokens", once(coarse), ""


def count_changed(corpus: Path, folder: Path, since: str) -> tuple[int, int, int]:
    """Count the changed words of consecutive editions: by git, in our full diffs, in our shown diffs.

    Git compares the published files, converted to UTF-8 with line feeds.
    """
    with KnowledgeBase.open(folder) as base, tempfile.TemporaryDirectory() as name:
        editions = [edition for edition in base.editions if edition.label >= since]
        files = {edition.label: Path(name, f"{edition.label}.txt") for edition in editions}
        documents = {path.name: path for path in (corpus / "official").iterdir()}
        for edition in editions:
            path = _document_of(edition.sha256, documents)
            text = path.read_bytes().decode(edition.as_json()["encoding"])
            files[edition.label].write_text("\n".join(text.splitlines()), "utf-8")
        git = sum(
            _git_words(files[older.label], files[newer.label])
            for older, newer in pairwise(editions)
        )
        every = shown = 0
        for older, newer in pairwise(editions):
            for change in find_changes(base, older, newer).all:
                if change.change == NONE:
                    continue
                size = _words(change.pieces(exactly=True))
                every += size
                is_shown = change.change == SUBSTANTIVE
                shown += _words(change.pieces()) if is_shown else 0
        return git, every, shown


def _document_of(sha256: str, documents: dict[str, Path]) -> Path:
    import hashlib  # noqa: PLC0415 - for this alone

    for path in documents.values():
        if hashlib.sha256(path.read_bytes()).hexdigest() == sha256:
            return path
    raise LookupError(sha256)


def _git_words(older: Path, newer: Path) -> int:
    done = subprocess.run(
        ["git", "diff", "--no-index", "--word-diff=porcelain", "--unified=0", older, newer],  # noqa: S607
        check=False,
        capture_output=True,
        env={**os.environ, "GIT_PAGER": "cat"},
    )
    lines = done.stdout.decode("utf-8").splitlines()
    return sum(
        len(line[1:].split())
        for line in lines
        if line[:1] in {"-", "+"} and line[:3] not in {"---", "+++"}
    )


def _words(pieces: list[tuple[str, str]]) -> int:
    return sum(len(text.split()) for sign, text in pieces if sign != SAME)
