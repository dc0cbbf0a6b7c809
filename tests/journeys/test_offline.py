"""Pages without a network: the attempt that is open, the page for all others, and nobody else's."""

import re

import pytest
from playwright.sync_api import Page, expect

from quizzes.attempts import services
from quizzes.attempts.models import Response
from quizzes.lib import clock
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import all_saved, at_work, option, sign_in, speak, start, submit
from tests.quizzes.web.test_secrecy import alone_with, create_twins, mask
from tests.users import PASSWORD
from tools.processes import wait_until

pytestmark = pytest.mark.browser

LIST_STORED = """async () => {
    const stored = [];
    for (const name of await caches.keys()) {
        if (!name.startsWith("pages-")) continue;
        const requests = await (await caches.open(name)).keys();
        stored.push(...requests.map(({ url }) => new URL(url).pathname));
    }
    return stored;
}"""
WAIT_FOR_WORKER = "navigator.serviceWorker.ready.then(() => null)"
WORDS = "[data-save-words]"


def list_stored(page: Page) -> list[str]:
    stored: list[str] = page.evaluate(LIST_STORED)
    return stored


def wait_until_stored(page: Page) -> None:
    """Wait until this page of an attempt is on the device, and all the files of the site."""
    page.evaluate(WAIT_FOR_WORKER)
    path = f"/attempts/{page.url.split('/attempts/')[1]}"
    assert wait_until(lambda: path in list_stored(page), seconds=20)


@pytest.fixture
def taking(visit, users, bilingual) -> Page:
    """A page of an open attempt that is on the device."""
    page: Page = visit(users.learner, service_workers="allow")
    start(page)
    wait_until_stored(page)
    return page


def test_a_page_that_is_loaded_anew_without_a_network_has_every_answer(taking):
    option(taking, 2, 1).check()
    all_saved(taking)
    taking.context.set_offline(True)
    option(taking, 3, 0).check()
    expect(taking.locator(WORDS)).to_have_text("Offline, your answers are kept on this device")
    taking.reload()
    at_work(taking)
    expect(option(taking, 2, 1)).to_be_checked()
    expect(option(taking, 3, 0)).to_be_checked()
    taking.context.set_offline(False)
    all_saved(taking)
    assert Response.objects.count() == 2


def test_an_attempt_that_is_the_first_page_on_a_device_is_stored_too(visit, users, bilingual):
    attempt = services.start(quiz=bilingual.uuid, learner=users.learner, now=clock.now())
    page = visit(users.learner, service_workers="allow")
    page.goto(f"/attempts/{attempt.uuid}/")
    wait_until_stored(page)
    page.context.set_offline(True)
    page.reload()
    at_work(page)


MAKE_OLDER = """async ([path, minutes]) => {
    const [name] = (await caches.keys()).filter((each) => each.startsWith("pages-"));
    const cache = await caches.open(name);
    const stored = await cache.match(path);
    const headers = new Headers(stored.headers);
    headers.set("X-Stored-At", String(Date.now() - minutes * 60_000));
    await cache.put(path, new Response(await stored.text(), { headers }));
}"""


def test_the_time_left_is_counted_from_when_the_page_was_stored(visit, users):
    questions = [create_question(create_bank(users), "own", right="ab")]
    quiz = create_quiz(users, questions, slug="limited", time_limit=30)
    page = visit(users.learner, service_workers="allow")
    start(page, quiz.slug)
    wait_until_stored(page)
    page.evaluate(MAKE_OLDER, [f"/attempts/{page.url.split('/attempts/')[1]}", 10])
    page.context.set_offline(True)
    page.reload()
    at_work(page)
    expect(page.locator("[data-timer-clock]")).to_have_text(re.compile(r"^19:"))


def test_without_a_worker_the_page_does_not_open(visit, users, bilingual):
    page = visit(users.learner)
    start(page)
    page.context.set_offline(True)
    with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
        page.reload()


def test_whatever_else_is_opened_without_a_network_leads_to_what_is_stored(taking, accessible):
    address = taking.url
    taking.context.set_offline(True)
    taking.goto("/study/")
    accessible(taking)
    expect(taking.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(taking.get_by_role("heading", name="No tienes conexión")).to_be_visible()
    taking.locator("[data-stored-pages] a").first.click()
    taking.wait_for_url(address)
    at_work(taking)


def test_an_attempt_that_was_handed_in_is_stored_no_more_and_neither_is_its_result(taking):
    page = f"/attempts/{taking.url.split('/attempts/')[1]}"
    option(taking, 2, 1).check()
    all_saved(taking)
    assert set(list_stored(taking)) == {page, f"{page}saves"}
    submit(taking)
    assert list_stored(taking) == []
    taking.context.set_offline(True)
    taking.goto(page)
    expect(taking.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(taking.locator("fieldset[data-slot]")).to_have_count(0)


def test_signing_out_leaves_no_page_behind(taking):
    page = taking.url
    taking.goto("/")
    assert list_stored(taking) != []
    taking.locator(".menu summary").click()
    taking.get_by_role("button", name="Sign out").click()
    taking.wait_for_selector("a.sign-in")
    assert list_stored(taking) == []
    taking.context.set_offline(True)
    taking.goto(page)
    expect(taking.locator("fieldset[data-slot]")).to_have_count(0)


def test_the_next_person_on_the_device_finds_no_page_of_the_one_before(taking, users, live_server):
    page = taking.url
    sign_in(taking.context, users.other_learner, live_server.url)
    taking.goto("/")
    assert wait_until(lambda: list_stored(taking) == [], seconds=10)
    taking.context.set_offline(True)
    taking.goto(page)
    expect(taking.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(taking.locator("[data-stored-pages] a")).to_have_count(0)


def test_signing_in_by_the_form_removes_what_is_stored_before_any_page_comes(taking, users):
    page = taking.url
    taking.context.clear_cookies()
    taking.goto("/accounts/login/")
    assert list_stored(taking) != []
    taking.add_init_script("CacheStorage.prototype.delete = async () => false")  # of pages only
    taking.fill("input[name=login]", users.other_learner.email)
    taking.fill("input[name=password]", PASSWORD)
    taking.locator("form:has(input[name=password]) button[type=submit]").click()
    taking.wait_for_selector(".menu")
    assert list_stored(taking) == []
    taking.context.set_offline(True)
    taking.goto(page)
    expect(taking.locator("fieldset[data-slot]")).to_have_count(0)


READ_STORED = """async () => {
    const texts = [];
    for (const name of (await caches.keys()).toSorted()) {
        const cache = await caches.open(name);
        const requests = await cache.keys();
        // Files come, and are put, in no order: several at a time.
        for (const request of requests.toSorted((one, other) => (one.url < other.url ? -1 : 1))) {
            const path = new URL(request.url).pathname;
            if (path.includes("/favicon")) continue;
            texts.push(path + await (await cache.match(request)).text());
        }
    }
    return texts.join("\\n");
}"""
"""What is stored, but for the icon of the site, which a browser fetches when it likes."""


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_is_stored_is_the_same_whatever_is_right(visit, users, language):
    """The key flip: two quizzes that differ in key and feedback leave the same on the device."""
    texts = []
    for number, (quiz, _questions) in enumerate(create_twins(users)):
        page = visit(alone_with(quiz, number), service_workers="allow")
        speak(page, language)
        start(page, quiz.slug)
        wait_until_stored(page)
        option(page, 0, 0).check()
        all_saved(page)
        texts.append(mask(page.evaluate(READ_STORED)))
        assert "only here" not in texts[-1]
    assert texts[0] == texts[1]
    assert "saves" in texts[0]


def test_the_site_can_be_installed(visit, users, bilingual):
    page = visit(users.learner, service_workers="allow")
    page.goto("/")
    page.evaluate(WAIT_FOR_WORKER)
    session = page.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert '"maskable"' in manifest["data"]
    # Playwright's contexts are private windows, from which nothing can be installed.
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors] in ([], ["in-incognito"])
