"""What walks start from, and the table of walks by code."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Max
from django.test import Client

from accounts.models import User
from quizzes.attempts.models import Attempt
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.bank.models import Bank, Question
from quizzes.lib import clock
from quizzes.publishing.models import Quiz
from tests.attempt_helpers import start, take_quiz
from tests.browser_forms import form_values
from tests.factories import create_quiz
from tests.identity_provider import AlteringProvider
from tests.quizzes.api.programs import ROOT
from tests.users import Users, authenticate_at

ADDRESS, USER_AGENT = "198.51.100.23", "Walk/1.0"
ORIGIN: Any = {"REMOTE_ADDR": ADDRESS, "HTTP_USER_AGENT": USER_AGENT}


@dataclass
class World:
    """The people, three questions in a bank of the class, and an identity provider."""

    users: Users
    questions: list[Question]
    provider: AlteringProvider
    last_event: int = 0
    """The primary key of the last row of the log before the walk."""

    def begin(self) -> None:
        """Leave out of the walk what was recorded until now."""
        self.last_event = AuditEvent.objects.aggregate(last=Max("pk", default=0))["last"]

    def list_events(self, code: AuditCode) -> list[AuditEvent]:
        """Return the rows with this code that the walk has left."""
        return list(AuditEvent.objects.filter(code=code, pk__gt=self.last_event).order_by("pk"))

    @cached_property
    def bank(self) -> Bank:
        return self.questions[0].bank

    @cached_property
    def quiz(self) -> Quiz:
        """A published quiz of the class with an hour of time."""
        return create_quiz(self.users, self.questions, time_limit=60)

    def begin_attempt(self) -> Attempt:
        """Have the learner at the quiz."""
        return start(self.quiz, self.users.learner, clock.now())

    def fail_attempt(self) -> Attempt:
        """Have the learner fail the quiz."""
        return take_quiz(self.quiz, self.users.learner, {0: "d"}, clock.now())

    def browser(self, person: User | None = None) -> Client:
        """Return a browser in which this person has just signed in, by no page that is recorded."""
        client = Client(**ORIGIN)
        if person is not None:
            client.force_login(person)
            authenticate_at(client, person, clock.now().timestamp())
        return client

    def call(self, person: User, path: str, body: Any = None, *, method: str = "post") -> Any:
        """Send a request as the session of a person; anything but a 2xx fails."""
        send = getattr(self.browser(person), method)
        response = send(ROOT + path, body, content_type="application/json")
        assert 200 <= response.status_code < 300, response.content
        return response.json() if response.content else None

    def press(self, person: User, path: str, form: Any = None) -> None:
        """Send a form of a page; anything but a redirect fails."""
        response = self.browser(person).post(path, form or {})
        assert response.status_code == 302, response.content.decode()

    def fill_in(self, person: User, path: str, control: str, **changes: Any) -> None:
        """Open a page, change fields of the form with this control, and send it."""
        page = self.browser(person).get(path)
        self.press(person, path, form_values(page, control) | changes)


@dataclass(frozen=True)
class Walk:
    """What is done, by whom, and which fields its row has before and after.

    `by` is an attribute of `Users`; "": nobody is signed in; "owner": whose account it is about;
    None: no request, a command.
    """

    go: Callable[[World], object]
    by: str | None
    before: frozenset[str]
    after: frozenset[str]


WALKS: dict[AuditCode, Walk] = {}


def walk(
    code: AuditCode, by: str | None, before: str = "", after: str = ""
) -> Callable[[Callable[[World], object]], Callable[[World], object]]:
    """Put a function into the table. `before` and `after` are names of fields, apart by blanks."""

    def add(go: Callable[[World], object]) -> Callable[[World], object]:
        assert code not in WALKS
        WALKS[code] = Walk(go, by, frozenset(before.split()), frozenset(after.split()))
        return go

    return add
