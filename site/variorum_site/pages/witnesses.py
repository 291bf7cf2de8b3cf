"""Documents besides the editions: a list of all, a page for each, and their passages on other pages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from variorum.answers.witnesses import claims_in_words, verdict_in_words
from variorum.records.document import Attestation, Witness, WitnessName
from variorum.rows import ANNOUNCED, BULLETIN, COMMENTARY, ORIGINAL
from variorum.text import shortened
from variorum_site import names, urls
from variorum_site.page_index import PageIndex
from variorum_site.pages.markup import Html, Link, set_pieces
from variorum_site.render import PageFile, in_words, render

_LONGEST = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class AttestationView:
    """A passage of a witness, with links to the provision and to the edition that it is compared with.

    `words` is empty if an edition has them; `why` has claimed days, and the reasons for this provision.
    """

    witness: Link
    dated: str
    about: Link | None
    edition: Link | None
    verdict: str
    words: str
    diff: Html
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Attested:
    """What other documents quote of a provision or say about it; announcements by their editions."""

    quoted: tuple[AttestationView, ...]
    commentary: tuple[AttestationView, ...]
    originals: tuple[str, ...]
    announced: Mapping[str, tuple[AttestationView, ...]]


def witness_name(witness: Witness | WitnessName) -> str:
    """Return the name of a witness: its title and author, else its kind."""
    kind = witness.kind
    title = witness.title or f"{kind[:1].upper()}{kind[1:]} {witness.sha256[:8]}"
    return f"{title} by {witness.author}" if witness.author else title


def attested(index: PageIndex, here: urls.Page, attestations: Sequence[Attestation]) -> Attested:
    """Return what other documents say about a provision, for its page."""
    announced: dict[str, dict[AttestationView, None]] = {}
    quoted: list[AttestationView] = []
    commentary: list[AttestationView] = []
    originals: dict[str, None] = {}
    for passage in attestations:
        view, verdict = attestation(index, here, passage), passage.verdict
        if verdict == ANNOUNCED:
            announced.setdefault(str(passage.edition), {})[view] = None
        elif verdict == COMMENTARY:
            commentary.append(view)
        elif verdict == "agrees" and passage.witness.kind.startswith(ORIGINAL):
            originals[in_words(str(passage.edition))] = None
        else:
            quoted.append(view)
    return Attested(
        quoted=tuple(quoted),
        commentary=tuple(commentary),
        originals=tuple(originals),
        announced={label: tuple(views) for label, views in announced.items()},
    )


def attestation(index: PageIndex, here: urls.Page, passage: Attestation) -> AttestationView:
    """Return a passage of a witness, for a page."""
    name, witness = passage.stands or passage.former, passage.witness
    label, agrees = passage.edition, passage.verdict.startswith("agrees")
    there = None if name is None else names.page_of_name(name)
    return AttestationView(
        witness=Link(witness_name(witness), urls.link(here, urls.witness(witness.sha256))),
        dated=in_words(witness.dated or ""),
        about=None
        if there is None
        else Link(
            str(name).replace("glossary: ", ""),
            urls.link(here, there) if index.has_page(there) else "",
        ),
        edition=None
        if label is None
        else Link(in_words(label), urls.link(here, urls.edition(label))),
        verdict=verdict_in_words(passage),
        words="" if agrees or passage.pieces else shortened(passage.words, _LONGEST),
        diff=set_pieces(passage.pieces),
        why=(*claims_in_words(passage), *passage.evidence),
    )


class WitnessPages:
    """Makes the pages of witnesses."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index

    def page_files(self) -> Iterator[PageFile]:
        """Yield the list of all witnesses, then the page of each."""
        everyone = self._index.witnesses.all()
        here = urls.WITNESSES
        rows = [self._about(here, witness) for witness in everyone]
        yield render("witnesses", here, rows=rows, current=self._index.current)
        for witness in everyone:
            here = urls.witness(witness.sha256)
            passages = self._index.witnesses.passages_of(witness.sha256)
            views = [attestation(self._index, here, passage) for passage in passages]
            row = self._about(here, witness)
            yield render("witness", here, row=row, witness=witness, passages=views)

    def _about(self, here: urls.Page, witness: Witness) -> tuple[Link, str, tuple[Link, ...]]:
        """Return a witness's name, its kind and counts, and the editions that it can come from."""
        labels = dict.fromkeys([label for label in (witness.from_, witness.to) if label])
        name = Link(witness_name(witness), urls.link(here, urls.witness(witness.sha256)))
        dated = f", dated {in_words(witness.dated)}" if witness.dated else ""
        verb = "confirmed" if witness.kind == BULLETIN else "agree"
        count = f"; {witness.matched:,} of {witness.of:,} {verb}" if witness.of else ""
        about = f"{witness.kind}{dated}{count}"
        return (
            name,
            about,
            tuple([Link(in_words(at), urls.link(here, urls.edition(at))) for at in labels]),
        )
