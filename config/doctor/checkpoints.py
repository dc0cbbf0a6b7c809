"""Whether what was handed in was signed each day of the last month (ADR 25)."""

from collections.abc import Iterator

from config.doctor.findings import DeploymentFinding
from quizzes.lib import clock
from quizzes.results import checkpoints


def find_checkpoint_gaps() -> Iterator[DeploymentFinding]:
    """Yield a finding if a checkpoint of the last month came too late, naming the newest such."""
    gaps = checkpoints.find_gaps(now=clock.now())
    if not gaps:
        return
    gap = gaps[-1]
    since, until = (f"{at:%Y-%m-%d %H:%M} UTC" for at in (gap.received_at, gap.made_at))
    yield DeploymentFinding(
        "checkpoint_gap",
        f"Checkpoints of the last {checkpoints.GAP_WINDOW.days} days that came too late:"
        f" {len(gaps)}. The newest is number {gap.number}: nothing signed covered answers from"
        f" {since} to {until}.",
        "Only receipts that learners kept can show that no answer of that time was removed.",
        "Keep the backups of those days. See that `celery beat` and a worker always run. It is"
        " named until the window is over.",
    )
