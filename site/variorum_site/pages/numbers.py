"""The page of a number or headword: its provision today, earlier ones, and their histories."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta

from variorum.answers.number_histories import End, NumberHolder
from variorum.permalinks import anchor_of
from variorum.rows import State, name_of, wording_of
from variorum.text import shortened
from variorum_site import urls
from variorum_site.page_index import GLOSSARY, PageIndex, called, page_of, titled
from variorum_site.pages.current_provisions import CurrentProvisions, blame_markup
from variorum_site.pages.histories import Histories, is_reworded
from variorum_site.pages.link import Link
from variorum_site.pages.markup import Html, Span, set_provision, spans_of
from variorum_site.pages.number_views import Block, EarlierView, FormerView, NumberView, PartView
from variorum_site.pages.time_bar import in_force
from variorum_site.pages.time_bar import name_of as name_of_edition
from variorum_site.pages.witnesses import Attested, attested
from variorum_site.render import PageFile, render

# At most this many citing provisions are quoted; the others are listed by number.
_QUOTED = 25
_LONGEST_QUOTATION = 240
_SNIPPET, _LONG_SNIPPET = 90, 480
_TITLE, _SUMMARY = 56, 150
# "This is called the “world rule.”"
_CALLED = re.compile('\\b(?:is|are) called (?:the |an? )?[“"](?P<name>[^”"]{3,40}?)[.,;]?[”"]')


class Numbers:
    """Makes the pages of numbers and headwords."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index
        self.current = CurrentProvisions(index)
        self._days = [edition.effective for edition in index.editions[: index.current.place + 1]]
        self._histories = Histories(index, self._days)

    def page_file(self, page: urls.Page) -> PageFile:
        """Return a page."""
        holders = self._index.holders(page)
        if not holders:
            return self._coming(page)
        ours = [holder for holder in holders if self._index.home_of(holder.end) == page]
        today = [holder for holder in ours if holder.runs[-1][1] == self.current.place]
        bearers = [holder for holder in today if holder.end.state == holder.state]
        is_entry = page.startswith("glossary/")
        blocks = [self._today_block(page, holder, place) for place, holder in enumerate(bearers)]
        gone = [
            self._gone_block(page, holder, place + len(blocks))
            for place, holder in enumerate(holder for holder in ours if holder not in bearers)
        ]
        first = self._index.states[(bearers or holders)[0].state]
        around = self.current.neighbours(bearers[0].state) if bearers else (None, None)
        view = NumberView(
            number=first.heading if is_entry else page.split("/")[1],
            is_entry=is_entry,
            title="" if is_entry else (blocks[0].title if blocks else ""),
            summary=self._summary(holders[0].state, is_today=bool(bearers)),
            crumbs=tuple(self._crumbs(page, bearers)),
            before=self._neighbour(page, around[0]),
            after=self._neighbour(page, around[1]),
            blocks=tuple(blocks),
            gone=tuple(gone),
            former=tuple([self._former(page, holder) for holder in holders if holder not in ours]),
            earlier=tuple(self._earlier(page, holders, bearers)),
            last=self._histories.label(page, holders[0].state, holders[0].runs[-1][1]),
        )
        return render("number", page, page=view)

    def _coming(self, page: urls.Page) -> PageFile:
        """Return the page of a number that only an edition not yet in force has."""
        edition, state = self._index.coming[page]
        link = urls.link(page, *self._index.dated(state, edition))
        row, entry = self._index.states[state], self._index.editions[edition]
        name = Link(f"{name_of_edition(entry)} ({entry.label})", link)
        return render(
            "coming", page, name=called(row), edition=name, when=in_force(self._index, edition)
        )

    # Today ---------------------------------------------------------------------------------------

    def _today_block(self, here: urls.Page, holder: NumberHolder, place: int) -> Block:
        current, state, key = self.current, holder.state, f"-{place + 1}" if place else ""
        row = self._index.states[state]
        below = [] if row.kind == "chapter" else list(current.tree(state))
        seen: set[str] = set()
        shown = {state, *below}
        own = current.setting(state, here, shown, seen, is_own=True)
        parts = [own.whole()]
        parts += [
            current.setting(child, here, shown, seen, is_own=False).whole() for child in below
        ]
        citing = current.citing(state)
        life = self._index.life(holder.end)
        attested_views = self._attested(here, holder.end)
        runs = current.words_since(state) if row.body else []
        # A new edition that does not change the provision must not change this page.
        first = self._histories.label(here, state, life.readings[-1].first)
        added: Counter[str] = Counter()
        for text, label in runs:
            added[label] += len(text.split())
        editions = sorted(added.items())
        order = [since for since, _ in editions]
        return Block(
            edition=self._index.current,
            is_today=True,
            key=key,
            name=called(row),
            title=self._title(state),
            text=Html("".join(parts)),
            has_words=bool(row.body),
            dated=first.href,
            citation=_citation(row, first.text),
            headed=tuple(self._headed(below)),
            parts=tuple(self._parts(here, below)) if row.kind == "rule" else (),
            sections=tuple(self._sections(here, state)) if row.kind == "chapter" else (),
            citing=tuple(
                [
                    (self._name(here, citing_state), shortened(sentence, _LONGEST_QUOTATION))
                    for citing_state, sentence in citing[:_QUOTED]
                ]
            ),
            citing_more=tuple(
                [self._name(here, citing_state) for citing_state, _ in citing[_QUOTED:]]
            ),
            since=self._histories.since(here, life),
            blame=blame_markup(runs, order) if len(order) > 1 else Html(""),
            editions=tuple(editions),
            meant=row.meant,
            history=self._histories.view(here, life, attested_views),
            attested=attested_views,
        )

    def _attested(self, here: urls.Page, end: End) -> Attested:
        attestations = self._index.subject(end.state, end.first).attestations()
        return attested(self._index, here, attestations)

    def _headed(self, below: Sequence[int]) -> Iterator[Link]:
        for row in (self._index.states[state] for state in below):
            if row.heading and row.kind == "rule":
                yield Link(f"{row.number} {row.heading}", f"#{anchor_of(row.address)}")

    def _parts(self, here: urls.Page, below: Sequence[int]) -> Iterator[PartView]:
        for state in below:
            row = self._index.states[state]
            holders = self._index.holders(page_of(row))
            end = next(bearer.end for bearer in holders if bearer.end.state == state)
            readings = self._index.life(end).readings
            labels = [
                self._index.labels[reading.first] for reading in readings if is_reworded(reading)
            ]
            yield PartView(
                name=self._name(here, state),
                since=self._index.labels[readings[0].first],
                reworded=tuple(
                    [Link(label, urls.link(here, urls.changes(label))) for label in labels]
                ),
            )

    def _sections(self, here: urls.Page, chapter: int) -> Iterator[Link]:
        for state in self.current.below.get(self._index.states[chapter].address, ()):
            row = self._index.states[state]
            yield Link(f"{row.number}. {row.heading}", urls.link(here, page_of(row)))

    def _title(self, state: int) -> str:
        """Return the heading of a provision, else the name it defines, else its first words."""
        row = self._index.states[state]
        if row.heading:
            return row.heading
        words = wording_of(row)
        named = _CALLED.search(words)
        return named["name"] if named else shortened(words, _TITLE)

    def _summary(self, state: int, *, is_today: bool) -> str:
        """Return the description of a page for search engines and link previews."""
        row = self._index.states[state]
        words = shortened(row.heading or wording_of(row), _SUMMARY)
        name = called(row)
        return f"{name} today: {words}" if is_today else f"Formerly {name}: {words}"

    def _crumbs(self, here: urls.Page, bearers: Sequence[NumberHolder]) -> Iterator[Link]:
        if here.startswith("glossary/"):
            yield Link("Glossary", urls.link(here, urls.GLOSSARY))
            return
        yield Link("Rules", urls.link(here, urls.RULES))
        for state in self.current.path(bearers[0].state) if bearers else ():
            row = self._index.states[state]
            yield Link(titled(row.number, row.heading), urls.link(here, page_of(row)))

    def _neighbour(self, here: urls.Page, state: int | None) -> Link | None:
        return None if state is None else self._name(here, state)

    def _name(self, here: urls.Page, state: int) -> Link:
        row = self._index.states[state]
        words = row.heading if row.kind == GLOSSARY else row.number
        return Link(words, urls.link(here, page_of(row)))

    # Of the past ---------------------------------------------------------------------------------

    def _gone_block(self, here: urls.Page, holder: NumberHolder, place: int) -> Block:
        """Return the block of a provision that no longer has the number of the page."""
        life = self._index.life(holder.end)
        attested_views = self._attested(here, holder.end)
        edition = life.readings[-1].last
        state = holder.end.state
        row = self._index.states[state]
        entry = self._index.editions[edition]
        spans = [
            (part, Span(start, stop, urls.link(here, *self._index.dated(target, edition))))
            for part, start, stop, target in self._index.citations(state, edition)
        ]
        anchor = f"_gone-{place + 1}"
        text = set_provision(row, anchor, "", spans_of(spans, "text"), spans_of(spans, "heading"))
        return Block(
            edition=entry,
            is_today=False,
            key=f"-{place + 1}",
            name=called(row),
            title=row.heading,
            text=text.whole(),
            has_words=bool(row.body),
            dated=urls.link(here, *self._index.dated(state, edition)),
            citation=_citation(row, entry.label),
            headed=(),
            parts=(),
            sections=(),
            citing=(),
            citing_more=(),
            since=self._histories.since(here, life),
            blame=Html(""),
            editions=(),
            meant=row.meant,
            history=self._histories.view(here, life, attested_views),
            attested=attested_views,
        )

    def _former(self, here: urls.Page, holder: NumberHolder) -> FormerView:
        row, last = self._index.states[holder.state], self._index.states[holder.end.state]
        words = row.heading or wording_of(row)
        end = self._index.life(holder.end).readings[-1].last
        return FormerView(
            name=called(row),
            title=shortened(words, _SNIPPET),
            runs=tuple(
                [
                    (
                        self._histories.label(here, holder.state, first),
                        self._histories.until(here, holder.state, stop),
                    )
                    for first, stop in holder.runs
                ]
            ),
            now=Link(name_of(last), urls.link(here, page_of(last))),
            is_alive=end == self.current.place,
            today=shortened(wording_of(last), _LONG_SNIPPET),
        )

    def _earlier(
        self, here: urls.Page, holders: Sequence[NumberHolder], bearers: Sequence[NumberHolder]
    ) -> Iterator[EarlierView]:
        """Yield summaries of the earlier holders of a current rule's number, the latest first."""
        lives = {holder.end for holder in bearers}
        others = [holder for holder in holders if holder.end not in lives] if bearers else []
        for holder in others:
            row, last = self._index.states[holder.state], holder.runs[-1][1]
            if last == self.current.place:
                continue
            heir = self._index.subject_of(holder).destination(self._index.current).heir
            stands = self._index.life(holder.end).readings[-1].last == self.current.place
            yield EarlierView(
                until=(self._days[last + 1] - timedelta(days=1)).isoformat(),
                name=called(row),
                title=shortened(row.heading or wording_of(row), _SNIPPET),
                below=self._rules_below(row, last),
                now=None if heir is None else self._name(here, heir),
                is_alive=stands,
            )

    def _rules_below(self, row: State, edition: int) -> str:
        """Return the first and last rule of a section in an edition; "" for other provisions."""
        if row.kind != "section":
            return ""
        held = [self._index.states[held_state] for held_state in self._index.whole.held(edition)]
        rules = [
            row_below.number
            for row_below in held
            if row_below.kind == "rule" and row_below.parent == row.address
        ]
        return f"{rules[0]} to {rules[-1]}" if len(rules) > 1 else "".join(rules)


def _citation(row: State, label: str) -> str:
    """Return how to cite a provision."""
    name = f"glossary, “{row.heading}”" if row.kind == GLOSSARY else row.number
    return f"CR {name} ({label})"
