"""Set editions: a table of them, or one with what there is to ask about it."""

from variorum_kb.cli.pages.diff import bold, paragraph
from variorum_kb.cli.pages.provisions import wrap
from variorum_kb.text.counts import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from variorum_kb.answers.edition_entry import EditionEntry
    from variorum_kb.forms.edition import ListedEditionJson

_ROW = "{:12}  {:4}  {:44}  {:>5}  {:>8}  {:>8}  {}"
# A narrower terminal has the name of the set last, and no counts of examples and terms.
_NARROW = 110
_NARROW_ROW = "{:12}  {:4}  {:>5}  "
_ASK = (
    ("cr toc --on {}", "its chapters and sections"),
    ("cr changes {}", "what it changed"),
    ("cr diff {} current", "what changed since"),
    ("cr search WORDS --on {}", "search it"),
    ("cr export {}", "all of it"),
)


def set_edition(found: "ListedEditionJson", *, width: int, is_coloured: bool) -> str:
    """Return what an edition is, when it was in force, and what to type next.

    Args:
        found: In the form of `cr editions --json`.
        width: Of the terminal, in columns; 0 sets a paragraph a line.
        is_coloured: The title stands out.
    """
    label = found["label"]
    code = f" ({found['set_code']})" if found["set_code"] else ""
    title = f"Edition of {label}"
    named = f"{bold(title, is_coloured=is_coloured)}  {found['set_name']}{code}".rstrip()
    lines = [named]
    for words in _facts(found):
        lines += paragraph(words, 2, width, is_coloured=False)
    asked = [(typed.format(label), words) for typed, words in _ASK]
    if found["previous"] is None:
        asked = [row for row in asked if not row[0].startswith("cr changes")]
    if found["next"] is None:
        asked = [row for row in asked if not row[0].startswith("cr diff")]
    widest = max(len(typed) for typed, _ in asked)
    return "\n".join([*lines, "", *(f"  {typed:<{widest}}  {words}" for typed, words in asked), ""])


def _facts(found: "ListedEditionJson") -> "Iterator[str]":
    until = found["until"]
    yield f"in force from {found['effective']}" + (f" until {until}" if until else "")
    yield ", ".join(
        [
            counted(found["sections"], "section"),
            counted(found["rules"], "rule"),
            counted(found["examples"], "example"),
            counted(found["glossary"], "glossary entry"),
            f"{counted(found['irregularities'], 'irregularity')} of the print",
        ]
    )
    if found["doubts"]:
        yield ", ".join(found["doubts"])
    beside = (("previous", found["previous"]), ("next", found["next"]))
    yield ", ".join([f"{which}: {label}" for which, label in beside if label])


def edition_table(entries: "Iterable[EditionEntry]", width: int) -> "Iterator[str]":
    """Yield the lines of a table of editions, for a terminal so wide; 0 for a pipe."""
    yield from _narrow_table(entries, width) if 0 < width < _NARROW else _wide_table(entries)


def _narrow_table(entries: "Iterable[EditionEntry]", width: int) -> "Iterator[str]":
    yield _NARROW_ROW.format("edition", "set", "rules")
    for entry in entries:
        row = _NARROW_ROW.format(entry.label, entry.set_code, f"{entry.row['rules']:,}")
        words = "; ".join(filter(None, [entry.set_name, *entry.doubts]))
        first, *rest = wrap(words, width - len(row))
        yield row + first
        yield from (" " * len(row) + line for line in rest)


def _wide_table(entries: "Iterable[EditionEntry]") -> "Iterator[str]":
    yield _ROW.format("edition", "set", "", "rules", "examples", "glossary", "")
    for entry in entries:
        row = entry.row
        repaired = ["repaired"] if entry.condition == "repaired" else []
        yield _ROW.format(
            entry.label,
            entry.set_code,
            entry.set_name,
            *(f"{row[count]:,}" for count in ("rules", "examples", "glossary")),
            ", ".join([*entry.doubts, *repaired]),
        )
