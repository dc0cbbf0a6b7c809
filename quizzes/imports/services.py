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
from quizzes.formats.document_mapping import build_document
from quizzes.lib.errors import Invalid


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a load did, question by question.

    `conflict`: the file and an author both changed it, and the author's state stands.
    `not_in_file`: in the bank only.
    """

    bank: Bank
    new: tuple[str, ...]
    changed: tuple[str, ...]
    unchanged: tuple[str, ...]
    conflict: tuple[str, ...]
    not_in_file: tuple[str, ...]
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
    existing = {question.name: question for question in target.questions.select_related("draft")}
    troubles: list[FileError] = []
    done: dict[str, list[str]] = {"new": [], "changed": [], "unchanged": [], "conflict": []}
    for parsed_question in parcel.questions:
        question = existing.get(parsed_question.name) or _add(target, parsed_question, by)
        item = _item(question, parsed_question, target.source_language)
        if problems := bank.find_publishing_problems(question=question, item=item):
            troubles.extend(_troubles(question, parsed_question, problems))
            continue
        what = _what(question, item, is_new=parsed_question.name not in existing, force=force)
        if what in {"new", "changed"}:
            _bring(question, item, parsed_question, by, now)
        done[what].append(parsed_question.name)
    _refuse(troubles)
    names_in_file = {parsed_question.name for parsed_question in parcel.questions}
    return Loaded(
        target,
        tuple(done["new"]),
        tuple(done["changed"]),
        tuple(done["unchanged"]),
        tuple(done["conflict"]),
        tuple(name for name in existing if name not in names_in_file),
        tuple(
            source_item
            for source_item in parcel.items
            if source_item.status == ImportStatus.REFUSED
        ),
    )


def _what(question: Question, item: QuestionDocument, *, is_new: bool, force: bool) -> str:
    """Tell what the file's word on a question means: new, changed, unchanged, or a conflict."""
    if is_new:
        return "new"
    file_digest, drafted = item.digest(), QuestionDocument.from_json(question.draft.data).digest()
    if file_digest == drafted == question.imported_fingerprint:
        return "unchanged"
    if force or drafted in {file_digest, question.imported_fingerprint}:
        return "changed"
    return "unchanged" if question.imported_fingerprint == file_digest else "conflict"


def _bring(
    question: Question,
    item: QuestionDocument,
    parsed_question: ParsedQuestion,
    by: User | None,
    now: datetime,
) -> None:
    bank.save_draft(question=question, item=item, revision=None, by=by)
    bank.set_tags(question=question, names=parsed_question.tags)
    bank.publish(question=question, by=by, now=now)
    bank.record_import(question=question, item=item)


def _refuse(troubles: "list[FileError] | tuple[FileError, ...]") -> None:
    if troubles:
        in_order = sorted(troubles, key=lambda trouble: trouble.line)
        raise Invalid("file_has_troubles", troubles=tuple(in_order))


def _add(target: Bank, parsed_question: ParsedQuestion, by: User | None) -> Question:
    empty = QuestionDocument(
        kind=parsed_question.kind,
        scoring_method=parsed_question.scoring_method,
        source_language=target.source_language,
    )
    return bank.add_question(bank=target, name=parsed_question.name, item=empty, by=by)


def _item(
    question: Question, parsed_question: ParsedQuestion, source_language: str
) -> QuestionDocument:
    names = [row.name for row in parsed_question.rows]
    ids = bank.option_ids(question=question, names=names)
    return build_document(parsed_question, ids, source_language)


def _troubles(
    question: Question, parsed_question: ParsedQuestion, problems: Iterable[Problem]
) -> Iterator[FileError]:
    names = {str(row.uuid): row.name for row in question.options.all()}
    return (_trouble(parsed_question, problem, names) for problem in problems)


def _trouble(
    parsed_question: ParsedQuestion, problem: Problem, names: Mapping[str, str]
) -> FileError:
    """Name the row by what the file calls it, at its own line."""
    steps = [names.get(step, step) for step in problem.where.split(".")]
    lines = {row.name: row.line for row in parsed_question.rows}
    line = next((lines[step] for step in steps if step in lines), parsed_question.line)
    where = f"question {parsed_question.name}, {'.'.join(steps)}"
    return FileError(line, where, problem.code, problem.code.replace("_", " "))
