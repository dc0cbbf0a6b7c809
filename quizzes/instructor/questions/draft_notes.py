"""All that is to be said about a draft, place by place."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grading.contract import Problem
from quizzes.document import QuestionDocument, find_problems, find_warnings
from quizzes.lib import markup
from quizzes.presentation.messages.problems import describe_problem


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence at one place; a problem keeps the draft from being published."""

    where: str
    text: str
    blocks: bool


def list_draft_notes(
    document: QuestionDocument, of_files: Iterable[Problem] = ()
) -> tuple[Note, ...]:
    """Name all that is wrong with a draft, what blocks it first; `of_files` its bank told."""
    return tuple(
        [_build_note(problem, blocks=True) for problem in (*find_problems(document), *of_files)]
        + [_build_note(problem, blocks=False) for problem in find_warnings(document)]
        + list(_list_markup_notes(document))
    )


def _build_note(problem: Problem, *, blocks: bool) -> Note:
    return Note(problem.where, describe_problem(problem.code, problem.detail), blocks)


def _list_markup_notes(document: QuestionDocument) -> Iterator[Note]:
    for code in {*document.words, *document.feedback}:
        for where, text in document.iter_texts(code):
            if len(text) > markup.MAX_CHARACTERS:
                continue  # that is no mere note: it blocks
            for problem in markup.markup_warnings(text):
                message = describe_problem(
                    problem.code, {"line": problem.line, "detail": problem.detail}
                )
                yield Note(where, message, blocks=False)
