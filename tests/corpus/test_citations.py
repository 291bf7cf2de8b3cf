"""Citations of every eighth real edition, found in its text and resolved by the library."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

import variorum
from variorum.citations import find_references
from variorum.reading.edition import read_edition

pytestmark = pytest.mark.corpus

# Every eighth edition is enough: neighbours have nearly the same citations.
EVERY = 8
COLUMNS = ("citations", "ranges", "titles", "dangling", "other title")


def test_citations(
    real: variorum.Base, editions: tuple[Path, ...], golden: Callable[[str, str], None]
) -> None:
    """The library has each citation that is found, as printed; the counts are recorded."""
    lines = ["\t".join(("effective", *COLUMNS))]
    for path in editions[::EVERY]:
        row, provisions = read_edition(path.read_bytes())
        day, counts = row.effective, Counter[str]()
        for provision in provisions:
            name = provision.address if provision.number else f"glossary: {provision.heading}"
            cites = real.references(name, day).cites
            parts = {"heading": provision.heading if provision.number else ""}
            parts["text"] = "\n".join([text for text, *_ in provision.paragraphs])
            found = [
                (part, text[each.start : each.end], each)
                for part, text in parts.items()
                for each in find_references(text)
            ]
            assert [(cite.part, cite.text) for cite in cites] == [
                (part, printed) for part, printed, _ in found
            ], f"{day} {name}"
            counts["citations"] += len(cites)
            counts["ranges"] += sum(each.first != each.last for *_, each in found)
            counts["titles"] += sum(bool(cite.title) for cite in cites)
            counts["dangling"] += sum(cite.status != "resolved" for cite in cites)
            counts["other title"] += sum(cite.title_fits is False for cite in cites)
        lines.append("\t".join((day, *(str(counts[column]) for column in COLUMNS))))

    golden("../corpus/resolved.tsv", "".join(f"{line}\n" for line in lines))
