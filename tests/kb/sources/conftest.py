"""Golden files of documents as read, and of their comparison with the editions.

The results of `read_…`, `attest…` and `compare` in a test become lines of JSON. One golden file
has the lines of all tests in a module.
"""

import json
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import wraps
from itertools import chain
from pathlib import Path
from typing import Any, cast

import pytest

from tests.conftest import GOLDEN
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.errors import VariorumError
from variorum_kb.sources.comparing.attestation_types import Attested
from variorum_kb.sources.reading.as_json import witness_json, witness_ledger_json
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin
from variorum_kb.sources.reading.passages.passages import Partial

ROOM = Path(__file__).parent
_LONGEST_TEXT, _MOST_LINES = 60, 12
_EMPTY: tuple[object, ...] = (None, "", [], (), {}, False)


@pytest.fixture(autouse=True)
def held(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    golden: Callable[[str, object], None],
) -> Iterator[None]:
    """Compare the results of a test with the golden lines of its module."""
    item = cast("pytest.Function", request.node)
    module: Any = item.module
    name = item.name
    is_hypothesis = getattr(item.obj, "is_hypothesis_test", False)
    if is_hypothesis or item.get_closest_marker("slow"):
        yield
        return
    texts: list[str] = []
    verbs = ("attest", "compare", "read_") if item.path.parent == ROOM else ("attest", "compare")
    verbs = ("attest", "read_") if "reading" in item.path.relative_to(ROOM).parts else verbs
    for text in [member for member in dir(module) if member.startswith(verbs)]:
        monkeypatch.setattr(module, text, _held_in(texts, getattr(module, text)))
    yield
    file = f"{module.__name__.replace('.', '/').removeprefix('tests/kb/')}.txt"
    known = _load(GOLDEN / file)
    every = {key: value for key, value in known.items() if hasattr(module, key.partition("[")[0])}
    if every != known or every.get(name, []) != texts:
        every[name] = texts
        blocks = ["\n".join([key, *every[key]]) + "\n" for key in sorted(every) if every[key]]
        golden(file, "\n".join(blocks))


def _load(path: Path) -> dict[str, list[str]]:
    """Load the golden lines of each test in a module."""
    blocks = path.read_text("utf-8").split("\n\n") if path.exists() else []
    return {name: lines for block in blocks for name, *lines in [block.strip().split("\n")]}


def _held_in(words: list[str], ask: Callable[..., object]) -> Callable[..., object]:
    @wraps(ask)
    def asked(*arguments: object, **named: object) -> object:
        try:
            answer = ask(*arguments, **named)
        except VariorumError as error:
            words.append(f"{type(error).__name__}: {error}")
            raise
        match answer, arguments[0]:
            case Partial() | Bulletin() as document, _:
                ledger = witness_ledger_json(document)
                lines = _lines(dict(witness_json(document)) | {"ledger": ledger})
            case Attested() as attested, KnowledgeBase() as base:
                lines = _lines(with_addresses(base, attested))
            case _:
                lines = []
        more = [f"and {len(lines) - _MOST_LINES} more: {zlib.crc32(repr(lines).encode()):x}"]
        words.extend(lines if len(lines) <= _MOST_LINES else lines[:_MOST_LINES] + more)
        return answer

    return asked


def with_addresses(base: KnowledgeBase, attested: Attested) -> dict[str, Any]:
    """Return the attestations of a document, with addresses instead of ids."""
    ids = {item for passage in attested.passages for item in (passage.provision, passage.former)}
    states = base.reader.states_by_id(
        sorted(identifier for identifier in ids if identifier is not None)
    )
    passages = [
        {
            **asdict(passage),
            "verdict": passage.verdict.value,
            "provision": passage.provision and states[passage.provision].address,
            "former": passage.former and states[passage.former].address,
            "likeness": round(passage.likeness, 3),
            "confidence": round(passage.confidence, 3),
            "pieces": [list(piece) for piece in passage.pieces if piece[0] != "="],
        }
        for passage in attested.passages
    ]
    return {**asdict(attested), "passages": passages}


def _lines(value: dict[str, Any]) -> list[str]:
    """Return a line for the document itself, and one for each of its parts."""
    parts: dict[str, list[Any]] = {
        key: items for key, items in value.items() if isinstance(items, list)
    }
    whole: Any = {key: part for key, part in value.items() if key not in parts}
    every = [whole, *chain.from_iterable(parts.values())]
    return [json.dumps(_brief(item), ensure_ascii=False) for item in every]


def _brief(value: Any) -> Any:
    """Return a value without empty items and hashes, and with long texts cut in the middle."""
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return {key: _brief(item) for key, item in pairs if item not in _EMPTY and key != "sha256"}
    if isinstance(value, list | tuple):
        return [_brief(item) for item in cast("list[Any]", value)]
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        return f"{value[:30]}… {zlib.crc32(value.encode()):08x} …{value[-15:]}"
    return value
