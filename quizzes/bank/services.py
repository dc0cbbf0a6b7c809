"""Authoring: drafts are saved whatever is wrong with them, and published when nothing is."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Now

from accounts.models import Group, User
from grading.contract import Problem
from quizzes.audit.codes import AuditCode
from quizzes.audit.row_changes import record_changes
from quizzes.audit.services import record
from quizzes.bank import uploads
from quizzes.bank.access import check_can_add_bank, check_editor
from quizzes.bank.checks import lint_drafts
from quizzes.bank.models import (
    Bank,
    Draft,
    Option,
    Question,
    QuestionVersion,
    Tag,
)
from quizzes.bank.versions import Publication, publish_versions
from quizzes.document import QuestionDocument, compute_digest, find_problems
from quizzes.events import services as events
from quizzes.lib.errors import Conflict, Invalid
from quizzes.lib.row_writers import reserve_ids
from quizzes.lib.short_names import refuse_taken

BANK_FIELDS = (
    *("slug", "title", "description", "source", "licence", "source_language"),
    *("group", "owner"),
)


def find_or_build_bank(
    *, slug: str, group: Group | None, fields: Mapping[str, Any], by: User | None
) -> Bank:
    """Return the bank as `update_or_create_bank` would leave it, by an id that is kept for it.

    What is imported into it is made ready before it is written. Writes no row.
    """
    bank = Bank.objects.filter(slug=slug).first()
    digest = compute_digest(dict(fields))
    if bank is None:
        check_can_add_bank(by, group)
        (pk,) = reserve_ids(Bank, 1)
        bank = Bank(pk=pk, slug=slug, group=group, owner=by)
    else:
        check_editor(by, bank)
    if bank.imported_fingerprint != digest:
        bank.imported_fingerprint = digest
        for field, stored in fields.items():
            setattr(bank, field, stored)
    return bank


@transaction.atomic
def update_or_create_bank(
    *,
    slug: str,
    group: Group | None,
    fields: Mapping[str, Any],
    by: User | None,
    new_id: int | None = None,
) -> Bank:
    """Make the bank of this slug, or bring it to these fields if they are new ones.

    `fields` are title, description, source and so on. The same fields a second time leave alone
    what authors changed since; what is changed is recorded. No editor of it, or of no class of
    theirs: NotFound. `new_id`: the id of the bank if it is made, of `find_or_build_bank`.
    """
    digest = compute_digest(dict(fields))
    stored = Bank.objects.filter(slug=slug).first()
    if stored is None:
        check_can_add_bank(by, group)
        bank = Bank.objects.create(
            pk=new_id, slug=slug, group=group, owner=by, imported_fingerprint=digest, **fields
        )
    else:
        check_editor(by, stored)
        if stored.imported_fingerprint == digest:
            return stored
        Bank.objects.filter(pk=stored.pk).update(**fields, imported_fingerprint=digest)
        bank = Bank.objects.get(pk=stored.pk)
    record_changes(AuditCode.BANK_CHANGED, bank, stored=stored, fields=BANK_FIELDS, by=by)
    return bank


@transaction.atomic
def save_bank(*, bank: Bank, by: User) -> None:
    """Save a bank as a form has it, and record what changed: its class decides who sees its keys.

    Who makes one owns it. No editor of it, or its class, the one before or the new one, is none
    of theirs: NotFound. Its short name is another bank's, even if that was saved at the same
    moment: ShortNameTaken.
    """
    stored = Bank.objects.select_for_update().filter(pk=bank.pk).first()
    if stored is None:
        bank.owner = by
    else:
        check_editor(by, stored)
    if stored is None or stored.group_id != bank.group_id:
        for group in {bank.group, stored.group if stored else None}:
            check_can_add_bank(by, group)
    with refuse_taken(bank):
        bank.save()
    record_changes(AuditCode.BANK_CHANGED, bank, stored=stored, fields=BANK_FIELDS, by=by)


def record_import(*, question: Question, item: QuestionDocument, by: User | None) -> None:
    """Remember what a file said of a question, to tell authors' changes from the file's.

    No editor of the bank: NotFound.
    """
    check_editor(by, question.bank)
    Question.objects.filter(pk=question.pk).update(imported_fingerprint=item.digest())


@transaction.atomic
def add_question(*, bank: Bank, name: str, item: QuestionDocument, by: User | None) -> Question:
    """Make a question with its first draft. A name that is taken: Conflict; no editor: NotFound."""
    check_editor(by, bank)
    question, created = Question.objects.get_or_create(
        bank=bank, name=name, defaults={"kind": item.kind}
    )
    if not created:
        raise Conflict("name_taken", name=name)
    Draft.objects.create(question=question, data=item.to_json(), updated_by=by)
    return question


@transaction.atomic
def rename_question(*, question: Question, name: str, by: User | None) -> Question:
    """Give a question another name in its bank; its versions, attempts and quizzes are as before.

    A name that is taken: Conflict. No editor of the bank: NotFound.
    """
    check_editor(by, question.bank)
    row = Question.objects.select_for_update().get(pk=question.pk)
    if row.name == name:
        return row
    before, row.name = row.name, name
    try:
        with transaction.atomic():
            row.save(update_fields=["name", "updated_at"])
    except IntegrityError as error:
        raise Conflict("name_taken", name=name) from error
    record(
        AuditCode.QUESTION_RENAMED,
        about=row,
        group=question.bank.group_id,
        by=by,
        before={"name": before},
        after={"name": name},
    )
    return row


def option_ids(*, question: Question, names: Iterable[str], by: User | None) -> dict[str, str]:
    """Return the id of each option name, for ever the same; new names get new ids.

    No editor of the bank: NotFound.
    """
    check_editor(by, question.bank)
    existing = {option.name: option for option in question.options.all()}
    fresh = [Option(question=question, name=name) for name in names if name not in existing]
    Option.objects.bulk_create(fresh)
    return {name: str(option.uuid) for name, option in existing.items()} | {
        option.name: str(option.uuid) for option in fresh
    }


def add_options(*, question: Question, names: Mapping[str, str], by: User | None) -> None:
    """Add the options with these ids and names, which nobody has yet. No editor: NotFound."""
    if not names:
        return
    check_editor(by, question.bank)
    Option.objects.bulk_create(
        Option(question=question, uuid=id_, name=name) for id_, name in names.items()
    )


@transaction.atomic
def save_draft(
    *, question: Question, item: QuestionDocument, revision: int | None, by: User | None
) -> tuple[Problem, ...]:
    """Keep the draft, and name what is wrong with it.

    `revision` is the one the author began from; if another save came between: Conflict, and
    nothing is kept. None overwrites whatever stands (for files, which are whole by themselves).
    No editor of the bank: NotFound.
    """
    check_editor(by, question.bank)
    drafts = Draft.objects.filter(question=question)
    if revision is not None:
        drafts = drafts.filter(revision=revision)
    changed = drafts.update(
        data=item.to_json(), revision=F("revision") + 1, updated_by=by, updated_at=Now()
    )
    if not changed:
        raise Conflict("draft_changed", question=question.name)
    if question.kind != item.kind:
        Question.objects.filter(pk=question.pk).update(kind=item.kind)
    lint_drafts([question.pk])
    return find_publishing_problems(question=question, item=item)


@transaction.atomic
def write_question(  # noqa: PLR0913  what an author writes of a question
    *,
    question: Question,
    item: QuestionDocument,
    row_names: Mapping[str, str],
    tags: Iterable[str] | None,
    revision: int | None,
    by: User | None,
) -> tuple[Problem, ...]:
    """Keep what an author wrote: the draft as `save_draft` does, its new rows by id, its tags.

    Without `tags` those that it has stay.
    """
    check_editor(by, question.bank)
    drafts = Draft.objects.select_for_update().filter(question=question)
    if revision is not None and not drafts.filter(revision=revision):
        raise Conflict("draft_changed", question=question.name)
    add_options(question=question, names=row_names, by=by)
    problems = save_draft(question=question, item=item, revision=revision, by=by)
    if tags is not None:
        set_tags(question=question, names=tags, by=by)
    return problems


def find_publishing_problems(
    *, question: Question, item: QuestionDocument, lock: bool = False
) -> tuple[Problem, ...]:
    """Name all that keeps an item from being published as this question; `lock` as for files."""
    files = uploads.find_media_problems(bank=question.bank_id, item=item, lock=lock)
    return (*find_problems(item), *files)


def set_tags(*, question: Question, names: Iterable[str], by: User | None) -> None:
    """Replace the tags of the question by these. No editor of the bank: NotFound."""
    check_editor(by, question.bank)
    unique_names = list(dict.fromkeys(names))
    Tag.objects.bulk_create([Tag(name=name) for name in unique_names], ignore_conflicts=True)
    question.tags.set(Tag.objects.filter(name__in=unique_names))


@transaction.atomic
def publish(
    *, question: Question, by: User | None, now: datetime, note: str = ""
) -> QuestionVersion:
    """Freeze the draft as the next version; unchanged since the last one: that one.

    What was retired is in use again. Problems left in the draft: Invalid, with all of them;
    nothing is written. No editor of the bank: NotFound.
    """
    questions = Question.objects.select_related("bank").select_for_update(of=("self",))
    question = questions.get(pk=question.pk)
    check_editor(by, question.bank)
    item = QuestionDocument.from_json(Draft.objects.get(question=question).data)
    blocking = find_publishing_problems(question=question, item=item, lock=True)
    if blocking:
        raise Invalid("draft_has_problems", question=question.name, problems=blocking)
    digest = item.digest()
    current = question.current
    if current is not None and current.digest == digest:
        Question.objects.filter(pk=question.pk).update(retired_at=None, merged_into=None)
        return current
    version = publish_versions([Publication(question, item, digest, note)], by=by, now=now)[0]
    record(
        AuditCode.QUESTION_PUBLISHED,
        about=question,
        group=question.bank.group_id,
        by=by,
        before={"version": current.number} if current else None,
        after={"version": version.number, "note": note},
    )
    return version


@transaction.atomic
def retire(*, question: Question, by: User | None, now: datetime) -> None:
    """Take a question out of use; what was published of it stays for the attempts that name it.

    No editor of the bank: NotFound.
    """
    check_editor(by, question.bank)
    if Question.objects.filter(pk=question.pk, retired_at=None).update(retired_at=now):
        group = question.bank.group_id
        record(AuditCode.QUESTION_RETIRED, about=question, group=group, by=by)


@transaction.atomic
def merge_into(*, question: Question, target: Question, by: User | None, now: datetime) -> None:
    """Retire a question whose words another one of its bank has now, and remember which.

    No editor of the bank: NotFound.
    """
    check_editor(by, question.bank)
    Question.objects.filter(pk=question.pk).update(retired_at=now, merged_into=target)
    events.record(
        kind="question.merged",
        subject=question.uuid,
        data={"by": str(target.uuid)},
        now=now,
    )
