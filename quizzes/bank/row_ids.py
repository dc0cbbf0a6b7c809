"""Ids that new rows of questions may have, whoever adds them."""

from collections.abc import Set as AbstractSet
from uuid import UUID

from quizzes.bank.models import Option


def are_free_row_ids(ids: AbstractSet[str]) -> bool:
    """Return whether new rows may have these ids: UUIDs as Python writes them, of no row yet.

    One query, none without an id.
    """
    return all(map(_is_uuid, ids)) and not (ids and Option.objects.filter(uuid__in=ids).exists())


def _is_uuid(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
