"""Audit events are sealed by one sealer at a time, and any later change of one is named."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from quizzes.audit import retention, sealing, services
from quizzes.audit.codes import AuditCode
from quizzes.audit.digests import describe_seal
from quizzes.audit.models import AuditEvent, AuditSeal, RefusalCount, SealedEvent
from quizzes.audit.prunings import PrunedSeals
from quizzes.audit.row_macs import add_mac
from quizzes.audit.tasks import seal_audit_events
from quizzes.audit.verify import count_unsealed, verify_audit_log
from quizzes.lib import clock, triggers
from quizzes.lib.base_models import ImmutableRowError
from tests.threads import at_once

pytestmark = pytest.mark.django_db


def record_some(count: int = 3) -> None:
    for number in range(count):
        services.record(AuditCode.QUIZ_CHANGED, label=f"Quiz {number}", after={"closes_at": number})


def forge(statement: str) -> None:
    """What somebody does who owns the tables."""
    triggers.drop_triggers(connection)
    with connection.cursor() as cursor:
        cursor.execute(statement)
    triggers.install_triggers(connection)


def date_back(then: datetime) -> None:
    """Write what is not sealed as this site would have written it at that time."""
    triggers.drop_triggers(connection)
    for event in AuditEvent.objects.filter(sealed=None):
        event.created_at = then
        add_mac(event)
        AuditEvent.objects.filter(pk=event.pk).update(created_at=then, mac=event.mac)
    triggers.install_triggers(connection)


def differences() -> list[str]:
    return [str(difference) for difference in verify_audit_log()]


def test_events_are_sealed_in_a_chain():
    record_some(3)
    assert count_unsealed() == 3
    assert sealing.seal(now=clock.now(), most=2) == 2
    assert sealing.seal(now=clock.now(), most=2) == 1
    assert sealing.seal(now=clock.now()) == 0
    first, second = AuditSeal.objects.order_by("number")
    assert (first.number, second.number) == (1, 2)
    assert second.previous_digest == first.digest
    assert (count_unsealed(), differences()) == (0, [])


def test_a_time_moved_by_a_microsecond_is_found():
    record_some(1)
    seal_audit_events()
    event = AuditEvent.objects.get()
    triggers.drop_triggers(connection)
    moved = event.created_at + timedelta(microseconds=1)
    AuditEvent.objects.filter(pk=event.pk).update(created_at=moved)
    assert len(differences()) == 1


def test_whoever_changes_the_digest_too_is_found_by_the_seal():
    record_some(2)
    seal_audit_events()
    forge("UPDATE audit_sealedevent SET digest = 'forged'")
    listed = differences()
    assert "audit seal 1: the digests of its events were changed" in listed
    assert len(listed) == 3


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE audit_auditseal SET event_count = 5 WHERE number = 1", "was changed after"),
        ("UPDATE audit_auditseal SET digest = '0' WHERE number = 1", "does not follow"),
        ("UPDATE audit_auditseal SET previous_digest = '' WHERE number = 2", "does not follow"),
        ("DELETE FROM audit_sealedevent", "has 0 of 1 events"),
    ],
)
def test_a_forged_seal_is_found(statement: str, problem: str):
    for _ in range(2):
        record_some(1)
        seal_audit_events()
    forge(statement)
    assert any(problem in difference for difference in differences())


def test_a_row_written_with_an_old_time_is_found():
    record_some(1)
    seal_audit_events()
    old = clock.now() - timedelta(days=30)
    services.record(AuditCode.SIGNED_IN)
    date_back(old)
    assert seal_audit_events() == 0
    assert [text.rpartition(": ")[2] for text in differences()] == [
        "was written long after the time that it names"
    ]


def test_rows_of_the_log_are_neither_changed_nor_deleted():
    record_some(1)
    seal_audit_events()
    event = AuditEvent.objects.get()
    with pytest.raises(ImmutableRowError):
        event.save()
    for statement in (
        "UPDATE audit_auditevent SET address = '10.0.0.1'",
        "DELETE FROM audit_auditevent",
        "UPDATE audit_sealedevent SET digest = 'x'",
        "DELETE FROM audit_sealedevent",
        "UPDATE audit_auditseal SET number = 9",
        "DELETE FROM audit_auditseal",
    ):
        with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


INSERT = """
INSERT INTO audit_auditevent (uuid, created_at, code, actor, actor_label, token, address,
  user_agent, subject_type, subject, subject_label, group_pk, before, after, actor_salt,
  actor_digest, subject_salt, subject_digest, mac)
SELECT '{uuid}', created_at, code, actor, actor_label, token, address, user_agent, subject_type,
  subject, subject_label, group_pk, before, after, actor_salt, actor_digest, subject_salt,
  subject_digest, mac FROM audit_auditevent ORDER BY id LIMIT 1
"""


@pytest.mark.parametrize("is_sealed", [False, True])
def test_an_event_inserted_by_sql_is_found_before_and_after_its_seal(is_sealed: bool):
    record_some(1)
    seal_audit_events()
    with connection.cursor() as cursor:  # as the role of the site may
        cursor.execute(INSERT.format(uuid=uuid4()))
    if is_sealed:
        assert seal_audit_events() == 1
    event = AuditEvent.objects.latest("pk")
    place = f"audit event {event.uuid} (quiz_changed, row {event.pk})"
    assert differences() == [f"{place}: was changed, or was not written by this site"]


def test_a_row_changed_before_its_seal_is_found_after_it():
    record_some(2)
    forge("UPDATE audit_auditevent SET group_pk = 7 WHERE subject_label = 'Quiz 1'")
    assert seal_audit_events() == 2
    assert [text.partition(": ")[2] for text in differences()] == [
        "was changed, or was not written by this site"
    ]


def test_what_is_rolled_back_leaves_no_row():
    with transaction.atomic():
        record_some(1)
        transaction.set_rollback(True)
    assert not AuditEvent.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_sealers_at_once_seal_each_event_once():
    record_some(12)
    at_once([lambda: sealing.seal(now=clock.now(), most=4)] * 6)
    while sealing.seal(now=clock.now(), most=4):
        pass
    assert SealedEvent.objects.count() == 12
    assert differences() == []


def test_refusals_are_listed_up_to_a_bound_and_counted_beyond():
    for _ in range(services.MAX_REFUSALS + 45):
        services.record_refusal(AuditCode.SIGN_IN_FAILED)
    listed = AuditEvent.objects.filter(code=AuditCode.SIGN_IN_FAILED).count()
    minutes = RefusalCount.objects.count()
    assert services.MAX_REFUSALS <= listed <= services.MAX_REFUSALS * minutes
    RefusalCount.objects.update(minute=clock.now() - timedelta(minutes=5))
    services.record_refusals_counted()
    counted = AuditEvent.objects.filter(code=AuditCode.REFUSALS_COUNTED)
    not_listed = sum((event.after or {})["count"] for event in counted)
    assert listed + not_listed == services.MAX_REFUSALS + 45
    assert not RefusalCount.objects.exists()


def test_the_same_again_within_minutes_is_one_row():
    for label in ("Rivers", "Rivers", "Deltas"):
        services.record(AuditCode.KEYS_VIEWED, label=label, once=True)
    assert AuditEvent.objects.count() == 2


def make_old(days: int) -> None:
    """Seal what there is, as if it had been so many days ago."""
    then = clock.now() - timedelta(days=days)
    date_back(then)
    sealing.seal(now=then)


def test_retention_removes_whole_seals_and_the_chain_still_verifies(settings, capsys):
    settings.AUDIT_DAYS = 365
    for days in (800, 400, 100):
        record_some(2)
        make_old(days)
    call_command("prune_audit_log", "--dry-run")
    assert "Would remove 4 events of the seals 1 to 2." in capsys.readouterr().out
    assert AuditEvent.objects.count() == 6
    call_command("prune_audit_log")
    assert AuditEvent.objects.count() == 3
    statement = AuditEvent.objects.latest("pk").after or {}
    assert [statement[name] for name in ("events", "first_seal", "last_seal")] == [4, 1, 2]
    assert (AuditSeal.objects.count(), differences()) == (4, [])
    call_command("prune_audit_log")
    assert "nothing to remove" in capsys.readouterr().out
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM audit_auditevent")


def test_a_seal_with_one_young_event_stays(settings):
    settings.AUDIT_DAYS = 365
    record_some(2)
    triggers.drop_triggers(connection)
    first = AuditEvent.objects.earliest("pk")
    AuditEvent.objects.filter(pk=first.pk).update(created_at=clock.now() - timedelta(days=900))
    triggers.install_triggers(connection)
    sealing.seal(now=clock.now())
    assert retention.find_expired(now=clock.now(), days=365) is None


def test_events_removed_without_retention_are_missed():
    record_some(2)
    seal_audit_events()
    triggers.drop_triggers(connection)
    SealedEvent.objects.all().delete()
    AuditEvent.objects.all().delete()
    assert differences() == ["audit seal 1: has 0 of 2 events"]


def remove_events(last_seal: int) -> None:
    """Remove the events of the first seals, as the owner of the tables."""
    triggers.drop_triggers(connection)
    sealed = SealedEvent.objects.filter(seal__number__lte=last_seal)
    events = list(sealed.values_list("event_id", flat=True))
    sealed.delete()
    AuditEvent.objects.filter(pk__in=events).delete()
    triggers.install_triggers(connection)


def seal_two_batches() -> None:
    for days in (800, 100):
        record_some(2)
        make_old(days)


def sign_pruning(last_seal: int, days: int) -> dict[str, object]:
    """What the site would sign if its retention were so many days."""
    last = AuditSeal.objects.get(number=last_seal)
    now = clock.now()
    seals = PrunedSeals(1, last_seal, last.digest, 2 * last_seal, now - timedelta(days), days)
    return seals.to_signed_json()


@pytest.mark.parametrize("is_sealed", [False, True])
def test_an_inserted_pruning_hides_nothing(is_sealed: bool):
    seal_two_batches()
    remove_events(2)
    services.record(AuditCode.AUDIT_PRUNED, after={"first_seal": 1, "last_seal": 2, "events": 4})
    if is_sealed:
        seal_audit_events()
    event = AuditEvent.objects.get(code=AuditCode.AUDIT_PRUNED)
    place = f"audit event {event.uuid} (audit_pruned, row {event.pk})"
    assert differences() == [
        f"{place}: is not signed by a key of this site",
        "audit seal 1: has 0 of 2 events",
        "audit seal 2: has 0 of 2 events",
    ]


@pytest.mark.parametrize("changed", [{"last_seal": 2}, {"signature": None}])
def test_a_changed_pruning_is_not_signed(changed: dict[str, object]):
    seal_two_batches()
    statement = sign_pruning(1, 365)
    remove_events(2)
    services.record(AuditCode.AUDIT_PRUNED, after={**statement, **changed})
    seal_audit_events()
    listed = differences()
    assert "is not signed by a key of this site" in listed[0]
    assert "audit seal 2: has 0 of 2 events" in listed


def test_what_the_site_signed_for_another_purpose_is_no_pruning():
    seal_two_batches()
    seal = AuditSeal.objects.get(number=1)
    signed = {**describe_seal(seal), "key": seal.key, "signature": seal.signature}
    services.record(AuditCode.AUDIT_PRUNED, after=signed)
    seal_audit_events()
    assert [text.rpartition(": ")[2] for text in differences()] == [
        "is not signed by a key of this site"
    ]


@pytest.mark.parametrize(
    ("last_seal", "days", "problem"),
    [
        (2, 365, "which its retention keeps"),
        (1, 0, "names a time that its retention of 0 days does not reach"),
    ],
)
def test_a_signed_pruning_still_obeys_its_retention(last_seal: int, days: int, problem: str):
    seal_two_batches()
    statement = sign_pruning(last_seal, days)
    remove_events(last_seal)
    services.record(AuditCode.AUDIT_PRUNED, after=statement)
    seal_audit_events()
    listed = differences()
    assert problem in listed[0]
    assert "audit seal 1: has 0 of 2 events" in listed


def test_a_pruning_under_no_seal_is_not_believed():
    seal_two_batches()
    statement = sign_pruning(1, 365)
    remove_events(1)
    services.record(AuditCode.AUDIT_PRUNED, after=statement)
    assert [text.rpartition(": ")[2] for text in differences()] == [
        "is under no seal",
        "has 0 of 2 events",
    ]
    seal_audit_events()
    assert differences() == []


def test_a_pruning_of_a_seal_that_was_made_anew_is_not_believed():
    seal_two_batches()
    statement = sign_pruning(1, 365)
    remove_events(1)
    services.record(AuditCode.AUDIT_PRUNED, after=statement)
    seal_audit_events()
    forge("UPDATE audit_auditseal SET event_count = 7 WHERE number = 1")
    assert "names seal 1, which is another" in differences()[0]


def test_nothing_is_pruned_while_another_process_seals(monkeypatch, settings):
    settings.AUDIT_DAYS = 365
    seal_two_batches()
    monkeypatch.setattr(sealing, "try_advisory_lock", lambda name: False)
    with pytest.raises(CommandError, match="being sealed"):
        call_command("prune_audit_log")
    assert AuditEvent.objects.count() == 4
