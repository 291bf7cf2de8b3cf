"""What commands say about steps, numbers and witnesses: how a rule moved, what a number meant, who quotes it."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from operator import itemgetter
from shlex import join

from variorum.answers.crosswalk import destination_of, namesakes, since_when
from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.questions import NUMBER, Asked
from variorum.answers.refs import cites
from variorum.answers.witnesses import name_of_witness, told
from variorum.cli.layout import diffed, marked, para, print_note
from variorum.records.document import Passage
from variorum.records.lineage import CrosswalkRow, OtherRule
from variorum.rows import SHOWN_CERTAIN, EditionRow, headword_of, kinds_of, name_of
from variorum.text import fold_title, percent, shortened

REMOVED = "removed"
# The words for classes of changes that leave a rule as it is.
CLASSES = {
    "sweep": "(wording changed throughout)",
    "citation-only": "(only cites new numbers)",
    "typographic": "(typographic)",
}
# The words behind a number of provisions, by what happened to them.
COUNTED = {
    "same": "the same",
    "new": "new",
    "moved_in": "from elsewhere",
    "parts": "split off or copied",
    "substantive": "reworded",
    "merged": "merged",
    "moved_out": "moved elsewhere",
    "gone": REMOVED,
    "uncertain": "uncertain",
    "sweep": "with wording changed throughout",
    "moved_only": "only renumbered or renamed",
    "citation_only": "only citing new numbers",
    "typographic": "changed in typography",
}
SHORT = 160  # characters of a rule that only has to be recognised
_MOST_EARLIER, _FEW = 3, 60
# Words of headings that the rules capitalise within sentences.
_NAMES = {"Archenemy", "Brawl", "Commander", "EDH", "Giant", "Magic", "Mirrodin!", "Planechase"}
_NAMES |= {"Ring", "Saga", "Two-Headed", "Vanguard"}
# Kinds that the sentence about a number says.
_SAID = {"kept", "merged", "split", "uncertain", "gone", "new", "renumbered"}


def step_words(
    kinds: Iterable[str], old: str | None, new: str | None, class_: str = "", chance: float = 1
) -> str:
    """Return the words for a step from an old name, None if it is new, to a new one.

    >>> step_words(["renumbered", "reworded"], "600.4a", "800.4a"), step_words(["gone"], "511", None)
    ('renumbered, reworded', 'removed')
    >>> step_words(["renumbered"], "glossary: In-Play Zone", "glossary: Battlefield", "typographic")
    'renamed (typographic)'
    """
    terms = headword_of(old or ""), headword_of(new or "")
    moved = "renamed" if all(terms) else "moved" if any(terms) else "renumbered"
    names = {"gone": REMOVED, "renumbered": moved}
    said = ", ".join([names.get(kind, kind) for kind in kinds if kind != "kept"])
    return f"{said} {CLASSES.get(class_, '')}".strip() + confidence(chance)


def confidence(chance: float) -> str:
    """Return a confidence in brackets; "" if it is high."""
    return "" if chance >= SHOWN_CERTAIN else f" ({percent(chance)} confidence)"


def _names(names: Sequence[str], kinds: Sequence[str], most: int | None = None) -> str:
    """Return the first names, or all that it may have; a headword is in quotation marks."""
    shown = [f"“{headword}”" if (headword := headword_of(name)) else name for name in names]
    is_uncertain = "uncertain" in kinds and shown
    return f"perhaps {' or '.join(shown)}" if is_uncertain else ", ".join(shown[:most])


def fact(subject: Subject, target: EditionRow, row: CrosswalkRow) -> str:
    """Return the line about a number: since when and until when it meant a rule, and what that is."""
    labels, (first, last, since) = subject.base.labels, since_when(subject, target)
    when = f"since {first}" if last == labels[-1] else " to ".join(dict.fromkeys((first, last)))
    is_earlier, new = subject.edition.place > target.place, _names(row.new, row.kinds)
    there = "" if target == subject.base.current else f" in {target.label}"
    # One that has several heirs was divided, whatever else its parts were merged with.
    joined = next((kind for kind in ("merged", "split") if kind in row.kinds), "")
    joined = "split" if joined and row.new[1:] else joined
    after = labels[labels.index(last) + 1 :][:1]
    is_later = joined == "split" and bool(after) and since > after[0]
    if not new:
        how = f"did not exist yet{there}" if is_earlier else f"{REMOVED} on {since}"
        how = "perhaps " * ("uncertain" in row.kinds) + how
    elif "uncertain" in row.kinds:
        how = new + there
    elif is_earlier:
        how = f"was {new}{there}"
    elif row.new == [subject.name] and joined != "merged":
        how = f"still {new}{there}"
    else:
        how = f"{joined} into {new} on {since}" if joined else f"{new} since {since}"
        how = f"{new}, split on {since}" if is_later else how
    said = [kind for kind in row.kinds if kind not in _SAID] + ["decided"] * bool(row.read)
    said += filter(None, [confidence(row.confidence).strip(" ()")])
    about = f"{_names([subject.name], ())}, {when}: {how}"
    return about + (f" ({', '.join(said)})" if said else "")


def note_moves(matches: Iterable[Subject]) -> None:
    """Print a note about each number asked for that the provision shown no longer has."""
    for move, match in {it.move.asked: (it.move, it) for it in matches if it.move}.values():
        for subject in match.base.find(move.asked, move.edition):
            print_note(fact(subject, match.edition, destination_of(subject, match.edition)))


def other_lines(
    base: KnowledgeBase, asked: str, others: Iterable[OtherRule], target: EditionRow
) -> Iterator[str]:
    """Yield the lines about other rules that have had a number, each with its first words."""
    for other in others:
        bearer = base.find(asked, other.to)[0]
        yield fact(bearer, target, destination_of(bearer, target))
        yield from para(shortened(other.text, SHORT), 4) if other.text else ()


def then_and_now(
    base: KnowledgeBase, asked: Asked, shown: Sequence[Subject], *, is_said: bool = False
) -> list[str]:
    """Return the line about a number of an old edition: where its rule is today, and today's was.

    There is none if the number means the same rule today. If the page says where that is (`is_said`), the
    line only says what the number of today was.
    """
    kind, number, which, _ = asked
    current, first = base.current, shown[0]
    if kind != NUMBER or current is None or first.edition.place >= current.place:
        return []
    row, parts = destination_of(first, current), list[str]()
    is_same = number + which in row.new[:1] and "reworded" not in row.kinds
    if not (is_said or is_same or first.move):
        today, since = _names(row.new, row.kinds, 1), ", reworded since" * ("reworded" in row.kinds)
        today = (
            f"is {today} today" if today else f"was {REMOVED} on {since_when(first, current)[2]}"
        )
        parts.append(f"this {today}{confidence(row.confidence)}{since}")
    for state, was in namesakes(base, asked, shown)[:1]:
        then = _names([name_of(base.states[it]) for it in was.states], kinds_of(was.bits))
        how = f"was {then}" if then else "did not exist"
        parts.append(f"today's {name_of(state)} {how}{confidence(was.confidence)}")
    return ["; ".join(parts)] if parts else []


def to_type(match: Subject) -> list[str]:
    """Return what to type for the rules that a glossary entry names, and for its history."""
    if match.kind != "glossary":
        return []
    on = "" if match.edition == match.base.current else f" --on {match.edition.label}"
    named = dict.fromkeys(it.text for it in cites(match) if it.targets)
    rules = [f"rules: cr {' '.join(named)}{on}"] if named else []
    return [*rules, f"history: {join(['cr', 'history', match.heading])}{on}"]


def earlier_lines(
    base: KnowledgeBase, rules: Sequence[OtherRule], shown: Subject | None = None
) -> list[str]:
    """Return the lines about other rules that a number meant: the three longest, the newest first."""
    meanings: dict[tuple[str, ...], list[OtherRule]] = {}
    for rule in rules:
        meanings.setdefault((rule.number, rule.about, *rule.heirs), []).insert(0, rule)
    day = {it.label: date.fromisoformat(it.effective) for it in base.editions}
    spans = [(sum((day[it.to] - day[it.from_]).days for it in of), of) for of in meanings.values()]
    longest = [of for _, of in sorted(spans, key=itemgetter(0))[-_MOST_EARLIER:]]
    heading = shown.about if shown else ""
    lines = [_earlier(base, it, heading) for it in meanings.values() if it in longest]
    lines += [f"and {len(meanings) - len(lines)} more"] if len(meanings) > len(lines) else []
    return [*lines[:-1], *[f"{last} (cr history {rules[0].number})" for last in lines[-1:]]]


def _earlier(base: KnowledgeBase, periods: Sequence[OtherRule], heading: str) -> str:
    """Return the line about a rule that a number meant in some periods, below the heading of today's."""
    rule, labels, sure = periods[-1], base.labels, confidence(periods[-1].confidence)
    when = " and ".join(
        [f"on {it.to}" if it.to == it.from_ else f"from {it.from_} to {it.to}" for it in periods]
    )
    now, is_alike = _names(rule.heirs, rule.kinds, 1), fold_title(rule.about) == fold_title(heading)
    if is_alike and len(rule.heirs) == 1 and "uncertain" not in rule.kinds:
        return f"{rule.number} was {now}'s rule{sure} {when}"
    if labels.index(rule.from_) == min(run.first for run in base.runs(rule.number)):
        when = f"before {labels[labels.index(rule.to) + 1][:10]}"
    others = ", among others" if rule.heirs[1:] and "uncertain" not in rule.kinds else ""
    now = f"now {now}{others}" if now else f"{REMOVED} on {rule.removed}"
    words = [word if word in _NAMES else word.lower() for word in rule.about.split()]
    about = f"about {'the ' * (words[-1] in {'step', 'phase'})}{' '.join(words)}" if words else ""
    if is_alike or not words:  # only its words tell it apart
        about = f"“{shortened(rule.text, _FEW)}”" if rule.text else f"another rule {about}".rstrip()
    return f"{when.capitalize()}, {rule.number} was {about}, {now}{sure}"


def passage_lines(head: str, passage: Passage, shown: str, margin: int = 6) -> Iterator[str]:
    """Yield the line of a passage below a head that shows a name, then its words or the difference."""
    is_quoted = passage.verdict in {"agrees", "agrees elsewhere", "differs"}
    words = "" if is_quoted or not passage.words else f": {passage.words}"
    yield from para(f"{head} {told(passage, shown)}{words}", 2)
    yield from diffed(marked(passage.pieces), margin) if passage.pieces else ()


def announced_lines(announced: Sequence[Passage]) -> Iterator[str]:
    """Yield a line for each bulletin that announced a step, with the words beside its number."""
    for passage in announced:
        if witness := passage.witness:
            dated = f", {witness.dated}" if witness.dated else ""
            yield f"announced in {name_of_witness(witness)}{dated}: “{passage.words}”"
