"""SVG as text: elements with escaped attributes, a plot area with axes, the frame of a chart.

Pure. Nothing has an inline style or a script: colours are classes (`static/admin/charts.css`), so a
chart stands under our content security policy, in both themes and on paper. Texts are arguments.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 400, 250
LEFT, RIGHT, TOP, BOTTOM = 44, 380, 24, 204
"""The plot area: small enough for a telephone, with text that can still be read there."""


@dataclass(frozen=True, slots=True)
class ChartTexts:
    """What a chart says in words, already translated. `summary` says what can be seen in it."""

    title: str
    summary: str
    x_label: str
    y_label: str
    percent_sign: str = "%"


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing, and the table that says the same: a row of cells for each thing drawn."""

    svg: str
    rows: tuple[tuple[object, ...], ...]


def build_element(name: str, content: str = "", **attributes: str | float) -> str:
    """Return an element; `class_` is its class, other underscores are hyphens.

    Values of attributes are escaped, and numbers get two decimals at most. `content` is SVG.
    """
    parts = []
    for attribute, setting in attributes.items():
        text = setting if isinstance(setting, str) else f"{setting:.2f}".rstrip("0").rstrip(".")
        parts.append(f' {attribute.rstrip("_").replace("_", "-")}="{escape(text)}"')
    return f"<{name}{''.join(parts)}>{content}</{name}>"


def build_text(text: str, x: float, y: float, anchor: str = "middle", class_: str = "") -> str:
    """Return a text, escaped, at a place."""
    classes = f"chart-text {class_}".strip()
    return build_element("text", escape(text), x=x, y=y, text_anchor=anchor, class_=classes)


def place_x(share: float) -> float:
    """Return where a share of the horizontal axis lies."""
    return LEFT + share * (RIGHT - LEFT)


def place_y(share: float) -> float:
    """Return where a share of the vertical axis lies, from below."""
    return BOTTOM - share * (BOTTOM - TOP)


def build_axes(
    texts: ChartTexts,
    x_ticks: Iterable[tuple[float, str]],
    y_ticks: Iterable[tuple[float, str]],
) -> str:
    """Return both axes with labels and grid; a tick is a share of the axis and its text."""
    parts = []
    for share, label in y_ticks:
        y = place_y(share)
        parts.append(build_element("line", x1=LEFT, x2=RIGHT, y1=y, y2=y, class_="chart-grid"))
        parts.append(build_text(label, LEFT - 6, y + 4, "end"))
    for share, label in x_ticks:
        parts.append(build_text(label, place_x(share), BOTTOM + 16))
    axis = build_element("line", x1=LEFT, x2=RIGHT, y1=BOTTOM, y2=BOTTOM, class_="chart-axis")
    labels = (
        build_text(texts.x_label, (LEFT + RIGHT) / 2, HEIGHT - 8, class_="chart-label"),
        build_text(texts.y_label, 4, 13, "start", class_="chart-label"),
    )
    return "".join((*parts, axis, *labels))


def build_chart(
    identifier: str, texts: ChartTexts, content: Sequence[str], rows: Iterable[tuple[object, ...]]
) -> Chart:
    """Return a chart: an image to a screen reader, named by its title, described by its summary.

    `identifier` is unique on the page.
    """
    title, summary = f"{identifier}-title", f"{identifier}-summary"
    head = build_element("title", escape(texts.title), id=title)
    head += build_element("desc", escape(texts.summary), id=summary)
    svg = build_element(
        "svg",
        head + "".join(content),
        class_="svg-chart",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        role="img",
        aria_labelledby=title,
        aria_describedby=summary,
        focusable="false",
    )
    return Chart(svg, tuple(rows))


def choose_step(largest: float, ticks: int = 4) -> float:
    """Return a round distance of ticks (1, 2 or 5 times a power of ten, at least 1)."""
    step = 1.0
    while True:
        for factor in (1, 2, 5):
            if step * factor * ticks >= largest:
                return step * factor
        step *= 10


def build_count_ticks(largest: int) -> tuple[float, list[tuple[float, str]]]:
    """Return the upper end of an axis of counts, and its ticks."""
    step = choose_step(largest)
    top = step * max(1, -(-largest // step))
    places = range(int(top / step) + 1)
    return top, [(place * step / top, f"{place * step:.0f}") for place in places]
