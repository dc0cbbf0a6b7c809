"""Reading the rules of regrade of a quiz: what they say of the slots of one attempt."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from grading.kinds import KINDS
from quizzes.attempts.manifest import Manifest
from quizzes.bank.models import QuestionVersion
from quizzes.bank.selectors import load_keys_and_feedback
from quizzes.results.corrections import NO_CORRECTIONS, Correction, Corrections
from quizzes.results.models import RegradeRule


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
    questions = {rule.version.question_id for rule in read}
    answered = list(
        QuestionVersion.objects.filter(uuid__in=list(slot_by_version), question__in=questions)
    )
    by_slot: dict[int, list[Correction]] = {}
    if answered:
        keys = _load_keys(read)
        for version in answered:
            by_slot[slot_by_version[version.uuid]] = [
                Correction(
                    rule.version.uuid, rule.policy, rule.version.content, keys[rule.version.uuid]
                )
                for rule in read
                if concerns(rule.version, version)
            ]
    return Corrections(len(read), by_slot)


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


def _load_keys(rules: list[RegradeRule]) -> dict[UUID, Mapping[str, Any]]:
    loaded = load_keys_and_feedback({rule.version.uuid for rule in rules})
    return {uuid: key_and_feedback.key for uuid, key_and_feedback in loaded.items()}
