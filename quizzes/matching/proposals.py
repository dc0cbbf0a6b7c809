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


def propose_matches(bank: Bank, told: Numbered, fresh: Numbered) -> MatchProposals:
    """Seek the twins of a file's questions, of those (`fresh`) that the bank does not know."""
    known = dict(_known(bank, told))
    alone = [(n, one) for n, one in fresh if n not in known and single_language(one)]
    in_use = Question.objects.filter(bank=bank, retired_at=None)
    if not alone:
        return MatchProposals(confirmed=known)
    if max(len(alone), in_use.count()) > MAX_QUESTIONS:
        return MatchProposals(confirmed=known, searched=False)
    there, never = load_bank_questions(bank), rejected_pairs(bank)
    questions = dict(alone)
    by_language: dict[str, list[int]] = defaultdict(list)
    for number, one in alone:
        by_language[single_language(one)].append(number)
    twins: dict[int, LanguageMatch] = {}
    alike: dict[int, LanguageMatch] = {}
    for language, numbers in by_language.items():
        mine = [(number, questions[number]) for number in numbers]
        twins.update(
            _aligned(mine, language, [one for one in there if not one.has_language(language)])
        )
        alike.update(_aligned(mine, language, [one for one in there if one.has_language(language)]))
    allowed = {
        number: twin
        for number, twin in twins.items()
        if not any((twin.name, made) in never for made in question_fingerprints(questions[number]))
    }
    return MatchProposals(allowed, alike, known)


def build_confirmed_match(
    bank: Bank, number: int, question: ParsedQuestion, name: str
) -> LanguageMatch:
    """Give the twin that a person confirmed, whether it was proposed or not.

    One that is gone, of another kind, or that has the language by now: Conflict.
    """
    language, found = single_language(question), next(iter(load_bank_questions(bank, [name])), None)
    if found is None or not language or _differs(found, question) or found.has_language(language):
        raise Conflict("twin_gone", question=name, number=number)
    here, there = parsed_to_comparable(question, language), found.to_comparable()
    pair = next(iter(pair_questions([here], [there], min_confidence=0)), QuestionPair(0, 0, 0.0))
    return _twin(question, language, found, replace(pair, rows=pair_rows(here, there)))


def _aligned(
    questions: Numbered, language: str, others: Sequence[BankQuestion]
) -> Iterator[tuple[int, LanguageMatch]]:
    mine = [parsed_to_comparable(one, language) for _, one in questions] if others else []
    theirs = [one.to_comparable(language if one.has_language(language) else "") for one in others]
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
    told = to_document(question, language)
    joined = merge_translation(other.document, told, language, twin.ids, other.row_ids)
    return replace(twin, key_change=joined.key_change, left_out=joined.left_out)


def _known(bank: Bank, told: Numbered) -> Iterator[tuple[int, LanguageMatch]]:
    """Give the twins that persons confirmed before, as far as they still can be."""
    names = confirmed_pairs(bank, told)
    found = {one.name: one for one in load_bank_questions(bank, names.values())} if names else {}
    for number, one in told:
        other, language = found.get(names.get(number, "")), single_language(one)
        if other and language and not _differs(other, one):
            there = other.to_comparable(language if other.has_language(language) else "")
            rows = pair_rows(parsed_to_comparable(one, language), there)
            yield number, LanguageMatch(other.name, language, 1.0, rows=rows, confirmed=True)


def _differs(other: BankQuestion, question: ParsedQuestion) -> bool:
    return other.document.kind != question.kind
