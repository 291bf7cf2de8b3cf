"""Format a document that is not an edition, for `cr read`."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from variorum_kb.forms.document import StatedJson, WitnessDocumentJson, WitnessLedgerJson
from variorum_kb.forms.edition import LineEndsJson
from variorum_kb.text.counts import balance, characters_kept, counted

# Singulars of plurals that do not just end in s.
_MANY: Mapping[str, str] = MappingProxyType(
    {
        "text without a number": "texts without a number",
        "prose": "passages of prose",
    }
)
_ONE: Mapping[str, str] = MappingProxyType(
    {"examples": "example", "claims": "claim", "prose": "passage of prose"}
)
_RULES = ("rule", "ruling", "text without a number", "prose", "announcement")
_LONGEST = 120


def facts(document: WitnessDocumentJson, ledger: WitnessLedgerJson) -> Iterator[tuple[str, str]]:
    """Yield the labels and values that describe a document."""
    yield "layout", f"{document['layout']} ({document['evidence']})"
    yield "encoding", f"{document['encoding']} ({document['reason']})"
    yield "markup", document["markup"]
    if document["line_ends"]:
        yield "line ends", _ends(document["line_ends"])
    yield from _matter(document)
    yield "holds", ", ".join(_counted(document["counts"]))
    yield "ledger", _balance(ledger)
    yield "condition", document["condition"]
    yield from (("", _shown(note)) for note in document["notes"])


def _matter(document: WitnessDocumentJson) -> Iterator[tuple[str, str]]:
    """Yield labels and values for what a document states about itself."""
    rows = {
        "title": _shown(document["title"]),
        "author": _shown(document["author"]),
        "source": _shown(document["source"]),
        "dated": _stated(document["dated"]),
        "quotes": _stated(document["edition"]),
        "effective": _shown(document["effective"]),
        "sets": _shown(", ".join(document["sets"])),
    }
    yield from ((label, words) for label, words in rows.items() if words)


def _ends(ends: LineEndsJson) -> str:
    counts = {"CRLF": ends["crlf"], "CR": ends["cr"], "LF": ends["lf"]}
    return ", ".join([f"{number} {name}" for name, number in counts.items() if number]) or "none"


def _stated(stated: StatedJson | None) -> str:
    """Return a stated day with the words that state it."""
    if stated is None:
        return ""
    words, day, line = _shown(stated["words"]), stated["day"], stated["line"]
    where = f", line {line}" if line else ""
    if day is None:
        return f"{words}{where}"
    return day if words == day else f"{day} ({words}{where})"


def _counted(counts: Mapping[str, int]) -> Iterator[str]:
    """Yield counts in words: "1 rule", "2 rules"."""
    if not counts:
        yield "nothing"
    for name, number in counts.items():
        singular = _ONE.get(name, name)
        yield (
            f"{number:,} {_MANY[name]}"
            if number != 1 and name in _MANY
            else counted(number, singular)
        )


def _balance(ledger: WitnessLedgerJson) -> str:
    ledger_line = balance(ledger["lines"], sum(ledger["accounted"].values()), ledger["blank"])
    if ledger["characters"] is None:
        return ledger_line
    ledger_line += f"; {characters_kept(ledger['characters_kept'] or 0, ledger['characters'])}"
    return f"{ledger_line}, {ledger['markup']:,} of markup" if ledger["markup"] else ledger_line


def cells(document: WitnessDocumentJson, ledger: WitnessLedgerJson) -> list[object]:
    """Return the cells of a line in a table of editions, from the date to the condition.

    The date is the quoted edition's. Everything except headings, examples and definitions counts as
    rules: rulings, texts without a number, prose, the announcements of a bulletin.
    """
    counts, edition = document["counts"], document["edition"]
    kept, characters = ledger["characters_kept"], ledger["characters"]
    return [
        (edition and edition["day"]) or "",
        document["layout"],
        document["encoding"],
        counts.get("heading", 0),
        sum(counts.get(kind, 0) for kind in _RULES),
        counts.get("examples", 0),
        counts.get("glossary definition", 0),
        0,
        "" if characters is None else f"{kept}/{characters}",
        document["condition"],
    ]


def _shown(text: str) -> str:
    """Return a text on one line."""
    words = " ".join(text[:1000].split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1].rstrip()}…"
