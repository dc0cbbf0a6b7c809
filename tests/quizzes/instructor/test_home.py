"""The first page of those who teach: what runs, what waits, what comes next, drafts, classes."""

import html
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Group, Membership, Role, User
from quizzes.attempts.models import Assignment, Attempt
from quizzes.bank import services as bank_services
from quizzes.document import QuestionDocument
from tests.attempt_helpers import start
from tests.essay_factory import RUBRIC, attempt_with_essay, create_essay, essay_document
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.query_counts import statements
from tests.users import Users, create_user, logged_in_client

pytestmark = pytest.mark.django_db

HOME = "/admin/"
NOBODY = "Nobody is taking a quiz at the moment."
NOTHING_TO_GRADE = "There is nothing to grade."


def read(person: User) -> str:
    response = logged_in_client(person).get(HOME)
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def card(person: User, subject: str) -> str:
    """Return one part of the page, as text with its links."""
    part = read(person).split(f'id="home-{subject}"')[1].split("</section>")[0]
    return " ".join(part.split())


def break_draft(question) -> None:
    document = QuestionDocument.from_json(question.draft.data)
    no_key = QuestionDocument.from_json({**document.to_json(), "key": {"right": []}})
    bank_services.save_draft(question=question, item=no_key, revision=None, by=None)


def test_who_has_nothing_is_told_so_in_each_part(users: Users):
    users.group.delete()
    Membership.objects.create(group=users.other_group, user=users.instructor, role=Role.INSTRUCTOR)
    page = read(users.instructor)
    for sentence in (
        NOBODY,
        NOTHING_TO_GRADE,
        "No quiz opens or closes for your classes.",
        "All questions edited lately can be published.",
    ):
        assert sentence in page
    assert "Class B" in card(users.instructor, "classes")
    assert "0 learners" in card(users.instructor, "classes")


def test_a_running_quiz_is_counted_and_leads_to_who_is_in_it(users: Users, a_quiz):
    start(a_quiz, users.learner, timezone.now())
    assert "1 learner is in it" in card(users.instructor, "running")
    start(a_quiz, users.other_learner, timezone.now())
    running = card(users.instructor, "running")
    assert "2 learners are in it" in running
    (url,) = re.findall(r'href="([^"]+)"', running)
    rows = logged_in_client(users.instructor).get(url).context["rows"]
    names = {row.progress.name for row in rows if row.progress.state == "in_progress"}
    assert names == {users.learner.name, users.other_learner.name}
    assert NOBODY in card(users.outsider, "running")


def test_attempts_by_staff_and_ended_ones_do_not_run(users: Users, a_quiz):
    attempt = start(a_quiz, users.instructor, timezone.now())
    assert Attempt.objects.get(pk=attempt.pk).is_staff_attempt
    assert NOBODY in card(users.administrator, "running")


def test_the_end_of_the_first_attempt_is_told(users: Users, questions):
    limited = create_quiz(users, questions, slug="limited", time_limit=40)
    start(limited, users.learner, timezone.now())
    assert "The first one ends at" in card(users.instructor, "running")


def test_answers_to_grade_are_counted_by_question(users: Users):
    quiz = create_quiz(users, [create_essay(create_bank(users))], points=5)
    attempt_with_essay(quiz, users.learner)
    grading = card(users.instructor, "grading")
    assert "1 answer" in grading
    assert "A quiz" in grading
    (url,) = re.findall(r'href="([^"]+)"', grading)
    assert logged_in_client(users.instructor).get(url).status_code == 200
    assert NOTHING_TO_GRADE in card(users.outsider, "grading")


def test_signs_of_a_prompt_to_grade_are_escaped_once(users: Users):
    document = replace(
        essay_document("why", RUBRIC, graders=1),
        words={"en": {"prompt": "Why is 1 < 2 & 2 > 1?"}, "es": {"prompt": "¿Por qué?"}},
    )
    essay = bank_services.add_question(bank=create_bank(users), name="why", item=document, by=None)
    bank_services.publish(question=essay, by=None, now=NOW)
    attempt_with_essay(create_quiz(users, [essay], points=5), users.learner)
    page = logged_in_client(users.instructor).get(HOME).content.decode()
    assert "Why is 1 &lt; 2 &amp; 2 &gt; 1?" in page


@pytest.mark.parametrize(
    ("opens_in", "closes_in", "expected"),
    [
        (None, 3, ["closes"]),
        (2, 5, ["opens", "closes"]),
        (6, 20, ["opens"]),
        (-3, 8, []),
        (-3, -1, []),
        (None, None, []),
    ],
)
def test_the_openings_and_closings_of_a_week_are_listed(
    users: Users, a_quiz, opens_in, closes_in, expected
):
    now = timezone.now()
    window = {
        name: None if days is None else now + timedelta(days=days)
        for name, days in (("opens_at", opens_in), ("closes_at", closes_in))
    }
    Assignment.objects.filter(quiz=a_quiz).update(**window)
    week = card(users.instructor, "week")
    assert re.findall(r"mark-\w+\"> (\w+) </span>", week) == expected
    assert "opens" not in card(users.outsider, "week").replace("No quiz opens", "")


def test_archived_classes_are_not_listed(users: Users, a_quiz):
    Assignment.objects.filter(quiz=a_quiz).update(closes_at=timezone.now() + timedelta(days=1))
    assert "closes" in card(users.instructor, "week")
    Group.objects.filter(pk=users.group.pk).update(archived_at=timezone.now())
    assert "No quiz opens or closes" in card(users.instructor, "week")
    assert "You have no class in use." in card(users.instructor, "classes")


def test_a_draft_that_cannot_be_published_leads_to_its_page(users: Users):
    bank = create_bank(users)
    create_question(bank, "sound")
    broken = create_question(bank, "broken")
    break_draft(broken)
    drafts = card(users.instructor, "drafts")
    assert f'href="/admin/bank/question/{broken.pk}/change/"' in drafts
    assert 'lang="en"' in drafts
    assert drafts.count("<li>") == 1
    assert "All questions" in card(users.outsider, "drafts")


def test_assistants_see_their_class_without_what_is_closed_to_them(users: Users):
    assistant = create_user("assistant")
    Membership.objects.create(group=users.group, user=assistant, role=Role.ASSISTANT)
    break_draft(create_question(create_bank(users), "broken"))
    assert "home-drafts" not in read(assistant)
    classes = card(assistant, "classes")
    assert "Class A" in classes
    assert "2 learners" in classes
    assert reverse("admin:accounts_group_gradebook", args=[users.group.pk]) in classes
    assert classes.count("href") == 1


def test_the_page_asks_as_much_however_much_there_is(users: Users, questions):
    def fill(number: int) -> None:
        bank = create_bank(users, f"bank-{number}")
        break_draft(create_question(bank, f"broken-{number}"))
        essay = create_essay(bank, name=f"essay-{number}")
        quiz = create_quiz(users, [essay], slug=f"quiz-{number}", points=5)
        attempt_with_essay(quiz, users.learner)
        start(quiz, users.other_learner, timezone.now())
        Assignment.objects.filter(quiz=quiz).update(closes_at=timezone.now() + timedelta(days=1))
        group = Group.objects.create(name=f"Class {number}")
        Membership.objects.create(group=group, user=users.instructor, role=Role.INSTRUCTOR)

    def count(client: Client) -> int:
        client.get(HOME)
        with statements() as queries:
            client.get(HOME)
        return len(queries)

    client = logged_in_client(users.instructor)
    fill(0)
    few = count(client)
    for number in range(1, 6):
        fill(number)
    assert count(client) == few <= 14


def test_learners_whom_the_gradebook_does_not_list_are_counted_apart(users: Users, a_quiz):
    assert "confirmed" not in card(users.instructor, "classes")
    User.objects.filter(pk=users.learner.pk).update(confirmed_email="")
    classes = card(users.instructor, "classes")
    assert "2 learners" in classes
    assert "1 of them has not confirmed their address and is not in the gradebook yet" in classes
    gradebook = reverse("admin:accounts_group_gradebook", args=[users.group.pk])
    rows = logged_in_client(users.instructor).get(gradebook).context["rows"]
    assert [learner for learner, *_rest in rows] == [users.other_learner]
