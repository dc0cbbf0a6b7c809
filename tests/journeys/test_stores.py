"""What the page says of this device is true of its disk, whatever becomes of the browser's stores.

Every profile is persistent and has the back/forward cache on, as people have it.
"""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, BrowserType, Page, expect

from quizzes.attempts.models import Response
from tests.journeys.conftest import PATIENCE, again, all_saved, at_work, option, sign_in, start

pytestmark = pytest.mark.browser

HANG = "IDBFactory.prototype.open = () => new EventTarget();"
HANG_LATER = "IDBDatabase.prototype.transaction = () => ({ objectStore: () => ({}) });"
THROW = """IDBFactory.prototype.open = () => {
    throw new DOMException("The user denied permission to access the database.", "SecurityError");
};"""
FULL = """IDBObjectStore.prototype.put = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
};"""
NO_FILES = (
    """window.Worker = class { constructor() { throw new DOMException("", "SecurityError"); } };"""
)
LISTEN = """addEventListener("DOMContentLoaded", () => {
    window.sentences = [];
    const line = document.querySelector("[data-save-words]");
    if (!line) return;
    const note = () => sentences.push(line.textContent.trim());
    const changes = { childList: true, characterData: true, subtree: true };
    new MutationObserver(note).observe(line, changes);
    note();
});"""
KEPT = re.compile(r"(?<!not )kept", re.IGNORECASE)
WORDS = "[data-save-words]"

Devices = Callable[..., Page]


@pytest.fixture
def device(
    browser_type: BrowserType, browser_type_launch_args, live_server, tmp_path: Path
) -> Iterator[Devices]:
    """Open a page of a persistent profile in which these scripts break something."""
    contexts: list[BrowserContext] = []

    def opened(user, *breaks: str) -> Page:
        if not contexts:
            options = {**browser_type_launch_args, "locale": "en-GB", "base_url": live_server.url}
            context = browser_type.launch_persistent_context(
                tmp_path, ignore_default_args=["--disable-back-forward-cache"], **options
            )
            context.set_default_timeout(PATIENCE)
            contexts.append(context)
        sign_in(contexts[0], user, live_server.url)
        page = contexts[0].new_page()
        for script in (LISTEN, *breaks):
            page.add_init_script(script)
        return page

    yield opened
    for context in contexts:
        context.close()


def sentences(page: Page) -> list[str]:
    """Give all that the line of saving has said on this page."""
    listed: list[str] = page.evaluate("sentences")
    return listed


def answer_offline(page: Page) -> None:
    """Answer two questions without a network."""
    page.context.set_offline(True)
    option(page, 2, 1).check()
    option(page, 3, 0).check()


def assert_kept(page: Page) -> None:
    expect(page.locator(WORDS)).to_have_text("Offline, your answers are kept on this device")


def assert_at_risk(page: Page) -> None:
    expect(page.locator(WORDS)).to_have_text("Not saved on this device: do not close this page")


def die(page: Page) -> None:
    """End a page without a word, and let the network come back.

    A page that closes sends what it still has, and there the browser forgets that it is offline.
    """
    page.evaluate("() => { window.fetch = () => new Promise(() => null); }")
    page.close(run_before_unload=False)
    page.context.set_offline(False)


def assert_all_come(page: Page, count: int = 2) -> None:
    """A page without anything broken sends all that the device has kept."""
    with page.expect_response("**/save"):
        page.goto("/")
    page.goto("/attempts/")
    assert Response.objects.count() == count


def spoil(page: Page, command: str, **options) -> None:
    origin = page.evaluate("location.origin")
    page.context.new_cdp_session(page).send(command, {"origin": origin, **options})


@pytest.mark.parametrize("fault", [HANG, THROW, FULL], ids=["hangs", "throws", "full"])
def test_nothing_is_called_kept_where_no_store_works(device, users, bilingual, fault):
    page = device(users.learner, fault, NO_FILES)
    start(page)
    answer_offline(page)
    assert_at_risk(page)
    assert not [sentence for sentence in sentences(page) if KEPT.search(sentence)]
    page.context.set_offline(False)
    all_saved(page)  # from memory
    assert Response.objects.count() == 2
    expect(page.locator("[data-download]")).to_be_hidden()


@pytest.mark.parametrize("fault", [HANG, THROW, FULL], ids=["hangs", "throws", "full"])
def test_a_second_store_keeps_what_the_first_does_not(device, users, bilingual, fault):
    page = device(users.learner, fault)
    start(page)
    answer_offline(page)
    assert_kept(page)
    die(page)
    assert_all_come(device(users.learner))


def test_a_store_that_begins_to_hang_is_followed_by_the_second(device, users, bilingual):
    page = device(users.learner)
    start(page)
    page.context.set_offline(True)
    option(page, 2, 1).check()
    assert_kept(page)
    page.evaluate(HANG_LATER)
    option(page, 2, 2).check()
    option(page, 3, 0).check()
    assert_kept(page)
    die(page)
    other = device(users.learner)
    assert_all_come(other)
    assert option(again(other, f"/attempts/{attempt_uuid()}/"), 2, 2).is_checked()


def attempt_uuid() -> str:
    return str(Response.objects.values_list("attempt__uuid", flat=True)[0])


def test_a_full_disk_is_told_and_answers_are_sent_from_memory(device, users, bilingual):
    page = device(users.learner)
    start(page)
    spoil(page, "Storage.overrideQuotaForOrigin", quotaSize=1)
    answer_offline(page)
    assert_at_risk(page)
    page.context.set_offline(False)
    all_saved(page)
    assert Response.objects.count() == 2


def take_away(page: Page) -> None:
    """Let the browser throw away what it keeps for this site, and give one more answer."""
    spoil(page, "Storage.clearDataForOrigin", storageTypes="indexeddb,file_systems")
    option(page, 4, 0).check()


def test_what_the_browser_throws_away_is_written_anew(device, users, bilingual):
    page = device(users.learner)
    start(page)
    answer_offline(page)
    assert_kept(page)
    take_away(page)
    assert_kept(page)
    die(page)
    assert_all_come(device(users.learner), 3)


def test_files_that_the_browser_throws_away_are_no_longer_called_kept(device, users, bilingual):
    page = device(users.learner, HANG)
    start(page)
    answer_offline(page)
    assert_kept(page)
    take_away(page)
    assert_at_risk(page)
    page.context.set_offline(False)
    all_saved(page)
    assert Response.objects.count() == 3


def test_a_page_whose_store_hangs_is_not_dead(device, users, bilingual):
    page = device(users.learner, HANG, NO_FILES)
    page.goto("/quizzes/quiz/")
    page.locator("form[action$='/start'] button").click()
    page.wait_for_url("**/attempts/*/")
    option(page, 2, 1).check()  # long before the store is given up
    all_saved(page)
    assert Response.objects.count() == 1


def test_nobody_else_on_the_device_sends_what_the_second_store_keeps(
    device, users, bilingual, live_server
):
    page = device(users.learner, HANG)
    start(page)
    answer_offline(page)
    assert_kept(page)
    die(page)
    other = device(users.other_learner)
    start(other)
    option(other, 4, 0).check()
    all_saved(other)
    assert Response.objects.count() == 1
    sign_in(other.context, users.learner, live_server.url)
    assert_all_come(device(users.learner), 3)


FILES = """async () => {
    const folder = await navigator.storage.getDirectory();
    const names = [];
    for await (const [name, handle] of folder)
        if (handle.kind === "directory") for await (const [file] of handle) names.push(file);
    return names;
}"""


def test_files_are_thrown_away_when_their_answers_are_safe(device, users, bilingual):
    page = device(users.learner, HANG)
    start(page)
    answer_offline(page)
    assert_kept(page)
    assert len(page.evaluate(FILES)) == 2
    die(page)
    other = device(users.learner)
    assert_all_come(other)
    assert other.evaluate(FILES) == []


def test_the_answers_can_be_taken_away_as_a_file(device, users, bilingual, accessible):
    page = device(users.learner, THROW, NO_FILES)
    start(page)
    answer_offline(page)
    with page.expect_download() as downloaded:
        page.locator("[data-download]").click()
    lines = downloaded.value.path().read_text().splitlines()
    assert "3. Option b" in lines
    data = json.loads(lines[-1])
    assert [answer["question"] for answer in data["answers"] if answer["answer"]] == [3, 4]
    accessible(page)


@pytest.mark.parametrize("is_kept", [True, False])
def test_closing_is_only_asked_about_where_it_would_lose_an_answer(
    device, users, bilingual, is_kept
):
    page = device(users.learner, *([] if is_kept else [THROW, NO_FILES]))
    start(page)
    answer_offline(page)
    expect(page.locator(WORDS)).to_contain_text("on this device")
    paths: list[str] = []

    def note(dialog) -> None:
        paths.append(dialog.type)
        dialog.accept()

    page.on("dialog", note)
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    assert paths == ([] if is_kept else ["beforeunload"])


def test_home_left_in_a_hurry_blocks_no_store(device, users, bilingual):
    page = device(users.learner)
    page.goto("/")
    page.evaluate("location.assign('/quizzes/quiz/')")
    page.locator("form[action$='/start'] button").click()
    at_work(page)
    answer_offline(page)
    assert_kept(page)
    die(page)
    assert_all_come(device(users.learner))
