"""Documents besides the editions: a list of all, a page for each, and their passages on other pages."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from variorum.answers.knowledge_base import Subject
from variorum.answers.witnesses import name_of_witness, told
from variorum.records.document import Passage, Witness, WitnessName
from variorum.rows import ANNOUNCED, BULLETIN, COMMENTARY, ORIGINAL
from variorum.text import shortened
from variorum_site import names, urls
from variorum_site.page_index import PageIndex
from variorum_site.pages.markup import Html, Link, set_pieces
from variorum_site.render import PageFile, in_words, render

_LONGEST = 300


class PassageView(NamedTuple):
    """A passage of a witness, links to what it names, and its words if no edition has them."""

    said: Passage
    witness: Link
    about: Link
    edition: Link | None
    told: str
    words: str
    diff: Html


def view(index: PageIndex, here: urls.Page, said: Passage) -> PassageView:
    """Return a passage of a witness, for a page."""
    stands, witness, label = said.stands or said.former, said.witness, said.edition
    called = (stands or said.number or said.headword or "").replace("glossary: ", "")
    there = names.page_of_name(stands) if stands else None
    is_shown = said.verdict.startswith("agrees") or said.pieces
    return PassageView(
        said,
        _link(here, witness) if witness else Link("", ""),
        Link(called, urls.link(here, there) if there and index.has_page(there) else ""),
        Link(in_words(label), urls.link(here, urls.edition(label))) if label else None,
        told(said, called),
        "" if is_shown else shortened(said.words, _LONGEST),
        set_pieces(said.pieces),
    )


def _link(here: urls.Page, witness: WitnessName) -> Link:
    return Link(name_of_witness(witness), urls.link(here, urls.witness(witness.sha256)))


def grouped(index: PageIndex, here: urls.Page, subject: Subject) -> dict[str, list[PassageView]]:
    """Return a provision's passages: quoted, announced, commentary, or that of originals."""
    links = [link for it in subject.lineage for link in (it.into, *it.beside) if link]
    groups: dict[str, list[PassageView]] = defaultdict(list)
    for said in (*index.witnesses.of(subject.lineage), *index.witnesses.announced(links)):
        group = said.verdict if said.verdict in {ANNOUNCED, COMMENTARY} else "quoted"
        if said.verdict == "agrees" and said.witness and said.witness.kind.startswith(ORIGINAL):
            group = "originals"
        groups[group].append(view(index, here, said))
    return groups


class WitnessPages:
    """Makes the pages of witnesses."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index

    def page_files(self) -> Iterator[PageFile]:
        """Yield the list of all witnesses, then the page of each."""
        everyone = self._index.witnesses.all()
        rows = [self._about(urls.WITNESSES, witness) for witness in everyone]
        yield render("witnesses", urls.WITNESSES, rows=rows, current=self._index.current)
        for witness in everyone:
            here = urls.witness(witness.sha256)
            passages = self._index.witnesses.passages_of(witness.sha256)
            views = [view(self._index, here, said) for said in passages]
            row = self._about(here, witness)
            yield render("witness", here, row=row, witness=witness, passages=views)

    def _about(self, here: urls.Page, witness: Witness) -> tuple[Link, str, list[Link]]:
        """Return a witness's name, its kind and counts, and the editions that it can come from."""
        labels = dict.fromkeys([label for label in (witness.from_, witness.to) if label])
        dated = f", dated {in_words(witness.dated)}" if witness.dated else ""
        verb = "confirmed" if witness.kind == BULLETIN else "agree"
        count = f"; {witness.matched:,} of {witness.of:,} {verb}" if witness.of else ""
        return (
            _link(here, witness),
            f"{witness.kind}{dated}{count}",
            [Link(in_words(at), urls.link(here, urls.edition(at))) for at in labels],
        )
