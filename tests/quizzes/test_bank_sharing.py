"""Who sees the keys of a bank: each role, each way of sharing, each place; and staff's attempts."""

from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from accounts.models import Membership, Role, User
from quizzes.attempts.key_access import (
    banks_hidden_from_taker,
    banks_whose_keys_are_visible_to,
    can_see_answers,
)
from quizzes.attempts.models import Assignment, Attempt, QuizGrade
from quizzes.audit.codes import AuditCode
from quizzes.audit.services import record
from quizzes.bank.models import Bank, BankRight, BankShare, Media, Question
from quizzes.publishing import services as publishing
from quizzes.publishing.models import Audience, Quiz, Slot
from quizzes.results.outcome_verification import verify_quiz_grades
from quizzes.results.services import void
from tests import media_files
from tests.attempt_helpers import finish, save_choice, start, take_quiz
from tests.browser_forms import form_values
from tests.factories import NOW, create_bank, create_question, create_quiz
from tests.media_files import upload
from tests.query_counts import Counted
from tests.quizzes.api.programs import Program, program
from tests.short_text_factory import create_short_text
from tests.users import Users, logged_in_client

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("store")]

Share = Callable[[Users, Bank], object]
ROLES = ("administrator", "instructor", "outsider", "learner", "stranger", "nobody")


@pytest.fixture
def bank(users: Users) -> Bank:
    """A bank of nobody, with a question and a file."""
    bank = create_bank(users, "rivers")
    create_short_text(bank, "capital")
    upload(bank, media_files.png())
    Bank.objects.filter(pk=bank.pk).update(group=None)
    bank.refresh_from_db()
    return bank


def give_to_class(users: Users, bank: Bank) -> None:
    Bank.objects.filter(pk=bank.pk).update(group=users.group)


def give_to_owner(users: Users, bank: Bank) -> None:
    Bank.objects.filter(pk=bank.pk).update(owner=users.outsider)


def share_with_person(users: Users, bank: Bank) -> None:
    BankShare.objects.create(bank=bank, person=users.outsider)


def share_with_class(users: Users, bank: Bank) -> None:
    BankShare.objects.create(bank=bank, group=users.other_group)


def share_with_learner(users: Users, bank: Bank) -> None:
    BankShare.objects.create(bank=bank, person=users.learner, right=BankRight.EDIT)


def share_with_all(users: Users, bank: Bank) -> None:
    BankShare.objects.create(bank=bank)


def draw_for_outsider(users: Users, bank: Bank) -> Quiz:
    """Give the class a quiz that draws on the bank, and have the outsider learn in that class."""
    quiz = create_quiz(users, list(bank.questions.all()), slug="exam")
    Membership.objects.create(user=users.outsider, group=users.group, role=Role.LEARNER)
    return quiz


def share_with_taker(users: Users, bank: Bank) -> None:
    share_with_all(users, bank)
    draw_for_outsider(users, bank)


def share_with_taker_to_edit(users: Users, bank: Bank) -> None:
    BankShare.objects.create(bank=bank, person=users.outsider, right=BankRight.EDIT)
    draw_for_outsider(users, bank)


def share_where_all_may_take(users: Users, bank: Bank) -> None:
    share_with_all(users, bank)
    quiz = create_quiz(users, list(bank.questions.all()), audience=Audience.SIGNED_IN)
    Assignment.objects.filter(quiz=quiz).delete()


SHARINGS: dict[Share, set[str]] = {
    lambda *_: None: {"administrator"},
    give_to_class: {"administrator", "instructor"},
    give_to_owner: {"administrator", "outsider"},
    share_with_person: {"administrator", "outsider"},
    share_with_class: {"administrator", "outsider"},
    share_with_learner: {"administrator"},
    share_with_all: {"administrator", "instructor", "outsider"},
    share_with_taker: {"administrator", "instructor"},
    share_with_taker_to_edit: {"administrator", "outsider"},
    share_where_all_may_take: {"administrator", "instructor"},
}
IDS = ["private", *(share.__name__ for share in list(SHARINGS)[1:])]


def list_places(bank: Bank) -> dict[str, tuple[str, str]]:
    """Return the places where a bank is seen: address, and what it then holds."""
    question, media = Question.objects.get(bank=bank), Media.objects.get(bank=bank)
    pages, questions = f"/admin/bank/bank/{bank.pk}/", f"/admin/bank/question/{question.pk}/"
    return {
        "banks": ("/admin/bank/bank/", "Bank</a>"),
        "search": ("/admin/bank/bank/?q=rivers", "Bank</a>"),
        "bank": (f"{pages}change/", "rivers"),
        "files": (f"{pages}files/", str(media.uuid)),
        "checks": (f"{pages}checks/", "1 draft"),
        "sharing": (f"{pages}sharing/", "Sharing"),
        "study": (f"{pages}study/", "Study"),
        "matches": (f"/admin/matching/pairdecision/bank/{bank.pk}/", "Bank"),
        "questions": ("/admin/bank/question/", "capital"),
        "questions of the bank": ("/admin/bank/question/?bank=rivers", "capital"),
        "question search": ("/admin/bank/question/?q=capital", "Which city"),
        "question": (f"{questions}change/", "Paris"),
        "preview": (f"{questions}preview/", "Paris"),
        "history": (f"{questions}history/", "capital"),
        "analysis": (f"/admin/results/itemresult/question/{question.pk}/", "capital"),
        "autocomplete": (
            "/admin/autocomplete/?app_label=bank&model_name=question&field_name=bank&term=rivers",
            '"text": "Bank"',
        ),
        "media": (f"/media/{media.uuid}.png", ""),
    }


def list_resources(bank: Bank) -> dict[str, tuple[str, str]]:
    """Return the same for programs."""
    question, media = Question.objects.get(bank=bank), Media.objects.get(bank=bank)
    return {
        "list": ("banks", "rivers"),
        "list by slug": ("banks?slug=rivers", "rivers"),
        "detail": (f"banks/{bank.uuid}", "rivers"),
        "export": (f"banks/{bank.uuid}/export", "Paris"),
        "export warnings": (f"banks/{bank.uuid}/export/warnings?format=aiken", "capital"),
        "checks": (f"banks/{bank.uuid}/checks", "items"),
        "questions": (f"banks/{bank.uuid}/questions", "capital"),
        "shares": (f"banks/{bank.uuid}/shares", "items"),
        "draft": (f"questions/{question.uuid}/draft", "Paris"),
        "versions": (f"questions/{question.uuid}/versions", "number"),
        "version": (f"questions/{question.uuid}/versions/1", "Paris"),
        "typed answers": (f"questions/{question.uuid}/typed-answers", "total"),
        "media": (f"media/{media.uuid}", ""),
    }


def is_seen(response: Any, holds: str) -> bool:
    """Return whether a place shows what it holds; a refusal is 302 to sign in, 403, or 404."""
    content = b"".join(response) if response.streaming else response.content
    if response.status_code == 200:
        return holds.encode() in content
    assert response.status_code in {302, 401, 403, 404}
    assert b"Paris" not in content
    return False


@pytest.mark.parametrize(("share", "seen_by"), SHARINGS.items(), ids=IDS)
def test_the_rule_for_each_role_and_way_of_sharing(users, bank, share, seen_by):
    share(users, bank)
    for role in ROLES:
        person = getattr(users, role, AnonymousUser())
        assert banks_whose_keys_are_visible_to(person).exists() == (role in seen_by), role


@pytest.mark.parametrize(
    ("share", "roles"),
    [
        (share_with_all, ROLES),
        (share_with_taker, ("instructor", "outsider", "learner")),
        (give_to_owner, ("instructor", "outsider")),
    ],
)
def test_every_place_shows_a_bank_to_the_same_people(users, bank, share, roles):
    share(users, bank)
    for role in roles:
        person = getattr(users, role, None)
        browser = logged_in_client(person) if person else Client()
        client = program(person) if person else Program()
        seen = {
            **{
                place: is_seen(browser.get(address), holds)
                for place, (address, holds) in list_places(bank).items()
            },
            **{
                f"REST {place}": is_seen(client.client.get(f"/api/v1/{address}"), holds)
                for place, (address, holds) in list_resources(bank).items()
            },
        }
        expected = role in SHARINGS[share]
        assert {place for place in seen if seen[place] != expected} == set(), role


def test_the_list_says_what_is_hidden_and_why(users, bank):
    share_with_taker(users, bank)
    page = logged_in_client(users.outsider).get("/admin/bank/bank/").content.decode()
    assert "hidden while you may take a quiz that draws on them as a learner" in page
    assert list(banks_hidden_from_taker(users.outsider)) == [bank]
    assert "hidden while" not in logged_in_client(users.instructor).get("/admin/bank/bank/").text


def test_a_quiz_out_of_use_hides_nothing_unless_an_attempt_is_open(users, bank):
    share_with_all(users, bank)
    quiz = draw_for_outsider(users, bank)
    attempt = start(quiz, users.outsider)
    publishing.retire(quiz=quiz, by=None, now=NOW)
    assert not banks_whose_keys_are_visible_to(users.outsider).exists()
    finish(attempt)
    assert list(banks_whose_keys_are_visible_to(users.outsider)) == [bank]


def test_an_editor_sees_no_key_while_a_graded_attempt_of_theirs_is_open(users, bank):
    attempt = start(draw_for_outsider(users, bank), users.outsider)
    share = BankShare.objects.create(bank=bank, person=users.outsider, right=BankRight.EDIT)
    assert not banks_whose_keys_are_visible_to(users.outsider).exists()
    browser = logged_in_client(users.outsider)
    assert browser.get(f"/admin/bank/question/{bank.questions.get().pk}/change/").status_code == 404
    finish(attempt)
    assert list(banks_whose_keys_are_visible_to(users.outsider)) == [share.bank]


@pytest.mark.parametrize("many", [1, 6])
def test_the_rule_is_one_query(users, bank, counted: Counted, many: int):
    share_with_taker(users, bank)
    for number in range(many):
        share_with_all(users, create_bank(users, f"bank-{number}"))
    person = User.objects.get(pk=users.outsider.pk)
    with counted() as statements:
        assert len(banks_whose_keys_are_visible_to(person)) == many
    assert len(statements) == 1


# --- attempts of staff ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("who", "is_staff"),
    [("administrator", True), ("instructor", True), ("outsider", False), ("learner", False)],
)
def test_attempts_of_those_who_can_see_the_answers_are_marked(users, who, is_staff):
    quiz = create_quiz(
        users, [create_question(create_bank(users), "one")], audience=Audience.SIGNED_IN
    )
    attempt = take_quiz(quiz, getattr(users, who), {0: "ab"})
    assert attempt.is_staff_attempt is is_staff
    grade = QuizGrade.objects.get(quiz=quiz)
    assert grade.attempts_graded == (0 if is_staff else 1)
    assert grade.passed is (None if is_staff else True)


def test_who_has_opened_the_keys_and_gives_the_share_back_stays_staff(users, bank):
    share_with_taker_to_edit(users, bank)
    logged_in_client(users.outsider).get(f"/admin/bank/bank/{bank.pk}/checks/")
    BankShare.objects.all().delete()
    taker = User.objects.get(pk=users.outsider.pk)
    quiz = Quiz.objects.get(slug="exam")
    assert start(quiz, taker).is_staff_attempt


def test_who_has_read_statistics_and_takes_the_class_away_stays_staff(users, bank):
    quiz = create_quiz(users, list(bank.questions.all()), audience=Audience.SIGNED_IN)
    assigned = Assignment.objects.create(quiz=quiz, group=users.other_group)
    assert program(users.outsider).get(f"quizzes/{quiz.uuid}/statistics").status_code == 200
    assigned.delete()
    other = create_quiz(
        users, list(bank.questions.all()), slug="other", audience=Audience.SIGNED_IN
    )
    assert start(quiz, users.outsider).is_staff_attempt
    assert start(other, users.outsider).is_staff_attempt


def test_who_has_opened_the_keys_and_gives_all_classes_up_stays_staff(users, bank):
    share_with_taker_to_edit(users, bank)
    logged_in_client(users.outsider).get(f"/admin/bank/bank/{bank.pk}/checks/")
    taker = give_all_classes_up(users.outsider)
    quiz = Quiz.objects.get(slug="exam")
    page = logged_in_client(taker).get(f"/quizzes/{quiz.slug}/")
    assert page.context["quiz"].would_be_staff_attempt is True
    assert start(quiz, taker).is_staff_attempt


def test_who_has_opened_other_keys_and_gives_all_classes_up_learns(users, bank):
    other = create_bank(users, "other")
    create_question(other, "unrelated")
    BankShare.objects.create(bank=other, person=users.outsider, right=BankRight.EDIT)
    draw_for_outsider(users, bank)
    logged_in_client(users.outsider).get(f"/admin/bank/bank/{other.pk}/checks/")
    taker = give_all_classes_up(users.outsider)
    assert not start(Quiz.objects.get(slug="exam"), taker).is_staff_attempt


@pytest.mark.parametrize("code", [AuditCode.BANK_IMPORTED, AuditCode.QUESTION_PUBLISHED])
def test_who_has_written_the_keys_and_gives_all_classes_up_stays_staff(users, bank, code):
    draw_for_outsider(users, bank)
    about = bank if code == AuditCode.BANK_IMPORTED else bank.questions.get()
    record(code, about=about, by=users.outsider)
    taker = give_all_classes_up(users.outsider)
    assert start(Quiz.objects.get(slug="exam"), taker).is_staff_attempt


def give_all_classes_up(person: User) -> User:
    """Take all staff's roles off this person; return them as their next session knows them."""
    person.memberships.exclude(role=Role.LEARNER).delete()
    former = User.objects.get(pk=person.pk)
    former.teaches = former.assists = False
    return former


def test_who_had_a_share_and_opened_nothing_learns(users, bank):
    share_with_taker_to_edit(users, bank)
    BankShare.objects.all().delete()
    assert not start(Quiz.objects.get(slug="exam"), users.outsider).is_staff_attempt


def test_an_editor_of_the_bank_alone_is_staff_too(users, bank):
    share_with_taker_to_edit(users, bank)
    quiz = Quiz.objects.get(slug="exam")
    assert start(quiz, users.outsider).is_staff_attempt


def test_a_learner_costs_no_query(users, bank, counted: Counted):
    quiz = create_quiz(users, list(bank.questions.all()))
    assert quiz.current is not None
    users.learner.teaches = users.learner.assists = False
    with counted() as statements:
        assert not can_see_answers(users.learner, quiz, quiz.current.pk, has_opened_keys=False)
    assert statements == []


def test_what_was_graded_before_somebody_became_an_editor_stays(users):
    into = create_bank(users)
    quiz = create_quiz(users, [create_question(into, "one")])
    graded = take_quiz(quiz, users.learner, {0: "ab"})
    Membership.objects.create(user=users.learner, group=users.other_group, role=Role.INSTRUCTOR)
    BankShare.objects.create(bank=into, person=users.learner, right=BankRight.EDIT)
    learner = User.objects.get(pk=users.learner.pk)
    later = take_quiz(quiz, learner, {0: "c"})
    assert (graded.is_staff_attempt, later.is_staff_attempt) == (False, True)
    grade = QuizGrade.objects.get(quiz=quiz)
    assert (grade.attempts_graded, grade.attempt, grade.passed) == (1, graded, True)


def test_an_attempt_of_staff_is_in_no_list_table_or_grade_and_says_so(users):
    quiz = create_quiz(users, [create_question(create_bank(users), "one")])
    mine, theirs = (
        take_quiz(quiz, person, {0: "ab"}) for person in (users.instructor, users.learner)
    )
    client = program(users.instructor)
    listed = [item["id"] for item in client.get("results").json()["items"]]
    assert listed == [str(theirs.uuid)]
    table = b"".join(client.get("results.csv")).decode()
    assert (str(theirs.uuid) in table, str(mine.uuid) in table) == (True, False)
    assert client.get(f"results/{mine.uuid}").json()["is_staff_attempt"] is True
    assert client.get("quiz-grades").json()["items"] == []
    browser = logged_in_client(users.instructor)
    sentence = "Attempt of a person who can see the answers; it does not count in grades."
    assert sentence in browser.get(f"/attempts/{mine.uuid}/result").text
    assert sentence in browser.get(f"/admin/attempts/attempt/{mine.pk}/change/").text
    assert sentence not in browser.get(f"/admin/attempts/attempt/{theirs.pk}/change/").text
    assert "does not count in grades" in browser.get("/attempts/").text
    spanish = browser.get(f"/attempts/{mine.uuid}/result", headers={"accept-language": "es"}).text
    assert "no cuenta en las notas" in spanish


def test_the_page_before_a_quiz_tells_it(users):
    quiz = create_quiz(users, [create_question(create_bank(users), "one")])
    sentence = "You can see the answers of this quiz"
    assert sentence in logged_in_client(users.instructor).get(f"/quizzes/{quiz.slug}/").text
    assert sentence not in logged_in_client(users.learner).get(f"/quizzes/{quiz.slug}/").text


def test_staff_use_up_no_attempts(users):
    quiz = create_quiz(users, [create_question(create_bank(users), "one")], max_attempts=1)
    for _ in range(3):
        take_quiz(quiz, users.instructor, {0: "a"})
    assert Attempt.objects.filter(quiz=quiz, is_staff_attempt=True).count() == 3


def test_typed_answers_of_staff_are_not_analysed(users):
    into = create_bank(users)
    quiz = create_quiz(users, [create_short_text(into)])
    attempt = start(quiz, users.instructor)
    save_choice(attempt, 0, None)
    finish(attempt)
    page = logged_in_client(users.administrator).get(
        f"/admin/results/itemresult/question/{into.questions.get().pk}/"
    )
    assert "None of your learners has answered yet." in page.text


def test_the_record_with_attempts_of_staff_is_verified(users):
    quiz = create_quiz(users, [create_question(create_bank(users), "one")])
    take_quiz(quiz, users.learner, {0: "ab"})
    take_quiz(quiz, users.instructor, {0: "ab"})
    voided = take_quiz(quiz, users.administrator, {0: "ab"})
    void(attempt=voided.uuid, by=users.instructor, reason="A try", now=NOW)
    assert list(chain.from_iterable(verify_quiz_grades())) == []
    Membership.objects.filter(user=users.instructor).update(role=Role.LEARNER)
    take_quiz(quiz, User.objects.get(pk=users.instructor.pk), {0: "c"})
    assert list(chain.from_iterable(verify_quiz_grades())) == []
    assert QuizGrade.objects.get(learner=users.instructor).attempts_graded == 1


def test_a_quiz_is_saved_though_its_pool_is_no_longer_shared(users, bank):
    quiz = create_quiz(users, [create_question(create_bank(users), "one")])
    section = quiz.sections.get()
    Slot.objects.create(section=section, position=9, pool_bank=bank)
    address = f"/admin/publishing/quiz/{quiz.pk}/questions/"
    browser = logged_in_client(users.instructor)
    data = form_values(browser.get(address), "digest") | {"do": "save"}
    assert browser.post(address, data).status_code == 302
    assert Slot.objects.get(section=section, position=2).pool_bank == bank
