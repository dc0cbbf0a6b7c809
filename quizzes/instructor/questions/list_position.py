"""Where a question stands in the list that its author came from: its neighbours, the way back."""

from dataclasses import dataclass
from typing import Any, Final

from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.http import urlencode

from quizzes.bank.models import Question
from quizzes.instructor.admin_base import ChangeList

FILTERS: Final = "_changelist_filters"
"""The name by which Django's admin hands the filters of a list to the pages of its rows."""
MAX_LISTED: Final = 20_000


class UncountedList(ChangeList):
    """A list of which only the order is asked for."""

    def get_results(self, request: HttpRequest) -> None:
        """Load no page."""


@dataclass(frozen=True, slots=True)
class ListPosition:
    """The place of a question in a list, from 1; 0 where the list has it no more.

    `query` keeps the filters in links to other pages of the question; `previous` and `next` are
    addresses, "" at the ends.
    """

    number: int
    count: int
    list_address: str
    query: str
    previous: str = ""
    next: str = ""


def find_list_position(admin: Any, request: HttpRequest, question: Question) -> ListPosition:
    """Return where a question stands in the list it was opened from, else in that of its bank.

    Filters that no list takes count as those of the bank.
    """
    in_bank = urlencode({"bank": question.bank.slug})
    sent = request.GET.get(FILTERS)
    filters = in_bank if sent is None else sent
    try:
        pks = _list_questions(admin, request, filters)
    except (IncorrectLookupParameters, SuspiciousOperation, ValueError):
        filters = in_bank
        pks = _list_questions(admin, request, filters)
    address = f"{reverse('admin:bank_question_changelist')}?{filters}"
    query = f"?{urlencode({FILTERS: filters})}"
    if question.pk not in pks:
        return ListPosition(0, len(pks), address, query)
    place = pks.index(question.pk)
    previous = pks[place - 1] if place else None
    following = pks[place + 1] if place + 1 < len(pks) else None
    return ListPosition(
        place + 1,
        len(pks),
        address,
        query,
        _build_address(previous, query),
        _build_address(following, query),
    )


def build_question_address(admin: Any, request: HttpRequest, question: Question) -> str:
    """Return the address of a question's page, with the filters of the list it was opened from."""
    address = reverse("admin:bank_question_change", args=[question.pk])
    filters = admin.get_preserved_filters(request)
    return f"{address}?{filters}" if filters else address


def _build_address(pk: int | None, query: str) -> str:
    return "" if pk is None else reverse("admin:bank_question_change", args=[pk]) + query


def _list_questions(admin: Any, request: HttpRequest, filters: str) -> list[int]:
    """Return the questions of a filtered list, in its order, whatever page of it was shown."""
    before = request.GET
    try:
        request.GET = QueryDict(filters)  # the list reads it there
        change_list = UncountedList(
            request,
            admin.model,
            ["action_checkbox", *admin.list_display],  # columns are counted from it
            admin.list_display_links,
            admin.get_list_filter(request),
            admin.date_hierarchy,
            admin.get_search_fields(request),
            admin.get_list_select_related(request),
            admin.list_per_page,
            admin.list_max_show_all,
            admin.list_editable,
            admin,
            admin.get_sortable_by(request),
            admin.search_help_text,
        )
    finally:
        request.GET = before
    return list(change_list.queryset.values_list("pk", flat=True)[:MAX_LISTED])
