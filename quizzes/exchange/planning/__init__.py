"""From a parcel and what a bank holds to what would be done, before anything is. Pure."""

from quizzes.exchange.planning.identity import fingerprints, told_fingerprints
from quizzes.exchange.planning.planner import plan
from quizzes.exchange.planning.values import Difference, Held, Holding, Planned, What

__all__ = [
    "Difference",
    "Held",
    "Holding",
    "Planned",
    "What",
    "fingerprints",
    "plan",
    "told_fingerprints",
]
