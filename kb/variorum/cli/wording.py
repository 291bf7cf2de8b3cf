"""What commands say about steps and numbers: how a rule moved, how sure that is, what a number meant."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from variorum.answers.editions import EditionEntry
from variorum.answers.finding import namesakes, other_rules, since_when
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import NUMBER, Asked
from variorum.answers.subject import Subject
from variorum.cli.layout import para
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
_MOST_EARLIER, _SHORT = 3, 160
# Words of headings that the rules capitalise within sentences.
_NAMES = {"Archenemy", "Brawl", "Commander", "EDH", "Giant", "Magic", "Mirrodin!", "Planechase"}
_NAMES |= {"Ring", "Saga", "Two-Headed", "Vanguard"}
# Kinds that the sentence about a number says.
_SAID = {"kept", "merged", "split", "uncertain", "gone", "new", "renumbered"}


# Steps -------------------------------------------------------------------------------------------


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


# What became of a number -------------------------------------------------------------------------


def fact(subject: Subject, target: EditionEntry, row: CrosswalkRow) -> str:
    """Return the line about a number: since when and until when it meant a rule, and what that is."""
    base = subject.base
    first, last, since = since_when(subject, target)
    is_latest, is_earlier = last == base.labels[-1], subject.edition.place > target.place
    when = f"since {first}" if is_latest else first if first == last else f"{first} to {last}"
    new = [*map(shown_name, row.new)]
    there = "" if target == base.current else f" in {target.label}"
    if not new:
        how = f"did not exist yet{there}" if is_earlier else f"removed on {since}"
        how = f"perhaps {how}" if "uncertain" in row.kinds else how
    elif "uncertain" in row.kinds:
        how = f"perhaps {' or '.join(new)}{there}"
    elif row.new == [subject.name] and "merged" not in row.kinds:
        how = f"{new[0]}{there}, too" if is_earlier else f"still {new[0]}{there}"
    elif is_earlier:
        how = f"was {', '.join(new)}{there}"
    elif "merged" in row.kinds or "split" in row.kinds:
        verb = "merged" if "merged" in row.kinds else "split"
        how = f"{verb} into {', '.join(new)} on {since}"
    else:
        how = f"{', '.join(new)} since {since}"
    said = [
        *[kind for kind in row.kinds if kind not in _SAID],
        *(["decided"] if row.read else []),
        *filter(None, [confidence(row.confidence).strip(" ()")]),
    ]
    tail = f" ({', '.join(said)})" if said else ""
    return f"{shown_name(subject.name)}, {when}: {how}{tail}"


def move_lines(matches: Iterable[Subject]) -> Iterator[str]:
    """Yield a line for each number asked for that the provision shown no longer has."""
    told: set[str] = set()
    for match in matches:
        move = match.move
        if move is not None and move.asked not in told:
            from variorum.answers.crosswalk import destination_of

            told.add(move.asked)
            for subject in match.base.find(move.asked, move.edition):
                yield fact(subject, match.edition, destination_of(subject, match.edition))


def other_lines(
    base: KnowledgeBase, asked: str, others: Iterable[OtherRule], target: EditionEntry
) -> Iterator[str]:
    """Yield the lines about other rules that have had a number, each with its first words."""
    from variorum.answers.crosswalk import destination_of

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
    way = first.destination(current)
    others = namesakes(base, asked, shown)
    names = [name_of(base.states[heir]) for heir in way.states]
    if not others and (is_said or first.move or number + which in names[:1]):
        return []
    parts: list[str] = []
    if not first.move:
        today = f"is {shown_name(names[0])} today{confidence(way.confidence)}" if names else ""
        if way.bits & UNCERTAIN and names:
            today = f"is perhaps {' or '.join(map(shown_name, names))} today"
        lost = f" on {base.labels[way.loss.edition]}" if way.loss else ""
        parts.append(f"this {today or f'was removed{lost}'}")
    for state, was in others[:1]:
        then = " or ".join([shown_name(name_of(base.states[it])) for it in was.states])
        how = f"was {'perhaps ' * bool(was.bits & UNCERTAIN)}{then}" if then else "did not exist"
        parts.append(f"today's {name_of(state)} {how}{confidence(was.confidence)}")
    return ["; ".join(parts)]


# Other rules that a number meant -----------------------------------------------------------------


def earlier_lines(
    base: KnowledgeBase, rules: Sequence[OtherRule], shown: Subject | None = None
) -> list[str]:
    """Return the lines about other rules that a number meant: the three longest, the newest first."""
    headings = [shown.heading, *(up.heading for up in reversed(shown.path()))] if shown else []
    about = next((heading for heading in headings if heading and heading != "General"), "")
    labels = base.labels
    began = min([run.first for rule in rules for run in base.runs(rule.number)], default=0)
    periods: dict[str, list[str]] = {}
    lengths: dict[str, int] = {}
    for rule in rules:
        is_alike = fold_title(rule.about) == fold_title(about)
        is_short = is_alike and len(rule.heirs) == 1 and "uncertain" not in rule.kinds
        when = f"in {rule.to}" if rule.to == rule.from_ else f"from {rule.from_} to {rule.to}"
        if rule.from_ == labels[began] and not is_short:
            when = f"before {labels[labels.index(rule.to) + 1][:10]}"
        meant = f"{rule.number} was {shown_name(rule.heirs[0])}'s rule" if is_short else ""
        meant = meant + confidence(rule.confidence) if meant else _meant(rule, is_alike=is_alike)
        periods.setdefault(meant, []).insert(0, when)
        days = date.fromisoformat(rule.to[:10]) - date.fromisoformat(rule.from_[:10])
        lengths[meant] = lengths.get(meant, 0) + days.days
    longest = sorted(periods, key=lambda meant: -lengths[meant])[:_MOST_EARLIER]
    lines: list[str] = []
    for meant, when in [(meant, " and ".join(periods[meant])) for meant in periods]:
        if meant in longest:
            is_short = "'s rule" in meant
            lines.append(f"{meant} {when}" if is_short else f"{when.capitalize()}, {meant}")
    if lines:
        typed = f"cr history {rules[0].number}"
        if more := len(periods) - len(longest):
            lines.append(f"and {more} more ({typed})")
        elif lines[-1].endswith(")"):
            lines[-1] = f"{lines[-1].removesuffix(')')}; {typed})"
        else:
            lines[-1] += f" ({typed})"
    return lines


def former_lines(base: KnowledgeBase, number: str) -> list[str]:
    """Return the lines about what a number that means nothing today has meant, if several rules."""
    current = base.current
    lines = earlier_lines(base, other_rules(base, number, current.place)) if current else []
    return lines if len(lines) > 1 else []


def _meant(rule: OtherRule, *, is_alike: bool) -> str:
    heirs, sure = [*map(shown_name, rule.heirs)], confidence(rule.confidence)
    now = f"now {heirs[0]}{', among others' if heirs[1:] else ''}" if heirs else ""
    now = now or f"{REMOVED} on {rule.removed}"
    if "uncertain" in rule.kinds:
        now = f"{'now ' if heirs else ''}perhaps {' or '.join(heirs) or REMOVED}"
    words = [word if word in _NAMES else word.lower() for word in rule.about.split()]
    article = ["the"] if words and words[-1] in {"step", "phase"} else []
    another = ["another rule"] if is_alike or not words else []
    about = ["about", *article, *words] if words else []
    return f"{rule.number} was {' '.join([*another, *about])}, {now}{sure}"
