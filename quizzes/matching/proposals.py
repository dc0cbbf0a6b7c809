"""Which questions of a bank those of a file may be, in another language or in the same."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from quizzes.bank.models import Bank, Question
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.document_mapping import build_document
from quizzes.formats.parsing.progress import begin_step, count_each
from quizzes.lib.errors import Conflict
from quizzes.matching.bank_questions import (
    BankQuestion,
    load_bank_questions,
    parsed_to_comparable,
    single_language,
)
from quizzes.matching.decisions import confirmed_pairs, rejected_pairs
from quizzes.matching.fingerprints import question_fingerprints
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.merge_translation import merge_translation
from quizzes.matching.question_pairing import MAX_QUESTIONS, QuestionPair, pair_questions
from quizzes.matching.row_pairing import pair_rows

MATCHING: Final = "matching"
"""The step of an import in which its questions are compared with those of the bank."""

Numbered = Sequence[tuple[int, ParsedQuestion]]
"""Questions of a file, each with its number there."""


@dataclass(frozen=True, slots=True)
class MatchProposals:
    """By number of the item: its match in another language, and its duplicate in its own.

    `confirmed` are matches that a person confirmed before. Not `searched`: there were too many
    questions.
    """

    matches: Mapping[int, LanguageMatch] = field(default_factory=dict)
    duplicates: Mapping[int, LanguageMatch] = field(default_factory=dict)
    confirmed: Mapping[int, LanguageMatch] = field(default_factory=dict)
    searched: bool = True


def propose_matches(bank: Bank, numbered: Numbered, new: Numbered) -> MatchProposals:
    """Return the matches of a file's questions; `new` are those that the bank does not have."""
    confirmed = dict(_iter_confirmed(bank, numbered))
    open_questions = {
        number: question
        for number, question in new
        if number not in confirmed and single_language(question)
    }
    if not open_questions:
        return MatchProposals(confirmed=confirmed)
    in_use = Question.objects.filter(bank=bank, retired_at=None)
    if max(len(open_questions), in_use.count()) > MAX_QUESTIONS:
        return MatchProposals(confirmed=confirmed, searched=False)
    bank_questions, rejected = load_bank_questions(bank), rejected_pairs(bank)
    matches: dict[int, LanguageMatch] = {}
    duplicates: dict[int, LanguageMatch] = {}
    for language in dict.fromkeys(map(single_language, open_questions.values())):
        questions = [
            (number, question)
            for number, question in open_questions.items()
            if single_language(question) == language
        ]
        for proposals, has_language in ((matches, False), (duplicates, True)):
            others = [
                bank_question
                for bank_question in bank_questions
                if bank_question.has_language(language) == has_language
            ]
            proposals.update(_pair(questions, language, others))
    return MatchProposals(
        {
            number: match
            for number, match in matches.items()
            if not any(
                (match.question, fingerprint) in rejected
                for fingerprint in question_fingerprints(open_questions[number])
            )
        },
        duplicates,
        confirmed,
    )


def build_confirmed_match(
    bank: Bank, number: int, question: ParsedQuestion, name: str
) -> LanguageMatch:
    """Return the match that a person confirmed, whether it was proposed or not.

    One that is gone, of another kind, or that has the language by now: Conflict.
    """
    language = single_language(question)
    existing = next(iter(load_bank_questions(bank, [name])), None)
    if (
        existing is None
        or not language
        or existing.document.kind != question.kind
        or existing.has_language(language)
    ):
        raise Conflict("match_gone", question=name, number=number)
    left, right = parsed_to_comparable(question, language), existing.to_comparable()
    pair = next(iter(pair_questions([left], [right], min_confidence=0)), QuestionPair(0, 0, 0.0))
    return _build_match(question, language, existing, replace(pair, rows=pair_rows(left, right)))


def _pair(
    questions: Numbered, language: str, others: Sequence[BankQuestion]
) -> Iterator[tuple[int, LanguageMatch]]:
    if not others:
        return
    begin_step(MATCHING, len(questions) + len(others))
    left = [parsed_to_comparable(question, language) for _, question in count_each(questions)]
    right = [
        bank_question.to_comparable(language if bank_question.has_language(language) else "")
        for bank_question in count_each(others)
    ]
    for pair in pair_questions(left, right):
        number, question = questions[pair.left]
        yield number, _build_match(question, language, others[pair.right], pair)


def _build_match(
    question: ParsedQuestion, language: str, other: BankQuestion, pair: QuestionPair
) -> LanguageMatch:
    match = LanguageMatch(
        other.name, language, pair.confidence, pair.reasons, pair.rows, document=other.document
    )
    if other.has_language(language):
        return match
    document = build_document(question, None, language)
    merged = merge_translation(other.document, document, language, match.ids, other.row_ids)
    return replace(match, key_change=merged.key_change, left_out=merged.left_out)


def _iter_confirmed(bank: Bank, numbered: Numbered) -> Iterator[tuple[int, LanguageMatch]]:
    """Yield the matches that people confirmed before, as far as they still can be."""
    names = confirmed_pairs(bank, numbered)
    bank_questions = load_bank_questions(bank, names.values()) if names else []
    existing = {question.name: question for question in bank_questions}
    for number, question in numbered:
        other, language = existing.get(names.get(number, "")), single_language(question)
        if other and language and other.document.kind == question.kind:
            right = other.to_comparable(language if other.has_language(language) else "")
            rows = pair_rows(parsed_to_comparable(question, language), right)
            yield number, LanguageMatch(other.name, language, 1.0, rows=rows, confirmed=True)
