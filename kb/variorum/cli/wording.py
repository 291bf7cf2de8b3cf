"""What commands say about steps and numbers: how a rule moved, how sure that is, what a number meant."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from variorum.answers.crosswalk import destination_of
from variorum.answers.editions import EditionEntry
from variorum.answers.finding import namesakes, since_when
from variorum.answers.knowledge_base import KnowledgeBase, Subject
from variorum.answers.questions import NUMBER, Asked
from variorum.cli.layout import para, print_note
from variorum.records.lineage import CrosswalkRow, OtherRule
from variorum.rows import SHOWN_CERTAIN, UNCERTAIN, headword_of, name_of
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
    "moved_only": "only renumbered or renamed",
    "citation_only": "only citing new numbers",
    "sweep": "with wording changed throughout",
    "typographic": "changed in typography",
}
_MOST_EARLIER, _SHORT = 3, 160
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


def shown_name(name: str) -> str:
    """Return a number, or a headword in quotation marks."""
    headword = headword_of(name)
    return f"“{headword}”" if headword else name


def _alternatives(names: Iterable[str], *, is_uncertain: bool) -> str:
    return f"{'perhaps ' * is_uncertain}{(' or ' if is_uncertain else ', ').join(names)}"


def fact(subject: Subject, target: EditionEntry, row: CrosswalkRow) -> str:
    """Return the line about a number: since when and until when it meant a rule, and what that is."""
    base, new = subject.base, [*map(shown_name, row.new)]
    first, last, since = since_when(subject, target)
    when = first if first == last else f"{first} to {last}"
    when = f"since {first}" if last == base.labels[-1] else when
    is_earlier, is_uncertain = subject.edition.place > target.place, "uncertain" in row.kinds
    there = "" if target == base.current else f" in {target.label}"
    joined = [kind for kind in ("merged", "split") if kind in row.kinds]
    if not new:
        how = f"did not exist yet{there}" if is_earlier else f"{REMOVED} on {since}"
        how = _alternatives([how], is_uncertain=is_uncertain)
    elif is_uncertain:
        how = _alternatives(new, is_uncertain=True) + there
    elif row.new == [subject.name] and "merged" not in row.kinds:
        how = f"{new[0]}{there}, too" if is_earlier else f"still {new[0]}{there}"
    elif is_earlier:
        how = f"was {', '.join(new)}{there}"
    else:
        how = f"{joined[0]} into " if joined else ""
        how += f"{', '.join(new)} {'on' if joined else 'since'} {since}"
    said = [kind for kind in row.kinds if kind not in _SAID] + ["decided"] * bool(row.read)
    said += filter(None, [confidence(row.confidence).strip(" ()")])
    tail = f" ({', '.join(said)})" if said else ""
    return f"{shown_name(subject.name)}, {when}: {how}{tail}"


def note_moves(matches: Iterable[Subject]) -> None:
    """Print a note about each number asked for that the provision shown no longer has."""
    for move, match in {it.move.asked: (it.move, it) for it in matches if it.move}.values():
        for subject in match.base.find(move.asked, move.edition):
            print_note(fact(subject, match.edition, destination_of(subject, match.edition)))


def other_lines(
    base: KnowledgeBase, asked: str, others: Iterable[OtherRule], target: EditionEntry
) -> Iterator[str]:
    """Yield the lines about other rules that have had a number, each with its first words."""
    for other in others:
        bearer = base.find(asked, other.to)[0]
        yield fact(bearer, target, destination_of(bearer, target))
        yield from para(shortened(other.text, _SHORT), 4) if other.text else ()


def then_and_now(
    base: KnowledgeBase, asked: Asked, shown: Sequence[Subject], *, is_said: bool = False
) -> list[str]:
    """Return the line about a number of an old edition: where its rule is today, and today's was.

    There is none if the number means the same rule today, or if the page says where that is
    (`is_said`) and the number means none today.
    """
    kind, number, which = asked.question
    current, first = base.current, shown[0]
    if kind != NUMBER or current is None or first.edition.place >= current.place:
        return []
    way, others = first.destination(current), namesakes(base, asked, shown)[:1]
    names = [shown_name(name_of(base.states[heir])) for heir in way.states]
    if not others and (is_said or first.move or number + which in names[:1]):
        return []
    parts: list[str] = []
    if not first.move:
        is_doubtful = bool(way.bits & UNCERTAIN)
        today = _alternatives(names if is_doubtful else names[:1], is_uncertain=is_doubtful)
        lost = f" on {base.labels[way.loss.edition]}" if way.loss else ""
        sure = "" if is_doubtful else confidence(way.confidence)
        parts.append(f"this is {today} today{sure}" if names else f"this was {REMOVED}{lost}")
    for state, was in others:
        then = [shown_name(name_of(base.states[it])) for it in was.states]
        how = f"was {'perhaps ' * bool(was.bits & UNCERTAIN)}{' or '.join(then)}"
        sure = confidence(was.confidence)
        parts.append(f"today's {name_of(state)} {how if then else 'did not exist'}{sure}")
    return ["; ".join(parts)]


def earlier_lines(
    base: KnowledgeBase, rules: Sequence[OtherRule], shown: Subject | None = None
) -> list[str]:
    """Return the lines about other rules that a number meant: the three longest, the newest first."""
    headings = [shown.heading, *(up.heading for up in reversed(shown.path()))] if shown else []
    about = next((heading for heading in headings if heading and heading != "General"), "")
    began = min([run.first for rule in rules for run in base.runs(rule.number)], default=0)

    def days(rule: OtherRule) -> int:
        first, last = (date.fromisoformat(label[:10]) for label in (rule.from_, rule.to))
        return (last - first).days

    longest, lines = sorted(rules, key=days)[-_MOST_EARLIER:], list[str]()
    for rule in [each for each in rules if each in longest]:
        when = f"in {rule.to}" if rule.to == rule.from_ else f"from {rule.from_} to {rule.to}"
        heirs, sure = [*map(shown_name, rule.heirs)], confidence(rule.confidence)
        is_alike = fold_title(rule.about) == fold_title(about)
        is_uncertain = "uncertain" in rule.kinds
        if is_alike and len(heirs) == 1 and not is_uncertain:
            lines.append(f"{rule.number} was {heirs[0]}'s rule{sure} {when}")
            continue
        if rule.from_ == base.labels[began]:
            when = f"before {base.labels[base.labels.index(rule.to) + 1][:10]}"
        now = f"now {heirs[0]}{', among others' if heirs[1:] else ''}" if heirs else ""
        now = now or f"{REMOVED} on {rule.removed}"
        if is_uncertain:
            now = "now " * bool(heirs) + _alternatives(heirs or [REMOVED], is_uncertain=True)
        words = [word if word in _NAMES else word.lower() for word in rule.about.split()]
        article = "the " if words and words[-1] in {"step", "phase"} else ""
        meant = ["another rule"] if is_alike or not words else []
        meant += [f"about {article}{' '.join(words)}"] if words else []
        lines.append(f"{when.capitalize()}, {rule.number} was {' '.join(meant)}, {now}{sure}")
    lines += [f"and {len(rules) - len(longest)} more"] if len(rules) > len(longest) else []
    for last in lines[-1:]:
        opening = f"{last[:-1]}; " if last.endswith(")") else f"{last} ("
        lines[-1] = f"{opening}cr history {rules[0].number})"
    return lines
