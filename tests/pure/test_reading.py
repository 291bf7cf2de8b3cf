"""Bytes → edition: a small edition changed in one place, the sample rulebook, and random input."""

import codecs
import json
import random
import re
import textwrap
import unicodedata
import zlib
from collections.abc import Callable, Iterator
from difflib import unified_diff
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.conftest import SAMPLE
from tests.pure.reading_cases import CASES, MORE, TEXTS, Part
from tests.support.edition_texts import CREDITS, GLOSSARY, HEAD, RULES, page
from tests.support.original_files import docx, paragraph
from variorum.errors import DocumentError
from variorum.reading.decoding import decode
from variorum.reading.edition import draw_up, read_edition
from variorum.reading.paragraphs import Block

EDITIONS = {path.name: path.read_bytes() for path in sorted(SAMPLE.glob("*.txt"))}
PARTS = {"head": HEAD, "rules": RULES, "glossary": GLOSSARY, "credits_": CREDITS}


def rows(row: Any, provisions: Any) -> Iterator[str]:
    """Yield what was read, a line for each fact."""
    ledger = json.loads(row.ledger, object_hook=lambda it: SimpleNamespace(**it))
    yield f"effective {row.effective}; {row.layout}; {row.condition}"
    yield f"encoding {row.encoding}; LineEnds(crlf={row.crlf}, cr={row.cr}, lf={row.lf})"
    yield from (f"note: {note}" for note in ledger.notes)
    yield from (f"introduction: {text}" for text in json.loads(row.introduction))
    for provision in provisions:
        number = provision.address + f", meant {provision.meant}" * (
            str(provision.meant or provision.number) != provision.number
        )
        heading = f" [{provision.heading}]" if provision.heading else ""
        yield f"{provision.kind} {number}{heading} ({provision.printed})"
        yield from (
            f"    {paragraph.marker}> {paragraph.text}" for paragraph in provision.paragraphs
        )
        for odd in provision.irregularities:
            yield (
                f"    ! {odd.kind}: {odd.printed!r}, meant {odd.meant!r}, {odd.evidence}"
                f", at {-1 if odd.start is None else odd.start}"
            )
    yield from (
        f"! {odd.kind}: {odd.printed!r}, meant {odd.meant!r}, {odd.evidence}"
        for odd in ledger.irregularities
        if not odd.address
    )
    yield from (f"index: {text}" for text in json.loads(row.index_lines))
    yield from (f"credits: {text}" for text in json.loads(row.credits))
    yield from (f"{lines} lines of {role}" for role, lines in vars(ledger.accounted).items())


def outcome(data: bytes) -> list[str]:
    """Return what was read, or why the document was refused."""
    try:
        edition = read_edition(data)
    except DocumentError as error:
        return [f"{type(error).__name__}: {error}"]
    return list(rows(*edition))


def checksum(lines: list[str]) -> str:
    """Return a short checksum of lines."""
    return f"{zlib.crc32(chr(10).join(lines).encode()):08x}"


def changed(part: Part, old: str, new: str) -> bytes:
    """Return the small edition with some words replaced."""
    if part == "all":
        return page().decode().replace(old, new).encode()
    assert old in PARTS[part]
    return page(**{part: PARTS[part].replace(old, new)})


def test_cases(golden: Callable[[str, str], None]) -> None:
    """Each change of the small edition changes what is read as recorded."""
    whole = outcome(page())
    shown = [*whole, ""]
    for why, part, old, new in CASES:
        read = outcome(changed(part, old, new))
        difference = [
            line
            for line in unified_diff(whole, read, lineterm="", n=0)
            if not line.startswith(("@", "---", "+++")) and "> Words about " not in line
        ]
        # Of a refused edition, nothing is left to compare.
        shown += [f"# {why}", *(read if len(read) == 1 else difference), ""]

    golden("reading/cases.txt", "\n".join(shown))


def _can(codec: str, text: str) -> bool:
    try:
        return bool(text.encode(codec))
    except UnicodeEncodeError:
        return False


CODECS = ("ascii", "cp1252", "mac_roman", "utf-8", "utf-8-sig", "utf-16", "cp437", "gbk")


@pytest.mark.parametrize(
    ("codec", "text"),
    [(codec, text) for codec in CODECS for text in TEXTS if _can(codec, text)],
)
def test_encodings(codec: str, text: str) -> None:
    """An edition in each encoding that has its signs is decoded exactly."""
    data = page(rules=RULES.replace("The tide turns.", text)).decode().encode(codec)

    row, provisions = read_edition(data)

    (rule,) = (rule for rule in provisions if rule.number == "100.2")
    assert rule.text == text
    if not text.isascii():
        assert row.encoding == codec
    assert json.loads(row.ledger)["notes"] == []


def test_wrong_encodings_are_noticed() -> None:
    """An edition in characters that no edition prints is lossy."""
    words = page(rules=RULES.replace("The tide turns.", TEXTS[1] * 9)).decode()
    wrong = words.encode("mac_roman").decode("cp1252", "replace").encode()

    assert read_edition(wrong)[0].condition == "lossy"


def rewrapped(text: str, indent: str = "") -> str:
    lines = [re.sub(r" +", " ", line) for line in text.splitlines()]
    return "\n".join(textwrap.fill(line, 72, subsequent_indent=indent) for line in lines)


def through_the_web(text: str) -> str:
    return "".join(
        chr(number) if number in b"\x81\x8d\x8f\x90\x9d" else bytes([number]).decode("cp1252")
        for number in text.encode()
    )


TITLES = r"(?m)^(Introduction|Contents|Glossary|Credits)$"
CONVERTED: dict[str, Callable[[str], str]] = {
    "twice, as latin-1": lambda text: text.encode().decode("latin-1"),
    "twice, as cp1252": through_the_web,
    "three times": lambda text: through_the_web(through_the_web(text)),
    "wrapped": rewrapped,
    "wrapped, set in": lambda text: rewrapped(text, "    "),
    "all set in": lambda text: textwrap.indent(text, "  "),
    "double spaced": lambda text: text.replace("\n", "\n\n"),
    "no blank lines": lambda text: re.sub(r"\n+", "\n", text),
    "page numbers": lambda text: re.sub(r"(?s)(.{2000,}?\n\n)", r"\1Page 3 of 9\n\n", text),
    "signs of HTML": lambda text: text.encode("ascii", "xmlcharrefreplace").decode(),
    "signs that print nothing": lambda text: text.replace("e ", "e\u200b \xad"),
    "accents apart": lambda text: unicodedata.normalize("NFD", text),
    "capital titles": lambda text: re.sub(TITLES, lambda title: f"{title[0].upper()}:", text),
    "day first": lambda text: re.sub(r"as of (\w+) (\d+),", r"from \2 \1", text),
}


def words(edition: Any) -> list[list[str]]:
    return [[it.address, it.heading, *it.text.split()] for it in edition[1]]


@pytest.mark.parametrize("convert", CONVERTED.values(), ids=list(CONVERTED))
@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be"])
def test_conversions(convert: Callable[[str], str], codec: str) -> None:
    """What programs do to all of a text is undone: its provisions have the same words."""
    text = re.sub(r"\r\n?|\n", "\n", EDITIONS["2025-05-30.txt"].decode("utf-8-sig"))
    text = text.replace("\n\nBoat\n", "\n\nBoat, Ferry, Boat of a Keeper, Ferry (Obsolete)\n")
    result = read_edition(convert(text).encode(codec))

    assert words(result) == words(read_edition(text.encode()))


@pytest.mark.parametrize("name", [name for name in EDITIONS if name < "2004"])
def test_without_blanks_at_line_ends(name: str) -> None:
    """A wrapped edition is read alike where an editor has removed these blanks, and in Word."""
    whole, lines = (
        words(read_edition(EDITIONS[name])),
        decode(EDITIONS[name]).text.splitlines(),
    )
    stripped, word = "\n".join(map(str.rstrip, lines)), docx("".join(map(paragraph, lines)))
    assert words(read_edition(stripped.encode())) == words(read_edition(word)) == whole


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the document is empty"),
        (b" \r\n\x1a", "the document is empty"),
        (b"\xd0\xcf\x11\xe0", "an old Word document, not a text"),
        (b"lamps\x00and\x00boats", "not a text: it holds zero bytes"),
        (codecs.BOM_UTF8 + b"lamp \xff", "not utf-8-sig, although it begins so"),
        (codecs.BOM_UTF16_LE + b"l\x00a", "not utf-16, although it begins so"),
        (bytes(range(128, 256)) * 3, "text in no known encoding: not UTF-8 at byte 0"),
        (b"%PDF-1.7", "PDF"),
        (b"{\\rtf1", "RTF"),
        (b"PK\x03\x04", "Word"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, message: str) -> None:
    """Bytes that are no text are refused with the reason."""
    with pytest.raises(DocumentError) as caught:
        read_edition(data)

    assert message in str(caught.value)


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n", "\r\r\n", "\N{LINE SEPARATOR}"])
@pytest.mark.parametrize("name", EDITIONS)
def test_line_ends(name: str, end: str) -> None:
    """An edition with other line ends has the same provisions."""
    row, provisions = read_edition(EDITIONS[name])
    text = re.sub(r"\r\n|\r|\n", end, EDITIONS[name].decode(row.encoding))

    assert read_edition(text.encode("utf-8"))[1] == provisions


def test_sample(golden: Callable[[str, str], None]) -> None:
    """The sample editions are read as recorded: each misprint, and a checksum of everything."""
    shown = []
    for name, data in EDITIONS.items():
        read, provision = outcome(data), ""
        shown.append(f"{name} {checksum(read)}, {len(read)} lines")
        for line in read:
            if line.startswith("    ! "):
                shown.append(f"{provision}{line}")
            elif not line.startswith(" "):
                provision = line

    golden("reading/sample.txt", "\n".join(shown) + "\n")


SLIPS: tuple[Callable[[str, random.Random], str], ...] = (
    lambda _line, _chance: "",
    lambda line, _: f"{line}\n{line}",
    lambda line, _: f"\n{line}",
    lambda line, _: f"{line}\n",
    lambda line, _: f"   {line} ",
    lambda line, chance: re.sub(r"\d", str(chance.randrange(10)), line, count=1),
    lambda line, chance: line[: chance.randrange(len(line) + 1)],
    lambda line, _: re.sub(r"(?<=\d)([a-z]?)\.? ", r" \1. ", line, count=1),
    lambda line, _: re.sub(r"^(\d+\.\d*[a-z]*)\.? ", r"\1.", line),
    lambda line, _: line.replace("See rule", "\nSee rule"),
    lambda line, _: line.replace("—", "?").replace("“", "?").replace("-", "?"),
    lambda line, _: line.replace("Example:", "EXAMPLE ") or "Example: Two boats.",
    lambda line, _: line.upper(),
    lambda line, _: f"1. {line}",
)


def slipped(data: bytes, chance: random.Random) -> bytes:
    """Return an edition with slips such as typesetters make, each in a line with words."""
    lines = re.split(r"\r\n|\r|\n", data.decode("latin-1"))
    worded = [place for place, line in enumerate(lines) if line.strip()]
    for place in chance.sample(worded, chance.choice((1, 2, 3, 8))):
        lines[place] = chance.choice(SLIPS)(lines[place], chance)
    return "\n".join(lines).encode("latin-1")


def test_slips(golden: Callable[[str, str], None]) -> None:
    """Editions with slips are read, or refused, as before."""
    shown = []
    for name, data in EDITIONS.items():
        for seed in range(12):
            read = outcome(slipped(data, random.Random(f"{name}{seed}")))
            says = read[0] if len(read) == 1 else f"{checksum(read)}"
            shown.append(f"{name} {seed} {says}\n")

    golden("reading/slips.txt", "".join(shown))


WHOLE = RULES + MORE


@pytest.mark.parametrize(
    ("rules", "gaps"),
    [
        (WHOLE, []),
        (WHOLE.replace("101.5. Wick 5 burns.\n\n", ""), ["numbers skipped before 101.6"]),
        (
            WHOLE.replace("101.1a A", "101.1a Wick.\n\n101.1e A"),
            ["numbers skipped before 101.1e"],
        ),
        (
            WHOLE.replace("101. Lamps\n\n101.1. Wick\n\n101.1a A wick burns.\n\n", ""),
            ["missing, but in the contents: 101. Lamps", "numbers skipped before 101.2"],
        ),
    ],
)
def test_gaps(rules: str, gaps: list[str]) -> None:
    """Rules may be missing where numbers skip, and are if the contents have them."""
    assert read_edition(page(rules=rules))[0].doubts.split("\n") == ["one source", *gaps]


LINES = ["100.1. A lamp", "", "burns."]
BLOCKS = [Block("100.1. A lamp", 1, 1, 0, True), Block("burns.", 3, 3, 0, True)]
FIRST, SECOND = ("rule", 1, "100.1. A lamp"), ("rule", 3, "burns.")


@pytest.mark.parametrize(
    ("blocks", "banners", "kept", "message"),
    [
        (BLOCKS, [], [FIRST], "line 3: 'burns.' became ''"),
        (BLOCKS, [], [FIRST, SECOND, SECOND], "line 3: 'burns.' became 'burns. burns.'"),
        (BLOCKS, [], [FIRST, SECOND, ("rule", 2, "x")], "3 lines in, 3 out; characters in"),
        (BLOCKS, [], [FIRST, ("rule", 3, "turns.")], "line 3: 'burns.' became 'turns.'"),
        (BLOCKS, [], [FIRST, SECOND, ("index", 3, "")], "line 3 belongs to rule and index"),
        (BLOCKS[:1], [], [FIRST], "3 lines in, 2 out; characters in and out: (17, 11)"),
        (BLOCKS, [2], [FIRST, SECOND], "3 lines in, 4 out; characters in and out: (17, 17)"),
    ],
)
def test_ledger(
    blocks: list[Block], banners: list[int], kept: list[tuple[str, int, str]], message: str
) -> None:
    """Lines and characters that are lost, added, changed or claimed twice are an error of ours."""
    others = [(role, Block(text, line, line, 0, False), True) for role, line, text in kept]

    with pytest.raises(AssertionError) as caught:
        draw_up(LINES, blocks, banners, others, [])

    assert str(caught.value).startswith(message)


def test_long_documents() -> None:
    """A document far longer than any edition is read in linear time, as the limits of time show."""
    rules = RULES + "".join(f"101.{n}. {'A wick burns. ' * 40}\n\n" for n in range(3, 999))

    assert len(read_edition(page(rules=rules))[1]) > 999


NAMES = st.sampled_from(sorted(EDITIONS))
SEEDS = st.integers(0, 2**32)


def _is_read_or_refused(data: bytes) -> bool:
    read = outcome(data)
    return len(read) > 1 or ("Error: " in read[0] and "\n" not in read[0])


@given(st.binary(max_size=400))
@settings(max_examples=200)
def test_random_bytes(data: bytes) -> None:
    """Random bytes give one of our errors."""
    assert _is_read_or_refused(data)


@given(NAMES, SEEDS)
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
def test_cut_and_shuffled(name: str, seed: int) -> None:
    """A cut, spliced, dirtied or shuffled edition is read whole, or refused."""
    chance = random.Random(seed)
    data, another = EDITIONS[name], EDITIONS[chance.choice(sorted(EDITIONS))]
    first, second = sorted(chance.sample(range(len(data)), 2))
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    dirt = bytes(chance.randrange(256) for _ in range(20))

    assert _is_read_or_refused(data[first:second])
    assert _is_read_or_refused(data[:first] + another[chance.randrange(len(another)) :])
    assert _is_read_or_refused(data[:first] + dirt + data[first + chance.randrange(20) :])
    assert _is_read_or_refused(b"\n".join(chance.sample(lines, len(lines))))
    assert _is_read_or_refused(b"\n".join(line for line in lines if chance.random() > 0.1))
