"""Programs: clients of the API with a token, and the main steps they take."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.test import Client

from accounts.models import ApiToken, Scope, User
from quizzes.bank.models import Question
from tests.factories import option_ids

ROOT = "/api/v1/"
ALL = tuple(Scope.values)


class Program:
    """Speaks JSON, with a token or without."""

    def __init__(self, token: str | None = None, **headers: str) -> None:
        authorised: dict[str, Any] = {"HTTP_AUTHORIZATION": f"Bearer {token}"} if token else {}
        self.client = Client(**{**authorised, **headers})

    def get(self, path: str, **query: Any) -> Any:
        return self.client.get(ROOT + path, query)

    def post(self, path: str, body: Any = None, **headers: Any) -> Any:
        return self.client.post(ROOT + path, body, content_type="application/json", headers=headers)

    def delete(self, path: str) -> Any:
        return self.client.delete(ROOT + path)

    def start(self, quiz: Any) -> dict[str, Any]:
        attempt: dict[str, Any] = self.post("attempts", {"quiz": str(quiz.uuid)}).json()
        return attempt

    def save(self, attempt: dict[str, Any], answers: Iterable[Any], **more: Any) -> Any:
        """Answer: pairs of slot and chosen ids."""
        return self.post(
            f"attempts/{attempt['id']}/responses",
            {"responses": [sent(slot, chosen, **more) for slot, chosen in answers]},
        )

    def submit(self, attempt: dict[str, Any]) -> Any:
        return self.post(f"attempts/{attempt['id']}/submit")

    def result(self, attempt: dict[str, Any], **query: Any) -> Any:
        return self.get(f"results/{attempt['id']}", **query).json()


def sent(slot: int, chosen: Any, **more: Any) -> dict[str, Any]:
    answer = None if chosen is None else {"chosen": list(chosen)}
    return {"slot": slot, "answer": answer, "idempotency_key": str(uuid4()), **more}


def token(user: User, *scopes: str, days: int = 90) -> str:
    _, token = ApiToken.objects.create(
        user=user, name="test", scopes=list(scopes or ALL), expiry=timedelta(days=days)
    )
    return str(token)


def program(user: User, *scopes: str) -> Program:
    return Program(token(user, *scopes))


def taken(user: User, quiz: Any, questions: list[Question], *letters: str) -> dict[str, Any]:
    """An attempt, started, answered by letters a slot, and submitted."""
    client = program(user)
    attempt = client.start(quiz)
    answers = [
        (slot, option_ids(question, *chosen))
        for slot, (question, chosen) in enumerate(zip(questions, letters, strict=False))
    ]
    if answers:
        assert client.save(attempt, answers).status_code == 200
    assert client.submit(attempt).status_code == 200
    return attempt
