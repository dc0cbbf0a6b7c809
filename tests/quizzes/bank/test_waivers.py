"""Letting a finding stand, and taking it up again."""

from dataclasses import replace

import pytest

from quizzes.bank import services
from quizzes.bank.models import Draft, Question, Waiver
from quizzes.bank.waivers import revoke_waiver, waive
from quizzes.document import QuestionDocument
from quizzes.lib.errors import Conflict, Invalid
from tests.factories import create_bank, create_question

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(users) -> Question:
    return create_question(create_bank(users), "many")


def item_of(question: Question) -> QuestionDocument:
    return QuestionDocument.from_json(Draft.objects.get(question=question).data)


def test_a_finding_is_let_stand_once_by_the_first_who_says_so(question, users):
    digest = item_of(question).digest()
    first = waive(question=question, code="no_feedback", digest=digest, by=users.instructor)
    again = waive(question=question, code="no_feedback", digest=digest, by=users.administrator)
    assert (first, again.by) == (again, users.instructor)
    assert str(first) == f"no_feedback in {question.pk}"


@pytest.mark.parametrize("code", ["nothing_right", "equal_rows", "media_unknown", "x", ""])
def test_what_makes_a_question_unfit_cannot_be_meant(question, code):
    with pytest.raises(Invalid, match="finding_is_grave"):
        waive(question=question, code=code, digest=item_of(question).digest(), by=None)
    assert not Waiver.objects.exists()


def test_of_a_question_that_changed_meanwhile_nothing_is_let_stand(question):
    digest = item_of(question).digest()
    services.save_draft(
        question=question, item=replace(item_of(question), feedback={}), revision=None, by=None
    )
    with pytest.raises(Conflict, match="draft_changed"):
        waive(question=question, code="no_feedback", digest=digest, by=None)


def test_it_is_taken_up_again_alone_and_only_once(question):
    digest = item_of(question).digest()
    for about in ("one", "two"):
        waive(question=question, code="duplicate", about=about, digest=digest, by=None)
    assert revoke_waiver(question=question, code="duplicate", about="one", digest=digest, by=None)
    assert not revoke_waiver(
        question=question, code="duplicate", about="one", digest=digest, by=None
    )
    assert [row.about for row in Waiver.objects.all()] == ["two"]
