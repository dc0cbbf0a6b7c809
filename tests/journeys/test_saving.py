"""What is answered reaches the server, whatever happens to network, tab, session and device."""

import pytest
from playwright.sync_api import expect

from quizzes.attempts.models import Attempt, Response, SaveStatus
from tests.factories import create_bank, create_question, create_quiz
from tests.journeys.conftest import Line, again, all_saved, option, sign_in, speak, start
from tests.users import PASSWORD

pytestmark = pytest.mark.browser

STATE = "[data-save-state]"


def state(page, name: str) -> None:
    page.wait_for_selector(f"{STATE}[data-state={name}]")


def accepted(slot: int = 2) -> int:
    return Response.objects.filter(slot=slot, status=SaveStatus.ACCEPTED).count()


def test_offline_answers_wait_on_the_device_and_go_out_by_themselves(visit, users, bilingual):
    page = visit(users.learner)
    start(page)
    page.context.set_offline(True)
    option(page, 2, 1).check()
    option(page, 3, 0).check()
    state(page, "offline")
    assert Response.objects.count() == 0
    page.context.set_offline(False)
    all_saved(page)
    assert Response.objects.count() == 2
    assert ":" in page.locator("[data-save-words]").inner_text()


CHANGE = """(box) => {
    box.click();
    return document.querySelector("[data-save-state]").dataset.state;
}"""


def test_nothing_is_called_saved_while_a_newer_answer_waits(visit, users, bilingual):
    page = visit(users.learner)
    start(page)
    option(page, 2, 1).check()
    all_saved(page)
    assert option(page, 2, 2).evaluate(CHANGE) == "waiting"
    all_saved(page)
    assert accepted() == 2


BREAK = """() => {
    IDBDatabase.prototype.transaction = () => {
        throw new DOMException("The database connection is closing.", "InvalidStateError");
    };
}"""


def test_answers_are_saved_even_if_the_device_stops_keeping_them(visit, users, bilingual):
    page = visit(users.learner)
    start(page)
    option(page, 2, 1).check()
    all_saved(page)
    page.evaluate(BREAK)
    option(page, 2, 2).check()
    option(page, 3, 0).check()
    all_saved(page)
    assert (accepted(2), accepted(3)) == (2, 1)


def test_review_waits_until_every_answer_is_safe(visit, users, bilingual):
    page = visit(users.learner)
    address = start(page)
    line = Line(page)
    option(page, 2, 1).check()
    page.locator("button[value=review]").click()
    state(page, "waiting")
    expect(page.locator(STATE)).to_be_focused()
    assert page.url == address
    line.up = True
    page.locator("button[value=review]").click()
    page.wait_for_url("**/review")
    assert accepted() == 1


def test_unsent_answers_survive_a_reload_and_are_sent_without_a_touch(visit, users, bilingual):
    page = visit(users.learner)
    start(page)
    line = Line(page)
    with page.expect_event("requestfailed"):  # it is written down by then
        option(page, 2, 1).check()
    state(page, "waiting")
    again(page)
    expect(option(page, 2, 1)).to_be_checked()
    assert page.locator(STATE).get_attribute("data-state") != "saved"
    assert accepted() == 0
    line.up = True
    all_saved(page)
    assert accepted() == 1


def test_a_tab_that_died_is_made_up_for_by_any_page(visit, users, bilingual):
    page = visit(users.learner)
    start(page)
    Line(page)
    with page.expect_event("requestfailed"):  # it is written down by then
        option(page, 2, 1).check()
    state(page, "waiting")
    page.close()
    other = page.context.new_page()
    with other.expect_response("**/save"):
        other.goto("/attempts/")
    assert accepted() == 1


def test_an_answer_whose_receipt_was_lost_is_kept_once(visit, users, bilingual):
    page = visit(users.learner)
    start(page)
    line = Line(page, lose_receipts=True)
    with page.expect_event("requestfailed"):
        option(page, 2, 1).check()
    option(page, 2, 2).check()  # another answer before the first is acknowledged
    line.up = True
    all_saved(page)
    entries = Response.objects.order_by("revision")
    assert [entry.status for entry in entries] == [SaveStatus.ACCEPTED, SaveStatus.ACCEPTED]
    assert option(page, 2, 2).get_attribute("value") in str(entries[1].answer)


def test_after_signing_in_again_what_waited_is_sent(visit, users, bilingual, live_server):
    page = visit(users.learner)
    address = start(page)
    page.context.clear_cookies(name="session")
    option(page, 2, 1).check()
    signed_out = page.locator(STATE).get_attribute("data-words-signin") or ""
    expect(page.locator("[data-save-words]")).to_have_text(signed_out)
    assert accepted() == 0
    page.locator("button[value=review]").click()
    page.wait_for_url("**/accounts/login/**")
    page.fill("input[name=login]", users.learner.email)
    page.fill("input[name=password]", PASSWORD)
    page.locator("form:has(input[name=password]) button[type=submit]").click()
    page.wait_for_url(f"{address}review")
    page.wait_for_selector("[data-answered=true]")
    assert accepted() == 1


def test_another_person_on_the_device_neither_sees_nor_sends(visit, users, bilingual, live_server):
    page = visit(users.learner)
    start(page)
    line = Line(page)
    with page.expect_event("requestfailed"):  # it is written down by then
        option(page, 2, 1).check()
    state(page, "waiting")
    page.goto("about:blank")
    line.up = True
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url))
    sign_in(page.context, users.other_learner, live_server.url)
    theirs = start(page)
    assert not option(page, 2, 1).is_checked()
    option(page, 3, 0).check()
    all_saved(page)  # whatever would be sent was sent by now
    assert {url for url in sent if url.endswith("/save")} == {f"{theirs}save"}
    sign_in(page.context, users.learner, live_server.url)
    with page.expect_response("**/save"):
        page.goto("/")
    mine = Attempt.objects.get(learner=users.learner)
    assert [response.slot for response in Response.objects.filter(attempt=mine)] == [2]
    assert Response.objects.count() == 2


def test_signing_out_leaves_nothing_on_the_device(visit, users, bilingual):
    page = visit(users.learner)
    start(page)
    Line(page)
    with page.expect_event("requestfailed"):  # it is written down by then
        option(page, 2, 1).check()
    state(page, "waiting")
    page.goto("/")
    paths: list[str] = []

    def accept(dialog) -> None:
        paths.append(dialog.message)
        dialog.accept()

    page.on("dialog", accept)
    page.locator("details.menu summary").click()
    page.locator("form[data-sign-out] button").click()
    page.wait_for_url("**/accounts/login/**")
    assert len(paths) == 1
    count = """() => new Promise(done => {
        const opened = indexedDB.open("ochenta", 1);
        opened.onsuccess = () => {
            const all = opened.result.transaction("outbox").objectStore("outbox").count();
            all.onsuccess = () => done(all.result);
        };
    })"""
    assert page.evaluate(count) == 0
    page.go_back()
    assert "Question" not in page.content()


def test_two_tabs_of_one_browser_show_each_other_what_was_saved(visit, users, bilingual):
    page = visit(users.learner)
    address = start(page)
    other = page.context.new_page()
    again(other, address)
    option(page, 2, 1).check()
    all_saved(page)
    expect(option(other, 2, 1)).to_be_checked()
    option(other, 2, 2).check()
    all_saved(other)
    expect(option(page, 2, 2)).to_be_checked()
    assert accepted() == 2
    assert not Response.objects.filter(status=SaveStatus.CONFLICT).exists()


@pytest.mark.parametrize("use_ours", [True, False])
def test_two_devices_never_overwrite_each_other_silently(visit, users, bilingual, use_ours):
    page, two = visit(users.learner), visit(users.learner)
    address = start(page)
    again(two, address)
    option(page, 2, 1).check()
    all_saved(page)
    option(two, 2, 2).check()
    state(two, "conflict")
    notice = two.locator("#q-2 .conflict")
    expect(notice.locator("[data-conflict-theirs]")).to_contain_text("Option b")
    expect(notice.locator("[data-conflict-ours]")).to_contain_text("Option c")
    assert accepted() == 1
    notice.locator("[data-conflict-use]" if use_ours else "[data-conflict-keep]").click()
    expect(notice).to_have_count(0)
    expect(option(two, 2, 2 if use_ours else 1)).to_be_checked()
    all_saved(two)
    again(two)
    expect(option(two, 2, 2 if use_ours else 1)).to_be_checked()
    assert accepted() == (2 if use_ours else 1)


def test_a_conflict_outlives_a_reload(visit, users, bilingual):
    page, two = visit(users.learner), visit(users.learner)
    address = start(page)
    again(two, address)
    option(page, 2, 1).check()
    all_saved(page)
    option(two, 2, 2).check()
    state(two, "conflict")
    two.reload()
    expect(two.locator("#q-2 .conflict")).to_be_visible()
    two.locator("button[value=review]").click()
    expect(two.locator("[data-conflict-title]")).to_be_focused()


FILL = """async (person) => {
  const { Outbox, uuid } = await import("/static/web/js/outbox.js");
  const { Sender } = await import("/static/web/js/sync.js");
  const outbox = new Outbox(person);
  const entries = Array.from({ length: 200 }, (_, slot) => ({
    slot, flagged: false, baseRevision: 0, idempotencyKey: uuid(), client: uuid(), sent: false,
    answer: { chosen: Array.from({ length: 8 }, uuid), none_apply: false },
  }));
  await outbox.change("an-attempt", "/attempts/an-attempt/save", () => entries);
  const sender = new Sender(outbox, "csrftoken");
  await sender.send();
  return [sender.trouble, (await outbox.entries("an-attempt")).length];
}"""


WITH_OUTBOX = """async (person) => {
  const { Outbox, uuid } = await import("/static/web/js/outbox.js");
  const { Sender } = await import("/static/web/js/sync.js");
  const outbox = new Outbox(person);
  const put = (attempt) => outbox.change(attempt, `/attempts/${attempt}/save`, (entries) => [
    ...entries,
    { slot: 0, flagged: false, baseRevision: 0, idempotencyKey: uuid(), client: uuid(), sent: false,
      answer: { chosen: [], none_apply: true } },
  ]);
  const sender = new Sender(outbox, "csrftoken");
"""

SEND_BESIDE_FAULT = (
    WITH_OUTBOX
    + """
  await put("a-fault");
  for (let number = 0; number < 6; number += 1) {
    await put("whole");
    await sender.send();
  }
  const left = async (attempt) => (await outbox.entries(attempt)).length;
  const troubles = ["a-fault", "whole"].map((attempt) => sender.getTrouble(attempt));
  return [...troubles, await left("a-fault"), await left("whole")];
}"""
)

SEND_FOR_FOUR_SECONDS = (
    WITH_OUTBOX
    + """
  await put("a-fault");
  for (const end = performance.now() + 4_000; performance.now() < end; ) {
    await sender.send();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}"""
)

FLUSH_DURING_SEND = (
    WITH_OUTBOX
    + """
  await put("whole");
  sender.send();
  await put("whole");
  const begun = performance.now();
  await sender.flush(8_000);
  return [performance.now() - begun < 4_000, (await outbox.entries("whole")).length];
}"""
)


@pytest.mark.parametrize("status", [500, 503, 429])
def test_an_attempt_whose_saves_fail_is_tried_again_later_and_holds_up_no_other(
    visit, users, bilingual, status
):
    page = visit(users.learner)
    page.goto("/attempts/")
    tried: list[str] = []

    def answer(route) -> None:
        tried.append(route.request.url.split("/")[-2])
        if tried[-1] == "a-fault":
            route.fulfill(status=status, body="no JSON")
        else:
            acknowledge(route)

    page.route("**/save", answer)
    assert page.evaluate(SEND_BESIDE_FAULT, str(users.learner.uuid)) == ["server", "", 1, 0]
    assert tried.count("whole") == 6
    assert tried.count("a-fault") < 4  # with growing pauses, not with each answer of another


@pytest.mark.parametrize("status", [500, 429, 200])
def test_what_fails_again_and_again_is_tried_with_growing_pauses(visit, users, bilingual, status):
    page = visit(users.learner)
    page.goto("/attempts/")
    tried: list[str] = []

    def answer(route) -> None:
        tried.append(route.request.url)
        route.fulfill(status=status, body="no JSON")

    page.route("**/save", answer)
    page.evaluate(SEND_FOR_FOUR_SECONDS, str(users.learner.uuid))
    # After about 0, 1 and 3 seconds; with pauses that stay as long it would be four times or more.
    assert 2 <= len(tried) <= 3


def test_who_waits_for_all_to_be_sent_waits_no_longer_because_some_is_under_way(
    visit, users, bilingual
):
    page = visit(users.learner)
    page.goto("/attempts/")
    tried: list[str] = []

    def answer(route) -> None:
        tried.append(route.request.url)
        acknowledge(route)

    page.route("**/save", answer)
    assert page.evaluate(FLUSH_DURING_SEND, str(users.learner.uuid)) == [True, 0]
    assert len(tried) <= 3


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "The site has a fault"), ("es", "El sitio tiene un fallo")]
)
def test_a_page_whose_saves_fail_says_so_and_all_others_are_saved(
    visit, users, bilingual, accessible, language, sentence
):
    questions = [create_question(create_bank(users), "own", right="ab")]
    create_quiz(users, questions, slug="other")
    page = visit(users.learner, 360)
    speak(page, language)
    address = start(page)
    line = Line(page, status=500)
    option(page, 2, 1).check()
    expect(page.locator("[data-save-words]")).to_contain_text(sentence)
    assert page.locator(STATE).evaluate("line => line.scrollWidth <= line.clientWidth")
    accessible(page)
    page.locator("button[value=review]").click()
    expect(page.locator(STATE)).to_be_focused()
    other = page.context.new_page()
    other.route(f"{address}save", lambda route: route.fulfill(status=500))
    start(other, "other")
    option(other, 0, 1).check()
    all_saved(other)
    assert Response.objects.exclude(attempt__uuid=address.split("/")[-2]).count() == 1
    other.goto(f"{address}review")
    expect(other.locator("[data-unsent]")).to_contain_text(sentence)
    other.close()
    line.up = True
    all_saved(page)
    assert accepted() == 1


def acknowledge(route) -> None:
    saves = route.request.post_data_json["saves"]
    statuses = [{**save, "status": "accepted", "revision": 1, "at": ""} for save in saves]
    route.fulfill(json={"saves": statuses})


def test_a_whole_exam_answered_offline_is_not_too_much_to_send(visit, users, bilingual):
    page = visit(users.learner)
    page.goto("/attempts/")
    page.route("**/save", acknowledge)
    assert page.evaluate(FILL, str(users.learner.uuid)) == ["", 0]


SETTLE = """async () => {
  const { settle } = await import("/static/web/js/queue.js");
  const answer = (...chosen) => ({ answer: { chosen, none_apply: false }, flagged: false });
  const paths = ["chosen{}", "none_apply"];
  const entry = { slot: 0, idempotencyKey: "one", paths, ...answer("b", "a") };
  return ["ab", "ac"].map((there) =>
    settle([entry], "one", { status: "conflict", revision: 2, ...answer(...there) }).length);
}"""


JOIN = """async () => {
  const { add, join } = await import("/static/web/js/queue.js");
  const change = (idempotencyKey, at) =>
    ({ slot: 0, idempotencyKey, at, baseRevision: 0, flagged: false });
  const first = add([], change("one", 1));
  const second = add(first, change("two", 2));
  const sent = first.map((entry) => ({ ...entry, sent: true }));
  const third = add(sent, change("three", 3));
  const names = (entries) =>
    entries.map(({ idempotencyKey, sent }) => idempotencyKey + (sent ? "!" : ""));
  const pairs = [[first, second], [second, first], [first, third], [sent, first]];
  return pairs.map((pair) => names(join(...pair)));
}"""


def test_two_states_of_a_queue_are_joined_without_a_conflict_with_oneself(visit, users, bilingual):
    page = visit(users.learner)
    page.goto("/attempts/")
    assert page.evaluate(JOIN) == [["two"], ["two"], ["one!", "three"], ["one!"]]


def test_the_same_options_in_another_order_are_no_conflict(visit, users, bilingual):
    page = visit(users.learner)
    page.goto("/attempts/")
    assert page.evaluate(SETTLE) == [0, 1]
