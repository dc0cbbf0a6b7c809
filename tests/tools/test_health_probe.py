"""The question "are you ready?" as a health check asks it."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tools import health_probe
from tools.processes import free_port

pytestmark = pytest.mark.enable_socket


@pytest.fixture
def served():
    """Run a little server on the loopback interface; give its address and what it was asked."""
    requests_made = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self):
            requests_made.append(
                (self.path, self.headers["Host"], self.headers["X-Forwarded-Proto"])
            )
            self.send_response(200 if self.path == "/readyz" else 503)
            self.end_headers()

        def log_message(self, *_arguments):
            pass

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", requests_made
    server.shutdown()
    thread.join()
    server.server_close()


def test_it_asks_with_an_allowed_name_and_as_the_proxy_would(served, monkeypatch):
    address, requests_made = served
    monkeypatch.setenv("OCHENTA_ALLOWED_HOSTS", "quiz.example, other.example")
    health_probe.main([f"{address}/readyz"])
    assert requests_made == [("/readyz", "quiz.example", "https")]


def test_any_other_answer_is_ill(served):
    address, _asked = served
    with pytest.raises(SystemExit, match="/elsewhere answers 503"):
        health_probe.main([f"{address}/elsewhere"])


def test_no_answer_is_ill():
    with pytest.raises(SystemExit, match="answers nothing"):
        health_probe.main([f"http://127.0.0.1:{free_port()}/readyz"])


@pytest.mark.parametrize(
    ("allowed", "name"),
    [("", "localhost"), ("*", "localhost"), (".quiz.example", "quiz.example")],
)
def test_a_pattern_is_not_a_name(monkeypatch, allowed, name):
    monkeypatch.setenv("OCHENTA_ALLOWED_HOSTS", allowed)
    assert health_probe.allowed_host() == name
