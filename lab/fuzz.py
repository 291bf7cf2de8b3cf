"""Read thousands of damaged and hostile documents; `make fuzz` runs this.

Each is a document of the sample rulebook, or of a folder, with damage: bits flipped, pieces
removed, doubled, moved or repeated ten thousand times, characters of other encodings inserted. Each
must be read as an edition or by the words of the sample rulebook, or refused with one of our errors, within ten seconds of processor time and 500 MB.
"""

import argparse
import io
import random
import resource
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for the folder of tests

from tests.support.document_kinds import KINDS, document
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.build.build import Builder
from variorum.build.editions import read_document
from variorum.errors import VariorumError
from variorum.files import SAMPLE_RULEBOOK
from variorum.witnesses.read import DocumentReader

SECONDS, MEGABYTES = 10, 500
_LONGEST = 400_000
_PROCESSES = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
_SIGNS = (
    *(bytes([code]) for code in b"\0\t\n\x0c\r\x1a\x1b '\"(?{}\x80\x96\xff"),
    *b"< </p> <table> &#xD800; &#0; {\\rtf1 \\u-10179? %PDF- 702. 1. a) [[ {{ | --- **".split(),
    *b"\r\n;\xef\xbb\xbf;\xff\xfe;\xe2\x80\x8b;\xe2\x80\xae;\xc2\x85;PK\x03\x04".split(b";"),
    *b"\\bin99999 ;See rule ;Example: ;Glossary\n;Credits\n;June 5, 2020".split(b";"),
)
# Pieces of a Word document whose numbers are out of range, or whose names lead nowhere.
_LEVEL = b'<w:numPr><w:ilvl w:val="%s"/><w:numId w:val="%s"/></w:numPr>'
_ODD_WORD = (
    *(b'<w:sym w:font="Arial" w:char="%s"/>' % at for at in b"-5;110000;D800;x;".split(b";")),
    *(_LEVEL % (at, at) for at in (b"-1", b"9e9", b"x")),
    *(b'<w:pStyle w:val="%s"/>' % name for name in (b"", b"nowhere")),
    *(b"<w:tbl><w:tr><w:tc>", b"<w:del>", b"<w:fldChar/>", b"</w:body>", b"<w:tab/>" * 50_000),
)


def bent(data: bytes, chance: random.Random) -> bytes:
    """Return a document with some damage."""
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        place, end = sorted((chance.randrange(len(data) + 1), chance.randrange(len(data) + 1)))
        end = min(end, place + chance.choice((8, 80, 2000, len(data))))
        match chance.randrange(8):
            case 0:
                flipped = bytearray(data)
                for _ in range(chance.choice((1, 5, 50)) if data else 0):
                    flipped[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
                data = bytes(flipped)
            case 1:
                data = data[:place] + data[end:]
            case 2:
                data = data[:end] + data[place:]
            case 3:
                data = data[place:end] + data[:place] + data[end:]
            case 4:
                data = data[:place] + data[place:end] * chance.choice((2, 10, 100)) + data[end:]
            case 5:
                sign = chance.choice(_SIGNS) * chance.choice((1, 1, 3, 1000, 10_000))
                data = data[:place] + sign + data[place:]
            case 6:
                data = data[:place] + chance.randbytes(chance.choice((1, 20, 500))) + data[end:]
            case _:
                data = data.replace(chance.choice((b" ", b"\n", b".", b"e")), chance.choice(_SIGNS))
        data = data[:_LONGEST]
    return data


def bent_inside(data: bytes, chance: random.Random) -> bytes:
    """Return a Word document whose XML has some damage, in a ZIP that has none."""
    text = "word/document.xml"
    with zipfile.ZipFile(io.BytesIO(data)) as word:
        parts = {name: word.read(name) for name in word.namelist()}
    for sign, odd in ((b"<w:t", _ODD_WORD), (b"</w:p>", _ODD_WORD)):
        for _ in range(chance.choice((0, 1, 3))):
            at = parts[text].find(sign, chance.randrange(len(parts[text])))
            parts[text] = parts[text][:at] + chance.choice(odd) + parts[text][at:]
    for name in sorted(parts):  # styles, numbering and relations, too
        if chance.random() < (1 / 2 if name == text else 1 / 4):
            parts[name] = bent(parts[name], chance)
    with zipfile.ZipFile(packed := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as word:
        for name, part in parts.items():
            word.writestr(name, part)
    return packed.getvalue()


def read(seed: int, files: Sequence[str], base: Path) -> tuple[int, str, float, float]:
    """Return the seed of a document, the result of reading it, seconds, and the peak of memory in MB."""
    chance = random.Random(seed)
    name = chance.choice(files)
    data = Path(name).read_bytes() if Path(name).is_absolute() else document(name)
    bend = bent_inside if data.startswith(b"PK") and chance.random() < 2 / 3 else bent
    data = bend(data, chance)
    begun = _seconds()
    try:
        edition = read_document(data, name)
        result = "Edition" if edition else _reader(base).read(data, name)[0].kind
    except VariorumError as error:
        result = type(error).__name__ if "\n" not in str(error) else f"BUG {name}: more than a line"
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        result = f"BUG {name}: {error!r}"
    peak = max(resource.getrusage(process).ru_maxrss for process in _PROCESSES)
    return seed, result, _seconds() - begun, peak / 1024


@cache
def _reader(base: Path) -> DocumentReader:
    return DocumentReader(KnowledgeBase.open(base))


def _seconds() -> float:
    """Return the processor time of this process and of its children that read PDFs."""
    return sum([sum(resource.getrusage(process)[:2]) for process in _PROCESSES])


def main() -> None:
    """Read many documents and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, prog="make fuzz")
    parser.add_argument("--count", type=int, default=20_000, help="documents to read")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("folder", nargs="?", type=Path, help="documents to begin with, too")
    asked = parser.parse_args()
    more = sorted(asked.folder.resolve().rglob("*")) if asked.folder else []
    files = [*KINDS, *(str(path) for path in more if path.is_file())]
    seeds = range(asked.first, asked.first + asked.count)
    with tempfile.TemporaryDirectory() as base, ProcessPoolExecutor(asked.jobs) as pool:
        list(Builder(Path(base), now="2026-01-01T00:00:00+00:00").build([SAMPLE_RULEBOOK]))
        bases = [Path(base)] * len(seeds)
        results = list(pool.map(read, seeds, [files] * len(seeds), bases, chunksize=20))
    bad = [
        f"seed {seed}: {outcome}, {took:.1f} s, {size:.0f} MB"
        for seed, outcome, took, size in results
        if outcome.startswith("BUG") or took > SECONDS or size > MEGABYTES
    ]
    counts = Counter(result[1] for result in results).most_common()
    lines = [f"{count:>7}  {outcome}" for outcome, count in counts]
    longest, peak = max(result[2] for result in results), max(result[3] for result in results)
    lines += [f"longest {longest:.1f} s, peak {peak:.0f} MB", *bad]
    print("\n".join(lines))  # noqa: T201 - a report
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
