"""The story of a rule as its page tells it: what each edition did to it and to all below it."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache, cached_property
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from variorum.answers.histories import Below, End, Life, LifeReading, NumberHolder, Relative
from variorum.cli.wording import COUNTED, named_examples, step_words, with_examples
from variorum.records.lineage import SubruleStep
from variorum.rows import ANNOUNCED, State, examples_of, wording_of
from variorum.text import doubt, doubted, slug_of
from variorum_site import names, urls
from variorum_site.page_index import LinksOf, PageIndex
from variorum_site.pages.markup import Html, Link, set_columns, set_text, unmarked
from variorum_site.pages.timeline import life_line, signs
from variorum_site.pages.witnesses import PassageView
from variorum_site.render import in_words

# Labels for changes that keep the meaning.
QUIET = {
    "sweep": "wording changed in many rules at once",
    "citation-only": "only cites new numbers",
    "typographic": "typography",
}
# Changes of the rules below that are left out, and those of which readers want only the count.
_LEFT_OUT = {"citation_only", "typographic"}
_COUNTED = {"sweep", "moved_only"}
_NAMED = 12


class Wording(NamedTuple):
    """The words of a provision under one number, in some editions, until they changed in substance.

    The state is the last one of them.
    """

    holder: NumberHolder
    state: State
    first: int
    last: int


class Row(NamedTuple):
    """What an edition did to a provision, and to the rules below it.

    `name` is "" if the number stayed; `sides` are the old and the new words, if they can be compared;
    `words` are there if no later row shows them beside others; `page` leads to these words, unless the
    row's own page shows them. `below` has groups: words, links, and how many more.
    """

    day: Link
    edition: Link
    anchor: str = ""
    name: str = ""
    what: str = ""
    read: str = ""
    relatives: Sequence[tuple[str, Link, str]] = ()
    sides: tuple[Html, Html] = (Html(""), Html(""))
    words: Html = Html("")
    page: Link | None = None
    below: Sequence[tuple[str, Sequence[Link], int]] = ()
    announced: Sequence[PassageView] = ()


class Stories:
    """Tells the stories of provisions."""

    def __init__(self, index: PageIndex) -> None:
        self.index, self._labels = index, index.labels
        self._current = index.current.place
        self._days = [
            date.fromisoformat(it.effective) for it in index.editions[: self._current + 1]
        ]

    # Wordings ------------------------------------------------------------------------------------

    @cache  # noqa: B019 - stories and their base go together
    def wordings(self, page: urls.Page) -> dict[str, list[Wording]]:
        """Return the wordings of all holders of a number, by their first editions."""
        known: dict[str, list[Wording]] = {}
        for holder in self.index.holders.get(page, ()):
            for wording in self.wordings_of(page, holder):
                known.setdefault(self._labels[wording.first], []).append(wording)
        return known

    def wordings_of(self, page: urls.Page, holder: NumberHolder) -> list[Wording]:
        """Return the wordings of a provision under one of its numbers, oldest first."""
        wordings: list[Wording] = []
        is_same_number = False
        for reading in self.index.life(holder.end).readings:
            first = max(reading.first, holder.runs[0][0])
            last = min(reading.last, holder.runs[-1][1])
            is_here = names.page_of(reading.state) == page and first <= last
            if is_here:
                if is_same_number and reading.into.change != "substantive":
                    first = wordings.pop().first
                wordings.append(Wording(holder, reading.state, first, last))
            is_same_number = is_here
        return wordings

    @cache  # noqa: B019 - as above
    def paged(self, page: urls.Page) -> frozenset[str]:
        """Return the editions that began the wordings of a number that have pages of their own.

        The last wording of the number's last holder is on the number's page.
        """
        if page.startswith(urls.GLOSSARY) or not self.wordings(page):
            return frozenset()
        shown = self.wordings_of(page, self.index.holders[page][0])[-1]
        return frozenset(
            label
            for label, wordings in self.wordings(page).items()
            if any(it.state.body for it in wordings) and wordings != [shown]
        )

    # Stories -------------------------------------------------------------------------------------

    def story(
        self, links: LinksOf, end: End, seen: Mapping[str, Sequence[PassageView]], anchors: set[str]
    ) -> dict[str, object]:
        """Return what editions did to a provision whose last words the page shows, and how it ended.

        `quiet` lists the editions that changed only typography or citations. `seen` is what other
        documents say about it; its anchors are added to those that the page has.
        """
        life = self.index.life(end)
        rows, quiet = self._own_rows(links, life, seen)
        state = self.index.states[end.state]
        if state.kind == "section" or (state.kind == "rule" and state.address in self._parents):
            self._add_below(links, end, life, rows)
        for place, row in rows.items():
            label = self._labels[place]
            held = next(it.state for it in reversed(life.readings) if it.first <= place)
            is_own = names.page_of(held) == links.here and label not in anchors
            anchor = label if is_own else f"_{label}"
            anchor = anchor if anchor not in anchors else f"_{label}-{len(anchors)}"
            anchors.add(anchor)
            rows[place] = row._replace(anchor=anchor)
        ended = ""
        if step := life.ending:
            how = step_words(step.kinds, None, None) or "removed"
            ended = doubted(f"{how} on {in_words(self._labels[step.edition])}", step.confidence)
        places = {place: row.anchor for place, row in rows.items()}
        return {
            "picture": life_line(life, self._days, places) if len(life.readings) > 1 else Html(""),
            "signs": signs(life),
            "rows": [rows[place] for place in sorted(rows, reverse=True)],
            "quiet": quiet,
            "ending": ended[:1].upper() + ended[1:],
            "heirs": [self._relative(links, heir) for heir in life.heirs],
        }

    @cached_property
    def _parents(self) -> set[str]:
        return {state.parent for state in self.index.states.values() if state.kind == "subrule"}

    def _own_rows(
        self, links: LinksOf, life: Life, seen: Mapping[str, Sequence[PassageView]]
    ) -> tuple[dict[int, Row], list[Link]]:
        rows: dict[int, Row] = {}
        quiet: list[Link] = []
        announced = seen.get(ANNOUNCED, ())
        is_shown = True  # something above shows these words
        befores = [None, *life.readings]
        for before, reading in zip(reversed(befores[:-1]), reversed(life.readings), strict=True):
            label, state = self._labels[reading.first], reading.state
            changes = links.to(urls.changes(label)) if reading.first else ""
            is_renamed = before is None or names.called(before.state) != names.called(state)
            if not is_renamed and not says_more(reading):
                quiet.append(Link(in_words(label), changes))
                continue
            sides, words, own = (Html(""), Html("")), Html(""), None
            examples = len(examples_of(state.body))
            can_compare = before is not None and bool(before.state.body) == bool(state.body)
            if before is not None and can_compare:
                counts = len(examples_of(before.state.body)), examples
                sides = set_columns(with_examples(reading.pieces, *counts))
            if not is_shown:
                words = set_text(named_examples(wording_of(state), examples))
            if label in self.paged(names.page_of(state)):
                own = Link("these words", links.to(urls.wording(names.page_of(state), label)))
            rows[reading.first] = Row(
                day=Link(in_words(label), links.to(*self.place_of(state, reading.first))),
                edition=Link(self._name(reading.first), changes),
                name=unmarked(names.called(state)) if is_renamed else "",
                what=_what_happened(reading),
                read=self.index.evidence.get(reading.into.evidence, ("", "", ""))[1],
                relatives=[self._relative(links, kin) for kin in reading.relatives],
                sides=sides,
                words=words,
                page=own,
                announced=[
                    *{
                        it["said"].words: it for it in announced if it["said"].edition == label
                    }.values()
                ],
            )
            is_shown = bool(sides[0]) or can_compare
        return rows, quiet

    def _add_below(self, links: LinksOf, end: End, life: Life, rows: dict[int, Row]) -> None:
        """Add what editions did to the rules below a provision."""
        base = self.index.base
        steps = sorted(Below(base, base.lineages.life(*end)).steps(), key=itemgetter(0))
        for place, some in groupby(steps, key=lambda placed: placed[0][0]):
            label, groups = self._labels[place], dict[str, list[SubruleStep]]()
            for _, step in some:
                groups.setdefault(step.sort, []).append(step)
            told = [
                (
                    words.replace("throughout", "in many rules at once"),
                    *self._named(links, label, groups[sort]),
                )
                for sort, words in COUNTED.items()
                if sort in groups and sort not in _LEFT_OUT
            ]
            if told and life.readings[0].first < place <= self._current:
                edition = Link(self._name(place), links.to(urls.changes(label)))
                row = rows.get(place) or Row(Link(in_words(label), ""), edition)
                rows[place] = row._replace(below=told)

    def _named(
        self, links: LinksOf, label: str, steps: Sequence[SubruleStep]
    ) -> tuple[Sequence[Link], int]:
        """Return links to the rules of some steps into an edition, and how many more there are."""
        if steps[0].sort in _COUNTED:
            return (), len(steps)
        named: dict[str, Link] = {}
        for step in steps:
            old, new = step.from_ or "", step.to[0] if step.to else ""
            both = [names.for_readers(name) for name in (old, new) if name]
            words = " → ".join(dict.fromkeys(both))
            if step.sort == "merged":
                words = f"{'the former ' if old == new else ''}{' into '.join(both)}"
            page = names.page_of_name(new or old)
            anchor = label if new and label in self.wordings(page) else ""
            href = links.to(page, anchor) if page in self.index.pages else ""
            named.setdefault(words, Link(doubted(words, step.confidence), href))
        return [*named.values()][:_NAMED], max(0, len(named) - _NAMED)

    def _name(self, place: int) -> str:
        return self.index.editions[place].set_name or "changes"

    def _relative(self, links: LinksOf, relative: Relative) -> tuple[str, Link, str]:
        how, at = relative
        return how, links.named(at.name), in_words(at.edition)

    def since(self, life: Life) -> int:
        """Return the edition that began the present words, apart from typography and citations."""
        changed = [it for it in life.readings if it.into.change in {"sweep", "substantive"}]
        return (changed or life.readings)[-1 if changed else 0].first

    # Days ----------------------------------------------------------------------------------------

    def place_of(self, row: State, edition: int) -> tuple[urls.Page, str]:
        """Return the page and anchor of what has a state's name in an edition."""
        if row.kind == names.GLOSSARY:
            return urls.edition(self._labels[edition], names.GLOSSARY), slug_of(row.heading)
        bearers = self.index.base.bearers(row.number, edition)
        for bearer in sorted(bearers, key=lambda it: it.address != row.address)[:1]:
            return self.index.dated(bearer.id, edition)
        return urls.edition(self._labels[edition]), ""


def _what_happened(reading: LifeReading) -> str:
    kinds = [kind for kind in reading.kinds if kind not in {"kept", "uncertain"}]
    if reading.into.change in QUIET:
        kinds = [kind for kind in kinds if kind != "reworded"] + [QUIET[reading.into.change]]
    what = ", ".join(dict.fromkeys(kinds)) or ("" if reading.first else "in the first edition here")
    return doubted(what, reading.into.confidence)


def says_more(reading: LifeReading) -> bool:
    """Return whether a reading changes more than number, citations or typography."""
    kinds = {"new", "split", "merged", "copied"} & {*reading.kinds}
    is_told = reading.relatives or kinds or doubt(reading.into.confidence)
    return bool(is_told) or reading.into.change in {"substantive", "sweep"}
