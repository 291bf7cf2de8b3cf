"""What commands say about steps and numbers: how a rule moved, how sure that is, what a number meant."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from variorum.answers.editions import find_edition
from variorum.answers.finding import Earlier, day_after, find_meanings
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import NUMBER, Asked
from variorum.answers.subject import Subject
from variorum.records.provision import Moved
from variorum.rows import SHOWN_CERTAIN, STEP_CERTAIN, UNCERTAIN, headword_of, name_of
from variorum.text import fold_title, percent

if TYPE_CHECKING:
    from variorum.answers.diff import Change
    from variorum.records.lineage import Step

REMOVED = "removed"
# The words for classes of changes that leave a rule as it is.
CLASSES = {
    "sweep": "(wording changed throughout)",
    "citation-only": "(only cites new numbers)",
    "typographic": "(typographic)",
}
_MOST_EARLIER = 3
# Words of headings that the rules capitalise within sentences.
_NAMES = {"Archenemy", "Brawl", "Commander", "EDH", "Giant", "Magic", "Mirrodin!", "Planechase"}
_NAMES |= {"Ring", "Saga", "Two-Headed", "Vanguard"}


# Steps -------------------------------------------------------------------------------------------


def step_words(kinds: Iterable[str], old: str | None, new: str | None) -> list[str]:
    """Return the words for the kinds of a step from an old name, None if it is new, to a new one.

    >>> step_words(["renumbered", "reworded"], "600.4a", "800.4a"), step_words(["gone"], "511", None)
    (['renumbered', 'reworded'], ['removed'])
    >>> step_words(["renumbered"], "glossary: In-Play Zone", "glossary: Battlefield")
    ['renamed']
    >>> step_words(["renumbered"], "glossary: Bushido", "glossary: “Bushido”")
    ['(typographic)']
    """
    terms = headword_of(old or ""), headword_of(new or "")
    moved = "renumbered"
    if all(terms):
        is_same = fold_title(terms[0]) == fold_title(terms[1])
        moved = CLASSES["typographic"] if is_same else "renamed"
    elif any(terms):
        moved = "moved"
    return [{"gone": REMOVED, "renumbered": moved}.get(kind, kind) for kind in kinds]


def doubt_of(step: "Change | Step") -> str:
    """Return "probably" for a step that is likely but not certain, "perhaps" below even chances, or ""."""
    if step.confidence >= SHOWN_CERTAIN:
        return ""
    return "probably" if step.confidence >= STEP_CERTAIN else "perhaps"


def with_doubt(words: str, step: "Change | Step") -> str:
    """Return words about a step with its doubt before them, unless they call it uncertain."""
    return words if "uncertain" in step.kinds else f"{doubt_of(step)} {words}".lstrip()


def confidence(chance: float) -> str:
    """Return a confidence in brackets; "" if it is high."""
    return "" if chance >= SHOWN_CERTAIN else f" ({percent(chance)} confidence)"


def shown_name(name: str) -> str:
    """Return a number, or a headword in quotation marks."""
    headword = headword_of(name)
    return f"“{headword}”" if headword else name


def listed_names(names: Sequence[str], joint: str = "and") -> str:
    """Return names as a sentence lists them."""
    *others, last = [shown_name(name) for name in names] or [""]
    return f"{', '.join(others)} {joint} {last}" if others else last


def _typed(name: str) -> str:
    headword = headword_of(name)
    return f'"{headword}"' if headword else name


# Numbers that moved ------------------------------------------------------------------------------


def move_lines(matches: Iterable[Subject]) -> Iterator[str]:
    """Yield a line for each provision whose present number is not the one asked for."""
    listed: set[str] = set()
    for match in matches:
        move = match.move
        if move is not None:
            if not ("uncertain" in move.kinds and move.asked in listed):
                yield _moved(move, is_back=move.edition > match.edition.label)
            listed.add(move.asked)


def _moved(move: Moved, *, is_back: bool) -> str:
    heir, *others = map(shown_name, move.heirs)
    sure = confidence(move.confidence)
    words = f"{shown_name(move.asked)}, {'first' if is_back else 'last'} printed in {move.edition},"
    why = f"cr history {_typed(move.asked)} --on {move.edition} --evidence"
    if "uncertain" in move.kinds:
        return f"{words} may be {' or '.join([heir, *others])}{sure}; {why} says why"
    if is_back:
        line = f"{words} was {heir} (since {move.since}){sure}"
    elif "merged" in move.kinds:
        line = f"{words} has been part of {heir} since {move.since}{sure}; {why} says how"
    else:
        line = f"{words} has been {heir} since {move.since}{sure}"
    names = listed_names(move.heirs[1:]) if others else ""
    if others and "split" in move.kinds:
        return f"{line}, with parts of it in {names}: cr {' '.join(map(_typed, move.heirs[1:]))}"
    is_copied = others and "copied" in move.kinds
    return f"{line}; {names} {'repeat' if others[1:] else 'repeats'} it" if is_copied else line


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
    namesakes = base.namesakes(asked, shown)
    names = [name_of(base.states[heir]) for heir in way.states]
    if not namesakes and (is_said or first.move or number + which in names[:1]):
        return []
    parts: list[str] = []
    if not first.move:
        today = f"is {shown_name(names[0])} today{confidence(way.confidence)}" if names else ""
        if way.bits & UNCERTAIN and names:
            today = f"is perhaps {' or '.join(map(shown_name, names))} today"
        lost = f" on {base.labels[way.loss.edition]}" if way.loss else ""
        parts.append(f"this {today or f'was removed{lost}'}")
    for namesake in namesakes[:1]:
        was = " or ".join(map(shown_name, namesake.heirs))
        how = f"was {'perhaps ' if namesake.is_uncertain else ''}{was}" if was else "did not exist"
        parts.append(f"today's {namesake.name} {how}{confidence(namesake.confidence)}")
    return ["; ".join(parts)]


# Other rules that a number meant -----------------------------------------------------------------


def earlier_lines(base: KnowledgeBase, meanings: Sequence[Earlier]) -> list[str]:
    """Return the lines about other rules that a number meant: the three longest, the newest first."""
    periods: dict[str, list[str]] = {}
    lengths: dict[str, int] = {}
    for meaning in meanings:
        rule = meaning.rule
        meant, is_short = _meant(meaning)
        last = find_edition(base.editions, rule.to)
        until = last.label if last else rule.to
        when = f"in {until}" if until == rule.from_ else f"from {rule.from_} to {until}"
        if meaning.is_first and not is_short:
            when = f"before {day_after(rule.to)}"
        periods.setdefault(meant, []).insert(0, when)
        days = date.fromisoformat(rule.to) - date.fromisoformat(rule.from_)
        lengths[meant] = lengths.get(meant, 0) + days.days
    longest = sorted(periods, key=lambda meant: -lengths[meant])[:_MOST_EARLIER]
    lines: list[str] = []
    for meant, whens in periods.items():
        when = " and ".join(whens)
        is_short = " was " in meant and "'s rule" in meant
        if meant in longest:
            lines.append(f"{meant} {when}" if is_short else f"{when.capitalize()}, {meant}")
    if lines:
        more, typed = len(periods) - len(longest), f"cr history {meanings[0].rule.number}"
        if more:
            lines.append(f"and {more} more ({typed})")
        elif lines[-1].endswith(")"):
            lines[-1] = f"{lines[-1].removesuffix(')')}; {typed})"
        else:
            lines[-1] += f" ({typed})"
    return lines


def former_lines(base: KnowledgeBase, number: str) -> list[str]:
    """Return the lines about what a number that means nothing today has meant, if several rules."""
    lines = earlier_lines(base, find_meanings(base, number))
    return lines if len(lines) > 1 else []


def _meant(meaning: Earlier) -> tuple[str, bool]:
    """Return what a number meant, and whether that is a rule that only moved among its kin."""
    rule, is_uncertain = meaning.rule, "uncertain" in meaning.rule.kinds
    heirs, sure = [*map(shown_name, rule.heirs)], confidence(meaning.rule.confidence)
    if meaning.is_alike and len(heirs) == 1 and not is_uncertain:
        return f"{rule.number} was {heirs[0]}'s rule{sure}", True
    now = f"now {heirs[0]}{', among others' if heirs[1:] else ''}" if heirs else ""
    now = now or f"{REMOVED} on {rule.removed}"
    if is_uncertain:
        now = f"{'now ' if heirs else ''}perhaps {' or '.join(heirs) or REMOVED}"
    another = "another rule" if meaning.is_alike or not rule.about else ""
    about = f"about {_in_a_sentence(rule.about)}" if rule.about else ""
    was = " ".join(filter(None, (another, about)))
    return f"{rule.number} was {was}, {now}{sure}", False


def _in_a_sentence(heading: str) -> str:
    """Return a heading without its capital letters, except in names.

    >>> _in_a_sentence("The Magic Golden Rules"), _in_a_sentence("Draw Step")
    ('the Magic golden rules', 'the draw step')
    """
    words = [word if word in _NAMES else word.lower() for word in heading.split(" ")]
    article = ["the"] if words[-1] in {"step", "phase"} else []
    return " ".join([*article, *words])
