"""Load any document from a file: an edition, a page that quotes rules, an article, a bulletin.

The kind is decided by what is on the page, never by the file's name. `cr read`, `cr identify` and
`cr build` all use this module.
"""

from collections.abc import Sequence
from pathlib import Path

from variorum_kb.documents.find import load
from variorum_kb.errors import LayoutError, ParseError, TruncatedError
from variorum_kb.facts.editions import issue_of
from variorum_kb.forms.document import ReadWitnessJson, WitnessDocumentJson, WitnessLedgerJson
from variorum_kb.forms.edition import ExportJson, LedgerJson
from variorum_kb.model import Edition
from variorum_kb.reading.as_json import export_json, ledger_json
from variorum_kb.reading.decode import decode
from variorum_kb.reading.doubts import doubts_of
from variorum_kb.reading.edition import read_edition
from variorum_kb.reading.layouts import look_at
from variorum_kb.reading.lines import split_lines
from variorum_kb.reading.originals.original_lines import take_original
from variorum_kb.sources import recognise_kind
from variorum_kb.sources.reading.as_json import about_json, witness_json, witness_ledger_json
from variorum_kb.sources.reading.bulletins.bulletins import Bulletin
from variorum_kb.sources.reading.page import is_complete_edition
from variorum_kb.sources.reading.passages.passages import Partial
from variorum_kb.sources.reading.refused_documents import foreign_document, names_another_game
from variorum_kb.system.resource_limits import within_limits

# A document names itself within this many lines.
_HEAD = 40
_HEADINGS = frozenset(["1. Game Concepts", "100. General", "Credits", "Glossary"])
_FEWEST_HEADINGS = 3

Readable = Edition | Partial | Bulletin


def is_edition(data: bytes, file: str) -> bool:
    """Return whether a document is an official edition, complete or broken off.

    An edition has most of four headings: those of its first chapter and section, of the glossary and
    of the credits.

    Raises:
        DocumentError: It is no text and no original.
    """
    original = take_original(data, file)
    lines = original.lines if original else split_lines(decode(data, file).text).texts
    signs = look_at(lines)
    headings = _HEADINGS.intersection(line.strip() for line in lines)
    return bool(signs.dates and signs.rules) and len(headings) >= _FEWEST_HEADINGS


def document_json(document: Readable) -> ExportJson | ReadWitnessJson:
    """Return a document as JSON, in printed order."""
    if isinstance(document, Edition):
        return export_json(document, issue_of(document.effective, document.sha256))
    return witness_json(document)


def account_json(document: Readable) -> LedgerJson | WitnessLedgerJson:
    """Return the ledger of a document, which accounts for every line, as JSON."""
    return ledger_json(document) if isinstance(document, Edition) else witness_ledger_json(document)


def doubts_about(edition: Edition) -> list[str]:
    """Return the doubts about an edition read alone; none if the table of facts lists it."""
    return doubts_of(edition)


def describe(document: Partial | Bulletin) -> tuple[WitnessDocumentJson, WitnessLedgerJson]:
    """Return the description of a document that is not an edition, and its ledger, as JSON."""
    return about_json(document), witness_ledger_json(document)


def load_document(path: Path) -> Readable:
    """Read the document in a file.

    Raises:
        NotReadableError: The file cannot be opened, or is far larger than any document.
        DocumentError: It cannot be read completely.
    """
    return read_document(load(path), str(path))


def read_document(data: bytes, file: str) -> Readable:
    """Read a document from its bytes.

    Args:
        data: The document.
        file: Its name, for messages.

    Raises:
        EncodingError: The bytes are no text and no original.
        OriginalError: An original is damaged or locked, or holds far more than any edition.
        LayoutError: It is neither rules nor about rules.
        TruncatedError: Parts of an edition are missing.
        ParseError: A line of an edition does not have the expected form.
        CostlyError: It takes more time or memory than any document of the rules does.
    """
    return within_limits(_read_document, data, file)


def _read_document(data: bytes, file: str) -> Readable:
    try:
        return read_edition(data, file)
    except (LayoutError, ParseError, TruncatedError):
        # The error of `reading` explains best why an edition or an original cannot be read.
        if check_original(data, file) or is_complete_edition(data, file):
            raise
    return _read_witness(data, file)


def read_witness(data: bytes, file: str) -> Partial | Bulletin:
    """Read a document that turned out not to be an edition.

    Args:
        data: The document.
        file: Its name, for messages.

    Raises:
        EncodingError: The bytes are no text.
        LayoutError: It is neither rules nor about rules, or it is an edition.
        CostlyError: It takes more time or memory than any document of the rules does.
    """
    return within_limits(_read_witness, data, file)


def _read_witness(data: bytes, file: str) -> Partial | Bulletin:
    text = decode(data, file).text
    head = text.split("\n", _HEAD)[:_HEAD]
    _check_name(head, file)
    game = names_another_game(head, text)
    if game:
        raise LayoutError(f"the rules of another game: {game}", file)
    return recognise_kind.read_witness(data, file)


def check_original(data: bytes, file: str) -> bool:
    """Return whether a document that is not an edition is in Word, RTF or PDF format.

    Raises:
        LayoutError: It calls itself another document of the game, or another game's rules.
    """
    original = take_original(data, file)
    if original is not None:
        _check_name(original.lines[:_HEAD], file)
    return original is not None


def _check_name(lines: Sequence[str], file: str) -> None:
    """Check that a document does not name itself another document, or another game's rules.

    Raises:
        LayoutError: It does.
    """
    named = foreign_document(lines)
    if named:
        raise LayoutError(named, file)
