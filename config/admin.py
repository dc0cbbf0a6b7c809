"""Makes our site the one that every `admin.register` means."""

from django.contrib.admin.apps import AdminConfig


class AdminApp(AdminConfig):
    """Django's admin with our sign-in and permissions (quizzes/instructor/admin_site.py)."""

    default_site = "quizzes.instructor.admin_site.AdminSite"
