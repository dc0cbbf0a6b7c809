"""Verifying chains: each row's digest computed again, each row in its place."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.db.models import F, QuerySet

from quizzes.attempts.models import Erasure
from quizzes.lib.hash_chain import ChainReader, Difference, compute_salted_digest
from quizzes.lib.record_difference import Differences, RecordDifference
from quizzes.lib.row_reading import UNREADABLE, UnreadableRow, describe_error, read_rows
from quizzes.lib.signing_keys import load_signing_keys


def verify_chains(
    rows: QuerySet[Any],
    place: str,
    get_fields: Callable[[Any], Mapping[str, Any]],
    find_differences: Callable[[Any], Iterator[Difference]] = lambda _row: iter(()),
    *,
    parent: str = "attempt",
) -> Iterator[Differences]:
    """Verify the chains of all attempts, or of what else `parent` names, row by row.

    `place` is the column that counts the rows of a chain, `get_fields` returns what the digest of a
    row covers, `find_differences` yields what else is wrong with it. Rows have `parent_uuid` then.
    """
    parent_column = f"{parent}_id"
    ordered = rows.order_by(parent_column, place, "pk").annotate(
        parent_uuid=F(f"{parent}__uuid"), learner_of_parent=F(f"{parent}__learner_id")
    )
    parent_id, chain, is_gap, keys = 0, ChainReader(), False, load_signing_keys()
    for row in read_rows(ordered):
        if isinstance(row, UnreadableRow):
            is_gap = True
            yield (row.to_difference(),)
            continue
        if getattr(row, parent_column) != parent_id:
            parent_id, chain = getattr(row, parent_column), ChainReader()
        if is_gap:
            chain.skip()
        is_gap = False
        name = f"{row._meta.model_name} {getattr(row, place)} of {parent} {row.parent_uuid}"
        differences: list[Difference] = []
        try:
            if row.learner_id != row.learner_of_parent:
                differences.append(("learner", str(row.learner_id), str(row.learner_of_parent)))
            differences += find_differences(row)
            differences += chain.read(getattr(row, place), bytes(row.digest), get_fields(row))
            if not keys.is_authentic(bytes(row.digest), bytes(row.mac)):
                differences.append(("mac", bytes(row.mac).hex(), "by a key of this site"))
        except UNREADABLE as error:
            differences.append(("row", "unreadable", describe_error(error)))
            is_gap = True
        yield tuple(RecordDifference(name, *difference) for difference in differences)


def find_erasable_differences(
    row: Any, column: str, digest_column: str, written_at: str
) -> Iterator[Difference]:
    """Yield where a text that can be erased differs from its salted digest, or was not erased so.

    An erased row has neither text nor salt, and names an erasure of its learner that came later.
    """
    text, salt, digest = getattr(row, column), row.salt, bytes(getattr(row, digest_column))
    if row.erasure_id is None:
        computed = compute_salted_digest(b"" if salt is None else bytes(salt), text)
        if digest != computed:
            yield column, digest.hex(), computed.hex()
        return
    for name, stored in ((column, text), ("salt", salt)):
        if stored:
            yield name, "something", "nothing, for it is erased"
    yield from find_erasure_differences(row, getattr(row, written_at))


def find_erasure_differences(row: Any, written_at: Any) -> Iterator[Difference]:
    """Yield where the erasure that a row names is not one of its learner that came later."""
    of_learner = Erasure.objects.filter(
        pk=row.erasure_id, learner=row.learner_id, erased_at__gte=written_at
    )
    if not of_learner.exists():
        yield "erasure", str(row.erasure_id), "a later one of its learner"
