"""The witnesses besides the editions: a list of all, and a page of what each attests."""

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
    """A witness in the list of all.

    Attributes:
        name: What it is called, leading to its page.
        layout: What it is.
        dated: The day that it says it was written; "" without.
        span: The first and the last edition that it can come from, leading to them.
        count: How much of it these have.
        verdicts: What the editions say to its passages, with how many.
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
        """Yield the list of all, and the page of each."""
        found = [(one, self._known.passages_of(one["sha256"])) for one in self._known.all()]
        rows = [self._row(urls.WITNESSES, one, passages) for one, passages in found]
        current = self._index.current
        yield render("witnesses", urls.WITNESSES, rows=rows, current=current)
        for one, passages in found:
            yield self._page_file(one, passages)

    def _page_file(self, one: WitnessJson, passages: list[AttestationJson]) -> PageFile:
        here = urls.witness(one["sha256"])
        view = WitnessView(
            row=self._row(here, one, passages),
            sha256=one["sha256"],
            author=one["author"],
            source=one["source"],
            stated=one["stated"],
            evidence=tuple(one["evidence"]),
            passages=tuple([attestation(self._index, here, passage) for passage in passages]),
        )
        return render("witness", here, page=view)

    def _row(
        self, here: urls.Page, one: WitnessJson, passages: list[AttestationJson]
    ) -> WitnessRow:
        labels = dict.fromkeys([label for label in (one["from"], one["to"]) if label])
        counts = Counter(passage["verdict"] for passage in passages)
        return WitnessRow(
            name=Link(witness_name(one), urls.link(here, urls.witness(one["sha256"]))),
            layout=one["layout"],
            dated=one["dated"] or "",
            span=tuple([Link(label, urls.link(here, urls.edition(label))) for label in labels]),
            count=f"{one['matched']:,} of {one['of']:,}" if one["of"] else "",
            verdicts=tuple(sorted(counts.items())),
        )
