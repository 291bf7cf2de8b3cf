"""Lines about numbers that have moved."""

from collections.abc import Iterable, Iterator, Sequence

from variorum.answers.moves import Earlier, Namesake, day_after
from variorum.answers.subject import Subject
from variorum.records.provision import Moved
from variorum.rows import SHOWN_CERTAIN, headword_of
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
                yield _line(move, is_back=move.edition > match.edition.label)
            listed.add(move.asked)


def namesake_lines(namesakes: Iterable[Namesake]) -> Iterator[str]:
    """Yield a line for each number that another provision has today, with its former number."""
    for namesake in namesakes:
        kind = "rule" if namesake.kind == "subrule" else namesake.kind
        words = f"today's {namesake.name} is another {kind}"
        heirs, sure = " or ".join(map(_shown, namesake.heirs)), _confidence(namesake.confidence)
        if not heirs:
            yield f"{words}; the edition of {namesake.edition} does not have it{sure}"
        else:
            how = "perhaps " if namesake.is_uncertain else ""
            yield f"{words}; in the edition of {namesake.edition} it is {how}{heirs}{sure}"


def earlier_lines(earlier: Iterable[Sequence[Earlier]]) -> list[str]:
    """Return the lines about other rules that numbers meant before, up to three for each number."""
    lines: dict[str, None] = {}
    for meanings in earlier:
        periods: dict[str, list[str]] = {}
        for meaning in meanings:
            rule = meaning.rule
            when = f"from {rule.from_} to {rule.to}"
            when = f"before {day_after(rule.to)}" if meaning.is_first else when
            periods.setdefault(_meant(meaning), []).insert(0, when)
        for meant, (first, *rest) in [*periods.items()][:_MOST_EARLIER]:
            lines[f"{' and '.join([first.capitalize(), *rest])}, {meant}"] = None
        if len(periods) > _MOST_EARLIER:
            more = len(periods) - _MOST_EARLIER
            lines[f"and {more} more: cr where {meanings[0].rule.number}"] = None
    return [*lines]


def _meant(meaning: Earlier) -> str:
    rule, is_uncertain = meaning.rule, "uncertain" in meaning.rule.kinds
    heirs = [*map(_shown, rule.heirs)]
    if is_uncertain:
        now = f"perhaps {' or '.join(heirs) or 'removed'}"
    elif heirs:
        now = heirs[0] + (", among others" if heirs[1:] else "")
    else:
        now = f"removed on {rule.removed}"
    now += _confidence(rule.confidence)
    if meaning.is_alike and heirs and not is_uncertain:
        return f"{rule.number} was today's {now}"
    was = "another rule" if meaning.is_alike or not rule.about else ""
    about = f"about {_in_a_sentence(rule.about)}" if rule.about else ""
    was = " ".join(filter(None, (was, about)))
    return f"{rule.number} was {was}, {'now ' if heirs else ''}{now}"


def _in_a_sentence(heading: str) -> str:
    """Return a heading without its capital letters, except in names.

    >>> _in_a_sentence("The Magic Golden Rules"), _in_a_sentence("Draw Step")
    ('the Magic golden rules', 'the draw step')
    """
    words = [word if word in _NAMES else word.lower() for word in heading.split(" ")]
    article = ["the"] if words[-1] in {"step", "phase"} else []
    return " ".join([*article, *words])


def _line(move: Moved, *, is_back: bool) -> str:
    asked, (heir, *others) = _shown(move.asked), [*map(_shown, move.heirs)]
    which = "first" if is_back else "last"
    words = f"{asked}, {which} printed in {move.edition},"
    why = f"cr history {_typed(move.asked)} --on {move.edition} --evidence"
    sure = _confidence(move.confidence)
    if "uncertain" in move.kinds:
        return f"{words} may be {' or '.join([heir, *others])}{sure}; {why} says why"
    if is_back:
        line = f"{words} was {heir} (since {move.since}){sure}"
    elif "merged" in move.kinds:
        line = f"{words} has been part of {heir} since {move.since}{sure}; {why} says how"
    else:
        line = f"{words} has been {heir} since {move.since}{sure}"
    if not others:
        return line
    more = " and ".join([", ".join(others[:-1]), others[-1]] if others[1:] else others)
    if "split" in move.kinds:
        typed = " ".join(map(_typed, move.heirs[1:]))
        return f"{line}, with parts of it in {more}: cr {typed}"
    repeats = "repeats" if len(others) == 1 else "repeat"
    return f"{line}; {more} {repeats} it" if "copied" in move.kinds else line


def _confidence(confidence: float) -> str:
    return "" if confidence >= SHOWN_CERTAIN else f" ({percent(confidence)} confidence)"


def _shown(name: str) -> str:
    headword = headword_of(name)
    return f"“{headword}”" if headword else name


def _typed(name: str) -> str:
    headword = headword_of(name)
    return f'"{headword}"' if headword else name
