"""What keeps a quiz from being published, in the author's words: one sentence a code."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from grading.contract import Problem
from quizzes.presentation.excerpts import quote
from quizzes.presentation.messages.problems import language_name

NO_PLACES: Final[Mapping[int, str]] = {}
LISTS_OF_NAMES: Final = frozenset({"names", "others"})
"""Details that have a name a line."""
QUIZ_PROBLEMS: Mapping[str, Promise] = {
    "missing_text": _("The title is missing in the source language, %(language)s."),
    "unknown_scoring_method": _("Multiple choice is not scored that way; choose another scoring."),
    "no_questions": _("There are no questions yet: add one, or a draw from a bank."),
    "pool_mixes_graded": _(
        "This pool mixes graded questions with cards for study, so points could not be the same "
        "for all. Draw them from two pools."
    ),
    "no_points": _("All questions together are worth no points, so nobody could pass."),
    "denominator_too_large": _(
        "The weights and credits of these questions have denominators too large to be added up "
        "exactly. Write them with smaller ones: 1/3 instead of 33333/99999, say."
    ),
    "question_not_published": _("“%(question)s” has never been published; publish it first."),
    "question_twice": _("“%(question)s” is listed more than once."),
    "weights_missing": _("“%(question)s” has no weights, and this quiz scores by weights."),
    "pool_too_small": _(
        "%(names)s: %(needed)s are to be drawn, but only %(available)s can be. Questions that "
        "stand fixed elsewhere in the quiz do not count."
    ),
    "pools_too_small": _(
        "%(names)s draw from the same questions: %(needed)s together, but only %(available)s can "
        "be drawn. Questions that stand fixed elsewhere in the quiz do not count."
    ),
    "enemies_together": _(
        "“%(question)s” stands fixed beside another question tagged %(tag)s, and questions with "
        "this tag never come together. Draw one of them, or take one out."
    ),
    "picked_enemies_together": _(
        "“%(question)s” stands fixed beside %(others)s, and of these an attempt asks at most one. "
        "Draw one of them, or take one out."
    ),
    "enemies_overlap": _(
        "“%(question)s” was picked as one that never comes together with others, and it has a tag "
        "whose questions never come together: %(tags)s. Keep only one of the two."
    ),
    "enemy_tag_unused": _(
        "No question of this quiz is tagged %(tag)s, which is named among the tags whose questions "
        "never come together."
    ),
    "enemy_tags_overlap": _(
        "“%(question)s” has more than one of the tags whose questions never come together: "
        "%(tags)s. Leave it one of them."
    ),
}


class DescribedQuizProblem(NamedTuple):
    """A problem in words. `place` is a setting, a slot, or "slots" for all of them together."""

    place: str
    code: str
    sentence: str


def describe_quiz_problems(
    problems: Iterable[Problem], places: Mapping[int, str] = NO_PLACES
) -> list[DescribedQuizProblem]:
    """Return everything that keeps a quiz from being published, for pages and programs alike.

    `places` is what the reader calls each slot, by the id by which problems name it.
    """
    by_name = {f"slots.{slot}": place for slot, place in places.items()}
    return [
        DescribedQuizProblem(
            by_name.get(problem.where, problem.where), problem.code, _describe(problem)
        )
        for problem in problems
    ]


def list_sentences(problems: Iterable[Problem]) -> list[str]:
    """Return the sentences of problems, each once: draws that compete have one together."""
    return list(dict.fromkeys(_describe(problem) for problem in problems))


def _describe(problem: Problem) -> str:
    """Return a problem as a sentence; an unknown code as words."""
    detail = dict(problem.detail)
    if "language" in detail:
        detail["language"] = language_name(str(detail["language"]))
    for several in LISTS_OF_NAMES & detail.keys():
        detail[several] = ", ".join(map(quote, str(detail[several]).split("\n")))
    sentence = QUIZ_PROBLEMS.get(problem.code)
    return str(sentence) % detail if sentence else problem.code.replace("_", " ")
