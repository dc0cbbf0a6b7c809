"""Which question comes next: missed, then fresh ones, last what a graded quiz may ask. Pure."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from hashlib import sha256

from grading.kinds import KINDS
from quizzes.publishing import blueprint
from quizzes.publishing.blueprint import CandidateQuestion, SelectedQuestion, VersionItem


def list_candidates(items: Sequence[VersionItem]) -> dict[str, CandidateQuestion]:
    """Return what can be practised of a quiz, by question: not cards, which earn nothing."""
    return {
        candidate.question: candidate
        for item in items
        for candidate in item.candidates
        if KINDS[candidate.kind].schema.graded
    }


def choose_next(
    candidates: Mapping[str, CandidateQuestion],
    *,
    last_numbers: Mapping[str, int],
    live: AbstractSet[str],
    missed: AbstractSet[str],
    seed: str,
) -> CandidateQuestion | None:
    """Return the next question; None without any. `last_numbers`: when each came last.

    Those missed come first, though a graded quiz may ask them; then those never met, then those
    met longest ago; of equals the seed decides.
    """

    def rank(question: str) -> tuple[bool, bool, int, str]:
        chance = sha256(f"{seed} {question}".encode()).hexdigest()
        return (
            *(question not in missed, question in live),
            *(last_numbers.get(question, 0), chance),
        )

    return candidates[min(candidates, key=rank)] if candidates else None


def select_question(
    candidate: CandidateQuestion, *, seed: str, shuffle_options: bool
) -> SelectedQuestion:
    """Return the question with the order of its parts, as an attempt would have it."""
    item = VersionItem(section=0, draw=1, points=Fraction(1), candidates=(candidate,))
    return blueprint.draw([item], seed=seed, shuffle_options=shuffle_options)[0]
