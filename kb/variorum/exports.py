"""Exports of a whole base, watched rules and drafts; part of `variorum.Base`."""

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from variorum.answers.knowledge_base import KnowledgeBase
from variorum.records.watch import DraftChanges, Watched, WatchReport

if TYPE_CHECKING:
    from variorum.records.number import NumberTable

# The build time of the temporary base that a draft is read into; it does not matter.
_NO_TIME = "1970-01-01T00:00:00+00:00"


class Exports:
    """Answers about a whole base, watched rules and drafts."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base

    # Exports -------------------------------------------------------------------------------------

    def number_table(self, to: str = "current") -> "NumberTable":
        """Return every number that any edition printed, the provisions that had it, and their heirs.

        These are the values that `cr export --crosswalk` prints.

        Args:
            to: The edition that the heirs are from.

        Raises:
            NoEditionError: The designator names no edition.
        """
        from variorum.answers.crosswalk import number_table  # noqa: PLC0415 - imported on first use

        return number_table(self._base, to)

    # Watching ------------------------------------------------------------------------------------

    def watch(self, *names: str) -> list[Watched]:
        """Watch numbers, terms, files and folders from now on; return all that is watched.

        Raises:
            NotFoundError: A name is neither a rule nor a file.
            SettingsError: The list of watched rules is damaged.
            NotWritableError: The folder of the base is not writable.
        """
        from variorum.watch.report import watched_by  # noqa: PLC0415 - imported on first use
        from variorum.watch.watch_list import load_watched, save_watched, with_more  # noqa: PLC0415 - likewise

        watched = load_watched(self._base.folder)
        if names:
            more = [item for words in names for item in watched_by(self._base, words)]
            watched = with_more(watched, more)
            save_watched(self._base.folder, watched)
        return watched

    def changed_since(self, since: str, *names: str) -> WatchReport:
        """Return what changed from an edition to the latest one, in rules and in citations of files.

        Changes that affect only numbers or typography are left out.

        Args:
            since: The designator of the edition.
            names: Numbers, terms, files and folders; without any, all that is watched.

        Raises:
            NoEditionError: The designator names no edition.
            NotFoundError: A name is neither a rule nor a file.
        """
        from variorum.watch.report import report_since, watched_by  # noqa: PLC0415 - imported on first use
        from variorum.watch.watch_list import load_watched  # noqa: PLC0415 - likewise

        asked = [item for words in names for item in watched_by(self._base, words)]
        watched = asked if names else load_watched(self._base.folder)
        return report_since(self._base, watched, since)

    def preview(self, draft: str | Path, files: Iterable[str | Path] = ()) -> DraftChanges:
        """Return the changes that a draft or a coming edition would make; the base stays as it is.

        Args:
            draft: The file of the edition or draft.
            files: Files and folders whose citations are checked.

        Raises:
            NotReadableError: The file cannot be opened.
            DocumentError: The file cannot be read completely, or is not an edition.
            NotFoundError: The base has no edition before it.
        """
        from variorum.build.preview import previewed  # noqa: PLC0415 - imported on first use
        from variorum.watch.preview import draft_report  # noqa: PLC0415 - likewise

        with previewed(self._base, Path(draft), _NO_TIME) as both:
            report = draft_report(both, [Path(file) for file in files])
            return report.as_json()
