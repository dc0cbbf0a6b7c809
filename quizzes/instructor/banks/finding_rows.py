"""The findings of a bank as rows of a page, question by question, each with a link to its place."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.urls import reverse
from django.utils.functional import Promise

from quizzes.bank.checks import CheckedFinding, WaivedBy
from quizzes.bank.lint import SCORING_METHOD, Finding, Severity
from quizzes.instructor.questions.finding_place import describe_place
from quizzes.instructor.translated_field import summarize
from quizzes.lib.translated_texts import choose_title
from quizzes.presentation.messages.findings import SEVERITY_LABELS
from quizzes.presentation.messages.problems import describe_finding


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding in words; `can_waive`: an author may mark it as intended."""

    severity: Severity
    severity_label: Promise | str
    text: str
    place: str
    address: str
    code: str
    about: str
    can_waive: bool
    waived_by: WaivedBy | None


@dataclass(frozen=True, slots=True)
class QuestionFindings:
    """The findings of one question; without one: of the bank as a whole."""

    pk: int | None
    name: str
    prompt: str
    digest: str
    rows: tuple[FindingRow, ...]


def group_by_question(findings: Iterable[CheckedFinding]) -> list[list[CheckedFinding]]:
    """Return the findings of each question, and before them those of the bank, as they come."""
    return [
        list(listed)
        for _question, listed in groupby(findings, key=lambda checked: checked.question)
    ]


def build_question_findings(findings: Sequence[CheckedFinding]) -> QuestionFindings:
    """Return the findings of one question, one at least, as the page shows them."""
    question, rows = findings[0].question, tuple(_build_row(checked) for checked in findings)
    if question is None:
        return QuestionFindings(None, "", "", "", rows)
    prompt = choose_title(question.prompts, question.source_language)
    return QuestionFindings(question.pk, question.name, summarize(prompt), question.digest, rows)


def _build_row(checked: CheckedFinding) -> FindingRow:
    finding, question = checked.finding, checked.question
    return FindingRow(
        severity=finding.severity,
        severity_label=SEVERITY_LABELS[finding.severity],
        text=describe_finding(finding),
        place=describe_place(finding, checked.row),
        address=build_address(finding, question.pk) if question and question.pk else "",
        code=finding.code,
        about=finding.about,
        can_waive=question is not None and finding.severity != Severity.ERROR,
        waived_by=checked.waived_by,
    )


def build_address(finding: Finding, question: int) -> str:
    """Return the address of the place on the authoring page."""
    page = reverse("admin:bank_question_change", args=[question])
    steps = finding.path.split(".")
    if finding.path == SCORING_METHOD:
        return f"{page}#id_q-scoring_method"
    if finding.row:
        return f"{page}#row-{finding.row}"
    if steps[0] in {"words", "feedback"} and finding.part:
        return f"{page}#id_q-{steps[0]}_{finding.part}_{finding.language}"
    return page
