"""The output of the score: lines at once, and at the end a table of required and measured figures."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Figure:
    """A requirement.

    Attributes:
        name: The thing that is counted.
        required: The required figure, in words.
        is_met: Whether the requirement is met.
    """

    name: str
    required: str
    measured: str
    is_met: bool


@dataclass(slots=True)
class Report:
    """Writes lines, and keeps figures for the table at the end."""

    write: Callable[[str], object]
    figures: list[Figure] = field(default_factory=list[Figure])

    def title(self, words: str) -> None:
        """Write a title."""
        self.write(f"\n{words}\n{'-' * len(words)}\n")

    def say(self, line: str) -> None:
        """Write a line."""
        self.write(f"{line}\n")

    def table(
        self, head: Sequence[str], rows: Iterable[Sequence[object]], *, has_remarks: bool = False
    ) -> None:
        """Write a table in columns, the first and the remarks in the last aligned left."""
        cells = [list(head), *([str(cell) for cell in row] for row in rows)]
        widths = [max(len(row[place]) for row in cells) for place in range(len(head))]
        for row in cells:
            padded = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
            padded[0] = row[0].ljust(widths[0])
            if has_remarks:
                padded[-1] = row[-1]
            self.say("  ".join(padded))

    def at_most(self, name: str, most: float, measured: float, unit: str = "") -> None:
        """Require a maximum; a figure with a unit has two decimals."""
        shown = f"{measured:.2f}" if unit else str(measured)
        is_met = measured <= most
        self.figures.append(Figure(name, f"at most {most}{unit}", f"{shown}{unit}", is_met))

    def at_least(self, name: str, least: int, measured: int, of: int | None = None) -> None:
        """Require a minimum."""
        shown = f"{measured}" if of is None else f"{measured} of {of}"
        self.figures.append(Figure(name, f"at least {least}", shown, measured >= least))

    def end(self) -> int:
        """Write the requirements; return 1 if one is missed, else 0."""
        self.title("summary")
        self.table(
            ("figure", "required", "measured", "ok"),
            [
                (figure.name, figure.required, figure.measured, "yes" if figure.is_met else "NO")
                for figure in self.figures
            ],
        )
        return 0 if all(figure.is_met for figure in self.figures) else 1


def share(part: float, whole: float) -> str:
    """Return a share in percent, or "-" if the whole is 0."""
    return f"{100 * part / whole:.2f} %" if whole else "-"
