"""SVG pictures with a time axis; the stylesheet sets their colours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from math import log10

from variorum.answers.number_histories import Life
from variorum.answers.readings import LifeReading
from variorum.rows import headword_of, name_of
from variorum_site.pages.markup import Html

WIDTH = 720
_MARGIN = 6
_BAR, _BAR_HEIGHT, _MARKS, _AXIS = 4, 22, 36, 48
_HEIGHT = 64
_LETTER = 8
# On phones the picture is half as wide and its letters nearly as high, so fewer labels fit.
_LETTER_ON_PHONES = 13
_CHART, _TOP, _BASE = 190, 12, 160
# The room of the figures beside the bars; on phones their letters are twice as wide.
_LABELS = 76
# Marks of changes and their meanings, in the order of the legend.
_SIGNS = {
    "substantive": ("●", "reworded"),
    "sweep": ("○", "wording changed in many rules at once"),
    "split": ("◆", "split off"),
    "copied": ("■", "copied"),
    "merged": ("▲", "merged"),
    "quiet": ("|", "number, citations or typography"),
    "gone": ("×", "removed"),
}
# The axis marks every fifth year. It names each, or every other one if it marks so many.
_YEARS = 5
_MANY_YEARS = 5


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps days to horizontal positions on a picture.

    Attributes:
        first: The day at the left end.
        last: The day at the right end.
        left: The position of the first day.
    """

    first: date
    last: date
    left: int = _MARGIN

    def at(self, day: date) -> int:
        """Return the position of a day."""
        whole = max(1, (self.last - self.first).days)
        return self.left + round((day - self.first).days / whole * (WIDTH - self.left - _MARGIN))

    def years(self) -> Iterator[tuple[int, int]]:
        """Yield the marked years and the positions where they begin."""
        for year in range(self.first.year + 1, self.last.year + 1):
            if year % _YEARS == 0:
                yield year, self.at(date(year, 1, 1))


def axis(scale: Scale, y: int) -> str:
    """Return a time axis labelled with years."""
    years = list(scale.years())
    ticks = "".join([f"M{x} {y}v4" for _, x in years])
    step = _YEARS if len(years) < _MANY_YEARS else 2 * _YEARS
    labels = "".join(
        [f'<text x="{x}" y="{y + 15}">{year}</text>' for year, x in years if year % step == 0]
    )
    line = f'<path class="axis" d="M{_MARGIN} {y}H{WIDTH - _MARGIN}{ticks}"/>'
    return f'{line}<g class="year">{labels}</g>'


def picture(height: int, parts: Sequence[str], kind: str = "pic", title: str = "") -> Html:
    """Return a picture of the usual width; without a title, what it shows stands beside it."""
    said = f'role="img" aria-label="{escape(title)}"' if title else 'aria-hidden="true"'
    return Html(f'<svg class="{kind}" viewBox="0 0 {WIDTH} {height}" {said}>{"".join(parts)}</svg>')


def horizon(day: date) -> date:
    """Return the right end of a history's picture: the next year divisible by five."""
    return date((day.year // _YEARS + 1) * _YEARS, 1, 1)


def life_line(life: Life, days: Sequence[date], anchors: Mapping[int, str]) -> Html:
    """Return the picture of a history: a bar for each number, a mark for each change.

    Args:
        life: The history.
        days: The effective dates of all editions.
        anchors: Where the page tells what an edition did, by the edition's place.
    """
    scale = Scale(days[0], horizon(days[-1]))
    last = len(days) - 1

    def linked(place: int, shape: str) -> str:
        anchor = anchors.get(place)
        return f'<a href="#{anchor}" tabindex="-1">{shape}</a>' if anchor else shape

    parts: list[str] = []
    for place, (name, first, stop) in enumerate(_numbers(life)):
        x = scale.at(days[first])
        end = scale.at(days[stop + 1]) if stop < last else WIDTH - _MARGIN
        width = max(2, end - x)
        bar = f'<rect class="bar b{place % 2}" x="{x}" y="{_BAR}" width="{width}" height="{_BAR_HEIGHT}"/>'
        if width > _LETTER * len(name) + 4:
            tight = "" if width > _LETTER_ON_PHONES * len(name) + 4 else " tight"
            bar += f'<text class="num{tight}" x="{x + 4}" y="{_BAR + 16}">{escape(name)}</text>'
        parts.append(linked(first, bar))
    parts += [
        linked(reading.first, _mark(reading, scale.at(days[reading.first])))
        for reading in life.readings[1:]
    ]
    if life.gone is not None:
        x = scale.at(days[life.gone])
        parts.append(f'<path class="k" d="M{x - 4} {_MARKS - 4}l8 8m0-8l-8 8"/>')
    return picture(_HEIGHT, [*parts, axis(scale, _AXIS)], "pic life-line")


def signs(life: Life) -> list[tuple[str, str]]:
    """Return the marks used in the picture of a history, each with its meaning."""
    used = {_kind_of(reading) for reading in life.readings[1:]}
    if life.gone is not None:
        used.add("gone")
    return [sign for kind, sign in _SIGNS.items() if kind in used]


def _numbers(life: Life) -> Iterator[tuple[str, int, int]]:
    """Yield the names that a provision has had, with the first and last edition of each run."""
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
    """Return the key in `_SIGNS` of the mark for a reading."""
    for kind in ("split", "copied", "merged"):
        if kind in reading.kinds:
            return kind
    if any(relative.how == "took in" for relative in reading.relatives):
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


def bars(title: str, days: Sequence[date], figures: Sequence[int]) -> Html:
    """Return a chart with a bar for each day, on a logarithmic scale.

    Args:
        title: The text alternative of the chart.
        days: The days, in order.
        figures: The figure of each day.
    """
    scale = Scale(days[0], days[-1], _LABELS)
    most = max([1, *figures])
    parts = [
        f'<path class="grid" d="M{_LABELS} {y}H{WIDTH - 6}"/>'
        f'<text class="label" x="4" y="{y + 4}">{figure:,}</text>'
        for figure in (10**power for power in range(len(str(most))))
        for y in [_height(figure, most)]
    ]
    for day, figure in zip(days, figures, strict=True):
        y = _height(figure, most)
        if figure:
            parts.append(
                f'<rect class="full" x="{scale.at(day) - 1}" y="{y}" width="3" height="{_BASE - y}"/>'
            )
    return picture(_CHART, [*parts, axis(scale, _BASE)], title=title)


def _height(figure: int, most: int) -> int:
    return round(_BASE - log10(1 + figure) / log10(1 + most) * (_BASE - _TOP))
