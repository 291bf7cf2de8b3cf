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
    from variorum.findings import Audit as Audit
    from variorum.findings import AuditSummary as AuditSummary
    from variorum.findings import Expansion as Expansion
    from variorum.findings import Finding as Finding
    from variorum.findings import Hit as Hit
    from variorum.findings import Meaning as Meaning
    from variorum.findings import Resolution as Resolution
    from variorum.findings import SearchResult as SearchResult
    from variorum.findings import Source as Source
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
    from variorum.watching import DraftChanges as DraftChanges
    from variorum.watching import LintFinding as LintFinding
    from variorum.watching import Watched as Watched
    from variorum.watching import WatchedFiles as WatchedFiles
    from variorum.watching import WatchedRule as WatchedRule
    from variorum.watching import WatchReport as WatchReport
    from variorum_kb.errors import AmbiguousEditionError as AmbiguousEditionError
    from variorum_kb.errors import ArchiveError as ArchiveError
    from variorum_kb.errors import BaseBusyError as BaseBusyError
    from variorum_kb.errors import BaseError as BaseError
    from variorum_kb.errors import BaseVersionError as BaseVersionError
    from variorum_kb.errors import CostlyError as CostlyError
    from variorum_kb.errors import DamagedBaseError as DamagedBaseError
    from variorum_kb.errors import DocumentError as DocumentError
    from variorum_kb.errors import EncodingError as EncodingError
    from variorum_kb.errors import LayoutError as LayoutError
    from variorum_kb.errors import MissingPackageError as MissingPackageError
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
    from variorum_kb.errors import TwoEditionsError as TwoEditionsError
    from variorum_kb.errors import UnexpectedError as UnexpectedError
    from variorum_kb.errors import VariorumError as VariorumError
    from variorum_kb.forms.ask import AskedCardJson as AskedCardJson
    from variorum_kb.forms.ask import AskJson as AskJson
    from variorum_kb.forms.ask import CardFaceJson as CardFaceJson
    from variorum_kb.forms.ask import CardJson as CardJson
    from variorum_kb.forms.ask import CardRulingJson as CardRulingJson
    from variorum_kb.forms.ask import CardsJson as CardsJson
    from variorum_kb.forms.ask import GoverningRuleJson as GoverningRuleJson
    from variorum_kb.forms.ask import PassageTextJson as PassageTextJson
    from variorum_kb.forms.ask import ReasonJson as ReasonJson
    from variorum_kb.forms.ask import RulePassageJson as RulePassageJson
    from variorum_kb.forms.ask import RulingCitationJson as RulingCitationJson
    from variorum_kb.forms.audit import AuditFindingJson as AuditFindingJson
    from variorum_kb.forms.audit import AuditJson as AuditJson
    from variorum_kb.forms.audit import AuditSummaryJson as AuditSummaryJson
    from variorum_kb.forms.audit import MeaningJson as MeaningJson
    from variorum_kb.forms.edition import ExportJson as ExportJson
    from variorum_kb.forms.edition import IrregularityJson as IrregularityJson
    from variorum_kb.forms.edition import LedgerJson as LedgerJson
    from variorum_kb.forms.edition import LineEndsJson as LineEndsJson
    from variorum_kb.forms.edition import ListedEditionJson as ListedEditionJson
    from variorum_kb.forms.failure import FailureJson as FailureJson
    from variorum_kb.forms.identify import IdentifyJson as IdentifyJson
    from variorum_kb.forms.lineage import BearerThereJson as BearerThereJson
    from variorum_kb.forms.lineage import BlamedJson as BlamedJson
    from variorum_kb.forms.lineage import BlameJson as BlameJson
    from variorum_kb.forms.lineage import ChangeJson as ChangeJson
    from variorum_kb.forms.lineage import CrosswalkRowJson as CrosswalkRowJson
    from variorum_kb.forms.lineage import DiffJson as DiffJson
    from variorum_kb.forms.lineage import DiffSubjectJson as DiffSubjectJson
    from variorum_kb.forms.lineage import DiffSummaryJson as DiffSummaryJson
    from variorum_kb.forms.lineage import HistoryJson as HistoryJson
    from variorum_kb.forms.lineage import NowJson as NowJson
    from variorum_kb.forms.lineage import OtherBearerJson as OtherBearerJson
    from variorum_kb.forms.lineage import ReadingJson as ReadingJson
    from variorum_kb.forms.lineage import ReadJson as ReadJson
    from variorum_kb.forms.lineage import ReadStepJson as ReadStepJson
    from variorum_kb.forms.lineage import StepJson as StepJson
    from variorum_kb.forms.lineage import SubruleNowJson as SubruleNowJson
    from variorum_kb.forms.lineage import SubrulesChangedJson as SubrulesChangedJson
    from variorum_kb.forms.lineage import SubrulesJson as SubrulesJson
    from variorum_kb.forms.lineage import SubruleStepJson as SubruleStepJson
    from variorum_kb.forms.lineage import SweepJson as SweepJson
    from variorum_kb.forms.lineage import WhereJson as WhereJson
    from variorum_kb.forms.lineage import WordJson as WordJson
    from variorum_kb.forms.lint import LintFindingJson as LintFindingJson
    from variorum_kb.forms.lint import LintJson as LintJson
    from variorum_kb.forms.number import NumberedBearerJson as NumberedBearerJson
    from variorum_kb.forms.number import NumberJson as NumberJson
    from variorum_kb.forms.number import NumberTableJson as NumberTableJson
    from variorum_kb.forms.number import TableBearerJson as TableBearerJson
    from variorum_kb.forms.preview import PreviewJson as PreviewJson
    from variorum_kb.forms.provision import CitedByJson as CitedByJson
    from variorum_kb.forms.provision import CitesJson as CitesJson
    from variorum_kb.forms.provision import EarlierJson as EarlierJson
    from variorum_kb.forms.provision import EntryMatchJson as EntryMatchJson
    from variorum_kb.forms.provision import EntryRuleJson as EntryRuleJson
    from variorum_kb.forms.provision import ExplainedEntryJson as ExplainedEntryJson
    from variorum_kb.forms.provision import HeadingJson as HeadingJson
    from variorum_kb.forms.provision import MisfitJson as MisfitJson
    from variorum_kb.forms.provision import MovedJson as MovedJson
    from variorum_kb.forms.provision import NumberedMatchJson as NumberedMatchJson
    from variorum_kb.forms.provision import RefLineJson as RefLineJson
    from variorum_kb.forms.provision import RefsJson as RefsJson
    from variorum_kb.forms.provision import ShownEntryJson as ShownEntryJson
    from variorum_kb.forms.provision import TermJson as TermJson
    from variorum_kb.forms.search import ExpandedJson as ExpandedJson
    from variorum_kb.forms.search import HitJson as HitJson
    from variorum_kb.forms.search import ResolveJson as ResolveJson
    from variorum_kb.forms.search import SearchJson as SearchJson
    from variorum_kb.forms.search import SourceJson as SourceJson
    from variorum_kb.forms.sync import SyncJson as SyncJson
    from variorum_kb.forms.upkeep import AcceptedJson as AcceptedJson
    from variorum_kb.forms.upkeep import ArchiveCheckJson as ArchiveCheckJson
    from variorum_kb.forms.upkeep import ArchiveJson as ArchiveJson
    from variorum_kb.forms.upkeep import DamageJson as DamageJson
    from variorum_kb.forms.upkeep import DecisionJson as DecisionJson
    from variorum_kb.forms.upkeep import DoctorJson as DoctorJson
    from variorum_kb.forms.upkeep import ExaminedJson as ExaminedJson
    from variorum_kb.forms.upkeep import KeptDocumentJson as KeptDocumentJson
    from variorum_kb.forms.upkeep import SourceOfDocumentJson as SourceOfDocumentJson
    from variorum_kb.forms.watch import WatchedFilesJson as WatchedFilesJson
    from variorum_kb.forms.watch import WatchedJson as WatchedJson
    from variorum_kb.forms.watch import WatchedRuleJson as WatchedRuleJson
    from variorum_kb.forms.watch import WatchReportJson as WatchReportJson
    from variorum_kb.forms.witness import AnnouncedJson as AnnouncedJson
    from variorum_kb.forms.witness import AttestationJson as AttestationJson
    from variorum_kb.forms.witness import WitnessNameJson as WitnessNameJson
    from variorum_kb.search.queries.query import QueryError as QueryError

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
    "variorum_kb.errors": "AmbiguousEditionError ArchiveError BaseBusyError BaseError BaseVersionError CostlyError DamagedBaseError DocumentError EncodingError LayoutError MissingPackageError NewerBaseError NoBaseError NoEditionError NoGitError NotARuleNumberError NotFoundError NotReadableError NotWritableError OriginalError ParseError SettingsError TooLargeError TruncatedError TwoEditionsError UnexpectedError VariorumError",
    "variorum_kb.forms.ask": "AskJson AskedCardJson CardFaceJson CardJson CardRulingJson CardsJson GoverningRuleJson PassageTextJson ReasonJson RulePassageJson RulingCitationJson",
    "variorum_kb.forms.audit": "AuditFindingJson AuditJson AuditSummaryJson MeaningJson",
    "variorum_kb.forms.edition": "ExportJson IrregularityJson LedgerJson LineEndsJson ListedEditionJson",
    "variorum_kb.forms.failure": "FailureJson",
    "variorum_kb.forms.identify": "IdentifyJson",
    "variorum_kb.forms.lineage": "BearerThereJson BlameJson BlamedJson ChangeJson CrosswalkRowJson DiffJson DiffSubjectJson DiffSummaryJson HistoryJson NowJson OtherBearerJson ReadJson ReadStepJson ReadingJson StepJson SubruleNowJson SubruleStepJson SubrulesChangedJson SubrulesJson SweepJson WhereJson WordJson",
    "variorum_kb.forms.lint": "LintFindingJson LintJson",
    "variorum_kb.forms.number": "NumberJson NumberTableJson NumberedBearerJson TableBearerJson",
    "variorum_kb.forms.preview": "PreviewJson",
    "variorum_kb.forms.provision": "CitedByJson CitesJson EarlierJson EntryMatchJson EntryRuleJson ExplainedEntryJson HeadingJson MisfitJson MovedJson NumberedMatchJson RefLineJson RefsJson ShownEntryJson TermJson",
    "variorum_kb.forms.search": "ExpandedJson HitJson ResolveJson SearchJson SourceJson",
    "variorum_kb.forms.sync": "SyncJson",
    "variorum_kb.forms.upkeep": "AcceptedJson ArchiveCheckJson ArchiveJson DamageJson DecisionJson DoctorJson ExaminedJson KeptDocumentJson SourceOfDocumentJson",
    "variorum_kb.forms.watch": "WatchReportJson WatchedFilesJson WatchedJson WatchedRuleJson",
    "variorum_kb.forms.witness": "AnnouncedJson AttestationJson WitnessNameJson",
    "variorum_kb.search.queries.query": "QueryError",
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
