"""Computing the measures of quiz versions from what is counted, and storing them as a report.

A page reads the report: it costs the same for ten attempts and for a million.
"""

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db.models import F, QuerySet

from grading.kinds import KINDS
from quizzes.attempts.models import State
from quizzes.bank.selectors import load_keys_and_feedback, load_public_versions
from quizzes.publishing.models import QuizVersion
from quizzes.results.models import Result
from quizzes.statistics.attempt_records import has_options
from quizzes.statistics.domain.option_measures import OptionMeasures, measure_options
from quizzes.statistics.domain.purification import FEWEST_LEARNERS, DifReport, measure_all_dif
from quizzes.statistics.domain.question_measures import (
    QuestionMeasures,
    compute_effective_weights,
    measure_question,
)
from quizzes.statistics.domain.quiz_measures import measure_quiz, measure_scores
from quizzes.statistics.domain.states import QuizState, ScoreKey
from quizzes.statistics.models import QuizVersionStatistics
from quizzes.statistics.plain_values import to_plain
from quizzes.statistics.state_loading import load_patterns, load_state

Keep = Callable[[ScoreKey], bool]
REST_FACTOR: Final = 30
"""So many times as long as measuring took it rests: a large quiz takes a thirtieth of a core."""
SEPARATE_NUMBERS: Final = 4
"""Attempts of this number and below have figures of their own; those above are put together."""


def list_due(now: datetime) -> list[QuizVersionStatistics]:
    """Return what has changed since it was measured, and has rested; the quickest first."""
    changed = QuizVersionStatistics.objects.exclude(changes=F("measured_changes"))
    rows = changed.defer("report").order_by("seconds", "pk")
    return [
        row
        for row in rows
        if row.measured_at is None
        or now - row.measured_at >= timedelta(seconds=REST_FACTOR * row.seconds)
    ]


def measure(statistics: QuizVersionStatistics, now: datetime) -> None:
    """Compute and store the report of a quiz version.

    `changes` is read before its rows: what is counted meanwhile is measured the next time.
    """
    begun = time.monotonic()
    rows = QuizVersionStatistics.objects.filter(pk=statistics.pk)
    changes = rows.values_list("changes", flat=True).get()
    report = build_report(QuizVersion.objects.get(pk=statistics.quiz_version_id))
    rows.update(
        report=report,
        measured_changes=changes,
        measured_at=now,
        seconds=time.monotonic() - begun,
    )


def build_report(quiz_version: QuizVersion) -> dict[str, Any]:
    """Return all measures of a quiz version as JSON: of all attempts and of first attempts."""
    state = load_state(quiz_version.pk)
    keys = _load_keys(state)
    every = _measure_selection(state, quiz_version, keys, lambda _key: True)
    numbers = {number for _language, number in state.scores}
    first = every
    if numbers - {1}:
        first = _measure_selection(state, quiz_version, keys, lambda key: key[1] == 1)
    return {
        "all": every,
        "first": first,
        "dif": [_describe_dif(report) for report in _measure_languages(state, quiz_version)],
        "waiting": list_waiting(quiz_version).count(),
    }


def list_waiting(quiz_version: QuizVersion) -> QuerySet[Result]:
    """Return the results that are not counted yet, as a person has still to mark an answer."""
    return Result.objects.filter(
        attempt__quiz_version=quiz_version,
        attempt__state=State.GRADED,
        attempt__is_staff_attempt=False,
        attempt__learner__guest_since=None,
        grading__provisional=True,
    )


OptionKey = tuple[list[str], list[str]]
"""The options of a question version, and those that are right."""


def _load_keys(state: QuizState) -> dict[str, OptionKey]:
    """Return options and key of the questions that have any, by version."""
    versions = {str(version.uuid): version for version in _load_versions(state)}
    choice = {name: version for name, version in versions.items() if has_options(version.kind)}
    keys = load_keys_and_feedback(version.uuid for version in choice.values())
    options = {}
    for name, version in choice.items():
        answer = KINDS[version.kind].correct_answer(version.content, keys[version.uuid].key)
        rows: Any = version.content["options"]
        chosen: Any = (answer or {}).get("chosen", ())
        options[name] = ([str(row["id"]) for row in rows], [str(id_) for id_ in chosen])
    return options


def _load_versions(state: QuizState) -> Any:
    return load_public_versions(UUID(question) for question in state.questions).values()


def _measure_selection(
    state: QuizState, quiz_version: QuizVersion, keys: Mapping[str, OptionKey], keep: Keep
) -> dict[str, Any]:
    threshold = quiz_version.threshold
    quiz = measure_quiz(state, threshold, keep)
    measures = {}
    for question in state.questions:
        if measured := measure_question(state.select_answers(question, keep)):
            measures[question] = measured
    groups = _list_groups(state, keep)
    plain = to_plain(quiz)
    if quiz.scores:
        plain["scores"] |= {"sd": quiz.scores.sd}
    return {
        **plain,
        "groups": [
            {**label, "scores": _describe_scores(state, threshold, group)}
            for label, group in groups
        ],
        "questions": [
            _describe_question(question, measured, state, keys, keep, groups)
            for question, measured in compute_effective_weights(measures).items()
        ],
    }


Group = tuple[dict[str, Any], Keep]
"""What names a part of the attempts, and which they are."""


def _list_groups(state: QuizState, keep: Keep) -> list[Group]:
    """Return the attempts by language, then by number; none where there is only one."""
    keys = [key for key in state.scores if keep(key)]
    languages = sorted({language for language, _number in keys})
    numbers = sorted({min(number, SEPARATE_NUMBERS + 1) for _language, number in keys})
    groups: list[Group] = []
    if len(languages) > 1:
        groups += [({"language": name}, _keep_language(keep, name)) for name in languages]
    if len(numbers) > 1:
        groups += [({"number": number}, _keep_number(keep, number)) for number in numbers]
    return groups


def _keep_language(keep: Keep, language: str) -> Keep:
    return lambda key: keep(key) and key[0] == language


def _keep_number(keep: Keep, number: int) -> Keep:
    return lambda key: keep(key) and min(key[1], SEPARATE_NUMBERS + 1) == number


def _describe_scores(state: QuizState, threshold: Any, keep: Keep) -> Any:
    scores = measure_scores(state.select_scores(keep), threshold)
    return None if scores is None else {**to_plain(scores), "sd": scores.sd}


def _describe_question(  # noqa: PLR0913, PLR0917  (one argument a source)
    question: str,
    measured: QuestionMeasures,
    state: QuizState,
    keys: Mapping[str, OptionKey],
    keep: Keep,
    groups: list[Group],
) -> dict[str, Any]:
    options: tuple[OptionMeasures, ...] = ()
    if question in keys:
        options = measure_options(state.select_answers(question, keep), *keys[question])
    return {
        "version": question,
        **to_plain(measured),
        "options": [_describe_option(option) for option in options],
        "groups": [{**label, **_describe_group(state, question, group)} for label, group in groups],
    }


def _describe_option(option: OptionMeasures) -> dict[str, Any]:
    return {
        **to_plain(option),
        "groups": [{**to_plain(group), "share": group.share} for group in option.groups],
        "remarks": [
            {"code": remark.value, "certainty": certainty.value}
            for remark, certainty in option.remarks
        ],
    }


def _describe_group(state: QuizState, question: str, keep: Keep) -> dict[str, Any]:
    measured = measure_question(state.select_answers(question, keep))
    if measured is None:
        return {"n": 0, "facility": None, "facility_interval": None, "discrimination": None}
    names = ("n", "facility", "facility_interval", "discrimination", "omitted")
    return {name: to_plain(getattr(measured, name)) for name in names}


def _measure_languages(state: QuizState, quiz_version: QuizVersion) -> list[DifReport]:
    """Return DIF of each language beside the source's, or beside the most frequent one.

    Of first attempts, so that each learner is counted once. Without enough learners of two
    languages nothing is read.
    """
    sizes = {
        language: scores.rows.n
        for (language, number), scores in state.scores.items()
        if number == 1
    }
    large = {language: size for language, size in sizes.items() if size >= FEWEST_LEARNERS}
    if len(large) < 2:  # noqa: PLR2004 (two are compared)
        return []
    source = quiz_version.source_language
    reference = source if source in large else max(large, key=lambda name: large[name])
    patterns = load_patterns(quiz_version.pk)
    return [
        measure_all_dif(patterns, reference, focal) for focal in sorted(large) if focal != reference
    ]


def _describe_dif(report: DifReport) -> dict[str, Any]:
    measures = [
        {
            "version": question,
            **to_plain(measured),
            "is_flagged": measured.is_flagged,
            "is_harder_in_focal": measured.is_harder_in_focal,
            "certainty": measured.certainty.value,
        }
        for question, measured in sorted(report.measures.items())
    ]
    return {**to_plain(report), "measures": measures}
