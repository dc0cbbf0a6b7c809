"""What an author should look at in a bank, though it may be published: findings by code. Pure."""

from collections.abc import Collection, Mapping

from quizzes.bank.lint.bank_linter import combine_findings
from quizzes.bank.lint.duplicates import EarlierQuestions
from quizzes.bank.lint.findings import SEVERITY_ORDER, Finding, Severity, by_severity
from quizzes.bank.lint.question_linter import LintResult, lint_question, name_findings
from quizzes.bank.lint.scoring import SCORING_METHOD
from quizzes.bank.lint.topics import Topic
from quizzes.document import QuestionDocument

__all__ = [
    "SCORING_METHOD",
    "SEVERITY_ORDER",
    "Finding",
    "LintResult",
    "QuestionLinter",
    "Severity",
    "Topic",
    "combine_findings",
    "lint_bank",
    "lint_question",
]


def lint_bank(
    bank: Mapping[str, QuestionDocument],
    labels: Mapping[str, str] | None = None,
    unused: Collection[str] = (),
) -> tuple[Finding, ...]:
    """Name what is worth a look in these questions, given by name; never raises on a draft.

    What is said of the bank comes first, then question after question, the gravest first. `labels`
    are its files, name → label, and `unused` those that no published version shows; without
    `labels` nothing is said of files.
    """
    return combine_findings(
        {name: lint_question(item) for name, item in bank.items()}, labels, unused
    )


class QuestionLinter:
    """Looks at questions that are in no bank yet, one after the other.

    Each is held against those before it; nothing is said of habits or files.
    """

    def __init__(self) -> None:
        self._earlier = EarlierQuestions()

    def lint(self, name: str, item: QuestionDocument) -> tuple[Finding, ...]:
        """Return what is worth a look in the next question, the gravest first."""
        lint_result = lint_question(item)
        findings = (
            *name_findings(lint_result, name),
            *self._earlier.check(name, lint_result.texts),
        )
        return tuple(sorted(findings, key=by_severity))
