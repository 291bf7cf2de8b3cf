"""The editions that a base holds, and the last document of each address."""

import contextlib
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from variorum.documents.archive import Archive
from variorum.errors import BaseError
from variorum.model import Sha256, sha256_of
from variorum.reading.paragraphs import ORIGINALS
from variorum.rows import State
from variorum.store.reader import Reader
from variorum.stored_rows import NOT_KNOWN, ONE_SOURCE
from variorum.system.default_folders import FILE
from variorum_crawler.sync.crawl_state import Seen, seen_of
from variorum_crawler.trust.judge import Candidate


@dataclass(frozen=True, slots=True)
class Held:
    """An edition that the base holds.

    Attributes:
        candidate: The edition, in the form of a candidate for the judge.
        label: Its label in the base: a date, with an issue if the date has several.
    """

    candidate: Candidate
    label: str


def load_held(base: Path, dates: Container[date] = ()) -> tuple[Held, ...]:
    """Return the editions of a base, oldest first.

    Args:
        base: The folder of the base.
        dates: The dates whose words are also needed.

    Raises:
        NoBaseError: There is no base.
        BaseError: Another program wrote the base, or it is damaged.
    """
    with contextlib.closing(Reader(base / FILE)) as reader:
        try:
            return tuple([_held(reader, row, dates) for row in reader.editions()])
        except (KeyError, TypeError, ValueError) as error:
            raise BaseError(f"{base / FILE}: damaged: {error!r}") from None


def _held(reader: Reader, row: Mapping[str, Any], dates: Container[date]) -> Held:
    effective = date.fromisoformat(row["effective"])
    states: list[State] = []
    if effective in dates:
        ids = reader.states_of(row["id"])
        states_by_id = reader.states_by_id(sorted(set(ids)))
        states = [states_by_id[id_] for id_ in ids]
        row = {**row, **reader.long_columns(row["id"])}
    return Held(candidate_of(row, states), str(row["label"]))


def candidate_of(row: Mapping[str, Any], states: Sequence[State]) -> Candidate:
    """Return an edition as a candidate for the judge.

    Args:
        row: The columns of the edition, by name; the long ones only if its words matter.
        states: Its provisions; none if its words do not matter.
    """
    return Candidate(
        sha256=Sha256(str(row["sha256"])),
        effective=date.fromisoformat(str(row["effective"])),
        rules=int(row["rules"]),
        is_original=row["layout"] in ORIGINALS,
        encoding=str(row["encoding"]),
        condition=str(row["condition"]),
        is_weak=_is_weak(str(row["attested"]), str(row["doubts"])),
        words=_words_of(row, states) if states else "",
    )


def _words_of(row: Mapping[str, Any], states: Sequence[State]) -> str:
    printed = [
        (state.kind, state.number, state.address, state.heading, state.body) for state in states
    ]
    words = (row["introduction"], row["credits"], printed)
    return sha256_of(repr(words).encode(errors="surrogatepass"))


def _is_weak(attested: str, doubts: str) -> bool:
    return not attested and bool(set(doubts.splitlines()) - {ONE_SOURCE, NOT_KNOWN})


def seen_in(archive: Archive) -> dict[str, Seen]:
    """Return the last document of each web address, from the manifest of an archive."""
    came = [(source, sha256) for sha256 in archive for source in archive.sources(sha256)]
    return {
        source.address: seen_of(sha256, source.headers, source.added)
        for source, sha256 in sorted(came, key=lambda source_and_hash: source_and_hash[0].added)
        if "://" in source.address
    }
