"""The pages of those who teach."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class InstructorConfig(AppConfig):
    """The admin pages of all apps."""

    name = "quizzes.instructor"
    label = "instructor"
    verbose_name = _("Teaching")
