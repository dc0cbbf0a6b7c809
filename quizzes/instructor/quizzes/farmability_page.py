"""The page that says what a quiz yields to who knows nothing, with a warning where that passes."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from grading.guessing import count_trials, score_guesses
from quizzes.attempts.key_access import banks_whose_keys_are_visible_to
from quizzes.bank.access import editable_by
from quizzes.bank.models import Question, QuestionVersion, VersionKey
from quizzes.instructor.quiz_tabs import build_quiz_tabs
from quizzes.presentation.formatting import format_percent
from quizzes.publishing.farmability import (
    ItemGuesses,
    expect_random_guess,
    expect_select_all,
    find_certain_pass,
)
from quizzes.publishing.memorising import (
    find_disclosure,
    scale_pool,
    set_trials,
    simulate_memorising,
)
from quizzes.publishing.models import Quiz
from quizzes.publishing.services import (
    PlannedVersionItem,
    build_draft_policies,
    list_drawable,
    plan_quiz_version,
)

SHOWN_ATTEMPTS = 5
POOL_FACTORS = (1, 2, 4)
"""How many times the questions of an attempt a pool has, for which the page says what it buys."""


@dataclass(frozen=True, slots=True)
class Farmability:
    """What each way without knowledge reaches, in words, and what to be warned of.

    `attempts`: number, mean share and chance to pass of who memorises what is shown, then the
    chance if the quiz drew from POOL_FACTORS times its questions. `disclosure`: what of the key is
    shown between attempts, "key", "parts" or nothing.
    """

    rows: tuple[tuple[str, str], ...]
    attempts: tuple[tuple[int, tuple[str, ...]], ...]
    warnings: tuple[str, ...]
    disclosure: str


def measure_farmability(quiz: Quiz, items: Sequence[ItemGuesses]) -> Farmability:
    """Return what the draft of a quiz yields by its settings."""
    threshold = Fraction(quiz.pass_percent) / 100
    select_all, random_guess = expect_select_all(items), expect_random_guess(items)
    rows = [(_("Ticking everything"), select_all), (_("Random answers"), random_guess)]
    policy = build_draft_policies(quiz).reveal
    disclosure = "" if quiz.max_attempts == 1 else find_disclosure(policy)
    items = set_trials(items, disclosure)
    certain = find_certain_pass(items, threshold, quiz.max_attempts)
    return Farmability(
        tuple((label, format_percent(share, decimals=1)) for label, share in rows),
        _list_attempts(quiz, items, threshold),
        tuple(_list_warnings(select_all, random_guess, threshold, certain)),
        disclosure,
    )


def _list_attempts(
    quiz: Quiz, items: Sequence[ItemGuesses], threshold: Fraction
) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """Return the rows of those who memorise: one for each attempt that is shown."""
    last = min(SHOWN_ATTEMPTS, quiz.max_attempts or SHOWN_ATTEMPTS)
    pools = [items, *(scale_pool(items, factor) for factor in POOL_FACTORS)]
    own, *others = (simulate_memorising(pool, threshold, last, seed=quiz.slug) for pool in pools)
    return tuple(
        (
            number,
            tuple(
                format_percent(Fraction(share), decimals=0)
                for share in (
                    own[number - 1].mean,
                    own[number - 1].passing,
                    *(attempts[number - 1].passing for attempts in others),
                )
            ),
        )
        for number in range(1, last + 1)
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
            "Whoever memorises what is shown passes for certain in attempt %(number)s. Show it"
            " later, allow fewer attempts, or draw from more questions."
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
    versions = [
        version
        for version in planned_item.versions
        if planned_item.slot.question_id or version.question_id in drawable
    ]
    scores = [
        score_guesses(
            version.kind, version.content, keys.get(version.pk, {}), _find_method(quiz, version)
        )
        for version in versions
    ]
    return ItemGuesses(
        planned_item.draw,
        planned_item.points,
        tuple(guess_score.select_all or Fraction() for guess_score in scores),
        tuple(guess_score.random_guess or Fraction() for guess_score in scores),
        tuple(count_trials(version.kind, version.content) for version in versions),
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
