"""The library of Variorum, described in docs/library.md; each name is imported on first use.

The names in this package are public: none is removed or renamed before the next major version.
Everything in other modules is private and may change at any time.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from variorum.answer import Answer as Answer
    from variorum.answer import Piece as Piece
    from variorum.base import Base as Base
    from variorum.comparisons import BearerThere as BearerThere
    from variorum.comparisons import Change as Change
    from variorum.comparisons import CrosswalkRow as CrosswalkRow
    from variorum.comparisons import DecidedStep as DecidedStep
    from variorum.comparisons import Destination as Destination
    from variorum.comparisons import Diff as Diff
    from variorum.comparisons import DiffSubject as DiffSubject
    from variorum.comparisons import DiffSummary as DiffSummary
    from variorum.comparisons import Sweep as Sweep
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
    from variorum.findings import Audit as Audit
    from variorum.findings import AuditSummary as AuditSummary
    from variorum.findings import Expansion as Expansion
    from variorum.findings import Finding as Finding
    from variorum.findings import Hit as Hit
    from variorum.findings import Meaning as Meaning
    from variorum.findings import Resolution as Resolution
    from variorum.findings import SearchResult as SearchResult
    from variorum.findings import Source as Source
    from variorum.forms.ask import AskedCardJson as AskedCardJson
    from variorum.forms.ask import AskJson as AskJson
    from variorum.forms.ask import CardFaceJson as CardFaceJson
    from variorum.forms.ask import CardJson as CardJson
    from variorum.forms.ask import CardRulingJson as CardRulingJson
    from variorum.forms.ask import CardsJson as CardsJson
    from variorum.forms.ask import GoverningRuleJson as GoverningRuleJson
    from variorum.forms.ask import PassageTextJson as PassageTextJson
    from variorum.forms.ask import ReasonJson as ReasonJson
    from variorum.forms.ask import RulePassageJson as RulePassageJson
    from variorum.forms.ask import RulingCitationJson as RulingCitationJson
    from variorum.forms.audit import AuditFindingJson as AuditFindingJson
    from variorum.forms.audit import AuditJson as AuditJson
    from variorum.forms.audit import AuditSummaryJson as AuditSummaryJson
    from variorum.forms.audit import MeaningJson as MeaningJson
    from variorum.forms.edition import ExportJson as ExportJson
    from variorum.forms.edition import IrregularityJson as IrregularityJson
    from variorum.forms.edition import LedgerJson as LedgerJson
    from variorum.forms.edition import LineEndsJson as LineEndsJson
    from variorum.forms.edition import ListedEditionJson as ListedEditionJson
    from variorum.forms.failure import FailureJson as FailureJson
    from variorum.forms.identify import IdentifyJson as IdentifyJson
    from variorum.forms.lineage import BearerThereJson as BearerThereJson
    from variorum.forms.lineage import BlamedJson as BlamedJson
    from variorum.forms.lineage import BlameJson as BlameJson
    from variorum.forms.lineage import ChangeJson as ChangeJson
    from variorum.forms.lineage import CrosswalkRowJson as CrosswalkRowJson
    from variorum.forms.lineage import DiffJson as DiffJson
    from variorum.forms.lineage import DiffSubjectJson as DiffSubjectJson
    from variorum.forms.lineage import DiffSummaryJson as DiffSummaryJson
    from variorum.forms.lineage import HistoryJson as HistoryJson
    from variorum.forms.lineage import NowJson as NowJson
    from variorum.forms.lineage import OtherBearerJson as OtherBearerJson
    from variorum.forms.lineage import ReadingJson as ReadingJson
    from variorum.forms.lineage import ReadJson as ReadJson
    from variorum.forms.lineage import ReadStepJson as ReadStepJson
    from variorum.forms.lineage import StepJson as StepJson
    from variorum.forms.lineage import SubruleNowJson as SubruleNowJson
    from variorum.forms.lineage import SubrulesChangedJson as SubrulesChangedJson
    from variorum.forms.lineage import SubrulesJson as SubrulesJson
    from variorum.forms.lineage import SubruleStepJson as SubruleStepJson
    from variorum.forms.lineage import SweepJson as SweepJson
    from variorum.forms.lineage import WhereJson as WhereJson
    from variorum.forms.lineage import WordJson as WordJson
    from variorum.forms.lint import LintFindingJson as LintFindingJson
    from variorum.forms.lint import LintJson as LintJson
    from variorum.forms.number import NumberedBearerJson as NumberedBearerJson
    from variorum.forms.number import NumberJson as NumberJson
    from variorum.forms.number import NumberTableJson as NumberTableJson
    from variorum.forms.number import TableBearerJson as TableBearerJson
    from variorum.forms.preview import PreviewJson as PreviewJson
    from variorum.forms.provision import CitedByJson as CitedByJson
    from variorum.forms.provision import CitesJson as CitesJson
    from variorum.forms.provision import EarlierJson as EarlierJson
    from variorum.forms.provision import EntryMatchJson as EntryMatchJson
    from variorum.forms.provision import EntryRuleJson as EntryRuleJson
    from variorum.forms.provision import ExplainedEntryJson as ExplainedEntryJson
    from variorum.forms.provision import HeadingJson as HeadingJson
    from variorum.forms.provision import MisfitJson as MisfitJson
    from variorum.forms.provision import MovedJson as MovedJson
    from variorum.forms.provision import NumberedMatchJson as NumberedMatchJson
    from variorum.forms.provision import RefLineJson as RefLineJson
    from variorum.forms.provision import RefsJson as RefsJson
    from variorum.forms.provision import ShownEntryJson as ShownEntryJson
    from variorum.forms.provision import TermJson as TermJson
    from variorum.forms.search import ExpandedJson as ExpandedJson
    from variorum.forms.search import HitJson as HitJson
    from variorum.forms.search import ResolveJson as ResolveJson
    from variorum.forms.search import SearchJson as SearchJson
    from variorum.forms.search import SourceJson as SourceJson
    from variorum.forms.sync import SyncJson as SyncJson
    from variorum.forms.upkeep import AcceptedJson as AcceptedJson
    from variorum.forms.upkeep import ArchiveCheckJson as ArchiveCheckJson
    from variorum.forms.upkeep import ArchiveJson as ArchiveJson
    from variorum.forms.upkeep import DamageJson as DamageJson
    from variorum.forms.upkeep import DecisionJson as DecisionJson
    from variorum.forms.upkeep import DoctorJson as DoctorJson
    from variorum.forms.upkeep import ExaminedJson as ExaminedJson
    from variorum.forms.upkeep import KeptDocumentJson as KeptDocumentJson
    from variorum.forms.upkeep import SourceOfDocumentJson as SourceOfDocumentJson
    from variorum.forms.watch import WatchedFilesJson as WatchedFilesJson
    from variorum.forms.watch import WatchedJson as WatchedJson
    from variorum.forms.watch import WatchedRuleJson as WatchedRuleJson
    from variorum.forms.watch import WatchReportJson as WatchReportJson
    from variorum.forms.witness import AnnouncedJson as AnnouncedJson
    from variorum.forms.witness import AttestationJson as AttestationJson
    from variorum.forms.witness import WitnessNameJson as WitnessNameJson
    from variorum.histories import Announcement as Announcement
    from variorum.histories import Attestation as Attestation
    from variorum.histories import DatedProvision as DatedProvision
    from variorum.histories import DatedSubrule as DatedSubrule
    from variorum.histories import DatedWord as DatedWord
    from variorum.histories import Decision as Decision
    from variorum.histories import History as History
    from variorum.histories import OtherBearer as OtherBearer
    from variorum.histories import Reading as Reading
    from variorum.histories import Step as Step
    from variorum.histories import Subrule as Subrule
    from variorum.histories import Subrules as Subrules
    from variorum.histories import SubrulesChanged as SubrulesChanged
    from variorum.histories import SubruleStep as SubruleStep
    from variorum.histories import Whereabouts as Whereabouts
    from variorum.histories import WitnessName as WitnessName
    from variorum.provisions import Citation as Citation
    from variorum.provisions import CitingProvision as CitingProvision
    from variorum.provisions import EarlierRule as EarlierRule
    from variorum.provisions import Edition as Edition
    from variorum.provisions import Irregularity as Irregularity
    from variorum.provisions import LineEnds as LineEnds
    from variorum.provisions import Moved as Moved
    from variorum.provisions import Provision as Provision
    from variorum.provisions import References as References
    from variorum.questions import AskedCard as AskedCard
    from variorum.questions import Passages as Passages
    from variorum.questions import PassageText as PassageText
    from variorum.questions import Reason as Reason
    from variorum.questions import RulePassage as RulePassage
    from variorum.search.queries.query import QueryError as QueryError
    from variorum.watching import DraftChanges as DraftChanges
    from variorum.watching import LintFinding as LintFinding
    from variorum.watching import Watched as Watched
    from variorum.watching import WatchedFiles as WatchedFiles
    from variorum.watching import WatchedRule as WatchedRule
    from variorum.watching import WatchReport as WatchReport

# Where each name is defined; the tests compare this with the imports above.
_NAMES = {
    "variorum.answer": "Answer Piece",
    "variorum.base": "Base",
    "variorum.comparisons": "BearerThere Change CrosswalkRow DecidedStep Destination Diff DiffSubject DiffSummary Sweep",
    "variorum.findings": "Audit AuditSummary Expansion Finding Hit Meaning Resolution SearchResult Source",
    "variorum.histories": "Announcement Attestation DatedProvision DatedSubrule DatedWord Decision History OtherBearer Reading Step Subrule SubruleStep Subrules SubrulesChanged Whereabouts WitnessName",
    "variorum.provisions": "Citation CitingProvision EarlierRule Edition Irregularity LineEnds Moved Provision References",
    "variorum.questions": "AskedCard Passages PassageText Reason RulePassage",
    "variorum.watching": "DraftChanges LintFinding WatchReport Watched WatchedFiles WatchedRule",
    "variorum.errors": "AmbiguousEditionError ArchiveError BaseBusyError BaseError BaseVersionError CostlyError DamagedBaseError DocumentError EncodingError LayoutError MissingPackageError NewerBaseError NoBaseError NoEditionError NoGitError NotARuleNumberError NotFoundError NotReadableError NotWritableError OriginalError ParseError SettingsError TooLargeError TruncatedError TwoEditionsError UnexpectedError VariorumError",
    "variorum.forms.ask": "AskJson AskedCardJson CardFaceJson CardJson CardRulingJson CardsJson GoverningRuleJson PassageTextJson ReasonJson RulePassageJson RulingCitationJson",
    "variorum.forms.audit": "AuditFindingJson AuditJson AuditSummaryJson MeaningJson",
    "variorum.forms.edition": "ExportJson IrregularityJson LedgerJson LineEndsJson ListedEditionJson",
    "variorum.forms.failure": "FailureJson",
    "variorum.forms.identify": "IdentifyJson",
    "variorum.forms.lineage": "BearerThereJson BlameJson BlamedJson ChangeJson CrosswalkRowJson DiffJson DiffSubjectJson DiffSummaryJson HistoryJson NowJson OtherBearerJson ReadJson ReadStepJson ReadingJson StepJson SubruleNowJson SubruleStepJson SubrulesChangedJson SubrulesJson SweepJson WhereJson WordJson",
    "variorum.forms.lint": "LintFindingJson LintJson",
    "variorum.forms.number": "NumberJson NumberTableJson NumberedBearerJson TableBearerJson",
    "variorum.forms.preview": "PreviewJson",
    "variorum.forms.provision": "CitedByJson CitesJson EarlierJson EntryMatchJson EntryRuleJson ExplainedEntryJson HeadingJson MisfitJson MovedJson NumberedMatchJson RefLineJson RefsJson ShownEntryJson TermJson",
    "variorum.forms.search": "ExpandedJson HitJson ResolveJson SearchJson SourceJson",
    "variorum.forms.sync": "SyncJson",
    "variorum.forms.upkeep": "AcceptedJson ArchiveCheckJson ArchiveJson DamageJson DecisionJson DoctorJson ExaminedJson KeptDocumentJson SourceOfDocumentJson",
    "variorum.forms.watch": "WatchReportJson WatchedFilesJson WatchedJson WatchedRuleJson",
    "variorum.forms.witness": "AnnouncedJson AttestationJson WitnessNameJson",
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
