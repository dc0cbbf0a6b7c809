"""What is to be done with each item of a file, given what the bank has. Pure."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from quizzes.document import QuestionDocument
from quizzes.formats.contract import ImportStatus, ParsedQuestion, SourceItem
from quizzes.formats.document_mapping import build_document
from quizzes.formats.parsing.naming import slugify
from quizzes.imports.import_plan.align_rows import align_rows
from quizzes.imports.import_plan.diff import diff_documents
from quizzes.imports.import_plan.merging import merge_from_file
from quizzes.imports.import_plan.name_conflicts import NAME_COLLISION, find_conflict
from quizzes.imports.import_plan.values import (
    BankSnapshot,
    ExistingQuestion,
    ImportAction,
    PlannedItem,
)
from quizzes.matching.fingerprints import question_fingerprints, unique_name
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.merge_translation import merge_translation


def plan_items(
    source_items: Iterable[tuple[int, SourceItem]],
    snapshot: BankSnapshot,
    used_names: set[str],
    *,
    is_bank_file: bool = False,
    as_new: Collection[int] = frozenset(),
) -> Iterator[PlannedItem]:
    """Plan items, each with its number in the file; nothing is left out.

    A question is known by its name, else by equal kind, prompt and rows; where a name leads to
    another question, a person decides. `used_names` are the questions that earlier items of the
    file are; it grows. `is_bank_file` as in `merge_from_file`. `as_new` are the numbers of items
    that are new whatever the bank has.
    """
    documents: dict[str, QuestionDocument] = {}
    for number, source_item in source_items:
        planned = PlannedItem(number, source_item, ImportAction.REFUSED)
        if (question := source_item.question) is None:
            yield planned
            continue
        is_new, match = number in as_new, snapshot.matches.get(number)
        existing, conflict_code = (
            (None, "") if is_new or match else _find_existing(question, snapshot, used_names)
        )
        if match and not is_new:
            existing = snapshot.by_name[match.question]
            earlier = documents.get(existing.name, existing.document)
            existing = replace(existing, document=earlier)
            planned = _plan_translation(planned, question, existing, match)
        elif existing is None:
            planned = _plan_new(planned, question, snapshot, used_names)
        elif conflict_code == NAME_COLLISION:
            planned = _plan_replacement(planned, question, existing)
        else:
            planned = _plan_change(planned, question, existing, is_bank_file=is_bank_file)
        if conflict_code:
            planned = replace(planned, action=ImportAction.CONFLICT, conflict_code=conflict_code)
        used_names.add(planned.name)
        if planned.document is not None:
            documents[planned.name] = planned.document
        yield planned


def _find_existing(
    question: ParsedQuestion, snapshot: BankSnapshot, used_names: set[str]
) -> tuple[ExistingQuestion | None, str]:
    """Return the bank's question, and the code of what a person must decide about it."""

    def find_first(names: Iterable[str]) -> ExistingQuestion | None:
        candidates = (snapshot.by_name.get(name) for name in names if name not in used_names)
        return next(filter(None, candidates), None)

    by_name = find_first((question.name, slugify(question.name)))
    conflict_code = (
        find_conflict(question, by_name.document) if by_name and not snapshot.is_own_file else ""
    )
    if by_name and not conflict_code:
        return by_name, ""
    if snapshot.is_own_file and question.name not in snapshot.names:
        return None, ""
    by_words = find_first(
        snapshot.names_by_fingerprint.get(fingerprint, "")
        for fingerprint in question_fingerprints(question)
    )
    return (by_words, "") if by_words else (by_name, conflict_code)


def _plan_new(
    planned: PlannedItem,
    question: ParsedQuestion,
    snapshot: BankSnapshot,
    used_names: set[str],
) -> PlannedItem:
    aligned = align_rows(question, None)
    return replace(
        planned,
        action=_review_or(planned, ImportAction.NEW),
        name=unique_name(question.name, used_names, snapshot.names, longest=100),
        document=build_document(
            question, aligned.ids, _source_language(question, snapshot.source_language)
        ),
        rows=aligned.rows,
        tags=frozenset(question.tags),
    )


def _plan_replacement(
    planned: PlannedItem, question: ParsedQuestion, existing: ExistingQuestion
) -> PlannedItem:
    """Put a question in the place of another, of which nothing stays but its name."""
    aligned = align_rows(question, existing, as_new=True)
    source_language = _source_language(question, existing.document.source_language)
    document = build_document(question, aligned.ids, source_language)
    return _with_differences(
        replace(planned, action=ImportAction.CONFLICT, tags=frozenset(question.tags)),
        existing,
        document,
        aligned.rows,
    )


def _plan_change(
    planned: PlannedItem,
    question: ParsedQuestion,
    existing: ExistingQuestion,
    *,
    is_bank_file: bool,
) -> PlannedItem:
    aligned = align_rows(question, existing)
    from_file = build_document(question, aligned.ids, existing.document.source_language)
    document = merge_from_file(existing.document, from_file, question, is_bank_file=is_bank_file)
    tags = frozenset(question.tags) if is_bank_file else existing.tags | frozenset(question.tags)
    planned = _with_differences(replace(planned, tags=tags), existing, document, aligned.rows)
    if not planned.differences:
        document = existing.document
    planned = replace(
        planned,
        document=document,
        changed_in_file=document.digest() != existing.imported_fingerprint,
    )
    if not planned.differences:
        return replace(planned, action=ImportAction.SAME)
    is_edited = existing.document.digest() != existing.imported_fingerprint
    if is_edited and any(part.before for part in planned.differences):
        return replace(planned, action=ImportAction.CONFLICT)
    return replace(planned, action=_review_or(planned, ImportAction.CHANGED))


def _plan_translation(
    planned: PlannedItem, question: ParsedQuestion, existing: ExistingQuestion, match: LanguageMatch
) -> PlannedItem:
    """Add the words of an item to the question that it is, and leave the rest as it is there."""
    from_file = build_document(question, None, match.language)
    merged = merge_translation(
        existing.document, from_file, match.language, match.ids, existing.rows
    )
    planned = _with_differences(
        replace(planned, tags=existing.tags | frozenset(question.tags)),
        existing,
        merged.document,
        {**existing.rows, **merged.rows},
    )
    planned = replace(
        planned,
        document=merged.document if planned.differences else existing.document,
        match=replace(
            match,
            key_change=merged.key_change,
            left_out=merged.left_out,
            document=existing.document,
        ),
        file_managed=existing.imported_fingerprint == existing.document.digest(),
        is_published_as_drafted=existing.is_published_as_drafted,
    )
    if not planned.differences:
        return replace(planned, action=ImportAction.SAME)
    if not match.confirmed:
        return replace(planned, action=ImportAction.TRANSLATION)
    if not planned.file_managed and any(part.before for part in planned.differences):
        return replace(planned, action=ImportAction.CONFLICT)
    return replace(planned, action=_review_or(planned, ImportAction.TRANSLATION))


def _source_language(question: ParsedQuestion, preferred: str) -> str:
    """Return the preferred language, unless the question has others only."""
    languages = question.languages or {preferred}
    return preferred if preferred in languages else min(languages)


def _review_or(planned: PlannedItem, action: ImportAction) -> ImportAction:
    is_doubtful = planned.source_item.status == ImportStatus.REVIEW
    return ImportAction.REVIEW if is_doubtful else action


def _with_differences(
    planned: PlannedItem,
    existing: ExistingQuestion,
    document: QuestionDocument,
    rows: Mapping[str, str],
) -> PlannedItem:
    """Return an item with the bank's question, its next state, and what differs."""
    names = {id_: name for name, id_ in rows.items()}
    return replace(
        planned,
        name=existing.name,
        document=document,
        before=existing.document,
        rows=rows,
        differences=diff_documents(
            existing.document, document, names, (existing.tags, planned.tags)
        ),
    )
