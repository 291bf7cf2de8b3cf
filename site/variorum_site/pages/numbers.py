"""The pages of numbers and headwords: the rule first, then its story and what had the number before."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from variorum.answers.number_histories import End, Life, NumberHolder
from variorum.permalinks import anchor_of
from variorum.rows import State, name_of, wording_of
from variorum.text import shortened
from variorum_site import urls
from variorum_site.page_index import GLOSSARY, PageIndex, called, in_force, page_of, titled
from variorum_site.page_index import name_of as name_of_edition
from variorum_site.pages.current_provisions import CurrentProvisions, blame_markup
from variorum_site.pages.markup import Html, Link, Span, set_provision, spans_of, unmarked
from variorum_site.pages.story import Stories, Story, Wording, name_in_words
from variorum_site.pages.witnesses import Attested, attested
from variorum_site.render import PageFile, in_words, render

# At most this many citing provisions are quoted; the others are listed by number.
_QUOTED = 25
_LONGEST_QUOTATION = 240
_SUMMARY = 150
# "This is called the “world rule.”"
_CALLED = re.compile('\\b(?:is|are) called (?:the |an? )?[“"](?P<name>[^”"]{3,40}?)[.,;]?[”"]')


class Block(NamedTuple):
    """A provision on the page of a number that it has or had.

    Attributes:
        key: What the anchors within the block end with.
        anchor: The first edition with these words, as far as no other block has this anchor.
        name: Its address or headword.
        heading: What stands above it; "" at the top of the page.
        text: Its markup.
        facts: What to know about it, in a line.
        citation: How to cite it.
        dated: Its permanent address.
        headed: The rules with a heading below it.
        sections: The sections of a chapter.
        citing: The first provisions that cite it, each with the citing sentence.
        citing_more: The others.
        blame: Its words, each run with the rank of the edition that added it.
        editions: These editions, each with the number of its words.
        meant: The number that its place implies; "" if this is printed.
        story: Its story; None if another page tells it.
        earlier: Its earlier words under this number: their anchors, their days, and a link to them.
        attested: What other documents say about it.
    """

    key: str
    anchor: str
    name: str
    heading: str
    text: Html
    facts: list[Link]
    citation: str
    dated: str
    story: Story | None
    earlier: list[tuple[str, str, Link]]
    attested: Attested
    headed: Sequence[Link] = ()
    sections: Sequence[Link] = ()
    citing: Sequence[tuple[Link, str]] = ()
    citing_more: Sequence[Link] = ()
    blame: Html = Html("")
    editions: Sequence[tuple[str, int]] = ()
    meant: str = ""


class Numbers:
    """Makes the pages of numbers and headwords."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index
        self.current = CurrentProvisions(index)
        self._stories = Stories(index)

    def page_files(self, page: urls.Page) -> Iterator[PageFile]:
        """Yield the page of a number or headword, and those of its wordings."""
        holders = self._index.holders(page)
        if not holders:
            yield self._coming(page)
            return
        bearers = [holder for holder in holders if self._is_today(holder)]
        others = [holder for holder in holders if holder not in bearers]
        # A provision that had the number more than once, or lends its past to a copy, has one block.
        anchors: set[str] = set()
        blocks = [self._block(page, holder, place, anchors) for place, holder in enumerate(bearers)]
        gone = [
            self._former(page, holder, place, anchors, is_first=not bearers and not place)
            for place, holder in enumerate(others, len(bearers))
        ]
        first = bearers[0] if bearers else holders[0]
        is_entry = page.startswith(urls.GLOSSARY)
        row = self._index.states[first.state]
        yield render(
            "number",
            page,
            number=unmarked(row.heading) if is_entry else row.number,
            is_entry=is_entry,
            heading=unmarked(row.heading) if bearers and not is_entry else "",
            title=self._title(first.state, is_today=bool(bearers)),
            summary=self._summary(first.state, is_today=bool(bearers)),
            crumbs=list(self._crumbs(page, first.state, is_today=bool(bearers))),
            beside=self._beside(page, bearers[0].state) if bearers else None,
            around=self._around(page, bearers[0].state) if bearers else (None, None),
            before=self._before(page, bearers[0]) if bearers else None,
            blocks=blocks,
            gone=gone,
            current=self._index.current,
            data=urls.data_of(page),
            anchors=[label for label in self._stories.wordings(page) if label not in anchors],
        )
        for label, wordings in self._stories.wordings(page).items():
            if label in self._stories.paged(page):
                yield self._wording(page, label, wordings)

    def _is_today(self, holder: NumberHolder) -> bool:
        return holder.runs[-1][1] == self.current.place and holder.end.state == holder.state

    def _coming(self, page: urls.Page) -> PageFile:
        """Return the page of a number that only an edition not yet in force has."""
        edition, state = self._index.coming[page]
        link = urls.link(page, *self._index.dated(state, edition))
        row, entry = self._index.states[state], self._index.editions[edition]
        name = Link(f"{name_of_edition(entry)}", link)
        when = in_force(self._index, edition)
        return render("coming", page, name=called(row), edition=name, when=when)

    # Today ---------------------------------------------------------------------------------------

    def _block(self, here: urls.Page, holder: NumberHolder, place: int, anchors: set[str]) -> Block:
        current, state = self.current, holder.state
        row = self._index.states[state]
        below = [] if row.kind == "chapter" else list(current.tree(state))
        terms: set[str] = set()
        shown = {state, *below}
        parts = [
            current.setting(each, here, shown, terms, is_own=each == state).whole()
            for each in (state, *below)
        ]
        citing = current.citing(state)
        life = self._index.life(holder.end)
        seen = self._attested(here, holder.end)
        runs = current.words_since(state) if row.body else []
        added: Counter[str] = Counter()
        for text, label in runs:
            added[label] += len(text.split())
        editions = sorted(added.items())
        order = [since for since, _ in editions]
        last = self._stories.wordings_of(here, holder)[-1]
        anchor = self._new_anchor(last, anchors)
        earlier = self._earlier(here, holder, anchors)
        story = self._stories.story(here, holder.end, seen, anchors, is_current=True)
        label = self._index.current.label
        return Block(
            key=f"-{place + 1}" if place else "",
            anchor=anchor,
            name=called(row),
            heading=f"Also {called(row)} today" if place else "",
            text=Html("".join(parts)),
            facts=list(self._facts(here, life, row, len(citing), f"-{place + 1}" if place else "")),
            citation=_citation(row, label),
            dated=urls.link(here, *self._index.dated(state, current.place)),
            story=story,
            earlier=earlier,
            attested=seen,
            headed=[
                Link(f"{each.number} {each.heading}", f"#{anchor_of(each.address)}")
                for each in (self._index.states[one] for one in below)
                if each.heading and each.kind == "rule"
            ],
            sections=[self._titled(here, each) for each in current.below.get(row.address, ())]
            if row.kind == "chapter"
            else (),
            citing=[
                (self._name(here, each), unmarked(shortened(sentence, _LONGEST_QUOTATION)))
                for each, sentence in citing[:_QUOTED]
            ],
            citing_more=[self._name(here, each) for each, _ in citing[_QUOTED:]],
            blame=blame_markup(runs, order) if len(order) > 1 else Html(""),
            editions=editions,
            meant=row.meant,
        )

    def _facts(
        self, here: urls.Page, life: Life, row: State, citing: int, key: str
    ) -> Iterator[Link]:
        """Yield what to know about a provision of today: since when, its last name, how often cited."""
        if row.body:
            since = self._stories.since(life)
            yield Link(f"since {in_words(self._index.labels[since.first])}", f"#_life{key}")
        names = [reading for reading in life.readings if called(reading.state) != called(row)]
        if names:
            last = names[-1]
            until = self._index.editions[last.last + 1].effective.year
            there = urls.link(here, page_of(last.state))
            yield Link(f"{name_in_words(name_of(last.state))} until {until}", there)
        if citing:
            yield Link(f"cited by {citing}", f"#_cited{key}")

    def _attested(self, here: urls.Page, end: End) -> Attested:
        attestations = self._index.subject(end.state, end.first).attestations()
        return attested(self._index, here, attestations)

    def _before(self, here: urls.Page, holder: NumberHolder) -> Link | None:
        """Return a link to a provision of today as the edition before prints it."""
        place = self.current.place - 1
        for reading in self._index.life(holder.end).readings:
            for stretch in reading.stretches:
                if stretch.first <= place <= stretch.last:
                    name = name_of_edition(self._index.editions[place])
                    return Link(name, urls.link(here, *self._index.dated(stretch.state, place)))
        return None

    def _title(self, state: int, *, is_today: bool) -> str:
        """Return the title of a page: number and heading, name, or the heading of its section."""
        row = self._index.states[state]
        if row.kind == GLOSSARY:
            return unmarked(row.heading)
        if not is_today:
            return f"{row.number}, a former number"
        title = unmarked(row.heading)
        if not title:
            named = _CALLED.search(wording_of(row))
            above = [self._index.states[each].heading for each in self.current.path(state)]
            title = named["name"] if named else unmarked(next(filter(None, reversed(above)), ""))
        return f"{row.number} · {title}" if title else row.number

    def _summary(self, state: int, *, is_today: bool) -> str:
        """Return the description of a page for search engines and link previews."""
        row = self._index.states[state]
        words = unmarked(shortened(wording_of(row), _SUMMARY))
        return f"{called(row)} today: {words}" if is_today else f"Formerly {called(row)}: {words}"

    def _crumbs(self, here: urls.Page, state: int, *, is_today: bool) -> Iterator[Link]:
        if here.startswith(urls.GLOSSARY):
            yield Link("Glossary", urls.link(here, urls.GLOSSARY))
            return
        yield Link("Rules", urls.link(here, urls.RULES))
        for above in self.current.path(state) if is_today else ():
            yield self._titled(here, above)

    def _around(self, here: urls.Page, state: int) -> tuple[Link | None, Link | None]:
        """Return the neighbours of a provision of today."""
        before, after = self.current.neighbours(state)
        return (
            None if before is None else self._name(here, before),
            None if after is None else self._name(here, after),
        )

    def _beside(self, here: urls.Page, state: int) -> tuple[str, list[tuple[Link, bool]]] | None:
        """Return the title and the rules of the list in which a rule stands."""
        row = self._index.states[state]
        if row.kind not in {"rule", "subrule"}:
            return None
        above = self._index.states[self.current.by_address[row.parent]]
        links = [
            (self._titled(here, each, " "), each == state)
            for each in self.current.below[row.parent]
        ]
        return titled(above.number, unmarked(above.heading)), links

    def _titled(self, here: urls.Page, state: int, between: str = ". ") -> Link:
        row = self._index.states[state]
        words = f"{row.number}{between}{row.heading}" if row.heading else row.number
        return Link(words, urls.link(here, page_of(row)))

    def _name(self, here: urls.Page, state: int) -> Link:
        row = self._index.states[state]
        words = row.heading if row.kind == GLOSSARY else row.number
        return Link(words, urls.link(here, page_of(row)))

    # Of the past ---------------------------------------------------------------------------------

    def _new_anchor(self, wording: Wording, anchors: set[str]) -> str:
        label = self._index.labels[wording.first]
        if label in anchors:
            return ""
        anchors.add(label)
        return label

    def _earlier(
        self, here: urls.Page, holder: NumberHolder, anchors: set[str]
    ) -> list[tuple[str, str, Link]]:
        """Return the earlier words of a former holder under the number of the page, latest first."""
        earlier: list[tuple[str, str, Link]] = []
        if self._index.home_of(holder.end) == here:
            return earlier  # its story tells them
        for wording in reversed(self._stories.wordings_of(here, holder)[:-1]):
            label = self._index.labels[wording.first]
            anchor = self._new_anchor(wording, anchors)
            period = self._stories.period(wording.first, wording.last)
            there = self._stories.place_of(wording.number, wording.first)
            if label in self._stories.paged(here):
                there = urls.wording(here, label), ""
            earlier.append((anchor, period, Link(period, urls.link(here, *there))))
        return earlier

    def _former(
        self,
        here: urls.Page,
        holder: NumberHolder,
        place: int,
        anchors: set[str],
        *,
        is_first: bool,
    ) -> Block:
        """Return the block of a provision that no longer has the number of the page."""
        last, edition = self._stories.wordings_of(here, holder)[-1], holder.runs[-1][1]
        state, row = last.number, last.state
        anchor = self._new_anchor(last, anchors)
        earlier = self._earlier(here, holder, anchors)
        story, seen = None, self._attested(here, holder.end)
        if self._index.home_of(holder.end) == here:
            story = self._stories.story(here, holder.end, seen, anchors, is_current=True)
        periods = [self._stories.period(*run) for run in holder.runs]
        words = self._stories.period(last.first, last.last)
        return Block(
            key=f"-{place + 1}",
            anchor=anchor,
            name=called(row),
            heading="" if is_first else f"In force {', '.join(periods)}",
            text=self._dated_text(
                here, state, edition, f"_gone-{place + 1}", is_titled=is_first and bool(row.body)
            ),
            facts=[
                *([] if not is_first and [words] == periods else [Link(f"in force {words}", "")]),
                *self._now(here, holder, row, edition),
            ],
            citation=_citation(row, self._index.labels[edition]),
            dated=urls.link(here, *self._index.dated(state, edition)),
            story=story,
            earlier=earlier,
            attested=seen if story else attested(self._index, here, ()),
            meant=row.meant,
        )

    def _now(
        self, here: urls.Page, holder: NumberHolder, row: State, edition: int
    ) -> Iterator[Link]:
        """Yield where a former holder of a number went."""
        if row.kind == "section":
            rules = [
                below.number
                for below in map(self._index.states.__getitem__, self._index.whole.held(edition))
                if below.kind == "rule" and below.parent == row.address
            ]
            if rules:
                yield Link(
                    f"with {rules[0]} to {rules[-1]}" if len(rules) > 1 else f"with {rules[0]}", ""
                )
        life, last = self._index.life(holder.end), self._index.states[holder.end.state]
        name = name_in_words(name_of(last))
        there = page_of(last)
        if life.readings[-1].last == self.current.place:
            yield Link(f"now {name}", urls.link(here, there))
            return
        if there != here:
            yield Link(f"last called {name}", urls.link(here, there))
        heir = self._index.subject_of(holder).destination(self._index.current).heir
        if heir is not None:
            yield Link(
                f"its words went to {name_in_words(name_of(self._index.states[heir]))}",
                urls.link(here, page_of(self._index.states[heir])),
            )
        elif life.gone is not None:
            yield Link(f"removed on {in_words(self._index.labels[life.gone])}", "")

    def _dated_text(
        self, here: urls.Page, state: int, edition: int, anchor: str, *, is_titled: bool = False
    ) -> Html:
        """Return the markup of a provision, with links into its edition; a title has its headword."""
        row = self._index.states[state]
        spans = [
            (part, Span(start, stop, urls.link(here, *self._index.dated(target, edition))))
            for part, start, stop, target in self._index.citations(state, edition)
        ]
        heading = None if is_titled and row.kind == GLOSSARY else spans_of(spans, "heading")
        return set_provision(row, anchor, "", spans_of(spans, "text"), heading).whole()

    def _wording(self, page: urls.Page, label: str, wordings: Sequence[Wording]) -> PageFile:
        """Return the page of the words that a number had from an edition on."""
        here = urls.wording(page, label)
        first = wordings[0]
        texts = []
        for place, wording in enumerate(wordings):  # more than one if the number is printed twice
            anchor = anchor_of(wording.state.address) + f"-{place}" * bool(place)
            texts.append(self._dated_text(here, wording.number, wording.last, anchor))
        facts = [Link(f"in force {self._stories.period(first.first, first.last)}", "")]
        if first.last < self.current.place:
            facts += self._now(here, first.holder, first.state, first.last)
        known = sorted(self._stories.wordings(page), key=self._index.labels.index)
        at = known.index(label)
        words = unmarked(shortened(wording_of(first.state), _SUMMARY))
        return render(
            "wording",
            here,
            number=first.state.number,
            heading=unmarked(first.state.heading),
            label=label,
            summary=f"{first.state.number} as of {in_words(label)}: {words}",
            text=Html("".join(texts)),
            facts=facts,
            citation=_citation(first.state, label),
            home=urls.link(here, page),
            dated=Link(
                f"{name_of_edition(self._index.editions[first.first])}",
                urls.link(here, *self._stories.place_of(first.number, first.first)),
            ),
            around=[
                self._neighbour(here, page, known[each]) if 0 <= each < len(known) else None
                for each in (at - 1, at + 1)
            ],
        )

    def _neighbour(self, here: urls.Page, page: urls.Page, label: str) -> Link:
        if label in self._stories.paged(page):
            return Link(in_words(label), urls.link(here, urls.wording(page, label)))
        return Link(in_words(label), urls.link(here, page, label))


def _citation(row: State, label: str) -> str:
    """Return how to cite a provision."""
    name = f"glossary, “{row.heading}”" if row.kind == GLOSSARY else row.number
    return f"CR {name} ({label})"
