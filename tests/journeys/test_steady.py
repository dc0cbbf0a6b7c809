"""No page moves under a press: not as a field is entered or left, nor by what comes meanwhile."""

import pytest
from playwright.sync_api import expect

from tests.essay_factory import attempt_with_essay, create_essay
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import all_saved, held, hold, let_go, option, start
from tests.journeys.mouse import STANDS, press, write
from tests.question_factory import document, publish_document, samples

pytestmark = pytest.mark.browser

LONG = "It reads the file before it is written: look at the order of both calls once more. " * 6

MOVED = """(text) => {
    const isSeen = (control) =>
        control.checkVisibility() && !control.disabled && control.tabIndex >= 0;
    const all = "input:not([type=hidden]), select, textarea, button, a[href], summary";
    const controls = [...document.querySelectorAll(all)].filter(isSeen);
    const stands = () => controls.map((control) => {
        const { x, y, width, height } = control.getBoundingClientRect();
        return [x + scrollX, y + scrollY, width, height];
    });
    const moved = [];
    const compare = (before, control, what) => {
        const now = stands();
        const others = controls.filter((other, at) =>
            (other !== control || !control.matches(".skip")) &&
            now[at].some((side, place) => Math.abs(side - before[at][place]) > 1));
        if (others.length) moved.push(`${what} ${control.name || control.outerHTML}`);
    };
    for (const control of controls) {
        if (control.matches("textarea:read-write")) control.value = text;
    }
    for (const control of controls) {
        document.activeElement?.blur();
        let before = stands();
        control.focus({ preventScroll: true });
        compare(before, control, "entering");
        before = stands();
        const change = new Event("change", { bubbles: true });
        if (control.matches("textarea")) control.dispatchEvent(change);
        control.blur();
        compare(before, control, "leaving");
    }
    return moved;
}"""
"""Enter and leave each control of a page whose boxes hold a long text; return what moved others."""

ADMIN = """
    /admin/
    /admin/bank/question/
    /admin/bank/question/add/
    /admin/bank/question/{question}/change/
    /admin/bank/question/{question}/history/
    /admin/bank/question/{question}/preview/
    /admin/bank/question/{question}/retire/
    /admin/bank/bank/add/
    /admin/bank/bank/{bank}/change/
    /admin/bank/bank/{bank}/files/
    /admin/bank/bank/{bank}/checks/
    /admin/publishing/quiz/add/
    /admin/publishing/quiz/{quiz}/change/
    /admin/publishing/quiz/{quiz}/questions/
    /admin/imports/importjob/
    /admin/imports/importjob/add/
    /admin/matching/pairdecision/bank/{bank}/
    /admin/attempts/attempt/
    /admin/attempts/assignment/add/
    /admin/attempts/accommodation/add/
    /admin/results/manualgrade/
    /admin/accounts/user/
    /admin/accounts/user/add/
    /admin/accounts/group/add/
    /admin/accounts/group/{group}/change/
""".split()
LEARNER = "/ /profile/ /attempts/ /quizzes/quiz/".split()
STATE = "[data-save-state]"


@pytest.mark.parametrize("width", [1280, 768, 360])
def test_no_page_of_the_admin_moves_when_a_field_is_entered_or_left(
    visit, transactional_db, users, width
):
    question = create_question(create_bank(users), "many")
    quiz = create_quiz(users, [question, create_essay(question.bank)], shuffle_questions=False)
    attempt_with_essay(quiz, users.learner, slot=1)
    numbers = {
        "question": question.pk,
        "bank": question.bank_id,
        "quiz": quiz.pk,
        "group": users.group.pk,
    }
    page = visit(users.administrator, width)
    moved = {}
    for address in ADMIN:
        answer = page.goto(address.format(**numbers))
        assert answer.status == 200, address
        moved[address] = page.evaluate(MOVED, LONG)
    assert {address: what for address, what in moved.items() if what} == {}


@pytest.mark.parametrize("width", [1280, 360])
def test_no_page_of_a_learner_moves_when_a_field_is_entered_or_left(
    visit, transactional_db, users, width
):
    into = create_bank(users)
    first = {sample.kind: sample for sample in reversed(list(samples()))}
    questions = [publish_document(into, kind, document(sample)) for kind, sample in first.items()]
    create_quiz(users, questions, shuffle_questions=False)
    page = visit(users.learner, width)
    moved = {}
    for address in LEARNER:
        answer = page.goto(address)
        assert answer.status == 200, address
        moved[address] = page.evaluate(MOVED, LONG)
    moved["attempt"] = page.evaluate(MOVED, LONG) if start(page) else []
    assert {address: what for address, what in moved.items() if what} == {}


COVERED = """() => {
    const seen = "input:not([type=hidden]), select, textarea, button, summary";
    const all = [...document.querySelectorAll(`form[method=post] :is(${seen})`)];
    const isIn = (control) => control.checkVisibility() && !control.disabled;
    const covered = [];
    for (const control of all.filter((one) => isIn(one) && one.tabIndex >= 0)) {
        control.focus();
        const { x, y, width, height } = control.getBoundingClientRect();
        const there = document.elementFromPoint(x + width / 2, y + Math.min(height / 2, 12));
        const bar = there?.closest("#submit-row, .actions, .import-bar");
        if (bar && !bar.contains(control)) covered.push(control.name || control.outerHTML);
    }
    return covered;
}"""
"""Come to each control of a page's form as the keyboard does; return those beneath a bar."""


def test_no_bar_of_buttons_covers_what_the_keyboard_comes_to(visit, transactional_db, users):
    question = create_question(create_bank(users), "many")
    quiz = create_quiz(users, [question])
    page = visit(users.instructor)
    covered = {}
    for address in (
        f"/admin/bank/question/{question.pk}/change/",
        f"/admin/publishing/quiz/{quiz.pk}/change/",
        f"/admin/publishing/quiz/{quiz.pk}/questions/",
    ):
        page.goto(address)
        covered[address] = page.evaluate(COVERED)
    assert {address: names for address, names in covered.items() if names} == {}


@pytest.fixture
def two(transactional_db, users):
    """A number that is written, and a choice below it."""
    into = create_bank(users)
    number = next(sample for sample in samples() if sample.kind == "numeric")
    questions = [publish_document(into, "number", document(number)), create_question(into, "many")]
    return create_quiz(users, questions, shuffle_questions=False, shuffle_options=False)


def number_of(page):
    return page.locator("#q-0 input[type=text]")


def test_a_choice_is_reached_while_the_word_on_an_unreadable_number_goes(visit, users, two):
    page = visit(users.learner)
    start(page)
    write(number_of(page), "three")
    press(option(page, 1, 0))
    expect(page.locator("#q-0 [data-error]")).not_to_be_empty()
    write(number_of(page), "3.14")
    press(option(page, 1, 1))
    expect(page.locator("#q-0 [data-error]")).to_be_empty()
    expect(option(page, 1, 1)).to_be_checked()
    all_saved(page)


def test_a_word_on_an_unreadable_number_comes_though_a_menu_was_opened(visit, users, two):
    page = visit(users.learner)
    start(page)
    write(number_of(page), "three")
    page.mouse.move(1, 1)
    page.mouse.down(button="right")  # the menu of the browser takes the release for itself
    page.keyboard.press("Tab")
    page.wait_for_selector(f"{STATE}[data-state=failed]")
    expect(page.locator("#q-0 [data-error]")).not_to_be_empty()


def test_a_word_on_an_unreadable_number_waits_until_the_mouse_is_let_go(visit, users, two):
    page = visit(users.learner)
    start(page)
    hold(page)
    write(number_of(page), "three")
    page.keyboard.press("Tab")
    held(page)
    choice = option(page, 1, 0)
    before = choice.evaluate(STANDS)
    page.mouse.move(before["x"], before["y"])
    page.mouse.down()
    let_go(page)
    page.wait_for_selector(f"{STATE}[data-state=failed]")
    assert choice.evaluate(STANDS) == before
    page.mouse.up()
    expect(choice).to_be_checked()
    expect(page.locator("#q-0 [data-error]")).not_to_be_empty()
