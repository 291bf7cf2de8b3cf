"""Another text of an edition that is held: of which edition it is a copy, and what differs."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.export import export_edition
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.lookup import unpacked
from variorum_kb.errors import LayoutError
from variorum_kb.history.diff import word_diff
from variorum_kb.history.holes import missing_line
from variorum_kb.rows import COPY_LAYOUT, EditionRow, State, full_text
from variorum_kb.sources.comparing.attestation import Attested
from variorum_kb.sources.comparing.originals import compare_provisions, keys_of
from variorum_kb.text.counts import counted
from variorum_kb.text.folding import plain_signs

# Of provisions that differ, so many are named.
_NAMED = 3
# What loses its sign, by the category of Unicode; a quotation mark may be an apostrophe.
_SIGNS = {"Pd": "dash", "Pi": "quotation mark", "Pf": "quotation mark"}
_QUOTES = "'\""


def attest_copy(
    base: KnowledgeBase, row: EditionRow, states: Sequence[State], day: str, file: str
) -> Attested:
    """Return what a copy of an edition attests: all of it, but for the passages listed.

    Args:
        base: It has an edition of that day.
        row: Of the copy.
        states: Its provisions in printed order.
        day: Of the edition that it is a copy of.
        file: Its name, for messages.

    Raises:
        LayoutError: The base has no edition of that day.
    """
    entries = [one for one in base.editions if one.effective.isoformat() == day]
    if not entries:
        raise LayoutError(f"a copy of {day}, of which there is no edition", file)
    compared = [(compare_provisions(base, one, states, "copy"), one) for one in entries]
    found, entry = min(compared, key=lambda one: (len(one[0].passages), -one[1].issue))
    rows = [match.state for match in base.provisions(entry)]
    dated = "" if row.effective == day else f", dated {row.effective}"
    differs = describe(rows, states) or _unlike(base, entry, row)
    return Attested(
        layout=COPY_LAYOUT,
        stated=row.effective,
        first=entry.place,
        last=entry.place,
        matched=found.alike,
        of=found.total,
        evidence=(f"copy of {entry.label}{dated}: {differs}", *_condition(row)),
        passages=tuple(found.passages),
    )


def _condition(row: EditionRow) -> tuple[str, ...]:
    return () if row.condition == "sound" else (row.condition,)


def _unlike(base: KnowledgeBase, entry: EditionEntry, row: EditionRow) -> str:
    """Return in what a copy differs that has the same rules and glossary."""
    known = export_edition(base, entry)
    if [known["introduction"], known["credits"]] != [
        unpacked(row.introduction),
        unpacked(row.credits),
    ]:
        return "the same rules, with another introduction or other credits"
    if known["edition"]["encoding"] != row.encoding:
        return f"the same words, in {row.encoding}"
    return "the same words"


def describe(there: Sequence[State], here: Sequence[State]) -> str:
    """Return how one text differs from another in a short phrase; "" if it does not.

    Args:
        there: The provisions of the edition.
        here: Those of the copy.
    """
    held = dict(zip(map(_paired, keys_of(there)), there, strict=True))
    copied = dict(zip(map(_paired, keys_of(here)), here, strict=True))
    parts: list[str] = []
    if gone := [one for key, one in held.items() if key not in copied]:
        parts.append(missing_line(gone, there))
    if added := [one for key, one in copied.items() if key not in held]:
        parts.append(missing_line(added, here).replace(" missing:", " added:"))
    pairs = [
        (one, copied[key])
        for key, one in held.items()
        if key in copied and _words(one) != _words(copied[key])
    ]
    parts += _in_words([pair for pair in pairs if _skeleton(pair[0]) != _skeleton(pair[1])])
    parts += _in_signs([pair for pair in pairs if _skeleton(pair[0]) == _skeleton(pair[1])])
    return "; ".join(parts)


def _paired(key: tuple[str, str, int]) -> tuple[str, str, int]:
    """Return by what a provision is paired: of a headword, the letters that no damage takes away."""
    kind, name, which = key
    return (kind, _ascii(name), which) if kind == "glossary" else key


_Pair = tuple[State, State]


def _words(one: State) -> str:
    return "\n".join([part for part in (one.heading, full_text(one.body)) if part])


def _skeleton(one: State) -> str:
    """Return the letters and digits of ASCII in a text, which no damaged encoding takes away."""
    return _ascii(_words(one))


def _ascii(text: str) -> str:
    return "".join([sign for sign in text if sign.isalnum() and sign.isascii()]).lower()


def _in_words(pairs: Sequence[_Pair]) -> Iterator[str]:
    if not pairs:
        return
    number = sum([_changed_words(_words(one), _words(other)) for one, other in pairs])
    names = [one.address for one, _ in pairs]
    more = len(names) - _NAMED
    listed = ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
    verb = "differs" if number == 1 else "differ"
    where = f" in {len(names):,} provisions" if more > 0 else ""
    yield f"{counted(number, 'word')} {verb}{where}: {listed}"


def _changed_words(one: str, other: str) -> int:
    """Return how many words went or came, a replaced one counting once."""
    number = went = came = 0
    for operation, text in (*word_diff(one, other), ("=", "")):
        if operation == "=":
            number, went, came = number + max(went, came), 0, 0
        elif operation == "-":
            went += len(text.split())
        else:
            came += len(text.split())
    return max(number, 1)


def _in_signs(pairs: Sequence[_Pair]) -> Iterator[str]:
    if not pairs:
        return
    lost: Counter[str] = Counter()
    for one, other in pairs:
        missing = _signs(_words(one)) - _signs(_words(other))
        lost.update(missing)
    for noun, number in _by_name(lost).items():
        yield counted(number, f"lost {noun}")
    if not lost:
        yield f"signs differ in {counted(len(pairs), 'provision')}"


def _signs(words: str) -> Counter[str]:
    """Count the signs and foreign letters of a text, with one spelling of quotes and dashes."""
    return Counter([one for one in plain_signs(words) if not (one.isalnum() and one.isascii())])


def _by_name(lost: Mapping[str, int]) -> dict[str, int]:
    """Count lost signs by what they are called; what merely marks a loss is none."""
    found: Counter[str] = Counter()
    for sign, number in sorted(lost.items()):
        category = unicodedata.category(sign)
        if sign in _QUOTES:
            found["quotation mark"] += number
        elif category in _SIGNS:
            found[_SIGNS[category]] += number
        elif not sign.isspace():
            found["letter" if category[0] == "L" else "sign"] += number
    return {noun: found[noun] for noun in sorted(found, key=lambda noun: (-found[noun], noun))}
