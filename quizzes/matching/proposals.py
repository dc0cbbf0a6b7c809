"""Seeking the twins of a file's questions in a bank, and those of the same language."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from quizzes.bank.models import Bank, Question
from quizzes.formats.contract import ParsedQuestion
from quizzes.lib.errors import Conflict
from quizzes.matching import MAX_QUESTIONS, QuestionPair, pair_questions, pair_rows
from quizzes.matching.bank_questions import (
    BankQuestion,
    load_bank_questions,
    parsed_to_comparable,
    single_language,
    to_document,
)
from quizzes.matching.decisions import confirmed_pairs, rejected_pairs
from quizzes.matching.fingerprints import question_fingerprints
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.merge_translation import merge_translation

Numbered = Sequence[tuple[int, ParsedQuestion]]
"""Questions of a file, each with its number there."""


@dataclass(frozen=True, slots=True)
class MatchProposals:
    """By number of the item: its twin in another language, and its like in the same one.

    `known` are twins that a person confirmed before. Not `searched`: there was too much to do.
    """

    matches: Mapping[int, LanguageMatch] = field(default_factory=dict)
    duplicates: Mapping[int, LanguageMatch] = field(default_factory=dict)
    confirmed: Mapping[int, LanguageMatch] = field(default_factory=dict)
    searched: bool = True


def propose_matches(bank: Bank, numbered: Numbered, fresh: Numbered) -> MatchProposals:
    """Seek the twins of a file's questions, of those (`fresh`) that the bank does not know."""
    confirmed = dict(_known(bank, numbered))
    alone = [
        (n, question) for n, question in fresh if n not in confirmed and single_language(question)
    ]
    in_use = Question.objects.filter(bank=bank, retired_at=None)
    if not alone:
        return MatchProposals(confirmed=confirmed)
    if max(len(alone), in_use.count()) > MAX_QUESTIONS:
        return MatchProposals(confirmed=confirmed, searched=False)
    there, never = load_bank_questions(bank), rejected_pairs(bank)
    questions = dict(alone)
    by_language: dict[str, list[int]] = defaultdict(list)
    for number, question in alone:
        by_language[single_language(question)].append(number)
    twins: dict[int, LanguageMatch] = {}
    alike: dict[int, LanguageMatch] = {}
    for language, numbers in by_language.items():
        mine = [(number, questions[number]) for number in numbers]
        twins.update(
            _aligned(
                mine,
                language,
                [
                    bank_question
                    for bank_question in there
                    if not bank_question.has_language(language)
                ],
            )
        )
        alike.update(
            _aligned(
                mine,
                language,
                [bank_question for bank_question in there if bank_question.has_language(language)],
            )
        )
    allowed = {
        number: twin
        for number, twin in twins.items()
        if not any(
            (twin.name, fingerprint) in never
            for fingerprint in question_fingerprints(questions[number])
        )
    }
    return MatchProposals(allowed, alike, confirmed)


def build_confirmed_match(
    bank: Bank, number: int, question: ParsedQuestion, name: str
) -> LanguageMatch:
    """Give the twin that a person confirmed, whether it was proposed or not.

    One that is gone, of another kind, or that has the language by now: Conflict.
    """
    language, existing = (
        single_language(question),
        next(iter(load_bank_questions(bank, [name])), None),
    )
    if (
        existing is None
        or not language
        or _differs(existing, question)
        or existing.has_language(language)
    ):
        raise Conflict("twin_gone", question=name, number=number)
    here, there = parsed_to_comparable(question, language), existing.to_comparable()
    pair = next(iter(pair_questions([here], [there], min_confidence=0)), QuestionPair(0, 0, 0.0))
    return _twin(question, language, existing, replace(pair, rows=pair_rows(here, there)))


def _aligned(
    questions: Numbered, language: str, others: Sequence[BankQuestion]
) -> Iterator[tuple[int, LanguageMatch]]:
    mine = [parsed_to_comparable(question, language) for _, question in questions] if others else []
    theirs = [
        bank_question.to_comparable(language if bank_question.has_language(language) else "")
        for bank_question in others
    ]
    for pair in pair_questions(mine, theirs):
        number, question = questions[pair.left]
        yield number, _twin(question, language, others[pair.right], pair)


def _twin(
    question: ParsedQuestion, language: str, other: BankQuestion, pair: QuestionPair
) -> LanguageMatch:
    twin = LanguageMatch(
        other.name, language, pair.confidence, pair.reasons, pair.rows, document=other.document
    )
    if other.has_language(language):
        return twin
    document = to_document(question, language)
    joined = merge_translation(other.document, document, language, twin.ids, other.row_ids)
    return replace(twin, key_change=joined.key_change, left_out=joined.left_out)


def _known(bank: Bank, numbered: Numbered) -> Iterator[tuple[int, LanguageMatch]]:
    """Give the twins that persons confirmed before, as far as they still can be."""
    names = confirmed_pairs(bank, numbered)
    existing = (
        {question.name: question for question in load_bank_questions(bank, names.values())}
        if names
        else {}
    )
    for number, question in numbered:
        other, language = existing.get(names.get(number, "")), single_language(question)
        if other and language and not _differs(other, question):
            there = other.to_comparable(language if other.has_language(language) else "")
            rows = pair_rows(parsed_to_comparable(question, language), there)
            yield number, LanguageMatch(other.name, language, 1.0, rows=rows, confirmed=True)


def _differs(other: BankQuestion, question: ParsedQuestion) -> bool:
    return other.document.kind != question.kind
