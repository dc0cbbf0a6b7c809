"""Cards of what a learner got wrong, made once reveal shows them what is right."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet

from accounts.models import User
from grading.contract import ItemScore
from quizzes.attempts.manifest import Manifest
from quizzes.attempts.models import Attempt, State
from quizzes.attempts.selectors import parse_manifest
from quizzes.bank.models import QuestionVersion
from quizzes.bank.selectors import load_public_versions
from quizzes.results import reveal
from quizzes.results.corrections import KEY
from quizzes.results.models import ItemResult
from quizzes.results.regrade_rules import load_corrections
from quizzes.results.reveal_inputs import (
    load_reveal_contexts,
    reveal_moments,
    with_related_rows,
)
from quizzes.study.domain.mistakes import find_mistakes
from quizzes.study.models import CardSource, MistakeSync, StudyCard

MOST_ATTEMPTS: Final = 50
"""How many attempts are looked through at once, the last first."""


class _Mistake(NamedTuple):
    version: UUID
    option: str


@transaction.atomic
def sync_mistakes(*, learner: User, now: datetime) -> int:
    """Make cards of the mistakes of a learner that reveal shows by now; return how many are new.

    An attempt is looked through once a grading: with nothing to look through it is one query, and
    what waits for its key costs no more than asking reveal.
    """
    attempts = _list_unread(learner)[:MOST_ATTEMPTS]
    readable = [
        (row, manifest)
        for row in with_related_rows(attempts)
        if isinstance(manifest := parse_manifest(row), Manifest)
    ]
    if not readable:
        return 0
    revealed = _find_revealed(readable, learner, now)
    if not revealed:
        return 0
    mistakes = list(chain.from_iterable(_collect(revealed)))
    count = _store(learner, mistakes, now)
    MistakeSync.objects.bulk_create(
        (
            MistakeSync(
                learner=learner, attempt=row, grading_id=row.result.grading_id, synced_at=now
            )
            for row, _ in revealed
        ),
        update_conflicts=True,
        unique_fields=["attempt"],
        update_fields=["grading", "synced_at"],
    )
    return count


def _list_unread(learner: User) -> QuerySet[Attempt]:
    unread = Q(mistake_sync=None) | ~Q(mistake_sync__grading=F("result__grading"))
    graded = Attempt.objects.filter(
        unread, learner=learner, state=State.GRADED, is_staff_attempt=False, result__isnull=False
    )
    return graded.order_by("-pk")


def _find_revealed(
    readable: Sequence[tuple[Attempt, Manifest]], learner: User, now: datetime
) -> list[tuple[Attempt, Manifest]]:
    """Return the attempts of which reveal shows their learner what is right, and what they got."""
    moments = {
        row.pk: reveal_moments(manifest.policies.reveal, score_only=False)
        for row, manifest in readable
    }
    contexts = load_reveal_contexts([row for row, _ in readable], learner, now, moments=moments)
    revealed = []
    for row, manifest in readable:
        visible = reveal.reveal(manifest.policies.reveal, contexts[row.pk])
        if visible.key and visible.correctness and visible.score:
            revealed.append((row, manifest))
    return revealed


def _collect(revealed: Sequence[tuple[Attempt, Manifest]]) -> list[list[_Mistake]]:
    """Return the mistakes of each attempt, with the version by whose key they are ones."""
    results: dict[int, list[ItemResult]] = {}
    gradings = [row.result.grading_id for row, _ in revealed]
    for item_result in ItemResult.objects.filter(grading__in=gradings).order_by("pk"):
        results.setdefault(item_result.grading_id, []).append(item_result)
    return [
        _read_attempt(row, manifest, results.get(row.result.grading_id, []))
        for row, manifest in revealed
    ]


def _read_attempt(
    row: Attempt, manifest: Manifest, item_results: Sequence[ItemResult]
) -> list[_Mistake]:
    key_versions = _find_key_versions(row, manifest)
    public_versions = load_public_versions(key_versions.values())
    mistakes = []
    for item_result in item_results:
        # An erased one has lost its ledger; one that waits for a person has no score.
        if item_result.score is None or not item_result.points:
            continue
        public_version = public_versions[key_versions[item_result.slot]]
        options = public_version.translations[public_version.source_language].parts.keys()
        score = ItemScore.from_json(item_result.score)
        mistakes += [
            _Mistake(public_version.uuid, option)
            for option in find_mistakes(public_version.kind, score, options)
        ]
    return mistakes


def _find_key_versions(row: Attempt, manifest: Manifest) -> Mapping[int, UUID]:
    """Return by slot the version whose key counted: the one drawn, or one it was regraded by."""
    read = row.result.grading.regrade_rules_read
    corrections = load_corrections(row.quiz_id, manifest, most=read)
    newest = {
        slot: rule.version
        for slot, rules in corrections.by_slot.items()
        for rule in rules
        if rule.action == KEY
    }
    return {at: newest.get(at, slot.version) for at, slot in enumerate(manifest.slots)}


def _store(learner: User, mistakes: Sequence[_Mistake], now: datetime) -> int:
    """Add the cards that are missing; those that there are, get the newest version revealed."""
    versions = QuestionVersion.objects.filter(uuid__in={each.version for each in mistakes})
    by_uuid = {version.uuid: version for version in versions}
    newest: dict[tuple[int, str], QuestionVersion] = {}
    for mistake in mistakes:
        version = by_uuid[mistake.version]
        place = version.question_id, mistake.option
        if place not in newest or newest[place].pk < version.pk:
            newest[place] = version
    own = StudyCard.objects.filter(
        learner=learner, source=CardSource.MISTAKE, question__in={pk for pk, _ in newest}
    )
    cards = {(card.question_id, card.option): card for card in own}
    new = [
        StudyCard(
            learner=learner,
            question_id=question,
            option=option,
            source=CardSource.MISTAKE,
            version=version,
            created_at=now,
        )
        for (question, option), version in newest.items()
        if (question, option) not in cards
    ]
    StudyCard.objects.bulk_create(new, ignore_conflicts=True)
    # What was revealed of the question holds for all its cards.
    latest: dict[int, QuestionVersion] = {}
    for (question, _), version in newest.items():
        if question not in latest or latest[question].pk < version.pk:
            latest[question] = version
    outdated = [
        card for card in cards.values() if (card.version_id or 0) < latest[card.question_id].pk
    ]
    for card in outdated:
        card.version = latest[card.question_id]
    StudyCard.objects.bulk_update(outdated, ["version"])
    return len(new)
