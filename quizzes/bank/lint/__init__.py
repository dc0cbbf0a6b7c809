"""What an author should look at in a bank, though it may be published: findings by code. Pure."""

from collections.abc import Collection, Mapping

from quizzes.bank.lint.bank_linter import combine_findings, iter_question_findings
from quizzes.bank.lint.findings import SEVERITY_ORDER, Finding, Severity
from quizzes.bank.lint.question_linter import LintResult, lint_question
from quizzes.bank.lint.scoring import SCORING_METHOD
from quizzes.bank.lint.topics import Topic
from quizzes.document import QuestionDocument

__all__ = [
    "SCORING_METHOD",
    "SEVERITY_ORDER",
    "Finding",
    "LintResult",
    "Severity",
    "Topic",
    "combine_findings",
    "lint_bank",
    "lint_question",
    "lint_questions",
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


def lint_questions(items: Mapping[str, QuestionDocument]) -> dict[str, tuple[Finding, ...]]:
    """Return what is worth a look in each of these questions, one held against the others too.

    For questions that are not in a bank yet: nothing is said of habits or files.
    """
    results = {name: lint_question(item) for name, item in items.items()}
    findings: dict[str, list[Finding]] = {name: [] for name in results}
    for finding in iter_question_findings(results):
        findings[finding.question].append(finding)
    return {name: tuple(listed) for name, listed in findings.items()}
