"""The pages that lead to all others: home, contents, glossary, editions, changes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from variorum.answers.editions import EditionEntry
from variorum.permalinks import slug_of
from variorum.records.lineage import DiffSummary
from variorum_site import urls
from variorum_site.page_index import PageIndex, page_of
from variorum_site.pages.current_provisions import CurrentProvisions
from variorum_site.pages.markup import Html, Link, set_body, set_text
from variorum_site.pages.timeline import bars
from variorum_site.render import PageFile, render

_NEWEST = 6


@dataclass(frozen=True, slots=True)
class ChapterList:
    """A chapter in force with its sections."""

    chapter: Link
    sections: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class EditionRow:
    """An edition in a table.

    Attributes:
        words: How many words it has.
        summary: How much it changed; None for the first.
    """

    edition: EditionEntry
    words: int
    summary: DiffSummary | None

    @property
    def changed(self) -> int:
        """Return how many provisions were reworded, new or removed."""
        of = self.summary
        return 0 if of is None else of.substantive + of.new + of.gone


class Front:
    """Makes the pages that lead to all others."""

    def __init__(self, index: PageIndex, rows: Mapping[str, EditionRow]) -> None:
        """Prepare them.

        Args:
            index: The base's page index.
            rows: The figures of each edition.
        """
        self._index = index
        self._current = CurrentProvisions(index)
        self._rows = tuple([rows[edition.label] for edition in index.editions])
        self._days = [edition.effective for edition in index.editions]

    def page_files(self) -> Iterator[PageFile]:
        """Yield the pages."""
        yield self._home()
        yield self._rules()
        yield self._all()
        yield self._glossary()
        rows, current = self._rows[::-1], self._index.current
        yield render("editions", urls.EDITIONS, rows=rows, current=current, picture=self._changed())
        yield render(
            "changes_list", urls.CHANGES, rows=rows, current=current, picture=self._changed()
        )
        yield render(
            "about",
            urls.ABOUT,
            count=len(self._rows),
            first=self._index.editions[0],
            newest=self._index.editions[-1],
        )

    def _changed(self) -> Html:
        return bars(
            "Provisions reworded, new or removed in each edition; the table says the same.",
            self._days,
            [row.changed for row in self._rows],
        )

    # Today ---------------------------------------------------------------------------------------

    def _home(self) -> PageFile:
        return render(
            "home",
            urls.HOME,
            current=self._index.current,
            count=len(self._rows),
            numbers=len(self._index.pages),
            first=self._index.editions[0],
            chapters=self._chapters(urls.HOME),
            newest=self._rows[::-1][:_NEWEST],
            picture=self._changed(),
        )

    def _rules(self) -> PageFile:
        sections = [
            page for page in self._index.pages if page.startswith("rule/") and "." not in page
        ]
        today = {
            page_of(self._index.states[state])
            for chapter in self._current.outline.chapters
            for state in (chapter, *self._current.below[self._index.states[chapter].address])
        }
        coming = self._index.coming
        former = [self._former(page) for page in sections if page not in {*today, *coming}]
        return render(
            "rules",
            urls.RULES,
            current=self._index.current,
            chapters=self._chapters(urls.RULES),
            former=former,
        )

    def _former(self, page: urls.Page) -> Link:
        """Return a former section with its last heading."""
        state = self._index.states[self._index.holders(page)[0].state]
        return Link(f"{state.number}. {state.heading}", urls.link(urls.RULES, page))

    def _chapters(self, here: urls.Page) -> list[ChapterList]:
        return [
            ChapterList(
                self._titled(here, chapter),
                tuple(
                    [
                        self._titled(here, state)
                        for state in self._current.below[self._index.states[chapter].address]
                    ]
                ),
            )
            for chapter in self._current.outline.chapters
        ]

    def _titled(self, here: urls.Page, state: int) -> Link:
        row = self._index.states[state]
        return Link(f"{row.number}. {row.heading}", urls.link(here, page_of(row)))

    def _all(self) -> PageFile:
        """Return the page of all rules in force, with an anchor for every number that ever was."""
        index, states = self._index, self._index.states
        former: dict[int, list[str]] = {}
        gone: list[tuple[str, Link]] = []
        held = [state for state in index.whole.held(self._current.place) if states[state].number]
        seen = {_bare(states[state].number) for state in held}
        for page in index.pages:
            number = page.split("/")[1]
            anchor = _bare(number)
            if page.startswith(urls.GLOSSARY) or anchor in seen:
                continue
            seen.add(anchor)
            holders = index.holders(page)
            heir = holders and index.subject_of(holders[0]).destination(index.current).heir
            if heir and states[heir].number:
                former.setdefault(heir, []).append(anchor)
            else:
                gone.append((anchor, Link(number, urls.link(urls.ALL, page))))
        parts: list[str] = []
        known: set[str] = set()
        for state in held:
            row = states[state]
            anchor = _bare(row.number)
            own = f' id="{anchor}"' if anchor not in known else ""
            known.add(anchor)
            marks = "".join([f'<a id="{mark}"></a>' for mark in former.get(state, ())])
            words = [set_text(row.heading, ())] if row.heading else []
            words += set_body(row, ())
            if row.kind in {"chapter", "section"}:
                level, there = 2 if row.kind == "chapter" else 3, urls.link(urls.ALL, page_of(row))
                number = f'<a class="n" href="{there}">{row.number}</a>'
                parts.append(f"<h{level}{own}>{marks}{number} {' '.join(words)}</h{level}>\n")
            else:
                first = "" if not words or words[0].startswith("<p") else words.pop(0)
                parts.append(f"<p{own}>{marks}<b>{row.number}</b> {first}</p>{''.join(words)}\n")
        return render("all", urls.ALL, current=index.current, text=Html("".join(parts)), gone=gone)

    def _glossary(self) -> PageFile:
        here = urls.GLOSSARY
        entries = self._current.outline.entries
        own = {page_of(self._index.states[state]) for state in entries}
        # Links from an entry to every entry that it names would make it hard to read.
        text = "".join(
            self._current.setting(state, here, (), set(own), is_own=False).whole()
            for state in entries
        )
        former = [
            Link(
                self._index.states[self._index.holders(page)[0].state].heading,
                urls.link(here, page),
            )
            for page in self._index.pages
            if page.startswith("glossary/") and page not in {*own, *self._index.coming}
        ]
        return render(
            "glossary",
            here,
            current=self._index.current,
            count=len(entries),
            letters=self._letters(entries),
            text=Html(text),
            former=former,
        )

    def _letters(self, entries: Sequence[int]) -> list[Link]:
        """Return the initials of headwords, each linked to its first headword."""
        slugs = [slug_of(self._index.states[state].heading) for state in entries]
        first_slugs: dict[str, str] = {}
        for slug in slugs:
            if slug[0].isalpha():
                first_slugs.setdefault(slug[0].upper(), slug)
        return [Link(letter, f"#{slug}") for letter, slug in sorted(first_slugs.items())]


def _bare(number: str) -> str:
    """Return the anchor of a number on the page of all rules.

    >>> _bare("704.5k")
    'R7045k'
    """
    return f"R{number.replace('.', '')}"
