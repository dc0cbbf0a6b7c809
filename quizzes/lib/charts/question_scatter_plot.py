"""Every question as a point: how easy it is, and how well it tells learners apart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from quizzes.lib.charts.svg_elements import (
    LEFT,
    RIGHT,
    Chart,
    ChartTexts,
    build_axes,
    build_chart,
    build_element,
    build_text,
    place_x,
    place_y,
)

LOWEST, HIGHEST = -0.5, 1.0
"""Of the vertical axis: correlations below are drawn at its end."""
CLOSE = 18
"""Units within which the number of a point would lie on that of another, or on its mark."""
MOST_NUMBERS = 6
"""Numbers above points that lie together; the table has the others."""


@dataclass(frozen=True, slots=True)
class QuestionPoint:
    """A question by its number; facility from 0 to 1, discrimination from -1 to 1."""

    number: str
    facility: float
    discrimination: float
    is_flagged: bool = False


def _place_discrimination(discrimination: float) -> float:
    share = (discrimination - LOWEST) / (HIGHEST - LOWEST)
    return place_y(min(max(share, 0.0), 1.0))


def render_question_scatter_plot(
    identifier: str,
    points: Sequence[QuestionPoint],
    texts: ChartTexts,
    write_number: Callable[[float], str] = "{:.1f}".format,
) -> Chart:
    """Return the plot; flagged questions are squares, others circles, each with its number.

    Numbers of points that lie together stand beside each other, above the first of them.
    `write_number` writes figures of the axis as the reader's language does.
    Table: number, facility, discrimination, flagged.
    """
    x_ticks = [(quarter / 4, f"{quarter * 25}{texts.percent_sign}") for quarter in range(5)]
    y_ticks = [((y - LOWEST) / (HIGHEST - LOWEST), write_number(y)) for y in (-0.5, 0.0, 0.5, 1.0)]
    zero = _place_discrimination(0)
    content = [
        build_axes(texts, x_ticks, y_ticks),
        build_element("line", x1=LEFT, x2=RIGHT, y1=zero, y2=zero, class_="chart-axis"),
    ]
    labels: list[tuple[float, float, list[str]]] = []
    for point in points:
        x = place_x(min(max(point.facility, 0.0), 1.0))
        y = _place_discrimination(point.discrimination)
        if point.is_flagged:
            shape = build_element(
                "rect", x=x - 4, y=y - 4, width=8, height=8, class_="chart-point chart-flagged"
            )
        else:
            shape = build_element("circle", cx=x, cy=y, r=4, class_="chart-point")
        content.append(shape)
        _add_number(labels, point.number, x, y)
    content += [build_text(_join_numbers(numbers), x, y - 7) for x, y, numbers in labels]
    rows = [
        (point.number, point.facility, point.discrimination, point.is_flagged) for point in points
    ]
    return build_chart(identifier, texts, content, rows)


def _add_number(
    labels: list[tuple[float, float, list[str]]], number: str, x: float, y: float
) -> None:
    """Add a number to the label that it would lie on, else a label of its own."""
    for other_x, other_y, numbers in labels:
        if abs(x - other_x) < CLOSE and abs(y - other_y) < CLOSE:
            numbers.append(number)
            return
    labels.append((x, y, [number]))


def _join_numbers(numbers: Sequence[str]) -> str:
    rest = ["…"] if len(numbers) > MOST_NUMBERS else []
    return ", ".join([*numbers[:MOST_NUMBERS], *rest])
