"""One item of a file, laid beside its source: what a person needs to choose."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from quizzes.formats.contract import ImportStatus, Note
from quizzes.imports import source_grades, stored_plan
from quizzes.imports.import_plan.values import ImportAction, PlannedItem
from quizzes.imports.models import ImportJob
from quizzes.imports.report_format import message_for
from quizzes.imports.sayings import NOTES
from quizzes.imports.stored_plan import StoredPlan
from quizzes.instructor.imports import match_view
from quizzes.instructor.imports.match_view import ShownTwin
from quizzes.instructor.questions import diff
from quizzes.instructor.questions.diff import Difference
from quizzes.instructor.questions.preview import LanguagePreview, preview_document
from quizzes.presentation.messages.problems import describe_problem

T = TypeVar("T")

WHATS: dict[str, Promise] = {
    ImportAction.NEW: _("new"),
    ImportAction.SAME: _("the same"),
    ImportAction.CHANGED: _("changed"),
    ImportAction.TWIN: _("another language of a question"),
    ImportAction.CONFLICT: _("also changed in the bank"),
    ImportAction.REVIEW: _("needs review"),
    ImportAction.REFUSED: _("not read"),
}

VERDICTS: dict[str, Promise] = {
    ImportStatus.REPAIRED: _("repaired"),
    ImportStatus.REVIEW: _("needs review"),
}
"""What is worth a word of its own beside what would become of an item."""

WHYS: dict[str, Promise] = {
    ImportAction.SAME: _("The bank already has this question: there is nothing to do."),
    ImportAction.CONFLICT: _(
        "It was written or changed in the bank since the last import. Tick it to "
        "replace it with the file's version."
    ),
    ImportAction.REFUSED: _("No question came of it; the notes say why."),
    ImportAction.REVIEW: _("It is imported as a draft that somebody has to finish."),
    "review_of_held": _("The file may hold less than the bank: compare before you tick it."),
    "another_language": _(
        "The bank has a question of this name in other languages. Tick it if it is the same"
        " question; if it is another, take it under a new name."
    ),
    "another_question": _(
        "The bank has a question of this name that says something else. Tick it if the file is to"
        " replace it; if it is another question, take it under a new name."
    ),
}
"""Why an item is ticked or not, where its own word does not say it."""

MARKS: dict[str, str] = {
    ImportAction.NEW: "mark-correct",
    ImportAction.CHANGED: "mark-open",
    ImportAction.TWIN: "mark-correct",
    ImportAction.CONFLICT: "mark-problem",
    ImportAction.REVIEW: "mark-warning",
    ImportAction.REFUSED: "mark-problem",
}
"""How the word is coloured; the word itself says it."""


@dataclass(frozen=True, slots=True)
class Said:
    """A note as a sentence, with the line it is about and the file's own words."""

    line: int
    text: str
    quote: str


@dataclass(frozen=True, slots=True)
class ShownItem:
    """An item as the page shows it; `lines` are those of the file, where it has any.

    `worth` are the points that the file tells. `left` counts the lines that are not shown.
    `clash`: it may be taken under a name of its own.
    `answer` is what was said of its twin: "taken", "refused", "known" (before), or nothing yet.
    """

    planned: PlannedItem
    chosen: bool
    label: Promise
    mark: str
    repaired: Promise | str
    worth: str
    why: Promise | str
    clash: bool
    anew: bool
    lines: tuple[str, ...]
    left: int
    notes: tuple[Said, ...]
    problems: tuple[str, ...]
    previews: tuple[LanguagePreview, ...]
    differences: tuple[Difference, ...]
    twin: ShownTwin | None
    alike: str
    answer: str


def items(
    job: ImportJob,
    plan: StoredPlan,
    numbers: Iterable[int],
    chosen: frozenset[int],
    at_home: Callable[[str], str],
) -> list[ShownItem]:
    """Lay out these items; `at_home` gives the address of a picture that the bank does not have."""
    anew = frozenset(job.as_new or ())
    swaps = {f"/media/{name}": at_home(name) for name in plan.media}
    return [
        ShownItem(
            planned=stored_item.planned,
            chosen=stored_item.planned.number in chosen,
            label=WHATS[stored_item.planned.action],
            mark=MARKS.get(stored_item.planned.action, ""),
            repaired=_verdict(stored_item.planned),
            worth=source_grades.worth(stored_item.planned.source_item.points),
            why=_why(stored_item.planned),
            clash=bool(stored_item.planned.conflict_code),
            anew=stored_item.planned.number in anew,
            lines=(lines := tuple(stored_item.excerpt.split("\n")) if stored_item.excerpt else ()),
            left=max(
                stored_item.planned.source_item.end_line
                - stored_item.planned.source_item.line
                + 1
                - len(lines),
                0,
            ),
            notes=tuple(said(note) for note in stored_item.planned.source_item.notes),
            problems=tuple(
                describe_problem(problem.code, problem.detail) for problem in stored_item.problems
            ),
            previews=_shown(stored_item.planned, swaps),
            differences=_differences(stored_item.planned),
            twin=match_view.of_item(stored_item.planned),
            alike=match_view.alike(stored_item.planned),
            answer=match_view.answer(job, stored_item.planned),
        )
        for stored_item in stored_plan.load_items(job, plan, numbers)
    ]


def _verdict(planned: PlannedItem) -> Promise | str:
    status = VERDICTS.get(planned.source_item.status, "")
    return "" if planned.action == ImportAction.REVIEW else status


def _why(planned: PlannedItem) -> Promise | str:
    if planned.action == ImportAction.REVIEW and planned.before:
        return WHYS["review_of_held"]
    return WHYS.get(planned.conflict_code or planned.action, "")


def _names(planned: PlannedItem) -> dict[str, str]:
    return {id_: name for name, id_ in planned.rows.items()}


def _shown(planned: PlannedItem, swaps: dict[str, str]) -> tuple[LanguagePreview, ...]:
    """Draw an item in each of its languages; pictures come from where they are now."""
    previews = preview_document(planned.document, _names(planned)) if planned.document else ()
    return _swapped(previews, swaps) if swaps else previews


def _swapped(value: T, swaps: dict[str, str]) -> T:
    """Exchange addresses in every text of a value."""
    copy: Any = value
    if isinstance(copy, str):
        for old, new in swaps.items():
            copy = copy.replace(old, new)
    elif isinstance(copy, tuple):
        copy = tuple(_swapped(part, swaps) for part in copy)
    elif is_dataclass(copy) and not isinstance(copy, type):
        parts = {
            attribute.name: _swapped(getattr(copy, attribute.name), swaps)
            for attribute in fields(copy)
        }
        copy = replace(copy, **parts)
    swapped: T = copy
    return swapped


def _differences(planned: PlannedItem) -> tuple[Difference, ...]:
    if planned.before is None or planned.document is None or planned.action == ImportAction.SAME:
        return ()
    return diff.diff_documents(planned.before, planned.document, _names(planned))


def said(note: Note) -> Said:
    """Put a note into words."""
    return Said(note.line, message_for(note.code, NOTES), note.quote)
