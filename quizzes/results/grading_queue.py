"""What waits for a person: the queue by quiz and question, and one answer without its author."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any
from uuid import UUID

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import ECB
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT
from django.utils.crypto import salted_hmac

from accounts.models import User
from grading.kinds import KINDS
from quizzes.bank.selectors import (
    KeyAndFeedback,
    PublicVersion,
    load_keys_and_feedback,
    load_public_versions,
)
from quizzes.lib.base_models import fraction_or_none
from quizzes.lib.errors import NotFound
from quizzes.results.double_grading import GRADES_DIFFER, EffectiveGrade
from quizzes.results.manual_grades import load_manual_grades
from quizzes.results.models import ItemResult, ManualGrade, Purpose
from quizzes.results.overseen_results import list_overseen_results

_TOKEN = re.compile(r"[0-9a-f]{32}")
NEEDS_GRADING = "needs_grading"
GRADED_BY_ME = "graded_by_me"
DISAGREEMENT = "disagreement"
DONE = "done"


def _state(reason: str | None, mine: bool) -> str:
    """Return the state of an answer for one grader: theirs to grade, another's, differing, done."""
    if reason is None:
        return DONE
    if reason == GRADES_DIFFER:
        return DISAGREEMENT
    return GRADED_BY_ME if mine else NEEDS_GRADING


def _current(grader: User) -> QuerySet[Any]:
    """Return the item results that count now and that this person may grade: never their own.

    Nor those that share a bank with a graded attempt that they have open.
    """
    manual_grades = ManualGrade.objects.filter(
        attempt=OuterRef("grading__attempt"), slot=OuterRef("slot")
    ).exclude(purpose__in=(Purpose.OVERRIDE, Purpose.WITHDRAWN))
    return ItemResult.objects.filter(
        grading__in=list_overseen_results(grader).values("grading")
    ).annotate(
        mine=Exists(manual_grades.filter(grader=grader)),
        given=Exists(manual_grades),
        reason=KT("score__needs_manual_grading"),
    )


@dataclass(frozen=True, slots=True)
class QueueGroup:
    """The answers to one question in one quiz, counted by their state for the grader."""

    quiz: UUID
    title: Mapping[str, str]
    source_language: str
    question: UUID
    public_version: PublicVersion
    counts: Mapping[str, int]

    @property
    def needs_grading(self) -> int:
        """How many this person may mark now."""
        return self.counts.get(NEEDS_GRADING, 0)

    @property
    def graded_by_me(self) -> int:
        """How many they have marked, that wait for another."""
        return self.counts.get(GRADED_BY_ME, 0)

    @property
    def disagreement(self) -> int:
        """How many were marked differently, and are to be settled."""
        return self.counts.get(DISAGREEMENT, 0)


def load_queue(grader: User) -> list[QueueGroup]:
    """Return all answers that need grading and that this person oversees: a group a question."""
    rows = (
        _current(grader)
        .filter(credit_numerator__isnull=True)
        .order_by()
        .values_list(
            "grading__attempt__quiz__uuid",
            "grading__attempt__quiz__slug",
            "grading__attempt__quiz__title",
            "grading__attempt__quiz__source_language",
            "version__question__uuid",
            "version__uuid",
            "reason",
            "mine",
        )
        .annotate(Count("pk"))
    )
    ordered = sorted(rows, key=lambda row: (row[1], str(row[4]), str(row[5])))
    versions_by_id = load_public_versions(row[5] for row in ordered)
    groups: dict[tuple[UUID, UUID], QueueGroup] = {}
    for quiz, _, title, source_language, question, version, reason, mine, count in ordered:
        counts = dict(groups[quiz, question].counts) if (quiz, question) in groups else {}
        state = _state(reason, mine)
        counts[state] = counts.get(state, 0) + count
        groups[quiz, question] = QueueGroup(
            quiz, title, source_language, question, versions_by_id[version], counts
        )
    return list(groups.values())


@dataclass(frozen=True, slots=True)
class QueuedAnswer:
    """One answer in its group: a name that tells nothing of its author, and its state."""

    attempt: UUID
    slot: int
    version: UUID
    token: str
    state: str
    credit: Fraction | None
    points: Fraction
    title: Mapping[str, str]
    source_language: str

    @property
    def name(self) -> str:
        """What it is called among those who mark."""
        return self.token[:6].upper()


def list_answers(*, grader: User, quiz: UUID, question: UUID) -> list[QueuedAnswer]:
    """Return the answers to one question that persons mark, in an order that tells nothing.

    Nothing of it overseen by this person: NotFound.
    """
    answers = _read_answers(_filter_answers(grader, quiz, question))
    if not answers:
        raise NotFound
    return sorted(answers, key=lambda answer: answer.token)


def find_answer(*, grader: User, quiz: UUID, question: UUID, token: str) -> QueuedAnswer:
    """Return one of `list_answers`, in one query that reads no other; none of them: NotFound."""
    rows = _filter_answers(grader, quiz, question)
    answers = _read_answers(rows.filter(grading__attempt__uuid=_read_attempt_token(token)))
    if not answers:
        raise NotFound
    return answers[0]


def _filter_answers(grader: User, quiz: UUID, question: UUID) -> QuerySet[Any]:
    return _current(grader).filter(
        Q(credit_numerator__isnull=True) | Q(given=True),
        grading__attempt__quiz__uuid=quiz,
        version__question__uuid=question,
    )


def _read_answers(rows: QuerySet[Any]) -> list[QueuedAnswer]:
    answer_rows = rows.order_by("slot").values(
        "slot",
        "reason",
        "mine",
        "credit_numerator",
        "credit_denominator",
        "points_numerator",
        "points_denominator",
        attempt=F("grading__attempt__uuid"),
        of_version=F("version__uuid"),
        title=F("grading__attempt__quiz__title"),
        source_language=F("grading__attempt__quiz__source_language"),
    )
    return list(map(_answer, answer_rows))


def _answer(row: Mapping[str, Any]) -> QueuedAnswer:
    return QueuedAnswer(
        attempt=row["attempt"],
        slot=row["slot"],
        version=row["of_version"],
        token=build_attempt_token(row["attempt"]),
        state=_state(row["reason"], row["mine"]),
        credit=fraction_or_none(row["credit_numerator"], row["credit_denominator"]),
        points=Fraction(row["points_numerator"], row["points_denominator"]),
        title=row["title"],
        source_language=row["source_language"],
    )


def load_answered_version(answer: QueuedAnswer) -> PublicVersion:
    """Return the question that an answer is to."""
    return load_public_versions([answer.version])[answer.version]


def is_graded_by_persons(kind: str) -> bool:
    """Return whether answers to questions of this kind are left to persons, with a rubric."""
    return "rubric" in KINDS[kind].scoring_methods


def build_attempt_token(attempt: UUID) -> str:
    """Return an attempt's name for graders: always the same; this site alone can work back from it.

    Its id enciphered, 32 hexadecimal digits.
    """
    encryptor = _build_cipher().encryptor()
    return (encryptor.update(attempt.bytes) + encryptor.finalize()).hex()


def _read_attempt_token(token: str) -> UUID:
    """Return the id of the attempt with this name; of no token: NotFound."""
    if not _TOKEN.fullmatch(token):
        raise NotFound
    decryptor = _build_cipher().decryptor()
    return UUID(bytes=decryptor.update(bytes.fromhex(token)) + decryptor.finalize())


def _build_cipher() -> Cipher[ECB]:
    key = salted_hmac(__name__, b"attempt", algorithm="sha256").digest()
    return Cipher(AES(key), ECB())  # noqa: S305  one block, each id once: nothing repeats


@dataclass(frozen=True, slots=True)
class AnswerToGrade:
    """An answer to be graded, with all that its grader may know.

    `own` is their newest mark of it; `others` are marks of others by name, once they may be seen;
    `seen` is the number of the newest mark there is, 0 for none.
    """

    public_version: PublicVersion
    key_and_feedback: KeyAndFeedback
    text: str
    own: EffectiveGrade | None
    others: tuple[tuple[str, EffectiveGrade], ...]
    seen: int


def open_for_grading(*, grader: User, answer: QueuedAnswer) -> AnswerToGrade:
    """Return one of `answers` to read; marks of others only after one's own or once all exist."""
    row = (
        ItemResult.objects.filter(grading__attempt__uuid=answer.attempt, slot=answer.slot)
        .order_by("-grading__number")
        .values_list("grading__attempt", "answer")
    )[0]
    grades = load_manual_grades(row[0]).by_slot.get(answer.slot, ())
    own = [grade for grade in grades if grade.grader == grader.pk]
    may_see = answer.state in {DISAGREEMENT, DONE} or bool(own)
    others = [grade for grade in grades if grade.grader != grader.pk] if may_see else []
    names = _names(grade.grader for grade in others)
    return AnswerToGrade(
        public_version=load_answered_version(answer),
        key_and_feedback=load_keys_and_feedback([answer.version])[answer.version],
        text=_text(row[1]),
        own=own[-1] if own else None,
        others=tuple((names[grade.grader], grade) for grade in others),
        seen=grades[-1].number if grades else 0,
    )


def _text(answer: Mapping[str, Any] | None) -> str:
    return str((answer or {}).get("text", ""))


def _names(user_ids: Iterable[int]) -> dict[int, str]:
    ids = set(user_ids)
    users = User.objects.filter(pk__in=ids) if ids else []
    return {person.pk: str(person) for person in users}
