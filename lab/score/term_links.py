"""Draw random links to glossary terms, and say how many people judged right.

    python lab/score/term_links.py BASE              the figure, and links that the table no longer finds
    python lab/score/term_links.py BASE --draw 320   links to read, with the words around them

The links are those of the website: the first mention of each term on each page of a number or
headword of the newest edition. `term_links.tsv` has the decisions: page, provision, day of the
edition, headword, offset of the mention in the provision's words, and verdict.
"""

import argparse
import csv
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.rows import wording_of
from variorum_site import urls
from variorum_site.page_index import GLOSSARY, PageIndex
from variorum_site.pages.current_provisions import CurrentProvisions

READ = Path(__file__).with_suffix(".tsv")
_AROUND = 38


class TermLink(NamedTuple):
    """A link on a page."""

    page: str
    provision: str
    day: str
    term: str
    start: int


def links_of(index: PageIndex) -> Iterator[tuple[TermLink, str, int]]:
    """Yield the links on all pages in force, each with its sentence and its target."""
    current = CurrentProvisions(index)
    entry = index.editions[current.place]
    day, terms = entry.effective.isoformat(), index.base.glossary.terms_of(entry)
    for page in index.pages:
        for holder in index.holders(page):
            state = holder.end.state
            if state != holder.state or holder.runs[-1][1] != current.place:
                continue
            linked: set[str] = set()
            row = index.states[state]
            below = [] if row.kind == "chapter" else list(current.tree(state))
            for state_id in (state, *below):
                row = index.states[state_id]
                own = row.heading if row.kind == GLOSSARY else ""
                words = wording_of(row) if row.body else ""
                for start, stop, term in terms.find(words, own):
                    there = urls.entry(term)
                    if there not in linked and there != page:
                        linked.add(there)
                        yield TermLink(page, own or row.address, day, term, start), words, stop


def verdicts() -> dict[TermLink, str]:
    """Return the decisions, each "right" or "wrong"."""
    with READ.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines, delimiter="\t")
        next(rows)
        return {
            TermLink(page, name, day, term, int(start)): verdict
            for page, name, day, term, start, verdict in rows
        }


def main() -> None:
    """Print the figure, or a sample."""
    parser = argparse.ArgumentParser(description="Read links to glossary terms.")
    parser.add_argument("base", type=Path)
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with KnowledgeBase.open(asked.base) as base:
        links = list(links_of(PageIndex(base)))
    if asked.draw:
        for link, words, stop in random.Random(asked.seed).sample(links, asked.draw):
            before = words[max(0, link.start - _AROUND) : link.start]
            shown = f"{before}[{words[link.start : stop]}]{words[stop : stop + _AROUND]}"
            sys.stdout.write("\t".join([*map(str, link), " ".join(shown.split())]) + "\n")
        return
    known = verdicts()
    current = {link for link, _, _ in links}
    wrong = [link for link, verdict in known.items() if verdict != "right" and link in current]
    sys.stdout.write(
        f"{len(links)} links; {len(known)} read, of which {len(known.keys() & current)} still stand\n"
        f"wrong: {len(wrong)}, {len(wrong) / len(known):.1%}\n"
    )
    for link in wrong:
        sys.stdout.write("\t".join(map(str, link)) + "\n")


if __name__ == "__main__":
    main()
