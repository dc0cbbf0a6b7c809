"""The rules that a bank breaks as rows of a page, the gravest first, with their counts."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

from quizzes.bank.checks import CheckedFinding
from quizzes.bank.lint import SEVERITY_ORDER, Severity, Topic
from quizzes.presentation.messages.findings import SEVERITY_LABELS, TOPIC_LABELS
from quizzes.presentation.messages.problems import describe_finding, describe_rule


@dataclass(frozen=True, slots=True)
class RuleRow:
    """A rule, and how many findings of it there are in how many questions; 0: in the bank."""

    code: str
    severity: Severity
    severity_label: Promise | str
    topic: Topic
    topic_label: Promise | str
    text: str
    findings: int
    questions: int


def group_by_rule(findings: Iterable[CheckedFinding]) -> list[RuleRow]:
    """Return the rules that these findings are of: by severity, then the most frequent first."""
    by_code: dict[str, list[CheckedFinding]] = defaultdict(list)
    for checked in findings:
        by_code[checked.finding.code].append(checked)
    rows = [_build_row(code, listed) for code, listed in by_code.items()]
    return sorted(rows, key=lambda row: (SEVERITY_ORDER.index(row.severity), -row.findings))


def count_questions(findings: Iterable[CheckedFinding]) -> int:
    """Return in how many questions these findings are."""
    return len({checked.question.name for checked in findings if checked.question})


def _build_row(code: str, listed: Sequence[CheckedFinding]) -> RuleRow:
    finding = listed[0].finding
    sentence = describe_finding(finding)
    # Most figures are the same or differ at once: not each of thousands is put into words.
    is_same = all(
        checked.finding.figures == finding.figures or describe_finding(checked.finding) == sentence
        for checked in listed
    )
    return RuleRow(
        code=code,
        severity=finding.severity,
        severity_label=SEVERITY_LABELS[finding.severity],
        topic=finding.topic,
        topic_label=TOPIC_LABELS[finding.topic],
        text=sentence if is_same else describe_rule(code),
        findings=len(listed),
        questions=count_questions(listed),
    )
