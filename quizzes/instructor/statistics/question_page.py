"""What the page of one question's statistics shows: its options by thirds, languages, attempts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from quizzes.bank.models import Question
from quizzes.bank.selectors import load_public_versions
from quizzes.instructor.statistics.number_texts import (
    count_attempts,
    format_interval,
    format_number,
    format_seconds,
    format_share,
    name_group,
    name_language,
)
from quizzes.instructor.statistics.quiz_page import Figure, describe_cautions
from quizzes.lib.charts.line_charts import ChartLine, render_option_curves
from quizzes.lib.charts.svg_elements import Chart, ChartTexts
from quizzes.presentation.excerpts import excerpt
from quizzes.presentation.formatting import format_letter, get_percent_sign
from quizzes.presentation.messages.statistics import (
    CERTAINTIES,
    CERTAINTY_EXPLANATIONS,
    describe_dif,
)
from quizzes.statistics.measuring import SEPARATE_NUMBERS
from quizzes.statistics.selectors import QuizStatisticsReport

MAX_CURVES = 6
"""Lines that can be told apart."""


@dataclass(frozen=True, slots=True)
class ChosenOption:
    """An option: how often it was chosen, and by whom."""

    letter: str
    text: str
    is_right: bool
    share: str
    interval: str
    thirds: tuple[str, ...]
    discrimination: str
    discrimination_interval: str


@dataclass(frozen=True, slots=True)
class LanguageComparison:
    """How a question functions in one language beside another."""

    sentence: str
    dif_class: str
    odds_ratio: str
    interval: str
    difference: str
    certainty: str
    explanation: str


def list_question_figures(row: Mapping[str, Any]) -> list[Figure]:
    """Return the figures of a question."""
    discrimination, times = row["discrimination"], row["time_quantiles"]
    between = ""
    if times:
        between = _("half of them %(low)s to %(high)s") % {
            "low": format_seconds(times["25"]),
            "high": format_seconds(times["75"]),
        }
    return [
        Figure(_("Attempts"), format_number(row["n"], 0)),
        Figure(
            _("Facility"),
            format_share(row["facility"]),
            format_interval(row["facility_interval"], as_share=True),
        ),
        Figure(
            _("Discrimination"),
            format_number(discrimination["value"]),
            format_interval(discrimination["interval"]),
            describe_cautions(discrimination),
        ),
        Figure(_("Discriminative efficiency"), format_number(row["efficiency"])),
        Figure(_("Effective weight"), format_share(row["effective_weight"])),
        Figure(_("Upper less lower third"), format_number(row["upper_lower_difference"])),
        Figure(
            _("Omitted"),
            format_share(row["omitted"] / row["n"]),
            format_interval(row["omitted_interval"], as_share=True),
        ),
        Figure(_("Time on the question (median)"), format_seconds(times.get("50")), between),
    ]


def load_prompt(row: Mapping[str, Any], language: str) -> tuple[str, dict[str, str], str]:
    """Return prompt (HTML), the texts of options by id, and the language of both."""
    version = UUID(row["version"])
    words = load_public_versions([version])[version].words(language)
    options = {str(id_): excerpt(html) for id_, html in words.parts.items()}
    return words.prompt, options, words.language


def is_older_version(question: Question | None, version: UUID) -> bool:
    """Return whether a question was published anew after this version."""
    current = question.current if question else None
    return current is not None and current.uuid != version


def list_options(row: Mapping[str, Any], texts: Mapping[str, str]) -> list[ChosenOption]:
    """Return the options in the author's order."""
    return [
        ChosenOption(
            letter=format_letter(place),
            text=texts.get(option["option"], ""),
            is_right=option["is_right"],
            share=format_share(option["chosen"] / option["n"]),
            interval=format_interval(option["interval"], as_share=True),
            thirds=tuple(format_share(group["share"]) for group in option["groups"]),
            discrimination=format_number(option["discrimination"]["value"]),
            discrimination_interval=format_interval(option["discrimination"]["interval"]),
        )
        for place, option in enumerate(row["options"])
    ]


def draw_options(row: Mapping[str, Any]) -> Chart | None:
    """Return the curves of the options by thirds; none without options, or of too few learners."""
    if not row["options"] or row["options"][0]["groups"][0]["chosen"] is None:
        return None
    ranked = sorted(
        enumerate(row["options"]),
        key=lambda placed: (not placed[1]["is_right"], -placed[1]["chosen"], placed[0]),
    )
    lines = [
        ChartLine(
            format_letter(place),
            [group["share"] for group in option["groups"]],
            is_emphasised=option["is_right"],
        )
        for place, option in sorted(ranked[:MAX_CURVES], key=lambda placed: placed[0])
    ]
    right = [line.label for line in lines if line.is_emphasised]
    texts = ChartTexts(
        title=_("Options by thirds of the learners"),
        summary=_(
            "%(attempts)s. Right by the key: %(right)s. Each line is the share of the lower, middle"
            " and upper third by score that chose an option."
        )
        % {"attempts": count_attempts(row["n"]), "right": ", ".join(right) or "–"},
        x_label=_("Third of the learners, by score"),
        y_label=_("Chosen by"),
        percent_sign=get_percent_sign(),
    )
    thirds = (_("lower"), _("middle"), _("upper"))
    return render_option_curves("options", lines, thirds, texts)


def list_question_groups(row: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return name, attempts, facility, discrimination, each with limits, of each group."""
    return [
        (
            name_group(group, SEPARATE_NUMBERS + 1),
            format_number(group["n"], 0),
            format_share(group["facility"]),
            format_interval(group["facility_interval"], as_share=True),
            format_number((group["discrimination"] or {}).get("value")),
            format_interval((group["discrimination"] or {}).get("interval")),
        )
        for group in row["groups"]
    ]


def list_comparisons(report: QuizStatisticsReport, version: str) -> list[LanguageComparison]:
    """Return how a question functions in each language beside the first."""
    return [
        LanguageComparison(
            sentence=describe_dif(
                row, name_language(part["focal"]), name_language(part["reference"])
            ),
            dif_class=row["dif_class"],
            odds_ratio=format_number(row["odds_ratio"]),
            interval=format_interval(row["odds_ratio_interval"]),
            difference=format_number(row["mean_difference"]),
            certainty=str(CERTAINTIES[row["certainty"]]),
            explanation=str(CERTAINTY_EXPLANATIONS[row["certainty"]]),
        )
        for part in report.dif
        for row in part["measures"]
        if row["version"] == version
    ]
