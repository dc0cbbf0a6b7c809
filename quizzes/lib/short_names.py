"""Short names that two rows cannot have, also where both are saved at the same moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final, TypeVar

from django.db import IntegrityError, models, transaction

from quizzes.lib.errors import Invalid

MAX_TRIES: Final = 10

Written = TypeVar("Written")


class ShortNameTaken(Invalid):
    """Another quiz or bank has the short name, perhaps since a moment ago."""

    code = "slug_taken"


@contextmanager
def refuse_taken(row: models.Model) -> Iterator[None]:
    """Save a row with a `slug` in the block; if another has it by now: ShortNameTaken."""
    try:
        with transaction.atomic():
            yield
    except IntegrityError as error:
        same = type(row)._default_manager.filter(slug=row.serializable_value("slug"))
        if same.exclude(pk=row.pk).exists():
            raise ShortNameTaken(where="slug") from error
        raise


def retry_taken(write: Callable[[], Written]) -> Written:
    """Return what `write` returns, called anew where somebody took its short name meanwhile.

    It looks up anew what is free, and leaves nothing behind where it raises ShortNameTaken; that
    is raised where each of MAX_TRIES calls did.
    """
    for _ in range(MAX_TRIES - 1):
        with suppress(ShortNameTaken):
            return write()
    return write()
