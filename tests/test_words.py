"""No file of the project has words of the real rules, which are not ours to commit.

Numbers, dates and titles are facts. Twelve consecutive words of an edition, a bulletin or a witness
are somebody else's sentence.
"""

import codecs
import functools
import html
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

LENGTH = 12
"""This many consecutive words are too many."""

PRESCRIBED = (
    "Variorum is unofficial Fan Content permitted under the Fan Content Policy. Not"
    " approved/endorsed by Wizards. Portions of the materials used are property of Wizards of the"
    " Coast. ©Wizards of the Coast LLC."
)
"""The notice of the Fan Content Policy, word for word, with our name in it."""

SOURCES = ("official/*.txt", "damaged/*.txt", "bulletins/*.md", "other/*rulings*.txt")
"""The folders of others' words in the corpus; a list of addresses beside them has facts."""

WITNESSES = "seeds"
"""A folder that may be beside the corpus."""

Shingle = tuple[str, ...]

_APOSTROPHES = str.maketrans(
    "", "", "'\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}"
)
_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_ESCAPE = re.compile(r"\\(?:u(?P<code>[0-9a-fA-F]{4})|(?P<letter>[nrt]))")


@dataclass(frozen=True, slots=True)
class Copied:
    """A copied part of a file.

    Attributes:
        line: The line where it starts, from 1.
        first: Its first word, counted from 1 in the file.
        last: Its last word, inclusive.
        source: The name of a text with its first words.
    """

    path: str
    line: int
    first: int
    last: int
    source: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: words {self.first} to {self.last} stand in {self.source}"


def words_of(text: str) -> list[str]:
    """Return the words of a text, without case, punctuation and apostrophes."""
    return [word for line in text.splitlines() for word in _words_of_line(line)]


@functools.cache
def _words_of_line(line: str) -> tuple[str, ...]:
    # Most lines of an edition are in the one before, so caching saves most of the time.
    return tuple(_WORD.findall(line.translate(_APOSTROPHES).casefold()))


def shingles_of(words: list[str]) -> Iterator[Shingle]:
    """Yield every run of twelve consecutive words."""
    return zip(*(islice(words, start, None) for start in range(LENGTH)), strict=False)


def decodings_of(content: bytes) -> list[str]:
    """Return the possible texts of a file: one if its bytes show the encoding, else several.

    A file with NUL bytes that is not UTF-16 is no text.
    """
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return [content.decode("utf-16", "replace")]
    if b"\0" in content:
        nuls = content[0::2].count(0), content[1::2].count(0)
        if max(nuls) < len(content) // 4:
            return []
        return [content.decode("utf-16-be" if nuls[0] > nuls[1] else "utf-16-le", "replace")]
    try:
        return [content.decode("utf-8-sig")]
    except UnicodeDecodeError:
        return [content.decode(encoding, "replace") for encoding in ("cp1252", "mac_roman")]


def bare(text: str, suffix: str) -> str:
    """Return a text without markup, with every line in its place."""
    match suffix:
        case ".html" | ".htm" | ".xml" | ".svg" | ".atom":
            return html.unescape(_TAG.sub(lambda tag: " " + "\n" * tag[0].count("\n"), text))
        case ".json" | ".ipynb":
            return _ESCAPE.sub(lambda e: chr(int(e["code"], 16)) if e["code"] else " ", text)
        case _:
            return text


def gather(files: Iterable[tuple[str, bytes]]) -> set[Shingle]:
    """Return the shingles of the project's files, without those of the notice."""
    return {
        shingle
        for path, content in files
        for text in decodings_of(content)
        for shingle in shingles_of(words_of(bare(text, Path(path).suffix)))
    }.difference(shingles_of(words_of(PRESCRIBED)))


def find_shared(ours: set[Shingle], theirs: Iterable[tuple[str, bytes]]) -> dict[Shingle, str]:
    """Return our shingles that other texts have, each with the first such text."""
    shared: dict[Shingle, str] = {}
    known: set[tuple[int, ...]] = set()
    for name, content in theirs:
        for text in decodings_of(content):
            for stretch in _lines_with_more(text):
                # Most lines of an edition are in the one before; each is read once.
                key = tuple(map(id, stretch))
                if key not in known:
                    known.add(key)
                    line, behind = stretch[0], chain.from_iterable(stretch[1:])
                    words = [*line, *islice(behind, LENGTH - 1)]
                    for shingle in ours.intersection(shingles_of(words)):
                        shared.setdefault(shingle, name)
    return shared


def _lines_with_more(text: str) -> Iterator[list[tuple[str, ...]]]:
    """Yield the words of each line, with the next eleven words."""
    lines = [words for line in text.splitlines() if (words := _words_of_line(line))]
    for place in range(len(lines)):
        stop, behind = place + 1, 0
        while behind < LENGTH - 1 and stop < len(lines):
            behind += len(lines[stop])
            stop += 1
        yield lines[place:stop]


def find_copied(path: str, content: bytes, shared: dict[Shingle, str]) -> Iterator[Copied]:
    """Yield the parts of a file that consist of shared shingles, in order.

    If the encoding is in doubt, the first one with a result counts.
    """
    for text in decodings_of(content):
        clean = bare(text, Path(path).suffix)
        sources = [shared.get(shingle) for shingle in shingles_of(words_of(clean))]
        hits = {start: source for start, source in enumerate(sources) if source}
        for start, end in _runs(list(hits)):
            line = _line_of_word(clean, start)
            yield Copied(path, line, start + 1, end + LENGTH, hits[start])
        if hits:
            return


def _runs(numbers: list[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of each run of consecutive numbers."""
    if not numbers:
        return
    breaks = [(a, b) for a, b in pairwise(numbers) if b != a + 1]
    firsts = [numbers[0], *(b for _, b in breaks)]
    lasts = [*(a for a, _ in breaks), numbers[-1]]
    yield from zip(firsts, lasts, strict=True)


def _line_of_word(text: str, word: int) -> int:
    """Return the line of a word in a text, both counted from 1."""
    seen = 0
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        seen += len(words_of(line))
        if seen > word:
            return number
    raise IndexError(f"word {word} of a text of {seen} words")


def tracked_files() -> list[tuple[str, bytes]]:
    """Return the files that are committed or could be, in the order of their paths."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    paths = sorted(set(filter(None, listed.stdout.split("\0"))))
    return [(path, (ROOT / path).read_bytes()) for path in paths if (ROOT / path).is_file()]


def texts_of(corpus: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of every text in the corpus that is not ours."""
    for pattern in SOURCES:
        paths = sorted(corpus.glob(pattern))
        assert paths, f"{corpus / pattern} names no file"
        yield from ((path.name, path.read_bytes()) for path in paths)
    for path in sorted((corpus.resolve().parent / WITNESSES).glob("*.txt")):
        yield path.name, path.read_bytes()


@pytest.mark.corpus
@pytest.mark.slow
def test_no_file_holds_words_of_others(corpus: Path) -> None:
    """No file shares twelve consecutive words with an edition, a bulletin or a witness."""
    files = tracked_files()

    shared = find_shared(gather(files), texts_of(corpus))

    copied = [str(copy) for path, content in files for copy in find_copied(path, content, shared)]
    assert copied == [], "\n".join(["", *copied])


@pytest.mark.corpus
def test_error_an_edition_is_found(editions: tuple[Path, ...]) -> None:
    """A committed edition would be found from its first word to its last."""
    content = editions[-1].read_bytes()
    length = len(words_of(decodings_of(content)[0]))

    shared = find_shared(gather([("copy.txt", content)]), [("edition.txt", content)])

    (copy,) = find_copied("copy.txt", content, shared)
    assert str(copy) == f"copy.txt:1: words 1 to {length} stand in edition.txt"


def test_notice_is_as_prescribed() -> None:
    """The notice has the words that the policy requires."""
    assert (ROOT / "NOTICE").read_text("utf-8").startswith(PRESCRIBED + "\n")


THEIRS = "Zero. One two three four five six seven eight nine ten eleven twelve thirteen."


def copies(path: str, ours: str | bytes, theirs: str | bytes = THEIRS) -> list[str]:
    """Return the copied parts of an invented file, compared with an invented text."""
    mine, yours = (t if isinstance(t, bytes) else t.encode() for t in (ours, theirs))
    shared = find_shared(gather([(path, mine)]), [("them.txt", yours)])
    return [str(copy) for copy in find_copied(path, mine, shared)]


def test_error_twelve_words() -> None:
    """Twelve shared words are found, with the line and the places of the first and last word."""
    ours = "# Ours\n\nHe said: one two three four five six seven eight nine ten\neleven twelve!"

    assert copies("docs/it.md", ours) == ["docs/it.md:3: words 4 to 15 stand in them.txt"]


def test_error_longer_run_is_one() -> None:
    """A longer part is one result, and two parts are two."""
    ours = f"{THEIRS}\nBetween.\n{THEIRS}"

    assert copies("it.txt", ours) == [
        "it.txt:1: words 1 to 14 stand in them.txt",
        "it.txt:3: words 16 to 29 stand in them.txt",
    ]


def test_eleven_words_are_free() -> None:
    """A run of eleven shared words is not reported."""
    assert copies("it.txt", "one two three four five six seven eight nine ten eleven, more") == []


@pytest.mark.parametrize(
    ("path", "ours"),
    [
        ("it.py", "# One two three four five six\n# seven: eight; nine (ten) eleven_twelve"),
        (
            "it.html",
            "one <b>two</b> three four five six seven <a\nid=x>eight</a> nine ten eleven&nbsp;twelve",
        ),
        ("it.json", r'["one two\nthree four five six\u0020seven eight nine ten eleven twelve"]'),
        ("it.txt", "ONE two three four five six seven eight nine ten el'even twelve"),
        ("it.txt", THEIRS.encode("utf-16")),
        ("it.txt", THEIRS.encode("utf-16-le")),
        ("it.txt", THEIRS.encode("utf-16-be")),
        ("it.txt", codecs.BOM_UTF8 + THEIRS.encode()),
        ("it.txt", THEIRS.replace(" ", "\r\n").encode()),
    ],
)
def test_error_in_any_dress(path: str, ours: str | bytes) -> None:
    """Markup, case, punctuation, wrapping and encoding hide nothing."""
    assert len(copies(path, ours)) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252", "mac_roman"])
@pytest.mark.parametrize("second", ["utf-8", "utf-16", "cp1252", "mac_roman"])
def test_error_in_any_encoding(encoding: str, second: str) -> None:
    """Words with accents are the same words in every encoding."""
    text = "“Dandân” and Ghazbán aren’t Junún — nor Ma’rûf, which is far from Dandân’s own sea"

    result = copies("it.txt", text.encode(encoding), text.encode(second))

    assert len(result) == 1


def test_notice_is_free() -> None:
    """The notice may be in their text and in ours, with any wrapping."""
    assert copies("NOTICE", PRESCRIBED.replace(" ", "\n"), PRESCRIBED) == []


def test_pictures_are_no_text() -> None:
    """A file with NUL bytes is not read as words."""
    assert decodings_of(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR and then more bytes than NULs") == []


@pytest.mark.parametrize("text", ["", "one", "one two three"])
def test_short_texts_have_no_shingles(text: str) -> None:
    """A text of fewer than twelve words cannot be a copy."""
    assert list(shingles_of(words_of(text))) == []
