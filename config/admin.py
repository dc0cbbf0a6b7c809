"""Makes our site the one that every `admin.register` means."""

from django.contrib.admin.apps import AdminConfig


class Backoffice(AdminConfig):
    """Django's admin with our doorkeeper (accounts/backoffice.py)."""

    default_site = "accounts.backoffice.Site"
