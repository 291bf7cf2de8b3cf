"""Whole editions: the sample rulebook in every layout, and random input."""

import json
import random
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from variorum_kb.build.build import load_sample
from variorum_kb.errors import DocumentError
from variorum_kb.model import Edition, Irregular, Irregularity
from variorum_kb.reading.as_json import export_json, ledger_json
from variorum_kb.reading.edition import read_edition

HERE = Path(__file__).resolve().parents[3] / "lab" / "sample"
TESTS = Path(__file__).resolve().parents[2]
BYTES = {
    path.name: path.read_bytes()
    for path in sorted((HERE.parents[1] / "kb" / "variorum_kb" / "sample").glob("*.txt"))
}


def test_sample_misprints(golden: Callable[[str, object], None]) -> None:
    """The irregularities of the sample editions have the right meanings."""
    by_name = {
        edition.effective.isoformat(): [
            [
                address,
                irregularity.kind.value,
                irregularity.printed,
                irregularity.meant,
                irregularity.evidence,
            ]
            for address, irregularity in _located(edition)
        ]
        for edition in load_sample()
    }

    golden("sample-irregularities", by_name)


def _located(edition: Edition) -> Iterator[tuple[str, Irregularity]]:
    for provision in (*edition.provisions, *edition.glossary):
        for irregularity in provision.irregularities:
            yield provision.address, irregularity


def test_irregularities_are_all_met() -> None:
    """The sample, or a test of its module, has every kind of irregularity."""
    sources = "".join(path.read_text("utf-8") for path in TESTS.rglob("test_*.py"))

    assert [kind.name for kind in Irregular if f"Irregular.{kind.name}" not in sources] == []


def test_equal_bytes_give_equal_editions() -> None:
    """The result depends only on the bytes; the name is for messages."""
    name, data = next(iter(BYTES.items()))

    assert read_edition(data, name) == read_edition(data, "other")


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
    text = data.decode("latin-1")
    lines = re.split(r"\r\n|\r|\n", text)
    worded = [place for place, line in enumerate(lines) if line.strip()]
    for place in chance.sample(worded, chance.choice((1, 2, 3, 8))):
        lines[place] = chance.choice(SLIPS)(lines[place], chance)
    return "\n".join(lines).encode("latin-1")


def outcome_of(data: bytes, name: str) -> str:
    """Return what became of a document: its irregularities, notes and checksum, or the error."""
    try:
        edition = read_edition(data, name)
    except DocumentError as error:
        return str(error)
    odd = Counter(irregularity.kind.value for _, irregularity in _located(edition))
    counts = [f"{count} {kind}" for kind, count in sorted(odd.items())]
    words = json.dumps([export_json(edition, 1), ledger_json(edition)])
    return f"{'; '.join([*counts, *edition.notes])}: {zlib.crc32(words.encode()):08x}"


def test_slips(golden: Callable[[str, object], None]) -> None:
    """Editions with slips are read, or refused, as before."""
    golden(
        "reading-slips.txt",
        "".join(
            f"{name} {seed} {outcome_of(slipped(BYTES[name], random.Random(f'{name}{seed}')), name)}\n"
            for name in BYTES
            for seed in range(12)
        ),
    )


NAMES = st.sampled_from(sorted(BYTES))
SEEDS = st.integers(0, 2**32)


def _read_or_refuse(data: bytes) -> None:
    try:
        outcome = str(read_edition(data, "a.txt").ledger.is_complete)
    except DocumentError as error:
        outcome = str(error)

    assert outcome == "True" or outcome.startswith("a.txt:")
    assert "\n" not in outcome


@given(st.binary(max_size=400))
@settings(max_examples=300)
def test_fuzz_bytes(data: bytes) -> None:
    """Random bytes give one of our errors."""
    _read_or_refuse(data)


@given(NAMES, SEEDS)
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_fuzz_cut_and_spliced(name: str, seed: int) -> None:
    """A cut, spliced or dirtied edition is read, or gives one of our errors."""
    chance = random.Random(seed)
    data, another = BYTES[name], BYTES[chance.choice(sorted(BYTES))]
    first, second = sorted(chance.sample(range(len(data)), 2))

    _read_or_refuse(data[first:second])
    _read_or_refuse(data[:first] + data[second:])
    _read_or_refuse(data[:first] + another[chance.randrange(len(another)) :])
    dirt = bytes(chance.randrange(256) for _ in range(20))
    _read_or_refuse(data[:first] + dirt + data[first + chance.randrange(20) :])


@pytest.mark.slow
@given(NAMES, SEEDS)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_fuzz_shuffled(name: str, seed: int) -> None:
    """An edition with lines shuffled, doubled or dropped is read, or gives one of our errors."""
    chance = random.Random(seed)
    lines = BYTES[name].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    swapped = list(lines)
    for _ in range(chance.randrange(1, 30)):
        randrange, two = chance.randrange(len(lines)), chance.randrange(len(lines))
        swapped[randrange], swapped[two] = swapped[two], swapped[randrange]
    shuffled = chance.sample(lines, len(lines))

    for changed in (swapped, shuffled, [line for line in lines if chance.random() > 0.1]):
        _read_or_refuse(b"\n".join(changed))
