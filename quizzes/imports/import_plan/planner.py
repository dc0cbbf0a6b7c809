"""What would become of each item of a file, given what the bank holds. Pure."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from quizzes.document import QuestionDocument
from quizzes.formats.contract import ImportStatus, ParsedQuestion, SourceItem
from quizzes.formats.document_mapping import to_item
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
    found: Iterable[tuple[int, SourceItem]],
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
    for number, one in found:
        if one.question is None:
            yield PlannedItem(number, one, ImportAction.REFUSED)
            continue
        twin = None if number in as_new else snapshot.matches.get(number)
        asked = number not in as_new and twin is None
        held, asks = _held(one.question, snapshot, used_names) if asked else (None, "")
        if twin:
            there = snapshot.by_name[twin.name]
            there = replace(there, document=becoming.get(there.name, there.document))
            made = _twinned(
                PlannedItem(number, one, ImportAction.TWIN, twin.name), one.question, there, twin
            )
        elif held is None:
            made = _new(number, one, one.question, snapshot, used_names)
        elif asks == NAME_COLLISION:
            made = _replaced(number, one, one.question, held)
        else:
            made = _changed(number, one, one.question, held, is_bank_file=is_bank_file)
        made = replace(made, action=ImportAction.CONFLICT, conflict_code=asks) if asks else made
        used_names.add(made.name)
        if made.document is not None:
            becoming[made.name] = made.document
        yield made


def _held(
    question: ParsedQuestion, holding: BankSnapshot, taken: set[str]
) -> tuple[ExistingQuestion | None, str]:
    """Find the bank's question, and the code of what a person must decide about it."""

    def first(names: Iterable[str]) -> ExistingQuestion | None:
        known = (holding.by_name.get(name) for name in names if name not in taken)
        return next(filter(None, known), None)

    by_name = first((question.name, slug(question.name)))
    asks = find_conflict(question, by_name.document) if by_name and not holding.is_own_file else ""
    if by_name and not asks:
        return by_name, ""
    by_words = first(
        holding.names_by_fingerprint.get(one, "") for one in question_fingerprints(question)
    )
    return (by_words, "") if by_words else (by_name, asks)


def _new(
    number: int, one: SourceItem, question: ParsedQuestion, holding: BankSnapshot, taken: set[str]
) -> PlannedItem:
    aligned = align_rows(question, None)
    spoken = question_languages(question)
    source = holding.source_language
    if source not in spoken and spoken:
        source = spoken[0]
    return PlannedItem(
        number,
        one,
        ImportAction.REVIEW if one.status == ImportStatus.REVIEW else ImportAction.NEW,
        unique_name(question.name, taken, holding.names, longest=100),
        to_item(question, aligned.ids, source),
        rows=aligned.rows,
        tags=frozenset(question.tags),
    )


def _replaced(
    number: int, one: SourceItem, question: ParsedQuestion, held: ExistingQuestion
) -> PlannedItem:
    """Put a question in the place of another: nothing of that one stays but its name."""
    aligned, spoken = align_rows(question, held, as_new=True), question_languages(question)
    source = held.document.source_language
    item = to_item(question, aligned.ids, source if source in spoken else spoken[0])
    tags = frozenset(question.tags)
    names = {id_: name for name, id_ in aligned.rows.items()}
    differ = diff_documents(held.document, item, names, (held.tags, tags))
    return PlannedItem(
        number,
        one,
        ImportAction.CONFLICT,
        held.name,
        item,
        held.document,
        aligned.rows,
        tags,
        differ,
    )


def _changed(
    number: int,
    one: SourceItem,
    question: ParsedQuestion,
    held: ExistingQuestion,
    *,
    is_bank_file: bool,
) -> PlannedItem:
    aligned, spoken = align_rows(question, held), question_languages(question)
    told = to_item(question, aligned.ids, held.document.source_language)
    item = merge_from_file(held.document, told, question, spoken, is_bank_file=is_bank_file)
    tags = frozenset(question.tags) if is_bank_file else held.tags | frozenset(question.tags)
    names = {id_: name for name, id_ in aligned.rows.items()}
    differ = diff_documents(held.document, item, names, (held.tags, tags))
    planned = PlannedItem(
        number,
        one,
        ImportAction.CHANGED,
        held.name,
        item,
        held.document,
        aligned.rows,
        tags,
        differ,
    )
    if not differ:
        return replace(planned, action=ImportAction.SAME, document=held.document)
    if held.document.digest() != held.imported_fingerprint and any(part.before for part in differ):
        return replace(planned, action=ImportAction.CONFLICT)
    return (
        replace(planned, action=ImportAction.REVIEW)
        if one.status == ImportStatus.REVIEW
        else planned
    )


def _twinned(
    start: PlannedItem, question: ParsedQuestion, held: ExistingQuestion, twin: LanguageMatch
) -> PlannedItem:
    """Lay the words of an item on the question that it is, and leave the rest as it is there."""
    told = to_item(question, {row.name: row.name for row in question.rows}, twin.language)
    joined = merge_translation(held.document, told, twin.language, twin.ids, held.rows)
    rows, tags = {**held.rows, **joined.rows}, held.tags | frozenset(question.tags)
    names = {id_: name for name, id_ in rows.items()}
    differ = diff_documents(held.document, joined.document, names, (held.tags, tags))
    planned = replace(
        start,
        document=joined.document if differ else held.document,
        before=held.document,
        rows=rows,
        tags=tags,
        differences=differ,
        match=replace(
            twin, key_change=joined.key_change, left_out=joined.left_out, document=held.document
        ),
        file_managed=held.imported_fingerprint == held.document.digest(),
        is_published_as_drafted=held.is_published_as_drafted,
    )
    if not differ:
        return replace(planned, action=ImportAction.SAME)
    if twin.confirmed and not planned.file_managed and any(part.before for part in differ):
        return replace(planned, action=ImportAction.CONFLICT)
    in_doubt = twin.confirmed and start.source_item.status == ImportStatus.REVIEW
    return replace(planned, action=ImportAction.REVIEW) if in_doubt else planned
