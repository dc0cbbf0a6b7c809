"""Loading parcels: whole or not at all, and the same file twice changes nothing."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts.models import Group, User
from grading.contract import Problem
from quizzes.bank import services as bank
from quizzes.bank.models import Bank, Question
from quizzes.document import QuestionDocument
from quizzes.formats.contract import FileError, ImportStatus, ParsedFile, ParsedQuestion, SourceItem
from quizzes.formats.document_mapping import to_item
from quizzes.lib.errors import Invalid


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load did, question by question.

    `conflict`: the file and an author both changed it, and the author's state stands. `kept`: in
    the bank but not in the file.
    """

    bank: Bank
    new: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
    conflict: tuple[str, ...]
    kept: tuple[str, ...]
    waiting: tuple[SourceItem, ...]


@transaction.atomic
def load(
    *, parcel: ParsedFile, group: Group | None, by: User | None, now: datetime, force: bool = False
) -> Loaded:
    """Bring a bank to the state of its file, and publish what the file changed.

    Any trouble, in the file or found by the question kinds: Invalid with all of them by line, and
    nothing is written. What an author changed since the last load is never overwritten, unless
    with `force`: where the file says nothing new it stays, where both changed it stays and is
    told. Questions that the file no longer has stay as they are.
    """
    _refuse(parcel.errors)
    target = bank.update_or_create_bank(slug=parcel.slug, group=group, fields=parcel.fields)
    known = {question.name: question for question in target.questions.select_related("draft")}
    troubles: list[FileError] = []
    done: dict[str, list[str]] = {"new": [], "changed": [], "unchanged": [], "conflict": []}
    for told in parcel.questions:
        question = known.get(told.name) or _add(target, told, by)
        item = _item(question, told, target.source_language)
        if found := bank.find_publishing_problems(question=question, item=item):
            troubles.extend(_troubles(question, told, found))
            continue
        what = _what(question, item, is_new=told.name not in known, force=force)
        if what in {"new", "changed"}:
            _bring(question, item, told, by, now)
        done[what].append(told.name)
    _refuse(troubles)
    told_names = {told.name for told in parcel.questions}
    return Loaded(
        target,
        tuple(done["new"]),
        tuple(done["changed"]),
        tuple(done["unchanged"]),
        tuple(done["conflict"]),
        tuple(name for name in known if name not in told_names),
        tuple(one for one in parcel.items if one.status == ImportStatus.REFUSED),
    )


def _what(question: Question, item: QuestionDocument, *, is_new: bool, force: bool) -> str:
    """Tell what the file's word on a question means: new, changed, unchanged, or a conflict."""
    if is_new:
        return "new"
    said, drafted = item.digest(), QuestionDocument.from_json(question.draft.data).digest()
    if said == drafted == question.imported_fingerprint:
        return "unchanged"
    if force or drafted in {said, question.imported_fingerprint}:
        return "changed"
    return "unchanged" if question.imported_fingerprint == said else "conflict"


def _bring(
    question: Question, item: QuestionDocument, told: ParsedQuestion, by: User | None, now: datetime
) -> None:
    bank.save_draft(question=question, item=item, revision=None, by=by)
    bank.set_tags(question=question, names=told.tags)
    bank.publish(question=question, by=by, now=now)
    bank.record_import(question=question, item=item)


def _refuse(troubles: "list[FileError] | tuple[FileError, ...]") -> None:
    if troubles:
        in_order = sorted(troubles, key=lambda trouble: trouble.line)
        raise Invalid("file_has_troubles", troubles=tuple(in_order))


def _add(target: Bank, told: ParsedQuestion, by: User | None) -> Question:
    empty = QuestionDocument(
        kind=told.kind, scoring_method=told.scoring_method, source_language=target.source_language
    )
    return bank.add_question(bank=target, name=told.name, item=empty, by=by)


def _item(question: Question, told: ParsedQuestion, source_language: str) -> QuestionDocument:
    names = [row.name for row in told.rows]
    ids = bank.option_ids(question=question, names=names)
    return to_item(told, ids, source_language)


def _troubles(
    question: Question, told: ParsedQuestion, found: Iterable[Problem]
) -> Iterator[FileError]:
    names = {str(row.uuid): row.name for row in question.options.all()}
    return (_trouble(told, problem, names) for problem in found)


def _trouble(told: ParsedQuestion, problem: Problem, names: Mapping[str, str]) -> FileError:
    """Name the row by what the file calls it, at its own line."""
    steps = [names.get(step, step) for step in problem.where.split(".")]
    lines = {row.name: row.line for row in told.rows}
    line = next((lines[step] for step in steps if step in lines), told.line)
    where = f"question {told.name}, {'.'.join(steps)}"
    return FileError(line, where, problem.code, problem.code.replace("_", " "))
