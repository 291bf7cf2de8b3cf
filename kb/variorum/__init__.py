"""The library of Variorum, as docs/library.md describes it; each name is imported on first use."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from variorum_kb.answers.changes import Change as Change
    from variorum_kb.answers.changes import Changes as Changes
    from variorum_kb.answers.comparison import find_changes as find_changes
    from variorum_kb.answers.crosswalk import crosswalk_rows as crosswalk_rows
    from variorum_kb.answers.edition_entry import EditionEntry as EditionEntry
    from variorum_kb.answers.export import export_edition as export_edition
    from variorum_kb.answers.export import ledger_of as ledger_of
    from variorum_kb.answers.glossary.entries import Gloss as Gloss
    from variorum_kb.answers.glossary.terms import Terms as Terms
    from variorum_kb.answers.knowledge_base import KnowledgeBase as KnowledgeBase
    from variorum_kb.answers.lint.linter import lint_editions as lint_editions
    from variorum_kb.answers.refs import misfits_in as misfits_in
    from variorum_kb.answers.refs import refs_of as refs_of
    from variorum_kb.answers.subject import Subject as Subject
    from variorum_kb.build.build import load_sample as load_sample
    from variorum_kb.errors import ArchiveError as ArchiveError
    from variorum_kb.errors import BaseBusyError as BaseBusyError
    from variorum_kb.errors import BaseError as BaseError
    from variorum_kb.errors import BaseVersionError as BaseVersionError
    from variorum_kb.errors import CostlyError as CostlyError
    from variorum_kb.errors import DamagedBaseError as DamagedBaseError
    from variorum_kb.errors import DocumentError as DocumentError
    from variorum_kb.errors import EncodingError as EncodingError
    from variorum_kb.errors import LayoutError as LayoutError
    from variorum_kb.errors import NewerBaseError as NewerBaseError
    from variorum_kb.errors import NoBaseError as NoBaseError
    from variorum_kb.errors import NoEditionError as NoEditionError
    from variorum_kb.errors import NoGitError as NoGitError
    from variorum_kb.errors import NotARuleNumberError as NotARuleNumberError
    from variorum_kb.errors import NotFoundError as NotFoundError
    from variorum_kb.errors import NotReadableError as NotReadableError
    from variorum_kb.errors import NotWritableError as NotWritableError
    from variorum_kb.errors import OriginalError as OriginalError
    from variorum_kb.errors import ParseError as ParseError
    from variorum_kb.errors import SettingsError as SettingsError
    from variorum_kb.errors import TooLargeError as TooLargeError
    from variorum_kb.errors import TruncatedError as TruncatedError
    from variorum_kb.errors import VariorumError as VariorumError
    from variorum_kb.forms.audit import AuditJson as AuditJson
    from variorum_kb.forms.document import ReadWitnessJson as ReadWitnessJson
    from variorum_kb.forms.document import WitnessLedgerJson as WitnessLedgerJson
    from variorum_kb.forms.edition import ExportJson as ExportJson
    from variorum_kb.forms.edition import LedgerJson as LedgerJson
    from variorum_kb.forms.edition import ListedEditionJson as ListedEditionJson
    from variorum_kb.forms.identify import IdentifyJson as IdentifyJson
    from variorum_kb.forms.lineage import BlameJson as BlameJson
    from variorum_kb.forms.lineage import CrosswalkRowJson as CrosswalkRowJson
    from variorum_kb.forms.lineage import DiffJson as DiffJson
    from variorum_kb.forms.lineage import HistoryJson as HistoryJson
    from variorum_kb.forms.lineage import WhereJson as WhereJson
    from variorum_kb.forms.lineage import WhyJson as WhyJson
    from variorum_kb.forms.lint import LintJson as LintJson
    from variorum_kb.forms.number import NumberJson as NumberJson
    from variorum_kb.forms.provision import CitesJson as CitesJson
    from variorum_kb.forms.provision import EntryMatchJson as EntryMatchJson
    from variorum_kb.forms.provision import EntryRuleJson as EntryRuleJson
    from variorum_kb.forms.provision import ExplainedEntryJson as ExplainedEntryJson
    from variorum_kb.forms.provision import MisfitJson as MisfitJson
    from variorum_kb.forms.provision import NumberedMatchJson as NumberedMatchJson
    from variorum_kb.forms.provision import RefsJson as RefsJson
    from variorum_kb.forms.provision import ShownEntryJson as ShownEntryJson
    from variorum_kb.forms.provision import TermJson as TermJson
    from variorum_kb.forms.search import ResolveJson as ResolveJson
    from variorum_kb.forms.search import SearchJson as SearchJson
    from variorum_kb.forms.sync import SyncJson as SyncJson
    from variorum_kb.forms.witness import AttestationJson as AttestationJson
    from variorum_kb.forms.witness import WitnessJson as WitnessJson
    from variorum_kb.model import Condition as Condition
    from variorum_kb.model import Edition as Edition
    from variorum_kb.model import Irregular as Irregular
    from variorum_kb.model import Irregularity as Irregularity
    from variorum_kb.model import Kind as Kind
    from variorum_kb.model import Ledger as Ledger
    from variorum_kb.model import Provision as Provision
    from variorum_kb.model import RuleNumber as RuleNumber
    from variorum_kb.reading.edition import read_edition as read_edition
    from variorum_kb.search.answer import Search as Search
    from variorum_kb.search.answer import Wish as Wish

# Where each name is defined; the tests compare this with the imports above.
_NAMES = {
    "answers.changes": "Change Changes",
    "answers.comparison": "find_changes",
    "answers.crosswalk": "crosswalk_rows",
    "answers.edition_entry": "EditionEntry",
    "answers.export": "export_edition ledger_of",
    "answers.glossary.entries": "Gloss",
    "answers.knowledge_base": "KnowledgeBase",
    "answers.lint.linter": "lint_editions",
    "answers.refs": "misfits_in refs_of",
    "answers.subject": "Subject",
    "answers.glossary.terms": "Terms",
    "build.build": "load_sample",
    "errors": "ArchiveError BaseBusyError BaseError BaseVersionError CostlyError DamagedBaseError DocumentError EncodingError LayoutError NewerBaseError NoBaseError NoEditionError NoGitError NotARuleNumberError NotFoundError NotReadableError NotWritableError OriginalError ParseError SettingsError TooLargeError TruncatedError VariorumError",
    "forms.audit": "AuditJson",
    "forms.document": "ReadWitnessJson WitnessLedgerJson",
    "forms.edition": "ExportJson LedgerJson ListedEditionJson",
    "forms.identify": "IdentifyJson",
    "forms.lineage": "BlameJson CrosswalkRowJson DiffJson HistoryJson WhereJson WhyJson",
    "forms.lint": "LintJson",
    "forms.number": "NumberJson",
    "forms.provision": "CitesJson EntryMatchJson EntryRuleJson ExplainedEntryJson MisfitJson NumberedMatchJson RefsJson ShownEntryJson TermJson",
    "forms.search": "ResolveJson SearchJson",
    "forms.sync": "SyncJson",
    "forms.witness": "AttestationJson WitnessJson",
    "model": "Condition Edition Irregular Irregularity Kind Ledger Provision RuleNumber",
    "reading.edition": "read_edition",
    "search.answer": "Search Wish",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

if not TYPE_CHECKING:  # else every misspelt name would be an object to checkers

    def __getattr__(name: str) -> object:
        """Return what a name stands for."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module  # noqa: PLC0415 - only where something is asked for

        found: object = getattr(import_module(f"variorum_kb.{_HOMES[name]}"), name)
        globals()[name] = found
        return found


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(_HOMES)
