"""Where Django's admin finds the pages: importing this module registers them."""

from quizzes.instructor.assignments import (
    AccommodationAdmin,
    AssignmentAdmin,
    StandingAccommodationAdmin,
)
from quizzes.instructor.audit.admin import AuditEventAdmin
from quizzes.instructor.banks.admin import BankAdmin
from quizzes.instructor.challenges.admin import ChallengeAdmin
from quizzes.instructor.classes.admin import GroupAdmin
from quizzes.instructor.failed_sign_ins import FailedLoginsAdmin
from quizzes.instructor.grading.admin import GradingAdmin
from quizzes.instructor.imports.admin import ImportJobAdmin
from quizzes.instructor.imports.language_matches import PairDecisionAdmin
from quizzes.instructor.invitations import InvitationAdmin
from quizzes.instructor.notifications import NotificationAdmin
from quizzes.instructor.people import PersonAdmin, TermAdmin
from quizzes.instructor.personal_data_actions import DataRequestAdmin, LegalHoldAdmin
from quizzes.instructor.questions.admin import QuestionAdmin
from quizzes.instructor.quizzes.admin import QuizAdmin
from quizzes.instructor.results.admin import AttemptAdmin
from quizzes.instructor.results.checkpoints import CheckpointAdmin
from quizzes.instructor.results.typed_answers import TypedAnswersAdmin
from quizzes.instructor.statistics.admin import StatisticsAdmin

__all__ = [
    "AccommodationAdmin",
    "AssignmentAdmin",
    "AttemptAdmin",
    "AuditEventAdmin",
    "BankAdmin",
    "ChallengeAdmin",
    "CheckpointAdmin",
    "DataRequestAdmin",
    "FailedLoginsAdmin",
    "GradingAdmin",
    "GroupAdmin",
    "ImportJobAdmin",
    "InvitationAdmin",
    "LegalHoldAdmin",
    "NotificationAdmin",
    "PairDecisionAdmin",
    "PersonAdmin",
    "QuestionAdmin",
    "QuizAdmin",
    "StandingAccommodationAdmin",
    "StatisticsAdmin",
    "TermAdmin",
    "TypedAnswersAdmin",
]
