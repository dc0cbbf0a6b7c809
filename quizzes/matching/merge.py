"""Two questions of a bank that are one in two languages: sought, joined, or kept apart for good.

The one that is kept gets the other's words in a new draft, and a new version where both were
published; the other is retired and says by whom it was taken in. Attempts and quiz versions keep
the versions that they name.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import combinations

from django.db import transaction

from accounts.models import User
from quizzes.bank import services
from quizzes.bank.access import may_edit
from quizzes.bank.models import Bank, Option, Question
from quizzes.document import QuestionDocument
from quizzes.lib.errors import Conflict, Invalid, NotFound
from quizzes.matching import MAX_QUESTIONS, QuestionPair, pair_questions
from quizzes.matching.bank_questions import BankQuestion, load_bank_questions
from quizzes.matching.decisions import Decision, rejected_pairs, save_decisions
from quizzes.matching.fingerprints import document_fingerprints
from quizzes.matching.language_match import LanguageMatch
from quizzes.matching.merge_translation import merge_translation

Ids = Mapping[str, str]
"""Rows of the question that is taken in → those of the one that is kept."""


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """Two questions held to be one; `pair.rows` are rows of the first → of the second."""

    first: BankQuestion
    second: BankQuestion
    language: str  # that of the first, in which they were compared
    other_language: str
    pair: QuestionPair

    def to_match(self) -> LanguageMatch:
        """Give the second as the twin of the first, with what joining would do to its key."""
        pair, ids = self.pair, {row.left: row.right for row in self.pair.rows}
        merged = merge_translation(
            self.second.document, self.first.document, self.language, ids, self.second.row_ids
        )
        twin = LanguageMatch(
            self.second.name, self.language, pair.confidence, pair.reasons, pair.rows
        )
        return replace(
            twin,
            key_change=merged.key_change,
            left_out=merged.left_out,
            document=self.second.document,
        )


def find_pairs(bank: Bank) -> list[CandidatePair] | None:
    """Give the pairs of a bank that may be one question each; None where there is too much."""
    there = load_bank_questions(bank)
    if len(there) > MAX_QUESTIONS:
        return None
    never, pairs, used = rejected_pairs(bank), list[CandidatePair](), set[str]()
    spoken = {code for question in there for code in question.languages}
    order = sorted(spoken, key=lambda code: (code != bank.source_language, code))
    for main, other in combinations(order, 2):
        left = [question for question in there if _is_free(question, other, main, used)]
        right = [question for question in there if _is_free(question, main, other, used)]
        sides = (
            [question.to_comparable(other) for question in left],
            [question.to_comparable(main) for question in right],
        )
        for pair in pair_questions(*sides):
            two = CandidatePair(left[pair.left], right[pair.right], other, main, pair)
            if not _is_refused(two, never):
                pairs.append(two)
                used |= {two.first.name, two.second.name}
    return sorted(pairs, key=lambda two: -two.pair.confidence)


def _is_free(question: BankQuestion, speaks: str, lacks: str, used: set[str]) -> bool:
    return (
        question.name not in used
        and speaks in question.languages
        and lacks not in question.languages
    )


def _is_refused(two: CandidatePair, never: frozenset[tuple[str, str]]) -> bool:
    for left, right in ((two.first, two.second), (two.second, two.first)):
        names = {left.name, *document_fingerprints(left.document)}
        if any((right.name, name) in never for name in names):
            return True
    return False


@transaction.atomic
def merge_questions(  # noqa: PLR0913  each is a part of what a person says
    *,
    bank: Bank,
    keep: str,
    absorb: str,
    ids: Ids,
    revisions: Sequence[int],
    by: User,
    now: datetime,
) -> Question:
    """Make two questions of a bank one: `keep` gets the words of `take`, on rows as `ids` say.

    `seen` are the revisions of both drafts that the person saw. Another by now, or one that is
    gone: Conflict. Rows that are none, or are meant twice: Invalid. Who may not: NotFound.
    """
    target, absorbed = _both(bank, (keep, absorb), revisions, by)
    target_document, absorbed_document = (
        QuestionDocument.from_json(question.draft.data) for question in (target, absorbed)
    )
    _check_rows(ids, absorbed_document, target_document)
    names = {row.name: str(row.uuid) for row in target.options.all()}
    item, rows = target_document, dict[str, str]()
    for language in _only(absorbed_document, target_document):
        merged = merge_translation(item, absorbed_document, language, ids, {**names, **rows})
        item, rows = merged.document, {**rows, **merged.rows}
    Option.objects.bulk_create(Option(question=target, name=n, uuid=id_) for n, id_ in rows.items())
    live = all(
        _is_live(question, state)
        for question, state in ((target, target_document), (absorbed, absorbed_document))
    )
    lasting = target.imported_fingerprint == target_document.digest()
    problems = services.save_draft(question=target, item=item, revision=revisions[0], by=by)
    if lasting:
        services.record_import(question=target, item=item)
    tags = {tag.name for question in (target, absorbed) for tag in question.tags.all()}
    services.set_tags(question=target, names=sorted(tags))
    if live and not problems:
        services.publish(question=target, by=by, now=now)
    services.merge_into(question=absorbed, by=target, now=now)
    save_decisions(bank=bank, words=list(_words(target, absorbed, absorbed_document)), by=by)
    return target


def reject_match(*, bank: Bank, first: str, second: str, by: User) -> None:
    """Remember that two questions of a bank are two. Who may not, or one that is none: NotFound."""
    if not may_edit(by, bank):
        raise NotFound
    rows = {question.name: question for question in load_bank_questions(bank, (first, second))}
    if len(rows) != len({first, second}) or first == second:
        raise NotFound
    other = rows[second]
    prints = next(iter(document_fingerprints(other.document)), "")
    language = next(iter(other.languages), "")
    save_decisions(bank=bank, words=[Decision(first, language, second, prints, same=False)], by=by)


def _both(
    bank: Bank, names: tuple[str, str], seen: Sequence[int], by: User
) -> tuple[Question, Question]:
    """Hold two questions as they were seen; imports and other joins of the bank wait."""
    if not may_edit(by, bank):
        raise NotFound
    Bank.objects.select_for_update().get(pk=bank.pk)
    rows = Question.objects.select_for_update(of=("self",)).filter(
        bank=bank, name__in=names, retired_at=None, draft__isnull=False
    )
    questions = {
        question.name: question for question in rows.select_related("draft").order_by("pk")
    }
    if len(questions) != len(names):
        raise Conflict("twin_gone")
    both = questions[names[0]], questions[names[1]]
    items = [QuestionDocument.from_json(question.draft.data) for question in both]
    if [question.draft.revision for question in both] != list(seen):
        raise Conflict("draft_changed")
    if both[0].kind != both[1].kind or not _only(items[1], items[0]):
        raise Conflict("twin_gone")
    return both


def _only(absorbed: QuestionDocument, target: QuestionDocument) -> tuple[str, ...]:
    """Give the languages that the one has words in and the other does not."""
    left, right = (BankQuestion("", item, frozenset(), {}).languages for item in (absorbed, target))
    return tuple(language for language in left if language not in right)


def _check_rows(ids: Ids, absorbed: QuestionDocument, target: QuestionDocument) -> None:
    real = ids.keys() <= set(absorbed.row_ids) and set(ids.values()) <= set(target.row_ids)
    if not real or len(set(ids.values())) != len(ids):
        raise Invalid("rows_meant_twice")


def _is_live(question: Question, item: QuestionDocument) -> bool:
    current = question.current
    return current is not None and current.digest == item.digest()


def _words(target: Question, absorbed: Question, document: QuestionDocument) -> Iterator[Decision]:
    for fingerprint in document_fingerprints(document):
        yield Decision(target.name, document.source_language, absorbed.name, fingerprint, same=True)
