"""What is worth a look in the questions of a file before they are written: within some seconds."""

import time
from dataclasses import dataclass, field
from typing import Final

from grading.contract import Problem
from quizzes.bank.lint import Finding, QuestionLinter
from quizzes.imports.import_plan.values import PlannedItem

MAX_SECONDS: Final = 10.0
"""Seconds of CPU for all questions of a file; the others are not looked at."""


@dataclass(slots=True)
class ItemLinter:
    """Looks at the planned items of a file, in their order, as long as there is time."""

    seconds_left: float = MAX_SECONDS
    _linter: QuestionLinter = field(default_factory=QuestionLinter)

    def lint(
        self, planned: PlannedItem, problems: tuple[Problem, ...]
    ) -> tuple[Finding, ...] | None:
        """Return what is worth a look beside the problems; None where there was no time for it.

        Of what is not written there is nothing to say.
        """
        if planned.document is None or not planned.writes:
            return ()
        if self.seconds_left <= 0:
            return None
        begun = time.thread_time()
        findings = self._linter.lint(planned.name, planned.document)
        self.seconds_left -= time.thread_time() - begun
        blocking = {(problem.code, problem.where) for problem in problems}
        return tuple(each for each in findings if (each.code, each.path) not in blocking)
