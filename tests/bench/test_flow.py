"""The standard flow of `./dev bench`: it reads the page that learners get, and tells what fails."""

import gzip
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from django.urls import reverse

from bench.herd import drive_herd
from bench.load import Browser, Tally, UnexpectedAnswerError, drive, flow
from bench.page import read_options
from bench.validity import find_faults
from quizzes.lib import clock
from tests.attempt_helpers import start
from tests.users import logged_in_client

ID = "0a1b2c3d-0a1b-2c3d-4e5f-0a1b2c3d4e5f"
OPTION = f'<input type="checkbox" name="q-3" data-answer="chosen[]" value="{ID}" checked>'


def test_options_are_found_on_the_page_that_learners_get(users, a_quiz):
    attempt = start(a_quiz, users.learner, clock.now())
    page = logged_in_client(users.learner).get(reverse("attempt", args=[attempt.uuid])).content
    fields = {
        (slot, option) for slot in range(3) for option in attempt.manifest["slots"][slot]["order"]
    }
    assert set(read_options(page)) == fields


@pytest.mark.parametrize(
    "field",
    [
        OPTION,
        f'<input value="{ID}" type="radio"\n  name="q-3">',
        f'<p>x</p><input name="q-3-none" value="1"><input name="q-3" value="{ID}">',
    ],
)
def test_options_are_found_in_whatever_order_their_attributes_stand(field):
    assert list(read_options(field.encode())) == [(3, ID)]


class Site(BaseHTTPRequestHandler):
    """A site that knows the flow; a test says which answer of it is another."""

    protocol_version = "HTTP/1.1"
    answers: dict[str, tuple[int, str]]

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, content = self.answers[self.path]
        self.send_response(status)
        if status == 302:
            self.send_header("Location", content)
        body = content.encode()
        if "gzip" in self.headers.get("Accept-Encoding", ""):
            body = gzip.compress(body)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = answer  # noqa: N815  the names that http.server asks for

    def log_message(self, *_arguments):
        pass


@pytest.fixture
def site():
    """Run a site where the flow succeeds; give its port and its answers by path."""
    answers = {
        "/quizzes/bench/start": (302, "/attempt/"),
        "/attempt/": (200, OPTION),
        "/attempt/save": (200, '{"saves": [{"status": "accepted"}]}'),
        "/attempt/submit": (302, "/result"),
        "/result": (200, "Result"),
    }
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Known", (Site,), {"answers": answers}))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield server.server_port, answers
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def visitor(site):
    """Give a browser, closed before the site, which serves one connection at a time."""
    opened = Browser(site[0], "session=none", Tally())
    yield opened
    opened.close()


@pytest.mark.enable_socket
def test_a_whole_flow_asks_five_times(visitor):
    flow(visitor, "bench")
    assert list(visitor.tally.seconds) == ["start", "page", "save", "submit", "result"]


@pytest.mark.enable_socket
@pytest.mark.parametrize(
    ("path", "answer", "reason"),
    [
        ("/quizzes/bench/start", (200, "again"), "start: status 200 instead of 302"),
        ("/attempt/", (200, "<p>No questions</p>"), "page: no option to choose"),
        ("/attempt/", (302, "/accounts/login/"), "page: status 302 instead of 200"),
        ("/attempt/save", (200, '{"saves": [{"status": "late"}]}'), "save: "),
        ("/attempt/save", (409, "{}"), "save: status 409"),
        ("/attempt/submit", (200, "review"), "submit: status 200 instead of 302"),
        ("/result", (500, "oh"), "result: status 500 instead of 200"),
    ],
)
def test_another_answer_than_the_flow_expects_is_an_error_that_says_so(
    site, visitor, path, answer, reason
):
    site[1][path] = answer
    with pytest.raises(UnexpectedAnswerError, match=reason):
        flow(visitor, "bench")


@pytest.mark.enable_socket
def test_a_loop_that_ends_whatever_the_cause_is_told(site):
    def fail(_browser):
        raise LookupError("nothing there")

    tally = drive(site[0], ["a", "b"], 5, fail)
    assert (tally.flows, tally.errors) == (0, ["LookupError('nothing there')"] * 2)
    assert list(find_faults("flow", tally)) == [
        "flow: not one flow was completed",
        "flow: 2 failed: LookupError('nothing there'); LookupError('nothing there')",
    ]


@pytest.mark.enable_socket
def test_learners_take_turns_however_few_ask_at_a_time(site):
    cookies = []

    def note(browser):
        cookies.append(browser._headers["Cookie"].partition(";")[0])

    tally = drive(site[0], ["a", "b", "c"], 0.2, note, loops=1)
    assert tally.errors == []
    assert cookies[:4] == ["a", "b", "c", "a"]


@pytest.mark.enable_socket
def test_a_compressed_answer_is_read(visitor):
    visitor.compressed = True
    assert visitor.ask("result", "GET", "/result") == ("", b"Result")


def test_no_flow_in_the_time_is_no_measurement():
    tally = drive(1, ["a"], 0, lambda _browser: None)
    assert list(find_faults("flow", tally)) == ["flow: not one flow was completed"]


def test_flows_without_a_failure_are_one():
    assert list(find_faults("flow", Tally(flows=3))) == []


@pytest.mark.enable_socket
def test_a_herd_starts_submits_and_ends_whole(site):
    port, _ = site
    tally = drive_herd(port, ["a=1", "b=2"], "bench")
    assert tally.flows == 2
    assert tally.errors == []
    assert {name: len(seconds) for name, seconds in tally.seconds.items()} == dict.fromkeys(
        ("start", "page", "save", "submit", "result"), 2
    )


@pytest.mark.enable_socket
def test_who_of_a_herd_cannot_start_is_an_error_and_submits_nothing(site):
    port, answers = site
    answers["/quizzes/bench/start"] = (503, "")
    tally = drive_herd(port, ["a=1", "b=2"], "bench")
    assert tally.flows == 0
    assert len(tally.errors) == 2
    assert list(tally.seconds) == ["start"]
