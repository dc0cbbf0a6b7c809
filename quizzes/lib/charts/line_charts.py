"""Lines over a few places: who chose which option by thirds, and how an exam goes on."""

from collections.abc import Sequence
from dataclasses import dataclass

from quizzes.lib.charts.svg_elements import (
    Chart,
    ChartTexts,
    build_axes,
    build_chart,
    build_count_ticks,
    build_element,
    build_text,
    place_x,
    place_y,
)

LINE_STYLES = 6
"""Classes `chart-line-0` and so on: each has a colour and dashes of its own."""
LABEL_HEIGHT = 12.0


@dataclass(frozen=True, slots=True)
class ChartLine:
    """A line with its label, and a height at each place; none leaves a gap.

    An emphasised line is solid and thick (a right option), others are dashed.
    """

    label: str
    heights: Sequence[float | None]
    is_emphasised: bool = False


def _draw_line(line: ChartLine, number: int, xs: Sequence[float], top: float) -> list[str]:
    classes = f"chart-line chart-line-{number % LINE_STYLES}"
    if line.is_emphasised:
        classes += " chart-emphasised"
    parts, run = [], []
    for x, height in zip([*xs, 0.0], [*line.heights, None], strict=True):
        if height is not None:
            run.append(f"{place_x(x):.2f},{place_y(height / top):.2f}")
        elif run:
            parts.append(build_element("polyline", points=" ".join(run), class_=classes))
            run = []
    return parts


def _spread_labels(places: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """Return labels moved down just so far that none stands on another, and up again from below."""
    spread: list[tuple[float, str]] = []
    for y, label in sorted(places):
        spread.append((max(y, spread[-1][0] + LABEL_HEIGHT) if spread else y, label))
    lowest = place_y(0) + LABEL_HEIGHT
    for place in reversed(range(len(spread))):
        y, label = spread[place]
        lowest = min(y, lowest - LABEL_HEIGHT)
        spread[place] = (lowest, label)
    return spread


def _render(
    identifier: str,
    lines: Sequence[ChartLine],
    places: Sequence[tuple[float, str]],
    texts: ChartTexts,
    scale: tuple[float, Sequence[tuple[float, str]]],
) -> Chart:
    top, y_ticks = scale
    xs = [x for x, _label in places]
    content = [build_axes(texts, [place for place in places if place[1]], y_ticks)]
    ends = []
    for number, line in enumerate(lines):
        content += _draw_line(line, number, xs, top)
        drawn = [height for height in line.heights if height is not None]
        if drawn:
            ends.append((place_y(drawn[-1] / top), line.label))
    content += [
        build_text(label, place_x(max(xs)) + 5, y + 4, "start", "chart-strong")
        for y, label in _spread_labels(ends)
    ]
    return build_chart(identifier, texts, content, [(line.label, *line.heights) for line in lines])


def render_option_curves(
    identifier: str, lines: Sequence[ChartLine], thirds: Sequence[str], texts: ChartTexts
) -> Chart:
    """Return a line for each option: the share of the lower, middle and upper third that chose it.

    `thirds` are the texts of the three places. Table: label of the option, then its shares.
    """
    places = list(zip((0.08, 0.48, 0.88), thirds, strict=True))
    y_ticks = [(quarter / 4, f"{quarter * 25}{texts.percent_sign}") for quarter in range(5)]
    return _render(identifier, lines, places, texts, (1.0, y_ticks))


def render_progress(
    identifier: str,
    lines: Sequence[ChartLine],
    times: Sequence[tuple[float, str]],
    texts: ChartTexts,
) -> Chart:
    """Return counts over time: a line for those who have begun, one for those who handed in.

    `times`: minutes and the text of the tick, empty for none, in order; at least one. Table: label
    of the line, then its counts.
    """
    first, last = times[0][0], times[-1][0]
    width = (last - first) or 1.0
    places = [(0.8 * (minutes - first) / width, label) for minutes, label in times]
    counts = [int(height) for line in lines for height in line.heights if height is not None]
    return _render(identifier, lines, places, texts, build_count_ticks(max(counts, default=0)))
