"""Format editions: a table of several, or one with what to type next."""

from variorum.cli.pages.diff import paragraph
from variorum.cli.pages.provisions import wrap
from variorum.terminal import bold
from variorum.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from variorum.answers.editions import EditionEntry
    from variorum.records.edition import Edition

_ROW = "{:12}  {:4}  {:44}  {:>5}  {:>8}  {:>8}  {}"
# A narrower terminal shows no counts of examples and terms, and the set's name last.
_NARROW = 110
_NARROW_ROW = "{:12}  {:4}  {:>5}  "
_ASK = (
    ("cr toc --on {}", "its chapters and sections"),
    ("cr changes {}", "what it changed"),
    ("cr diff {} current", "what changed since"),
    ("cr search WORDS --on {}", "search it"),
    ("cr export {}", "all of it"),
)


def set_edition(edition: "Edition", *, width: int) -> str:
    """Format an edition: its facts, when it was in force, and what to type next."""
    label = edition.label
    code = f" ({edition.set_code})" if edition.set_code else ""
    title = f"Edition of {label}"
    named = f"{bold(title)}  {edition.set_name}{code}".rstrip()
    lines = [named]
    for words in _facts(edition):
        lines += paragraph(words, 2, width)
    asked = [(typed.format(label), words) for typed, words in _ASK]
    if edition.previous is None:
        asked = [row for row in asked if not row[0].startswith("cr changes")]
    if edition.next is None:
        asked = [row for row in asked if not row[0].startswith("cr diff")]
    widest = max(len(typed) for typed, _ in asked)
    return "\n".join([*lines, "", *(f"  {typed:<{widest}}  {words}" for typed, words in asked), ""])


def _facts(edition: "Edition") -> "Iterator[str]":
    until = edition.until
    yield f"in force from {edition.effective}" + (f" until {until}" if until else "")
    yield ", ".join(
        [
            counted(edition.sections, "section"),
            counted(edition.rules, "rule"),
            counted(edition.examples, "example"),
            counted(edition.glossary, "glossary entry"),
            f"{counted(edition.irregularities, 'irregularity')} in print",
        ]
    )
    if edition.doubts:
        yield ", ".join(edition.doubts)
    beside = (("previous", edition.previous), ("next", edition.next))
    yield ", ".join([f"{which}: {label}" for which, label in beside if label])


def edition_table(entries: "Iterable[EditionEntry]", width: int) -> "Iterator[str]":
    """Yield the lines of a table of editions for a terminal of some width; 0 for a pipe."""
    yield from _narrow_table(entries, width) if width and width < _NARROW else _wide_table(entries)


def _narrow_table(entries: "Iterable[EditionEntry]", width: int) -> "Iterator[str]":
    yield _NARROW_ROW.format("edition", "set", "rules")
    for entry in entries:
        row = _NARROW_ROW.format(entry.label, entry.set_code, f"{entry.summary.rules:,}")
        words = "; ".join(filter(None, [entry.set_name, *entry.doubts]))
        first, *rest = wrap(words, width - len(row))
        yield row + first
        yield from (" " * len(row) + line for line in rest)


def _wide_table(entries: "Iterable[EditionEntry]") -> "Iterator[str]":
    yield _ROW.format("edition", "set", "", "rules", "examples", "glossary", "")
    for entry in entries:
        summary = entry.summary
        repaired = ["repaired"] if entry.summary.condition == "repaired" else []
        yield _ROW.format(
            entry.label,
            entry.set_code,
            entry.set_name,
            *(f"{count:,}" for count in (summary.rules, summary.examples, summary.glossary)),
            ", ".join([*entry.doubts, *repaired]),
        )
