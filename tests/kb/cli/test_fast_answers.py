"""Histories, blame, `cr where` and searches without click: the bytes of the full command, or nothing."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from variorum_kb.cli.fast_answers import ANSWERED
from variorum_kb.search.indexes.cache import cache_of, open_cache
from variorum_kb.system.lock import locked

Captured = pytest.CaptureFixture[bytes]


@pytest.fixture(scope="module")
def folder(indexed: Path) -> Path:
    """Return the folder of the base."""
    return indexed


@pytest.mark.parametrize(
    "arguments",
    [
        ["history", "705.1"],
        ["history", "702.3", "--json"],
        ["history", "flip a coin", "--on", "2006-03-01"],
        ["history", "600.4b", "--on", "2008-06-20"],
        ["history", "705", "--full"],
        ["history", "705", "--only"],
        ["blame", "705"],
        ["blame", "705", "--only", "--json"],
        ["where", "511"],
        ["where", "511", "--from", "2008-06-20"],
        ["where", "511", "--on", "2008-06-20", "--json"],
        ["where", "702.9", "--from", "2025-05-30", "--to", "2006-03-01"],
        ["where", "flip a coin", "--to", "first"],
        ["search", "gleam"],
        ["search", "boat", "can’t", "sail", "--json"],
        ["search", "702.9"],
        ["search", "511"],
        ["search", "gleem boats"],
        ["search", "harbor", "--on", "2008-06-20"],
        ["search", "harbor", "--on", "2008-07-01"],
        ["search", '"storm markers" OR gleam', "--json", "--on", "2008-07-01"],
    ],
    ids=" ".join,
)
def test_says_the_same(
    cr: Callable[..., Result], folder: Path, capfdbinary: Captured, arguments: list[str]
) -> None:
    """Without click, an answer and its notes are the same, byte for byte."""
    name, *rest = arguments

    assert ANSWERED[name]([*rest, "--kb", str(folder)])

    full = cr(*arguments)
    assert capfdbinary.readouterr() == (full.stdout_bytes, full.stderr_bytes)


ERRORS: list[list[str]] = [
    ["999.9"],
    ["705.1", "--on", "1999-05-14"],
    ["705.1", "--pretty"],
    ["508.1d-f"],
    [],
]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        *[(name, arguments) for name in ("history", "blame") for arguments in ERRORS],
        ("blame", ["705", "--full"]),
        ("where", ["999.9"]),
        ("where", ["705.1", "--to", "1066-10-14"]),
        ("where", ["724", "--from", "latest", "--to", "2006-03-01"]),
        ("where", ["705.1", "--from", "latest", "--on", "latest"]),
        ("where", ["705.1", "--to"]),
        ("where", ["705.1", "--to", "first", "--to", "latest"]),
        ("where", []),
        ("search", []),
        ("search", ["xylophone"]),
        ("search", ["boat AND"]),
        ("search", ["boat", "--on", "yesterday"]),
        ("search", ["boat", "--on", ""]),
        ("search", ["boat", "--on"]),
        ("search", ["boat", "--ever"]),
        ("search", ["boat", "--limit", "3"]),
        ("search", ["boat", "--in", "702"]),
        ("search", ["boat", "--kind", "rule"]),
        ("search", ["boat", "--help"]),
        ("search", ["--", "-N/-0"]),
        ("search", ["-N/-0"]),
        ("search", ["-1/-1"]),
    ],
    ids=str,
)
def test_leaves_the_rest(
    folder: Path, capfdbinary: Captured, name: str, arguments: list[str]
) -> None:
    """Errors, wrong usage and other options are left to the full command, and nothing is printed."""
    assert not ANSWERED[name]([*arguments, "--kb", str(folder)])

    assert capfdbinary.readouterr() == (b"", b"")


@pytest.mark.parametrize("name", ANSWERED)
def test_without_a_base(name: str, tmp_path: Path) -> None:
    """Without a base, the full command says so."""
    assert not ANSWERED[name](["boat", "--kb", str(tmp_path)])


def test_makes_no_index(sample_base: Path, tmp_path: Path, capfdbinary: Captured) -> None:
    """A missing index is left to the full command, which reports that it builds one."""
    shutil.copytree(sample_base, tmp_path / "kb")

    assert not ANSWERED["search"](["gleam", "--kb", str(tmp_path / "kb")])

    assert capfdbinary.readouterr() == (b"", b"")
    assert not cache_of(tmp_path / "kb").exists()


def test_notice_is_given_once(sample_base: Path, tmp_path: Path, capfdbinary: Captured) -> None:
    """While another process builds an index, nothing is printed twice."""
    shutil.copytree(sample_base, tmp_path / "kb")

    with locked(open_cache(tmp_path / "kb")):
        assert not ANSWERED["search"](["gleam", "--kb", str(tmp_path / "kb")])

    assert capfdbinary.readouterr() == (b"", b"")
