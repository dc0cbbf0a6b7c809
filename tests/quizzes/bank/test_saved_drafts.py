"""What the admin rests on in the services below it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from quizzes.bank import services
from quizzes.bank.models import Draft
from quizzes.document import QuestionDocument
from quizzes.publishing import services as publishing
from tests.factories import NOW

pytestmark = pytest.mark.django_db


def test_a_saved_draft_tells_when_it_was_saved(questions):
    draft = Draft.objects.get(question=questions[0])
    long_ago = timezone.now() - timedelta(days=9)
    Draft.objects.filter(pk=draft.pk).update(updated_at=long_ago)
    item = QuestionDocument.from_json(draft.data)
    services.save_draft(question=questions[0], item=item, revision=None, by=None)
    draft.refresh_from_db()
    assert draft.updated_at > long_ago + timedelta(days=8)


def test_publishing_a_retired_question_brings_it_back_unchanged(questions):
    before = questions[0].current
    services.retire(question=questions[0], by=None, now=NOW)
    services.publish(question=questions[0], by=None, now=NOW)
    questions[0].refresh_from_db()
    assert questions[0].retired_at is None
    assert questions[0].current == before


def test_publishing_a_retired_quiz_brings_it_back_unchanged(a_quiz):
    before = a_quiz.current
    publishing.retire(quiz=a_quiz, by=None, now=NOW)
    publishing.publish(quiz=a_quiz, by=None, now=NOW)
    a_quiz.refresh_from_db()
    assert a_quiz.retired_at is None
    assert a_quiz.current == before
