"""A witness as it goes into the file."""

from typing import NamedTuple

from variorum.stored_rows import PassageRow, WitnessRow


class WitnessRows(NamedTuple):
    """A witness and its passages."""

    row: WitnessRow
    passages: tuple[PassageRow, ...]
