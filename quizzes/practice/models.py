"""What a learner practised: the questions that were drawn, and the tries at each."""

from django.conf import settings
from django.db import models

from quizzes.bank.models import QuestionVersion
from quizzes.lib.base_models import TimestampedModel
from quizzes.publishing.models import Quiz


class PracticeQuestion(TimestampedModel):
    """A question that was drawn for a learner; the last one of a quiz is where they go on.

    `credits` is what each try was worth when it was drawn, as the author wrote it.
    """

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


class PracticeTry(models.Model):
    """One answer to a practised question, with its score; appended, never changed."""

    question = models.ForeignKey(PracticeQuestion, models.CASCADE, related_name="tries")
    number = models.PositiveIntegerField()
    answer = models.JSONField()
    score = models.JSONField(null=True, help_text="grading's ItemScore; none: persons grade it")
    language = models.CharField(max_length=5)
    tried_at = models.DateTimeField()

    class Meta:
        ordering = ["question", "number"]
        constraints = [
            # Sent twice, it is one try.
            models.UniqueConstraint(fields=["question", "number"], name="practice_try_once"),
        ]

    def __str__(self) -> str:
        return f"{self.question_id}/{self.number}"
