"""What a new instructor does at the computer, from a class to its grades, with few clicks."""

import pytest
from playwright.sync_api import expect

from accounts.models import Group, User
from quizzes.attempts.models import Assignment
from quizzes.bank.models import Bank, Tag
from quizzes.bank.services import set_tags
from quizzes.publishing.models import Quiz
from tests.factories import create_bank, create_question, share_with_everyone
from tests.journeys.conftest import speak
from tests.journeys.counted_user import CountedUser
from tests.quizzes.instructor.classes.test_pages import workbook

pytestmark = pytest.mark.browser

PEOPLE = 60
WAYS = [("en", 1280, False), ("es", 768, False), ("en", 1280, True), ("es", 768, True)]
NAMES = ["en-1280-mouse", "es-768-mouse", "en-1280-keyboard", "es-768-keyboard"]
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
    user.follow(page.locator("[value=publish]"), "published")
    user.follow(page.locator("a[href*='assignment/add']").first, "assignment")
    user.follow(page.locator("[name=_save]"), "assigned")
    user.write_counts()
    quiz, group = Quiz.objects.get(), Group.objects.get(name="Biology")
    assert quiz.current is not None
    assert (quiz.current.question_count, group.invitations.count()) == (6, PEOPLE)
    assert Assignment.objects.get().group == group
    assert user.clicks < 60
