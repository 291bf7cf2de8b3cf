"""The pages of numbers and headwords: the rule first, then its story and what had the number before."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from variorum.answers.number_histories import Life, NumberHolder
from variorum.permalinks import anchor_of
from variorum.rows import State, name_of, wording_of
from variorum.text import shortened
from variorum_site import names, urls
from variorum_site.page_index import LinksOf, PageIndex
from variorum_site.pages.current_provisions import CurrentProvisions
from variorum_site.pages.markup import Html, Link, Span, set_provision, unmarked
from variorum_site.pages.story import Stories, Wording
from variorum_site.pages.witnesses import attested
from variorum_site.render import PageFile, in_words, render

# At most this many citing provisions are quoted; the others are listed by number.
_QUOTED = 25
_LONGEST_QUOTATION = 240
_SUMMARY = 150
# “This is called the “world rule.””
_CALLED = re.compile('\\b(?:is|are) called (?:the |an? )?[“"](?P<name>[^”"]{3,40}?)[.,;]?[”"]')
# What a block shows of a provision in force alone.
_ONLY_TODAY: Mapping[str, Sequence[object]] = dict.fromkeys(
    ("headed", "sections", "citing", "citing_more", "blame", "editions"), ()
)


class Numbers:
    """Makes the pages of numbers and headwords."""

    def __init__(self, index: PageIndex) -> None:
        self._index = index
        self._current = CurrentProvisions(index)
        self._stories = Stories(index)

    def page_files(self, page: urls.Page) -> Iterator[PageFile]:
        """Yield the page of a number or headword, and those of its wordings."""
        links = LinksOf(self._index, page)
        if not self._index.holders(page):
            yield self._coming(links)
            return
        yield self._page(links)
        known = self._stories.wordings(page)
        for label in known:
            if label in self._stories.paged(page):
                yield self._wording(page, label, known)

    def _coming(self, links: LinksOf) -> PageFile:
        """Return the page of a number that only an edition not yet in force has."""
        edition, state = self._index.coming[links.here]
        name = names.of_edition(self._index.editions[edition])
        return render(
            "coming",
            links.here,
            name=names.called(self._index.states[state]),
            edition=Link(name, links.dated(state, edition)),
            when=names.in_force(self._index.editions, self._index.current.place, edition),
        )

    def _page(self, links: LinksOf) -> PageFile:
        page, today = links.here, self._current.place
        holders = self._index.holders(page)
        bearers = [
            each for each in holders if each.runs[-1][1] == today and each.end.state == each.state
        ]
        # A provision that had the number more than once, or lends its past to a copy, has one block.
        others = [holder for holder in holders if holder not in bearers]
        anchors: set[str] = set()
        blocks = [
            self._block(links, holder, place, anchors, is_today=place < len(bearers))
            for place, holder in enumerate((*bearers, *others))
        ]
        row = self._index.states[(bearers or holders)[0].state]
        before, after = self._current.neighbours(row.id) if bearers else (None, None)
        is_entry = row.kind == names.GLOSSARY
        words = unmarked(shortened(wording_of(row), _SUMMARY))
        return render(
            "number",
            page,
            number=unmarked(row.heading) if is_entry else row.number,
            is_entry=is_entry,
            heading=unmarked(row.heading) if bearers and not is_entry else "",
            title=self._title(row, is_today=bool(bearers)),
            summary=f"{names.called(row)} today: {words}"
            if bearers
            else f"Formerly {names.called(row)}: {words}",
            crumbs=self._crumbs(links, row, is_today=bool(bearers)),
            beside=self._beside(links, row) if bearers else None,
            around=[it and links.name(self._index.states[it]) for it in (before, after)],
            before=self._before(links, bearers[0]) if bearers else None,
            blocks=blocks[: len(bearers)],
            gone=blocks[len(bearers) :],
            current=self._index.current,
            data=urls.data_of(page),
            anchors=[label for label in self._stories.wordings(page) if label not in anchors],
        )

    def _block(
        self, links: LinksOf, holder: NumberHolder, place: int, anchors: set[str], *, is_today: bool
    ) -> dict[str, object]:
        """Return a provision on the page of a number that it has or had, as the template shows it.

        Anchors within the block end with its key. Its own is the first edition with its words, as
        far as no other block has this anchor. Another page may tell its story.
        """
        last, edition = self._stories.wordings_of(links.here, holder)[-1], holder.runs[-1][1]
        row, life = last.state, self._index.life(holder.end)
        key = "" if is_today and not place else f"-{place + 1}"
        seen = self._index.subject(*holder.end).attestations()
        periods = [self._stories.period(*run) for run in holder.runs]
        heading = (
            f"Also {names.called(row)} today" if is_today else f"In force {', '.join(periods)}"
        )
        is_home = self._index.home_of(holder.end) == links.here
        anchor = self._new_anchor(last, anchors)
        earlier = [] if is_home else self._earlier(links, holder, anchors)
        views = attested(self._index, links.here, seen if is_home else ())
        block: dict[str, object] = dict(
            _ONLY_TODAY,
            key=key,
            anchor=anchor,
            name=names.called(row),
            heading=heading if place else "",
            citation=_citation(row, self._index.labels[edition]),
            dated=links.dated(row.id, edition),
            earlier=earlier,
            story=self._stories.story(links, holder.end, views, anchors) if is_home else None,
            attested=views,
            meant=row.meant,
        )
        if is_today:
            return block | self._of_today(links, row, life, key)
        words = self._stories.period(last.first, last.last)
        is_title = not place and bool(row.body)
        return block | {
            "text": self._dated_text(links, row, edition, f"_gone-{place + 1}", is_title=is_title),
            "facts": [
                *([Link(f"in force {words}", "")] if not place or [words] != periods else []),
                *self._now(links, holder, row, edition),
            ],
        }

    # Today ---------------------------------------------------------------------------------------

    def _of_today(self, links: LinksOf, row: State, life: Life, key: str) -> dict[str, object]:
        below = [] if row.kind == "chapter" else list(self._current.tree(row.id))
        shown, terms = {row.id, *below}, set[str]()
        citing = self._current.citing(row.id)
        runs = self._current.words_since(row.id) if row.body else []
        added: Counter[str] = Counter()
        for text, label in runs:
            added[label] += len(text.split())
        order = sorted(added)
        rows = [self._index.states[state] for state in below]
        return {
            "text": Html(
                "".join(
                    self._current.markup(each, links, shown, terms, is_own=each == row.id)
                    for each in (row.id, *below)
                )
            ),
            "facts": list(self._facts(links, life, row, len(citing), key)),
            "headed": [
                Link(f"{each.number} {each.heading}", f"#{anchor_of(each.address)}")
                for each in rows
                if each.heading and each.kind == "rule"
            ],
            "sections": [links.titled(each) for each in self._current.rows_below(row.address)]
            if row.kind == "chapter"
            else (),
            "citing": [
                (links.name(each), unmarked(shortened(sentence, _LONGEST_QUOTATION)))
                for each, sentence in citing[:_QUOTED]
            ],
            "citing_more": links.names(each for each, _ in citing[_QUOTED:]),
            "blame": [(text.strip(), order.index(label) + 1) for text, label in runs]
            if len(order) > 1
            else (),
            "editions": sorted(added.items()),
        }

    def _facts(
        self, links: LinksOf, life: Life, row: State, citing: int, key: str
    ) -> Iterator[Link]:
        """Yield what to know about a provision of today: since when, its last name, how often cited."""
        if row.body:
            since = self._index.labels[self._stories.since(life)]
            yield Link(f"since {in_words(since)}", f"#_life{key}")
        earlier = [
            reading for reading in life.readings if names.called(reading.state) != names.called(row)
        ]
        if earlier:
            name = links.named(name_of(earlier[-1].state))
            until = self._index.editions[earlier[-1].last + 1].effective.year
            yield name._replace(text=f"{name.text} until {until}")
        if citing:
            yield Link(f"cited by {citing}", f"#_cited{key}")

    def _before(self, links: LinksOf, holder: NumberHolder) -> Link | None:
        """Return a link to a provision of today as the edition before prints it."""
        place = self._current.place - 1
        for reading in self._index.life(holder.end).readings:
            for stretch in reading.stretches:
                if stretch.first <= place <= stretch.last:
                    name = names.of_edition(self._index.editions[place])
                    return Link(name, links.dated(stretch.state, place))
        return None

    def _title(self, row: State, *, is_today: bool) -> str:
        """Return the title of a page: number and heading, name, or the heading of its section."""
        if row.kind == names.GLOSSARY:
            return unmarked(row.heading)
        if not is_today:
            return f"{row.number}, a former number"
        named = None if row.heading else _CALLED.search(wording_of(row))
        above = [each.heading for each in reversed(self._current.path(row.id))]
        heading = named["name"] if named else next(filter(None, [row.heading, *above]), "")
        return names.titled(row.number, unmarked(heading), " · ")

    def _crumbs(self, links: LinksOf, row: State, *, is_today: bool) -> list[Link]:
        if row.kind == names.GLOSSARY:
            return [Link("Glossary", links.to(urls.GLOSSARY))]
        above = self._current.path(row.id) if is_today else ()
        return [Link("Rules", links.to(urls.RULES)), *map(links.titled, above)]

    def _beside(self, links: LinksOf, row: State) -> tuple[str, list[tuple[Link, bool]]] | None:
        """Return the title and the rules of the list in which a rule stands."""
        if row.kind not in {"rule", "subrule"}:
            return None
        above = self._index.states[self._current.by_address[row.parent]]
        siblings = self._current.rows_below(row.parent)
        return names.titled(above.number, unmarked(above.heading)), [
            (links.titled(each, " "), each.id == row.id) for each in siblings
        ]

    # Of the past ---------------------------------------------------------------------------------

    def _new_anchor(self, wording: Wording, anchors: set[str]) -> str:
        """Return the anchor of a wording, its first edition; "" if the page has this already."""
        label = self._index.labels[wording.first]
        is_new = label not in anchors
        anchors.add(label)
        return label if is_new else ""

    def _earlier(
        self, links: LinksOf, holder: NumberHolder, anchors: set[str]
    ) -> list[tuple[str, Link]]:
        """Return the earlier words of a former holder of a number, each with its anchor, latest first."""
        earlier: list[tuple[str, Link]] = []
        for wording in reversed(self._stories.wordings_of(links.here, holder)[:-1]):
            label = self._index.labels[wording.first]
            there = self._stories.place_of(wording.state, wording.first)
            if label in self._stories.paged(links.here):
                there = urls.wording(links.here, label), ""
            period = self._stories.period(wording.first, wording.last)
            earlier.append((self._new_anchor(wording, anchors), Link(period, links.to(*there))))
        return earlier

    def _now(
        self, links: LinksOf, holder: NumberHolder, row: State, edition: int
    ) -> Iterator[Link]:
        """Yield where a former holder of a number went."""
        if row.kind == "section":
            held = self._index.held(edition)
            rules = [it.number for it in held if it.kind == "rule" and it.parent == row.address]
            if rules:
                yield Link(f"with {' to '.join(dict.fromkeys((rules[0], rules[-1])))}", "")
        life, last = self._index.life(holder.end), self._index.states[holder.end.state]
        name = links.named(name_of(last))
        if life.readings[-1].last == self._current.place:
            yield name._replace(text=f"now {name.text}")
            return
        if names.page_of(last) != links.here:
            yield name._replace(text=f"last called {name.text}")
        heir = self._index.heir_of(holder)
        if heir is not None:
            name = links.named(name_of(heir))
            yield name._replace(text=f"its words went to {name.text}")
        elif life.gone is not None:
            yield Link(f"removed on {in_words(self._index.labels[life.gone])}", "")

    def _dated_text(
        self, links: LinksOf, row: State, edition: int, anchor: str, *, is_title: bool = False
    ) -> Html:
        """Return a provision with links into its edition; the title of a page may have its headword."""
        text, found = self._index.citations(
            row.id, edition, lambda target: links.dated(target, edition)
        )
        heading: list[Span] | None = None if is_title and row.kind == names.GLOSSARY else found
        return Html("".join(set_provision(row, anchor, "", text, heading)))

    def _wording(
        self, page: urls.Page, label: str, known: Mapping[str, Sequence[Wording]]
    ) -> PageFile:
        """Return the page of the words that a number had from an edition on."""
        links, first = LinksOf(self._index, urls.wording(page, label)), known[label][0]
        row = first.state
        texts: list[str] = []
        for place, each in enumerate(known[label]):  # several if the number is printed twice
            anchor = anchor_of(each.state.address) + f"-{place}" * bool(place)
            texts.append(self._dated_text(links, each.state, each.last, anchor))
        facts = [Link(f"in force {self._stories.period(first.first, first.last)}", "")]
        if first.last < self._current.place:
            facts += self._now(links, first.holder, row, first.last)
        order = sorted(known, key=self._index.labels.index)
        at = order.index(label)
        around = (*order[:at][-1:], None)[0], (*order[at + 1 :], None)[0]
        edition = names.of_edition(self._index.editions[first.first])
        return render(
            "wording",
            links.here,
            number=row.number,
            heading=unmarked(row.heading),
            label=label,
            summary=f"{row.number} as of {in_words(label)}: "
            + unmarked(shortened(wording_of(row), _SUMMARY)),
            text=Html("".join(texts)),
            facts=facts,
            citation=_citation(row, label),
            home=links.to(page),
            dated=Link(edition, links.to(*self._stories.place_of(row, first.first))),
            around=[it and self._neighbour(links, page, it) for it in around],
        )

    def _neighbour(self, links: LinksOf, page: urls.Page, label: str) -> Link:
        is_paged = label in self._stories.paged(page)
        there = (urls.wording(page, label), "") if is_paged else (page, label)
        return Link(in_words(label), links.to(*there))


def _citation(row: State, label: str) -> str:
    """Return how to cite a provision."""
    name = f"glossary, “{row.heading}”" if row.kind == names.GLOSSARY else row.number
    return f"CR {name} ({label})"
