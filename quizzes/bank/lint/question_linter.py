"""One question looked at by itself: what is found in it, and what is held against the others."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from grading.contract import Problem
from grading.guessing import GuessScore
from quizzes.bank.lint import accepted_answers, early_texts, scoring, style_checks, translation
from quizzes.bank.lint.duplicates import ComparableTexts, collect_texts
from quizzes.bank.lint.findings import Finding, FindingDetail, by_severity
from quizzes.bank.lint.key_bias import SingleKeyQuestion, read_single_key
from quizzes.bank.lint.media_files import QuestionFiles, collect_files
from quizzes.bank.lint.question_view import QuestionView
from quizzes.document import QuestionDocument, find_problems, find_warnings
from quizzes.lib import markup

_MARKED: Final = re.compile(r"[`$~\[<|]|^(?: {4}|\t)", re.MULTILINE)
_NESTING: Final = re.compile(r"[>*+.)-]")
_MAX_NESTING: Final = 10
MAX_PROMPT: Final = 200
"""So many characters of a prompt are kept in each language, to know the question by."""


@dataclass(frozen=True, slots=True)
class LintResult:
    """One question: its own findings, without its name; and what the whole bank is judged by."""

    findings: tuple[Finding, ...]
    digest: str
    prompts: Mapping[str, str]
    source_language: str
    languages: frozenset[str]
    graded: bool
    guess_score: GuessScore
    texts: ComparableTexts
    right: SingleKeyQuestion | None
    files: QuestionFiles


def lint_question(item: QuestionDocument) -> LintResult:
    """Look at a question; never raises on a draft."""
    view, problems = QuestionView(item), find_problems(item)
    guess_score = scoring.score_question_guesses(item, is_valid=not problems)
    findings = (
        *_find_problems((*problems, *find_warnings(item))),
        *scoring.check_scoring(guess_score),
        *scoring.check_costs(view),
        *accepted_answers.check_accepted_answers(view),
        *style_checks.check_style(view),
        *early_texts.check_early_texts(view),
        *translation.check_translations(view),
        *_find_markup_warnings(item),
    )
    return LintResult(
        findings=tuple(sorted(findings, key=by_severity)),
        digest=item.digest(),
        prompts={language: view.prompt(language)[:MAX_PROMPT] for language in view.languages},
        source_language=item.source_language,
        languages=frozenset(view.languages),
        graded=view.schema.graded,
        guess_score=guess_score,
        texts=collect_texts(view),
        right=read_single_key(view),
        files=collect_files(item),
    )


def _find_problems(problems: Iterable[Problem]) -> Iterator[Finding]:
    """Yield what keeps it from being published, and what its languages lack."""
    for problem in problems:
        yield Finding(
            problem.code, "", str(problem.detail.get("language", "")), problem.where, problem.detail
        )


def _find_markup_warnings(item: QuestionDocument) -> Iterator[Finding]:
    """Name what in a text will not be shown as it is meant; plain words need no reading."""
    for language in item.languages:
        for path, text in item.iter_texts(language):
            if len(text) <= markup.MAX_CHARACTERS and _has_markup(text):
                for problem in markup.markup_warnings(text):
                    figures: FindingDetail = {"line": problem.line, "detail": problem.detail}
                    yield Finding(str(problem.code), "", language, path, figures)


def _has_markup(text: str) -> bool:
    return bool(_MARKED.search(text)) or len(_NESTING.findall(text)) > _MAX_NESTING


def name_findings(results: LintResult, question: str) -> Iterator[Finding]:
    """Return the findings of a question under its name."""
    return (replace(finding, question=question) for finding in results.findings)
