"""What would become of each item of a file, given what the bank holds. Pure."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from quizzes.exchange.contract import Found, ParcelQuestion, Verdict
from quizzes.exchange.plan import to_item
from quizzes.exchange.planning.aligning import align
from quizzes.exchange.planning.comparing import differences
from quizzes.exchange.planning.identity import free, languages, told_fingerprints
from quizzes.exchange.planning.merging import merge
from quizzes.exchange.planning.values import Held, Holding, Planned, What
from quizzes.exchange.reading.naming import slug


def plan(
    found: Iterable[tuple[int, Found]],
    holding: Holding,
    taken: set[str],
    *,
    whole: bool = False,
    anew: Collection[int] = frozenset(),
) -> Iterator[Planned]:
    """Plan items, each with its number in the file; nothing is left out.

    A question is known by its name, else by equal kind, prompt and rows. `taken` are the names of
    questions that earlier items of the file are; it grows. `whole` as in `merge`. `anew` are the
    numbers of items that are new whatever the bank has.
    """
    for number, one in found:
        if one.question is None:
            yield Planned(number, one, What.REFUSED)
            continue
        held = None if number in anew else _held(one.question, holding, taken)
        made = (
            _changed(number, one, one.question, held, whole=whole)
            if held
            else _new(number, one, one.question, holding, taken)
        )
        taken.add(made.name)
        yield made


def _held(question: ParcelQuestion, holding: Holding, taken: set[str]) -> Held | None:
    names = [question.name, slug(question.name)]
    names += [holding.alike.get(one, "") for one in told_fingerprints(question)]
    return next(
        (holding.by_name[name] for name in names if name in holding.by_name and name not in taken),
        None,
    )


def _new(
    number: int, one: Found, question: ParcelQuestion, holding: Holding, taken: set[str]
) -> Planned:
    aligned = align(question, None)
    spoken = languages(question)
    source = holding.source_language
    if source not in spoken and spoken:
        source = spoken[0]
    return Planned(
        number,
        one,
        What.REVIEW if one.verdict == Verdict.REVIEW else What.NEW,
        free(question.name, taken, holding.names, longest=100),
        to_item(question, aligned.ids, source),
        rows=aligned.rows,
        tags=frozenset(question.tags),
    )


def _changed(
    number: int, one: Found, question: ParcelQuestion, held: Held, *, whole: bool
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
    return replace(planned, what=What.REVIEW) if one.verdict == Verdict.REVIEW else planned
