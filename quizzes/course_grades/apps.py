"""Grades of a course: categories of quizzes, and totals."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CourseGradesConfig(AppConfig):
    """The categories of gradebooks."""

    name = "quizzes.course_grades"
    label = "course_grades"
    verbose_name = _("Course totals")
