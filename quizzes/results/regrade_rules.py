"""Reading the rules of regrade of a quiz: what they say of the slots of one attempt."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from grading.kinds import KINDS
from quizzes.attempts.manifest import Manifest
from quizzes.bank.models import QuestionVersion
from quizzes.bank.selectors import load_keys_and_feedback
from quizzes.results.corrections import NO_CORRECTIONS, Correction, Corrections
from quizzes.results.models import RegradeAction, RegradePolicy, RegradeRule

POLICIES: Final = {
    RegradeAction.KEY: tuple(RegradePolicy),
    RegradeAction.FULL: (RegradePolicy.FULL_CREDIT,),
    RegradeAction.DROP: (RegradePolicy.KEEP_BETTER, RegradePolicy.BY_KEY),
    RegradeAction.REVERT: (RegradePolicy.BY_KEY,),
}
"""The policies of each action, the one to suggest first."""


def load_corrections(quiz: int, manifest: Manifest, most: int | None = None) -> Corrections:
    """Read the rules of a quiz in their order, all or the first so many, by slot of a manifest.

    A rule concerns the slots with an older version of its question whose learners were shown the
    same. Without rules there is one query; for `most` 0 there is none.
    """
    if most == 0:
        return NO_CORRECTIONS
    rules = RegradeRule.objects.filter(quiz=quiz).order_by("number").select_related("version")
    if most is not None:
        rules = rules.filter(number__lte=most)
    read = list(rules)
    if not read:
        return NO_CORRECTIONS
    slot_by_version = {slot.version: number for number, slot in enumerate(manifest.slots)}
    answered = list(
        QuestionVersion.objects.filter(
            uuid__in=list(slot_by_version),
            question__in={rule.version.question_id for rule in read},
        )
    )
    in_force = list_in_force(read)
    keys = load_keys(in_force) if answered else {}
    slots = {slot_by_version[version.uuid]: version for version in answered}
    drops = collect_drops(in_force)
    return Corrections(
        len(read),
        {slot: list_corrections(in_force, version, keys) for slot, version in slots.items()},
        {
            slot: drops[version.question_id]
            for slot, version in slots.items()
            if version.question_id in drops
        },
        frozenset(slots),
    )


def list_in_force(rules: Sequence[RegradeRule]) -> list[RegradeRule]:
    """Return these rules without those that another reverts, and without the reverting ones."""
    reverted = {rule.reverts for rule in rules}
    return [
        rule
        for rule in rules
        if rule.number not in reverted and rule.action != RegradeAction.REVERT
    ]


def collect_drops(in_force: Sequence[RegradeRule]) -> dict[int, str]:
    """Return the policy by which each dropped question is dropped, the last that was committed."""
    return {
        rule.version.question_id: rule.policy
        for rule in in_force
        if rule.action == RegradeAction.DROP
    }


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
        )
        for rule in in_force
        if _corrects(rule, answered)
    ]


def _corrects(rule: RegradeRule, answered: QuestionVersion) -> bool:
    if rule.action == RegradeAction.FULL:
        return rule.version.question_id == answered.question_id
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
