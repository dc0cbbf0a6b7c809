"""What a learner practised: the questions drawn, the tries at each, the hints and answers shown."""

from django.conf import settings
from django.db import models

from quizzes.attempts.models import LearnerRow
from quizzes.bank.models import QuestionVersion
from quizzes.lib.base_models import RecordRow, TimestampedModel
from quizzes.lib.triggers import RowRule, changed
from quizzes.publishing.models import Quiz

DRAWN = (
    *("id", "uuid", "quiz_id", "version_id", "number"),
    *('"order"', "scoring_method", "credits", "created_at"),
)
"""Columns of a practised question that are settled when it is drawn."""


def _build_erased_rule(sentence: str) -> RowRule:
    return RowRule(
        "erased",
        ("DELETE",),
        "NOT EXISTS (SELECT 1 FROM {schema}attempts_erasure WHERE learner_id = OLD.learner_id)",
        sentence,
    )


class PracticeQuestion(TimestampedModel):
    """A question that was drawn for a learner; the last one of a quiz is where they go on.

    `credits` is what each try was worth when it was drawn, as the author wrote it. `hints_opened`
    and `asked_for_answer` follow from its steps: the database takes no other values.
    """

    learner_from = ""
    denied_operations = ("TRUNCATE",)
    row_rules = (
        RowRule(
            "drawn",
            (f"UPDATE OF {', '.join(DRAWN)}",),
            changed(*DRAWN),
            "a practised question stays as it was drawn",
        ),
        RowRule(
            "progress",
            ("INSERT", "UPDATE OF hints_opened, asked_for_answer"),
            "NEW.hints_opened <> (SELECT count(*) FROM {schema}practice_practicestep"
            " WHERE question_id = NEW.id AND action = 'hint')"
            " OR NEW.asked_for_answer <> EXISTS (SELECT 1 FROM {schema}practice_practicestep"
            " WHERE question_id = NEW.id AND action = 'given_up')",
            "hints that were opened and an answer that was shown are as their journal says",
        ),
        _build_erased_rule("practised questions go only with the person"),
    )

    learner = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    quiz = models.ForeignKey(Quiz, models.PROTECT, related_name="+")
    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    order = models.JSONField(help_text="ids of its parts, as they are shown")
    scoring_method = models.CharField(max_length=30)
    credits = models.CharField(max_length=100)
    hints_opened = models.PositiveIntegerField(default=0)
    asked_for_answer = models.BooleanField(default=False)

    class Meta:
        verbose_name = "practised question"
        ordering = ["learner", "quiz", "number"]
        constraints = [
            # Drawn twice at once, by two tabs, it is one question.
            models.UniqueConstraint(
                fields=["learner", "quiz", "number"], name="practice_number_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.learner_id} · {self.quiz_id} · {self.number}"


class PracticeTry(LearnerRow, RecordRow):
    """One answer to a practised question, with its score: an entry of its journal.

    Appended, never changed; gone only when its learner is erased. The client makes the
    `idempotency_key`, so that a try sent twice is one try. Each is chained to the one before it
    and has a receipt; no digest covers the score, which tells the key (try_chain.py).
    """

    learner_from = "question"
    checkpoint_chain = ("tries", "number")
    has_learner_rule_on_insert = False
    denied_operations = ("UPDATE", "TRUNCATE")
    row_rules = (
        RowRule(
            "appended",
            ("INSERT",),
            # Asked for each try, so one look says all: whose it is, not over, in its place.
            "NOT EXISTS (SELECT 1 FROM {schema}practice_practicequestion"
            " WHERE id = NEW.question_id AND learner_id = NEW.learner_id AND NOT asked_for_answer"
            " AND (NEW.number = 1 OR EXISTS (SELECT 1 FROM {schema}practice_practicetry"
            " WHERE question_id = NEW.question_id AND number = NEW.number - 1)))",
            "rows of practice_practicetry have the learner of practice_practicequestion,"
            " come before its answer is shown, and are numbered from 1 without a gap",
        ),
        _build_erased_rule("tries in practice go only with the person"),
    )

    # The index of `practice_try_once` begins with it.
    question = models.ForeignKey(
        PracticeQuestion, models.CASCADE, related_name="tries", db_index=False
    )
    number = models.PositiveIntegerField()
    answer = models.JSONField()
    score = models.JSONField(null=True, help_text="grading's ItemScore; none: persons grade it")
    idempotency_key = models.UUIDField()
    language = models.CharField(max_length=5)
    tried_at = models.DateTimeField()
    salt = models.BinaryField(max_length=16)
    answer_digest = models.BinaryField(max_length=32, help_text="of salt and answer")
    digest = models.BinaryField(max_length=32, help_text="of the row and the digest before it")
    mac = models.BinaryField(max_length=32, help_text="of the digest, by a key of the site")
    receipt = models.JSONField(help_text="signed: what was answered, and when")

    class Meta:
        verbose_name = "try in practice"
        verbose_name_plural = "tries in practice"
        ordering = ["question", "number"]
        constraints = [
            # One try follows another: two with one predecessor would be two journals.
            models.UniqueConstraint(fields=["question", "number"], name="practice_try_once"),
            # Sent twice, it is one try.
            models.UniqueConstraint(
                fields=["learner", "idempotency_key"], name="practice_try_idempotency_key_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question_id}/{self.number}"


class StepAction(models.TextChoices):
    """What a learner did at a practised question besides answering it."""

    HINT = "hint"
    GIVEN_UP = "given_up"


class PracticeStep(LearnerRow, RecordRow):
    """A hint that was opened at a practised question, or that its learner asked for the answer.

    With the tries it is the journal of the question: appended, never changed, chained to the step
    before it, sent twice one step. `tries_before` says how many tries came before, so that both
    have one order.
    """

    learner_from = "question"
    checkpoint_chain = ("steps", "number")
    has_learner_rule_on_insert = False
    denied_operations = ("UPDATE", "TRUNCATE")
    row_rules = (
        RowRule(
            "appended",
            ("INSERT",),
            "NOT EXISTS (SELECT 1 FROM {schema}practice_practicequestion"
            " WHERE id = NEW.question_id AND learner_id = NEW.learner_id AND NOT asked_for_answer)"
            " OR NEW.number <> 1 + (SELECT count(*) FROM {schema}practice_practicestep"
            " WHERE question_id = NEW.question_id)"
            " OR NEW.tries_before <> (SELECT count(*) FROM {schema}practice_practicetry"
            " WHERE question_id = NEW.question_id)",
            "rows of practice_practicestep have the learner of practice_practicequestion,"
            " come before its answer is shown and after its tries so far, and are numbered from 1"
            " without a gap",
        ),
        _build_erased_rule("steps in practice go only with the person"),
    )

    # The index of `practice_step_once` begins with it.
    question = models.ForeignKey(
        PracticeQuestion, models.CASCADE, related_name="steps", db_index=False
    )
    number = models.PositiveIntegerField()
    action = models.CharField(max_length=10, choices=StepAction)
    tries_before = models.PositiveIntegerField()
    idempotency_key = models.UUIDField()
    language = models.CharField(max_length=5)
    taken_at = models.DateTimeField()
    digest = models.BinaryField(max_length=32, help_text="of the row and the digest before it")
    mac = models.BinaryField(max_length=32, help_text="of the digest, by a key of the site")

    class Meta:
        verbose_name = "step in practice"
        verbose_name_plural = "steps in practice"
        ordering = ["question", "number"]
        constraints = [
            # One step follows another: two with one predecessor would be two journals.
            models.UniqueConstraint(fields=["question", "number"], name="practice_step_once"),
            # Sent twice, it is one step.
            models.UniqueConstraint(
                fields=["learner", "idempotency_key"], name="practice_step_idempotency_key_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question_id}/{self.action} {self.number}"
