"""What the page of a challenged question shows: who said what of it, and how it was answered."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.urls import reverse

from accounts.models import User
from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.bank.models import Question
from quizzes.bank.selectors import PublicVersion, RenderedTexts, load_public_versions
from quizzes.challenges.models import Challenge
from quizzes.challenges.selectors import list_options
from quizzes.instructor.statistics import question_page as statistics_page
from quizzes.instructor.statistics.quiz_page import Figure
from quizzes.presentation.excerpts import excerpt
from quizzes.presentation.formatting import format_letter
from quizzes.presentation.gradebook_tables import translate_title
from quizzes.publishing.access import editable_by
from quizzes.statistics.models import QuizVersionStatistics
from quizzes.statistics.selectors import list_quizzes_with_statistics

MAX_CHALLENGES = 300
"""Of one question on its page, those that wait first."""
MAX_USES = 5
"""Quiz versions whose statistics are shown, the newest first."""


@dataclass(frozen=True, slots=True)
class ChallengeRow:
    """A challenge with the option that it is about, by letter and words."""

    challenge: Challenge
    option: str


@dataclass(frozen=True, slots=True)
class MeasuredUse:
    """The statistics of the question in one quiz version."""

    quiz: str
    number: int
    figures: Sequence[Figure]
    options: Sequence[statistics_page.ChosenOption]
    url: str


def load_prompts(versions: Iterable[UUID], language: str) -> dict[UUID, RenderedTexts]:
    """Return the texts of question versions in this language, else in their own."""
    loaded = load_public_versions(versions)
    return {uuid: version.words(language) for uuid, version in loaded.items()}


def build_context(
    question: Question, challenges: Sequence[Challenge], person: User, language: str
) -> dict[str, Any]:
    """Return the prompt of the newest challenged version, the challenges, and the statistics."""
    versions = load_public_versions({row.version.uuid for row in challenges})
    newest = max(challenges, key=lambda row: row.version.number).version.uuid
    readable = questions_whose_keys_are_visible_to(person).filter(pk=question.pk).exists()
    return {
        "prompt": versions[newest].words(language),
        "rows": [
            ChallengeRow(row, _name_option(row, versions[row.version.uuid], language))
            for row in challenges
        ],
        "waiting": sum(not row.verdict for row in challenges),
        "uses": _list_uses(challenges, person, language),
        "regrades": _list_regrades(question, challenges, person),
        "question_url": reverse("admin:bank_question_change", args=[question.pk])
        if readable
        else "",
    }


def _list_regrades(
    question: Question, challenges: Sequence[Challenge], person: User
) -> list[tuple[str, str]]:
    """Return the challenged quizzes that this person may regrade, with the page that does.

    The preview of the newest key, where the question was published anew since it was asked; else
    the page on which the question is dropped, credited to all, or counts another way.
    """
    versions = {row.quiz_id: row.version_id for row in challenges}
    quizzes = editable_by(person).filter(pk__in=versions).order_by("pk")
    return [
        (
            translate_title(quiz),
            reverse("admin:publishing_quiz_regrade_question", args=[quiz.pk, question.uuid])
            if question.current_id != versions[quiz.pk]
            else reverse("admin:publishing_quiz_regrade", args=[quiz.pk]),
        )
        for quiz in quizzes
    ]


def _name_option(row: Challenge, version: PublicVersion, language: str) -> str:
    options = list_options(version)
    if row.option is None or str(row.option) not in options:
        return ""
    letter = format_letter(options.index(str(row.option)))
    return f"{letter} · {excerpt(version.words(language).parts.get(str(row.option), ''))}"


def _list_uses(challenges: Sequence[Challenge], person: User, language: str) -> list[MeasuredUse]:
    """Return the measures of the challenged versions in the quizzes of the challenges."""
    quizzes = {row.quiz_id for row in challenges}
    rows = QuizVersionStatistics.objects.filter(
        quiz_version__quiz__in=list_quizzes_with_statistics(person).filter(pk__in=quizzes)
    ).select_related("quiz_version__quiz")
    names = {str(row.version.uuid) for row in challenges}
    uses = []
    for statistics in rows.order_by("-quiz_version")[:MAX_USES]:
        questions = (statistics.report or {}).get("all", {}).get("questions", ())
        for measures in questions:
            if measures["version"] not in names:
                continue
            _prompt, texts, _language = statistics_page.load_prompt(measures, language)
            url = reverse("admin:statistics_question", args=[statistics.pk, measures["version"]])
            uses.append(
                MeasuredUse(
                    str(statistics.quiz_version.quiz),
                    statistics.quiz_version.number,
                    statistics_page.list_question_figures(measures),
                    statistics_page.list_options(measures, texts),
                    url,
                )
            )
    return uses
