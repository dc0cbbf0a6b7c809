"""What `check --deploy` says of people."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning  # noqa: A004  Django's name


def check_staff_second_factor(**_: Any) -> list[CheckMessage]:
    """Warn where a stolen password is enough to be an instructor or an administrator."""
    if settings.STAFF_SECOND_FACTOR:
        return []
    return [
        Warning(
            "Instructors and administrators need no second factor.",
            hint="Set OCHENTA_STAFF_SECOND_FACTOR to 1 once they have set one up (ADR 28).",
            id="accounts.W002",
        )
    ]


def check_verification(**_: Any) -> list[CheckMessage]:
    """Warn where people are let in whose address is not confirmed."""
    if settings.ACCOUNT_EMAIL_VERIFICATION == "mandatory":
        return []
    return [
        Warning(
            "People may sign in without having confirmed their address.",
            hint="Set OCHENTA_EMAIL_VERIFICATION to mandatory, or leave it out.",
            id="accounts.W001",
        )
    ]
