"""The output of the score: lines as they come, and a table of required and measured figures."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Figure:
    """Something that is required.

    Attributes:
        name: What is counted.
        required: How much is asked for, in words.
        measured: How much there is.
        is_met: Whether that is enough.
    """

    name: str
    required: str
    measured: str
    is_met: bool


@dataclass(slots=True)
class Report:
    """Writes lines, and remembers figures for the table at the end."""

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
        """Write a table in columns; the first is set to the left, and so are remarks in the last."""
        cells = [list(head), *([str(cell) for cell in row] for row in rows)]
        widths = [max(len(row[place]) for row in cells) for place in range(len(head))]
        for row in cells:
            padded = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
            padded[0] = row[0].ljust(widths[0])
            if has_remarks:
                padded[-1] = row[-1]
            self.say("  ".join(padded))

    def at_most(self, name: str, most: float, measured: float, unit: str = "") -> None:
        """Require that a figure is not too great; what has a unit is shown with two decimals."""
        shown = f"{measured:.2f}" if unit else str(measured)
        is_met = measured <= most
        self.figures.append(Figure(name, f"at most {most}{unit}", f"{shown}{unit}", is_met))

    def at_least(self, name: str, least: int, measured: int, of: int | None = None) -> None:
        """Require that a figure is not too small."""
        shown = f"{measured}" if of is None else f"{measured} of {of}"
        self.figures.append(Figure(name, f"at least {least}", shown, measured >= least))

    def end(self) -> int:
        """Write what was required; return 1 if any of it is missed, else 0."""
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
    """Return a part of a whole in percent, "-" of nothing."""
    return f"{100 * part / whole:.2f} %" if whole else "-"
