"""Hints and answers shown are a journal: once each, appended for good, replayed to the state."""

import re
from io import StringIO
from itertools import permutations
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.urls import reverse

from quizzes.lib.errors import Invalid
from quizzes.practice.models import PracticeQuestion, PracticeStep
from quizzes.practice.services import draw_next
from quizzes.practice.step_chain import replay_steps, step_fields, verify_steps
from quizzes.privacy.person_erasure import erase_person
from quizzes.results.checkpoints import make_checkpoint
from quizzes.results.models import CheckpointEntry
from tests.attempt_helpers import later
from tests.factories import NOW
from tests.forged_rows import without_triggers
from tests.quizzes.api.programs import program
from tests.quizzes.practice.test_practice import check, draw, give_up, hint, single, view
from tests.quizzes.practice.test_try_journal import refused
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db
__all__ = ["single"]


@pytest.fixture
def helped(users, single):
    """A practised question: a hint, a wrong try, another hint, then the answer."""
    quiz, question = single
    row = draw(quiz, users.learner)
    hint(row, users.learner, 0)
    check(row, users.learner, question, "b")
    hint(row, users.learner, 1)
    give_up(row, users.learner)
    return PracticeQuestion.objects.get(pk=row.pk)


def list_steps(row):
    return list(row.steps.order_by("number").values_list("number", "action", "tries_before"))


def test_the_journal_says_what_was_opened_when_and_after_how_many_tries(helped):
    assert list_steps(helped) == [(1, "hint", 0), (2, "hint", 1), (3, "given_up", 1)]
    assert replay_steps(helped.steps.order_by("number")) == (2, True)
    assert (helped.hints_opened, helped.asked_for_answer) == (2, True)


def test_a_step_that_is_sent_again_is_one(users, single):
    quiz, _question = single
    row, first, end = draw(quiz, users.learner), uuid4(), uuid4()
    for opened in (0, 0, 1):  # the page may have been loaded anew meanwhile
        assert hint(row, users.learner, opened, first)
    assert not hint(row, users.learner, 0)  # another tab has gone on
    with pytest.raises(Invalid, match="idempotency_key_reused"):
        give_up(row, users.learner, first)
    for _ in range(2):
        assert give_up(row, users.learner, end)
    assert not give_up(row, users.learner)
    assert not hint(row, users.learner, 1)
    assert list_steps(row) == [(1, "hint", 0), (2, "given_up", 0)]


def test_a_hint_that_there_is_not_is_no_step(users, single):
    quiz, question = single
    row = draw(quiz, users.learner)
    assert [hint(row, users.learner, opened) for opened in range(3)] == [True, True, False]
    check(row, users.learner, question, "a")
    assert not give_up(row, users.learner)  # it is over: nothing is given up
    assert [action for _number, action, _tries in list_steps(row)] == ["hint", "hint"]


@pytest.mark.parametrize("action", ["hint", "show"])
def test_a_form_that_is_sent_again_takes_no_second_step(users, single, action):
    quiz, _question = single
    row = draw(quiz, users.learner)
    client, address = logged_in_client(users.learner), reverse("practice", args=[quiz.slug])
    forms = client.get(address).content.decode().split("<form")
    (form,) = [form for form in forms if f'value="{action}"' in form]
    match = re.search(r'name="idempotency_key" value="([^"]+)"', form)
    assert match
    key = match[1]
    sent = {"question": str(row.uuid), "count": "0", "action": action, "idempotency_key": key}
    for _ in range(2):
        assert client.post(address, sent).status_code == 302
    assert [str(step.idempotency_key) for step in PracticeStep.objects.all()] == [key]
    other = {"hint": "show", "show": "hint"}[action]
    assert client.post(address, sent | {"action": other}).status_code == 302
    assert PracticeStep.objects.count() == 1


def test_a_program_sends_a_step_again_by_its_own_id(users, single):
    quiz, _question = single
    row, client, key = draw(quiz, users.learner), program(users.learner, "attempt"), str(uuid4())
    body = {"question": str(row.uuid), "idempotency_key": key}
    for opened in (0, 1):
        answer = client.post(f"quizzes/{quiz.uuid}/practice/hint", body | {"opened": opened})
        assert answer.json()["question"]["hints_opened"] == 1
    reused = client.post(f"quizzes/{quiz.uuid}/practice/answer", body)
    assert (reused.status_code, reused.json()["code"]) == (422, "idempotency_key_reused")
    assert list_steps(row) == [(1, "hint", 0)]


def test_the_language_is_that_of_the_page(users, single):
    quiz, _question = single
    row = draw(quiz, users.learner)
    client = logged_in_client(users.learner)
    client.cookies["language"] = "es"
    sent = {"question": str(row.uuid), "count": "0", "action": "hint"}
    client.post(reverse("practice", args=[quiz.slug]), sent)
    assert PracticeStep.objects.get().language == "es"


def test_the_database_refuses_to_change_a_step_or_to_take_it_away(helped):
    rows = PracticeStep.objects.filter(question=helped)
    for column, forged in (("action", "hint"), ("tries_before", 9), ("number", 7)):
        with refused("rows of practice_practicestep never change"):
            rows.update(**{column: forged})
    with refused("steps in practice go only with the person"):
        rows.delete()
    for column, forged in (("hints_opened", 3), ("hints_opened", 1), ("asked_for_answer", False)):
        with refused("are as their journal says"):
            PracticeQuestion.objects.filter(pk=helped.pk).update(**{column: forged})


@pytest.mark.parametrize(
    "change", [{"number": 3}, {"tries_before": 1}, {"learner": "other_learner"}, {"over": True}]
)
def test_the_database_refuses_a_step_in_another_place(users, single, change):
    quiz, _question = single
    row = draw(quiz, users.learner)
    hint(row, users.learner)
    step = PracticeStep.objects.get()
    step.pk, step.number, step.idempotency_key, step._state.adding = None, 2, uuid4(), True
    if "over" in change:
        give_up(row, users.learner)
        step.number = 3
    elif "learner" in change:
        step.learner = users.other_learner
    else:
        for column, forged in change.items():
            setattr(step, column, forged)
    with refused("come before its answer is shown and after its tries so far"):
        step.save(force_insert=True)


def test_a_question_cannot_be_drawn_with_its_answer_shown(helped):
    helped.pk, helped.uuid, helped.number, helped._state.adding = None, uuid4(), 2, True
    with pytest.raises(IntegrityError, match="are as their journal says"), transaction.atomic():
        helped.save(force_insert=True)


def test_steps_go_with_their_person(users, helped):
    erase_person(person=users.learner, by=users.learner, now=helped.created_at)
    assert not PracticeStep.objects.exists()


def verify() -> str:
    error = StringIO()
    try:
        call_command("verify_record", stdout=StringIO(), stderr=error)
    except CommandError:
        assert error.getvalue()
    return error.getvalue()


def test_a_record_as_it_was_written_verifies(helped):
    assert verify() == ""


@pytest.mark.parametrize(
    ("forge", "place"),
    [
        (lambda row: PracticeQuestion.objects.update(hints_opened=1), "hints_opened: stored 1"),
        (lambda row: PracticeQuestion.objects.update(asked_for_answer=False), "asked_for_answer"),
        (lambda row: row.steps.filter(number=3).delete(), "asked_for_answer: stored True"),
        (lambda row: row.steps.filter(number=1).delete(), "practicestep 2 of question"),
        (lambda row: row.steps.filter(number=2).update(tries_before=0), "practicestep 2"),
        (lambda row: row.tries.all().delete(), "tries: stored 0"),
    ],
)
def test_what_differs_from_the_journal_is_named(helped, forge, place):
    with transaction.atomic(), without_triggers():
        forge(helped)
        assert place in verify()
        transaction.set_rollback(True)


def test_checkpoints_name_both_chains_of_a_practised_question(users, helped):
    first = make_checkpoint(now=NOW)
    (entry,) = CheckpointEntry.objects.all()
    assert entry.attempt == helped.uuid
    assert (entry.heads["tries"]["count"], entry.heads["steps"]["count"]) == (1, 3)
    assert first.lasts.keys() >= {"responses", "tries", "steps"}
    other = draw_next(quiz=helped.quiz.uuid, learner=users.learner, after=1, now=NOW)
    hint(other, users.learner)
    second = make_checkpoint(now=later(days=1))
    (entry,) = CheckpointEntry.objects.filter(checkpoint=second.number)
    assert (entry.attempt, entry.heads["tries"]) == (other.uuid, None)
    assert make_checkpoint(now=later(days=2)).document["checkpoint"]["entries"] == 0
    assert verify() == ""


@pytest.mark.parametrize(
    ("forge", "place"),
    [
        (lambda row: row.tries.all().delete(), "tries, row 1: stored missing"),
        (lambda row: row.steps.filter(number=3).delete(), "steps, row 3: stored missing"),
        (lambda row: row.steps.filter(number=3).update(digest=bytes(32)), "steps, row 3: stored 0"),
        (lambda row: row.delete(), "row: stored missing, computed in a checkpoint"),
    ],
)
def test_what_was_cut_off_is_found_by_the_checkpoint(helped, forge, place):
    make_checkpoint(now=NOW)
    with transaction.atomic(), without_triggers():
        forge(PracticeQuestion.objects.get())
        assert f"practised question {helped.uuid}, {place}" in verify()
        transaction.set_rollback(True)


def test_what_went_with_its_person_is_no_difference_and_with_no_other(users, helped):
    make_checkpoint(now=NOW)
    erase_person(person=users.other_learner, by=users.other_learner, now=NOW)
    with transaction.atomic(), without_triggers():
        PracticeQuestion.objects.all().delete()
        assert f"practised question {helped.uuid}, row: stored missing" in verify()
        transaction.set_rollback(True)
    erase_person(person=users.learner, by=users.learner, now=NOW)
    assert verify() == ""


def test_a_digest_covers_the_question_as_it_was_drawn(helped):
    step = helped.steps.order_by("number").first()
    before = step_fields(helped, step)
    helped.credits = "1, 1, 1"
    assert step_fields(helped, step) != before


@pytest.mark.parametrize("order", list(permutations(["hint", "give_up", "b", "a"], 3)))
def test_whatever_one_does_the_state_follows_from_the_journal(users, single, order):
    quiz, question = single
    row = draw(quiz, users.learner)
    for action in order:
        row.refresh_from_db()
        if action == "hint":
            hint(row, users.learner, row.hints_opened)
        elif action == "give_up":
            give_up(row, users.learner)
        else:
            check(row, users.learner, question, action, row.tries.count())
    row.refresh_from_db()
    assert (row.hints_opened, row.asked_for_answer) == replay_steps(row.steps.order_by("number"))
    assert not list(filter(None, verify_steps()))
    page = view(row, users.learner)
    assert page.state.is_over or len(page.report.hints) == row.hints_opened
