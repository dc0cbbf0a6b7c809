"""Lines of the log: when by UTC, what, and whose request it was; one line is one entry."""

import logging
import re
from datetime import UTC, datetime

from django.utils.functional import LazyObject, empty
from django.utils.module_loading import import_string

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def _escape(text: str) -> str:
    """Return the text without line breaks and the like: they would begin a line of their own."""
    return CONTROL.sub(lambda sign: sign[0].encode("unicode_escape").decode("ascii"), text)


class LineFormatter(logging.Formatter):
    """Writes an entry as one line; the lines of a traceback are indented, so none looks like one.

    Where a request is known (`django.request` brings it), its person and address stand at the end.
    """

    def formatTime(  # noqa: N802  logging's name
        self, record: logging.LogRecord, datefmt: str | None = None
    ) -> str:
        """Return the time by UTC, as ISO 8601."""
        moment = datetime.fromtimestamp(record.created, UTC)
        return moment.strftime(datefmt) if datefmt else moment.isoformat(timespec="milliseconds")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  logging's name
        """Return the entry on one line."""
        return _escape(super().formatMessage(record)) + _describe_sender(record)

    def formatException(self, ei: object) -> str:  # noqa: N802  logging's name
        """Return the traceback, indented."""
        return _indent(super().formatException(ei))  # type: ignore[arg-type]  # as logging calls it


def _indent(text: str) -> str:
    return "\n".join(f"    {CONTROL.sub(' ', line)}" for line in text.splitlines())


def _describe_sender(record: logging.LogRecord) -> str:
    request = getattr(record, "request", None)
    if not hasattr(request, "META"):
        return ""
    user = vars(request).get("user")
    if isinstance(user, LazyObject) and vars(user)["_wrapped"] is empty:
        user = None  # nobody has asked yet; the log asks no database
    person = getattr(user, "uuid", None) or "-"
    # Logging is set up before models are.
    address = import_string("quizzes.audit.middleware.read_address")(request)
    return f" user={person} address={_escape(address) or '-'}"
