"""Two questions of a bank that are one in two languages: found, merged, or rejected for good.

The one that stays gets the other's texts in a new draft, and a new version where both were
published; the other is retired and refers to it. Attempts and quiz versions keep the versions
that they name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations

from django.db import transaction

from accounts.models import User
from quizzes.bank import services
from quizzes.bank.access import check_editor
from quizzes.bank.models import Bank, Option, Question
from quizzes.document import QuestionDocument
from quizzes.lib.errors import Conflict, Invalid, NotFound
from quizzes.matching.bank_questions import BankQuestion, load_bank_questions
from quizzes.matching.decisions import Decision, rejected_pairs, save_decisions
from quizzes.matching.fingerprints import document_fingerprints
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.merge_translation import merge_translation
from quizzes.matching.question_pairing import MAX_QUESTIONS, QuestionPair, pair_questions

Ids = Mapping[str, str]
"""Rows of the question that is merged → those of the one that stays."""


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """Two questions that may be one; `pair.rows` are rows of the first → of the second."""

    first: BankQuestion
    second: BankQuestion
    language: str  # that of the first, in which they were compared
    other_language: str
    pair: QuestionPair

    def to_match(self) -> LanguageMatch:
        """Return the second as a match of the first, with what merging would do to its key."""
        pair, ids = self.pair, {row.left: row.right for row in self.pair.rows}
        merged = merge_translation(
            self.second.document, self.first.document, self.language, ids, self.second.row_ids
        )
        return LanguageMatch(
            self.second.name,
            self.language,
            pair.confidence,
            pair.reasons,
            pair.rows,
            key_change=merged.key_change,
            left_out=merged.left_out,
            document=self.second.document,
        )


def find_pairs(bank: Bank) -> list[CandidatePair] | None:
    """Return the pairs of a bank that may be one question; None if it has too many."""
    bank_questions = load_bank_questions(bank)
    if len(bank_questions) > MAX_QUESTIONS:
        return None
    rejected, pairs, used = rejected_pairs(bank), list[CandidatePair](), set[str]()
    languages = {code for question in bank_questions for code in question.languages}
    in_order = sorted(languages, key=lambda code: (code != bank.source_language, code))
    for main, other in combinations(in_order, 2):
        left = [question for question in bank_questions if _is_free(question, other, main, used)]
        right = [question for question in bank_questions if _is_free(question, main, other, used)]
        sides = (
            [question.to_comparable(other) for question in left],
            [question.to_comparable(main) for question in right],
        )
        for pair in pair_questions(*sides):
            candidate = CandidatePair(left[pair.left], right[pair.right], other, main, pair)
            if not _is_rejected(candidate, rejected):
                pairs.append(candidate)
                used |= {candidate.first.name, candidate.second.name}
    return sorted(pairs, key=lambda candidate: -candidate.pair.confidence)


def _is_free(question: BankQuestion, present: str, missing: str, used: set[str]) -> bool:
    return (
        question.name not in used
        and present in question.languages
        and missing not in question.languages
    )


def _is_rejected(pair: CandidatePair, rejected: frozenset[tuple[str, str]]) -> bool:
    for left, right in ((pair.first, pair.second), (pair.second, pair.first)):
        names = {left.name, *document_fingerprints(left.document)}
        if any((right.name, name) in rejected for name in names):
            return True
    return False


@transaction.atomic
def merge_questions(  # noqa: PLR0913  each is a part of what a person decides
    *,
    bank: Bank,
    keep: str,
    absorb: str,
    ids: Ids,
    revisions: Sequence[int],
    by: User,
    now: datetime,
) -> Question:
    """Merge two questions of a bank: `keep` gets the texts of `absorb`, on rows as in `ids`.

    `revisions` are those of both drafts that the person saw. Another by now, or one that is gone:
    Conflict. Rows that do not exist, or are paired twice: Invalid. Who may not: NotFound.
    """
    target, absorbed = _lock_both(bank, (keep, absorb), revisions, by)
    target_document, absorbed_document = (
        QuestionDocument.from_json(question.draft.data) for question in (target, absorbed)
    )
    _check_rows(ids, absorbed_document, target_document)
    names = {row.name: str(row.uuid) for row in target.options.all()}
    document, rows = target_document, dict[str, str]()
    for language in _new_languages(absorbed_document, target_document):
        merged = merge_translation(document, absorbed_document, language, ids, {**names, **rows})
        document, rows = merged.document, {**rows, **merged.rows}
    Option.objects.bulk_create(Option(question=target, name=n, uuid=id_) for n, id_ in rows.items())
    are_published = all(
        _is_published(question, state)
        for question, state in ((target, target_document), (absorbed, absorbed_document))
    )
    file_managed = target.imported_fingerprint == target_document.digest()
    problems = services.save_draft(question=target, item=document, revision=revisions[0], by=by)
    if file_managed:
        services.record_import(question=target, item=document, by=by)
    tags = {tag.name for question in (target, absorbed) for tag in question.tags.all()}
    services.set_tags(question=target, names=sorted(tags), by=by)
    if are_published and not problems:
        services.publish(question=target, by=by, now=now)
    services.merge_into(question=absorbed, target=target, by=by, now=now)
    decisions = list(_iter_decisions(target, absorbed, absorbed_document))
    save_decisions(bank=bank, decisions=decisions, by=by)
    return target


def reject_match(*, bank: Bank, first: str, second: str, by: User) -> None:
    """Save that two questions of a bank are two. Who may not, or one that is gone: NotFound."""
    check_editor(by, bank)
    rows = {question.name: question for question in load_bank_questions(bank, (first, second))}
    if len(rows) != len({first, second}) or first == second:
        raise NotFound
    other = rows[second]
    fingerprint = next(iter(document_fingerprints(other.document)), "")
    language = next(iter(other.languages), "")
    decision = Decision(first, language, second, fingerprint, same=False)
    save_decisions(bank=bank, decisions=[decision], by=by)


def _lock_both(
    bank: Bank, names: tuple[str, str], revisions: Sequence[int], by: User
) -> tuple[Question, Question]:
    """Lock two questions as they were seen; imports and other merges of the bank wait."""
    check_editor(by, bank)
    Bank.objects.select_for_update().get(pk=bank.pk)
    rows = Question.objects.select_for_update(of=("self",)).filter(
        bank=bank, name__in=names, retired_at=None, draft__isnull=False
    )
    questions = {
        question.name: question for question in rows.select_related("draft").order_by("pk")
    }
    if len(questions) != len(names):
        raise Conflict("match_gone")
    both = questions[names[0]], questions[names[1]]
    target, absorbed = (QuestionDocument.from_json(question.draft.data) for question in both)
    if [question.draft.revision for question in both] != list(revisions):
        raise Conflict("draft_changed")
    if both[0].kind != both[1].kind or not _new_languages(absorbed, target):
        raise Conflict("match_gone")
    return both


def _new_languages(absorbed: QuestionDocument, target: QuestionDocument) -> tuple[str, ...]:
    """Return the languages that the one has texts in and the other does not."""
    left, right = (
        BankQuestion("", document, frozenset(), {}).languages for document in (absorbed, target)
    )
    return tuple(language for language in left if language not in right)


def _check_rows(ids: Ids, absorbed: QuestionDocument, target: QuestionDocument) -> None:
    exist = ids.keys() <= set(absorbed.row_ids) and set(ids.values()) <= set(target.row_ids)
    if not exist or len(set(ids.values())) != len(ids):
        raise Invalid("row_paired_twice")


def _is_published(question: Question, document: QuestionDocument) -> bool:
    current = question.current
    return current is not None and current.digest == document.digest()


def _iter_decisions(
    target: Question, absorbed: Question, document: QuestionDocument
) -> Iterator[Decision]:
    for fingerprint in document_fingerprints(document):
        yield Decision(target.name, document.source_language, absorbed.name, fingerprint, same=True)
