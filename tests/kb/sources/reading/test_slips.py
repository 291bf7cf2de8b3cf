"""Documents with typical slips of programs and people are read or refused."""

import json
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from variorum_kb.errors import DocumentError
from variorum_kb.sources import recognise_kind
from variorum_kb.sources.reading.as_json import witness_json, witness_ledger_json
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin

DOCUMENTS = Path(__file__).parents[1] / "documents"
SEEDS = 5
SLIPS: tuple[Callable[[str, random.Random], str], ...] = (
    lambda _line, _chance: "",
    lambda line, _: f"{line}\n{line}",
    lambda line, _: f"\n{line}",
    lambda line, _: f"> {line}",
    lambda line, _: f"# {line}",
    lambda line, _: f"* {line}",
    lambda line, _: f"    {line}",
    lambda line, _: f"<p>{line}</p>",
    lambda line, _: f"**{line}**",
    lambda line, _: line.rstrip("."),
    lambda line, _: line.replace(". ", ".\n"),
    lambda line, _: line.replace(": ", " - "),
    lambda line, _: line.replace("“", '"').replace("”", '"').replace("’", "'"),
    lambda line, _: f"{line} Posted on May 3, 2017. See rule 705.1a.",
    lambda line, chance: re.sub(r"\d", str(chance.randrange(10)), line, count=1),
    lambda line, chance: line[: chance.randrange(len(line) + 1)],
)


def slipped(text: str, chance: random.Random) -> str:
    """Return a document with one to eight slips, each on a line with words."""
    lines = text.split("\n")
    worded = [place for place, line in enumerate(lines) if line.strip()]
    count = min(len(worded), chance.choice((1, 2, 3, 8)))
    for place in chance.sample(worded, count):
        lines[place] = chance.choice(SLIPS)(lines[place], chance)
    return "\n".join(lines)


def outcome_of(data: bytes, name: str) -> str:
    """Return the kind, the passages and a checksum of a document, or the error."""
    try:
        document = recognise_kind.read_witness(data, name)
    except DocumentError as error:
        return str(error)
    words = json.dumps([witness_json(document), witness_ledger_json(document)])
    parts = document.announcements if isinstance(document, Bulletin) else document.passages
    kinds = Counter(part.kind.value for part in parts)
    counts = ", ".join([f"{count} {kind}" for kind, count in sorted(kinds.items())])
    return f"{counts}: {zlib.crc32(words.encode()):08x}"


def test_slips(golden: Callable[[str, object], None]) -> None:
    """Kinds, passages and details are unchanged."""
    lines = [
        f"{path.name} {seed} {outcome_of(slipped(text, chance).encode(), path.name)}\n"
        for path in sorted(DOCUMENTS.iterdir())
        for text in [path.read_text("utf-8")]
        for seed in range(SEEDS)
        for chance in [random.Random(f"{path.name}{seed}")]
    ]

    golden("sources/reading-slips.txt", "".join(lines))
