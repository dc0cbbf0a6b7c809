"""Every route, by every user: who is let in, and that outsiders learn nothing."""

import json
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import get_resolver

from accounts.models import ApiToken, Group, Scope, User
from accounts.rosters import create_roster_import
from quizzes.api import urls
from quizzes.attempts.models import Attempt
from quizzes.bank.models import BankShare, Question, VersionMedia
from quizzes.certificates.models import Certificate
from quizzes.challenges.services import challenge_question
from quizzes.lib import clock
from quizzes.practice.models import PracticeQuestion
from quizzes.practice.services import check_answer, draw_next
from quizzes.publishing.models import Quiz
from quizzes.study.models import StudyOffer
from tests.factories import create_quiz, option_ids
from tests.forged_rows import without_triggers
from tests.invitations import create_invitation
from tests.media_files import gif, png, upload
from tests.quizzes.api.import_helpers import send
from tests.quizzes.api.import_helpers import sent as sent_file
from tests.quizzes.api.programs import ROOT, Program, program, sent, taken, token

pytestmark = pytest.mark.django_db


@dataclass
class Things:
    quiz: str
    quiz_version: str
    ended: str
    going: str
    media: str
    bank: str
    job: str
    class_id: str
    person: str
    invitation: str
    own_invitation: str
    roster: str
    challenge: str
    question: str
    certificate: str
    study_offer: str
    practice: str
    practised: str
    share: str
    unused: str

    def path(self, route: str) -> str:
        return route.format(**vars(self))

    @classmethod
    def missing(cls) -> "Things":
        return cls(*(str(uuid4()) for _ in fields(cls)))


@pytest.fixture
def things(users, a_quiz, questions, store):
    media = upload(questions[0].bank, png())
    with without_triggers():  # a published version gets no file any more
        VersionMedia.objects.create(version=questions[0].current, media=media)
    ended = taken(users.learner, a_quiz, questions, "ab")
    going = program(users.learner).start(a_quiz)
    ids = str(a_quiz.uuid), str(a_quiz.current.uuid), ended["id"], going["id"], str(media.uuid)
    into = questions[0].bank
    job = sent_file(program(users.instructor), str(into.uuid))
    group, now = users.group, clock.now()
    invitation = create_invitation(group, "new@example.org", by=users.instructor)
    own = create_invitation(users.other_group, users.learner.email, by=users.outsider)
    roster = create_roster_import(group=group, by=users.instructor, now=now, people=[])
    challenge = challenge_question(
        attempt=UUID(ended["id"]),
        slot=1,
        learner=users.learner,
        reason="key",
        comment="Why?",
        language="en",
        now=now,
    )
    certificate = Certificate.objects.create(
        attempt=Attempt.objects.get(uuid=ended["id"]), learner=users.learner, chosen_at=now
    )
    practice = create_quiz(users, questions, slug="practice", mode="practice")
    of_class = (
        *(group, users.other_learner, invitation, own, roster, challenge, questions[0]),
        certificate,
        StudyOffer.objects.create(bank=into, group=group),
        practice,
        practise(practice, users.learner),
        BankShare.objects.create(bank=into, group=group),
        upload(into, gif()),
    )
    return Things(*ids, str(into.uuid), job["id"], *(str(row.uuid) for row in of_class))


def practise(quiz: Quiz, learner: User) -> PracticeQuestion:
    """Return a practised question with a try."""
    row = draw_next(quiz=quiz.uuid, learner=learner, after=0, now=clock.now())
    check_answer(
        question=row.uuid,
        learner=learner,
        raw={"chosen": option_ids(row.version.question, "b")},
        tried=0,
        idempotency_key=uuid4(),
        language="en",
        now=clock.now(),
    )
    return row


def body(route: str) -> Any:
    if route in MADE:
        return MADE[route]()
    if route in NAMED:
        return {"name": f"name-{uuid4()}", **NAMED[route]}
    return BODIES.get(route) or BODIES.get(route.rpartition("/")[2])


def class_a() -> str:
    return str(Group.objects.get(name="Class A").uuid)


MADE: dict[str, Callable[[], Any]] = {
    "banks": lambda: {"slug": f"bank-{uuid4()}", "title": {"en": "Another"}},
    "banks/{bank}/questions/changes": lambda: {
        "action": "tag",
        "tag": "new",
        "questions": [
            str(uuid)
            for uuid in Question.objects.filter(bank__slug="bank").values_list("uuid", flat=True)
        ],
    },
    "banks/{bank}/language-matches": lambda: {
        "keep": str(uuid4()),
        "absorb": str(uuid4()),
        "same": False,
    },
    "banks/{bank}/shares": lambda: {"group": class_a(), "right": "use"},
    "quizzes": lambda: {"title": {"en": "Another"}, "class_id": class_a()},
    "quizzes/{quiz}/copies": lambda: {"slug": f"copy-{uuid4()}"},
}
"""Bodies of what there may be once, or that name rows."""
NAMED: dict[str, dict[str, Any]] = {
    "banks/{bank}/questions": {"document": {"kind": "essay"}},
    "classes": {},
    "questions/{question}/copies": {},
    "questions/{question}/name": {},
}
BODIES: dict[str, Any] = {
    "banks/{bank}/settings": {"licence": "CC0"},
    "banks/{bank}/checks/waivers": {
        "question": str(uuid4()),
        "code": "missing_feedback",
        "digest": "x",
    },
    "notifications/send": {"notifications": [str(uuid4())]},
    "questions/{question}/typed-answers/credit": {
        "text": "Lyon",
        "share": {"numerator": 1, "denominator": 2},
        "reason": "It is one, too.",
        "dry_run": True,
    },
    "questions/{question}/draft/accepted-answers": {
        "text": "Lyon",
        "credit": {"numerator": 1, "denominator": 2},
    },
    "grading-queue/{quiz}/{question}/x": {"share": {"numerator": 1, "denominator": 2}},
    "banks/{bank}/shares/{share}": {"right": "use"},
    "questions/{question}/draft": {"document": {"kind": "essay"}},
    "questions/{question}/draft/publication": {"note": "Again"},
    "responses": {"responses": [sent(0, [])]},
    "format": {"format": "ochenta-bank/1"},
    "matches": {"answers": [{"item": 0, "question": "none", "same": True}]},
    "me/notifications": {"kinds": []},
    "attempts": {"quiz": str(uuid4())},
    "classes/{class_id}": {"name": "Class A"},
    "classes/{class_id}/people/{person}": {"role": "learner"},
    "classes/{class_id}/rosters/{roster}/commit": {"fingerprint": "x"},
    "terms": {"name": "Spring", "begins_on": "2027-01-11", "ends_on": "2027-05-28"},
    "attempts/{ended}/questions/1/challenge": {"reason": "key", "comment": "Why?"},
    "attempts/{ended}/certificate": {"shows_score": True},
    "challenges/{challenge}/answer": {"verdict": "declined", "answer": "See page 12."},
    "quizzes/{quiz}/questions/{question}/regrade": {"version": str(uuid4()), "reason": "Why"},
    "attempts/{ended}/questions/1/score": {
        "share": {"numerator": 1, "denominator": 2},
        "reason": "Both readings are right.",
    },
    "quizzes/{quiz}/questions/{question}/scores": {
        "answers": [{"attempt": str(uuid4())}],
        "share": {"numerator": 1, "denominator": 2},
        "reason": "Both readings are right.",
    },
    "attempts/{ended}/score": {
        "share": {"numerator": 1, "denominator": 2},
        "reason": "Two days late.",
    },
    "attempts/{ended}/questions/1/comment": {"comment": "Read it again."},
    "attempts/{ended}/questions/1/mark": {"share": {"numerator": 1, "denominator": 2}},
    "classes/{class_id}/course-total": {"categories": []},
    "quizzes/{quiz}/composition": {"sections": [{"slots": []}]},
    "quizzes/{quiz}/settings": {"time_limit": 30},
    "quizzes/{quiz}/progress/extend": {"minutes": 10, "reason": "Fire alarm"},
    "quizzes/{quiz}/progress/pause": {"minutes": 10, "reason": "Fire alarm"},
    "quizzes/{quiz}/progress/resume": {},
    "quizzes/{quiz}/progress/unlock": {"person": str(uuid4())},
    "people/{person}/accommodation": {"time_percent": 125},
    "quizzes/{quiz}/accommodations/{person}": {"extra_attempts": 1},
    "classes/{class_id}/assignments/{quiz}": {"closes_at": "2031-05-12T18:00:00Z"},
    "attempts/{ended}/void": {"reason": "It was a trial."},
    "attempts/{going}/reopen": {"minutes": 10, "reason": "Fire alarm"},
    "attempts/{going}/leave-question": {"slot": 0},
    "quizzes/{quiz}/progress/message": {"text": "Speak softly."},
    "join": {"code": "22222-22222"},
    "invitations": {"email": "another@example.org"},
    "me/invitations/{own_invitation}": {"accept": True},
    "banks/{bank}/study-offers": {"group": None},
    "quizzes/{practice}/practice": {"after": 0},
    "quizzes/{practice}/practice/check": {
        "question": str(uuid4()),
        "answer": {"none_apply": True},
        "tried": 0,
    },
    "quizzes/{practice}/practice/hint": {"question": str(uuid4()), "opened": 0},
    "quizzes/{practice}/practice/answer": {"question": str(uuid4())},
    "study/decks": {"deck": str(uuid4()), "is_studied": True},
    "study/entries": {
        "device": str(uuid4()),
        "sent_at": "2026-11-25T12:00:00Z",
        "entries": [
            {
                "id": str(uuid4()),
                "card": str(uuid4()),
                "action": "suspend",
                "at": "2026-11-25T12:00:00Z",
            }
        ],
    },
    "study/settings": {"new_per_day": 5},
}


# method, route, scopes of which one suffices, and which user is answered with what is there.
AUTHORS = {"instructor", "administrator"}
MEMBERS = {"learner", "other_learner", "instructor", "administrator"}
ROUTES = [
    ("get", "quizzes", {"read", "results"}, None),
    ("get", "quizzes/{quiz}", {"read", "results"}, MEMBERS),
    ("post", "attempts/{ended}/questions/1/score", {"classes"}, AUTHORS),
    ("post", "attempts/{ended}/score", {"classes"}, AUTHORS),
    ("get", "quizzes/{quiz}/questions/{question}/answers", {"results"}, AUTHORS),
    ("post", "quizzes/{quiz}/questions/{question}/scores", {"classes"}, AUTHORS),
    ("post", "attempts/{ended}/questions/1/comment", {"classes"}, AUTHORS),
    ("post", "attempts/{ended}/questions/1/mark", {"classes"}, AUTHORS),
    ("post", "quizzes/{quiz}/publication", {"authoring"}, AUTHORS),
    ("get", "quizzes/{quiz}/preview", {"authoring"}, AUTHORS),
    ("get", "quizzes/{quiz}/guessing", {"authoring"}, AUTHORS),
    ("get", "quizzes/{quiz}/composition", {"authoring"}, AUTHORS),
    ("post", "quizzes/{quiz}/composition", {"authoring"}, AUTHORS),
    ("post", "quizzes/{quiz}/copies", {"authoring"}, AUTHORS),
    ("get", "quizzes/{quiz}/statistics", {"results"}, AUTHORS),
    ("get", "quizzes/{quiz}/statistics.csv", {"results"}, AUTHORS),
    ("post", "quizzes", {"authoring"}, AUTHORS),
    ("get", "quizzes/{quiz}/settings", {"authoring"}, AUTHORS),
    ("post", "quizzes/{quiz}/settings", {"authoring"}, AUTHORS),
    ("get", "quizzes/{quiz}/regrades", {"results"}, AUTHORS),
    ("get", "quizzes/{quiz}/questions/{question}/regrade", {"results"}, AUTHORS),
    ("post", "quizzes/{quiz}/questions/{question}/regrade", {"classes"}, AUTHORS),
    ("get", "quizzes/{quiz}/progress", {"results"}, AUTHORS),
    ("post", "quizzes/{quiz}/progress/extend", {"classes"}, AUTHORS),
    ("post", "quizzes/{quiz}/progress/pause", {"classes"}, AUTHORS),
    ("post", "quizzes/{quiz}/progress/resume", {"classes"}, AUTHORS),
    ("post", "quizzes/{quiz}/progress/message", {"classes"}, AUTHORS),
    ("post", "attempts/{going}/reopen", {"classes"}, AUTHORS),
    ("post", "attempts/{ended}/give-up", {"attempt"}, {"learner"}),
    ("get", "people/{person}/accommodation", {"classes"}, AUTHORS),
    ("post", "people/{person}/accommodation", {"classes"}, AUTHORS),
    ("get", "quizzes/{quiz}/accommodations/{person}", {"classes"}, AUTHORS),
    ("post", "quizzes/{quiz}/accommodations/{person}", {"classes"}, AUTHORS),
    ("get", "classes/{class_id}/assignments", {"classes"}, AUTHORS),
    ("get", "classes/{class_id}/assignments/{quiz}", {"classes"}, AUTHORS),
    ("post", "classes/{class_id}/assignments/{quiz}", {"classes"}, AUTHORS),
    ("post", "quizzes/{quiz}/progress/unlock", {"classes"}, set()),
    ("get", "quiz-versions/{quiz_version}", {"read", "results"}, MEMBERS),
    ("get", "attempts", {"read", "attempt"}, None),
    ("post", "attempts", {"attempt"}, set()),
    ("get", "attempts/{going}", {"read", "attempt"}, {"learner"}),
    ("post", "attempts/{going}/responses", {"attempt"}, {"learner"}),
    ("post", "attempts/{going}/leave-question", {"attempt"}, {"learner"}),
    ("post", "attempts/{going}/take-over", {"attempt"}, {"learner"}),
    ("post", "attempts/{going}/submit", {"attempt"}, {"learner"}),
    (
        "get",
        "attempts/{ended}/receipt",
        {"read", "attempt", "results"},
        {"learner", "instructor", "administrator"},
    ),
    ("post", "attempts/{ended}/questions/1/challenge", {"attempt"}, {"learner"}),
    ("get", "attempts/{ended}/questions/1/challenge", {"read", "attempt"}, {"learner"}),
    ("post", "attempts/{ended}/certificate", {"attempt"}, {"learner"}),
    ("get", "attempts/{ended}/certificate", {"read", "attempt"}, {"learner"}),
    ("get", "certificates/{certificate}", {"read", "attempt", "results"}, {"learner"}),
    ("delete", "attempts/{ended}/certificate", {"attempt"}, {"learner"}),
    ("get", "challenges", {"results"}, None),
    ("get", "challenges/{challenge}", {"results"}, AUTHORS),
    ("post", "challenges/{challenge}/answer", {"classes"}, AUTHORS),
    ("get", "receipt-keys", {"read", "attempt", "results"}, None),
    ("get", "results", {"read", "results"}, None),
    ("get", "results.csv", {"read", "results"}, None),
    ("get", "results/{ended}", {"read", "results"}, {"learner", "instructor", "administrator"}),
    ("get", "media/{media}", {"read", "results"}, {"learner", "instructor", "administrator"}),
    ("get", "audit-events", {"audit"}, None),
    ("get", "quiz-grades", {"read"}, None),
    ("get", "banks", {"authoring"}, None),
    ("get", "banks/{bank}", {"authoring"}, AUTHORS),
    ("get", "banks/{bank}/questions", {"authoring"}, AUTHORS),
    ("post", "banks/{bank}/questions/changes", {"authoring"}, AUTHORS),
    ("post", "questions/{question}/copies", {"authoring"}, AUTHORS),
    ("post", "questions/{question}/name", {"authoring"}, AUTHORS),
    ("post", "banks/{bank}/questions", {"authoring"}, AUTHORS),
    ("post", "questions/{question}/draft/publication", {"authoring"}, AUTHORS),
    ("get", "questions/{question}/draft", {"authoring"}, AUTHORS),
    ("post", "questions/{question}/draft", {"authoring"}, AUTHORS),
    ("get", "questions/{question}/typed-answers", {"results"}, set()),
    ("post", "questions/{question}/typed-answers/credit", {"classes"}, set()),
    ("post", "questions/{question}/draft/accepted-answers", {"authoring"}, set()),
    ("get", "grading-queue", {"results"}, None),
    # An answer that was commented on is one that a person has looked at.
    ("get", "grading-queue/{quiz}/{question}", {"results"}, AUTHORS),
    ("get", "grading-queue/{quiz}/{question}/x", {"results"}, set()),
    ("post", "grading-queue/{quiz}/{question}/x", {"classes"}, set()),
    ("get", "questions/{question}/versions", {"authoring"}, AUTHORS),
    ("get", "questions/{question}/versions/1", {"authoring"}, AUTHORS),
    ("post", "banks", {"authoring"}, {*AUTHORS, "outsider"}),
    ("get", "banks/{bank}/settings", {"authoring"}, AUTHORS),
    ("post", "banks/{bank}/settings", {"authoring"}, AUTHORS),
    ("get", "notifications", {"results"}, None),
    ("post", "notifications/send", {"classes"}, set()),
    ("get", "banks/{bank}/checks", {"authoring"}, AUTHORS),
    ("post", "banks/{bank}/checks/waivers", {"authoring"}, set()),
    ("get", "banks/{bank}/export", {"authoring"}, AUTHORS),
    ("get", "banks/{bank}/export/warnings", {"authoring"}, AUTHORS),
    ("get", "banks/{bank}/files", {"authoring"}, AUTHORS),
    ("post", "banks/{bank}/files", {"authoring"}, AUTHORS),
    ("delete", "banks/{bank}/files/{unused}", {"authoring"}, {"instructor"}),
    ("get", "banks/{bank}/language-matches", {"authoring"}, AUTHORS),
    ("post", "banks/{bank}/language-matches", {"authoring"}, set()),
    ("get", "banks/{bank}/language-matches/decisions", {"authoring"}, AUTHORS),
    ("get", "banks/{bank}/shares", {"authoring"}, AUTHORS),
    ("post", "banks/{bank}/shares", {"authoring"}, AUTHORS),
    ("get", "banks/{bank}/shares/{share}", {"authoring"}, AUTHORS),
    ("post", "banks/{bank}/shares/{share}", {"authoring"}, AUTHORS),
    ("delete", "banks/{bank}/shares/{share}", {"authoring"}, {"instructor"}),
    ("get", "banks/{bank}/study-offers", {"authoring"}, AUTHORS),
    ("post", "banks/{bank}/study-offers", {"authoring"}, AUTHORS),
    ("delete", "banks/{bank}/study-offers/{study_offer}", {"authoring"}, {"instructor"}),
    ("get", "formats", {"authoring"}, None),
    ("get", "imports", {"authoring"}, None),
    ("post", "imports", {"authoring"}, AUTHORS),
    ("get", "imports/{job}", {"authoring"}, AUTHORS),
    ("get", "imports/{job}/report", {"authoring"}, AUTHORS),
    ("post", "imports/{job}/format", {"authoring"}, AUTHORS),
    ("get", "imports/{job}/matches", {"authoring"}, AUTHORS),
    ("post", "imports/{job}/matches", {"authoring"}, AUTHORS),
    ("post", "imports/{job}/commit", {"authoring"}, AUTHORS),
    ("post", "imports/{job}/cancel", {"authoring"}, AUTHORS),
    ("get", "me", set(Scope.values), None),
    ("get", "classes", {"classes"}, None),
    ("post", "classes", {"classes"}, {*AUTHORS, "outsider"}),
    ("get", "classes/{class_id}", {"classes"}, AUTHORS),
    ("post", "classes/{class_id}", {"classes"}, AUTHORS),
    ("get", "classes/{class_id}/course-total", {"classes"}, AUTHORS),
    ("post", "classes/{class_id}/course-total", {"classes"}, AUTHORS),
    ("get", "classes/{class_id}/gradebook", {"results"}, AUTHORS),
    ("get", "classes/{class_id}/gradebook/export", {"results"}, AUTHORS),
    ("get", "classes/{class_id}/gradebook/answers?quiz={quiz}", {"results"}, AUTHORS),
    ("get", "classes/{class_id}/people", {"classes"}, AUTHORS),
    ("get", "classes/{class_id}/people/{person}", {"classes"}, AUTHORS),
    ("post", "classes/{class_id}/people/{person}", {"classes"}, AUTHORS),
    ("post", "classes/{class_id}/join-code", {"classes"}, AUTHORS),
    ("get", "classes/{class_id}/join-code", {"classes"}, AUTHORS),
    ("delete", "classes/{class_id}/join-code", {"classes"}, {"instructor"}),
    ("post", "classes/{class_id}/invitations/send", {"classes"}, AUTHORS),
    ("post", "classes/{class_id}/rosters", {"classes"}, AUTHORS),
    ("get", "classes/{class_id}/rosters", {"classes"}, AUTHORS),
    ("get", "terms", {"classes"}, None),
    ("post", "terms", {"classes"}, {"administrator"}),
    ("get", "classes/{class_id}/rosters/{roster}", {"classes"}, {"instructor"}),
    ("post", "classes/{class_id}/rosters/{roster}/commit", {"classes"}, {"instructor"}),
    ("post", "join", {"classes"}, set()),
    ("get", "invitations", {"classes"}, None),
    ("post", "invitations", {"classes"}, {"administrator"}),
    ("get", "invitations/{invitation}", {"classes"}, AUTHORS),
    ("post", "invitations/{invitation}/send", {"classes"}, AUTHORS),
    ("get", "me/invitations", {"classes"}, None),
    ("post", "me/invitations/{own_invitation}", {"classes"}, {"learner"}),
    ("get", "me/notifications", {"personal_data"}, None),
    ("post", "me/notifications", {"personal_data"}, None),
    ("post", "me/export", {"personal_data"}, None),
    ("get", "me/export", {"personal_data"}, None),
    ("get", "me/export/file", {"personal_data"}, set()),
    ("delete", "me/erasure", {"personal_data"}, set()),
    ("get", "quizzes/{practice}/practice", {"attempt"}, MEMBERS),
    ("post", "quizzes/{practice}/practice", {"attempt"}, MEMBERS),
    ("post", "quizzes/{practice}/practice/check", {"attempt"}, MEMBERS),
    ("post", "quizzes/{practice}/practice/hint", {"attempt"}, MEMBERS),
    ("post", "quizzes/{practice}/practice/answer", {"attempt"}, MEMBERS),
    ("get", "practice-questions/{practised}/tries/1/receipt", {"attempt"}, {"learner"}),
    ("delete", "quizzes/{quiz}/publication", {"authoring"}, AUTHORS),
    ("get", "study/decks", {"attempt"}, None),
    ("post", "study/decks", {"attempt"}, set()),
    ("get", "study/cards", {"attempt"}, None),
    ("post", "study/entries", {"attempt"}, None),
    ("get", "study/settings", {"attempt"}, None),
    ("post", "study/settings", {"attempt"}, None),
    ("post", "attempts/{ended}/retry-grading", {"classes"}, AUTHORS),
    ("post", "attempts/{ended}/void", {"classes"}, AUTHORS),
]
# Who may author is answered otherwise than 200 where something begins, or is over.
BEGUN = {
    "quizzes": 201,
    "imports": 202,
    "imports/{job}/format": 202,
    "imports/{job}/matches": 409,
    "imports/{job}/commit": 202,
    "imports/{job}/cancel": 409,
    "classes": 201,
    "banks/{bank}/study-offers": 201,
    "quizzes/{quiz}/copies": 201,
    "questions/{question}/copies": 201,
    "banks/{bank}/questions": 201,
    "banks": 201,
    "banks/{bank}/files": 201,
    "banks/{bank}/shares": 201,
    "attempts/{ended}/questions/1/mark": 409,
    "attempts/{ended}/questions/1/challenge": 201,
    "terms": 201,
    "me/export": 202,
    "invitations": 201,
    "classes/{class_id}/join-code": 201,
    "classes/{class_id}/rosters": 201,
    "classes/{class_id}/rosters/{roster}/commit": 409,
    "me/invitations/{own_invitation}": 204,
    "quizzes/{quiz}/questions/{question}/regrade": 409,
    "attempts/{going}/reopen": 409,
    "attempts/{ended}/give-up": 409,
    "attempts/{ended}/retry-grading": 409,
    "attempts/{going}/leave-question": 409,
    "attempts/{going}/take-over": 422,
}
CAST = ("learner", "other_learner", "instructor", "outsider", "administrator", "stranger")
SESSION_ONLY = [("get", "tokens"), ("post", "tokens"), ("delete", "tokens/och_0")]


def ask(client: Program, method: str, route: str, things: Things) -> Any:
    path = things.path(route)
    if (method, route) == ("post", "imports"):
        return send(client, things.bank)
    if (method, route) == ("post", "classes/{class_id}/rosters"):
        return client.client.post(ROOT + path, {"file": SimpleUploadedFile("a.csv", b"a@b.org")})
    if (method, route) == ("post", "banks/{bank}/files"):
        return client.client.post(ROOT + path, {"file": SimpleUploadedFile("a.gif", gif())})
    answer = client.post(path, body(route)) if method == "post" else getattr(client, method)(path)
    if answer.streaming:
        answer.getvalue()  # a file that is not read stays open
    return answer


def test_the_table_names_every_route_there_is():
    named = {route for _, route, *_ in ROUTES} | {route for _, route in SESSION_ONLY}
    open_to_all = {"schema", "docs", ""}
    assert len(urls.urlpatterns) == len({n.split("?")[0] for n in named}) + len(open_to_all)
    assert any("api/v1/" in str(p.pattern) for p in get_resolver().url_patterns)


@pytest.mark.once
def test_each_of_the_cast_gets_what_their_role_says_else_404(users, things):
    people = {who: program(getattr(users, who)) for who in CAST}
    for method, route, _, allowed in ROUTES:
        for who, client in people.items():
            answer = ask(client, method, route, things)
            let_in = {"post": BEGUN.get(route, 200), "delete": 204}.get(method, 200)
            expected = let_in if allowed is None or who in allowed else 404
            assert answer.status_code == expected, (who, method, route)


def test_what_is_foreign_and_what_is_missing_answer_byte_alike(users, things):
    client = program(users.stranger)
    for method, route in [(m, r) for m, r, *_ in ROUTES if "{" in r]:
        foreign = ask(client, method, route, things)
        missing = ask(client, method, route, Things.missing())
        assert foreign.status_code == missing.status_code == 404, route
        assert foreign.content == missing.content, route
        assert dict(foreign.items()) == dict(missing.items()), route


def test_without_a_valid_token_every_door_is_closed(users, things):
    expired, revoked = (token(users.learner, days=days) for days in (-1, 1))
    ApiToken.objects.filter(user=users.learner, expiry__gt=clock.now()).delete()
    for method, route in [(m, r) for m, r, *_ in ROUTES] + SESSION_ONLY:
        for bad in (None, expired, revoked, "och_nonsense", "é"):
            answer = ask(Program(bad), method, route, things)
            assert answer.status_code == 401, (method, route)
            assert answer["WWW-Authenticate"] == "Bearer"
            assert answer["Content-Type"] == "application/problem+json"
            assert bad is None or bad not in answer.content.decode()


@pytest.mark.parametrize(
    "scope", ["read", "attempt", "results", "authoring", "classes", "personal_data"]
)
def test_a_scope_opens_only_its_own_doors(users, things, scope):
    client = program(users.learner, scope)
    for method, route, scopes, _ in ROUTES:
        answer = ask(client, method, route, things)
        if scope in scopes:
            assert answer.status_code in {200, 201, 202, 204, 404, BEGUN.get(route)}, route
        else:
            assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing"), route


@pytest.mark.parametrize(("method", "route"), SESSION_ONLY)
def test_no_token_reaches_tokens(users, things, method, route):
    answer = ask(program(users.administrator), method, route, things)
    assert (answer.status_code, answer.json()["code"]) == (403, "session_required")


def test_a_person_who_was_switched_off_is_out_at_once(users):
    client = program(users.learner)
    users.learner.is_active = False
    users.learner.save()
    assert client.get("me").status_code == 401


def test_a_token_with_no_scopes_or_unknown_ones_opens_nothing(users):
    for scopes in ([], ["everything"], ["READ"]):
        _, token = ApiToken.objects.create(
            user=users.learner, scopes=scopes, expiry=timedelta(days=1)
        )
        assert Program(token).get("me").status_code == 403


def test_me_tells_whom_the_token_speaks_for(users):
    body = program(users.learner, "read").get("me").json()
    assert body["id"] == str(users.learner.uuid)
    assert body["scopes"] == ["read"]
    assert [(g["name"], g["role"]) for g in body["groups"]] == [("Class A", "learner")]


@pytest.mark.parametrize("path", ["", "nothing", "quizzes/", "quizzes/7", "results.xml", "me/x"])
def test_an_unknown_address_is_a_problem_document_too(path):
    answer = Program().get(path)
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert json.loads(answer.content)["code"] == "not_found"


@pytest.mark.parametrize("method", ["put", "patch", "options", "trace"])
def test_other_methods_are_refused_and_tell_nothing(users, method):
    client = program(users.learner)
    answer = getattr(client.client, method)(f"{ROOT}quizzes")
    assert answer.status_code == 405
    assert answer["Allow"] == "GET, HEAD, POST"
    assert answer.json()["code"] == "method_not_allowed"


PUBLIC = {"receipt-keys"}
"""What everybody may read, and keep for an hour."""


def test_what_a_person_sees_is_kept_in_no_cache(users, things):
    clients = [program(getattr(users, name)) for name in ("learner", "instructor")]
    seen_answers = 0
    for method, route, *_ in ROUTES:
        for client in clients if method == "get" and route not in PUBLIC else ():
            answer = ask(client, method, route, things)
            assert "no-store" in answer["Cache-Control"], route
            seen_answers += answer.status_code == 200
            # A file is read to its end, which closes it; `close` would end the connection, too.
            list(answer.streaming_content if answer.streaming else ())
    assert seen_answers > len(clients) * 20


def test_a_browsers_wishes_change_nothing_of_the_form(users):
    client = Program(token(users.learner), HTTP_ACCEPT="text/html")
    assert client.get("me")["Content-Type"] == "application/json"
    assert client.get("me", format="api").status_code == 422
