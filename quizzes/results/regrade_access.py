"""Who may regrade: who teaches the class that owns the quiz, and may see the key of the question.

It is the same for looking, for the preview shows what a key makes of each answer.
"""

from django.db.models import Exists

from accounts.access import groups_taught, is_administrator
from accounts.models import User
from quizzes.attempts.key_access import questions_whose_keys_are_visible_to
from quizzes.bank.models import Question
from quizzes.lib.errors import NotFound
from quizzes.publishing.models import Quiz


def check_may_regrade(by: User, quiz: Quiz, question: Question) -> None:
    """Refuse whoever may not regrade a question in a quiz, or preview that: NotFound."""
    readable = questions_whose_keys_are_visible_to(by).filter(pk=question.pk)
    if not is_administrator(by):
        readable = readable.filter(Exists(groups_taught(by).filter(pk__in=[quiz.group_id])))
    if not readable.exists():
        raise NotFound
