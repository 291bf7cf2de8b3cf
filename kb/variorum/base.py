"""An open knowledge base for other programs: strings in, records out, in any thread; and all names of the library."""

from datetime import date
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

import msgspec

from variorum.answers import crosswalk, diff, histories
from variorum.answers.blame import Blame
from variorum.answers.knowledge_base import KnowledgeBase
from variorum.answers.questions import split_pair
from variorum.answers.refs import refs_of
from variorum.answers.stored import export_edition, listed
from variorum.documents.archive import Archive
from variorum.errors import *
from variorum.files import DOCUMENTS, Closing
from variorum.records.answer import Answer as Answer
from variorum.records.answer import Piece as Piece
from variorum.records.audit import *
from variorum.records.document import *
from variorum.records.edition import *
from variorum.records.lineage import *
from variorum.records.schemas import schema as schema
from variorum.records.search import *
from variorum.records.upkeep import *
from variorum.search.query import QueryError as QueryError
from variorum.search.quoted_words import find_source
from variorum.search.search import DEFAULT_HITS, MOST_PASSAGES, Search, SearchOptions

if TYPE_CHECKING:
    from variorum.audit.judge import CitationJudge


class Base(Closing):
    """The knowledge base in a folder, by default the one in VARIORUM_KB, else the platform's.

    The edition in force `today` is "current"; without a day, the latest edition is. A folder without a base
    raises NoBaseError, a base of another version of the program BaseVersionError, a damaged one BaseError.

    It answers from the state in which it was opened, even if the base is rebuilt. Several threads
    may ask at once. Use it in a `with` statement, or close it.

    A *designator* names an edition; one that names none raises NoEditionError. A question that names no
    provision, or several where one is wanted, raises NotFoundError. The question is a number or a term, from
    the edition `on`: by default from the current one, else from the last that has it. `alone` leaves the
    subrules of a provision out.
    """

    def __init__(self, folder: str | Path | None = None, *, today: date | None = None) -> None:
        self._base = KnowledgeBase.open(folder, today=today)
        self._blame = Blame(self._base)
        # Searches share the read positions of files, and a judge all rules of an edition: one at a time.
        self._searching, self._auditing = RLock(), RLock()
        self._search = Search(self._base)
        self._judges: dict[str, CitationJudge] = {}

    def close(self) -> None:
        """Release the files."""
        with self._searching:
            self._search.close()
            self._base.close()

    @property
    def editions(self) -> list[Edition]:
        """Return all editions, oldest first."""
        return [self.edition(label) for label in self._base.labels]

    def edition(self, designator: str = "current") -> Edition:
        """Return the edition that a designator names."""
        edition = self._base.edition(designator)
        return listed(edition, self._base.editions, self._files.get(edition.sha256, ""))

    @cached_property
    def _files(self) -> dict[str, str]:
        return Archive(self._base.folder / DOCUMENTS).names()

    def export(self, edition: str = "current") -> Export:
        """Return all that an edition prints."""
        return export_edition(self._base, edition)

    def show(self, questions: str, on: str | None = None) -> list[Provision]:
        """Return the provisions that questions name, in their order, or a term: "702.19 704.5a-c M10".

        If the edition lacks a number or term, return the heirs of the provision that has it in the
        nearest edition; `moved` names that edition.
        """
        return [match.record() for match in self._base.show(questions, on)]

    def subject(self, question: str, on: str | None = None) -> Provision:
        """Return the only provision that a number or term names, as an edition prints it."""
        return self._base.subject(question, on).record()

    def below(self, question: str, on: str | None = None) -> list[Provision]:
        """Return everything below a provision, in printed order."""
        return [below.record() for below in self._base.subject(question, on).tree()]

    def references(self, question: str, on: str | None = None) -> References:
        """Return what a provision cites and what cites it."""
        return refs_of([self._base.subject(question, on)])

    def history(
        self, question: str, on: str | None = None, *, alone: bool = False, full: bool = False
    ) -> History:
        """Return the history of a provision and its subrules; in full with how their words changed."""
        subject = self._base.subject(question, on)
        return histories.history_of(subject, is_alone=alone, is_full=full)

    def where(self, question: str, to: str = "current", on: str | None = None) -> Destination:
        """Return the number or term that a provision has in another edition, earlier or later."""
        return crosswalk.destination_of(self._base.subject(question, on), self._base.edition(to))

    def why(self, question: str, on: str | None = None) -> list[Step]:
        """Return the evidence for each step of a provision."""
        return histories.why(self._base.subject(question, on))

    def blame(self, question: str, on: str | None = None, *, alone: bool = False) -> DatedProvision:
        """Return when each word of a provision and its subrules was added."""
        return self._blame.of(self._base.subject(question, on), is_alone=alone)

    def diff(
        self,
        start: str,
        stop: str = "current",
        question: str = "",
        *,
        on: str | None = None,
        alone: bool = False,
    ) -> Diff:
        """Return what changed from one edition to another, earlier or later, in all provisions or in one.

        `start` may name both editions: "M10..M11". A number is from the edition `on`; by default from the
        newer of the two if this prints it, else the older.
        """
        first, second = map(self._base.edition, split_pair(start) or (start, stop))
        if not question:
            return diff.find_changes(self._base, first, second).record()
        ends = first, second
        return diff.subject_changes(self._base, question, ends, on, is_alone=alone).record()

    def changes(self, edition: str = "current", question: str = "") -> Diff:
        """Return what an edition changed from the one before it, in all provisions or in one."""
        newer = self._base.edition(edition)
        before = self._base.before(newer)
        if before is None:
            raise NotFoundError(f"{newer.label}: the first edition; nothing precedes it")
        return self.diff(before.label, newer.label, question)

    def since(self, day: str, question: str = "") -> Diff:
        """Return what changed since a day, or another edition, in all provisions or in one."""
        return self.diff(day, "current", question)

    def crosswalk(self, start: str, stop: str = "current") -> list[CrosswalkRow]:
        """Return the numbers that the provisions of one edition have in another, earlier or later."""
        return crosswalk.crosswalk_rows(self._base, start, stop)

    def number_table(self, to: str = "current") -> NumberTable:
        """Return every number that any edition printed, who had it, and their heirs in one edition."""
        return crosswalk.number_table(self._base, to)

    def search(
        self,
        query: str,
        on: str | None = None,
        *,
        ever: bool = False,
        within: str = "",
        kinds: list[str] | None = None,
        limit: int = DEFAULT_HITS,
    ) -> SearchResult:
        """Return the provisions that a query (see docs/judge.md) finds in an edition, best first.

        With `ever`, search the wording of all editions; hits are at or below the number `within`.
        """
        options = SearchOptions(query, on, ever, within, tuple(kinds or ()), limit)
        with self._searching:
            return self._search.search(options)

    def resolve(self, quotation: str, number: str = "", on: str | None = None) -> Resolution:
        """Return the provisions that quoted words come from; number and edition are those given."""
        with self._searching:
            return find_source(self._base, quotation, number, on)

    def ask(self, question: str, on: str | None = None, *, limit: int = MOST_PASSAGES) -> Passages:
        """Return the rules that answer a question in plain words, with the reasons for each.

        The text of cards counts if cards were added with `cr kb cards`.
        """
        with self._searching:
            return self._search.ask(question, on, limit)

    def audit(
        self,
        text: str,
        as_of: str = "",
        *,
        to: str = "current",
        name: str = "text",
        every: bool = False,
        changed_since: str = "",
    ) -> Audit:
        """Return the stale citations of a text: source code, prose, anything.

        They were written for the edition `as_of`, "" if unknown. The suffix of the file name `name` decides
        whether the text is read as a table. With `every`, also list citations that are still correct;
        with `changed_since`, instead those whose rule changed since this edition.
        """
        from variorum.audit.run import Auditor  # noqa: PLC0415 - imported on first use
        from variorum.audit.settings import Settings  # noqa: PLC0415 - likewise

        target = self._base.edition(to).label
        settings = Settings(as_of or changed_since, to, changed_since=changed_since, all=every)
        with self._auditing:
            auditor = Auditor(self._base, settings, judge=self._judges.get(target))
            self._judges = {target: auditor.judge}
            report = auditor.audit_text(text, Path(name))
        statuses = {status: report.counts[status] for status in STATUSES if report.counts[status]}
        counts = AuditSummary(1, report.counts.total(), statuses, report.sure, 0, 0, target)
        return Audit([marked.finding for marked in report.findings], [], counts)


open = Base  # noqa: A001 - as webbrowser.open, wave.open

# The records also use types such as `Label`, which are no names of the library.
NAMES: dict[str, object] = {
    name: value
    for name, value in globals().items()
    if isinstance(value, type) and issubclass(value, (msgspec.Struct, Base, Exception, Piece))
} | {"open": open, "schema": schema}
