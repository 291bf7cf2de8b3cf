"""The library of Variorum, described in docs/library.md; each name is imported on first use.

The names in this package are public: none is removed or renamed before the next major version.
Everything in other modules is private and may change at any time.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from variorum.base import Base as Base
    from variorum.errors import AmbiguousEditionError as AmbiguousEditionError
    from variorum.errors import ArchiveError as ArchiveError
    from variorum.errors import BaseBusyError as BaseBusyError
    from variorum.errors import BaseError as BaseError
    from variorum.errors import BaseVersionError as BaseVersionError
    from variorum.errors import CostlyError as CostlyError
    from variorum.errors import DamagedBaseError as DamagedBaseError
    from variorum.errors import DocumentError as DocumentError
    from variorum.errors import EncodingError as EncodingError
    from variorum.errors import LayoutError as LayoutError
    from variorum.errors import MissingPackageError as MissingPackageError
    from variorum.errors import NewerBaseError as NewerBaseError
    from variorum.errors import NoBaseError as NoBaseError
    from variorum.errors import NoEditionError as NoEditionError
    from variorum.errors import NoGitError as NoGitError
    from variorum.errors import NotARuleNumberError as NotARuleNumberError
    from variorum.errors import NotFoundError as NotFoundError
    from variorum.errors import NotReadableError as NotReadableError
    from variorum.errors import NotWritableError as NotWritableError
    from variorum.errors import OriginalError as OriginalError
    from variorum.errors import ParseError as ParseError
    from variorum.errors import SettingsError as SettingsError
    from variorum.errors import TooLargeError as TooLargeError
    from variorum.errors import TruncatedError as TruncatedError
    from variorum.errors import TwoEditionsError as TwoEditionsError
    from variorum.errors import UnexpectedError as UnexpectedError
    from variorum.errors import VariorumError as VariorumError
    from variorum.records.answer import Answer as Answer
    from variorum.records.ask import AskedCard as AskedCard
    from variorum.records.ask import CardFace as CardFace
    from variorum.records.ask import CardTotals as CardTotals
    from variorum.records.ask import CardWithRules as CardWithRules
    from variorum.records.ask import GoverningRule as GoverningRule
    from variorum.records.ask import Passages as Passages
    from variorum.records.ask import PassageText as PassageText
    from variorum.records.ask import Reason as Reason
    from variorum.records.ask import RulePassage as RulePassage
    from variorum.records.ask import RulingCitation as RulingCitation
    from variorum.records.ask import RulingOnCard as RulingOnCard
    from variorum.records.audit import Audit as Audit
    from variorum.records.audit import AuditSummary as AuditSummary
    from variorum.records.audit import Finding as Finding
    from variorum.records.audit import Meaning as Meaning
    from variorum.records.edition import Edition as Edition
    from variorum.records.edition import EditionSummary as EditionSummary
    from variorum.records.edition import Export as Export
    from variorum.records.edition import ExportedEntry as ExportedEntry
    from variorum.records.edition import ExportedProvision as ExportedProvision
    from variorum.records.edition import Irregularity as Irregularity
    from variorum.records.edition import LedgerCounts as LedgerCounts
    from variorum.records.edition import LineEnds as LineEnds
    from variorum.records.edition import LocatedIrregularity as LocatedIrregularity
    from variorum.records.failure import Failure as Failure
    from variorum.records.failure import FailureReport as FailureReport
    from variorum.records.identify import AnnouncedEdition as AnnouncedEdition
    from variorum.records.identify import Claim as Claim
    from variorum.records.identify import DocumentOrigin as DocumentOrigin
    from variorum.records.identify import EditionCandidate as EditionCandidate
    from variorum.records.identify import QuotedProvision as QuotedProvision
    from variorum.records.identify import RuleDiscussed as RuleDiscussed
    from variorum.records.identify import StatedDate as StatedDate
    from variorum.records.lineage import BearerThere as BearerThere
    from variorum.records.lineage import Change as Change
    from variorum.records.lineage import CrosswalkRow as CrosswalkRow
    from variorum.records.lineage import DatedProvision as DatedProvision
    from variorum.records.lineage import DatedSubrule as DatedSubrule
    from variorum.records.lineage import DatedWord as DatedWord
    from variorum.records.lineage import DecidedStep as DecidedStep
    from variorum.records.lineage import Decision as Decision
    from variorum.records.lineage import Destination as Destination
    from variorum.records.lineage import Diff as Diff
    from variorum.records.lineage import DiffSubject as DiffSubject
    from variorum.records.lineage import DiffSummary as DiffSummary
    from variorum.records.lineage import History as History
    from variorum.records.lineage import Named as Named
    from variorum.records.lineage import OtherBearer as OtherBearer
    from variorum.records.lineage import Reading as Reading
    from variorum.records.lineage import Step as Step
    from variorum.records.lineage import Subrule as Subrule
    from variorum.records.lineage import Subrules as Subrules
    from variorum.records.lineage import SubrulesChanged as SubrulesChanged
    from variorum.records.lineage import SubruleStep as SubruleStep
    from variorum.records.lineage import Sweep as Sweep
    from variorum.records.lineage import Whereabouts as Whereabouts
    from variorum.records.lint import LintFinding as LintFinding
    from variorum.records.lint import LintReport as LintReport
    from variorum.records.number import Bearer as Bearer
    from variorum.records.number import NumberBearers as NumberBearers
    from variorum.records.number import NumberedBearer as NumberedBearer
    from variorum.records.number import NumberTable as NumberTable
    from variorum.records.number import PastReading as PastReading
    from variorum.records.number import PrintedRun as PrintedRun
    from variorum.records.number import Successor as Successor
    from variorum.records.number import TableBearer as TableBearer
    from variorum.records.provision import Citation as Citation
    from variorum.records.provision import CitingProvision as CitingProvision
    from variorum.records.provision import EarlierRule as EarlierRule
    from variorum.records.provision import EntryRule as EntryRule
    from variorum.records.provision import Heading as Heading
    from variorum.records.provision import Misfit as Misfit
    from variorum.records.provision import Moved as Moved
    from variorum.records.provision import Provision as Provision
    from variorum.records.provision import ReferenceLine as ReferenceLine
    from variorum.records.provision import References as References
    from variorum.records.provision import Term as Term
    from variorum.records.schemas import schema as schema
    from variorum.records.search import Expansion as Expansion
    from variorum.records.search import Hit as Hit
    from variorum.records.search import Resolution as Resolution
    from variorum.records.search import SearchResult as SearchResult
    from variorum.records.search import Source as Source
    from variorum.records.sync import FailedJson as FailedJson
    from variorum.records.sync import PutAsideJson as PutAsideJson
    from variorum.records.sync import SyncJson as SyncJson
    from variorum.records.upkeep import AcceptedDocument as AcceptedDocument
    from variorum.records.upkeep import ArchiveCheck as ArchiveCheck
    from variorum.records.upkeep import ArchiveContents as ArchiveContents
    from variorum.records.upkeep import CheckResult as CheckResult
    from variorum.records.upkeep import DamagedFile as DamagedFile
    from variorum.records.upkeep import DocumentSource as DocumentSource
    from variorum.records.upkeep import Examination as Examination
    from variorum.records.upkeep import KeptDocument as KeptDocument
    from variorum.records.upkeep import TrustDecision as TrustDecision
    from variorum.records.values import Piece as Piece
    from variorum.records.watch import DraftChanges as DraftChanges
    from variorum.records.watch import Watched as Watched
    from variorum.records.watch import WatchedFiles as WatchedFiles
    from variorum.records.watch import WatchedRule as WatchedRule
    from variorum.records.watch import WatchReport as WatchReport
    from variorum.records.witness import Announcement as Announcement
    from variorum.records.witness import Attestation as Attestation
    from variorum.records.witness import Witness as Witness
    from variorum.records.witness import WitnessName as WitnessName
    from variorum.search.queries.query import QueryError as QueryError

# Where each name is defined; the tests compare this with the imports above.
_NAMES = {
    "variorum.records.answer": "Answer",
    "variorum.base": "Base",
    "variorum.errors": "AmbiguousEditionError ArchiveError BaseBusyError BaseError BaseVersionError CostlyError DamagedBaseError DocumentError EncodingError LayoutError MissingPackageError NewerBaseError NoBaseError NoEditionError NoGitError NotARuleNumberError NotFoundError NotReadableError NotWritableError OriginalError ParseError SettingsError TooLargeError TruncatedError TwoEditionsError UnexpectedError VariorumError",
    "variorum.records.ask": "AskedCard CardFace CardTotals CardWithRules GoverningRule PassageText Passages Reason RulePassage RulingCitation RulingOnCard",
    "variorum.records.audit": "Audit AuditSummary Finding Meaning",
    "variorum.records.edition": "Edition EditionSummary Export ExportedEntry ExportedProvision Irregularity LedgerCounts LineEnds LocatedIrregularity",
    "variorum.records.failure": "Failure FailureReport",
    "variorum.records.identify": "AnnouncedEdition Claim DocumentOrigin EditionCandidate QuotedProvision RuleDiscussed StatedDate",
    "variorum.records.lineage": "BearerThere Change CrosswalkRow DatedProvision DatedSubrule DatedWord DecidedStep Decision Destination Diff DiffSubject DiffSummary History Named OtherBearer Reading Step Subrule SubruleStep Subrules SubrulesChanged Sweep Whereabouts",
    "variorum.records.lint": "LintFinding LintReport",
    "variorum.records.number": "Bearer NumberBearers NumberTable NumberedBearer PastReading PrintedRun Successor TableBearer",
    "variorum.records.provision": "Citation CitingProvision EarlierRule EntryRule Heading Misfit Moved Provision ReferenceLine References Term",
    "variorum.records.schemas": "schema",
    "variorum.records.search": "Expansion Hit Resolution SearchResult Source",
    "variorum.records.sync": "FailedJson PutAsideJson SyncJson",
    "variorum.records.upkeep": "AcceptedDocument ArchiveCheck ArchiveContents CheckResult DamagedFile DocumentSource Examination KeptDocument TrustDecision",
    "variorum.records.values": "Piece",
    "variorum.records.watch": "DraftChanges WatchReport Watched WatchedFiles WatchedRule",
    "variorum.records.witness": "Announcement Attestation Witness WitnessName",
    "variorum.search.queries.query": "QueryError",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}


def open(folder: "str | Path | None" = None, *, today: "date | None" = None) -> "Base":  # noqa: A001 - as webbrowser.open, wave.open
    """Open the knowledge base in a folder, by default the user's own.

    Args:
        folder: The folder of the base; by default the one in VARIORUM_KB, else the platform's
            folder.
        today: The edition in force on this day is "current"; without it, the latest edition is.

    Raises:
        NoBaseError: The folder has no base.
        BaseVersionError: Another version of the program wrote it.
        BaseError: The base is damaged.
    """
    from variorum.base import open_base  # noqa: PLC0415 - only where something is asked for

    return open_base(folder, today)


if TYPE_CHECKING:
    __version__: str
else:  # hidden from type checkers, which would otherwise accept every misspelt name

    def __getattr__(name: str) -> object:
        """Return the object with a name."""
        if name == "__version__":
            from importlib.metadata import version  # noqa: PLC0415 - only where it is asked for

            attribute = version("variorum")
        elif name in _HOMES:
            from importlib import import_module  # noqa: PLC0415 - only where something is asked for

            attribute = getattr(import_module(_HOMES[name]), name)
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = attribute
        return attribute


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(["__version__", "open", *_HOMES])
