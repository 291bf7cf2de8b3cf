"""Data files with which a browser compares and finds provisions.

`compare/705.js` has all provisions that ever had a number in section 705, with every number and text
that they had, also in other sections; `compare/glossary-f.js` has those that were entries under F.
`compare/all.js` says of every provision only where it stood and when its words changed;
`compare/since/2024-04-12.js`, what changed from then until today; and `search/ever.js` has the texts
that are no longer in force. `search/current.js` has the newest edition, and
`search/numbers.js` what became of old numbers.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby, pairwise
from typing import NamedTuple

from variorum.answers.diff import find_changes
from variorum.answers.digest import RuleChanged, digest_of
from variorum.answers.histories import End, NumberHistories, NumberHolder
from variorum.answers.stored import cited_in
from variorum.answers.sweeps import recognisable
from variorum.facts import all_concepts
from variorum.rows import State, examples_of, name_of, split_body, text_of, wording_of
from variorum.text import counted, doubt, doubted, shortened, slug_of
from variorum_site import names, urls
from variorum_site.data.script_files import script_file
from variorum_site.page_index import PageIndex
from variorum_site.render import PageFile

# The letters that stand for kinds of provisions.
KIND_LETTERS = {"chapter": "c", "section": "s", "rule": "r", "subrule": "u", names.GLOSSARY: "g"}
# How much is shown of the words of a removed rule, or of those that a rule lost.
_GIST = 70


class Stood(NamedTuple):
    """What a provision printed, from one edition to another; and whether it first had other words.

    Typography, and the numbers of a provision and of those that it cites, are no words.
    """

    state: State
    first: int
    last: int
    is_new: bool


class Provision(NamedTuple):
    """A provision through time.

    `own` is the first edition in which it is nobody else's: before that, it was a part of another;
    `gone` is the first edition without it, with the heirs, the main one first; `doubts` are steps of 99 % or less.
    """

    key: int
    own: int
    stretches: Sequence[Stood]
    gone: int | None
    heirs: Sequence[str]
    doubts: Sequence[tuple[int, float]]


def _section_of(state: State) -> str:
    if state.kind != names.GLOSSARY:
        return state.address.partition("#")[0].partition(".")[0]
    letter = slug_of(state.heading)[:1]
    return f"glossary-{letter if letter.isalpha() else '0'}"


def _text_of(state: State) -> str:
    """Return the words of a provision as printed, with the markers of its examples."""
    return "\n".join([f"{marker} {text}".strip() for marker, text in split_body(state.body)])


def _called(state: State) -> str:
    return slug_of(state.heading) if state.kind == names.GLOSSARY else state.address


def _printed(state: State) -> tuple[str, ...]:
    return state.kind, _called(state), state.heading, state.body


class SectionStates:
    """All provisions of a base through time."""

    def __init__(self, index: PageIndex) -> None:
        self._index, self._states = index, index.states

    @cached_property
    def _provisions(self) -> list[Provision]:
        histories = NumberHistories(self._index.base, len(self._index.editions) - 1)
        holders = histories.holders(lambda _: None)[None]
        owned = sorted((holder.end, holder.runs[0][0]) for holder in holders)
        return [self._provision(key, *owning) for key, owning in enumerate(owned)]

    def _provision(self, key: int, end: End, own: int) -> Provision:
        lineages, stretches = self._index.base.lineages, list[Stood]()
        life = lineages.life(end.state, end.first)
        for _, same in groupby(life, key=lambda it: _printed(self._states[it.state])):
            run = list(same)
            is_new = not stretches or run[0].led[0].change in {"sweep", "substantive"}
            stretches.append(Stood(self._states[run[-1].state], run[0].first, run[-1].last, is_new))
        onward = lineages.out_of(end.state, life[-1].last)
        heirs = [name_of(self._states[link.new]) for link in onward if link.new is not None]
        steps = [*[link for it in life for link in it.led[:1]], *onward[:1]]
        chances = [(it.edition, round(it.confidence, 2)) for it in steps]
        doubts = [it for it in chances if it[1] < 1]
        return Provision(key, own, stretches, onward[0].edition if onward else None, heirs, doubts)

    def files(self) -> Iterator[PageFile]:
        """Yield all files but those of single editions."""
        sections: dict[str, list[Provision]] = defaultdict(list)
        for provision in self._provisions:
            for name in {_section_of(each.state) for each in provision.stretches}:
                sections[name].append(provision)
        for name, provisions in sorted(sections.items()):
            yield script_file(f"compare/{name}.js", self._section(provisions))
        yield script_file("compare/all.js", self._all(sorted(sections)))
        yield script_file("search/ever.js", self._ever())

    def _section(self, provisions: Sequence[Provision]) -> dict[str, object]:
        """Return provisions with their states, and the texts of these, each once."""
        texts: dict[str, int] = {}
        rows: list[object] = []
        for provision in provisions:
            states: list[object] = []
            for state, first, last, _ in provision.stretches:
                text = texts.setdefault(_text_of(state), len(texts))
                what = _called(state), KIND_LETTERS[state.kind], state.heading
                states.append([first, last, *what, text])
            rows.append([*provision[:2], states, *provision[3:]])
        return {"texts": [*texts], "provisions": rows}

    def _all(self, sections: list[str]) -> dict[str, object]:
        """Return where each provision stood, and since when its words are the same.

        A row has `own`, the first edition without it or 0, then for each run of editions the first,
        the place of the section, and 1 if the words are others than before.
        """
        rows: list[list[int]] = []
        for provision in self._provisions:
            row, section = [provision.own, provision.gone or 0], ""
            for state, first, _, is_new in provision.stretches:
                if is_new or _section_of(state) != section:
                    section = _section_of(state)
                    row += [first, sections.index(section), int(is_new)]
            rows.append(row)
        headings: dict[str, str] = {}
        for edition in self._index.editions:
            headings |= self._index.outline(edition.place).headings
        return {"sections": sections, "headings": headings, "provisions": rows}

    def _ever(self) -> list[list[object]]:
        """Return the wordings of all editions but the last: name, kind, heading, text, when, now, its doubt."""
        way, current = self._index.base.lineages.way, self._index.current.place
        rows: list[list[object]] = []
        for provision in self._provisions:
            stretches, end = provision.stretches, provision.stretches[-1]
            now = name_of(end.state) if end.first <= current <= end.last else ""
            begun = [nth for nth, stretch in enumerate(stretches) if stretch.is_new]
            for start, stop in pairwise([*begun, len(stretches)]):
                first, (state, _, last, _) = stretches[start].first, stretches[stop - 1]
                if last >= provision.own and not first <= current <= last:
                    what = _called(state), KIND_LETTERS[state.kind], state.heading, _text_of(state)
                    sure = doubt(way(state.id, min(last, current), current).confidence)
                    rows.append([*what, max(first, provision.own), last, now, sure])
        return rows


# From an edition to the one in force -----------------------------------------------------------------


def since_file(index: PageIndex, place: int) -> Iterator[PageFile]:
    """Yield what changed from an edition to the one in force: counts, and the digest of `cr since`.

    The digest has lists of rows: a name, "" if there is no page, then words and a note. The names of
    what was removed are those of the older edition.
    """
    changes = find_changes(index.base, index.editions[place], index.current)
    digest = digest_of(index.base, changes)
    rules = [
        (name_of(rule.change.old), f"“{shortened(lost, _GIST)}”", _became(rule))
        for rule in digest.rules
        for lost in [" ".join(rule.lost.split()).lstrip(".,;:() ")]
        if rule.change.old
    ]
    keywords = [(f"glossary: {word}", word, doubted("", sure)) for word, sure in digest.keywords]
    new, gone = (
        [(name_of(it), it.heading, doubted("", sure)) for it, sure in some]
        for some in (digest.sections, digest.removed)
    )
    lists = {
        "New sections": new,
        "Removed sections": gone,
        "Renamed sections": [
            (name_of(new), new.heading, doubted(f"was {old.heading}", sure))
            for old, new, sure in digest.renamed
        ],
        "New keywords": [
            (name if names.page_of_name(name) in index.pages else "", word, note)
            for name, word, note in keywords
        ],
        "No longer in the rules": [("", phrase, "") for phrase in digest.phrases],
        "Wording changed in many rules at once": [
            ("", f"{before} → {after or 'nothing'}", f"in {counted(count, 'rule')}")
            for before, after, count in recognisable(changes.swept)
        ],
        "Removed or rewritten rules that others cited most": rules,
    }
    counts = {
        name: count for name, count in changes.summary.as_json().items() if isinstance(count, int)
    }
    told = [[title, rows] for title, rows in lists.items() if rows]
    yield script_file(f"compare/since/{index.labels[place]}.js", {"counts": counts, "lists": told})


def _became(rule: RuleChanged) -> str:
    new = rule.change.new
    now = "removed" if new is None else f"now {names.for_readers(name_of(new))}"
    return f"cited {counted(rule.cited, 'time')}, {doubted(now, rule.change.confidence)}"


# The newest edition, and the bearers of all numbers -------------------------------------------------


def index_files(index: PageIndex) -> Iterator[PageFile]:
    """Yield the newest edition, and the bearers of each number, the latest first."""
    yield script_file("search/current.js", _current(index))
    numbers = {
        page.split("/")[1]: [
            _bearer(index, page.split("/")[1], holder) for holder in index.holders.get(page, ())
        ]
        for page in index.pages
        if page.startswith(urls.RULES)
    }
    yield script_file("search/numbers.js", numbers)


def _current(index: PageIndex) -> dict[str, object]:
    """Return the provisions of the edition in force, in printed order, and the words for its words.

    A row has the address or headword, a letter for the kind, the own heading, text, examples, how many
    provisions cite it, the row of its parent or -1, and the headword as it is written in addresses.
    """
    held, cited = index.held(index.current.place), cited_in(index.base, index.current.place)
    places = {state.address: place for place, state in enumerate(held) if state.number}
    rows: list[object] = []
    for state in held:
        slug, examples = "" if state.number else slug_of(state.heading), examples_of(state.body)
        parent = places[state.parent] if state.number and state.parent else -1
        what = names.called(state), KIND_LETTERS[state.kind], state.heading, text_of(state.body)
        rows.append([*what, "\n".join(examples), cited.get(state.number, 0), parent, slug])
    synonyms: list[object] = []
    for kind, forms in all_concepts():
        said = [(it.words, it.first, it.last, int(it.is_gone)) for it in forms]
        synonyms.append((kind, said))
    return {"rows": rows, "synonyms": synonyms}


def _bearer(index: PageIndex, number: str, holder: NumberHolder) -> list[object]:
    """Return the places of the first and last edition of each run, then what became of a bearer.

    That is its name today, "" if it still has the number; or of a removed one, the first edition
    without it, the beginning of its words, and what has these today. Then follows any doubt about that.
    """
    runs = [place for run in holder.runs for place in run]
    end = index.states[holder.end.state]
    onward = index.base.lineages.out_of(end.id, holder.end.first)
    heir, chance = index.heir_of(holder)
    if not onward:
        name = name_of(end)
        return [runs, "" if name.partition("#")[0] == number else name, doubt(chance)]
    gist = shortened(end.heading or wording_of(end), _GIST)
    return [runs, onward[0].edition, gist, "" if heir is None else name_of(heir), doubt(chance)]
