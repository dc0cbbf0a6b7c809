"""The total of a course: one number on page, files, API and for the learner; who sees it."""

import csv
import re
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from typing import Any

import pytest
from django.urls import reverse

from accounts.classes import archive_class
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.course_grades.models import CountedQuizzes, GradeScheme, MissingPolicy
from quizzes.course_grades.selectors import (
    compute_course_totals,
    load_grade_rule,
    load_own_course_totals,
)
from quizzes.course_grades.services import CategoryInput, save_grade_scheme
from quizzes.lib.errors import Invalid, Refused
from quizzes.publishing import services as publishing
from quizzes.results.gradebook import GradeState, build_rows, list_class_quizzes
from tests.attempt_helpers import start, take_quiz
from tests.browser_forms import form_values
from tests.essay_factory import attempt_with_essay, create_essay
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.query_counts import statements
from tests.quizzes.api.programs import program
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db


@pytest.fixture
def bank(users):
    return create_bank(users)


@pytest.fixture
def quizzes(users, bank):
    """Three quizzes of three questions of one point."""
    questions = [create_question(bank, f"q{n}", right="a", kind="single_choice") for n in range(3)]
    return [
        create_quiz(
            users, questions, slug=f"quiz-{n}", shuffle_questions=False, window_attempts=None
        )
        for n in range(3)
    ]


def save(users, *categories, **fields: Any):
    defaults: dict[str, Any] = {
        "missing": MissingPolicy.ZERO,
        "pass_percent": Decimal(60),
        "is_published": False,
    }
    return save_grade_scheme(
        group=users.group, categories=categories, by=users.instructor, **defaults | fields
    )


@pytest.fixture
def scheme(users, quizzes):
    """The best of two quizzes for 75 per cent, the third for 25."""
    best = CategoryInput("Quizzes", Decimal(75), quizzes[:2], CountedQuizzes.BEST, 1)
    return save(users, best, CategoryInput("Exam", Decimal(25), quizzes[2:]), is_published=True)


def total_of(users, learner):
    columns = list_class_quizzes(users.group)
    rule = load_grade_rule(users.group, columns)
    assert rule is not None
    return compute_course_totals(rule, columns, build_rows(columns, [learner]))[0]


def test_the_total_is_exact_and_the_same_everywhere(users, quizzes, scheme):
    take_quiz(quizzes[0], users.learner, {0: "a"})
    take_quiz(quizzes[1], users.learner, {0: "a", 1: "a"})
    take_quiz(quizzes[2], users.learner, {0: "a"})
    total = total_of(users, users.learner)
    assert total.shares == (Fraction(2, 3), Fraction(1, 3))
    assert total.score.total == Fraction(700, 12)
    assert (total.state, total.score.percent) == (GradeState.FAILED, "58.33")

    page = logged_in_client(users.instructor).get(
        reverse("admin:accounts_group_gradebook", args=[users.group.pk])
    )
    words = " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())
    assert "Learner not passed 58.33%" in words
    assert "Quizzes 75% (the best 1 of 2 quizzes); Exam 25% (1 quiz)" in words
    assert "Passed from 60% of the total" in words

    answer = program(users.instructor).get(f"classes/{users.group.uuid}/gradebook").json()
    totals = {row["learner"]["email"]: row["total"] for row in answer["items"]}
    assert totals["learner@example.org"]["score"]["total"] == {
        "numerator": 175,
        "denominator": 3,
        "decimal": "58.333333",
    }
    assert "the best 1 of 2" in answer["total_rule"]

    export = logged_in_client(users.instructor).get(
        reverse("admin:accounts_group_gradebook_export", args=[users.group.pk]),
        {"quiz": str(quizzes[2].uuid), "rows": "grades", "format": "csv"},
    )
    row = next(csv.DictReader(StringIO(export.getvalue().decode("utf-8-sig"))))
    assert [value for name, value in row.items() if name.startswith("Course total")] == [
        "58.33",
        "175/3",
        "not passed",
        "66.666667",
        "33.333333",
    ]

    [own] = load_own_course_totals(learner=users.learner, now=NOW)
    assert own.total == total
    html = logged_in_client(users.learner).get(reverse("history")).content.decode()
    assert "58.33" in html


def test_a_pass_is_decided_on_the_exact_total(users, quizzes):
    save(users, CategoryInput("All", Decimal(10), quizzes[:1]), pass_percent=Decimal("66.67"))
    take_quiz(quizzes[0], users.learner, {0: "a", 1: "a"})
    assert total_of(users, users.learner).state == GradeState.FAILED
    save(users, CategoryInput("All", Decimal(10), quizzes[:1]), pass_percent=Decimal("66.66"))
    assert total_of(users, users.learner).state == GradeState.PASSED


def test_what_is_missing_counts_as_the_setting_says(users, quizzes):
    take_quiz(quizzes[0], users.learner, {0: "a", 1: "a", 2: "a"})
    category = CategoryInput("All", Decimal(100), quizzes)
    save(users, category, missing=MissingPolicy.ZERO)
    assert total_of(users, users.learner).score.total == Fraction(100, 3)
    assert total_of(users, users.other_learner).score.total == 0
    save(users, category, missing=MissingPolicy.EXCLUDED)
    assert total_of(users, users.learner).score.total == 100
    nothing = total_of(users, users.other_learner)
    assert (nothing.state, nothing.score) == (GradeState.NOT_BEGUN, None)


def test_a_total_waits_while_something_of_it_waits(users, bank, quizzes):
    essay = create_quiz(users, [create_essay(bank)], slug="essay")
    save(users, CategoryInput("All", Decimal(100), [quizzes[0], essay]))
    take_quiz(quizzes[0], users.learner, {0: "a", 1: "a", 2: "a"})
    assert total_of(users, users.learner).state == GradeState.FAILED
    attempt_with_essay(essay, users.learner)
    total = total_of(users, users.learner)
    assert (total.state, total.score.provisional, total.score.passed) == (
        GradeState.WAITING,
        True,
        False,
    )
    take_quiz(quizzes[0], users.other_learner, {0: "a", 1: "a", 2: "a"})
    start(essay, users.other_learner)
    assert total_of(users, users.other_learner).state == GradeState.WAITING


def test_a_learner_sees_only_their_own_published_total(users, quizzes, scheme):
    take_quiz(quizzes[0], users.learner, {0: "a"})
    [own] = load_own_course_totals(learner=users.other_learner, now=NOW)
    assert own.total == total_of(users, users.other_learner)
    assert total_of(users, users.other_learner).score.total == 0
    assert load_own_course_totals(learner=users.instructor, now=NOW) == []
    GradeScheme.objects.update(is_published=False)
    with statements() as queries:
        assert load_own_course_totals(learner=users.learner, now=NOW) == []
    assert len(queries) == 1
    page = logged_in_client(users.learner).get(reverse("history"))
    assert "Course total" not in page.content.decode()


def test_a_total_is_hidden_while_a_score_that_it_rests_on_is(users, quizzes, scheme):
    quizzes[1].reveal_score = "after_pass"
    quizzes[1].save()
    publishing.publish(quiz=quizzes[1], by=None, now=NOW)
    take_quiz(quizzes[1], users.learner, {0: "a"})
    [own] = load_own_course_totals(learner=users.learner, now=NOW)
    assert own.total is None
    html = logged_in_client(users.learner).get(reverse("history")).content.decode()
    assert "as soon as all results" in html
    take_quiz(quizzes[1], users.learner, {0: "a", 1: "a", 2: "a"})
    assert load_own_course_totals(learner=users.learner, now=NOW)[0].total is not None


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": " "}, "category_name"),
        ({"name": "x" * 101}, "category_name"),
        ({"weight_percent": Decimal(-1)}, "weight_out_of_range"),
        ({"weight_percent": Decimal(101)}, "weight_out_of_range"),
        ({"weight_percent": Decimal(0)}, "weights_are_zero"),
        ({"counted": CountedQuizzes.BEST, "number": 0}, "number_out_of_range"),
    ],
)
def test_a_category_that_is_none_is_refused(users, quizzes, changes, code):
    fields = {"name": "A", "weight_percent": Decimal(1), "quizzes": quizzes} | changes
    with pytest.raises(Invalid) as error:
        save(users, CategoryInput(**fields))
    assert error.value.code == code
    assert not GradeScheme.objects.exists()


def test_a_quiz_counts_once_and_is_one_of_the_class(users, quizzes):
    category = CategoryInput("A", Decimal(1), quizzes[:1])
    with pytest.raises(Invalid, match="quiz_twice"):
        save(users, category, category)
    quizzes[1].assignments.all().delete()
    quizzes[1].group = users.other_group
    quizzes[1].save()
    with pytest.raises(Invalid, match="quiz_of_another_class"):
        save(users, CategoryInput("A", Decimal(1), quizzes[:2]))
    archive_class(group=users.group, by=users.instructor, now=NOW)
    with pytest.raises(Refused):
        save(users, category)


def test_a_change_is_in_the_audit_log_and_saving_the_same_is_none(users, quizzes, scheme):
    event = AuditEvent.objects.get(code=AuditCode.GRADE_SCHEME_CHANGED)
    assert event.before is None
    assert event.after is not None
    assert event.after["categories"][0]["quizzes"] == ["quiz-0", "quiz-1"]
    best = CategoryInput("Quizzes", Decimal(75), quizzes[:2], CountedQuizzes.BEST, 1)
    save(users, best, CategoryInput("Exam", Decimal(25), quizzes[2:]), is_published=True)
    assert AuditEvent.objects.filter(code=AuditCode.GRADE_SCHEME_CHANGED).count() == 1
    save(users)
    assert load_grade_rule(users.group, quizzes) is None
    assert AuditEvent.objects.filter(code=AuditCode.GRADE_SCHEME_CHANGED).count() == 2


def test_the_page_makes_changes_and_takes_back_a_total(users, quizzes):
    client = logged_in_client(users.instructor)
    page = reverse("admin:accounts_group_grade_scheme", args=[users.group.pk])
    form = form_values(client.get(page), "pass_percent")
    form |= {"name-1": "Quizzes", "weight-1": "62,5", "counted-1": "best", "number-1": "2"}
    form |= {f"quiz-{quiz.pk}": "1" for quiz in quizzes}
    answer = client.post(page, form | {"weight-1": "x"})
    assert "A weight is a number from 0 to 100." in answer.content.decode()
    assert 'value="Quizzes"' in answer.content.decode()
    assert client.post(page, form | {"is_published": "on"}).status_code == 302
    rule = load_grade_rule(users.group, quizzes)
    assert rule is not None
    [category] = rule.categories
    assert (category.weight, category.counted, category.number) == (Fraction(125, 2), "best", 2)
    assert category.quizzes == tuple(quiz.pk for quiz in quizzes)
    assert rule.is_published
    stored = form_values(client.get(page), "pass_percent")
    assert (stored["weight-1"], stored[f"quiz-{quizzes[1].pk}"]) == ("62.5", "1")
    emptied = stored | {"name-1": "", "weight-1": ""} | {f"quiz-{quiz.pk}": "" for quiz in quizzes}
    assert client.post(page, emptied).status_code == 302
    assert load_grade_rule(users.group, quizzes) is None


def test_only_who_teaches_the_class_finds_the_page(users, quizzes):
    page = reverse("admin:accounts_group_grade_scheme", args=[users.group.pk])
    for person in (users.outsider, users.learner, users.stranger):
        assert logged_in_client(person).get(page).status_code == 404


def test_a_quiz_that_the_class_owns_is_a_column_without_an_assignment(users, quizzes):
    quizzes[0].assignments.all().delete()
    assert list_class_quizzes(users.group) == (quizzes[1], quizzes[2], quizzes[0])
    assert list_class_quizzes(users.other_group) == ()
