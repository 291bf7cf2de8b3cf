"""A chart of figures over time as SVG."""

from collections.abc import Sequence
from datetime import date
from math import log10

from variorum_site.pages.markup import Html
from variorum_site.pages.timeline import WIDTH, Scale, axis, picture

_HEIGHT, _TOP, _BASE = 190, 12, 160
# The room of the figures beside the bars; on phones their letters are twice as wide.
_LABELS = 76


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
    return picture(_HEIGHT, [*parts, axis(scale, _BASE)], title=title)


def _height(figure: int, most: int) -> int:
    return round(_BASE - log10(1 + figure) / log10(1 + most) * (_BASE - _TOP))
