"""Finds what changed under a citation since an edition: its rule's words, parts or existence."""

from typing import TYPE_CHECKING

from variorum.answers.diff import SUBSTANTIVE, subject_changes
from variorum.audit.grammar import Citation
from variorum.audit.meanings import CitationVerdict
from variorum.errors import NotFoundError
from variorum.records.audit import CURRENT, GONE_SINCE, MERGED_INTO, REWORDED, SPLIT_UP

if TYPE_CHECKING:
    from variorum.answers.knowledge_base import KnowledgeBase
    from variorum.records.lineage import Change


class ChangesSince:
    """The substantive changes of cited rules from an edition to another."""

    def __init__(self, base: "KnowledgeBase", since: str, to: str) -> None:
        self._base = base
        self._since, self._to = base.edition(since), base.edition(to)
        self._known: dict[tuple[str, str], list[Change]] = {}

    def of(self, citation: Citation, verdict: CitationVerdict) -> CitationVerdict:
        """Return a verdict with the changes of its rule; "current" if there is none.

        A number whose edition is unknown, or lacks it, is left out: `cr audit` reports it as ever.
        """
        ends = [part.number for part in (citation.first, citation.last) if part]
        key = "-".join(ends), verdict.as_of or self._since.label
        if key not in self._known:
            self._known[key] = self._changes(*key)
        changes = self._known[key]
        if not changes:
            return verdict._replace(status=CURRENT, is_sure=False)
        kinds = {kind for change in changes for kind in change.kinds}
        became = tuple(dict.fromkeys((each.new, each.new) for each in changes if each.new))
        status = SPLIT_UP if "split" in kinds else MERGED_INTO if "merged" in kinds else REWORDED
        return verdict._replace(
            status=status if became else GONE_SINCE,
            heirs=verdict.heirs if status == REWORDED or not became else became,
            confidence=min([verdict.confidence, *[it.confidence for it in changes]]),
            changes=tuple(changes),
            is_sure=False,
            now_means=None,
            why="",
            meanings=(),
        )

    def _changes(self, question: str, as_of: str) -> "list[Change]":
        base = self._base
        try:
            if as_of != self._since.label and "-" not in question:
                # The number is of another edition than the one since which changes are asked for.
                heir = base.subject(question, as_of).destination(self._since).heir
                if heir is None:  # the rule is newer
                    return []
                question = base.at(heir, self._since.place).name
            editions = self._since, self._to
            found = subject_changes(base, question, editions, self._since, is_alone=True)
        except NotFoundError:
            return []
        return [
            change
            for change in found.record().changes
            if change.class_ == SUBSTANTIVE or change.old is None or change.new is None
        ]
