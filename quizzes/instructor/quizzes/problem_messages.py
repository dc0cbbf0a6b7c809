"""What keeps a quiz from being published, in the author's words: one sentence a code."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from grading.contract import Problem
from quizzes.instructor.translated_field import language_names

SENTENCES: Mapping[str, Promise] = {
    "missing_text": _("The title is missing in the source language, %(language)s."),
    "unknown_scoring_method": _("Multiple choice is not scored that way; choose another scoring."),
    "no_questions": _("There are no questions yet: add one, or a draw from a bank."),
    "pool_mixes_graded": _(
        "This pool mixes graded questions with cards for study, so points could not be the same "
        "for all. Draw them from two pools."
    ),
    "no_points": _("All questions together are worth no points, so nobody could pass."),
    "credits_too_fine": _(
        "The weights and credits of these questions have denominators too large to be added up "
        "exactly. Write them with smaller ones: 1/3 instead of 33333/99999, say."
    ),
    "question_not_published": _("“%(question)s” has never been published; publish it first."),
    "question_twice": _("“%(question)s” stands here more than once."),
    "weights_missing": _("“%(question)s” has no weights, and this quiz scores by weights."),
    "pool_too_small": _(
        "%(draw)s are to be drawn here, but %(missing)s are lacking: other places and draws "
        "need the same questions."
    ),
}


def say(problem: Problem) -> str:
    """Put a problem into words; a code that is unknown here stands for itself."""
    detail = dict(problem.detail)
    if "language" in detail:
        code = str(detail["language"])
        detail["language"] = language_names(code)[code]
    sentence = SENTENCES.get(problem.code)
    return str(sentence) % detail if sentence else problem.code.replace("_", " ")
