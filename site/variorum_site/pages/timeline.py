"""SVG pictures with a time axis; the stylesheet sets their colours."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from html import escape
from math import log10

from variorum.answers.histories import Life, LifeReading
from variorum.rows import headword_of, name_of
from variorum_site.pages.markup import Html

_WIDTH, _MARGIN = 720, 6
_BAR, _BAR_HEIGHT, _AXIS = 4, 22, 48
_HEIGHT = 64
_LETTER = 8
# On phones the picture is half as wide and its letters nearly as high, so fewer labels fit.
_LETTER_ON_PHONES = 13
_CHART, _TOP, _BASE = 190, 12, 160
# The room of the figures beside the bars; on phones their letters are twice as wide.
_LABELS = 76
# Marks of changes in the order of the legend: the sign and its meaning there, the shape in a picture.
_SIGNS = {
    "substantive": ("●", "reworded", '<circle class="k full" cx="{x}" cy="36" r="4"/>'),
    "sweep": (
        "○",
        "wording changed in many rules at once",
        '<circle class="k" cx="{x}" cy="36" r="3.5"/>',
    ),
    "split": ("◆", "split off", '<path class="k full" d="M{x} 31l5 5l-5 5l-5-5z"/>'),
    "copied": ("■", "copied", '<path class="k full" d="M{left} 32h8v8h-8z"/>'),
    "merged": ("▲", "merged", '<path class="k full" d="M{x} 31l5 9h-10z"/>'),
    "quiet": ("|", "number, citations or typography", '<path class="k" d="M{x} 33v6"/>'),
    "gone": ("×", "removed", '<path class="k" d="M{left} 32l8 8m0-8l-8 8"/>'),
}
# The axis marks every fifth year. It names each, or every other one if it marks so many.
_YEARS, _MANY = 5, 5


def _scale(first: date, last: date, left: int = _MARGIN) -> Callable[[date], int]:
    """Return a function from days to horizontal positions; the first day is at `left`."""
    whole = max(1, (last - first).days)
    return lambda day: left + round((day - first).days / whole * (_WIDTH - left - _MARGIN))


def _axis(at: Callable[[date], int], first: date, last: date, y: int) -> str:
    years = [year for year in range(first.year + 1, last.year + 1) if year % _YEARS == 0]
    step = _YEARS if len(years) < _MANY else 2 * _YEARS
    places = {year: at(date(year, 1, 1)) for year in years}
    ticks = "".join([f"M{x} {y}v4" for x in places.values()])
    named = {year: x for year, x in places.items() if not year % step}
    labels = "".join([f'<text x="{x}" y="{y + 15}">{year}</text>' for year, x in named.items()])
    line = f'<path class="axis" d="M{_MARGIN} {y}H{_WIDTH - _MARGIN}{ticks}"/>'
    return f'{line}<g class="year">{labels}</g>'


def _picture(height: int, kind: str, said: str, parts: Sequence[str]) -> Html:
    box = f'viewBox="0 0 {_WIDTH} {height}"'
    return Html(f'<svg class="{kind}" {box} {said}>{"".join(parts)}</svg>')


def life_line(life: Life, days: Sequence[date], anchors: Mapping[int, str]) -> Html:
    """Return the picture of a history: a bar for each number, a mark for each change.

    `anchors` say where the page tells what an edition did, by its place; what the picture shows
    stands beside it.
    """
    # The right end is the next year divisible by five.
    end = date((days[-1].year // _YEARS + 1) * _YEARS, 1, 1)
    at = _scale(days[0], end)
    last = len(days) - 1

    def linked(place: int, shape: str) -> str:
        anchor = anchors.get(place)
        return f'<a href="#{anchor}" tabindex="-1">{shape}</a>' if anchor else shape

    parts: list[str] = []
    for place, (name, first, stop) in enumerate(_numbers(life)):
        x = at(days[first])
        width = max(2, (at(days[stop + 1]) if stop < last else _WIDTH - _MARGIN) - x)
        bar = f'<rect class="bar b{place % 2}" x="{x}" y="{_BAR}" width="{width}" height="{_BAR_HEIGHT}"/>'
        if width > _LETTER * len(name) + 4:
            tight = "" if width > _LETTER_ON_PHONES * len(name) + 4 else " tight"
            bar += f'<text class="num{tight}" x="{x + 4}" y="{_BAR + 16}">{escape(name)}</text>'
        parts.append(linked(first, bar))
    parts += [
        linked(reading.first, _mark(_kind_of(reading), at(days[reading.first])))
        for reading in life.readings[1:]
    ]
    if life.ending:
        parts.append(_mark("gone", at(days[life.ending.edition])))
    parts.append(_axis(at, days[0], end, _AXIS))
    return _picture(_HEIGHT, "pic life-line", 'aria-hidden="true"', parts)


def _mark(kind: str, x: int) -> str:
    return _SIGNS[kind][2].format(x=x, left=x - 4)


def signs(life: Life) -> list[tuple[str, str]]:
    """Return the marks used in the picture of a history, each with its meaning."""
    used = {_kind_of(reading) for reading in life.readings[1:]}
    used |= {"gone"} if life.ending else set()
    return [(sign, words) for kind, (sign, words, _) in _SIGNS.items() if kind in used]


def _numbers(life: Life) -> list[tuple[str, int, int]]:
    runs: list[tuple[str, int, int]] = []
    for reading in life.readings:
        name = name_of(reading.state)
        name, first = headword_of(name) or name, reading.first
        if runs and runs[-1][0] == name and runs[-1][2] == first - 1:
            first = runs.pop()[1]
        runs.append((name, first, reading.last))
    return runs


def _kind_of(reading: LifeReading) -> str:
    for kind in ("split", "copied", "merged"):
        if kind in reading.kinds:
            return kind
    if any("took in" in how for how, _ in reading.relatives):
        return "merged"
    return reading.into.change if reading.into.change in {"substantive", "sweep"} else "quiet"


def bars(title: str, days: Sequence[date], figures: Sequence[int]) -> Html:
    """Return a chart with a bar for the figure of each day, on a logarithmic scale."""
    at = _scale(days[0], days[-1], _LABELS)
    most = max([1, *figures])

    def height(figure: int) -> int:
        return round(_BASE - log10(1 + figure) / log10(1 + most) * (_BASE - _TOP))

    parts = [
        f'<path class="grid" d="M{_LABELS} {height(figure)}H{_WIDTH - _MARGIN}"/>'
        f'<text class="label" x="4" y="{height(figure) + 4}">{figure:,}</text>'
        for figure in (10**power for power in range(len(str(most))))
    ]
    for day, figure in zip(days, figures, strict=True):
        if figure:
            y = height(figure)
            shape = f'x="{at(day) - 1}" y="{y}" width="3" height="{_BASE - y}"'
            parts.append(f'<rect class="full" {shape}/>')
    parts.append(_axis(at, days[0], days[-1], _BASE))
    return _picture(_CHART, "pic", f'role="img" aria-label="{escape(title)}"', parts)
