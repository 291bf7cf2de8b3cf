"""Lines about numbers that mean or meant another rule."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from variorum.answers.editions import find_edition
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.moves import Earlier, day_after, find_meanings
from variorum.answers.questions import NUMBER, Asked
from variorum.answers.subject import Subject
from variorum.cli.layout import listed_names, shown_name
from variorum.history.lineages import Destination
from variorum.records.provision import Moved
from variorum.rows import SHOWN_CERTAIN, UNCERTAIN, headword_of, name_of
from variorum.text import percent

_MOST_EARLIER = 3
# Words of headings that the rules capitalise within sentences.
_NAMES = {"Archenemy", "Brawl", "Commander", "EDH", "Giant", "Magic", "Mirrodin!", "Planechase"}
_NAMES |= {"Ring", "Saga", "Two-Headed", "Vanguard"}


def move_lines(matches: Iterable[Subject]) -> Iterator[str]:
    """Yield a line for each provision whose present number is not the one asked for."""
    listed: set[str] = set()
    for match in matches:
        move = match.move
        if move is not None:
            if not ("uncertain" in move.kinds and move.asked in listed):
                yield _moved(move, is_back=move.edition > match.edition.label)
            listed.add(move.asked)


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
    parts = [] if first.move else [f"this {_today(base, way, names)}"]
    for namesake in namesakes[:1]:
        was = " or ".join(map(shown_name, namesake.heirs))
        how = "was perhaps" if namesake.is_uncertain else "was"
        sure = confidence(namesake.confidence)
        parts.append(f"today's {namesake.name} {f'{how} {was}' if was else 'did not exist'}{sure}")
    return ["; ".join(parts)]


def _today(base: KnowledgeBase, way: Destination, names: Sequence[str]) -> str:
    """Return where a rule is today."""
    if not names:
        return f"was removed on {base.labels[way.loss.edition]}" if way.loss else "was removed"
    if way.bits & UNCERTAIN:
        return f"is perhaps {' or '.join(map(shown_name, names))} today"
    return f"is {shown_name(names[0])} today{confidence(way.confidence)}"


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
    lines = [_line(meant, " and ".join(periods[meant])) for meant in periods if meant in longest]
    if lines:
        more = len(periods) - len(longest)
        typed = f"cr history {meanings[0].rule.number}"
        lines = [*lines, f"and {more} more ({typed})"] if more else lines
        is_closed = lines[-1].endswith(")")
        end = lines[-1].removesuffix(")")
        lines[-1] = lines[-1] if more else f"{end}; {typed})" if is_closed else f"{end} ({typed})"
    return lines


def former_lines(base: KnowledgeBase, number: str) -> list[str]:
    """Return the lines about what a number that means nothing today has meant, if several rules."""
    lines = earlier_lines(base, find_meanings(base, number))
    return lines if len(lines) > 1 else []


def _line(meant: str, when: str) -> str:
    return (
        f"{meant} {when}"
        if " was " in meant and "'s rule" in meant
        else f"{when.capitalize()}, {meant}"
    )


def _meant(meaning: Earlier) -> tuple[str, bool]:
    """Return what a number meant, and whether that is a rule that only moved among its kin."""
    rule, is_uncertain = meaning.rule, "uncertain" in meaning.rule.kinds
    heirs = [*map(shown_name, rule.heirs)]
    if is_uncertain:
        now = f"perhaps {' or '.join(heirs) or 'removed'}"
    elif heirs:
        now = heirs[0] + (", among others" if heirs[1:] else "")
    else:
        now = f"removed on {rule.removed}"
    now += confidence(rule.confidence)
    if meaning.is_alike and len(heirs) == 1 and not is_uncertain:
        return f"{rule.number} was {heirs[0]}'s rule{confidence(rule.confidence)}", True
    was = "another rule" if meaning.is_alike or not rule.about else ""
    about = f"about {_in_a_sentence(rule.about)}" if rule.about else ""
    was = " ".join(filter(None, (was, about)))
    return f"{rule.number} was {was}, {'now ' if heirs else ''}{now}", False


def _in_a_sentence(heading: str) -> str:
    """Return a heading without its capital letters, except in names.

    >>> _in_a_sentence("The Magic Golden Rules"), _in_a_sentence("Draw Step")
    ('the Magic golden rules', 'the draw step')
    """
    words = [word if word in _NAMES else word.lower() for word in heading.split(" ")]
    article = ["the"] if words[-1] in {"step", "phase"} else []
    return " ".join([*article, *words])


def _moved(move: Moved, *, is_back: bool) -> str:
    asked, (heir, *others) = shown_name(move.asked), [*map(shown_name, move.heirs)]
    which = "first" if is_back else "last"
    words = f"{asked}, {which} printed in {move.edition},"
    why = f"cr history {_typed(move.asked)} --on {move.edition} --evidence"
    sure = confidence(move.confidence)
    if "uncertain" in move.kinds:
        return f"{words} may be {' or '.join([heir, *others])}{sure}; {why} says why"
    if is_back:
        line = f"{words} was {heir} (since {move.since}){sure}"
    elif "merged" in move.kinds:
        line = f"{words} has been part of {heir} since {move.since}{sure}; {why} says how"
    else:
        line = f"{words} has been {heir} since {move.since}{sure}"
    if others and "split" in move.kinds:
        typed = " ".join(map(_typed, move.heirs[1:]))
        return f"{line}, with parts of it in {listed_names(move.heirs[1:])}: cr {typed}"
    repeats = "repeats" if len(others) == 1 else "repeat"
    is_copied = others and "copied" in move.kinds
    return f"{line}; {listed_names(move.heirs[1:])} {repeats} it" if is_copied else line


def confidence(chance: float) -> str:
    """Return a confidence in brackets; "" if it is high."""
    return "" if chance >= SHOWN_CERTAIN else f" ({percent(chance)} confidence)"


def _typed(name: str) -> str:
    headword = headword_of(name)
    return f'"{headword}"' if headword else name
