"""Building quizzes: importing this package puts its pages into the admin."""

from quizzes.publishing.admin.quizzes import QuizAdmin

__all__ = ["QuizAdmin"]
