"""Writing many questions at once: the same rows as `services` writes one by one, in batches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from django.db import transaction

from accounts.models import User
from quizzes.bank.access import check_editor
from quizzes.bank.models import (
    Bank,
    Draft,
    Option,
    Question,
    Tag,
)
from quizzes.bank.versions import Publication, publish_versions
from quizzes.document import QuestionDocument


@dataclass(frozen=True)
class QuestionState:
    """The next state of a question; `rows` are its rows by name, with the ids the item uses.

    To be `published` it must have no problems: the caller has checked. `file_managed`: a file
    has all of it, so that later changes by an author are recognised.
    """

    name: str
    item: QuestionDocument
    rows: Mapping[str, str] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    published: bool = False
    file_managed: bool = True

    @cached_property
    def digest(self) -> str:
        """The fingerprint of the item: worked out once."""
        return self.item.digest()


@transaction.atomic
def update_or_create_questions(
    *, bank: Bank, states: Sequence[QuestionState], by: User | None, now: datetime
) -> None:
    """Bring these questions of a bank to these states, new ones and those there are.

    Each is remembered as loaded from a file. Names within `states` differ. The number of queries
    does not depend on how many they are; batches of some hundreds keep statements short. No editor
    of the bank: NotFound.
    """
    check_editor(by, bank)
    existing = {
        question.name: question
        for question in Question.objects.select_for_update().filter(
            bank=bank, name__in=[state.name for state in states]
        )
    }
    questions = _questions(bank, states, existing)
    _drafts(states, questions, {question.pk for question in existing.values()}, by, now)
    _rows(states, questions)
    _tags(states, questions)
    publications = [
        Publication(questions[state.name], state.item, state.digest)
        for state in states
        if state.published
    ]
    publish_versions(publications, by=by, now=now)


def _questions(
    bank: Bank, states: Sequence[QuestionState], existing: Mapping[str, Question]
) -> dict[str, Question]:
    fresh: list[Question] = []
    old: list[Question] = []
    for state in states:
        question = existing.get(state.name) or Question(bank=bank, name=state.name)
        question.kind = state.item.kind
        if state.file_managed:
            question.imported_fingerprint = state.digest
        (old if question.pk else fresh).append(question)
    Question.objects.bulk_create(fresh)
    if old:
        Question.objects.bulk_update(old, ["kind", "imported_fingerprint"])
    return {question.name: question for question in (*fresh, *old)}


def _drafts(
    states: Sequence[QuestionState],
    questions: Mapping[str, Question],
    old: set[int],
    by: User | None,
    now: datetime,
) -> None:
    drafts = (
        {draft.question_id: draft for draft in Draft.objects.filter(question__in=old)}
        if old
        else {}
    )
    fresh = []
    for state in states:
        pk = questions[state.name].pk
        draft = drafts.get(pk)
        if draft is None:
            fresh.append(Draft(question_id=pk, data=state.item.to_json(), updated_by=by))
            continue
        draft.data, draft.revision = state.item.to_json(), draft.revision + 1
        draft.updated_by, draft.updated_at = by, now
    Draft.objects.bulk_create(fresh)
    if drafts:
        fields = ["data", "revision", "updated_by", "updated_at"]
        Draft.objects.bulk_update(drafts.values(), fields)


def _rows(states: Sequence[QuestionState], questions: Mapping[str, Question]) -> None:
    existing = set(
        Option.objects.filter(
            question__in=[question.pk for question in questions.values()]
        ).values_list("question_id", "name")
    )
    Option.objects.bulk_create(
        Option(question=questions[state.name], name=name, uuid=id_)
        for state in states
        for name, id_ in state.rows.items()
        if (questions[state.name].pk, name) not in existing
    )


def _tags(states: Sequence[QuestionState], questions: Mapping[str, Question]) -> None:
    names = sorted({name for state in states for name in state.tags})
    through = Question.tags.through
    through.objects.filter(question__in=[question.pk for question in questions.values()]).delete()
    if not names:
        return
    Tag.objects.bulk_create([Tag(name=name) for name in names], ignore_conflicts=True)
    tags = dict(Tag.objects.filter(name__in=names).values_list("name", "pk"))
    through.objects.bulk_create(
        through(question_id=questions[state.name].pk, tag_id=tags[name])
        for state in states
        for name in sorted(state.tags)
    )
