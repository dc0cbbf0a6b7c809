"""What an import did, or how far it is: the report, a page of lines at a time."""

from typing import Any, Final

from django.core.paginator import Paginator
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from quizzes.imports import job_files, report_format, source_grades
from quizzes.imports.models import BUSY, ImportJob, State
from quizzes.imports.sayings import NOTES, REFUSALS
from quizzes.instructor.imports.item_view import WHATS
from quizzes.instructor.imports.preview_page import sentence

PAGE: Final = 200
"""Lines on a page."""

STEPS: dict[str, Promise] = {
    State.READING: _("The file is being read; nothing is written yet."),
    State.QUEUED: _("The import is about to begin."),
    State.RUNNING: _("The questions are being brought in: all of them, or none."),
}


def report(job: ImportJob, page: str) -> dict[str, Any]:
    """Give what the page needs."""
    stored: dict[str, Any] = job.report
    lines = Paginator(stored.get("items", []), PAGE)
    here = lines.get_page(page)
    is_open = job.state in BUSY
    return {
        "job": job,
        "open": is_open,
        "step": STEPS.get(job.state, ""),
        "done": job_files.read_progress(job.uuid) if is_open else 0,
        "claims": source_grades.sentence(stored.get("about", {})),
        "sentence": sentence(stored["verdicts"]) if "verdicts" in stored else "",
        "counts": [(WHATS[what], n) for what, n in stored.get("counts", {}).items() if n],
        "reason": report_format.message_for(stored["code"], REFUSALS) if "code" in stored else "",
        "troubles": stored.get("troubles", []),
        "here": here,
        "lines": [_told(line) for line in here.object_list],
    }


def _told(line: dict[str, Any]) -> dict[str, Any]:
    """Put a line of a report into the words of whoever reads it now."""
    notes = [
        {**note, "message": report_format.message_for(note["code"], NOTES)}
        for note in line["notes"]
    ]
    return {**line, "notes": notes, "said": WHATS[line["what"]]}
