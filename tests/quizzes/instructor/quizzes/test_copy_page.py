"""The page that copies a quiz, and times that a zone does not have, refused at their field."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from quizzes.attempts.models import Assignment
from quizzes.publishing.models import Quiz
from tests.browser_forms import form_values
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db

MADRID = ZoneInfo("Europe/Madrid")


def copy_page(quiz: Quiz) -> str:
    return f"/admin/publishing/quiz/{quiz.pk}/copy/"


@pytest.fixture
def author(users):
    users.instructor.time_zone = "Europe/Madrid"
    users.instructor.save()
    return logged_in_client(users.instructor)


def sent(client, address: str, control: str = "slug", **changes):
    return client.post(address, form_values(client.get(address), control) | changes)


def test_a_quiz_is_copied_for_the_next_term_in_one_form(author, a_quiz, users):
    Quiz.objects.filter(pk=a_quiz.pk).update(closes_at=datetime(2027, 2, 1, 18, tzinfo=MADRID))
    assignment = a_quiz.assignments.get()
    answer = sent(
        author,
        copy_page(a_quiz),
        days="182",
        **{f"assignment_{assignment.pk}": str(users.group.pk)},
    )
    copy = Quiz.objects.exclude(pk=a_quiz.pk).get()
    assert answer["Location"].endswith(f"/publishing/quiz/{copy.pk}/change/")
    assert copy.slug == f"{a_quiz.slug}-2"
    assert copy.closes_at == datetime(2027, 8, 2, 18, tzinfo=MADRID)
    assert copy.assignments.get().group == users.group


def test_the_page_names_the_zone_and_suggests_a_name_that_is_free(author, a_quiz, users):
    Quiz.objects.create(slug=f"{a_quiz.slug}-2", title={"en": "T"}, group=users.group)
    page = author.get(copy_page(a_quiz)).content.decode()
    assert "Europe/Madrid" in page
    assert f'value="{a_quiz.slug}-3"' in page


def test_a_moved_time_that_does_not_exist_is_named_with_its_window(author, a_quiz, users):
    assignment = a_quiz.assignments.get()
    Assignment.objects.filter(pk=assignment.pk).update(
        closes_at=datetime(2027, 3, 27, 2, 30, tzinfo=MADRID)
    )
    chosen = {f"assignment_{assignment.pk}": str(users.group.pk)}
    answer = sent(author, copy_page(a_quiz), days="1", **chosen)
    assert answer.status_code == 422
    (error,) = answer.context["form"].errors["days"]
    assert error.startswith(
        f"“closes” ({users.group}) would be 28 Mar 2027, 02:30, a time that does not exist in"
        " Europe/Madrid"
    )
    assert Quiz.objects.count() == 1


@pytest.mark.parametrize(
    ("changes", "place"),
    [({"slug": "taken"}, "slug"), ({"days": "3661"}, "days"), ({"group": ""}, "group")],
)
def test_what_cannot_be_is_refused_at_its_field(author, a_quiz, users, changes, place):
    Quiz.objects.create(slug="taken", title={"en": "T"}, group=users.group)
    answer = sent(author, copy_page(a_quiz), **changes)
    assert list(answer.context["form"].errors) == [place]
    assert Quiz.objects.count() == 2


def test_a_class_can_have_the_copy_once(author, a_quiz, users):
    users.instructor.memberships.create(group=users.other_group, role="instructor")
    second = Assignment.objects.create(quiz=a_quiz, group=users.other_group)
    chosen = {
        f"assignment_{pk}": str(users.group.pk)
        for pk in (second.pk, a_quiz.assignments.exclude(pk=second.pk).get().pk)
    }
    page = sent(author, copy_page(a_quiz), **chosen)
    assert "A class can have the quiz only once." in page.content.decode()


def test_others_do_not_find_the_page(a_quiz, users):
    for person in (users.outsider, users.learner):
        assert logged_in_client(person).get(copy_page(a_quiz)).status_code == 404


@pytest.mark.parametrize(
    ("date", "time"), [("2027-03-28", "02:30"), ("2027-10-31", "02:30")], ids=["gap", "twice"]
)
def test_a_time_that_the_zone_does_not_have_once_is_refused_at_its_field(
    author, a_quiz, date, time
):
    address = f"/admin/publishing/quiz/{a_quiz.pk}/change/"
    times = {"closes_at_0": date, "closes_at_1": time}
    answer = sent(author, address, "title_en", **times)
    assert answer.status_code == 200
    assert list(answer.context["adminform"].form.errors) == ["closes_at"]
    assert "Europe/Madrid" in answer.context["adminform"].form.errors["closes_at"][0]
