"""From a parcel and what a bank holds to what would be done, before anything is. Pure."""

from quizzes.imports.import_plan.name_conflicts import doubt
from quizzes.imports.import_plan.planner import plan
from quizzes.imports.import_plan.values import Difference, Held, Holding, Planned, Twin, What
from quizzes.matching.fingerprints import fingerprints, told_fingerprints
from quizzes.matching.key_changes import KeyVerdict
from quizzes.matching.merge_translation import Joined, join

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
