"""Documents besides the editions: a list of all, a page for each, and their passages on other pages."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from variorum.answers.knowledge_base import Subject
from variorum.answers.witnesses import name_of_witness, told
from variorum.records.document import Passage, Witness, WitnessName
from variorum.rows import ANNOUNCED, BULLETIN, COMMENTARY, headword_of
from variorum_site import names, urls
from variorum_site.page_index import PageIndex
from variorum_site.pages.markup import Link, set_pieces
from variorum_site.render import PageFile, in_words, render

# A passage, links to what it names, its words if no edition has them, and how they differ.
PassageView = Mapping[str, Any]


def witness_pages(index: PageIndex) -> Iterator[PageFile]:
    """Yield the list of all witnesses, then the page of each."""
    rows = [_about(urls.WITNESSES, witness) for witness in index.witnesses.all]
    yield render("witnesses", urls.WITNESSES, rows=rows, current=index.current)
    for witness in index.witnesses.all:
        here = urls.witness(witness.sha256)
        passages = [view(index, here, it) for it in index.witnesses.passages_of(witness.sha256)]
        yield render("witness", here, row=_about(here, witness), witness=witness, passages=passages)


def grouped(index: PageIndex, here: urls.Page, subject: Subject) -> dict[str, list[PassageView]]:
    """Return what is said of a provision: quoted, announced or commentary."""
    links = [link for it in subject.lineage for link in it.led]
    groups: dict[str, list[PassageView]] = defaultdict(list)
    for said in (*index.witnesses.of(subject.lineage), *index.witnesses.announced(links)):
        group = said.verdict if said.verdict in {ANNOUNCED, COMMENTARY} else "quoted"
        groups[group].append(view(index, here, said))
    return groups


def view(index: PageIndex, here: urls.Page, said: Passage) -> PassageView:
    """Return a passage of a witness, for a page."""
    name, label = said.stands or said.former or said.number or said.headword or "", said.edition
    there, called = names.page_of_name(name), headword_of(name) or name
    is_shown = said.verdict.startswith("agrees") or said.pieces
    return {
        "said": said,
        "witness": _link(here, said.witness) if said.witness else "",
        "about": Link(called, urls.link(here, there) if there in index.pages else ""),
        "edition": Link(in_words(label), urls.link(here, urls.edition(label))) if label else None,
        "told": told(said, called),
        "words": "" if is_shown else said.words,
        "diff": set_pieces(said.pieces),
    }


def _about(here: urls.Page, witness: Witness) -> tuple[Link, str, list[Link]]:
    labels = dict.fromkeys(filter(None, (witness.from_, witness.to)))
    dated = f", dated {in_words(witness.dated)}" if witness.dated else ""
    verb = "confirmed" if witness.kind == BULLETIN else "agree"
    count = f"; {witness.matched:,} of {witness.of:,} {verb}" if witness.of else ""
    editions = [Link(in_words(at), urls.link(here, urls.edition(at))) for at in labels]
    return _link(here, witness), f"{witness.kind}{dated}{count}", editions


def _link(here: urls.Page, witness: WitnessName) -> Link:
    return Link(name_of_witness(witness), urls.link(here, urls.witness(witness.sha256)))
