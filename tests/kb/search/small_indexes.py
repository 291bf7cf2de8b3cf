"""Small bases with search indexes, which tests damage, change or search."""

from datetime import date
from pathlib import Path

from tests.support.search_requests import TODAY
from tests.support.small_bases import DAYS, edition
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.forms.search import SearchJson
from variorum_kb.search.answer import Search
from variorum_kb.search.indexes.cache import Manifest, cache_of, open_manifest
from variorum_kb.search.indexes.current_indexes import BaseIndexes
from variorum_kb.search.search_options import SearchOptions


def documents(number: int) -> dict[str, bytes]:
    """Return some small editions."""
    names = ("wicks", "oars", "ferries", "bells", "gulls")
    rules = [f"A keeper may trade {name} at the wall." for name in names]
    few = list(zip(DAYS, rules, strict=True))[:number]
    return {f"{day[-4:]}.txt": edition(day, rule=rule) for day, rule in few}


def ask(
    folder: Path, query: str = "keeper", *, ever: bool = False, today: date = TODAY
) -> tuple[SearchJson, list[str]]:
    """Return the hits of a search, and the note about the index."""
    texts: list[str] = []
    with Search(KnowledgeBase.open(folder, today=today), texts.append) as search:
        return search.search(SearchOptions(query, ever=ever)), texts


def keep(folder: Path, today: date = TODAY) -> list[str]:
    """Bring the indexes of a base up to date; return the messages."""
    announced: list[str] = []
    with KnowledgeBase.open(folder, today=today) as base:
        BaseIndexes(base).keep_in_step(announced.append)
    return announced


def names(folder: Path) -> list[str]:
    """Return the folders of a base's indexes, without those of their parts."""
    return sorted(path.name for path in cache_of(folder).glob("*-*") if "part-" not in path.name)


def scopes(folder: Path) -> list[str]:
    """Return the scope of each index of a base."""
    return [name.partition("-")[0] for name in names(folder)]


def manifest_of(folder: Path) -> Manifest:
    """Return the manifest of an index or a part, checking that it is complete."""
    result = open_manifest(folder)
    assert result is not None
    return result


def state_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return all files of the indexes, with their times and their bytes."""
    rglobs = [path for path in cache_of(folder).rglob("*-*/*") if path.is_file()]
    return {str(rglob): (rglob.stat().st_mtime_ns, rglob.read_bytes()) for rglob in rglobs}


def parts(folder: Path) -> list[int]:
    """Return the number of parts of each index of a base; the index of all readings is first."""
    cache = cache_of(folder)
    needed = [manifest_of(cache / name)["parts"] for name in names(folder)]
    there = {path.name for path in cache.glob("part-*")}
    assert there == {part for some in needed for part in some}
    return [len(some) for some in needed]


def flip(file: Path) -> None:
    """Change one byte in the middle of a file."""
    data = bytearray(file.read_bytes() or b"x")
    data[len(data) // 2] ^= 1
    file.write_bytes(data)
