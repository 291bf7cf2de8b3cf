"""Pictures drawn to scale of dates, as SVG; the stylesheet gives them their colours."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape

from variorum_kb.answers.number_histories import Life
from variorum_kb.answers.readings import LifeReading
from variorum_kb.rows import headword_of, name_of
from variorum_site.pages.markup import Html

WIDTH = 720
_MARGIN = 6
_BAR, _BAR_HEIGHT, _MARKS, _AXIS = 4, 22, 36, 48
_HEIGHT = 64
_LETTER = 8
# On phones the picture is half as wide and its letters nearly as high: fewer labels have room there.
_LETTER_ON_PHONES = 13
# What the marks of changes mean, in the order in which a legend tells them.
_SIGNS = {
    "substantive": ("●", "reworded"),
    "sweep": ("○", "wording changed throughout"),
    "split": ("◆", "split off"),
    "copied": ("■", "copied"),
    "merged": ("▲", "took others in"),
    "quiet": ("|", "number, citations or typography"),
    "gone": ("×", "removed"),
}
# A label that takes more than this part of a year's grid is left to every fifth year.
_YEARS = 5


@dataclass(frozen=True, slots=True)
class Scale:
    """Days as places on a picture.

    Attributes:
        first: The day at its left end.
        last: That at its right end.
    """

    first: date
    last: date

    def at(self, day: date) -> int:
        """Return where a day stands."""
        whole = max(1, (self.last - self.first).days)
        return _MARGIN + round((day - self.first).days / whole * (WIDTH - 2 * _MARGIN))

    def years(self) -> Iterator[tuple[int, int]]:
        """Yield the years that are named, and where they begin."""
        for year in range(self.first.year + 1, self.last.year + 1):
            if year % _YEARS == 0:
                yield year, self.at(date(year, 1, 1))


def axis(scale: Scale, y: int) -> str:
    """Return an axis with the years."""
    parts = [f'<path class="axis" d="M{_MARGIN} {y}H{WIDTH - _MARGIN}"/>']
    for year, x in scale.years():
        parts.append(
            f'<path class="axis" d="M{x} {y}v4"/><text class="year" x="{x}" y="{y + 15}">{year}</text>'
        )
    return "".join(parts)


def picture(height: int, title: str, parts: Sequence[str], kind: str = "pic") -> Html:
    """Return a picture of the usual width."""
    return Html(
        f'<svg class="{kind}" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f"{''.join(parts)}</svg>"
    )


def horizon(day: date) -> date:
    """Return the right end of a life's picture: a year that few new editions move."""
    return date((day.year // _YEARS + 1) * _YEARS, 1, 1)


def life_line(life: Life, days: Sequence[date]) -> Html:
    """Return the picture of a life: a bar for each number it bore, a mark for each change.

    Args:
        life: Which.
        days: Of all editions.
    """
    scale = Scale(days[0], horizon(days[-1]))
    last = len(days) - 1
    parts: list[str] = []
    for place, (name, first, stop) in enumerate(_numbers(life)):
        x = scale.at(days[first])
        end = scale.at(days[stop + 1]) if stop < last else WIDTH - _MARGIN
        width = max(2, end - x)
        parts.append(
            f'<rect class="bar b{place % 2}" x="{x}" y="{_BAR}" width="{width}" height="{_BAR_HEIGHT}"/>'
        )
        if width > _LETTER * len(name) + 4:
            tight = "" if width > _LETTER_ON_PHONES * len(name) + 4 else " tight"
            parts.append(
                f'<text class="num{tight}" x="{x + 4}" y="{_BAR + 16}">{escape(name)}</text>'
            )
    parts += [_mark(one, scale.at(days[one.first])) for one in life.readings[1:]]
    if life.gone is not None:
        x = scale.at(days[life.gone])
        parts.append(f'<path class="k" d="M{x - 4} {_MARKS - 4}l8 8m0-8l-8 8"/>')
    return picture(_HEIGHT, _said(life, days), [*parts, axis(scale, _AXIS)], "pic life-line")


def signs(life: Life) -> list[tuple[str, str]]:
    """Return the marks that stand in the picture of a life, and what they mean."""
    used = {_kind_of(one) for one in life.readings[1:]}
    if life.gone is not None:
        used.add("gone")
    return [sign for kind, sign in _SIGNS.items() if kind in used]


def _numbers(life: Life) -> Iterator[tuple[str, int, int]]:
    """Yield the names that a provision bore, with the first and last edition of each run."""
    name, first, last = "", 0, -1
    for reading in life.readings:
        name_here = name_of(reading.state)
        here = headword_of(name_here) or name_here
        if here == name and reading.first == last + 1:
            last = reading.last
            continue
        if name:
            yield name, first, last
        name, first, last = here, reading.first, reading.last
    yield name, first, last


def _kind_of(reading: LifeReading) -> str:
    """Return by which mark of `_SIGNS` a reading is shown."""
    for kind in ("split", "copied", "merged"):
        if kind in reading.kinds:
            return kind
    if any(one.how == "took in" for one in reading.relatives):
        return "merged"
    return reading.change if reading.change in {"substantive", "sweep"} else "quiet"


def _mark(reading: LifeReading, x: int) -> str:
    kind = _kind_of(reading)
    if kind == "split":
        return f'<path class="k full" d="M{x} {_MARKS - 5}l5 5l-5 5l-5-5z"/>'
    if kind == "copied":
        return f'<path class="k full" d="M{x - 4} {_MARKS - 4}h8v8h-8z"/>'
    if kind == "merged":
        return f'<path class="k full" d="M{x} {_MARKS - 5}l5 9h-10z"/>'
    if kind == "substantive":
        return f'<circle class="k full" cx="{x}" cy="{_MARKS}" r="4"/>'
    if kind == "sweep":
        return f'<circle class="k" cx="{x}" cy="{_MARKS}" r="3.5"/>'
    return f'<path class="k" d="M{x} {_MARKS - 3}v6"/>'


def _said(life: Life, days: Sequence[date]) -> str:
    """Say what a picture shows, for who cannot see it."""
    runs = list(_numbers(life))
    numbers = "; ".join(f"{name} from {days[first]}" for name, first, _ in runs)
    return f"Timeline: {numbers}. The table says the same."
