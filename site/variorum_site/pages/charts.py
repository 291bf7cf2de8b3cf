"""Charts of figures over time as SVG: bars and lines."""

from collections.abc import Sequence
from datetime import date
from math import log10

from variorum_site.pages.markup import Html
from variorum_site.pages.timeline import WIDTH, Scale, axis, picture

_HEIGHT, _TOP, _BASE = 190, 12, 160
# Grid lines are at these figures times a power of ten; at most `_LINES` are drawn.
_STEPS, _LINES = (1, 2, 5), 5


def bars(title: str, days: Sequence[date], figures: Sequence[int], *, is_log: bool = False) -> Html:
    """Return a chart with a bar for each day.

    Args:
        title: The text alternative of the chart.
        days: The days, in order.
        figures: The figure of each day.
        is_log: Whether the scale is logarithmic.
    """
    scale = Scale(days[0], days[-1])
    most = max([1, *figures])
    parts = [_grid(most, is_log=is_log)]
    for day, figure in zip(days, figures, strict=True):
        y = _height(figure, most, is_log=is_log)
        if figure:
            parts.append(
                f'<rect class="full" x="{scale.at(day) - 1}" y="{y}" width="3" height="{_BASE - y}"/>'
            )
    return picture(_HEIGHT, title, [*parts, axis(scale, _BASE)])


def line(title: str, days: Sequence[date], figures: Sequence[int]) -> Html:
    """Return a stepped line: a figure holds until the next day in the list."""
    scale = Scale(days[0], days[-1])
    most = max([1, *figures])
    points = [
        (scale.at(day), _height(figure, most)) for day, figure in zip(days, figures, strict=True)
    ]
    way = f"M{points[0][0]} {points[0][1]}" + "".join(f"H{x}V{y}" for x, y in points[1:])
    parts = [_grid(most), f'<path class="line" d="{way}"/>']
    return picture(_HEIGHT, title, [*parts, axis(scale, _BASE)])


def _height(figure: int, most: int, *, is_log: bool = False) -> int:
    part = log10(1 + figure) / log10(1 + most) if is_log else figure / most
    return round(_BASE - part * (_BASE - _TOP))


def _grid(most: int, *, is_log: bool = False) -> str:
    """Return labelled grid lines at round figures."""
    if is_log:
        steps = [10**power for power in range(len(str(most)))]
    else:
        power = 10 ** max(0, len(str(most)) - 2)
        rounds = (step * ten for ten in (power, power * 10) for step in _STEPS)
        step = next(round_step for round_step in rounds if most / round_step <= _LINES)
        steps = list(range(step, most + 1, step))
    return "".join(
        f'<path class="grid" d="M6 {y}H{WIDTH - 6}"/><text class="label" x="8" y="{y - 3}">{figure:,}</text>'
        for figure in steps
        for y in [_height(figure, most, is_log=is_log)]
    )
