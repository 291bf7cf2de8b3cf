"""The witnesses besides the editions: a list of all, and a page with the passages of each."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from variorum_kb.forms.witness import AttestationJson, WitnessJson
from variorum_site import urls
from variorum_site.page_index import PageIndex
from variorum_site.pages.link import Link
from variorum_site.pages.witness_views import AttestationView, attestation, witness_name
from variorum_site.render import PageFile, render


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessRow:
    """A witness in the list of all witnesses.

    Attributes:
        name: Its name, linked to its page.
        layout: The kind of document.
        dated: The date it gives for itself; "" if there is none.
        span: The first and last edition that it can come from, as links.
        count: How many of its passages these editions have.
        verdicts: Verdicts on its passages, with their counts.
    """

    name: Link
    layout: str
    dated: str
    span: tuple[Link, ...]
    count: str
    verdicts: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessView:
    """The page of a witness."""

    row: WitnessRow
    sha256: str
    author: str
    source: str
    stated: str
    evidence: tuple[str, ...]
    passages: tuple[AttestationView, ...]


class WitnessPages:
    """Makes the pages of witnesses."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index
        self._known = index.witnesses

    def page_files(self) -> Iterator[PageFile]:
        """Yield the list of all witnesses, then the page of each."""
        witnesses = [
            (witness, self._known.passages_of(witness["sha256"])) for witness in self._known.all()
        ]
        rows = [self._row(urls.WITNESSES, witness, passages) for witness, passages in witnesses]
        current = self._index.current
        yield render("witnesses", urls.WITNESSES, rows=rows, current=current)
        for witness, passages in witnesses:
            yield self._page_file(witness, passages)

    def _page_file(self, witness: WitnessJson, passages: list[AttestationJson]) -> PageFile:
        here = urls.witness(witness["sha256"])
        view = WitnessView(
            row=self._row(here, witness, passages),
            sha256=witness["sha256"],
            author=witness["author"],
            source=witness["source"],
            stated=witness["stated"],
            evidence=tuple(witness["evidence"]),
            passages=tuple([attestation(self._index, here, passage) for passage in passages]),
        )
        return render("witness", here, page=view)

    def _row(
        self, here: urls.Page, witness: WitnessJson, passages: list[AttestationJson]
    ) -> WitnessRow:
        labels = dict.fromkeys([label for label in (witness["from"], witness["to"]) if label])
        counts = Counter(passage["verdict"] for passage in passages)
        return WitnessRow(
            name=Link(witness_name(witness), urls.link(here, urls.witness(witness["sha256"]))),
            layout=witness["layout"],
            dated=witness["dated"] or "",
            span=tuple([Link(label, urls.link(here, urls.edition(label))) for label in labels]),
            count=f"{witness['matched']:,} of {witness['of']:,}" if witness["of"] else "",
            verdicts=tuple(sorted(counts.items())),
        )
