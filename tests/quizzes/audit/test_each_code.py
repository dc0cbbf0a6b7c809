"""Each code of the audit log by the page or call that leads to it: one row, complete."""

import pytest
from django.core.cache import cache
from django.utils import translation

from quizzes.audit.codes import AuditCode
from quizzes.bank.models import Question
from quizzes.lib import clock
from quizzes.presentation.messages.audit_fields import describe_audit_field, describe_audit_value
from tests.identity_provider import AlteringProvider
from tests.quizzes.audit.walks import accounts, authoring, classes, exams, privacy
from tests.quizzes.audit.walks.world import ADDRESS, USER_AGENT, WALKS, World
from tests.users import Users

AREAS = (accounts, authoring, classes, exams, privacy)
"""Their modules fill the table of walks."""


@pytest.fixture
def world(
    users: Users,
    questions: list[Question],
    provider: AlteringProvider,
    store: object,
) -> World:
    cache.clear()
    return World(users, questions, provider)


@pytest.mark.django_db
@pytest.mark.parametrize("code", AuditCode)
def test_it_leaves_one_row_that_says_who_when_from_where_and_what(code: AuditCode, world: World):
    walk, begun_at = WALKS[code], clock.now()
    world.begin()
    walk.go(world)
    (event,) = world.list_events(code)
    if walk.by == "owner":
        assert event.actor == event.subject is not None
    else:
        person = getattr(world.users, walk.by) if walk.by else None
        assert event.actor == (person.uuid if person else None)
    assert set(event.before or {}) == walk.before
    assert set(event.after or {}) == walk.after
    from_where = ("", "") if walk.by is None else (ADDRESS, USER_AGENT)
    assert (event.address, event.user_agent) == from_where
    assert begun_at <= event.created_at <= clock.now()


def test_fields_of_an_event_and_their_choices_have_names_in_spanish():
    names = {name for walk in WALKS.values() for name in walk.before | walk.after}
    with translation.override("es"):
        unnamed = {
            name
            for name in names
            if describe_audit_field(name, "quiz") in {name, name.replace("_", " ")}
        }
        choice = describe_audit_value("purpose", "withdrawn")
        flag = describe_audit_value("passed", field=True)
    assert unnamed == set()
    assert (choice, flag) == ("vuelve a contar la puntuación calculada", "sí")


@pytest.mark.parametrize(
    ("name", "field", "subject_type", "text"),
    [
        ("policy", "keep_better", "quiz", "según la clave corregida, pero nadie baja"),
        ("state", "submitted", "attempt", "entregado"),
        ("reveal_key", "after_pass", "quiz", "después de aprobar"),
        ("scopes", ["read", "results"], "", "leer cuestionarios y resultados propios\n"),
        ("wanted", ["graded"], "", "se calificaron respuestas"),
        ("title", {"en": "Hi", "es": "Hola"}, "quiz", "English: Hi\nEspañol: Hola"),
        ("slots", ["1.1 a × 1", "1.2 b × 2"], "quiz", "1.1 a × 1\n1.2 b × 2"),
        ("deadline_at", "2026-05-12T18:00:00+00:00", "attempt", "12 may 2026, 18:00 UTC"),
        ("scopes", [], "", "–"),
        ("days", 7, "quiz", "7"),
    ],
)
def test_codes_moments_and_lists_are_written_out(name, field, subject_type, text):
    with translation.override("es"):
        assert describe_audit_value(name, field, subject_type).startswith(text)


def test_what_no_request_does_is_what_the_schedule_does():
    scheduled = {AuditCode.RETENTION_APPLIED, AuditCode.AUDIT_PRUNED, AuditCode.REFUSALS_COUNTED}
    assert {code for code, walk in WALKS.items() if walk.by is None} == scheduled
