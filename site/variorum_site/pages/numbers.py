"""The pages of numbers and headwords: the rule first, then its story and what had the number before."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from variorum.answers.histories import Life, NumberHolder
from variorum.rows import State, name_of, wording_of
from variorum.text import anchor_of, doubted, shortened
from variorum_site import names, urls
from variorum_site.page_index import LinksOf
from variorum_site.pages.markup import Html, Link, set_provision, unmarked
from variorum_site.pages.story import Stories, Wording
from variorum_site.pages.witnesses import grouped
from variorum_site.render import PageFile, in_words, render

# At most this many citing provisions are quoted; the others are listed by number.
_QUOTED = 25
_LONGEST_QUOTATION = 240
_SUMMARY = 150
# “This is called the “world rule.””
_CALLED = re.compile('\\b(?:is|are) called (?:the |an? )?[“"](?P<name>[^”"]{3,40}?)[.,;]?[”"]')


def number_pages(stories: Stories, pages: Iterable[urls.Page]) -> Iterator[PageFile]:
    """Yield the pages of numbers and headwords, each before those of its wordings."""
    for page in pages:
        yield NumberPage(stories, page).page_file()
        for label in stories.wordings(page):
            if label in stories.paged(page):
                yield NumberPage(stories, urls.wording(page, label)).wording(page, label)


class NumberPage(LinksOf):
    """A page of a number or headword, or of words that a number had."""

    def __init__(self, stories: Stories, here: urls.Page) -> None:
        super().__init__(stories.index, here)
        self._stories, self._current = stories, stories.index.today
        self._today = stories.index.current.place
        self._anchors: set[str] = set()

    def page_file(self) -> PageFile:
        """Return the page of a number or headword."""
        index, page = self.index, self.here
        holders = index.holders.get(page)
        if not holders:
            return self._coming()
        today = [each for each in holders if each.runs[-1][1] == self._today]
        bearers = [holder for holder in today if holder.end.state == holder.state]
        # A provision that had the number more than once, or lends its past to a copy, has one block.
        others = [holder for holder in holders if holder not in bearers]
        blocks = [
            self._block(holder, place, is_today=place < len(bearers))
            for place, holder in enumerate((*bearers, *others))
        ]
        row = index.states[(bearers or holders)[0].state]
        around = self._current.neighbours(row) if bearers else (None, None)
        is_entry, name = row.kind == names.GLOSSARY, names.called(row)
        return render(
            "number",
            page,
            number=unmarked(row.heading) if is_entry else row.number,
            is_entry=is_entry,
            heading=unmarked(row.heading) if bearers and not is_entry else "",
            title=self._title(row, is_today=bool(bearers)),
            summary=f"{f'{name} today' if bearers else f'Formerly {name}'}: {_begin(row)}",
            crumbs=self._crumbs(row, is_today=bool(bearers)),
            beside=self._beside(row) if bearers else None,
            around=[it and self.name(it) for it in around],
            before=self._before(bearers[0]) if bearers else None,
            blocks=blocks[: len(bearers)],
            gone=blocks[len(bearers) :],
            current=index.current,
            data=urls.data_of(page),
            anchors=[it for it in self._stories.wordings(page) if it not in self._anchors],
        )

    def _coming(self) -> PageFile:
        """Return the page of a number that only an edition not yet in force has."""
        editions = self.index.editions
        place, row = next(
            (edition.place, row)
            for edition in editions[self._today + 1 :]
            for row in self.index.held(edition.place)
            if names.page_of(row) == self.here
        )
        return render(
            "coming",
            self.here,
            name=names.called(row),
            edition=Link(names.of_edition(editions[place]), self.dated(row.id, place)),
            when=self.index.in_force(place),
        )

    def _block(self, holder: NumberHolder, place: int, *, is_today: bool) -> dict[str, object]:
        """Return a provision on the page of a number that it has or had, as the template shows it.

        Anchors within the block end with its key. Its own is the first edition with its words, as
        far as no other block has this anchor. Another page may tell its story.
        """
        last, edition = self._stories.wordings_of(self.here, holder)[-1], holder.runs[-1][1]
        row, life = last.state, self.index.life(holder.end)
        home = names.page_of(self.index.states[holder.end.state])
        is_home, key = home == self.here, f"-{place + 1}"
        subject = self.index.base.at(*holder.end) if is_home and self.index.witnesses.all else None
        views = grouped(self.index, self.here, subject) if subject else {}
        words, periods = (
            [self.index.period(*run) for run in runs]
            for runs in ([(last.first, last.last)], holder.runs)
        )
        block: dict[str, object] = {
            "key": key if place or not is_today else "",
            "anchor": self._new_anchor(last),
            "name": names.called(row),
            "citation": _citation(row, self.index.labels[edition]),
            "dated": self.dated(row.id, edition),
            "earlier": [] if is_home else self._earlier(holder),
            "attested": views,
            "originals": self.index.witnesses.originals(subject.lineage) if subject else (),
            "meant": row.meant,
        }
        block["story"] = (
            self._stories.story(self, holder.end, views, self._anchors) if is_home else None
        )
        if is_today:
            block["heading"] = f"Also {names.called(row)} today" if place else ""
            return block | self._of_today(row, life, key if place else "")
        is_title = not place and bool(row.body)
        own = [Link(f"in force {words[0]}", "")] if not place or words != periods else []
        return block | {
            "heading": f"In force {', '.join(periods)}" if place else "",
            "text": self._dated_text(row, edition, f"_gone{key}", is_title=is_title),
            "facts": [*own, *self._now(holder, row, edition)],
        }

    # Today ---------------------------------------------------------------------------------------

    def _of_today(self, row: State, life: Life, key: str) -> dict[str, object]:
        current, terms, citing = self._current, set[str](), [*self._current.citing[row.id].values()]
        below = [] if row.kind == "chapter" else list(current.tree(row))
        shown = {each.id for each in (row, *below)}
        runs = current.words_since(row.id) if row.body else []
        added: Counter[str] = Counter()
        for text, label in runs:
            added[label] += len(text.split())
        order = sorted(added)
        texts = [
            current.markup(each, self, shown, terms, is_own=each is row) for each in (row, *below)
        ]
        return {
            "text": Html("".join(texts)),
            "facts": list(self._facts(life, row, len(citing), key)),
            "headed": [
                Link(f"{each.number} {each.heading}", f"#{anchor_of(each.address)}")
                for each in below
                if each.heading and each.kind == "rule"
            ],
            "sections": list(map(self.titled, current.below[row.address]))
            if row.kind == "chapter"
            else (),
            "citing": [
                (self.name(each), unmarked(shortened(sentence, _LONGEST_QUOTATION)))
                for each, sentence in citing[:_QUOTED]
            ],
            "citing_more": [self.name(each) for each, _ in citing[_QUOTED:]],
            "blame": [(text.strip(), order.index(label) + 1) for text, label in runs]
            if len(order) > 1
            else (),
            "editions": sorted(added.items()),
        }

    def _facts(self, life: Life, row: State, citing: int, key: str) -> Iterator[Link]:
        """Yield what to know about a provision of today: since when, its last name, how often cited."""
        if row.body:
            since = self.index.labels[self._stories.since(life)]
            yield Link(f"since {in_words(since)}", f"#_life{key}")
        others = [it for it in life.readings if names.called(it.state) != names.called(row)]
        if others:
            begun = life.readings[life.readings.index(others[-1]) + 1]
            other, year = self.named(name_of(others[-1].state)), self.index.labels[begun.first][:4]
            is_part = not begun.into.is_main and {"split", "copied"} & {*begun.kinds}
            words = f"taken from {other.text} in" if is_part else f"{other.text} until"
            yield other._replace(text=f"{words} {year}")
        if citing:
            yield Link(f"cited by {citing}", f"#_cited{key}")

    def _before(self, holder: NumberHolder) -> Link | None:
        """Return a link to a provision of today as the edition before prints it."""
        place = self._today - 1
        name = names.of_edition(self.index.editions[place])
        for it in self.index.base.lineages.life(*holder.end):
            if it.first <= place <= it.last:
                return Link(name, self.dated(it.state, place))
        return None

    def _title(self, row: State, *, is_today: bool) -> str:
        if row.kind == names.GLOSSARY:
            return unmarked(row.heading)
        if not is_today:
            return f"{row.number}, a former number"
        named = None if row.heading else _CALLED.search(wording_of(row))
        above = [each.heading for each in reversed(self._current.path(row))]
        heading = named["name"] if named else next(filter(None, [row.heading, *above]), "")
        return names.titled(row.number, unmarked(heading), " · ")

    def _crumbs(self, row: State, *, is_today: bool) -> list[Link]:
        if row.kind == names.GLOSSARY:
            return [Link("Glossary", self.to(urls.GLOSSARY))]
        above = self._current.path(row) if is_today else ()
        return [Link("Rules", self.to(urls.RULES)), *map(self.titled, above)]

    def _beside(self, row: State) -> tuple[str, list[tuple[Link, bool]]] | None:
        """Return the title and the rules of the list in which a rule stands."""
        if row.kind not in {"rule", "subrule"}:
            return None
        above, siblings = self._current.by_address[row.parent], self._current.below[row.parent]
        return names.titled(above.number, unmarked(above.heading)), [
            (self.titled(each, " "), each.id == row.id) for each in siblings
        ]

    # Of the past ---------------------------------------------------------------------------------

    def _new_anchor(self, wording: Wording) -> str:
        """Return the anchor of a wording, its first edition; "" if the page has this already."""
        label = self.index.labels[wording.first]
        is_new = label not in self._anchors
        self._anchors.add(label)
        return label if is_new else ""

    def _earlier(self, holder: NumberHolder) -> list[tuple[str, Link]]:
        earlier: list[tuple[str, Link]] = []
        for wording in reversed(self._stories.wordings_of(self.here, holder)[:-1]):
            label = self.index.labels[wording.first]
            there = self._stories.place_of(wording.state, wording.first)
            if label in self._stories.paged(self.here):
                there = urls.wording(self.here, label), ""
            period = self.index.period(wording.first, wording.last)
            earlier.append((self._new_anchor(wording), Link(period, self.to(*there))))
        return earlier

    def _now(self, holder: NumberHolder, row: State, edition: int) -> Iterator[Link]:
        """Yield where a former holder of a number went."""
        if row.kind == "section":
            held = self.index.held(edition)
            rules = [it.number for it in held if it.kind == "rule" and it.parent == row.address]
            if rules:
                yield Link(f"with {' to '.join(dict.fromkeys((rules[0], rules[-1])))}", "")
        life, last = self.index.life(holder.end), self.index.states[holder.end.state]
        name, (heir, chance) = self.named(name_of(last)), self.index.heir_of(holder)
        if life.readings[-1].last == self._today:
            yield name._replace(text=doubted(f"now {name.text}", chance))
            return
        if names.page_of(last) != self.here:
            way = self.index.base.lineages.way(row.id, edition, life.readings[-1].last)
            yield name._replace(text=doubted(f"last called {name.text}", way.confidence))
        if heir is not None:
            name = self.named(name_of(heir))
            yield name._replace(text=doubted(f"its words went to {name.text}", chance))
        elif life.ending:
            removed = f"removed on {in_words(self.index.labels[life.ending.edition])}"
            yield Link(doubted(removed, chance), "")

    def _dated_text(self, row: State, edition: int, anchor: str, *, is_title: bool = False) -> Html:
        """Return a provision with links into its edition; the title of a page may have its headword."""
        text, heading = self.index.citations(row.id, edition, lambda it: self.dated(it, edition))
        title = None if is_title and row.kind == names.GLOSSARY else heading
        return Html(set_provision(row, anchor, "", text, title))

    def wording(self, page: urls.Page, label: str) -> PageFile:
        """Return the page of the words that a number had from an edition on."""
        known: Mapping[str, Sequence[Wording]] = self._stories.wordings(page)
        first = known[label][0]
        row = first.state
        texts: list[str] = []
        for place, each in enumerate(known[label]):  # several if the number is printed twice
            anchor = anchor_of(each.state.address) + f"-{place}" * bool(place)
            texts.append(self._dated_text(each.state, each.last, anchor))
        facts = [Link(f"in force {self.index.period(first.first, first.last)}", "")]
        if first.last < self._today:
            facts += self._now(first.holder, row, first.last)
        order = ["", *sorted(known, key=self.index.labels.index), ""]
        at = order.index(label)
        dated = self.to(*self._stories.place_of(row, first.first))
        return render(
            "wording",
            self.here,
            number=row.number,
            heading=unmarked(row.heading),
            label=label,
            summary=f"{row.number} as of {in_words(label)}: {_begin(row)}",
            text=Html("".join(texts)),
            facts=facts,
            citation=_citation(row, label),
            home=self.to(page),
            dated=Link(names.of_edition(self.index.editions[first.first]), dated),
            around=[self._neighbour(page, order[it]) for it in (at - 1, at + 1)],
        )

    def _neighbour(self, page: urls.Page, label: str) -> Link | None:
        is_paged = label in self._stories.paged(page)
        there = (urls.wording(page, label), "") if is_paged else (page, label)
        return Link(in_words(label), self.to(*there)) if label else None


def _begin(row: State) -> str:
    return unmarked(shortened(wording_of(row), _SUMMARY))


def _citation(row: State, label: str) -> str:
    name = f"glossary, “{row.heading}”" if row.kind == names.GLOSSARY else row.number
    return f"CR {name} ({label})"
