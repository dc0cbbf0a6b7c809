"""What would become of each item of a file, given what the bank holds. Pure."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from quizzes.document import QuestionDocument
from quizzes.formats.contract import ImportStatus, ParsedQuestion, SourceItem
from quizzes.formats.document_mapping import to_item
from quizzes.formats.parsing.naming import slug
from quizzes.imports.import_plan.align_rows import align
from quizzes.imports.import_plan.diff import differences
from quizzes.imports.import_plan.merging import merge
from quizzes.imports.import_plan.name_conflicts import ANOTHER, doubt
from quizzes.imports.import_plan.values import Held, Holding, Planned, What
from quizzes.matching.fingerprints import free, languages, told_fingerprints
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.merge_translation import join


def plan(
    found: Iterable[tuple[int, SourceItem]],
    holding: Holding,
    taken: set[str],
    *,
    whole: bool = False,
    anew: Collection[int] = frozenset(),
) -> Iterator[Planned]:
    """Plan items, each with its number in the file; nothing is left out.

    A question is known by its name, else by equal kind, prompt and rows; where a name leads to
    another question, a person is asked. `taken` are the names of questions that earlier items of
    the file are; it grows. `whole` as in `merge`. `anew` are the numbers of items that are new
    whatever the bank has.
    """
    becoming: dict[str, QuestionDocument] = {}
    for number, one in found:
        if one.question is None:
            yield Planned(number, one, What.REFUSED)
            continue
        twin = None if number in anew else holding.twins.get(number)
        asked = number not in anew and twin is None
        held, asks = _held(one.question, holding, taken) if asked else (None, "")
        if twin:
            there = holding.by_name[twin.name]
            there = replace(there, item=becoming.get(there.name, there.item))
            made = _twinned(Planned(number, one, What.TWIN, twin.name), one.question, there, twin)
        elif held is None:
            made = _new(number, one, one.question, holding, taken)
        elif asks == ANOTHER:
            made = _replaced(number, one, one.question, held)
        else:
            made = _changed(number, one, one.question, held, whole=whole)
        made = replace(made, what=What.CONFLICT, asks=asks) if asks else made
        taken.add(made.name)
        if made.item is not None:
            becoming[made.name] = made.item
        yield made


def _held(question: ParsedQuestion, holding: Holding, taken: set[str]) -> tuple[Held | None, str]:
    """Find the bank's question, and the code of what a person must decide about it."""

    def first(names: Iterable[str]) -> Held | None:
        known = (holding.by_name.get(name) for name in names if name not in taken)
        return next(filter(None, known), None)

    by_name = first((question.name, slug(question.name)))
    asks = doubt(question, by_name.item) if by_name and not holding.named else ""
    if by_name and not asks:
        return by_name, ""
    by_words = first(holding.alike.get(one, "") for one in told_fingerprints(question))
    return (by_words, "") if by_words else (by_name, asks)


def _new(
    number: int, one: SourceItem, question: ParsedQuestion, holding: Holding, taken: set[str]
) -> Planned:
    aligned = align(question, None)
    spoken = languages(question)
    source = holding.source_language
    if source not in spoken and spoken:
        source = spoken[0]
    return Planned(
        number,
        one,
        What.REVIEW if one.status == ImportStatus.REVIEW else What.NEW,
        free(question.name, taken, holding.names, longest=100),
        to_item(question, aligned.ids, source),
        rows=aligned.rows,
        tags=frozenset(question.tags),
    )


def _replaced(number: int, one: SourceItem, question: ParsedQuestion, held: Held) -> Planned:
    """Put a question in the place of another: nothing of that one stays but its name."""
    aligned, spoken = align(question, held, anew=True), languages(question)
    source = held.item.source_language
    item = to_item(question, aligned.ids, source if source in spoken else spoken[0])
    tags = frozenset(question.tags)
    names = {id_: name for name, id_ in aligned.rows.items()}
    differ = differences(held.item, item, names, (held.tags, tags))
    return Planned(
        number, one, What.CONFLICT, held.name, item, held.item, aligned.rows, tags, differ
    )


def _changed(
    number: int, one: SourceItem, question: ParsedQuestion, held: Held, *, whole: bool
) -> Planned:
    aligned, spoken = align(question, held), languages(question)
    told = to_item(question, aligned.ids, held.item.source_language)
    item = merge(held.item, told, question, spoken, whole=whole)
    tags = frozenset(question.tags) if whole else held.tags | frozenset(question.tags)
    names = {id_: name for name, id_ in aligned.rows.items()}
    differ = differences(held.item, item, names, (held.tags, tags))
    planned = Planned(
        number, one, What.CHANGED, held.name, item, held.item, aligned.rows, tags, differ
    )
    if not differ:
        return replace(planned, what=What.SAME, item=held.item)
    if held.item.digest() != held.loaded and any(part.before for part in differ):
        return replace(planned, what=What.CONFLICT)
    return replace(planned, what=What.REVIEW) if one.status == ImportStatus.REVIEW else planned


def _twinned(start: Planned, question: ParsedQuestion, held: Held, twin: LanguageMatch) -> Planned:
    """Lay the words of an item on the question that it is, and leave the rest as it is there."""
    told = to_item(question, {row.name: row.name for row in question.rows}, twin.language)
    joined = join(held.item, told, twin.language, twin.ids, held.rows)
    rows, tags = {**held.rows, **joined.rows}, held.tags | frozenset(question.tags)
    names = {id_: name for name, id_ in rows.items()}
    differ = differences(held.item, joined.item, names, (held.tags, tags))
    planned = replace(
        start,
        item=joined.item if differ else held.item,
        before=held.item,
        rows=rows,
        tags=tags,
        differences=differ,
        twin=replace(twin, key=joined.key, left_out=joined.left_out, held=held.item),
        lasting=held.loaded == held.item.digest(),
        live=held.live,
    )
    if not differ:
        return replace(planned, what=What.SAME)
    if twin.known and not planned.lasting and any(part.before for part in differ):
        return replace(planned, what=What.CONFLICT)
    in_doubt = twin.known and start.found.status == ImportStatus.REVIEW
    return replace(planned, what=What.REVIEW) if in_doubt else planned
