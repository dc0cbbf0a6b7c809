"""Requests about personal data, legal holds; and what only the schedule or a command does."""

from datetime import timedelta
from io import StringIO

from django.core.management import call_command
from django.test import override_settings

from accounts.account_audit import record_failed_sign_in
from quizzes.audit.codes import AuditCode
from quizzes.audit.models import RefusalCount
from quizzes.audit.services import MAX_REFUSALS, record_refusals_counted
from quizzes.lib import clock
from quizzes.privacy import data_requests
from quizzes.privacy.retention import apply_retention
from tests.quizzes.audit.test_sealing import make_old
from tests.quizzes.audit.walks.world import World, walk

PEOPLE, REQUESTS = "/admin/accounts/user/", "/admin/privacy/datarequest/"


def ask_for_erasure(world: World) -> None:
    world.press(world.users.learner, "/profile/data/erasure", {"confirmed": "yes"})


@walk(AuditCode.ERASURE_REQUESTED, "learner", "", "due_at")
def request_an_erasure(world: World) -> None:
    ask_for_erasure(world)


@walk(AuditCode.ERASURE_WITHDRAWN, "learner")
def withdraw_the_request(world: World) -> None:
    ask_for_erasure(world)
    world.press(world.users.learner, "/profile/data/erasure/withdraw")


@walk(AuditCode.ERASURE_REFUSED, "administrator", "", "reason")
def refuse_the_request(world: World) -> None:
    request = data_requests.request_erasure(person=world.users.learner, now=clock.now())
    form = {"action": "refuse", "_selected_action": [request.pk], "reason": "An appeal is open."}
    world.press(world.users.administrator, REQUESTS, form)


def erase(world: World) -> None:
    world.fail_attempt()
    form = {"action": "erase_people", "_selected_action": [world.users.learner.pk]}
    world.press(world.users.administrator, PEOPLE, form | {"confirmed": "yes"})


@walk(AuditCode.PERSON_ERASED, "administrator", "", "answers audit_events")
def erase_a_person(world: World) -> None:
    erase(world)


@walk(AuditCode.ANSWERS_ERASED, "administrator")
def erase_the_answers_of_a_person(world: World) -> None:
    """The erasure of the person empties what this row has of them, too."""
    erase(world)


@walk(AuditCode.PERSON_EXPORTED, "administrator")
def export_a_person(world: World) -> None:
    form = {"action": "export_people", "_selected_action": [world.users.learner.pk]}
    assert world.browser(world.users.administrator).post(PEOPLE, form).getvalue()


@walk(AuditCode.LEGAL_HOLD_CHANGED, "administrator", "reason", "reason")
def set_a_legal_hold(world: World) -> None:
    form = {"group": world.users.group.pk, "reason": "An appeal"}
    world.press(world.users.administrator, "/admin/privacy/legalhold/add/", form)


@walk(AuditCode.RETENTION_APPLIED, None, "", "answers")
def apply_the_retention(world: World) -> None:
    world.fail_attempt()
    with override_settings(RETENTION_ANSWER_DAYS=365):
        apply_retention(now=clock.now() + timedelta(days=400))


PRUNED = "before days events first_seal last_seal last_digest key signature"


@walk(AuditCode.AUDIT_PRUNED, None, "", PRUNED)
def prune_the_log(world: World) -> None:
    world.fail_attempt()
    make_old(days=800)
    with override_settings(AUDIT_DAYS=365):
        call_command("prune_audit_log", stdout=StringIO())


@walk(AuditCode.REFUSALS_COUNTED, None, "", "code minute count")
def count_refusals(world: World) -> None:
    for _ in range(MAX_REFUSALS + 1):
        record_failed_sign_in(world.users.learner.email)
    RefusalCount.objects.update(minute=clock.now() - timedelta(minutes=5))
    record_refusals_counted()
