"""Writing many questions at once: the same rows as `services` writes one by one, in batches."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from django.db import transaction
from django.db.models import Max, OuterRef, Subquery

from accounts.models import User
from quizzes.bank import item as items
from quizzes.bank import uploads
from quizzes.bank.item import Item
from quizzes.bank.models import (
    Bank,
    Draft,
    Option,
    Question,
    QuestionVersion,
    Rendition,
    Tag,
    VersionFeedback,
    VersionKey,
)
from quizzes.events.models import Event


@dataclass(frozen=True)
class Wanted:
    """The next state of a question; `rows` are its rows by name, with the ids the item uses.

    To be `published` it must have no problems: whoever asks has looked. `lasting`: a file speaks
    for all of it, so that what an author writes from now on is known.
    """

    name: str
    item: Item
    rows: Mapping[str, str] = field(default_factory=dict)
    tags: frozenset[str] = frozenset()
    published: bool = False
    lasting: bool = True

    @cached_property
    def digest(self) -> str:
        """The fingerprint of the item: worked out once."""
        return self.item.digest()


@transaction.atomic
def keep(*, bank: Bank, wanted: Sequence[Wanted], by: User | None, now: datetime) -> None:
    """Bring these questions of a bank to these states, new ones and those there are.

    Each is remembered as loaded from a file. Names within `wanted` differ. The number of queries
    does not depend on how many they are; batches of some hundreds keep statements short.
    """
    known = {
        one.name: one
        for one in Question.objects.select_for_update().filter(
            bank=bank, name__in=[one.name for one in wanted]
        )
    }
    questions = _questions(bank, wanted, known)
    _drafts(wanted, questions, {one.pk for one in known.values()}, by, now)
    _rows(wanted, questions)
    _tags(wanted, questions)
    _publish([one for one in wanted if one.published], questions, by, now)


def _questions(
    bank: Bank, wanted: Sequence[Wanted], known: Mapping[str, Question]
) -> dict[str, Question]:
    fresh: list[Question] = []
    old: list[Question] = []
    for one in wanted:
        question = known.get(one.name) or Question(bank=bank, name=one.name)
        question.kind = one.item.kind
        if one.lasting:
            question.loaded_digest = one.digest
        (old if question.pk else fresh).append(question)
    Question.objects.bulk_create(fresh)
    if old:
        Question.objects.bulk_update(old, ["kind", "loaded_digest"])
    return {one.name: one for one in (*fresh, *old)}


def _drafts(
    wanted: Sequence[Wanted],
    questions: Mapping[str, Question],
    old: set[int],
    by: User | None,
    now: datetime,
) -> None:
    held = {one.question_id: one for one in Draft.objects.filter(question__in=old)} if old else {}
    fresh = []
    for one in wanted:
        pk = questions[one.name].pk
        draft = held.get(pk)
        if draft is None:
            fresh.append(Draft(question_id=pk, data=one.item.to_json(), updated_by=by))
            continue
        draft.data, draft.revision = one.item.to_json(), draft.revision + 1
        draft.updated_by, draft.updated_at = by, now
    Draft.objects.bulk_create(fresh)
    if held:
        fields = ["data", "revision", "updated_by", "updated_at"]
        Draft.objects.bulk_update(held.values(), fields)


def _rows(wanted: Sequence[Wanted], questions: Mapping[str, Question]) -> None:
    known = set(
        Option.objects.filter(question__in=[one.pk for one in questions.values()]).values_list(
            "question_id", "name"
        )
    )
    Option.objects.bulk_create(
        Option(question=questions[one.name], name=name, uuid=id_)
        for one in wanted
        for name, id_ in one.rows.items()
        if (questions[one.name].pk, name) not in known
    )


def _tags(wanted: Sequence[Wanted], questions: Mapping[str, Question]) -> None:
    names = sorted({name for one in wanted for name in one.tags})
    through = Question.tags.through
    through.objects.filter(question__in=[one.pk for one in questions.values()]).delete()
    if not names:
        return
    Tag.objects.bulk_create([Tag(name=name) for name in names], ignore_conflicts=True)
    tags = dict(Tag.objects.filter(name__in=names).values_list("name", "pk"))
    through.objects.bulk_create(
        through(question_id=questions[one.name].pk, tag_id=tags[name])
        for one in wanted
        for name in sorted(one.tags)
    )


def _publish(
    wanted: Sequence[Wanted], questions: Mapping[str, Question], by: User | None, now: datetime
) -> None:
    pks = [questions[one.name].pk for one in wanted]
    versions = QuestionVersion.objects.filter(question__in=pks)
    last = dict(
        versions.order_by()
        .values("question")
        .annotate(n=Max("number"))
        .values_list("question", "n")
    )
    held = dict(
        Question.objects.filter(pk__in=pks, current__isnull=False).values_list(
            "pk", "current__digest"
        )
    )
    frozen = [
        (one, _version(one, questions[one.name], last, by))
        for one in wanted
        if held.get(questions[one.name].pk) != one.digest
    ]
    QuestionVersion.objects.bulk_create(version for _, version in frozen)
    _parts(frozen)
    newest = QuestionVersion.objects.filter(question=OuterRef("pk")).order_by("-number")
    Question.objects.filter(pk__in=[version.question_id for _, version in frozen]).update(
        current=Subquery(newest.values("pk")[:1])
    )
    Question.objects.filter(pk__in=pks).update(retired_at=None, taken_in_by=None)
    Event.objects.bulk_create(
        Event(
            kind="question.published",
            subject=version.question.uuid,
            data={"version": str(version.uuid), "number": version.number},
            occurred_at=now,
        )
        for _, version in frozen
    )


def _version(
    one: Wanted, question: Question, last: Mapping[int, int], by: User | None
) -> QuestionVersion:
    item = one.item
    return QuestionVersion(
        question=question,
        number=last.get(question.pk, 0) + 1,
        kind=item.kind,
        scheme=item.scheme,
        content=item.content,
        source_language=item.source_language,
        digest=one.digest,
        published_by=by,
    )


def _parts(frozen: Sequence[tuple[Wanted, QuestionVersion]]) -> None:
    Rendition.objects.bulk_create(
        Rendition(
            version=version,
            language=language,
            words=one.item.words[language],
            stale=one.item.is_stale(language),
        )
        for one, version in frozen
        for language in items.languages(one.item)
    )
    VersionKey.objects.bulk_create(
        VersionKey(version=version, key=one.item.key) for one, version in frozen
    )
    VersionFeedback.objects.bulk_create(
        VersionFeedback(
            version=version, language=language, words=one.item.feedback.get(language, {})
        )
        for one, version in frozen
        for language in items.languages(one.item)
    )
    for one, version in frozen:
        uploads.tie(version=version, item=one.item)  # no query where no file is shown
