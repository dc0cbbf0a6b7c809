"""A learner without a browser, who sends over HTTP what the scripts of an attempt's page send."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final
from uuid import uuid4

import requests
from django.conf import settings

from accounts.models import User
from tests.users import logged_in_client

SECONDS: Final = 30
"""Until an answer of the site must have come, however busy the machine."""
ATTRIBUTE: Final = r'{}="([^"]*)"'


@dataclass
class Acknowledged:
    """A save that the site called accepted: of which slot, and what it says is stored."""

    idempotency_key: str
    slot: int
    revision: int
    answer: dict[str, Any]


@dataclass
class HTTPLearner:
    """Begins, saves and asks for the time that is left; notes what was acknowledged."""

    user: User
    url: str
    attempt: str = ""
    options: dict[int, list[str]] = field(default_factory=dict)
    revisions: dict[int, int] = field(default_factory=dict)
    acknowledged: list[Acknowledged] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._client = str(uuid4())
        self._http = requests.Session()
        self._http.trust_env = False  # no proxy stands between a test and its own site
        name = settings.SESSION_COOKIE_NAME
        self._http.cookies.set(name, logged_in_client(self.user).cookies[name].value)

    def begin(self, slug: str) -> None:
        """Press the button of the quiz's page, and read the page of the attempt."""
        intro = self._get(f"/quizzes/{slug}/")
        address = re.search(r'action="([^"]*/start)"', intro)
        token = _read_attribute(intro, 'name="csrfmiddlewaretoken" value')
        assert address, "the page has no button to begin"
        begun = self._http.post(
            self.url + address[1],
            {"csrfmiddlewaretoken": token},
            headers={"Referer": f"{self.url}/quizzes/{slug}/"},
            timeout=SECONDS,
        )
        assert begun.status_code == 200, begun.text
        self.attempt = _read_attribute(begun.text, "data-attempt")
        for slot, option in re.findall(
            r'name="q-(\d+)"\s+data-answer="chosen\[\]"\s+value="([^"]+)"', begun.text
        ):
            self.options.setdefault(int(slot), []).append(option)

    def save(self, slot: int, option: int) -> None:
        """Choose an option, and ask for the time as the page does after a save."""
        key = str(uuid4())
        save: dict[str, Any] = {
            "slot": slot,
            "answer": {"chosen": [self.options[slot][option]], "none_apply": False},
            "flagged": False,
            "base_revision": self.revisions.get(slot, 0),
            "idempotency_key": key,
            "client": self._client,
        }
        answer = self._http.post(
            f"{self.url}/attempts/{self.attempt}/save",
            json={"saves": [save], "sent_at": datetime.now(UTC).isoformat()},
            headers={
                "X-CSRFToken": self._http.cookies[settings.CSRF_COOKIE_NAME] or "",
                "X-Person": str(self.user.uuid),
                "Origin": self.url,
            },
            timeout=SECONDS,
        )
        assert answer.status_code == 200, answer.text
        (saved,) = answer.json()["saves"]
        assert saved["status"] == "accepted", saved
        self.revisions[slot] = saved["revision"]
        self.acknowledged.append(Acknowledged(key, slot, saved["revision"], saved["answer"]))

    def read_clock(self) -> dict[str, Any]:
        """Return what the site says of the time, as the page asks after each save."""
        response = self._http.get(f"{self.url}/attempts/{self.attempt}/clock", timeout=SECONDS)
        assert response.status_code == 200, response.text
        clock: dict[str, Any] = response.json()
        return clock

    def read_page_deadline(self) -> datetime:
        """Return the cut-off on the page of the attempt, loaded anew."""
        page = self._get(f"/attempts/{self.attempt}/")
        return datetime.fromisoformat(_read_attribute(page, "data-deadline"))

    def close(self) -> None:
        """Give the connection back."""
        self._http.close()

    def _get(self, path: str) -> str:
        response = self._http.get(self.url + path, timeout=SECONDS)
        assert response.status_code == 200, response.text
        return response.text


def _read_attribute(html: str, name: str) -> str:
    match = re.search(ATTRIBUTE.format(re.escape(name)), html)
    assert match, f"the page has no {name}"
    return match[1]
