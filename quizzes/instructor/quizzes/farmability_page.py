"""The page that says what a quiz yields to who knows nothing, with a warning where that passes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from grading.guessing import score_guesses
from quizzes.attempts.key_access import banks_whose_keys_are_visible_to
from quizzes.bank.access import editable_by
from quizzes.bank.models import Question, QuestionVersion, VersionKey
from quizzes.instructor.quiz_tabs import build_quiz_tabs
from quizzes.presentation.formatting import format_percent
from quizzes.publishing.farmability import (
    ItemGuesses,
    expect_memorised,
    expect_random_guess,
    expect_select_all,
    find_certain_pass,
)
from quizzes.publishing.models import Quiz, RevealMoment
from quizzes.publishing.services import PlannedVersionItem, list_drawable, plan_quiz_version

SHOWN_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Farmability:
    """What each way without knowledge reaches, in words, and what to be warned of."""

    rows: tuple[tuple[str, str], ...]
    warnings: tuple[str, ...]
    keys_are_shown: bool


def measure_farmability(quiz: Quiz, items: Sequence[ItemGuesses]) -> Farmability:
    """Return what the draft of a quiz yields by its settings."""
    threshold = Fraction(quiz.pass_percent) / 100
    select_all, random_guess = expect_select_all(items), expect_random_guess(items)
    rows = [(_("Ticking everything"), select_all), (_("Random answers"), random_guess)]
    keys_are_shown = quiz.reveal_key == RevealMoment.AFTER_SUBMIT and quiz.max_attempts != 1
    if keys_are_shown:
        last = min(SHOWN_ATTEMPTS, quiz.max_attempts or SHOWN_ATTEMPTS)
        rows += [
            (
                _("Memorising the keys shown: attempt %(number)s") % {"number": number},
                expect_memorised(items, number),
            )
            for number in range(1, last + 1)
        ]
    certain = find_certain_pass(items, threshold, quiz.max_attempts) if keys_are_shown else None
    return Farmability(
        tuple((label, format_percent(share, decimals=1)) for label, share in rows),
        tuple(_list_warnings(select_all, random_guess, threshold, certain)),
        keys_are_shown,
    )


def _list_warnings(
    select_all: Fraction, random_guess: Fraction, threshold: Fraction, certain: int | None
) -> Iterator[str]:
    if select_all >= threshold:
        yield _("Whoever ticks everything passes. Choose a scoring that takes points for it.")
    if random_guess >= threshold:
        yield _("Random answers pass on average. Raise the pass mark, or change the questions.")
    if certain is not None:
        yield _(
            "Whoever memorises the keys passes for certain in attempt %(number)s. Show right"
            " answers later, allow fewer attempts, or draw from more questions."
        ) % {"number": certain}


def load_guesses(quiz: Quiz, planned: Sequence[PlannedVersionItem]) -> list[ItemGuesses]:
    """Return what blind answers earn at each place of a draft, scored as its quiz scores."""
    versions = {version.pk for planned_item in planned for version in planned_item.versions}
    keys = dict(VersionKey.objects.filter(version__in=versions).values_list("version", "key"))
    return [
        _score_item(quiz, planned_item, drawable, keys)
        for planned_item, drawable in zip(planned, list_drawable(planned), strict=True)
        if planned_item.points
    ]


def _score_item(
    quiz: Quiz,
    planned_item: PlannedVersionItem,
    drawable: Mapping[int, int],
    keys: Mapping[int, Any],
) -> ItemGuesses:
    scores = [
        score_guesses(
            version.kind, version.content, keys.get(version.pk, {}), _find_method(quiz, version)
        )
        for version in planned_item.versions
        if planned_item.slot.question_id or version.question_id in drawable
    ]
    return ItemGuesses(
        planned_item.draw,
        planned_item.points,
        tuple(guess_score.select_all or Fraction() for guess_score in scores),
        tuple(guess_score.random_guess or Fraction() for guess_score in scores),
        tuple(Counter(drawable.values()).values()) or (1,),
    )


def _find_method(quiz: Quiz, version: QuestionVersion) -> str:
    if version.kind == "multiple_choice" and quiz.scoring_method:
        return quiz.scoring_method
    return version.scoring_method


def show_farmability(admin: Any, request: HttpRequest, quiz: Quiz) -> HttpResponse:
    """Show what the draft yields, to who edits the quiz and every bank that it draws from."""
    planned, problems = plan_quiz_version(quiz)
    questions = {version.question_id for item in planned for version in item.versions}
    banks = set(Question.objects.filter(pk__in=questions).values_list("bank", flat=True))
    # Editors alone: whoever else sees keys must not read here how many are right.
    editable = banks_whose_keys_are_visible_to(request.user).filter(
        pk__in=editable_by(request.user).values("pk")
    )
    is_open = editable.filter(pk__in=banks).distinct().count() == len(banks)
    if not (is_open and admin.has_change_permission(request, quiz)):
        raise Http404
    measured = None if problems else measure_farmability(quiz, load_guesses(quiz, planned))
    context = {
        **build_quiz_tabs(quiz, "guessing", may_edit=True),
        "farmability": measured,
        "pass_mark": format_percent(Fraction(quiz.pass_percent) / 100),
    }
    title = _("Guessing in %(quiz)s") % {"quiz": quiz}
    response: HttpResponse = admin.render_page(
        request, "publishing/quiz/farmability", context, title=title, page_name=_("Guessing")
    )
    return response
