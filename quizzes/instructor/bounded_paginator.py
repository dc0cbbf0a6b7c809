"""Pages of a list that counts its rows up to a bound: a site's largest tables are never walked."""

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.utils.formats import number_format
from django.utils.functional import cached_property

if TYPE_CHECKING:
    PaginatorOfRows = Paginator[Any]
else:
    PaginatorOfRows = Paginator

MOST_ROWS = 10_000
"""Rows of a list that are counted and paged through; search and filters lead to the others."""


class RowCount(int):
    """How many rows a list has; shown as "10,000+" where there are more than are counted."""

    has_more = False

    def __str__(self) -> str:
        return f"{number_format(int(self), force_grouping=self.has_more)}{'+' * self.has_more}"


class BoundedPaginator(PaginatorOfRows):
    """Counts at most `MOST_ROWS`, so that the time for it does not grow with the table."""

    object_list: QuerySet[Any]

    @cached_property
    def count(self) -> int:
        """Return how many rows there are: a RowCount."""
        counted = self.object_list.order_by().values("pk")[: MOST_ROWS + 1].count()
        count = RowCount(min(counted, MOST_ROWS))
        count.has_more = counted > MOST_ROWS
        return count
