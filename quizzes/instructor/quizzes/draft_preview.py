"""What the draft of a quiz would ask a learner, in every language: drawn as an attempt is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import translation

from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.bank.models import QuestionVersion
from quizzes.bank.selectors import load_public_versions
from quizzes.instructor.composer.draft_effects import describe_totals
from quizzes.instructor.translated_field import language_names
from quizzes.lib.number_parsing import parse_count
from quizzes.presentation.formatting import format_points
from quizzes.presentation.messages.quiz_problems import list_sentences
from quizzes.presentation.question_rendering import preview_question
from quizzes.publishing.blueprint import CandidateQuestion, SelectedQuestion, VersionItem, draw
from quizzes.publishing.models import Quiz
from quizzes.publishing.services import PlannedVersionItem, plan_quiz_version

MAX_PAPER: Final = 9_999


@dataclass(frozen=True, slots=True)
class PreviewedQuestion:
    """A question of the paper, as a form in each language; none where its bank is hidden."""

    number: int
    section_title: str
    forms: Sequence[tuple[str, str, str]]


def show_draft_preview(request: HttpRequest, quiz: Quiz) -> HttpResponse:
    """Show one paper of the draft; `paper` in the address is another draw. Nothing is begun."""
    planned, problems = plan_quiz_version(quiz)
    paper = parse_count(request.GET.get("paper", ""), maximum=MAX_PAPER, default=1)
    context = {
        "quiz": quiz,
        "questions": _list_questions(request, quiz, planned, paper) if not problems else [],
        "problems": list_sentences(problems),
        "totals": describe_totals(quiz, planned),
        "intros": [
            (code, name, quiz.title.get(code, ""), quiz.intro.get(code, ""))
            for code, name in language_names().items()
        ],
        "next_paper": paper % MAX_PAPER + 1,
        "draws": any(len(item.versions) > item.draw for item in planned),
    }
    return TemplateResponse(request, "admin/publishing/quiz/preview.html", context)


def _list_questions(
    request: HttpRequest, quiz: Quiz, planned: Sequence[PlannedVersionItem], paper: int
) -> list[PreviewedQuestion]:
    versions = {str(version.uuid): version for item in planned for version in item.versions}
    selected = draw(
        [_build_item(number, item) for number, item in enumerate(planned)],
        seed=f"preview/{paper}",
        shuffle_options=quiz.shuffle_options,
    )
    chosen = [versions[question.candidate.version] for question in selected]
    visible = set(
        questions_whose_keys_are_visible_to(request.user)
        .filter(pk__in={version.question_id for version in chosen})
        .values_list("pk", flat=True)
    )
    public_versions = load_public_versions(version.uuid for version in chosen)
    return [
        PreviewedQuestion(
            number,
            _find_title(planned, question.section, quiz),
            [
                (code, name, _render(public_versions, version, question, code, number))
                for code, name in language_names().items()
            ]
            if version.question_id in visible
            else [],
        )
        for number, (question, version) in enumerate(zip(selected, chosen, strict=True), 1)
    ]


def _build_item(number: int, item: PlannedVersionItem) -> VersionItem:
    """Return an item for the draw; its number is that of the section, to be found again by it."""
    return VersionItem(
        section=number,
        draw=item.draw,
        points=item.points,
        candidates=tuple(
            CandidateQuestion(
                version=str(version.uuid),
                question=str(version.question_id),
                kind=version.kind,
                scoring_method=version.scoring_method,
                content=version.content,
                enemy_set=item.enemies.find_set(version.question_id),
            )
            for version in item.versions
        ),
    )


def _find_title(planned: Sequence[PlannedVersionItem], number: int, quiz: Quiz) -> str:
    """Return the title of the section, where an item is the first of it."""
    section = planned[number].slot.section
    if number and planned[number - 1].slot.section_id == section.pk:
        return ""
    return section.title.get(quiz.source_language) or next(iter(section.title.values()), "")


def _render(
    public_versions: Any,
    version: QuestionVersion,
    question: SelectedQuestion,
    language: str,
    number: int,
) -> str:
    with translation.override(language):  # as a learner meets it, all around it too
        return str(
            preview_question(
                public_versions[version.uuid],
                language,
                number - 1,
                order=question.order,
                points=format_points(question.points),
            )
        )
