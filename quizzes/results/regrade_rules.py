"""Reading the rules of regrade of a quiz: what they say of the slots of one attempt."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from grading.kinds import KINDS
from quizzes.attempts.manifest import Manifest
from quizzes.bank.models import QuestionVersion
from quizzes.bank.selectors import load_keys_and_feedback
from quizzes.results.corrections import NO_CORRECTIONS, Correction, Corrections
from quizzes.results.models import RegradeAction, RegradePolicy, RegradeRule
from quizzes.results.point_rules import PointRules

POLICIES: Final = {
    RegradeAction.KEY: tuple(RegradePolicy),
    RegradeAction.FULL: (RegradePolicy.FULL_CREDIT,),
    RegradeAction.DROP: (RegradePolicy.KEEP_BETTER, RegradePolicy.BY_KEY),
    RegradeAction.BONUS: (RegradePolicy.BY_KEY,),
    RegradeAction.POINTS: (RegradePolicy.KEEP_BETTER, RegradePolicy.BY_KEY),
    RegradeAction.METHOD: (RegradePolicy.KEEP_BETTER, RegradePolicy.BY_KEY),
    RegradeAction.REVERT: (RegradePolicy.BY_KEY,),
}
"""The policies of each action, the one to suggest first."""


MAX_POINTS: Final = 9_999
POINTS_DENOMINATOR: Final = 10_000
"""Points have four decimals, as those of a quiz."""


@dataclass(slots=True)
class RuleSet:
    """The rules of a quiz in their order, read once for as many attempts as there are.

    `versions` are those of the questions that some rule is about, by uuid.
    """

    rules: Sequence[RegradeRule]
    in_force: Sequence[RegradeRule]
    versions: Mapping[UUID, QuestionVersion]
    keys: Mapping[UUID, Mapping[str, Any]]
    point_rules: PointRules
    _by_version: dict[int, Sequence[Correction]] = field(default_factory=dict)

    def find_corrections(self, manifest: Manifest) -> Corrections:
        """Return what they say of an attempt, by slot of its manifest.

        A rule concerns the slots with an older version of its question whose learners were shown
        the same.
        """
        slots = {
            number: self.versions[slot.version]
            for number, slot in enumerate(manifest.slots)
            if slot.version in self.versions
        }
        return Corrections(
            len(self.rules),
            {slot: self._list_corrections(version) for slot, version in slots.items()},
            self.point_rules.place_in_slots(
                {slot: version.question_id for slot, version in slots.items()}
            ),
            frozenset(slots),
        )

    def _list_corrections(self, version: QuestionVersion) -> Sequence[Correction]:
        if version.pk not in self._by_version:
            listed = list_corrections(self.in_force, version, self.keys)
            self._by_version[version.pk] = listed
        return self._by_version[version.pk]


def is_worth(points: Fraction | None) -> bool:
    """Return whether a question may be worth so many points; none are what a drop is for."""
    return (
        points is not None
        and 0 < points <= MAX_POINTS
        and (points * POINTS_DENOMINATOR).denominator == 1
    )


def load_rules(quiz: int, manifests: Iterable[Manifest], most: int | None = None) -> RuleSet | None:
    """Read the rules of a quiz, all or the first so many, for these manifests; None: there is none.

    Without rules there is one query; for `most` 0 there is none.
    """
    if most == 0:
        return None
    rules = RegradeRule.objects.filter(quiz=quiz).order_by("number")
    if most is not None:
        rules = rules.filter(number__lte=most)
    read = list(rules.select_related("version", "by"))
    if not read:
        return None
    answered = QuestionVersion.objects.filter(
        uuid__in={slot.version for manifest in manifests for slot in manifest.slots},
        question__in={rule.version.question_id for rule in read},
    )
    versions = {version.uuid: version for version in answered}
    in_force = list_in_force(read)
    keys = load_keys(in_force) if versions else {}
    return RuleSet(read, in_force, versions, keys, collect_point_rules(in_force))


def load_corrections(quiz: int, manifest: Manifest, most: int | None = None) -> Corrections:
    """Read the rules of a quiz in their order, all or the first so many, by slot of a manifest."""
    rules = load_rules(quiz, [manifest], most)
    return NO_CORRECTIONS if rules is None else rules.find_corrections(manifest)


def list_in_force(rules: Sequence[RegradeRule]) -> list[RegradeRule]:
    """Return these rules without those that another reverts, and without the reverting ones."""
    reverted = {rule.reverts for rule in rules}
    return [
        rule
        for rule in rules
        if rule.number not in reverted and rule.action != RegradeAction.REVERT
    ]


def collect_point_rules(in_force: Sequence[RegradeRule]) -> PointRules:
    """Return what these rules say of the worth of questions; of drops the last one counts."""
    points: defaultdict[int, list[tuple[str, Fraction]]] = defaultdict(list)
    for rule in in_force:
        if rule.points is not None:
            points[rule.version.question_id].append((rule.policy, rule.points))
    return PointRules(
        {
            rule.version.question_id: rule.policy
            for rule in in_force
            if rule.action == RegradeAction.DROP
        },
        points,
        frozenset(
            rule.version.question_id for rule in in_force if rule.action == RegradeAction.BONUS
        ),
    )


def list_corrections(
    in_force: Sequence[RegradeRule],
    answered: QuestionVersion,
    keys: Mapping[UUID, Mapping[str, Any]],
) -> list[Correction]:
    """Return what these rules say of the score of answers to a version, in their order."""
    return [
        Correction(
            rule.version.uuid,
            rule.policy,
            rule.version.content,
            keys[rule.version.uuid],
            rule.action,
            rule.scoring_method,
        )
        for rule in in_force
        if _corrects(rule, answered)
    ]


def _corrects(rule: RegradeRule, answered: QuestionVersion) -> bool:
    if rule.action == RegradeAction.FULL:
        return rule.version.question_id == answered.question_id
    if rule.action == RegradeAction.METHOD:
        return (
            rule.version.question_id == answered.question_id
            and rule.scoring_method in KINDS[answered.kind].scoring_methods
        )
    return rule.action == RegradeAction.KEY and concerns(rule.version, answered)


def concerns(newer: QuestionVersion, answered: QuestionVersion) -> bool:
    """Return whether a rule with the newer version is about answers to the one that was shown."""
    return (
        newer.question_id == answered.question_id
        and newer.number > answered.number
        and has_same_content(answered, newer)
    )


def has_same_content(old: QuestionVersion, new: QuestionVersion) -> bool:
    """Return whether a learner was shown the same, whatever the order: only the key may differ."""
    return old.kind == new.kind and _load_content(old) == _load_content(new)


def _load_content(version: QuestionVersion) -> tuple[Any, Any]:
    """Return the fields, and the rows by table and id, without what stands in the key."""
    public = KINDS[version.kind].schema.load(version.content, {})
    tables = {name: {row.id: row.values for row in rows} for name, rows in public.tables.items()}
    return public.fields, tables


def load_keys(rules: Sequence[RegradeRule]) -> dict[UUID, Mapping[str, Any]]:
    """Return the keys of the versions of these rules."""
    loaded = load_keys_and_feedback({rule.version.uuid for rule in rules})
    return {uuid: key_and_feedback.key for uuid, key_and_feedback in loaded.items()}
