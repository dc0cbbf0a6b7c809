"""One question looked at by itself: what is found in it, and what is held against the others."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from grading.blind import Blind
from grading.contract import Problem
from quizzes.bank.lint import accepted, scoring, translation, wording
from quizzes.bank.lint.files import Files, files_of
from quizzes.bank.lint.findings import Figures, Finding, gravest_first
from quizzes.bank.lint.habits import OneRight, one_right
from quizzes.bank.lint.parts import Parts
from quizzes.bank.lint.twins import Said, said_in
from quizzes.document import QuestionDocument, find_problems, find_warnings
from quizzes.lib import markup

_MARKED: Final = re.compile(r"[`$~\[<|]|^(?: {4}|\t)", re.MULTILINE)
_NESTING: Final = re.compile(r"[>*+.)-]")
_DEEP: Final = 10
BEGINNING: Final = 200
"""So many characters of a prompt are kept, to know the question by."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One question: its own findings, without its name; and what the whole bank is judged by."""

    findings: tuple[Finding, ...]
    digest: str
    prompt: str
    languages: frozenset[str]
    graded: bool
    blind: Blind
    texts: Said
    right: OneRight | None
    files: Files


def look(item: QuestionDocument) -> Looked:
    """Look at a question; never raises on a draft."""
    parts, problems = Parts(item), find_problems(item)
    blind = scoring.figures_of(item, sound=not problems)
    findings = (
        *_find_problems((*problems, *find_warnings(item))),
        *scoring.check(blind),
        *accepted.check(parts),
        *wording.check(parts),
        *translation.check(parts),
        *_of_markup(item),
    )
    return Looked(
        findings=tuple(sorted(findings, key=gravest_first)),
        digest=item.digest(),
        prompt=parts.prompt()[:BEGINNING],
        languages=frozenset(parts.languages),
        graded=parts.shape.graded,
        blind=blind,
        texts=said_in(parts),
        right=one_right(parts),
        files=files_of(item),
    )


def _find_problems(problems: Iterable[Problem]) -> Iterator[Finding]:
    """Yield what keeps it from being published, and what its languages lack."""
    for problem in problems:
        yield Finding(
            problem.code, "", str(problem.detail.get("language", "")), problem.where, problem.detail
        )


def _of_markup(item: QuestionDocument) -> Iterator[Finding]:
    """Name what in a text will not be shown as it is meant; plain words need no reading."""
    for language in item.languages:
        for path, text in item.iter_texts(language):
            if len(text) <= markup.MAX_CHARACTERS and _is_marked(text):
                for problem in markup.markup_warnings(text):
                    figures: Figures = {"line": problem.line, "detail": problem.detail}
                    yield Finding(str(problem.code), "", language, path, figures)


def _is_marked(text: str) -> bool:
    return bool(_MARKED.search(text)) or len(_NESTING.findall(text)) > _DEEP


def named(looked: Looked, question: str) -> Iterator[Finding]:
    """Return the findings of a question under its name."""
    return (replace(finding, question=question) for finding in looked.findings)
