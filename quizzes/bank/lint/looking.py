"""One question looked at by itself: what is found in it, and what is held against the others."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from grading.blind import Blind
from grading.contract import Problem
from quizzes.bank import item as items
from quizzes.bank.item import Item
from quizzes.bank.lint import accepted, scoring, translation, wording
from quizzes.bank.lint.files import Files, files_of
from quizzes.bank.lint.findings import Figures, Finding, gravest_first
from quizzes.bank.lint.habits import OneRight, one_right
from quizzes.bank.lint.parts import Parts
from quizzes.bank.lint.twins import Said, said_in
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
    said: Said
    right: OneRight | None
    files: Files


def look(item: Item) -> Looked:
    """Look at a question; never raises on a draft."""
    parts, problems = Parts(item), items.problems(item)
    blind = scoring.figures_of(item, sound=not problems)
    found = (
        *_as_told((*problems, *items.warnings(item))),
        *scoring.check(blind),
        *accepted.check(parts),
        *wording.check(parts),
        *translation.check(parts),
        *_of_markup(item),
    )
    return Looked(
        findings=tuple(sorted(found, key=gravest_first)),
        digest=item.digest(),
        prompt=parts.prompt()[:BEGINNING],
        languages=frozenset(parts.languages),
        graded=parts.shape.graded,
        blind=blind,
        said=said_in(parts),
        right=one_right(parts),
        files=files_of(item),
    )


def _as_told(problems: Iterable[Problem]) -> Iterator[Finding]:
    """Tell what keeps it from being published, and what its languages lack."""
    for one in problems:
        yield Finding(one.code, "", str(one.detail.get("language", "")), one.where, one.detail)


def _of_markup(item: Item) -> Iterator[Finding]:
    """Name what in a text will not be shown as it is meant; plain words need no reading."""
    for language in items.languages(item):
        for path, text in items.texts(item, language):
            if len(text) <= markup.MAX_CHARACTERS and _is_marked(text):
                for one in markup.problems(text):
                    figures: Figures = {"line": one.line, "detail": one.detail}
                    yield Finding(str(one.code), "", language, path, figures)


def _is_marked(text: str) -> bool:
    return bool(_MARKED.search(text)) or len(_NESTING.findall(text)) > _DEEP


def named(looked: Looked, question: str) -> Iterator[Finding]:
    """Give the findings of a question under its name."""
    return (replace(found, question=question) for found in looked.findings)
