"""Finds the provisions that a question names: in an edition, else where another edition's bearers are.

If there are none, the error says which editions have the name, and which names are similar. A number may
also mean something besides: other rules had it before, and another one may have it today.
"""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from variorum.answers.editions import EditionEntry
from variorum.answers.questions import NUMBER, RANGE, WORDS, Asked, asked_for, runs_backwards
from variorum.answers.stored import in_order, joined
from variorum.errors import NotFoundError
from variorum.history.lineages import Destination, walk
from variorum.records.lineage import OtherRule
from variorum.records.provision import Moved
from variorum.rows import (
    MERGED,
    RENUMBERED,
    SPLIT,
    UNCERTAIN,
    State,
    headword_of,
    kinds_of,
    name_of,
    wording_of,
)
from variorum.rule_numbers import order_of
from variorum.text import fold_key, fold_title, keys_of, words_of

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase, Subject

# The least likeness, as `difflib` measures it, of an unknown headword to one that is suggested.
_MISSPELT_TERM = 0.6
_NEAR_EACH_SIDE, _MOST_SPANS, _MOST_TITLES = 2, 4, 3


class Lost(NamedTuple):
    """A provision of another edition that the edition asked about lacks.

    `state` is its last state before that edition or, if it came later, its first, as the edition with the
    label `edition` prints it; `since` is the label of the first edition without it on the way.
    """

    state: State
    edition: str
    since: str


def find_states(base: "KnowledgeBase", question: tuple[str, str, str], place: int) -> list[State]:
    """Return the states that a question of `parse_question` names in an edition, as printed."""
    kind, word, more = question
    if kind != RANGE:
        return [state for state in base.bearers(word, place) if state.address.endswith(more)]
    first, last = base.bearers(word, place)[:1], base.bearers(more, place)[-1:]
    if not (first and last and first[0].kind == last[0].kind):
        return []
    alike = [state for state in base.held(place) if state.kind == first[0].kind]
    return [it for it in alike if in_order(first[0]) <= in_order(it) <= in_order(last[0])]


def find_elsewhere(
    base: "KnowledgeBase", question: tuple[str, str, str], place: int
) -> tuple[list[tuple[State, Moved]], list[Lost]]:
    """Return the provisions that have a name in the nearest other edition, as they are in this one.

    The edition at `place` lacks the name. Those without an heir there come second, as lost.
    """
    kind, word, more = question
    runs = [(first, last) for _, first, last in base.runs(word)]
    if kind == RANGE:
        both = [(max(a, c), min(b, d)) for a, b in runs for _, c, d in base.runs(more)]
        runs = [(first, last) for first, last in both if first <= last]
    # An earlier edition comes first.
    near = max([last for _, last in runs if last < place], default=-1)
    near = near if near >= 0 else min([first for first, _ in runs if first > place], default=-1)
    moved: dict[int, tuple[State, Moved]] = {}
    lost: list[Lost] = []
    states = {} if near < 0 else {state.id: state for state in find_states(base, question, near)}
    for start, way in walk(base.lineages, states, near, place).items():
        heirs, is_uncertain = [base.states[heir] for heir in way.states], way.bits & UNCERTAIN
        if not is_uncertain:
            heirs.sort(key=lambda heir: heir.id != way.heir)
        for heir in heirs if is_uncertain else heirs[:1]:
            move = Moved(
                asked=name_of(states[start]),
                edition=base.labels[near],
                since=base.labels[_since_named(base, heir.id, way, near, place)],
                kinds=kinds_of(way.bits | RENUMBERED),
                confidence=round(way.confidence, 4),
                heirs=[name_of(heir) for heir in heirs],
            )
            moved.setdefault(heir.id, (heir, move))
        if not heirs:
            state, last, since = states[start], near, place
            if way.loss is not None:
                state, since = base.states[way.loss.state], way.loss.edition
                last = since + (1 if near > place else -1)
            lost.append(Lost(state, base.labels[last], base.labels[since]))
    return list(moved.values()), lost


def spelt_otherwise(base: "KnowledgeBase", words: str, edition: int) -> list[State]:
    """Return the provisions that an edition has under other spellings of a missing term.

    Headwords come first, then headings of rules, then the words for an abbreviation.
    """
    states = [state for state in base.held(edition) if state.heading]
    for wanted in map(fold_title, (words, *_abbreviated().get(words, ()))):
        entries = [
            it for it in states if it.kind == "glossary" and wanted in map(fold_title, keys_of(it))
        ]
        found = entries or [state for state in states if fold_title(state.heading) == wanted]
        if found and wanted:
            return found
    return []


@cache
def _abbreviated() -> dict[str, tuple[str, ...]]:
    from variorum.facts import all_concepts  # noqa: PLC0415 - it reads the vocabulary

    abbreviated: dict[str, tuple[str, ...]] = {}
    for concept in all_concepts():
        if concept.kind == "abbreviation":
            spellings = tuple([words for form in reversed(concept.form) for words in form.words])
            abbreviated |= dict.fromkeys(map(fold_key, spellings), spellings)
    return abbreviated


# What a number means besides -----------------------------------------------------------------------


def _named_in(base: "KnowledgeBase", state: int, place: int) -> tuple[int, int]:
    """Return the first and the last edition around one through which a provision kept its name."""
    life, name = base.lineages.life(state, place), base.states[state].address
    named = [it for it in life if base.states[it.state].address == name]
    runs = joined((stretch.first, stretch.last) for stretch in named)
    return next((run for run in runs if run[0] <= place <= run[1]), (place, place))


def _since_named(base: "KnowledgeBase", heir: int, way: Destination, start: int, stop: int) -> int:
    """Return the edition that gave a provision its present name, or merged it into another."""
    merged = [link.edition for link in way.taken if link.bits & MERGED and start < stop]
    return merged[-1] if merged else _named_in(base, heir, stop)[0]


def since_when(subject: "Subject", target: EditionEntry) -> tuple[str, str, str]:
    """Return the first and the last edition in which a number meant a provision, and what ended that.

    The last is the edition that gave it its name in another edition, merged or removed it; "" if
    it came later.
    """
    base, place, way = subject.base, subject.edition.place, subject.destination(target)
    first, last = _named_in(base, subject.state.id, place)
    since = "" if way.loss is None else base.labels[way.loss.edition]
    if way.states and way.heir is not None:
        parted = [link.edition for link in way.taken if link.bits & SPLIT and way.states[1:]]
        named = parted[-1:] or [_since_named(base, way.heir, way, place, target.place)]
        since = base.labels[named[0]]
    return base.labels[first], base.labels[last], since


def namesakes(
    base: "KnowledgeBase", asked: Asked, shown: "Sequence[Subject]"
) -> list[tuple[State, Destination]]:
    """Return today's provisions of a number that means other ones in the edition asked about.

    Each comes with where it is in that edition.
    """
    current, edition = base.current, shown[0].edition
    if asked.question[0] != NUMBER or current is None or current == edition:
        return []
    ids = {subject.state.id for subject in shown}
    states = {it.id: it for it in find_states(base, asked.question, current.place)}
    today = [id_ for id_ in states if id_ not in ids]
    ways = walk(base.lineages, today, current.place, edition.place)
    return [(states[id_], way) for id_, way in ways.items() if ids.isdisjoint(way.states)]


def find_earlier(subject: "Subject") -> list[OtherRule]:
    """Return the other rules that the number asked for meant before a provision's edition, newest first."""
    base, state, place = subject.base, subject.state, subject.edition.place
    name = subject.move.asked if subject.move else subject.name
    if headword_of(name):
        return []
    shown = {state.id, *(twin.id for twin in base.named(state.number, place) if state.number)}

    def is_shown(held: int, last: int) -> bool:
        return not shown.isdisjoint(walk(base.lineages, [held], last, place)[held].states)

    return other_rules(base, name.partition("#")[0], place, is_shown)


def others_of(subject: "Subject") -> list[OtherRule]:
    """Return the other provisions that have had the number asked for, the latest first.

    Return none if the question named an edition.
    """
    base, own = subject.base, subject.lineage[-1][:2]

    def is_own(held: int, last: int) -> bool:
        return base.lineages.life(held, last)[-1][:2] == own

    return other_rules(base, subject.asked, len(base.labels), is_own) if subject.asked else []


def other_rules(
    base: "KnowledgeBase",
    word: str,
    place: int,
    is_shown: Callable[[int, int], bool] = lambda *_: False,
) -> list[OtherRule]:
    """Return the rules that a number or headword meant before an edition, newest first.

    A state in the last of its editions may be of the provision that is shown anyway.
    """
    states, lineages = base.states, base.lineages
    today = place if base.current is None else max(place, base.current.place)
    today = min(today, len(base.labels) - 1)
    runs = sorted((*it, run.state) for run in base.runs(word) for it in lineages.divided(*run))

    def lineage_of(run: tuple[int, int, int]) -> tuple[int, int] | None:
        """Return the end of a provision's history; None for the provision shown."""
        _, last, held = run
        end = lineages.life(held, last)[-1]
        return None if is_shown(held, last) else (end.state, end.first)

    others: list[OtherRule] = []
    for lineage, same in groupby([run for run in runs if run[1] < place], lineage_of):
        if lineage is None:
            continue
        some = [*same]
        (began, _, first_held), (_, last, held) = some[0], some[-1]
        way = walk(lineages, [held], last, today)[held]
        if not way.states:  # parts may have been split off before it was removed
            way = walk(lineages, [first_held], began, today)[first_held]
        names, name = [name_of(states[heir]) for heir in way.states], name_of(states[held])
        headings = [row.heading for row in (states[held], *base.above(states[held], last))]
        about = next((words for words in headings if words and words != "General"), "")
        is_moved = bool(names) and names[0] != name.partition("#")[0]
        other = OtherRule(
            number=word if states[held].number else name,
            from_=base.labels[began],
            to=base.labels[last],
            # Two sections were left blank, and their headings say so in a sentence.
            about="" if about[-1:] in {".", "]"} else about.replace("_", ""),
            text=wording_of(states[held]),
            now=names[0] if names else None,
            heirs=names,
            kinds=kinds_of(way.bits | (RENUMBERED if is_moved else 0)),
            confidence=round(way.confidence, 4),
            removed=base.labels[way.loss.edition] if way.loss and not names else None,
        )
        others.insert(0, other)
    return others


# What is not found --------------------------------------------------------------------------------


def not_found(
    base: "KnowledgeBase",
    asked: tuple[str, str, str],
    edition: EditionEntry,
    lost: Sequence[Lost],
    heirs: Sequence[str],
) -> NotFoundError:
    """Return the error for a question that an edition cannot answer.

    `lost` are the provisions that the question names in other editions and that are gone here, `heirs`
    the names here of those that are not.
    """
    kind, word, more = asked
    if runs_backwards(asked):
        return NotFoundError(
            f"{word}-{more}: runs backwards, {more} comes first; ask for {more}-{word}"
        )
    states = base.held(edition.place)
    missing = more if kind == RANGE and base.named(word, edition.place) else word
    is_here = bool(base.named(missing, edition.place))
    runs = [] if is_here else joined((run.first, run.last) for run in base.runs(missing))
    is_known = bool(lost or heirs or runs or is_here or kind != NUMBER)
    why = f"not in the edition of {edition.label}" if is_known else "no edition has had this number"
    parts = [f"{repr(word) if kind == WORDS else asked_for(asked)}: {why}"]
    if runs and not lost:
        ends = [dict.fromkeys(base.labels[end] for end in run) for run in runs[-_MOST_SPANS:]]
        parts.append(f"printed in {', '.join(map(' to '.join, ends))}")
    if heirs:
        parts.append(f"in that edition it is {' and '.join(heirs)}")
    near = _like(word, states) if kind == WORDS else _near(missing, states)
    if near:
        parts.append(f"near: {', '.join(near)}")
    for state, last, since in lost:
        words = " ".join(wording_of(state).split())
        how = f"removed on {since}; its last words, of" if since >= last else "first printed in"
        parts.append(f"{how} {last}: “{words}”")
    return NotFoundError(
        "; ".join(parts),
        last_edition=lost[-1].edition if lost else "",
        last_words=wording_of(lost[-1].state) if lost else "",
        heirs=heirs,
        near=near,
    )


def _near(word: str, states: Sequence[State]) -> list[str]:
    """Return the numbers around a missing one; a chapter, whose number has a digit or two, has none."""
    if word[2:3] in {"", "."}:
        return []
    kinds = {"section", "rule", "subrule"}
    ordered = sorted({(order_of(it.number), it.number) for it in states if it.kind in kinds})
    before = [number for order, number in ordered if order < order_of(word)]
    after = [number for order, number in ordered if order > order_of(word)]
    return [*before[-_NEAR_EACH_SIDE:], *after[:_NEAR_EACH_SIDE]]


def _like(word: str, states: Sequence[State]) -> list[str]:
    """Return the headwords most like a missing one, then titles that have all its words in some form."""
    import difflib  # noqa: PLC0415 - only an error needs it

    from variorum.words import stem_of  # noqa: PLC0415 - likewise

    folded = {state.heading.casefold(): state.heading for state in states if not state.number}
    close = difflib.get_close_matches(word, folded, n=3, cutoff=_MISSPELT_TERM) if word else []
    close += [key for key in folded if word and key.startswith(word)][:3]
    stems = {*map(stem_of, words_of(word))}
    titled = {it.heading: it.number for it in reversed(states) if it.heading and stems}
    fits = [it for it in titled if stems <= {*map(stem_of, words_of(it))}]
    titles = sorted([f"{titled[it]} {it}".strip() for it in fits])[:_MOST_TITLES]
    return [*dict.fromkeys([*map(folded.__getitem__, close), *titles])]
