"""The preview of an import: which of its items a page shows, and what was ticked on it."""

import re
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs, urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from quizzes.formats.contract import ImportStatus
from quizzes.imports import selection, source_grades
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.models import ImportJob
from quizzes.imports.report_format import message_for
from quizzes.imports.sayings import FORMATS
from quizzes.imports.stored_plan import PlanEntry, StoredPlan
from quizzes.instructor.imports import match_view
from quizzes.instructor.imports.item_view import VERDICTS, WHATS, items, said

PAGE: Final = 25
"""Items on a page."""
NEAR: Final = 2
"""Pages before and after this one that are named."""
NUMBER: Final = re.compile(r"\d{1,9}", re.ASCII)
SURE: Final = 0.9
"""Confidence from which twins may be confirmed all at once."""
EVERY: Final = (ImportAction.NEW, ImportAction.CHANGED)
"""What may be chosen all at once."""


@dataclass(frozen=True, slots=True)
class View:
    """What of an import somebody looks at: items of which sort ("": all), which page (from 1)."""

    sort: str = ""
    page: int = 1

    @classmethod
    def read(cls, query: str) -> "View":
        """Read an address; what makes no sense is the beginning."""
        query_values = parse_qs(query[:200])
        sort, page = query_values.get("sort", [""])[0], query_values.get("page", [""])[0]
        is_known = sort in {*WHATS, ImportStatus.REPAIRED}
        return cls(sort if is_known else "", int(page) if NUMBER.fullmatch(page) else 1)

    @property
    def address(self) -> str:
        """The query that shows it."""
        parameters = {"sort": self.sort, "page": self.page if self.page > 1 else ""}
        return urlencode({name: value for name, value in parameters.items() if value})

    def shows(self, entry: PlanEntry) -> bool:
        """Tell whether an item is of this sort."""
        return self.sort in {"", entry.action} or self.sort == entry.status == ImportStatus.REPAIRED


@dataclass(frozen=True, slots=True)
class Link:
    """A way to another view, with its word; `current`: it is this one."""

    label: str | Promise
    count: int
    address: str
    current: bool


def preview(job: ImportJob, plan: StoredPlan, view: View) -> dict[str, Any]:
    """Give what the page needs."""
    chosen = selection.selected_items(job, plan)
    numbers = [number for number, entry in enumerate(plan.entries) if view.shows(entry)]
    pages = max(-(-len(numbers) // PAGE), 1)
    page = min(max(view.page, 1), pages)
    on_page = numbers[(page - 1) * PAGE : page * PAGE]
    return {
        "job": job,
        "format": message_for(job.format, FORMATS),
        "plan": plan,
        "sentence": sentence(plan.count_statuses()),
        "claims": source_grades.sentence(job.report.get("about", {})),
        "counts": [(WHATS[what], n) for what in WHATS if (n := plan.count_actions()[what])],
        "sorts": _sorts(plan, view),
        "pages": _pages(view, page, pages),
        "first": (page - 1) * PAGE + 1,
        "last": (page - 1) * PAGE + len(on_page),
        "listed": len(numbers),
        "every": [(what, WHATS[what]) for what in EVERY if plan.count_actions()[what]],
        "items": items(job, plan, on_page, chosen, lambda name: _at_home(job, name)),
        "shown": " ".join(map(str, on_page)),
        "chosen": len(chosen),
        "chosen_elsewhere": len(chosen.difference(on_page)),
        "here": View(view.sort, page).address,
        "same_quiz": match_view.same_quiz(job),
        "sure_twins": sum(1 for entry in plan.entries if entry.confidence >= SURE),
        "noise": [said(note) for note in plan.ignored_lines],
        "digest": plan.digest,
    }


def _at_home(job: ImportJob, name: str) -> str:
    return reverse("admin:imports_importjob_picture", args=[job.pk, name])


def sentence(verdicts: Any) -> str:
    """Tell what became of the items in reading; the parts add up to what the file holds."""
    total, imported = sum(verdicts.values()), verdicts.get(ImportStatus.IMPORTED, 0)
    parts = (
        ngettext("%(n)s as it is", "%(n)s as they are", imported) % {"n": imported},
        _("%(n)s repaired") % {"n": verdicts.get(ImportStatus.REPAIRED, 0)},
        _("%(n)s to look at") % {"n": verdicts.get(ImportStatus.REVIEW, 0)},
        _("%(n)s refused") % {"n": verdicts.get(ImportStatus.REFUSED, 0)},
    )
    begun = ngettext("%(n)s item in the file:", "%(n)s items in the file:", total) % {"n": total}
    return f"{begun} {', '.join(parts)}."


def _sorts(plan: StoredPlan, view: View) -> list[Link]:
    """Give the sorts that there are; those of the plan add up to all of them."""
    counts = plan.count_actions()
    every = [Link(_("all"), len(plan.entries), View().address, not view.sort)]
    every += [
        Link(word, counts[what], View(what).address, view.sort == what)
        for what, word in WHATS.items()
        if counts[what]
    ]
    if repaired := plan.count_statuses()[ImportStatus.REPAIRED]:
        sort = ImportStatus.REPAIRED
        every.append(Link(VERDICTS[sort], repaired, View(sort).address, view.sort == sort))
    return every


def _pages(view: View, page: int, pages: int) -> list[Link]:
    """Give the first page, the last, and those around this one; 0 stands for those between."""
    near = [
        number
        for number in range(1, pages + 1)
        if number in {1, pages} or abs(number - page) <= NEAR
    ]
    links: list[Link] = []
    for number in near:
        if links and number - links[-1].count > 1:
            links.append(Link("…", 0, "", current=False))
        links.append(Link(str(number), number, View(view.sort, number).address, number == page))
    return links if pages > 1 else []


def numbers(posted: QueryDict, name: str, total: int) -> frozenset[int]:
    """Read the numbers of items, as several values or one of several words; others are left out."""
    texts = " ".join(posted.getlist(name)).split()
    parsed = (int(text) for text in texts if NUMBER.fullmatch(text))
    return frozenset(number for number in parsed if number < total)


def keep(job: ImportJob, posted: QueryDict) -> None:
    """Keep what was ticked on a page; one that does not say what it showed showed everything."""
    every = frozenset(range(job.total))
    on_page = numbers(posted, "shown", job.total) if "shown" in posted else every
    selection.select_items(
        job=job, on_page=on_page, ticked=numbers(posted, "item", job.total) & on_page
    )


def act(job: ImportJob, posted: QueryDict) -> None:
    """Do what the button says that was pressed, beyond keeping what was ticked."""
    for name, selected in (("every", True), ("none", False)):
        for what in EVERY:
            if posted.get(name) == what:
                selection.select_all(job=job, action=what, selected=selected)
    for name, anew in (("anew", True), ("same", False)):
        for number in numbers(posted, name, job.total):
            selection.import_as_new(job=job, number=number, as_new=anew)
    for name, same in (("twin", True), ("not_twin", False), ("twin_open", None)):
        for number in numbers(posted, name, job.total):
            selection.answer_match(job=job, number=number, same=same)
    if "twins_above" in posted:
        selection.accept_matches(job=job, min_confidence=SURE)
