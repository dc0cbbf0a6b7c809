"""What would become of each item of a file, given what the bank holds. Pure."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from quizzes.document import QuestionDocument
from quizzes.formats.contract import ImportStatus, ParsedQuestion, SourceItem
from quizzes.formats.document_mapping import build_document
from quizzes.formats.parsing.naming import slug
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
from quizzes.matching.fingerprints import question_fingerprints, question_languages, unique_name
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
    another question, a person is asked. `taken` are the names of questions that earlier items of
    the file are; it grows. `whole` as in `merge`. `anew` are the numbers of items that are new
    whatever the bank has.
    """
    becoming: dict[str, QuestionDocument] = {}
    for number, source_item in source_items:
        if source_item.question is None:
            yield PlannedItem(number, source_item, ImportAction.REFUSED)
            continue
        twin = None if number in as_new else snapshot.matches.get(number)
        may_exist = number not in as_new and twin is None
        existing, conflict_code = (
            _held(source_item.question, snapshot, used_names) if may_exist else (None, "")
        )
        if twin:
            there = snapshot.by_name[twin.name]
            there = replace(there, document=becoming.get(there.name, there.document))
            planned = _twinned(
                PlannedItem(number, source_item, ImportAction.TWIN, twin.name),
                source_item.question,
                there,
                twin,
            )
        elif existing is None:
            planned = _new(number, source_item, source_item.question, snapshot, used_names)
        elif conflict_code == NAME_COLLISION:
            planned = _replaced(number, source_item, source_item.question, existing)
        else:
            planned = _changed(
                number, source_item, source_item.question, existing, is_bank_file=is_bank_file
            )
        planned = (
            replace(planned, action=ImportAction.CONFLICT, conflict_code=conflict_code)
            if conflict_code
            else planned
        )
        used_names.add(planned.name)
        if planned.document is not None:
            becoming[planned.name] = planned.document
        yield planned


def _held(
    question: ParsedQuestion, holding: BankSnapshot, used_names: set[str]
) -> tuple[ExistingQuestion | None, str]:
    """Find the bank's question, and the code of what a person must decide about it."""

    def first(names: Iterable[str]) -> ExistingQuestion | None:
        candidates = (holding.by_name.get(name) for name in names if name not in used_names)
        return next(filter(None, candidates), None)

    by_name = first((question.name, slug(question.name)))
    asks = find_conflict(question, by_name.document) if by_name and not holding.is_own_file else ""
    if by_name and not asks:
        return by_name, ""
    by_words = first(
        holding.names_by_fingerprint.get(fingerprint, "")
        for fingerprint in question_fingerprints(question)
    )
    return (by_words, "") if by_words else (by_name, asks)


def _new(
    number: int,
    source_item: SourceItem,
    question: ParsedQuestion,
    holding: BankSnapshot,
    used_names: set[str],
) -> PlannedItem:
    aligned = align_rows(question, None)
    spoken = question_languages(question)
    source = holding.source_language
    if source not in spoken and spoken:
        source = spoken[0]
    return PlannedItem(
        number,
        source_item,
        ImportAction.REVIEW if source_item.status == ImportStatus.REVIEW else ImportAction.NEW,
        unique_name(question.name, used_names, holding.names, longest=100),
        build_document(question, aligned.ids, source),
        rows=aligned.rows,
        tags=frozenset(question.tags),
    )


def _replaced(
    number: int, source_item: SourceItem, question: ParsedQuestion, existing: ExistingQuestion
) -> PlannedItem:
    """Put a question in the place of another: nothing of that one stays but its name."""
    aligned, spoken = align_rows(question, existing, as_new=True), question_languages(question)
    source = existing.document.source_language
    item = build_document(question, aligned.ids, source if source in spoken else spoken[0])
    tags = frozenset(question.tags)
    names = {id_: name for name, id_ in aligned.rows.items()}
    differ = diff_documents(existing.document, item, names, (existing.tags, tags))
    return PlannedItem(
        number,
        source_item,
        ImportAction.CONFLICT,
        existing.name,
        item,
        existing.document,
        aligned.rows,
        tags,
        differ,
    )


def _changed(
    number: int,
    source_item: SourceItem,
    question: ParsedQuestion,
    existing: ExistingQuestion,
    *,
    is_bank_file: bool,
) -> PlannedItem:
    aligned, spoken = align_rows(question, existing), question_languages(question)
    from_file = build_document(question, aligned.ids, existing.document.source_language)
    item = merge_from_file(
        existing.document, from_file, question, spoken, is_bank_file=is_bank_file
    )
    tags = frozenset(question.tags) if is_bank_file else existing.tags | frozenset(question.tags)
    names = {id_: name for name, id_ in aligned.rows.items()}
    differ = diff_documents(existing.document, item, names, (existing.tags, tags))
    planned = PlannedItem(
        number,
        source_item,
        ImportAction.CHANGED,
        existing.name,
        item,
        existing.document,
        aligned.rows,
        tags,
        differ,
    )
    if not differ:
        return replace(planned, action=ImportAction.SAME, document=existing.document)
    if existing.document.digest() != existing.imported_fingerprint and any(
        part.before for part in differ
    ):
        return replace(planned, action=ImportAction.CONFLICT)
    return (
        replace(planned, action=ImportAction.REVIEW)
        if source_item.status == ImportStatus.REVIEW
        else planned
    )


def _twinned(
    start: PlannedItem, question: ParsedQuestion, existing: ExistingQuestion, twin: LanguageMatch
) -> PlannedItem:
    """Lay the words of an item on the question that it is, and leave the rest as it is there."""
    from_file = build_document(
        question, {row.name: row.name for row in question.rows}, twin.language
    )
    joined = merge_translation(existing.document, from_file, twin.language, twin.ids, existing.rows)
    rows, tags = {**existing.rows, **joined.rows}, existing.tags | frozenset(question.tags)
    names = {id_: name for name, id_ in rows.items()}
    differ = diff_documents(existing.document, joined.document, names, (existing.tags, tags))
    planned = replace(
        start,
        document=joined.document if differ else existing.document,
        before=existing.document,
        rows=rows,
        tags=tags,
        differences=differ,
        match=replace(
            twin, key_change=joined.key_change, left_out=joined.left_out, document=existing.document
        ),
        file_managed=existing.imported_fingerprint == existing.document.digest(),
        is_published_as_drafted=existing.is_published_as_drafted,
    )
    if not differ:
        return replace(planned, action=ImportAction.SAME)
    if twin.confirmed and not planned.file_managed and any(part.before for part in differ):
        return replace(planned, action=ImportAction.CONFLICT)
    in_doubt = twin.confirmed and start.source_item.status == ImportStatus.REVIEW
    return replace(planned, action=ImportAction.REVIEW) if in_doubt else planned
