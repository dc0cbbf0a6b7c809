"""Writing many questions at once: the same rows as `services` writes one by one, in batches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, partial

from django.db import connection, transaction

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
from quizzes.lib.row_writers import DIRECT, RowWriter


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
    write_questions(DIRECT, bank=bank, states=states, by=by, now=now)


def write_questions(
    writer: RowWriter,
    *,
    bank: Bank,
    states: Sequence[QuestionState],
    by: User | None,
    now: datetime,
) -> None:
    """Have a writer bring questions to these states; the caller sees to the transaction.

    No editor of the bank: NotFound.
    """
    check_editor(by, bank)
    rows = Question.objects.filter(bank=bank, name__in=[state.name for state in states])
    if connection.in_atomic_block:
        rows = rows.select_for_update()
    existing = {question.name: question for question in rows}
    questions = _questions(writer, bank, states, existing)
    old = {question.pk for question in existing.values()}
    _drafts(states, questions, old, by, now, writer=writer)
    _rows(writer, states, questions)
    tags = {questions[state.name].pk: state.tags for state in states}
    writer.call(partial(_write_tags, tags))
    publications = [
        Publication(questions[state.name], state.item, state.digest)
        for state in states
        if state.published
    ]
    publish_versions(publications, by=by, now=now, writer=writer)


def _questions(
    writer: RowWriter,
    bank: Bank,
    states: Sequence[QuestionState],
    existing: Mapping[str, Question],
) -> dict[str, Question]:
    fresh: list[Question] = []
    old: list[Question] = []
    for state in states:
        question = existing.get(state.name) or Question(bank=bank, name=state.name)
        question.kind = state.item.kind
        if state.file_managed:
            question.imported_fingerprint = state.digest
        (old if question.pk else fresh).append(question)
    writer.insert(Question, fresh, have_parts=True)
    if old:
        writer.update(Question, old, ["kind", "imported_fingerprint"])
    return {question.name: question for question in (*fresh, *old)}


def _drafts(  # noqa: PLR0913  what a draft is made of
    states: Sequence[QuestionState],
    questions: Mapping[str, Question],
    old: set[int],
    by: User | None,
    now: datetime,
    *,
    writer: RowWriter,
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
    writer.insert(Draft, fresh)
    if drafts:
        fields = ["data", "revision", "updated_by", "updated_at"]
        writer.update(Draft, list(drafts.values()), fields)


def _rows(
    writer: RowWriter, states: Sequence[QuestionState], questions: Mapping[str, Question]
) -> None:
    existing = set(
        Option.objects.filter(
            question__in=[question.pk for question in questions.values()]
        ).values_list("question_id", "name")
    )
    options = (
        Option(question=questions[state.name], name=name, uuid=id_)
        for state in states
        for name, id_ in state.rows.items()
        if (questions[state.name].pk, name) not in existing
    )
    writer.insert(Option, options)


def _write_tags(tag_names: Mapping[int, frozenset[str]]) -> None:
    """Replace the tags of these questions, by their ids."""
    names = sorted({name for names in tag_names.values() for name in names})
    through = Question.tags.through
    through.objects.filter(question__in=list(tag_names)).delete()
    if not names:
        return
    Tag.objects.bulk_create([Tag(name=name) for name in names], ignore_conflicts=True)
    tags = dict(Tag.objects.filter(name__in=names).values_list("name", "pk"))
    through.objects.bulk_create(
        through(question_id=pk, tag_id=tags[name])
        for pk, names in tag_names.items()
        for name in sorted(names)
    )
