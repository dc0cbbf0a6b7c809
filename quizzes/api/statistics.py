"""Statistics of a quiz: the measures that its page shows, as JSON and as tables (CSV)."""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar, Final, cast
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from quizzes.api.base_view import BaseAPIView, parse_query
from quizzes.api.fields import StrictSerializer, UTCDateTimeField
from quizzes.api.permissions import Scopes, request_user
from quizzes.api.results_csv import format_cell
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.lib.read_replica import reads_from_replica
from quizzes.statistics.domain import question_measures, quiz_measures
from quizzes.statistics.plain_values import format_share_name
from quizzes.statistics.selectors import (
    AttemptSelection,
    QuizStatisticsReport,
    list_quizzes_with_statistics,
    load_quiz_statistics,
)

SELECTIONS: Final = ("all", "first")
TABLES: Final = ("questions", "options", "groups", "dif", "quiz", "histogram")
QUIZ_MEASURES: Final = (
    "pass_threshold",
    "scores",
    "reliability",
    "pass_decision",
    "time_quantiles",
)
"""What the table `quiz` has in its one line."""
THIRDS: Final = 3
QUESTION_NAMES: Final = ("number", "name", "version", "version_number")
"""What names the question in a line about a part of it."""


class StatisticsQuery(StrictSerializer):
    """Which attempts at which version of a quiz."""

    quiz_version = serializers.UUIDField(
        required=False, help_text="without it the newest version that has attempts"
    )
    attempts = serializers.ChoiceField(
        SELECTIONS, required=False, help_text="all (without it), or the first of each learner"
    )


class StatisticsTableQuery(StatisticsQuery):
    """Which table of them."""

    table = serializers.ChoiceField(
        TABLES, required=False, help_text="without it, a line a question"
    )


def _figure(help_text: str = "") -> serializers.FloatField:
    return serializers.FloatField(allow_null=True, help_text=help_text)


def _cautions() -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(),
        help_text="codes of why a figure is missing, or is to be read with care",
    )


class TimeQuantilesField(serializers.DictField):
    """Seconds by the per cent of the answers, or attempts, that needed no more."""

    child = serializers.FloatField()

    def __init__(self, shares: Sequence[Fraction], **options: Any) -> None:
        """Have a part for each of these shares."""
        super().__init__(**options)
        self.names = [format_share_name(share) for share in shares]


class ConfidenceIntervalSerializer(serializers.Serializer[Any]):
    """Limits that contain the true figure in `confidence` of all samples."""

    low = serializers.FloatField()
    high = serializers.FloatField()
    confidence = serializers.FloatField()


class CorrelationSerializer(serializers.Serializer[Any]):
    """A correlation of `n` attempts with its interval."""

    value = _figure()
    interval = ConfidenceIntervalSerializer(allow_null=True)
    n = serializers.IntegerField()
    cautions = _cautions()


class ScoreMeasuresSerializer(serializers.Serializer[Any]):
    """How scores lie, in points; as shares where attempts could earn different maxima."""

    n = serializers.IntegerField()
    maximum = serializers.FloatField()
    mean = serializers.FloatField()
    interval = ConfidenceIntervalSerializer(allow_null=True, help_text="of the mean")
    median = serializers.FloatField()
    variance = _figure()
    sd = _figure("with n - 1")
    skewness = _figure()
    kurtosis = _figure()
    passed = serializers.IntegerField()
    cautions = _cautions()


class HistogramBarSerializer(serializers.Serializer[Any]):
    """Attempts with a share of the maximum from `low` up to `high`."""

    low = serializers.FloatField()
    high = serializers.FloatField()
    count = serializers.IntegerField()


class ReliabilitySerializer(serializers.Serializer[Any]):
    """Cronbach's alpha, or the coefficient for drawn questions, and the error in points."""

    coefficient = _figure()
    interval = ConfidenceIntervalSerializer(allow_null=True)
    standard_error = _figure("of measurement, in points")
    n = serializers.IntegerField()
    questions = serializers.IntegerField()
    cautions = _cautions()


class PassDecisionSerializer(serializers.Serializer[Any]):
    """What the error of measurement means at the pass mark."""

    pass_score = serializers.FloatField()
    standard_error = serializers.FloatField(help_text="of learners at the pass mark, in points")
    uncertain = serializers.IntegerField(help_text="attempts within one such error of it")
    n = serializers.IntegerField()
    consistency = serializers.FloatField(
        help_text="how often two equivalent quizzes would decide alike"
    )
    kappa = serializers.FloatField(help_text="the same beyond chance")


class ScoreGroupSerializer(serializers.Serializer[Any]):
    """The scores of the attempts in one language, or of one number (5: fifth and later)."""

    language = serializers.CharField(required=False, allow_blank=True)
    number = serializers.IntegerField(required=False)
    n = serializers.IntegerField()
    scores = ScoreMeasuresSerializer(allow_null=True)
    cautions = _cautions()


class QuestionGroupSerializer(serializers.Serializer[Any]):
    """A question in one language, or at one attempt number (5: fifth and later)."""

    language = serializers.CharField(required=False, allow_blank=True)
    number = serializers.IntegerField(required=False)
    n = serializers.IntegerField()
    facility = _figure()
    facility_interval = ConfidenceIntervalSerializer(allow_null=True)
    discrimination = CorrelationSerializer(allow_null=True)
    omitted = serializers.IntegerField(required=False)
    cautions = _cautions()


class OptionGroupSerializer(serializers.Serializer[Any]):
    """How many of a third of the attempts, by score, chose an option."""

    chosen = serializers.IntegerField(allow_null=True)
    n = serializers.IntegerField()
    share = _figure()


class OptionRemarkSerializer(serializers.Serializer[Any]):
    """What an author should look at, and how sure it is: possible, likely or very_likely."""

    code = serializers.CharField()
    certainty = serializers.CharField()


class OptionMeasuresSerializer(serializers.Serializer[Any]):
    """How an option was chosen; `groups` are the lower, middle and upper third by score."""

    option = serializers.UUIDField()
    is_right = serializers.BooleanField()
    chosen = serializers.IntegerField()
    n = serializers.IntegerField()
    interval = ConfidenceIntervalSerializer()
    groups = OptionGroupSerializer(many=True)
    discrimination = CorrelationSerializer()
    remarks = OptionRemarkSerializer(many=True)


class QuestionMeasuresSerializer(serializers.Serializer[Any]):
    """The measures of a question version in this quiz."""

    number = serializers.IntegerField(help_text="of the question in the quiz, from 1")
    question = serializers.UUIDField()
    name = serializers.CharField()
    bank = serializers.CharField(help_text="short name")
    version = serializers.UUIDField()
    version_number = serializers.IntegerField()
    kind = serializers.CharField()
    n = serializers.IntegerField()
    facility = serializers.FloatField(help_text="mean credit, from 0 to 1")
    facility_interval = ConfidenceIntervalSerializer(allow_null=True)
    sd = _figure("of the credit, with n - 1")
    discrimination = CorrelationSerializer(help_text="mark and the sum of the other marks")
    efficiency = _figure("discriminative efficiency, from -1 to 1")
    covariance_with_total = _figure()
    effective_weight = _figure("share of the variance of totals, from 0 to 1")
    upper_lower_difference = _figure("facility of the upper third less that of the lower")
    omitted = serializers.IntegerField()
    omitted_interval = ConfidenceIntervalSerializer()
    time_quantiles = TimeQuantilesField(
        question_measures.TIME_SHARES, help_text="per cent of the answers: seconds"
    )
    cautions = _cautions()
    options = OptionMeasuresSerializer(many=True)
    groups = QuestionGroupSerializer(many=True)


class DifMeasuresSerializer(serializers.Serializer[Any]):
    """How a question functions in the focal language beside the reference language."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    version = serializers.UUIDField()
    dif_class = serializers.CharField(help_text="of the ETS: A negligible, B moderate, C large")
    is_partial = serializers.BooleanField()
    chi_square = serializers.FloatField()
    p_value = serializers.FloatField()
    odds_ratio = _figure()
    odds_ratio_interval = ConfidenceIntervalSerializer(allow_null=True)
    delta = _figure("on the ETS scale; negative: harder in the focal language")
    delta_error = _figure()
    mean_difference = serializers.FloatField(help_text="focal less reference, in credit")
    mean_difference_interval = ConfidenceIntervalSerializer(allow_null=True)
    effect_size = serializers.FloatField()
    reference_n = serializers.IntegerField()
    focal_n = serializers.IntegerField()
    is_flagged = serializers.BooleanField()
    is_harder_in_focal = serializers.BooleanField()
    certainty = serializers.CharField(help_text="possible, likely or very_likely")


class DifReportSerializer(serializers.Serializer[Any]):
    """Differential item functioning between two languages, of first attempts."""

    reference = serializers.CharField()
    focal = serializers.CharField()
    reference_n = serializers.IntegerField()
    focal_n = serializers.IntegerField()
    measures = DifMeasuresSerializer(many=True)
    anchor = serializers.ListField(
        child=serializers.UUIDField(), help_text="question versions that learners are matched by"
    )
    stages = serializers.IntegerField()
    cautions = _cautions()


class QuizStatisticsSerializer(serializers.Serializer[Any]):
    """All measures of a quiz version. Null or empty where nothing was measured."""

    quiz = serializers.UUIDField()
    quiz_version = serializers.UUIDField()
    number = serializers.IntegerField(help_text="of the quiz version")
    attempts = serializers.CharField(help_text="all or first")
    measured_at = UTCDateTimeField(allow_null=True)
    is_up_to_date = serializers.BooleanField(help_text="nothing has changed since it was measured")
    waiting = serializers.IntegerField(
        help_text="attempts that are left out until a person has marked them"
    )
    pass_threshold = serializers.FloatField(help_text="as a share of the maximum")
    scores = ScoreMeasuresSerializer(allow_null=True)
    histogram = HistogramBarSerializer(many=True)
    reliability = ReliabilitySerializer(allow_null=True)
    pass_decision = PassDecisionSerializer(allow_null=True)
    time_quantiles = TimeQuantilesField(
        quiz_measures.TIME_SHARES, help_text="per cent of the attempts: seconds"
    )
    groups = ScoreGroupSerializer(many=True)
    questions = QuestionMeasuresSerializer(many=True)
    dif = DifReportSerializer(many=True)


def _load(request: Request, quiz: UUID, params: Mapping[str, Any]) -> QuizStatisticsReport:
    report = load_quiz_statistics(
        quizzes=list_quizzes_with_statistics(request_user(request)),
        quiz=quiz,
        quiz_version=params.get("quiz_version"),
        selection=cast(AttemptSelection, params.get("attempts", "all")),
    )
    record(AuditCode.KEYS_VIEWED, about=report.quiz, once=True)
    return report


class QuizStatisticsView(BaseAPIView):
    """The statistics of a quiz."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}
    shows_keys = True

    @extend_schema(
        operation_id="getQuizStatistics",
        summary="Statistics of a quiz and its questions",
        tags=["results"],
        parameters=[StatisticsQuery],
        responses=QuizStatisticsSerializer,
    )
    @reads_from_replica
    def get(self, request: Request, quiz: UUID) -> Response:
        """Show the measures of a quiz that you oversee, as its page shows them."""
        report = _load(request, quiz, parse_query(request, StatisticsQuery))
        payload = {
            **report.measures,
            "quiz": report.quiz.uuid,
            "quiz_version": report.quiz_version.uuid,
            "number": report.quiz_version.number,
            "attempts": report.selection,
            "measured_at": report.measured_at,
            "is_up_to_date": report.is_up_to_date,
            "waiting": report.waiting,
            "pass_threshold": float(report.quiz_version.threshold),
            "dif": report.dif,
        }
        return Response(QuizStatisticsSerializer(payload).data)


class QuizStatisticsCSVView(BaseAPIView):
    """The statistics of a quiz as a table."""

    scopes: ClassVar[Scopes] = {"GET": (Scope.RESULTS,)}
    sensitive_methods = frozenset({"GET"})
    shows_keys = True

    @extend_schema(
        operation_id="exportQuizStatistics",
        summary="Statistics of a quiz as CSV",
        tags=["results"],
        parameters=[StatisticsTableQuery],
        responses={(200, "text/csv"): OpenApiResponse(OpenApiTypes.STR, "One table")},
    )
    @reads_from_replica
    def get(self, request: Request, quiz: UUID) -> HttpResponse:
        """Export one table of the same measures; parts of a measure have names with a dot."""
        params = parse_query(request, StatisticsTableQuery)
        report = _load(request, quiz, params)
        table = params.get("table", "questions")
        response = HttpResponse(content_type="text/csv; charset=utf-8")
        response["Content-Disposition"] = (
            f'attachment; filename="statistics-{report.quiz.slug}-{table}.csv"'
        )
        write_table(response, list_columns(table), _list_rows(report, table))
        return response


def _list_rows(report: QuizStatisticsReport, table: str) -> Iterator[dict[str, Any]]:
    """Yield the lines of a table, each by column."""
    measures = report.measures
    questions = measures["questions"]
    match table:
        case "quiz":
            yield {
                "pass_threshold": float(report.quiz_version.threshold),
                **{name: measures[name] for name in QUIZ_MEASURES if name in measures},
            }
        case "histogram":
            yield from measures["histogram"]
        case "dif":
            for part in report.dif:
                languages = {"reference": part["reference"], "focal": part["focal"]}
                yield from ({**languages, **row} for row in part["measures"])
        case "questions":
            yield from questions
        case _:
            for row in questions:
                question = {f"question_{name}": row[name] for name in QUESTION_NAMES}
                yield from ({**question, **part} for part in row[table])


def list_columns(table: str) -> list[str]:
    """Return the columns of a table: the same ones whatever was measured."""
    row = {
        "quiz": QuizStatisticsSerializer,
        "histogram": HistogramBarSerializer,
        "dif": DifMeasuresSerializer,
        "questions": QuestionMeasuresSerializer,
        "options": OptionMeasuresSerializer,
        "groups": QuestionGroupSerializer,
    }[table]
    names = list(_list_names("", row()))
    match table:
        case "quiz":
            parts = set(QUIZ_MEASURES)
            return [name for name in names if name.partition(".")[0] in parts]
        case "dif":
            return ["reference", "focal", *names]
        case "questions":
            return [name for name in names if name.partition(".")[0] not in {"options", "groups"}]
        case "options" | "groups":
            return [*(f"question_{name}" for name in QUESTION_NAMES), *names]
        case _:
            return names


def _list_names(prefix: str, serializer: serializers.Serializer[Any]) -> Iterator[str]:
    """Yield the names of the plain values of a measure, joined by dots."""
    for name, part in serializer.fields.items():
        label = f"{prefix}{name}"
        if isinstance(part, serializers.Serializer):
            yield from _list_names(f"{label}.", part)
        elif isinstance(part, TimeQuantilesField):
            yield from (f"{label}.{share}" for share in part.names)
        elif isinstance(part, serializers.ListSerializer) and isinstance(
            part.child, OptionGroupSerializer
        ):
            for place in range(1, THIRDS + 1):
                yield from _list_names(f"{label}.{place}.", part.child)
        else:
            yield label


def write_table(file: Any, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """Write rows as CSV: a column for each of these names, empty where a row has no such value."""
    writer = csv.writer(file)
    writer.writerow(columns)
    for row in rows:
        flat = dict(_flatten("", row))
        writer.writerow([_format_figure(flat.get(name)) for name in columns])


def _flatten(name: str, part: Any) -> Iterator[tuple[str, Any]]:
    """Yield the plain values of a measure by their names, joined by dots."""
    if isinstance(part, Mapping):
        for key, figure in part.items():
            yield from _flatten(f"{name}.{key}" if name else str(key), figure)
    elif name == "remarks":
        yield name, " ".join(f"{remark['code']}:{remark['certainty']}" for remark in part)
    elif isinstance(part, list) and any(isinstance(figure, Mapping) for figure in part):
        for place, figure in enumerate(part, start=1):
            yield from _flatten(f"{name}.{place}", figure)
    else:
        yield name, " ".join(map(str, part)) if isinstance(part, list) else part


def _format_figure(figure: Any) -> str:
    """Return a cell: floats with twelve decimals, as no spreadsheet reads an exponent alike."""
    if isinstance(figure, float):
        return f"{figure:.12f}".rstrip("0").rstrip(".")
    return format_cell(figure)
