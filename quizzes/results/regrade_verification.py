"""Verifying rules of regrade: each is one that somebody committed, as the audit log says."""

from collections.abc import Iterator
from typing import Any

from quizzes.audit.codes import AuditCode
from quizzes.audit.models import AuditEvent
from quizzes.audit.recorded_state import IN_LOG, load_log_beginning
from quizzes.lib.hash_chain import Difference
from quizzes.lib.record_difference import Differences, RecordDifference
from quizzes.lib.row_reading import UNREADABLE, UnreadableRow, describe_error, read_rows
from quizzes.results.models import RegradeRule


def verify_regrade_rules() -> Iterator[Differences]:
    """Verify each rule against the event of its commit, as far back as the log reaches."""
    begins_at = load_log_beginning()
    rules = RegradeRule.objects.select_related("quiz", "by", "version").order_by("pk")
    for row in read_rows(rules):
        if isinstance(row, UnreadableRow):
            yield (row.to_difference(),)
            continue
        differences: list[Difference] = []
        try:
            if begins_at is None or row.committed_at >= begins_at:
                differences += _find_differences(row)
        except UNREADABLE as error:
            differences.append(("row", "unreadable", describe_error(error)))
        name = f"regrade {row.number} of quiz {row.quiz.uuid}"
        yield tuple(RecordDifference(name, *difference) for difference in differences)


def _find_differences(row: RegradeRule) -> Iterator[Difference]:
    events = AuditEvent.objects.filter(code=AuditCode.REGRADE_COMMITTED, subject=row.quiz.uuid)
    recorded: dict[str, Any] | None = None
    for actor, after in events.values_list("actor", "after"):
        if after is None:  # an erasure emptied one: it may have been this
            return
        if after.get("rule") == row.number:
            recorded = {**after, "by": str(actor)}
    stored = {
        "version": row.version.number,
        "policy": row.policy,
        "action": row.action,
        "reverts": row.reverts,
        "points_numerator": row.points_numerator,
        "points_denominator": row.points_denominator,
        "scoring_method": row.scoring_method,
        "reason": row.reason,
        "by": str(row.by.uuid),
    }
    if recorded is None:
        yield "row", "a rule", IN_LOG
        return
    for name, value in stored.items():
        if value != recorded.get(name):
            yield name, str(value), str(recorded.get(name))
