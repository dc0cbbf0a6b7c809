"""The notes on a draft: problems, warnings and findings, each at its place."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grading.contract import Problem
from quizzes.bank.lint import lint_question
from quizzes.bank.models import Question, Waiver
from quizzes.document import QuestionDocument, find_problems, find_warnings
from quizzes.lib import markup
from quizzes.presentation.messages.findings import FINDINGS
from quizzes.presentation.messages.problems import describe_problem


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence at one place; a problem keeps the draft from being published."""

    where: str
    code: str
    text: str
    blocks: bool


def list_draft_notes(
    document: QuestionDocument, of_files: Iterable[Problem] = ()
) -> tuple[Note, ...]:
    """Return the problems, then the warnings of a draft; `of_files` are problems of its files."""
    return tuple(
        [_build_note(problem, blocks=True) for problem in (*find_problems(document), *of_files)]
        + [_build_note(problem, blocks=False) for problem in find_warnings(document)]
        + list(_list_markup_notes(document))
    )


def _build_note(problem: Problem, *, blocks: bool) -> Note:
    message = describe_problem(problem.code, problem.detail)
    return Note(problem.where, problem.code, message, blocks)


def _list_markup_notes(document: QuestionDocument) -> Iterator[Note]:
    for code in {*document.words, *document.feedback}:
        for where, text in document.iter_texts(code):
            if len(text) > markup.MAX_CHARACTERS:
                continue  # that is no mere note: it blocks
            for problem in markup.markup_warnings(text):
                message = describe_problem(
                    problem.code, {"line": problem.line, "detail": problem.detail}
                )
                yield Note(where, problem.code, message, blocks=False)


def list_lint_notes(question: Question, document: QuestionDocument) -> tuple[Note, ...]:
    """Return the findings of the linter in a draft that nobody has waived."""
    lint_result = lint_question(document)
    waivers = Waiver.objects.filter(question=question, digest=lint_result.digest)
    waived = set(waivers.values_list("code", flat=True))
    return tuple(
        Note(
            finding.path,
            finding.code,
            describe_problem(finding.code, finding.figures),
            blocks=False,
        )
        for finding in lint_result.findings
        if finding.code in FINDINGS and finding.code not in waived
    )
