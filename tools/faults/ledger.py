"""What the site acknowledged, compared with what its database has."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tools.faults.journal import Entry
from tools.faults.learners import Learner


@dataclass(frozen=True)
class Ledger:
    """Numbers of saves. The last four must be 0."""

    acknowledged: int
    lost: int
    """Acknowledged, and not in the database."""
    altered: int
    """In the database with another answer, question or status than was sent."""
    phantom: int
    """In the database of an attempt, and never sent."""
    twice: int
    """In the database more than once."""

    @property
    def is_whole(self) -> bool:
        """Return whether every promise was kept."""
        return not (self.lost or self.altered or self.phantom or self.twice)


def build_ledger(learners: Sequence[Learner], journal: Iterable[Entry]) -> Ledger:
    """Compare what learners sent and heard with the journal, read after all of them stopped."""
    sent = {key: body for learner in learners for key, body in learner.sent.items()}
    acknowledged = {key for learner in learners for key in learner.acknowledged}
    entries = list(journal)
    stored = Counter(entry.operation for entry in entries)
    return Ledger(
        acknowledged=len(acknowledged),
        lost=len(acknowledged - set(stored)),
        altered=sum(
            _fingerprint(entry.slot, entry.answer["chosen"], entry.status)
            != _fingerprint(
                sent[entry.operation]["slot"], sent[entry.operation]["answer"]["chosen"], "accepted"
            )
            for entry in entries
            if entry.operation in sent
        ),
        phantom=sum(key not in sent for key in stored),
        twice=sum(count - 1 for count in stored.values()),
    )


def _fingerprint(slot: int, chosen: Iterable[str], status: str) -> str:
    return json.dumps([slot, sorted(chosen), status])
