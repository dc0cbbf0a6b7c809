"""Makes our site the one that every `admin.register` means."""

from django.contrib.admin.apps import AdminConfig
from django.core.checks import Tags, register

from config.checks import check_database_role


class AdminApp(AdminConfig):
    """Django's admin with our sign-in and permissions (quizzes/instructor/home.py)."""

    default_site = "quizzes.instructor.home.TeachingSite"

    def ready(self) -> None:
        """Have `check --deploy` look at the role that the site runs under."""
        super().ready()
        register(check_database_role, Tags.security, deploy=True)
