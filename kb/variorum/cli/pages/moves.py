"""Lines about numbers that have moved."""

from variorum.rows import COPIED, MERGED, SPLIT, UNCERTAIN, headword_of
from variorum.thresholds.sure import SHOWN_CERTAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from variorum.answers.earlier import Earlier
    from variorum.answers.namesakes import Namesake
    from variorum.answers.numbers_elsewhere import Move


_MOST_EARLIER = 3
# Words of headings that the rules capitalise within sentences.
_NAMES = {"Archenemy", "Brawl", "Commander", "EDH", "Giant", "Magic", "Mirrodin!", "Planechase"}
_NAMES |= {"Ring", "Saga", "Two-Headed", "Vanguard"}


def move_lines(moves: "Iterable[Move]") -> "Iterator[str]":
    """Yield a line for each provision whose present number is not the one asked for."""
    listed: set[str] = set()
    for move in moves:
        if not (move.bits & UNCERTAIN and move.asked in listed):
            yield _line(move)
        listed.add(move.asked)


def namesake_lines(namesakes: "Iterable[Namesake]") -> "Iterator[str]":
    """Yield a line for each number that another provision has today, with its former number."""
    for namesake in namesakes:
        kind = "rule" if namesake.kind == "subrule" else namesake.kind
        words = f"today's {namesake.name} is another {kind}"
        heirs = " or ".join(map(_shown, namesake.heirs))
        if not heirs:
            yield f"{words}; the edition of {namesake.edition} does not have it"
        else:
            how = "perhaps " if namesake.bits & UNCERTAIN else ""
            yield f"{words}; in the edition of {namesake.edition} it is {how}{heirs}"


def earlier_lines(earlier: "Iterable[Sequence[Earlier]]") -> list[str]:
    """Return the lines about other rules that numbers meant before, up to three for each number."""
    lines: dict[str, None] = {}
    for meanings in earlier:
        periods: dict[str, list[str]] = {}
        for meaning in meanings:
            when = f"from {meaning.first} to {meaning.last}"
            when = f"before {meaning.until}" if meaning.is_first else when
            periods.setdefault(_meant(meaning), []).insert(0, when)
        for meant, (first, *rest) in [*periods.items()][:_MOST_EARLIER]:
            lines[f"{' and '.join([first.capitalize(), *rest])}, {meant}"] = None
        if len(periods) > _MOST_EARLIER:
            more = len(periods) - _MOST_EARLIER
            lines[f"and {more} more: cr where {meanings[0].number}"] = None
    return [*lines]


def _meant(meaning: "Earlier") -> str:
    heirs = [*map(_shown, meaning.heirs)]
    if meaning.bits & UNCERTAIN:
        now = f"perhaps {' or '.join(heirs) or 'removed'}"
    elif heirs:
        now = heirs[0] + (", among others" if heirs[1:] else "")
    else:
        now = f"removed on {meaning.removed}"
    if heirs and meaning.confidence < SHOWN_CERTAIN:
        now += _confidence(meaning.confidence)
    if meaning.is_alike and heirs and not meaning.bits & UNCERTAIN:
        return f"{meaning.number} was today's {now}"
    was = "another rule" if meaning.is_alike or not meaning.about else ""
    about = f"about {_in_a_sentence(meaning.about)}" if meaning.about else ""
    was = " ".join(filter(None, (was, about)))
    return f"{meaning.number} was {was}, {'now ' if heirs else ''}{now}"


def _in_a_sentence(heading: str) -> str:
    """Return a heading without its capital letters, except in names.

    >>> _in_a_sentence("The Magic Golden Rules"), _in_a_sentence("Draw Step")
    ('the Magic golden rules', 'the draw step')
    """
    words = [word if word in _NAMES else word.lower() for word in heading.split(" ")]
    article = ["the"] if words[-1] in {"step", "phase"} else []
    return " ".join([*article, *words])


def _line(move: "Move") -> str:
    asked, (heir, *others) = _shown(move.asked), [*map(_shown, move.heirs)]
    which = "first" if move.is_back else "last"
    words = f"{asked}, {which} printed in {move.edition},"
    why = f"cr history {_typed(move.asked)} --on {move.edition} --evidence"
    sure = _confidence(move.confidence) if move.confidence < SHOWN_CERTAIN else ""
    if move.bits & UNCERTAIN:
        return f"{words} may be {' or '.join([heir, *others])}{sure}; {why} says why"
    if move.is_back:
        line = f"{words} was {heir} (since {move.since}){sure}"
    elif move.bits & MERGED:
        line = f"{words} has been part of {heir} since {move.since}{sure}; {why} says how"
    else:
        line = f"{words} has been {heir} since {move.since}{sure}"
    if not others:
        return line
    more = " and ".join([", ".join(others[:-1]), others[-1]] if others[1:] else others)
    if move.bits & SPLIT:
        typed = " ".join(map(_typed, move.heirs[1:]))
        return f"{line}, with parts of it in {more}: cr {typed}"
    repeats = "repeats" if len(others) == 1 else "repeat"
    return f"{line}; {more} {repeats} it" if move.bits & COPIED else line


def _confidence(confidence: float) -> str:
    from variorum.text.counts import percent

    return f" ({percent(confidence)} confidence)"


def _shown(name: str) -> str:
    headword = headword_of(name)
    return f"“{headword}”" if headword else name


def _typed(name: str) -> str:
    headword = headword_of(name)
    return f'"{headword}"' if headword else name
