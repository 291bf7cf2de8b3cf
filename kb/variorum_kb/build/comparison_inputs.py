"""What the comparison of a witness depends on: the program, and the editions it is compared with."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import date

from variorum_kb.sources.comparing.bulletins.announced_days import latest_of
from variorum_kb.store.merger import EditionRows
from variorum_kb.store.witnesses import WitnessRows
from variorum_kb.stored_rows import BULLETIN_LAYOUT, COPY_LAYOUT, ORIGINAL_LAYOUT

# The value of `SourceLayout.RULINGS_COLLECTION`.
_RULINGS_COLLECTION = "rulings collection"


class ComparisonInputs:
    """Digests of the program and editions that comparisons depend on."""

    def __init__(self, meta: Mapping[str, str], editions: Sequence[EditionRows]) -> None:
        self._made_by = [f"{name} {value}" for name, value in sorted(meta.items())]
        self._editions = [
            (edition.columns.effective, edition.columns.sha256) for edition in editions
        ]

    def digest(self, layout: str, stated: str, dated: str) -> str:
        """Return the digest of the program and of the editions that a witness is compared with.

        The build compares an original or a copy with the editions of its day, and a bulletin with
        the editions up to its time. No edition is compared with a collection of rulings that has
        its own numbers.
        """
        first, last = "", "9999"
        if _has_day(layout):
            first = last = stated
        elif layout == BULLETIN_LAYOUT and dated:
            days = [date.fromisoformat(day) for day, _ in self._editions]
            last = latest_of(date.fromisoformat(dated), days).isoformat()
        elif layout == _RULINGS_COLLECTION:
            last = ""
        on = [sha256 for day, sha256 in self._editions if first <= day <= last]
        return hashlib.blake2b(
            "\n".join([*self._made_by, *on]).encode(), digest_size=16
        ).hexdigest()

    def are_same(self, witness: WitnessRows) -> bool:
        """Return whether a witness was compared by this program with exactly these editions."""
        row = witness.row
        return witness.rests_on == self.digest(row.layout, row.stated, row.dated)


def day_of(witness: WitnessRows) -> str:
    """Return the day of an original or a copy; "" for any other witness."""
    return witness.row.stated if _has_day(witness.row.layout) else ""


def _has_day(layout: str) -> bool:
    return layout == COPY_LAYOUT or layout.startswith(ORIGINAL_LAYOUT)
