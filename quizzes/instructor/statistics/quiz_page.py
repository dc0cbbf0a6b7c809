"""What the page of a quiz's statistics shows: figures, charts and remarks, in words."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from quizzes.instructor.statistics.number_texts import (
    count_attempts,
    format_interval,
    format_number,
    format_seconds,
    format_share,
    name_group,
    name_language,
)
from quizzes.lib.charts.question_scatter_plot import QuestionPoint, render_question_scatter_plot
from quizzes.lib.charts.score_histogram import render_score_histogram
from quizzes.lib.charts.svg_elements import Chart, ChartTexts
from quizzes.presentation.formatting import format_letter, format_percent, get_percent_sign
from quizzes.presentation.messages.statistics import (
    CERTAINTIES,
    CERTAINTY_EXPLANATIONS,
    describe_caution,
    describe_dif,
    describe_remark,
)
from quizzes.statistics.domain.cautions import Caution
from quizzes.statistics.domain.option_measures import Certainty, OptionRemark
from quizzes.statistics.measuring import SEPARATE_NUMBERS
from quizzes.statistics.selectors import QuizStatisticsReport

LOW_DISCRIMINATION = 0.0
"""A question below it orders learners the other way round than the others do."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure in words, with its limits and what to mind."""

    label: str
    text: str
    interval: str = ""
    cautions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MeasuredQuestion:
    """A row of the table of questions."""

    number: int
    name: str
    version_number: int
    n: int
    facility: str
    facility_interval: str
    discrimination: str
    discrimination_interval: str
    efficiency: str
    effective_weight: str
    omitted: str
    seconds: str
    cautions: tuple[str, ...]
    is_flagged: bool


@dataclass(frozen=True, slots=True)
class QuestionRemark:
    """What to look at in a question, and how sure it is."""

    number: int
    name: str
    sentence: str
    certainty: str
    explanation: str
    is_problem: bool


def describe_cautions(measure: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return in words what to mind of a measure."""
    return tuple(describe_caution(code) for code in (measure or {}).get("cautions", ()))


def list_figures(report: QuizStatisticsReport) -> Iterator[Figure]:
    """Yield the figures of the quiz; none without attempts."""
    scores, reliability = report.measures["scores"], report.measures["reliability"]
    if scores is None:
        return
    maximum = format_number(scores["maximum"], _digits(scores["maximum"]))
    yield Figure(_("Attempts"), format_number(scores["n"], 0))
    yield Figure(
        _("Mean"),
        _("%(points)s of %(maximum)s")
        % {"points": format_number(scores["mean"]), "maximum": maximum},
        format_interval(scores["interval"]),
        describe_cautions(scores),
    )
    yield Figure(_("Median"), format_number(scores["median"]))
    yield Figure(_("Standard deviation"), format_number(scores["sd"]))
    yield Figure(
        _("Passed"),
        format_share(scores["passed"] / scores["n"]),
        count_attempts(scores["passed"]),
    )
    yield Figure(
        _("Reliability (alpha)"),
        format_number(reliability["coefficient"]),
        format_interval(reliability["interval"]),
        describe_cautions(reliability),
    )
    yield Figure(_("Standard error of measurement"), format_number(reliability["standard_error"]))
    times = report.measures["time_quantiles"]
    if times:
        middle = {"low": format_seconds(times["25"]), "high": format_seconds(times["75"])}
        yield Figure(
            _("Time needed (median)"),
            format_seconds(times["50"]),
            _("half of them %(low)s to %(high)s") % middle,
        )


def _digits(number: float) -> int:
    return 0 if float(number).is_integer() else 2


def describe_error(report: QuizStatisticsReport) -> list[str]:
    """Return in words what the error of measurement means, for scores and at the pass mark."""
    reliability, decision = report.measures["reliability"], report.measures["pass_decision"]
    sentences: list[str] = []
    error = (reliability or {}).get("standard_error")
    if error:
        sentences.append(
            _(
                "Had learners taken an equivalent quiz, two thirds of them would have a score"
                " within %(error)s points of their true one, and 95%% within %(double)s."
            )
            % {"error": format_number(error), "double": format_number(1.96 * error)}
        )
    if decision:
        sentences += [
            _("At the pass mark of %(mark)s points a score is uncertain by %(error)s points.")
            % {
                "mark": format_number(decision["pass_score"]),
                "error": format_number(decision["standard_error"]),
            },
            ngettext(
                "%(count)s attempt lies as close to it as that.",
                "%(count)s attempts lie as close to it as that.",
                decision["uncertain"],
            )
            % {"count": format_number(decision["uncertain"], 0)},
            _("An equivalent quiz would let the same people pass or fail in %(share)s of cases.")
            % {"share": format_share(decision["consistency"])},
        ]
    return sentences


def draw_histogram(report: QuizStatisticsReport) -> Chart | None:
    """Return the histogram of scores; none without attempts."""
    scores = report.measures["scores"]
    if scores is None:
        return None
    threshold = report.quiz_version.threshold
    bars = [
        (_to_share(bar["low"]), _to_share(bar["high"]), bar["count"])
        for bar in report.measures["histogram"]
    ]
    fullest = max(bars, key=lambda bar: bar[2])
    texts = ChartTexts(
        title=_("Scores"),
        summary=_(
            "%(attempts)s; %(passed)s reach the pass mark of %(mark)s."
            " The fullest range, %(low)s to %(high)s of the points, has %(count)s."
        )
        % {
            "attempts": count_attempts(scores["n"]),
            "passed": format_number(scores["passed"], 0),
            "mark": format_percent(threshold),
            "count": count_attempts(fullest[2]),
            "low": format_share(float(fullest[0])),
            "high": format_share(float(fullest[1])),
        },
        x_label=_("Share of the points"),
        y_label=_("Attempts"),
        percent_sign=get_percent_sign(),
    )
    return render_score_histogram("scores", bars, threshold, texts, _("Pass mark"))


def _to_share(figure: float) -> Fraction:
    """Return the exact share that a stored float stands for."""
    return Fraction(figure).limit_denominator(1000)


def draw_scatter_plot(report: QuizStatisticsReport, flagged: frozenset[int]) -> Chart | None:
    """Return the questions by difficulty and discrimination; none where no question has both."""
    points = [
        QuestionPoint(
            str(row["number"]),
            row["facility"],
            row["discrimination"]["value"],
            is_flagged=row["number"] in flagged,
        )
        for row in report.measures["questions"]
        if row["discrimination"]["value"] is not None
    ]
    if not points:
        return None
    texts = ChartTexts(
        title=_("Questions by facility and discrimination"),
        summary=_(
            "%(count)s questions, from %(low)s to %(high)s facility. Those with remarks are"
            " squares: %(flagged)s."
        )
        % {
            "count": len(points),
            "low": format_share(min(point.facility for point in points)),
            "high": format_share(max(point.facility for point in points)),
            "flagged": ", ".join(point.number for point in points if point.is_flagged) or "–",
        },
        x_label=_("Facility: easy questions are on the right"),
        y_label=_("Discrimination"),
        percent_sign=get_percent_sign(),
    )
    return render_question_scatter_plot(
        "questions", points, texts, lambda figure: format_number(figure, 1)
    )


def list_histogram_rows(report: QuizStatisticsReport) -> list[tuple[str, str]]:
    """Return the table beside the histogram: from and to, attempts; empty bars are left out."""
    return [
        (
            format_interval({"low": bar["low"], "high": bar["high"]}, as_share=True),
            format_number(bar["count"], 0),
        )
        for bar in report.measures["histogram"]
        if bar["count"]
    ]


def list_questions(report: QuizStatisticsReport, flagged: frozenset[int]) -> list[MeasuredQuestion]:
    """Return the rows of the table of questions; what to mind of all stands above, not in each."""
    above = {caution for figure in list_figures(report) for caution in figure.cautions}
    return [
        MeasuredQuestion(
            number=row["number"],
            name=row["name"],
            version_number=row["version_number"],
            n=row["n"],
            facility=format_share(row["facility"]),
            facility_interval=format_interval(row["facility_interval"], as_share=True),
            discrimination=format_number(row["discrimination"]["value"]),
            discrimination_interval=format_interval(row["discrimination"]["interval"]),
            efficiency=format_number(row["efficiency"]),
            effective_weight=format_share(row["effective_weight"]),
            omitted=format_share(row["omitted"] / row["n"]),
            seconds=format_seconds(row["time_quantiles"].get("50")),
            cautions=_merge_cautions(row, above),
            is_flagged=row["number"] in flagged,
        )
        for row in report.measures["questions"]
    ]


def share_cautions(
    questions: Sequence[MeasuredQuestion],
) -> tuple[list[MeasuredQuestion], list[str]]:
    """Return the rows without what several of them have to mind, and that in words, once.

    A sentence that does not apply to every row begins with the numbers of its questions.
    """
    numbers: dict[str, list[int]] = {}
    for question in questions:
        for caution in question.cautions:
            numbers.setdefault(caution, []).append(question.number)
    shared = {caution: places for caution, places in numbers.items() if len(places) > 1}
    rows = [
        replace(question, cautions=tuple(each for each in question.cautions if each not in shared))
        for question in questions
    ]
    sentences = [
        caution
        if len(places) == len(questions)
        else _("Questions %(numbers)s: %(sentence)s")
        % {"numbers": ", ".join(map(str, places)), "sentence": caution}
        for caution, places in shared.items()
    ]
    return rows, sentences


def _merge_cautions(row: Mapping[str, Any], above: Container[str]) -> tuple[str, ...]:
    both = (*describe_cautions(row["discrimination"]), *describe_cautions(row))
    return tuple(caution for caution in dict.fromkeys(both) if caution not in above)


def list_remarks(report: QuizStatisticsReport) -> list[QuestionRemark]:
    """Return what to look at, problems first: keys, distractors, questions against the rest."""
    remarks = [
        remark for row in report.measures["questions"] for remark in list_question_remarks(row)
    ]
    for part in report.dif:
        remarks += [
            _build_remark(
                row,
                describe_dif(row, name_language(part["focal"]), name_language(part["reference"])),
                row["certainty"],
                is_problem=row["dif_class"] == "C",
            )
            for row in part["measures"]
            if row["is_flagged"]
        ]
    return sorted(remarks, key=lambda remark: (not remark.is_problem, remark.number))


def list_question_remarks(row: Mapping[str, Any]) -> Iterator[QuestionRemark]:
    """Yield what to look at in a question; what chance alone brings about easily is left out."""
    wrong_key = OptionRemark.KEY_AVOIDED_BY_GOOD_LEARNERS.value
    is_explained = False
    for place, option in enumerate(row["options"]):
        for remark in option["remarks"]:
            if remark["certainty"] == Certainty.POSSIBLE.value:
                continue
            is_problem = remark["code"] == wrong_key
            is_explained |= is_problem
            sentence = describe_remark(
                remark["code"], _("option %(letter)s") % {"letter": format_letter(place)}
            )
            yield _build_remark(row, sentence, remark["certainty"], is_problem=is_problem)
    interval = row["discrimination"]["interval"]
    if interval and interval["high"] < LOW_DISCRIMINATION and not is_explained:
        yield _build_remark(
            row,
            _("Learners who do well in the rest earn less here than others."),
            Certainty.LIKELY.value,
            is_problem=True,
        )


def _build_remark(
    row: Mapping[str, Any], sentence: str, certainty: str, *, is_problem: bool
) -> QuestionRemark:
    return QuestionRemark(
        number=row["number"],
        name=row["name"],
        sentence=sentence,
        certainty=str(CERTAINTIES[certainty]),
        explanation=str(CERTAINTY_EXPLANATIONS[certainty]),
        is_problem=is_problem,
    )


def list_groups(report: QuizStatisticsReport) -> list[tuple[str, str, str, str, str]]:
    """Return name, attempts, mean, its limits and the share that passed, of each group."""
    return [
        (
            name_group(group, SEPARATE_NUMBERS + 1),
            format_number(group["n"], 0),
            format_number((group["scores"] or {}).get("mean")),
            format_interval((group["scores"] or {}).get("interval")),
            format_share(group["scores"]["passed"] / group["n"] if group["scores"] else None),
        )
        for group in report.measures["groups"]
        if group["n"]
    ]


def describe_withheld(groups: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return in words why figures of some groups are not shown; nothing where all are."""
    small = Caution.SMALL_GROUP.value
    return [describe_caution(small)] if any(small in group["cautions"] for group in groups) else []


def describe_languages(report: QuizStatisticsReport) -> list[str]:
    """Return in words whether questions function alike in the languages, or why nobody knows."""
    if not report.dif:
        return [describe_caution("one_language")]
    sentences: list[str] = []
    for part in report.dif:
        names = {
            "focal": name_language(part["focal"]),
            "reference": name_language(part["reference"]),
        }
        counts = {"focal_n": part["focal_n"], "reference_n": part["reference_n"]}
        flagged = [str(row["number"]) for row in part["measures"] if row["is_flagged"]]
        if not part["measures"]:
            sentences += describe_cautions(part)
            continue
        text = _(
            "%(focal)s (%(focal_n)s learners) beside %(reference)s (%(reference_n)s learners), at"
            " equal ability: questions that differ: %(flagged)s."
        )
        sentences.append(text % {**names, **counts, "flagged": ", ".join(flagged) or _("none")})
        if part["cautions"]:
            sentences.append(
                _("With fewer than 200 learners of a language only large differences are found.")
            )
    return sentences
