"""How many attempts reached which share of the maximum, with the line at which one passes."""

from collections.abc import Sequence
from fractions import Fraction

from quizzes.lib.charts.svg_elements import (
    BOTTOM,
    TOP,
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

GAP = 1.0
"""Between two bars."""


def render_score_histogram(
    identifier: str,
    bars: Sequence[tuple[Fraction, Fraction, int]],
    pass_threshold: Fraction,
    texts: ChartTexts,
    pass_label: str,
) -> Chart:
    """Return a histogram; a bar is from, to (shares of the maximum) and attempts.

    Bars that lie wholly at or above the pass mark have a class of their own. Table: from, to,
    attempts.
    """
    top, y_ticks = build_count_ticks(max((count for _low, _high, count in bars), default=0))
    x_ticks = [(quarter / 4, f"{quarter * 25}{texts.percent_sign}") for quarter in range(5)]
    content = [build_axes(texts, x_ticks, y_ticks)]
    for low, high, count in bars:
        x, y = place_x(float(low)), place_y(count / top)
        content.append(
            build_element(
                "rect",
                x=x + GAP / 2,
                y=y,
                width=max(0.0, place_x(float(high)) - x - GAP),
                height=BOTTOM - y,
                class_="chart-bar chart-passed" if low >= pass_threshold else "chart-bar",
            )
        )
    x = place_x(float(pass_threshold))
    anchor = "end" if pass_threshold > Fraction(1, 2) else "start"
    content += [
        build_element("line", x1=x, x2=x, y1=TOP - 6, y2=BOTTOM, class_="chart-mark"),
        build_text(pass_label, x + (-5 if anchor == "end" else 5), TOP - 4, anchor, "chart-strong"),
    ]
    return build_chart(identifier, texts, content, bars)
