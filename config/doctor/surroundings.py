"""Mail, static files, and what Django's own checks know of secrets, hosts and HTTPS."""

from collections.abc import Iterator
from smtplib import SMTPException
from typing import Final

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core import checks
from django.core.mail import get_connection

from config.deploy import UNUSED
from config.doctor.findings import DeploymentFinding

_SMTP: Final = "django.core.mail.backends.smtp.EmailBackend"


def find_mail() -> Iterator[DeploymentFinding]:
    """Yield what keeps mails from arriving: a server that refuses, an address of nobody."""
    if settings.EMAIL_BACKEND != _SMTP:
        return
    why = "Nobody can confirm an address or choose a new password."
    try:
        with get_connection():
            pass
    except (OSError, SMTPException) as error:
        yield DeploymentFinding(
            "mail_server",
            f"The mail server {settings.EMAIL_HOST}:{settings.EMAIL_PORT} lets nobody send:"
            f" {type(error).__name__}.",
            why,
            "Set OCHENTA_EMAIL_HOST, _PORT, _USER, _PASSWORD and _TLS as your provider says.",
        )
    if settings.DEFAULT_FROM_EMAIL.rstrip(">").endswith("@localhost"):
        yield DeploymentFinding(
            "mail_sender",
            f"Mails are from {settings.DEFAULT_FROM_EMAIL}, where nobody can reply.",
            "Other mail servers refuse them or call them spam.",
            "Set OCHENTA_EMAIL_FROM to an address of your domain.",
        )


def find_static_files() -> Iterator[DeploymentFinding]:
    """Yield a finding if files that pages name were not collected."""
    collected = getattr(staticfiles_storage, "hashed_files", None)
    if collected is None:
        return  # served from where they lie
    paths = {path for finder in get_finders() for path, _ in finder.list(UNUSED)}
    missing = {
        path
        for path in paths
        if path not in collected or not staticfiles_storage.exists(collected[path])
    }
    if missing:
        yield DeploymentFinding(
            "static_files",
            f"{len(missing)} static files are not collected, {min(missing)} among them.",
            "Pages that name them fail, or come without style and scripts.",
            "Run `python -m config.deploy --static` and start the web processes again.",
        )


def find_by_checks() -> Iterator[DeploymentFinding]:
    """Yield what `manage.py check` finds; in production `check --deploy`."""
    messages = checks.run_checks(include_deployment_checks=not settings.EMBEDDED)
    for message in messages:
        if message.level >= checks.WARNING and not message.is_silenced():
            yield DeploymentFinding(
                message.id or "check",
                " ".join(str(message.msg).split()),
                "Django's own checks warn of it.",
                " ".join(str(message.hint or "See `manage.py check --deploy`.").split()),
            )
