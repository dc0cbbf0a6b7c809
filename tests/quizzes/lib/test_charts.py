"""Charts are well-formed SVG without style or script, say what they show, and carry a table."""

import itertools
import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

import pytest

from quizzes.lib.charts.line_charts import ChartLine, render_option_curves, render_progress
from quizzes.lib.charts.question_scatter_plot import QuestionPoint, render_question_scatter_plot
from quizzes.lib.charts.score_histogram import render_score_histogram
from quizzes.lib.charts.svg_elements import (
    ChartTexts,
    build_count_ticks,
    build_element,
    choose_step,
)

SVG = "{http://www.w3.org/2000/svg}"
TEXTS = ChartTexts('Scores <&> "1"', "Most have 60 % or more.", "Score", "Attempts")
BARS = [(Fraction(n, 10), Fraction(n + 1, 10), n * n) for n in range(10)]
HOSTILE = '"><script>alert(1)</script>'


def histogram(bars=tuple(BARS), label="Pass mark: 80 %", texts=TEXTS):
    return render_score_histogram("scores", bars, Fraction(4, 5), texts, label)


def plane():
    points = [QuestionPoint("1", 0.7, 0.4), QuestionPoint("2", 0.2, -0.9, is_flagged=True)]
    return render_question_scatter_plot("plane", points, TEXTS)


def curves():
    lines = [ChartLine("A", (0.2, 0.5, 0.9), is_emphasised=True), ChartLine("B", (0.8, None, 0.1))]
    return render_option_curves("curves", lines, ("Lower", "Middle", "Upper"), TEXTS)


def progress():
    lines = [ChartLine("In", (0, 20, 40)), ChartLine("Done", (0, 0, 40))]
    return render_progress("progress", lines, [(0, "9:00"), (5, ""), (10, "9:10")], TEXTS)


CHARTS = [histogram, plane, curves, progress]


def parse(chart):
    return ET.fromstring(chart.svg)


def find_class(chart, name):
    return [element for element in parse(chart).iter() if name in element.get("class", "").split()]


@pytest.mark.parametrize("render", CHARTS)
def test_a_chart_is_an_image_with_a_title_and_a_description(render):
    chart = render()
    # The script of the admin's theme draws on whatever is called so.
    assert "chart" not in parse(chart).get("class", "").split()
    root = parse(chart)
    title, summary = root[0], root[1]
    assert root.get("role") == "img"
    assert (title.tag, title.text, title.get("id")) == (
        "title",
        TEXTS.title,
        root.get("aria-labelledby"),
    )
    assert (summary.text, summary.get("id")) == (TEXTS.summary, root.get("aria-describedby"))
    assert chart.rows


@pytest.mark.parametrize("render", CHARTS)
def test_a_chart_has_no_style_script_or_link(render):
    for element in parse(render()).iter():
        assert element.tag in set("svg title desc line rect circle polyline text".split())
        assert not {name for name in element.attrib if name.startswith("on")}
        assert not {"style", "href", "fill", "stroke"} & set(element.attrib)


@pytest.mark.parametrize("render", CHARTS)
def test_every_class_of_a_chart_has_its_colour(render):
    sheet = (Path(__file__).parents[3] / "static/admin/charts.css").read_text()
    for element in parse(render()).iter():
        for name in element.get("class", "").split():
            if name != "chart-line-0":
                assert f".{name} " in sheet or f".{name}." in sheet or f".{name}," in sheet, name


def test_texts_cannot_leave_their_element():
    texts = ChartTexts(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    chart = histogram(label=HOSTILE, texts=texts)
    assert "<script" not in chart.svg
    assert parse(chart)[0].text == HOSTILE
    assert ET.fromstring(build_element("text", class_=HOSTILE)).get("class") == HOSTILE


def test_bars_are_as_high_as_their_counts_and_those_that_pass_differ():
    bars = find_class(histogram(), "chart-bar")
    heights = [float(bar.attrib["height"]) for bar in bars]
    assert heights[9] / heights[3] == pytest.approx(81 / 9, rel=0.01)
    assert len(find_class(histogram(), "chart-passed")) == 2
    (mark,) = find_class(histogram(), "chart-mark")
    assert float(mark.attrib["x1"]) == pytest.approx(44 + 0.8 * 336)
    assert histogram().rows == tuple(BARS)


def test_a_histogram_without_attempts_has_an_axis_and_no_height():
    chart = histogram(bars=[(Fraction(0), Fraction(1), 0)])
    assert [bar.get("height") for bar in find_class(chart, "chart-bar")] == ["0"]


def test_a_flagged_question_has_another_shape_and_stays_inside_the_plane():
    (square,) = find_class(plane(), "chart-flagged")
    assert square.tag == "rect"
    assert float(square.attrib["y"]) + 4 == 204
    assert plane().rows[1] == ("2", 0.2, -0.9, True)


def test_a_gap_in_a_line_is_not_bridged():
    lines = [ChartLine("B", (0.8, None, 0.1))]
    chart = render_option_curves("curves", lines, ("1", "2", "3"), TEXTS)
    drawn = find_class(chart, "chart-line")
    assert [len(line.attrib["points"].split()) for line in drawn] == [1, 1]
    assert len(find_class(curves(), "chart-emphasised")) == 1
    assert curves().rows[0] == ("A", 0.2, 0.5, 0.9)


def test_labels_at_the_same_height_do_not_overlap():
    lines = [ChartLine(label, (0.0, 0.0, 0.0)) for label in "ABCD"]
    chart = render_option_curves("curves", lines, ("1", "2", "3"), TEXTS)
    labels = [element for element in find_class(chart, "chart-strong") if element.text in "ABCD"]
    heights = sorted(float(label.attrib["y"]) for label in labels)
    assert all(second - first >= 12 for first, second in itertools.pairwise(heights))
    assert heights[-1] <= 208


def test_a_label_that_has_room_stays_at_the_end_of_its_line():
    lines = [ChartLine("A", (0.9,) * 3), ChartLine("B", (0.0,) * 3), ChartLine("C", (0.0,) * 3)]
    chart = render_option_curves("curves", lines, ("1", "2", "3"), TEXTS)
    (label,) = [element for element in find_class(chart, "chart-strong") if element.text == "A"]
    assert float(label.attrib["y"]) == pytest.approx(204 - 0.9 * 180 + 4)


def test_an_exam_that_has_just_begun_is_drawn():
    chart = render_progress("p", [ChartLine("In", (0,))], [(0, "9:00")], TEXTS)
    assert not re.search("nan|inf", chart.svg)
    assert chart.rows == (("In", 0),)


@pytest.mark.parametrize(
    ("largest", "step", "top"), [(0, 1, 1), (3, 1, 3), (81, 50, 100), (1000, 500, 1000), (7, 2, 8)]
)
def test_ticks_are_round(largest, step, top):
    assert choose_step(largest) == step
    end, ticks = build_count_ticks(largest)
    assert end == top
    assert [share for share, _label in ticks][:: len(ticks) - 1] == [0, 1]
    assert [label for _share, label in ticks][:: len(ticks) - 1] == ["0", str(top)]


def test_the_axis_is_written_as_the_language_of_the_reader_does():
    points = [QuestionPoint("1", 0.5, 0.3)]
    chart = render_question_scatter_plot(
        "plane", points, TEXTS, lambda figure: f"{figure:.1f}".replace(".", ",")
    )
    assert ">0,5<" in chart.svg
    assert ">-0,5<" in chart.svg


def test_numbers_of_points_that_lie_together_stand_beside_each_other():
    places = [(0.5, 0.9), (0.51, 0.82), (0.1, 0.0), *[(0.9, -0.2)] * 8]
    points = [QuestionPoint(str(n), x, y) for n, (x, y) in enumerate(places, 1)]
    chart = render_question_scatter_plot("plane", points, TEXTS)
    assert chart.svg.count("<circle") == len(points)
    assert ">1, 2<" in chart.svg
    assert ">3<" in chart.svg
    assert ">4, 5, 6, 7, 8, 9, …<" in chart.svg
    assert len(chart.rows) == len(points)
