"""Practising: drawing a question, checking an answer, opening a hint, asking for the answer."""

import secrets
from datetime import datetime
from functools import partial
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max

from accounts.models import User
from grading.contract import InvalidAnswer
from grading.json_types import Json
from grading.kinds import KINDS
from quizzes.bank.models import QuestionVersion
from quizzes.bank.selectors import load_keys_and_feedback, load_public_versions
from quizzes.lib.cpu_limit import TookTooLong, run_limited
from quizzes.lib.errors import Invalid, NotFound, Refused
from quizzes.practice.access import find_practice_quiz
from quizzes.practice.live_questions import find_live_questions
from quizzes.practice.missed_questions import load_missed_questions
from quizzes.practice.models import PracticeQuestion, PracticeStep, PracticeTry, StepAction
from quizzes.practice.next_question import choose_next, list_candidates, select_question
from quizzes.practice.selectors import find_current, load_practice, load_state
from quizzes.practice.step_chain import append_step
from quizzes.practice.try_chain import append_try
from quizzes.practice.try_scoring import score_try
from quizzes.publishing.models import Quiz
from quizzes.publishing.selectors import (
    LoadedQuizVersion,
    effective_scoring_method,
    load_quiz_version,
)

MAX_SECONDS = 1.0
"""Seconds of CPU that a check may take, a hundred times what one usually does."""


def draw_next(
    *, quiz: UUID, learner: User, after: int, now: datetime, attempt: UUID | None = None
) -> PracticeQuestion:
    """Return the question after that of a number, drawn now unless it was; 0: the first.

    `attempt`: what the learner missed in this attempt of theirs comes first. Not open now, or
    nothing to practise: Refused. Sent twice, or by two tabs, it draws once.
    """
    row = find_practice_quiz(learner, quiz, now)
    current = find_current(row, learner)
    if current is not None and current.number != after:
        return current
    version = load_quiz_version(row.current)  # type: ignore[arg-type]  # find_practice_quiz has looked
    missed = load_missed_questions(row, learner, attempt, now)
    return _draw(row, version, learner, after + 1, missed.left, now)


def _draw(  # noqa: PLR0913, PLR0917  what a draw is made of
    quiz: Quiz,
    version: LoadedQuizVersion,
    learner: User,
    number: int,
    missed: frozenset[str],
    now: datetime,
) -> PracticeQuestion:
    candidates = list_candidates(version.items)
    met = PracticeQuestion.objects.filter(quiz=quiz, learner=learner).order_by()
    last = met.values_list("version__question__uuid").annotate(Max("number"))
    seed = secrets.token_hex(16)
    candidate = choose_next(
        candidates,
        last_numbers={str(question): at for question, at in last},
        live=find_live_questions(learner, candidates.keys(), now),
        missed=missed,
        seed=seed,
    )
    if candidate is None:
        raise Refused("nothing_to_practise")
    selected = select_question(
        candidate, seed=seed, shuffle_options=version.policies.shuffle_options
    )
    try:
        with transaction.atomic():
            PracticeQuestion.objects.create(
                learner=learner,
                quiz=quiz,
                version=QuestionVersion.objects.get(uuid=candidate.version),
                number=number,
                order=list(selected.order),
                scoring_method=effective_scoring_method(candidate, version.policies),
                credits=version.policies.practice_credits,
            )
    except IntegrityError:  # another tab has drawn it meanwhile
        pass
    current = find_current(quiz, learner)
    if current is None:
        raise NotFound
    return current


@transaction.atomic
def check_answer(  # noqa: PLR0913  what a try is made of
    *,
    question: UUID,
    learner: User,
    raw: Json,
    tried: int,
    idempotency_key: UUID,
    language: str,
    now: datetime,
) -> bool:
    """Append a try to the journal of a practised question of one's own, and score it.

    `tried` tries were made before it. Sent again, by the same key, it is the same try. Over, or
    tried elsewhere meanwhile: nothing is stored, and False. What cannot be read, no answer, what
    takes too long to score, or a key that another answer has: Invalid.
    """
    row = _lock(question, learner, now)
    version = row.version.uuid
    public_version = load_public_versions([version])[version]
    answer = KINDS[public_version.kind].parse(public_version.content, raw)
    if isinstance(answer, InvalidAnswer):
        raise Invalid(answer.code, where="answer")
    if answer is None:
        raise Invalid("unanswered", where="answer")
    if _is_stored(row, idempotency_key, answer):
        return True
    state = load_state(row, learner, now)
    if state.is_over or len(state.tries) != tried:
        return False
    key_and_feedback = load_keys_and_feedback([version])[version]
    compute = partial(score_try, public_version, key_and_feedback, answer, row.scoring_method)
    try:
        score = run_limited(compute, seconds=MAX_SECONDS)
    except TookTooLong:
        raise Invalid("took_too_long", where="answer") from None
    new_try = PracticeTry(
        answer=answer,
        score=score,
        idempotency_key=idempotency_key,
        language=language,
        tried_at=now,
    )
    append_try(row, new_try, state.tries[-1] if state.tries else None)
    return True


def _is_stored(row: PracticeQuestion, idempotency_key: UUID, answer: Json) -> bool:
    """Return whether this very try is stored. Its key on another one is a client's mistake."""
    before = PracticeTry.objects.filter(
        learner=row.learner_id, idempotency_key=idempotency_key
    ).first()
    if before is not None and (before.question_id, before.answer) != (row.pk, answer):
        raise Invalid("idempotency_key_reused", where="idempotency_key")
    return before is not None


@transaction.atomic
def open_hint(  # noqa: PLR0913  what a step is made of
    *,
    question: UUID,
    learner: User,
    opened: int,
    idempotency_key: UUID,
    language: str,
    now: datetime,
) -> bool:
    """Open the next hint of a practised question, where there is one more, as its journal says.

    `opened` were open before, so twice is once, and by the same key as well. Return whether it is
    open now by this step. A key that another step has: Invalid.
    """
    row = _lock(question, learner, now)
    if _is_taken(row, idempotency_key, StepAction.HINT):
        return True
    if row.hints_opened != opened or not load_practice(row, learner, language, now).more_hints:
        return False
    _append(row, StepAction.HINT, idempotency_key, language, now)
    return True


@transaction.atomic
def ask_for_answer(
    *, question: UUID, learner: User, idempotency_key: UUID, language: str, now: datetime
) -> bool:
    """End the tries at a practised question, as its journal says; reveal decides what is shown.

    Return whether this step has ended them. A key that another step has: Invalid.
    """
    row = _lock(question, learner, now)
    if _is_taken(row, idempotency_key, StepAction.GIVEN_UP):
        return True
    if load_state(row, learner, now).is_over:
        return False
    _append(row, StepAction.GIVEN_UP, idempotency_key, language, now)
    return True


def _append(
    row: PracticeQuestion, action: StepAction, idempotency_key: UUID, language: str, now: datetime
) -> None:
    step = PracticeStep(
        action=action,
        tries_before=row.tries.count(),
        idempotency_key=idempotency_key,
        language=language,
        taken_at=now,
    )
    append_step(row, step)


def _is_taken(row: PracticeQuestion, idempotency_key: UUID, action: StepAction) -> bool:
    """Return whether this very step is stored. Its key on another one is a client's mistake."""
    before = PracticeStep.objects.filter(
        learner=row.learner_id, idempotency_key=idempotency_key
    ).first()
    if before is not None and (before.question_id, before.action) != (row.pk, action):
        raise Invalid("idempotency_key_reused", where="idempotency_key")
    return before is not None


def _lock(question: UUID, learner: User, now: datetime) -> PracticeQuestion:
    """Lock a practised question of one's own; else NotFound.

    Whether they may still practise it is asked of its own quiz, whichever the address names.
    """
    own = PracticeQuestion.objects.filter(uuid=question, learner=learner)
    related = own.select_related("version__question", "learner", "quiz")
    row = related.select_for_update(of=("self",)).first()
    if row is None:
        raise NotFound
    find_practice_quiz(learner, row.quiz.uuid, now)
    return row
