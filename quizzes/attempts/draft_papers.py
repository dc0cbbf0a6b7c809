"""One paper of the draft of a quiz: drawn as an attempt is, and begun by nobody."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from accounts.models import User
from grading.contract import Problem
from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.bank.models import QuestionVersion
from quizzes.bank.selectors import PublicVersion, load_public_versions
from quizzes.lib.translated_texts import choose_title
from quizzes.publishing.blueprint import CandidateQuestion, VersionItem, draw
from quizzes.publishing.models import Quiz
from quizzes.publishing.planned_version import PlannedVersionItem, plan_quiz_version

MAX_PAPER: Final = 9_999


@dataclass(frozen=True, slots=True)
class PaperQuestion:
    """A question of a paper, with the order of its parts; `section_title` where a section begins.

    `public_version` is None where its bank is hidden from the viewer.
    """

    number: int
    section_title: str
    version: QuestionVersion
    public_version: PublicVersion | None
    order: tuple[str, ...]
    points: Fraction


@dataclass(frozen=True, slots=True)
class DraftPaper:
    """What the draft of a quiz plans, what is wrong with it, and one draw of it: none if so."""

    planned: Sequence[PlannedVersionItem]
    problems: Sequence[Problem]
    questions: Sequence[PaperQuestion]


def draw_paper(*, quiz: Quiz, viewer: User, paper: int) -> DraftPaper:
    """Return a paper of the draft; the same number, the same draw. The viewer may read the quiz."""
    planned, problems = plan_quiz_version(quiz)
    if problems:
        return DraftPaper(planned, problems, ())
    versions = {str(version.uuid): version for item in planned for version in item.versions}
    selected = draw(
        [_build_item(number, item) for number, item in enumerate(planned)],
        seed=f"preview/{paper}",
        shuffle_options=quiz.shuffle_options,
    )
    chosen = [versions[question.candidate.version] for question in selected]
    visible = set(
        questions_whose_keys_are_visible_to(viewer)
        .filter(pk__in={version.question_id for version in chosen})
        .values_list("pk", flat=True)
    )
    public_versions = load_public_versions(version.uuid for version in chosen)
    questions = [
        PaperQuestion(
            number,
            _find_title(planned, question.section, quiz),
            version,
            public_versions[version.uuid] if version.question_id in visible else None,
            question.order,
            question.points,
        )
        for number, (question, version) in enumerate(zip(selected, chosen, strict=True), 1)
    ]
    return DraftPaper(planned, problems, questions)


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
    title = choose_title(section.title, quiz.source_language)
    return title or next(iter(section.title.values()), "")
