"""The markup of provisions on dated pages, made once for all editions that share a state."""

from html import escape

from variorum.permalinks import anchor_of, slug_of
from variorum_site import urls
from variorum_site.page_index import GLOSSARY, PageIndex, page_of
from variorum_site.pages.markup import Setting, Span, set_provision, spans_of

# How many provisions' markup is kept: about two of the largest editions.
_MOST = 8_000


class ProvisionMarkup:
    """The markup of provisions on dated pages; neighbouring editions share most of it."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index
        self._known: dict[tuple[int, tuple[str, ...]], Setting] = {}

    def setting(self, state: int, edition: int, here: urls.Page) -> Setting:
        """Return a provision on a page of an edition."""
        cites = self._index.citations(state, edition)
        hrefs = tuple([self._href(target, edition, here) for _, _, _, target in cites])
        setting = self._known.get((state, hrefs))
        if setting is None:
            row = self._index.states[state]
            spans = [
                (part, Span(start, stop, href))
                for (part, start, stop, _), href in zip(cites, hrefs, strict=True)
            ]
            is_entry = row.kind == GLOSSARY
            anchor = slug_of(row.heading) if is_entry else anchor_of(row.address)
            label = "" if is_entry else escape(row.number)
            heading = spans_of(spans, "heading")
            href = urls.link(here, page_of(row))
            # The link to its own page needs no class: no other link of a dated text leads to such a page.
            if is_entry:
                heading = [Span(0, len(row.heading), href)]
            number = f'<a href="{href}">{label}</a>' if label else ""
            is_title = row.kind == "chapter"
            body = spans_of(spans, "text")
            setting = set_provision(
                row,
                "" if is_title else anchor,
                number,
                body,
                None if is_title else heading,
            )
            if row.kind in {"rule", "subrule"}:  # a level below its section's heading
                setting = setting.below()
            while len(self._known) >= _MOST:
                del self._known[next(iter(self._known))]
            self._known[state, hrefs] = setting
        return setting

    def _href(self, target: int, edition: int, here: urls.Page) -> str:
        return urls.link(here, *self._index.dated(target, edition))
