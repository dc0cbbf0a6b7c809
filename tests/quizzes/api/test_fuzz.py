"""Fuzz over the schema with every role: no 5xx, and every answer as described.

A handful of cases an operation by default; OCHENTA_FUZZ says how many for a long run.
"""

import os
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
import schemathesis
from django.core.cache import cache
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from accounts.rosters import create_roster_import
from config.wsgi import application
from quizzes.attempts.models import Attempt
from quizzes.bank.models import BankShare, VersionMedia
from quizzes.certificates.models import Certificate
from quizzes.challenges.services import challenge_question
from quizzes.lib import clock
from quizzes.study.models import StudyOffer
from tests.factories import create_quiz
from tests.forged_rows import without_triggers
from tests.invitations import create_invitation
from tests.media_files import png, upload
from tests.quizzes.api.import_helpers import sent
from tests.quizzes.api.programs import program, taken, token
from tests.users import logged_in_client

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.once,
    pytest.mark.slow,
    pytest.mark.usefixtures("kept_connection"),
]
CASES = int(os.environ.get("OCHENTA_FUZZ", "4"))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
ROLES = ("learner", "browser", "instructor", "anonymous")
CSRF = "a" * 32


@pytest.fixture
def stored_ids(users, a_quiz, questions, store):
    """Ids that exist, by the name of the parameter: half of the cases ask for them."""
    media = upload(questions[0].bank, png())
    with without_triggers():  # a published version gets no file any more
        VersionMedia.objects.create(version=questions[0].current, media=media)
    ended = taken(users.learner, a_quiz, questions, "ab")["id"]
    going = program(users.learner).start(a_quiz)["id"]
    into = questions[0].bank
    job = sent(program(users.instructor), into)["id"]
    invitation = create_invitation(users.group, users.learner.email, by=users.instructor)
    roster = create_roster_import(
        group=users.group, by=users.instructor, now=clock.now(), people=[]
    )
    challenge = challenge_question(
        attempt=UUID(ended),
        slot=1,
        learner=users.learner,
        reason="key",
        comment="Why?",
        language="en",
        now=clock.now(),
    )
    practice = create_quiz(users, questions, slug="practice", mode="practice")
    certificate = Certificate.objects.create(
        attempt=Attempt.objects.get(uuid=ended), learner=users.learner, chosen_at=clock.now()
    )
    return {
        "number": [1, 2, 2**70],
        "challenge": [str(challenge.uuid)],
        "certificate": [str(certificate.uuid)],
        "answer": ["0" * 24],
        "bank": [str(into.uuid)],
        "offer": [str(StudyOffer.objects.create(bank=into).uuid)],
        "share": [str(BankShare.objects.create(bank=into, group=users.other_group).uuid)],
        "job": [job],
        "question": [str(questions[0].uuid)],
        "quiz": [str(a_quiz.uuid), str(practice.uuid)],
        "quiz_version": [str(a_quiz.current.uuid)],
        "attempt": [ended, going],
        "media": [str(media.uuid)],
        "file": [str(media.uuid)],
        "token": ["och_12345678901"],
        "class_id": [str(users.group.uuid)],
        "person": [str(users.learner.uuid), str(users.stranger.uuid)],
        "invitation": [str(invitation.uuid)],
        "roster": [str(roster.uuid)],
    }


def answered(environ: Any, start: Any) -> list[bytes]:
    """Answer to the end, as every server does: files that came along are closed then.

    Uncompressed: schemathesis asks for gzip, and does not read it without a network.
    """
    chunks = application({**environ, "HTTP_ACCEPT_ENCODING": "identity"}, start)
    content = b"".join(chunks)
    if hasattr(chunks, "close"):
        chunks.close()
    return [content]


def credentials(users, role) -> dict[str, str]:
    """Sign in: nobody, the learner's own browser, or somebody's program."""
    if role == "anonymous":
        return {}
    if role == "browser":
        session = logged_in_client(users.learner).cookies["session"].value
        return {"Cookie": f"session={session}; csrftoken={CSRF}", "X-CSRFToken": CSRF}
    return {"Authorization": f"Bearer {token(getattr(users, role))}"}


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
@pytest.mark.parametrize("role", ROLES)
def test_nothing_that_can_be_sent_breaks_the_api_or_its_description(users, stored_ids, role, mode):
    cache.clear()
    headers = credentials(users, role)
    described = schemathesis.openapi.from_wsgi("/api/v1/schema", answered)
    checks = [*CHECKS, negative_data_rejection] if mode == GenerationMode.NEGATIVE else CHECKS
    tried = [0]

    def send(operation: Any) -> None:
        @seed(8000)
        @settings(
            max_examples=CASES,
            deadline=None,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(generation_mode=mode), data=st.data())
        def run(case: Any, data: Any) -> None:
            path = case.meta.components.get(ParameterLocation.PATH)
            if path and path.mode == GenerationMode.POSITIVE and data.draw(st.booleans()):
                for name in case.path_parameters:
                    case.path_parameters[name] = data.draw(st.sampled_from(stored_ids[name]))
            response = case.call(headers=headers)
            case.validate_response(response, checks=checks)
            tried[0] += 1

        with suppress(Unsatisfiable):  # some operations take nothing that could be wrong
            run()

    for operation in described.get_all_operations():
        assert isinstance(operation, Ok)
        send(operation.ok())
    assert tried[0] >= 16
