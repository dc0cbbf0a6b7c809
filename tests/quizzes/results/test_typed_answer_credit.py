"""All who typed the same get credit by hand: the page says how many; a regrade keeps it."""

import re
from fractions import Fraction

import pytest

from quizzes.lib.errors import Conflict, Invalid, NotFound
from quizzes.results.add_accepted_answer import add_accepted_answer, load_accepted_answer_status
from quizzes.results.manual_grading import override_score
from quizzes.results.models import ManualGrade, Purpose, RegradePolicy, Result
from quizzes.results.regrading import commit_regrade, continue_regrades
from quizzes.results.typed_answer_credit import (
    count_learners,
    credit_typed_answers,
    list_answers_to_credit,
    withdraw_credit,
)
from tests.browser_forms import form_values
from tests.factories import NOW, create_bank, create_quiz
from tests.short_text_factory import attempt_with_text, create_short_text
from tests.users import logged_in_client

pytestmark = pytest.mark.django_db
HALF = Fraction(1, 2)


@pytest.fixture
def question(users):
    return create_short_text(create_bank(users))


@pytest.fixture
def attempts(users, question):
    """Lyon three times of two learners, in three spellings, and another answer."""
    quiz = create_quiz(users, [question], window_attempts=None)
    return [
        attempt_with_text(quiz, users.learner, "Lyon"),
        attempt_with_text(quiz, users.learner, "lyon"),
        attempt_with_text(quiz, users.other_learner, "LYON"),
        attempt_with_text(quiz, users.other_learner, "Rome"),
    ]


def credit(question, by, share=HALF, seen=3, reason="It is one, too."):
    return credit_typed_answers(
        question=question, text="Lyon", share=share, reason=reason, by=by, seen=seen, now=NOW
    )


def totals(attempts):
    return [Result.objects.get(attempt=attempt).grading.total for attempt in attempts]


def test_all_who_typed_the_same_get_the_credit_and_nobody_else(users, question, attempts):
    answers = list_answers_to_credit(
        question=question, text="lyon", share=HALF, viewer=users.instructor
    )
    assert (len(answers), count_learners(answers)) == (3, 2)
    assert credit(question, users.instructor) == 3
    assert totals(attempts) == [HALF, HALF, HALF, 0]
    assert {grade.purpose for grade in ManualGrade.objects.all()} == {Purpose.OVERRIDE}


def test_done_again_it_changes_nothing(users, question, attempts):
    credit(question, users.instructor)
    assert credit(question, users.instructor, seen=0) == 0
    assert ManualGrade.objects.count() == 3


def test_a_regrade_keeps_the_credit(users, question, attempts):
    credit(question, users.instructor)
    add_accepted_answer(
        question=question,
        text="Lyon",
        credit=Fraction(1),
        by=users.instructor,
        revision=load_accepted_answer_status(question).revision,
        now=NOW,
    )
    question.refresh_from_db()
    commit_regrade(
        quiz=attempts[0].quiz,
        question=question,
        version=question.current.uuid,
        policy=RegradePolicy.BY_KEY,
        reason="corrected",
        by=users.instructor,
        now=NOW,
    )
    continue_regrades(now=NOW)
    assert Result.objects.get(attempt=attempts[0]).regrade_rules_applied == 1
    assert totals(attempts)[:3] == [HALF, HALF, HALF]


def test_another_number_than_was_seen_saves_nothing(users, question, attempts):
    with pytest.raises(Conflict):
        credit(question, users.instructor, seen=2)
    with pytest.raises(Invalid, match="reason_missing"):
        credit(question, users.instructor, reason=" ")
    assert not ManualGrade.objects.exists()


def test_who_oversees_none_of_them_finds_none(users, question, attempts):
    for person in (users.outsider, users.stranger, users.learner):
        with pytest.raises(NotFound):
            credit(question, person)


def test_one_click_gives_a_group_full_credit_and_another_takes_it_back(users, question, attempts):
    client = logged_in_client(users.instructor)
    listed = f"/admin/results/itemresult/question/{question.pk}/"
    page = client.get(listed)
    (group,) = re.findall(r'value="(3 lyon)"', page.content.decode(), re.IGNORECASE)
    form = form_values(page, "reason") | {"group": group}
    page = client.post(f"{listed}credit/", form, follow=True)
    assert totals(attempts) == [1, 1, 1, 0]
    assert f'value="{group}"' not in page.content.decode()
    assert {grade.comment for grade in ManualGrade.objects.all()} == {"This answer counts, too."}
    override_score(
        attempt=attempts[2].uuid, slot=0, share=HALF, reason="half", by=users.administrator, now=NOW
    )
    undo = form_values(page, "given_at")
    client.post(f"{listed}withdraw/", undo)
    assert totals(attempts) == [0, 0, HALF, 0]  # what somebody has marked since stays
    for given_at in ("", "yesterday", "2026-01-01"):
        assert client.post(f"{listed}withdraw/", {"given_at": given_at}).status_code == 404


def test_what_is_taken_back_leaves_what_somebody_had_given_before(users, question, attempts):
    marker = {"slot": 0, "by": users.administrator, "now": NOW}
    for attempt, share in zip(attempts, (HALF, HALF, Fraction(1, 4)), strict=False):
        override_score(attempt=attempt.uuid, share=share, reason="half of it", **marker)
    override_score(attempt=attempts[1].uuid, share=None, reason="not after all", **marker)
    assert totals(attempts) == [HALF, 0, Fraction(1, 4), 0]
    credit(question, users.instructor, Fraction(1))
    assert totals(attempts) == [1, 1, 1, 0]
    chosen = {"question": question, "given_at": NOW, "by": users.instructor, "now": NOW}
    assert withdraw_credit(reason="taken back", **chosen) == 3
    assert totals(attempts) == [HALF, 0, Fraction(1, 4), 0]
    last = [attempt.manual_grades.order_by("number").last() for attempt in attempts[:3]]
    assert [grade.comment for grade in last] == ["half of it", "taken back", "half of it"]


def test_nobody_takes_back_what_another_gave(users, question, attempts):
    credit(question, users.instructor)
    chosen = {"question": question, "given_at": NOW, "reason": "no", "now": NOW}
    with pytest.raises(NotFound):
        withdraw_credit(by=users.administrator, **chosen)
    assert withdraw_credit(by=users.instructor, **chosen) == 3
    assert totals(attempts) == [0, 0, 0, 0]


def test_the_page_says_how_many_it_touches_before(users, question, attempts):
    client = logged_in_client(users.instructor)
    address = f"/admin/results/itemresult/question/{question.pk}/credit/"
    listed = client.get(f"/admin/results/itemresult/question/{question.pk}/").content.decode()
    assert f"{address}?text=" in listed
    html = client.get(address, {"text": "Lyon"}).content.decode()
    assert "The scores of 2 learners change." in html
    assert not ManualGrade.objects.exists()
    form = {"text": "Lyon", "credit": "1/2", "reason": "It is one.", "seen": "3"}
    html = client.post(address, form | {"credit": "2"}).content.decode()
    assert "Write a part of the points" in html
    # Another credit than the one whose effect was shown is shown first.
    client.post(address, form | {"confirmed": "1", "checked_credit": "1"})
    assert not ManualGrade.objects.exists()
    stale = form | {"confirmed": "1", "checked_credit": "1/2", "seen": "9"}
    assert client.post(address, stale).status_code == 409
    answer = client.post(address, form | {"confirmed": "1", "checked_credit": "1/2"})
    assert answer.status_code == 302
    assert totals(attempts) == [HALF, HALF, HALF, 0]
    assert client.get(address, {"text": "Nobody"}).status_code == 404
