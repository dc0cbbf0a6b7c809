"""What a new instructor does at the computer, from a class to its grades, with few clicks."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import TypeVar

import pytest
from openpyxl import load_workbook
from playwright.sync_api import Page, expect

from accounts.models import Group, Membership, Role, User
from quizzes.attempts.models import Assignment, Response, SaveStatus, State
from quizzes.bank.models import Bank, Tag
from quizzes.bank.services import set_tags
from quizzes.lib import clock
from quizzes.notifications.tasks import send_notifications
from quizzes.publishing.models import Quiz
from quizzes.results.regrading import continue_regrades
from quizzes.statistics.tasks import update_statistics
from tests.attempt_helpers import start as take_place
from tests.attempt_helpers import take_quiz
from tests.factories import create_bank, create_question, create_quiz, share_with_everyone
from tests.journeys.conftest import at_work as wait_for_scripts
from tests.journeys.conftest import speak, start
from tests.journeys.counted_user import CountedUser
from tests.journeys.http_learner import HTTPLearner
from tests.quizzes.instructor.classes.test_pages import workbook
from tests.regrade_helpers import read_scores

pytestmark = pytest.mark.browser

PEOPLE = 60
LEARNERS = 40
AT_A_TIME = 8
TEN_MINUTES = timedelta(minutes=10)
WAYS = [("en", 1280, False), ("es", 768, False), ("es", 768, True)]
LATEST = 15_000
"""Milliseconds until a learner's page knows what changed."""
NAMES = ["en-1280-mouse", "es-768-mouse", "es-768-keyboard"]
ways = pytest.mark.parametrize(("language", "width", "by_keyboard"), WAYS, ids=NAMES)


@pytest.fixture
def at_work(visit, language, width, by_keyboard):
    """Return somebody signed in, whose clicks are counted from the first page on."""

    def begin(user: User, task: str) -> CountedUser:
        page = visit(user, width)
        speak(page, language)
        way = "keyboard" if by_keyboard else "mouse"
        return CountedUser(page, f"{task}-{language}-{width}-{way}", by_keyboard)

    return begin


@pytest.fixture
def newcomer(transactional_db, users):
    """Somebody who may teach and has no class yet; there is a bank for all who teach."""
    User.objects.filter(pk=users.stranger.pk).update(may_make_classes=True)
    bank = create_bank(users, "genetics")
    for number in range(1, 13):
        question = create_question(bank, f"question-{number}", right="a", kind="single_choice")
        set_tags(question=question, names=["cells" if number < 7 else "genes"], by=None)
    share_with_everyone(bank)
    return users.stranger


@ways
def test_a_class_of_60_gets_a_quiz_of_six_with_a_draw(newcomer, at_work, tmp_path):
    file = tmp_path / "class.xlsx"
    file.write_bytes(workbook(PEOPLE).read())
    user = at_work(newcomer, "class")
    page = user.page
    page.goto("/")
    user.picture("home")
    user.follow(page.locator("a[href='/admin/']"), "teaching")
    user.follow(page.locator("a.class-main"), "new-class")
    user.write(page.locator("[name=name]"), "Biology")
    user.follow(page.locator("[name=_save]"), "people")
    user.upload(page.locator("[name=file]"), file)
    user.follow(page.locator("form.ask button.main"), "plan")
    user.follow(page.locator("form.actions button.main"), "class")
    user.follow(page.locator(".class-bar a[href*='quiz/add/']"), "new-quiz")
    user.write(page.locator("[name=title_en]"), "Cells")
    user.follow(page.locator("[name=_save]"), "composer")
    user.press(page.locator(".composer-add [value='find:1']"))
    ticks = page.locator("[name=pick]")
    expect(ticks).to_have_count(12)
    user.picture("picker")
    for number in range(5):
        user.press(ticks.nth(number))
    user.press(page.locator("[data-pick]"))
    expect(page.locator("[data-rows] > .composer-row")).to_have_count(5)
    user.choose(page.locator("[name=new-bank]"), str(Bank.objects.get().pk))
    user.choose(page.locator("[name=new-tag]"), str(Tag.objects.get(name="genes").pk))
    user.press(page.locator("[value=draw]"))
    expect(page.locator("[data-rows] > .composer-row")).to_have_count(6)
    user.picture("composed")
    user.follow(page.locator("[value=publish]"), "decision")
    user.follow(page.locator("[value=show_later]"), "published")
    user.follow(page.locator("a[href*='assignment/add']").first, "assignment")
    user.follow(page.locator("[name=_save]"), "assigned")
    user.write_counts()
    quiz, group = Quiz.objects.get(), Group.objects.get(name="Biology")
    assert quiz.current is not None
    assert (quiz.current.question_count, group.invitations.count()) == (6, PEOPLE)
    assert Assignment.objects.get().group == group
    assert user.clicks < 60


def create_learners(group: Group, count: int) -> list[User]:
    """Return learners of a class who sign in by no password: hashing forty takes its time."""
    addresses = [f"learner-{number:02}@example.org" for number in range(count)]
    learners = User.objects.bulk_create(
        User(
            email=address,
            confirmed_email=address,
            name=f"Learner {number:02}",
            school_id=f"{number:04}",
        )
        for number, address in enumerate(addresses)
    )
    Membership.objects.bulk_create(
        Membership(group=group, user=learner, role=Role.LEARNER) for learner in learners
    )
    return learners


@pytest.fixture
def exam(transactional_db, users):
    """A class of 43 at an exam that nobody can begin any more, but for who is let in late."""
    bank = create_bank(users)
    questions = [create_question(bank, name, right="ab") for name in ("first", "second", "third")]
    return create_quiz(users, questions, slug="exam", time_limit=30, shuffle_questions=False)


@pytest.fixture
def learners_at_it(exam, users, live_server):
    """Forty learners who have begun over HTTP, as the one in a browser has; two have not."""
    people = create_learners(users.group, LEARNERS + 1)[:LEARNERS]
    learners = [HTTPLearner(user, live_server.url) for user in people]
    run_side_by_side(lambda learner: learner.begin(exam.slug), learners)
    take_place(exam, users.learner, clock.now())
    exam.assignments.update(closes_at=clock.now())
    yield learners
    for learner in learners:
        learner.close()


Outcome = TypeVar("Outcome")


def run_side_by_side(
    action: Callable[[HTTPLearner], Outcome], learners: list[HTTPLearner]
) -> list[Outcome]:
    """Return what each comes to, eight of them at a time."""
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        return list(pool.map(action, learners))


def save_some(learner: HTTPLearner) -> None:
    """Answer none to three questions; who answers at all thinks better of the first one."""
    number = int(learner.user.school_id or 0)
    for slot in range(number % 4):
        learner.save(slot, 0)
    if number % 4:
        learner.save(0, 1)


def save_and_learn_the_time(learner: HTTPLearner) -> tuple[datetime, datetime, datetime]:
    """Return the cut-off after one more save, that of the page loaded anew, and when it was."""
    learner.save(2, 2)
    return (
        datetime.fromisoformat(learner.read_clock()["deadline"]),
        learner.read_page_deadline(),
        clock.now(),
    )


def read_answered(page: Page) -> dict[str, str]:
    """Return how many questions each learner of the room has answered, by the school's id."""
    cells = page.locator(".quiz-progress tbody tr").evaluate_all(
        "(rows) => rows.map((row) => [row.querySelector('small')?.textContent ?? '',"
        " row.cells[2].textContent.trim()])"
    )
    return {school_id: answered for school_id, answered in cells if school_id}


def check_record(exam: Quiz, learners: list[HTTPLearner]) -> None:
    """Hold every acknowledged save against the journal: it is there, and nothing else is."""
    journal = {
        str(row.idempotency_key): (row.attempt.learner_id, row.slot, row.revision, row.answer)
        for row in Response.objects.filter(attempt__quiz=exam, status=SaveStatus.ACCEPTED)
        .select_related("attempt")
        .order_by("pk")
    }
    acknowledged = {
        save.idempotency_key: (learner.user.pk, save.slot, save.revision, save.answer)
        for learner in learners
        for save in learner.acknowledged
    }
    assert len(acknowledged) == sum(len(learner.acknowledged) for learner in learners)
    assert journal == acknowledged


@ways
def test_everybody_at_an_exam_gets_ten_minutes_and_one_is_let_in_late(
    users, exam, learners_at_it, visit, at_work
):
    learner = visit(users.learner)
    learner.goto(f"/attempts/{exam.attempts.get(learner=users.learner).uuid}/")
    wait_for_scripts(learner)
    user = at_work(users.instructor, "room")
    page, polls = user.page, []
    page.on("request", lambda request: polls.append(request) if "?rows" in request.url else None)
    page.goto("/admin/")
    user.picture("teaching")
    user.follow(page.locator(".home-list a[href*='/progress/']"), "room")
    began = time.monotonic()
    expect(page.locator(".quiz-progress tbody tr")).to_have_count(LEARNERS + 3)
    expect(page.locator(".mark-not-begun")).to_have_count(2)
    assert set(read_answered(page).values()) == {"0 / 3", ""}
    run_side_by_side(save_some, learners_at_it)
    busy = [each.user for each in learners_at_it if int(each.user.school_id or 0) % 4 == 3]
    for each in busy:  # the room shows them without being loaded again
        row = page.locator(".quiz-progress tbody tr", has_text=each.school_id)
        expect(row).to_contain_text("3 / 3")
    user.picture("answers")
    answered = read_answered(page)
    for each in learners_at_it:
        assert answered[each.user.school_id or ""] == f"{int(each.user.school_id or 0) % 4} / 3"
    old = {each.attempt: each.read_page_deadline() for each in learners_at_it}
    user.follow(page.locator(".quiz-progress-actions .main"), "more-time")
    user.write(page.locator("[name=reason]"), "Fire alarm")
    user.follow(page.locator("form.ask .main"), "given")
    begun = time.monotonic()
    times = run_side_by_side(save_and_learn_the_time, learners_at_it)
    user.add_count("seconds until forty saves carry it", time.monotonic() - begun)
    for each, (after_save, on_page, at) in zip(learners_at_it, times, strict=True):
        assert after_save == old[each.attempt] + TEN_MINUTES
        assert on_page == old[each.attempt] + TEN_MINUTES
        assert at < old[each.attempt]
    expect(learner.locator("[data-timer-given]")).to_contain_text("10", timeout=LATEST)
    user.add_count("seconds until the learner reads it", time.monotonic() - begun)
    late = page.locator(f"a[href*='/late/{users.other_learner.uuid}/']")
    user.follow(late, "late")
    user.write(page.locator("[name=reason]"), "Late bus")
    user.follow(page.locator("form.ask .main"), "let-in")
    start(visit(users.other_learner), "exam")
    expect(page.locator(".mark-not-begun")).to_have_count(1)
    user.add_count("requests for rows", len(polls))
    user.add_count("seconds in the room", time.monotonic() - began)
    user.picture("all-in")
    user.write_counts()
    assert len(polls) <= time.monotonic() - began
    assert {attempt.state for attempt in exam.attempts.all()} == {State.OPEN}
    check_record(exam, learners_at_it)
    assert user.clicks < 12


@pytest.fixture
def wrong_key(transactional_db, users):
    """A quiz of five questions that twelve took; the key of the first calls right what is wrong."""
    bank = create_bank(users)
    wrong = create_question(bank, "wrong", right="b", kind="single_choice")
    others = [
        create_question(bank, f"q{place}", right="a", kind="single_choice") for place in "1234"
    ]
    quiz = create_quiz(users, [wrong, *others], shuffle_questions=False, pass_percent=60)
    learners = [users.learner, *create_learners(users.group, 11)]
    for place, learner in enumerate(learners):
        is_good = place % 2 == 0
        answers = dict.fromkeys(range(1, 5), "a" if is_good else "c")
        take_quiz(quiz, learner, {**answers, 0: "a" if is_good else "b"}, clock.now())
    update_statistics()
    return quiz


@ways
def test_a_wrong_key_is_seen_corrected_and_regraded_and_nobody_goes_down(
    users, wrong_key, visit, at_work, language, mailoutbox
):
    before = read_scores(wrong_key)
    user = at_work(users.instructor, "regrade")
    page = user.page
    page.goto("/admin/")
    user.picture("teaching")
    user.follow(page.locator(".home-list a[href*='/group/']"), "class")
    user.follow(page.locator(".class-links a[href*='/statistics/']"), "statistics")
    user.follow(page.locator(".statistics-remarks .note-problem a"), "question-statistics")
    user.follow(page.locator("a[href*='/bank/question/']").last, "question")
    user.press(page.locator("[name=options-1-field_right]"))
    user.press(page.locator("[name=options-0-field_right]"))
    user.follow(page.locator("[name=_publish]"), "published")
    user.follow(page.locator("a[href*='/regrade/']"), "preview")
    expect(page.locator("[name=policy]:checked")).to_have_value("keep_better")
    user.write(page.locator("[name=reason]"), "The key named the wrong option.")
    user.follow(page.locator("form.ask button.main"), "confirmation")
    user.follow(page.locator("[name=confirmed]"), "committed")
    continue_regrades(now=clock.now())
    send_notifications()
    user.write_counts()
    after = read_scores(wrong_key)
    assert all(after[pk][0] >= before[pk][0] for pk in before)
    assert sum(after[pk][0] > before[pk][0] for pk in before) == 6
    assert len(mailoutbox) == 6
    learner = visit(users.learner)
    speak(learner, language)
    learner.goto(f"/attempts/{wrong_key.attempts.get(learner=users.learner).uuid}/result")
    expect(learner.locator("main")).to_contain_text("The key named the wrong option.")
    assert "The key named the wrong option." in mailoutbox[0].body
    assert user.clicks < 20


HEADINGS = {
    "en": ["Name", "E-mail", "School id"],
    "es": ["Nombre", "Correo", "Identificador de la escuela"],
}


@ways
def test_the_grades_of_a_class_are_a_workbook_for_the_registrar(
    users, wrong_key, at_work, language, tmp_path
):
    user = at_work(users.instructor, "grades")
    page = user.page
    page.goto("/admin/")
    user.follow(page.locator(f".home-list a[href*='/group/{users.group.pk}/']"), "class")
    user.follow(page.locator(".sections a[href$='/gradebook/']"), "gradebook")
    download = user.download(page.locator("form.ask button.main"))
    user.write_counts()
    assert download.suggested_filename.endswith(".xlsx")
    download.save_as(tmp_path / "grades.xlsx")
    sheet = load_workbook(tmp_path / "grades.xlsx").worksheets[0]
    headings, *rows = [list(row) for row in sheet.iter_rows(values_only=True)]
    assert headings[:3] == HEADINGS[language]
    by_address = {row[1]: dict(zip(headings, row, strict=True)) for row in rows}
    assert len(by_address) == 13
    grades = by_address["learner-01@example.org"]
    assert list(grades.values())[:3] == ["Learner 01", "learner-01@example.org", "0001"]
    assert list(grades.values())[3:5] == [4, 5]
    assert user.clicks < 6
