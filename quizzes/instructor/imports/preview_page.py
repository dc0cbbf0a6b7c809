"""The preview of an import: which of its items a page shows, and what was selected on it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs, urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from quizzes.formats.contract import FileMetadata, ImportStatus, Note
from quizzes.imports import selection
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.match_answers import MatchAnswer
from quizzes.imports.models import ImportJob, State
from quizzes.imports.other_questions import OTHER_QUESTIONS
from quizzes.imports.stored_plan import PlanEntry, StoredPlan
from quizzes.instructor.imports.item_view import build_items, build_note
from quizzes.lib.dataclass_json import from_json
from quizzes.presentation.messages.import_notes import describe_note
from quizzes.presentation.messages.imports import (
    ACTION_LABELS,
    FORMAT_LABELS,
    STATUS_LABELS,
    describe_grades,
    describe_unchecked,
)
from quizzes.presentation.messages.problems import language_name
from quizzes.presentation.messages.sentences import describe

PAGE_SIZE: Final = 25
"""Items on a page."""
NEAR: Final = 2
"""Pages before and after this one that have a link."""
NUMBER: Final = re.compile(r"\d{1,9}", re.ASCII)
SELECTABLE_AT_ONCE: Final = (ImportAction.NEW, ImportAction.CHANGED)
MAX_EARLIER: Final = 50
"""Earlier imports in which the questions of a file are looked for."""

LabelCount = tuple[str | Promise, int]
"""The label of an action, and how many items have it."""


@dataclass(frozen=True, slots=True)
class PreviewView:
    """What of an import is shown: items with this action or status ("": all), which page."""

    filter: str = ""
    page: int = 1

    @classmethod
    def from_query(cls, query: str) -> "PreviewView":
        """Return the view of an address; what makes no sense is the first page of all."""
        query_values = parse_qs(query[:200])
        filter_, page = query_values.get("filter", [""])[0], query_values.get("page", [""])[0]
        is_known = filter_ in {*ACTION_LABELS, ImportStatus.REPAIRED}
        return cls(filter_ if is_known else "", int(page) if NUMBER.fullmatch(page) else 1)

    @property
    def query(self) -> str:
        """The query of its address."""
        parameters = {"filter": self.filter, "page": self.page if self.page > 1 else ""}
        return urlencode({name: value for name, value in parameters.items() if value})

    def shows(self, entry: PlanEntry) -> bool:
        """Return whether an item passes the filter."""
        is_repaired = self.filter == entry.status == ImportStatus.REPAIRED
        return self.filter in {"", entry.action} or is_repaired


@dataclass(frozen=True, slots=True)
class ViewLink:
    """A link to another view, with its label; `current`: it is this one."""

    label: str | Promise
    count: int
    query: str
    current: bool


def build_preview(job: ImportJob, plan: StoredPlan, view: PreviewView) -> dict[str, Any]:
    """Return the context of the page."""
    selected, actions = selection.list_selected(job, plan), plan.count_actions()
    numbers = [number for number, entry in enumerate(plan.entries) if view.shows(entry)]
    page_count = max(-(-len(numbers) // PAGE_SIZE), 1)
    page = min(max(view.page, 1), page_count)
    on_page = numbers[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]
    metadata = read_metadata(job.report)
    ignored_lines = [from_json(Note, note) for note in job.report.get("ignored_lines", [])]
    return {
        "job": job,
        "format": describe(job.format, FORMAT_LABELS),
        "total": len(plan.entries),
        "metadata": metadata,
        "language": metadata.language and language_name(metadata.language),
        "grades": describe_grades(metadata.grade, metadata.pass_threshold),
        "statuses": describe_statuses(plan.count_statuses()),
        "counts": count_by_label(actions),
        "filters": _filter_links(plan, view),
        "pages": _page_links(view, page, page_count),
        "first": (page - 1) * PAGE_SIZE + 1,
        "last": (page - 1) * PAGE_SIZE + len(on_page),
        "listed": len(numbers),
        "selectable": [
            (action, ACTION_LABELS[action]) for action in SELECTABLE_AT_ONCE if actions[action]
        ],
        "items": build_items(
            job,
            plan,
            on_page,
            selected,
            lambda name: reverse("admin:imports_importjob_picture", args=[job.pk, name]),
        ),
        "on_page": " ".join(map(str, on_page)),
        "selected": len(selected),
        "selected_elsewhere": len(selected.difference(on_page)),
        "current_view": PreviewView(view.filter, page).query,
        "same_quiz": _describe_same_quiz(job),
        "unchecked": describe_unchecked(
            sum(item["findings"] is None for item in job.report.get("items", ()))
        ),
        "sure_matches": sum(
            entry.confidence >= selection.MIN_SURE_CONFIDENCE for entry in plan.entries
        ),
        "remainder": [
            build_note(from_json(Note, note)) for note in job.report.get("remainder", [])
        ],
        "other_questions": [
            describe_note(note) for note in ignored_lines if note.code == OTHER_QUESTIONS
        ],
        "ignored_lines": [
            build_note(note) for note in ignored_lines if note.code != OTHER_QUESTIONS
        ],
        "digest": plan.digest,
    }


def read_metadata(report: Mapping[str, Any]) -> FileMetadata:
    """Return what the file of a report says about itself."""
    stored = report.get("file_metadata")
    return from_json(FileMetadata, stored) if stored else FileMetadata()


def count_by_label(actions: Mapping[str, int]) -> list[LabelCount]:
    """Return the label of each action with the number of its items, if there are any."""
    return [(label, n) for action, label in ACTION_LABELS.items() if (n := actions.get(action, 0))]


def _describe_same_quiz(job: ImportJob) -> str:
    """Return that a file seems to be a quiz that the bank has, and which file that came from."""
    same = job.report.get("same_quiz")
    if not same:
        return ""
    figures = {"n": same["questions"], "of": same["of"], "percent": int(same["confidence"] * 100)}
    begin = _("It seems to be a quiz that the bank has: %(n)s of %(of)s questions match.") % figures
    file = _find_earlier_file(job, same["names"])
    return f"{begin} " + _("They came with %(file)s.") % {"file": file} if file else str(begin)


def _find_earlier_file(job: ImportJob, names: Sequence[str]) -> str:
    """Return the file that most of these questions came with, of the last ones; "" if none."""
    best, most = "", 0
    done = ImportJob.objects.filter(bank=job.bank, state=State.DONE).exclude(pk=job.pk)
    done = done.filter(total__gt=len(names) // 2).order_by("-pk")
    # One after the other: a report may be of ten thousand items.
    rows = done.values_list("filename", "report__items")[:MAX_EARLIER]
    for filename, items in rows.iterator(1):
        imported = {item["name"] for item in items or () if item["selected"]}
        if (shared := len(imported & set(names))) > most:
            best, most = filename, shared
    return best if most * 2 > len(names) else ""


def describe_statuses(counts: Mapping[str, int]) -> str:
    """Return how the items were read; the parts add up to what the file has."""
    total, imported = sum(counts.values()), counts.get(ImportStatus.IMPORTED, 0)
    parts = (
        ngettext("%(n)s as it is", "%(n)s as they are", imported) % {"n": imported},
        _("%(n)s repaired") % {"n": counts.get(ImportStatus.REPAIRED, 0)},
        _("%(n)s to look at") % {"n": counts.get(ImportStatus.REVIEW, 0)},
        _("%(n)s refused") % {"n": counts.get(ImportStatus.REFUSED, 0)},
    )
    begin = ngettext("%(n)s item in the file:", "%(n)s items in the file:", total) % {"n": total}
    return f"{begin} {', '.join(parts)}."


def _filter_links(plan: StoredPlan, view: PreviewView) -> list[ViewLink]:
    """Return the filters; those by action add up to all items."""
    actions, repaired = plan.count_actions(), plan.count_statuses()[ImportStatus.REPAIRED]
    filters: list[tuple[str, str | Promise, int]] = [("", _("all"), len(plan.entries))]
    filters += [(action, label, actions[action]) for action, label in ACTION_LABELS.items()]
    filters.append((ImportStatus.REPAIRED, STATUS_LABELS[ImportStatus.REPAIRED], repaired))
    return [
        ViewLink(label, count, PreviewView(filter_).query, view.filter == filter_)
        for filter_, label, count in filters
        if count or not filter_
    ]


def _page_links(view: PreviewView, page: int, page_count: int) -> list[ViewLink]:
    """Return the first page, the last, and those near this one; 0 is for those between."""
    near = [
        number
        for number in range(1, page_count + 1)
        if number in {1, page_count} or abs(number - page) <= NEAR
    ]
    links: list[ViewLink] = []
    for number in near:
        if links and number - links[-1].count > 1:
            links.append(ViewLink("…", 0, "", current=False))
        query = PreviewView(view.filter, number).query
        links.append(ViewLink(str(number), number, query, number == page))
    return links if page_count > 1 else []


def _read_numbers(posted: QueryDict, name: str, total: int) -> frozenset[int]:
    """Return the numbers of items, from several values or from one with several."""
    texts = " ".join(posted.getlist(name)).split()
    numbers = (int(text) for text in texts if NUMBER.fullmatch(text))
    return frozenset(number for number in numbers if number < total)


def save_ticks(job: ImportJob, posted: QueryDict, by: User) -> None:
    """Save what was ticked on a page; one that does not say what it has on it has everything."""
    on_page = frozenset(range(job.total))
    if "on_page" in posted:
        on_page = _read_numbers(posted, "on_page", job.total)
    ticked = _read_numbers(posted, "item", job.total) & on_page
    selection.select_items(job=job, on_page=on_page, ticked=ticked, by=by)


def press_button(job: ImportJob, posted: QueryDict, by: User) -> None:
    """Do what the pressed button says, beyond saving the ticks."""
    for name, selected in (("select_all", True), ("select_none", False)):
        for action in SELECTABLE_AT_ONCE:
            if posted.get(name) == action:
                selection.select_all(job=job, action=action, selected=selected, by=by)
    for name, as_new in (("as_new", True), ("as_existing", False)):
        for number in _read_numbers(posted, name, job.total):
            selection.import_as_new(job=job, number=number, as_new=as_new, by=by)
    for name, same in (("accept_match", True), ("reject_match", False), ("reset_match", None)):
        for number in _read_numbers(posted, name, job.total):
            selection.answer_matches(job=job, answers=[MatchAnswer(number, same)], by=by)
    if "accept_sure" in posted:
        selection.accept_sure_matches(job=job, by=by)
