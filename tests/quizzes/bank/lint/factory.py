"""Questions to look at, each sound until a test spoils it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from quizzes.bank.lint import Finding, lint_bank
from quizzes.document import QuestionDocument
from tests.factories import choice_document

LETTERS = {letter: letter for letter in "abcd"}


def made(right: str = "ab", kind: str = "multiple_choice", **more: Any) -> QuestionDocument:
    fields = {"scoring_method": "", "name": "some", **more}
    return choice_document(LETTERS, right=right, kind=kind, **fields)


def worded(item: QuestionDocument, language: str, **words: Any) -> QuestionDocument:
    """Give the same with other words; an option is given by its id within `options`."""
    before = item.words.get(language, {})
    options = {**before.get("options", {}), **words.pop("options", {})}
    texts = {**before, **words, "options": options}
    return replace(item, words={**item.words, language: texts})


def found(*listed: QuestionDocument, **more: Any) -> list[Finding]:
    return list(lint_bank(named(*listed), **more))


def named(*listed: QuestionDocument) -> dict[str, QuestionDocument]:
    return {f"q{n}": item for n, item in enumerate(listed)}


def codes(*listed: QuestionDocument) -> list[str]:
    return [finding.code for finding in found(*listed)]


def only(item: QuestionDocument, code: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Give path and figures of the findings of one code."""
    return [(finding.path, finding.figures) for finding in found(item) if finding.code == code]
