"""From a parcel and what a bank holds to what would be done, before anything is. Pure."""

from quizzes.exchange.planning.identity import fingerprints, told_fingerprints
from quizzes.exchange.planning.joining import Joined, join
from quizzes.exchange.planning.keys import KeyVerdict
from quizzes.exchange.planning.kinship import doubt
from quizzes.exchange.planning.planner import plan
from quizzes.exchange.planning.values import Difference, Held, Holding, Planned, Twin, What

__all__ = [
    "Difference",
    "Held",
    "Holding",
    "Joined",
    "KeyVerdict",
    "Planned",
    "Twin",
    "What",
    "doubt",
    "fingerprints",
    "join",
    "plan",
    "told_fingerprints",
]
