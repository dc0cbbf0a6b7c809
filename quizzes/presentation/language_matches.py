"""A language match as a person or program reads it: both questions side by side, and why."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.utils.functional import Promise

from grading.schema import PROMPT, TextSlot
from quizzes.document import QuestionDocument
from quizzes.imports.import_plan.values import ImportAction
from quizzes.imports.match_answers import MatchAnswers
from quizzes.imports.report import ReportItem
from quizzes.imports.stored_plan import StoredItem
from quizzes.lib.errors import Conflict
from quizzes.lib.markup import MAX_CHARACTERS, render
from quizzes.matching.comparable import is_correct
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.merge import CandidatePair
from quizzes.presentation.messages.imports import (
    PAIR_BASES,
    describe_key_change,
    describe_reason,
)
from quizzes.presentation.messages.problems import language_name

DOUBTFUL = 0.6
"""Below this confidence, a pair of options is marked as one to compare."""


@dataclass(frozen=True, slots=True)
class MatchedOption:
    """An option of one of the two questions: its text as HTML, and whether it is correct."""

    html: str
    correct: bool


@dataclass(frozen=True, slots=True)
class MatchedOptions:
    """Two options that may be the same, and why."""

    item: MatchedOption
    existing: MatchedOption
    basis: Promise | str
    doubtful: bool


@dataclass(frozen=True, slots=True)
class MatchedQuestion:
    """One of the two questions: its language by code and name, and its prompt as HTML."""

    code: str
    language: str
    prompt: str


@dataclass(frozen=True, slots=True)
class MatchView:
    """Two questions side by side: that of the item, and the existing one of the bank.

    `percent` is how sure it is, None where a person confirmed it. `left_out` are texts that the
    existing question has no place for.
    """

    name: str
    percent: int | None
    reasons: tuple[str, ...]
    key_change: str
    item: MatchedQuestion
    existing: MatchedQuestion
    options: tuple[MatchedOptions, ...]
    left_out: tuple[str, ...]


def build_item_match(stored_item: StoredItem) -> MatchView | None:
    """Return the match of an item of a file; None where it has none."""
    match, document = stored_item.report.language_match, stored_item.document
    if match is None or document is None:
        return None
    is_merged = stored_item.report.action != ImportAction.NEW and stored_item.before is not None
    rows = {} if is_merged else stored_item.rows
    ids = {pair.right: rows.get(pair.left, "") for pair in match.rows}
    return build_match(document, match, ids)


def build_match(
    document: QuestionDocument, match: LanguageMatch, ids: Mapping[str, str]
) -> MatchView | None:
    """Return two questions side by side; `ids` are the existing rows → this document's."""
    existing = match.document
    if existing is None:
        return None
    code = next(
        (language for language in _prompt_languages(existing) if language != match.language),
        existing.source_language,
    )
    return MatchView(
        name=match.question,
        percent=None if match.confirmed else match.percent,
        reasons=tuple(map(describe_reason, match.reasons)),
        key_change=describe_key_change(match),
        item=_build_question(document, match.language),
        existing=_build_question(existing, code),
        options=tuple(_pair_options(document, match, ids, code)),
        left_out=match.left_out,
    )


def build_pair_match(pair: CandidatePair) -> MatchView:
    """Return two questions of a bank side by side; the second has no draft any more: Conflict."""
    match = pair.to_match()
    ids = {row.right: row.left for row in match.rows}
    view = build_match(pair.first.document, match, ids)
    if view is None:
        raise Conflict("match_gone")
    return view


def _prompt_languages(document: QuestionDocument) -> list[str]:
    """Return the languages that a question has a prompt in, the source first."""
    languages = [
        code for code, words in document.words.items() if str(words.get(PROMPT.name) or "").strip()
    ]
    return sorted(languages, key=lambda code: (code != document.source_language, code))


def _build_question(document: QuestionDocument, code: str) -> MatchedQuestion:
    prompt = str(document.words.get(code, {}).get(PROMPT.name) or "")
    return MatchedQuestion(code, language_name(code), render(prompt[:MAX_CHARACTERS]))


def _pair_options(
    document: QuestionDocument, match: LanguageMatch, ids: Mapping[str, str], code: str
) -> Iterator[MatchedOptions]:
    """Yield the options that a taker reads, pair by pair; `code` is the existing one's language."""
    if match.document is None:
        return
    left, right = _read_options(document, match.language), _read_options(match.document, code)
    for pair in match.rows:
        own = ids.get(pair.right) or pair.right
        if pair.right in right and own in left:
            yield MatchedOptions(
                left[own],
                right[pair.right],
                PAIR_BASES.get(pair.basis, pair.basis),
                pair.confidence < DOUBTFUL,
            )


def _read_options(document: QuestionDocument, code: str) -> dict[str, MatchedOption]:
    """Return the options that a taker reads, by id."""
    correct = find_correct_rows(document)
    return {
        slot.id: _build_option(document.text_at(code, slot)[:MAX_CHARACTERS], slot, correct)
        for slot in document.text_slots
        if slot.id and not slot.is_feedback
    }


def _build_option(text: str, slot: TextSlot, correct: frozenset[str]) -> MatchedOption:
    return MatchedOption(render(text, inline="\n" not in text), slot.id in correct)


def find_correct_rows(document: QuestionDocument) -> frozenset[str]:
    """Return the rows that are correct, where that is a tick."""
    return frozenset(row.id for table, row in document.iter_rows() if is_correct(table, row))


def read_match_answer(item: ReportItem, answers: MatchAnswers) -> str:
    """Return the answer to the match of an item."""
    if item.language_match is None:
        return ""
    if item.language_match.confirmed:
        return "confirmed"
    if item.number in answers.accepted:
        return "accepted"
    return "rejected" if item.number in answers.rejected else ""
