"""What newest versions say of a question, and attempts of a quiz were not graded by. Reads only.

A corrected version may have another key and another scoring method at once, and the newest version
of the quiz other points for it; each of them is a rule of regrade of its own.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, NamedTuple, Self

from quizzes.bank.models import Question, QuestionVersion
from quizzes.bank.selectors import load_keys_and_feedback
from quizzes.publishing.models import PoolCandidate, Quiz
from quizzes.results.models import RegradeAction, RegradeRule
from quizzes.results.regrade_rules import has_same_content, is_worth, list_in_force

MULTIPLE_CHOICE: Final = "multiple_choice"


@dataclass(frozen=True, slots=True)
class PendingChanges:
    """What is new and by no rule so far; the old values beside it.

    `has_new_key`: the newest version has another key than an older one that was asked.
    """

    has_new_key: bool = False
    scoring_method: str = ""
    old_methods: tuple[str, ...] = ()
    points: Fraction | None = None
    old_points: tuple[Fraction, ...] = ()

    def __bool__(self) -> bool:
        """Return whether there is any."""
        return self.has_new_key or bool(self.scoring_method) or self.points is not None

    def without_key(self) -> Self:
        """Return what a regrade by the key leaves out."""
        return replace(self, has_new_key=False)

    def without(self, action: str, *, points: Fraction | None, scoring_method: str) -> Self:
        """Return what a rule leaves out."""
        left = self
        if action == RegradeAction.KEY:
            left = left.without_key()
        if action == RegradeAction.METHOD and scoring_method == self.scoring_method:
            left = replace(left, scoring_method="", old_methods=())
        if action == RegradeAction.POINTS and points == self.points:
            left = replace(left, points=None, old_points=())
        return left


NO_CHANGES: Final = PendingChanges()


class AskedVersion(NamedTuple):
    """A version of a question as a version of the quiz asks it, or may draw it."""

    question: int
    version: int
    quiz_version: int
    own_method: str
    quiz_method: str  # counts instead, where there is one
    points: Fraction

    @property
    def method(self) -> str:
        """By which it is scored."""
        return self.quiz_method or self.own_method


def find_pending_changes(
    quiz: Quiz,
    questions: Iterable[Question],
    rows: Mapping[int, Sequence[AskedVersion]],
    rules: Sequence[RegradeRule],
) -> dict[int, PendingChanges]:
    """Return what is new by primary key of a question, but for its key, without a statement.

    `rows` are the versions of these questions; `rules` are all of the quiz, in their order.
    """
    in_force = _group_by_question(rules)
    return {
        question.pk: _find_changes(quiz, question, rows[question.pk], in_force[question.pk])
        for question in questions
    }


def load_pending_changes(*, quiz: Quiz, question: Question) -> PendingChanges:
    """Return what is new of a question in a quiz, its key included."""
    rows = list_asked_versions(quiz, [question.pk])[question.pk]
    rules = RegradeRule.objects.filter(quiz=quiz).select_related("version").order_by("number")
    in_force = _group_by_question(rules)[question.pk]
    changes = _find_changes(quiz, question, rows, in_force)
    older = {row.version for row in rows}
    return replace(changes, has_new_key=_has_new_key(question, older, in_force))


def list_asked_versions(
    quiz: Quiz, questions: Collection[int]
) -> Mapping[int, Sequence[AskedVersion]]:
    """Return the versions that the quiz asks or has asked, by primary key of a question."""
    candidates = PoolCandidate.objects.filter(
        item__quiz_version__quiz=quiz, version__question__in=questions
    ).order_by("item__quiz_version__number")
    rows: defaultdict[int, list[AskedVersion]] = defaultdict(list)
    for (
        question,
        version,
        quiz_version,
        kind,
        own_method,
        quiz_method,
        *points,
    ) in candidates.values_list(
        "version__question",
        "version",
        "item__quiz_version",
        "version__kind",
        "version__scoring_method",
        "item__quiz_version__policies__scoring_method",
        "item__points_numerator",
        "item__points_denominator",
    ).distinct():
        chosen = (kind == MULTIPLE_CHOICE and quiz_method) or ""
        row = AskedVersion(question, version, quiz_version, own_method, chosen, Fraction(*points))
        rows[question].append(row)
    return rows


def _group_by_question(rules: Iterable[RegradeRule]) -> Mapping[int, Sequence[RegradeRule]]:
    by_question: defaultdict[int, list[RegradeRule]] = defaultdict(list)
    for rule in list_in_force([*rules]):
        by_question[rule.version.question_id].append(rule)
    return by_question


def _find_changes(
    quiz: Quiz,
    question: Question,
    rows: Sequence[AskedVersion],
    in_force: Sequence[RegradeRule],
) -> PendingChanges:
    method, old_methods = _find_new_method(quiz, question, rows, in_force)
    points, old_points = _find_new_points(quiz, rows, in_force)
    return PendingChanges(
        scoring_method=method, old_methods=old_methods, points=points, old_points=old_points
    )


def _find_new_method(
    quiz: Quiz,
    question: Question,
    rows: Sequence[AskedVersion],
    in_force: Sequence[RegradeRule],
) -> tuple[str, tuple[str, ...]]:
    """Return by which method the question is scored now, and the others that attempts may have.

    A quiz that scores multiple choice in its own way asks no version.
    """
    newest = question.current
    if newest is None:
        return "", ()
    drafted = quiz.scoring_method if newest.kind == MULTIPLE_CHOICE else ""
    of_quiz = [row.quiz_method for row in rows if row.quiz_version == quiz.current_id]
    method = (of_quiz[0] if of_quiz else drafted) or newest.scoring_method
    last = [rule.scoring_method for rule in in_force if rule.scoring_method][-1:]
    before = tuple(dict.fromkeys(last or [row.method for row in rows]))
    others = tuple(name for name in before if name != method)
    return (method, others) if others else ("", ())


def _find_new_points(
    quiz: Quiz, rows: Sequence[AskedVersion], in_force: Sequence[RegradeRule]
) -> tuple[Fraction | None, tuple[Fraction, ...]]:
    """Return what the newest version of the quiz gives for the question, and what others do.

    Where it gives several, or nothing, no rule can say the same.
    """
    now = {row.points for row in rows if row.quiz_version == quiz.current_id}
    if len(now) != 1 or not is_worth(points := now.pop()):
        return None, ()
    last = [rule.points for rule in in_force if rule.points is not None][-1:]
    before = dict.fromkeys(last or [row.points for row in rows])
    others = tuple(worth for worth in before if worth != points)
    return (points, others) if others else (None, ())


def _has_new_key(question: Question, rows: set[int], in_force: Sequence[RegradeRule]) -> bool:
    """Return whether the newest key is another than that of a version that counts so far."""
    newest = question.current
    if newest is None:
        return False
    last = [rule.version for rule in in_force if rule.action == RegradeAction.KEY][-1:]
    versions = QuestionVersion.objects.filter(pk__in=rows - {newest.pk}).order_by("number")
    older = [version for version in last or versions if has_same_content(version, newest)]
    keys = load_keys_and_feedback([newest.uuid, *(version.uuid for version in older)])
    return any(keys[version.uuid].key != keys[newest.uuid].key for version in older)
