"""Where allauth asks for our rules."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter


class AccountAdapter(DefaultAccountAdapter):
    """Keeps addresses in lower case, so that one person is one row."""

    def clean_email(self, email: str) -> Any:
        """Lower the case before anything compares."""
        return super().clean_email(email.strip().lower())
