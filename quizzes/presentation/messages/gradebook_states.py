"""The states of a gradebook in words."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from quizzes.results.gradebook import GradeState

STATES: Final[Mapping[GradeState, tuple[str, Promise]]] = {
    GradeState.NOT_BEGUN: ("not-begun", gettext_lazy("not begun")),
    GradeState.IN_PROGRESS: ("open", gettext_lazy("in progress")),
    GradeState.WAITING: ("warning", gettext_lazy("waits for grading")),
    GradeState.PASSED: ("passed", gettext_lazy("passed")),
    GradeState.FAILED: ("failed", gettext_lazy("not passed")),
    GradeState.VOID: ("void", gettext_lazy("void")),
}
"""The style of each mark, and its words."""
