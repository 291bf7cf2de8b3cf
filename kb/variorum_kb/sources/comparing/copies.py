"""Compares copies with their edition in the base."""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from variorum_kb.answers.edition_entry import EditionEntry
from variorum_kb.answers.exports.export import export_edition
from variorum_kb.answers.knowledge_base import KnowledgeBase
from variorum_kb.answers.lookup import unpacked
from variorum_kb.history.holes import missing_line
from variorum_kb.history.word_diffs.diff import word_diff
from variorum_kb.rows import State
from variorum_kb.sources.comparing.attestation_types import Attested
from variorum_kb.sources.comparing.originals import compare_with_day, keys_of, words_of
from variorum_kb.stored_rows import COPY_LAYOUT, EditionRow
from variorum_kb.text.counts import counted, listed
from variorum_kb.text.folding import plain_signs

# The most differing provisions to name.
_NAMED = 3
# Names of lost signs, by Unicode category. A lost quotation mark may be an apostrophe.
_SIGNS = {"Pd": "dash", "Pi": "quotation mark", "Pf": "quotation mark"}
_QUOTES = "'\""


def attest_copy(
    base: KnowledgeBase, row: EditionRow, states: Sequence[State], day: str, file: str
) -> Attested:
    """Return what a copy attests: its edition except the listed passages.

    Raises:
        LayoutError: The base has no edition of that day.
    """
    entry, comparison = compare_with_day(base, day, states, "copy", file)
    rows = [match.state for match in base.provisions(entry)]
    dated = "" if row.effective == day else f", dated {row.effective}"
    differs = describe(rows, states) or _unlike(base, entry, row)
    return Attested(
        layout=COPY_LAYOUT,
        stated=row.effective,
        first=entry.place,
        last=entry.place,
        matched=comparison.alike,
        of=comparison.total,
        evidence=(f"copy of {entry.label}{dated}: {differs}", *_condition(row)),
        passages=tuple(comparison.passages),
    )


def _condition(row: EditionRow) -> tuple[str, ...]:
    return () if row.condition == "sound" else (row.condition,)


def _unlike(base: KnowledgeBase, entry: EditionEntry, row: EditionRow) -> str:
    """Return how a copy with the same rules and glossary differs."""
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
    """Return a short phrase on how two texts differ; "" if they do not."""
    held = dict(zip(map(_paired, keys_of(there)), there, strict=True))
    copied = dict(zip(map(_paired, keys_of(here)), here, strict=True))
    parts: list[str] = []
    if gone := [state for key, state in held.items() if key not in copied]:
        parts.append(missing_line(gone, there))
    if added := [state for key, state in copied.items() if key not in held]:
        parts.append(missing_line(added, here).replace(" missing:", " added:"))
    pairs = [
        (state, copied[key])
        for key, state in held.items()
        if key in copied and words_of(state) != words_of(copied[key])
    ]
    parts += _in_words([pair for pair in pairs if _skeleton(pair[0]) != _skeleton(pair[1])])
    parts += _in_signs([pair for pair in pairs if _skeleton(pair[0]) == _skeleton(pair[1])])
    return "; ".join(parts)


def _paired(key: tuple[str, str, int]) -> tuple[str, str, int]:
    """Return the key that pairs a provision; a headword keeps only ASCII letters and digits."""
    kind, name, count = key
    return (kind, _ascii(name), count) if kind == "glossary" else key


_Pair = tuple[State, State]


def _skeleton(state: State) -> str:
    """Return the ASCII letters and digits of a text, which survive a damaged encoding."""
    return _ascii(words_of(state))


def _ascii(text: str) -> str:
    return "".join([sign for sign in text if sign.isalnum() and sign.isascii()]).lower()


def _in_words(pairs: Sequence[_Pair]) -> Iterator[str]:
    if not pairs:
        return
    number = sum([_changed_words(words_of(held), words_of(copied)) for held, copied in pairs])
    names = [held.address for held, _ in pairs]
    verb = "differs" if number == 1 else "differ"
    where = f" in {len(names):,} provisions" if len(names) > _NAMED else ""
    yield f"{counted(number, 'word')} {verb}{where}: {listed(names, _NAMED)}"


def _changed_words(before: str, after: str) -> int:
    """Return the number of words removed or added; a replaced word counts once."""
    number = went = came = 0
    for operation, text in (*word_diff(before, after), ("=", "")):
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
    for held, copied in pairs:
        missing = _signs(words_of(held)) - _signs(words_of(copied))
        lost.update(missing)
    names = _by_name(lost)
    for noun, number in names.items():
        yield counted(number, f"lost {noun}")
    if not names:
        yield f"signs differ in {counted(len(pairs), 'provision')}"


def _signs(words: str) -> Counter[str]:
    """Count the signs and foreign letters of a text, with one spelling of quotes and dashes."""
    return Counter([sign for sign in plain_signs(words) if not (sign.isalnum() and sign.isascii())])


def _by_name(lost: Mapping[str, int]) -> dict[str, int]:
    """Count lost signs by name, without signs that mark a loss."""
    counts: Counter[str] = Counter()
    for sign, number in sorted(lost.items()):
        category = unicodedata.category(sign)
        if sign in _QUOTES:
            counts["quotation mark"] += number
        elif category in _SIGNS:
            counts[_SIGNS[category]] += number
        elif not sign.isspace():
            counts["letter" if category[0] == "L" else "sign"] += number
    return {noun: counts[noun] for noun in sorted(counts, key=lambda noun: (-counts[noun], noun))}
