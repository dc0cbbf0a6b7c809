"""Entries of the log: when by UTC, what, and whose request it was; one line is one entry.

For people a line of text, for programs a line of JSON (`OCHENTA_LOG_FORMAT`). Neither tells what
is secret in a path, nor what a database repeats of the values that it refused.
"""

import logging
import re
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from types import TracebackType
from typing import Any

import structlog
from django.db import Error
from django.http import HttpRequest
from django.utils.functional import LazyObject, empty
from django.utils.module_loading import import_string

SECRETS = ("code", "key", "link", "token")
"""Parts of a path, by their names in the routes, that let in whoever has them."""
FIELDS = ("method", "path", "status", "duration_ms")
"""What the entry of a request tells besides (`request_log`)."""
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
        details = {**read_sender(record), **structlog.contextvars.get_contextvars()}
        sender = "".join(f" {name}={_escape(str(value))}" for name, value in details.items())
        return _escape(super().formatMessage(record)) + sender

    def formatException(self, ei: Any) -> str:  # noqa: N802  logging's name
        """Return the traceback, indented."""
        return _indent(format_traceback(*ei))


def create_json_formatter() -> logging.Formatter:
    """Return the formatter that writes an entry as one line of JSON."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[structlog.contextvars.merge_contextvars, _describe_record],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
    )


def _describe_record(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Return the entry's content: what happened, when, where, whose request, the traceback."""
    record: logging.LogRecord = event["_record"]
    at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
    content = {"at": at, "level": record.levelname, "logger": record.name, **event}
    content |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
    content |= read_sender(record)
    content.pop("exc_info", None)
    if record.exc_info and record.exc_info[0]:
        content["traceback"] = format_traceback(*record.exc_info)
    return content


class SecretFilter(logging.Filter):
    """Leaves out of an entry's words what is secret in the path of its request."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Change the entry where it must be; every entry passes."""
        secrets = _list_secrets(getattr(record, "request", None))
        if secrets and isinstance(record.args, tuple):
            record.args = tuple(
                _mask(value, secrets) if isinstance(value, str) else value for value in record.args
            )
        return True


def mask_path(request: HttpRequest) -> str:
    """Return the path of a request without what is secret in it."""
    return _mask(request.path, _list_secrets(request))


def _list_secrets(request: object) -> list[str]:
    match = getattr(request, "resolver_match", None)
    parts = match.kwargs if match else {}
    return [str(value) for name, value in parts.items() if name in SECRETS and value]


def _mask(text: str, secrets: list[str]) -> str:
    for secret in secrets:
        text = text.replace(secret, "***")
    return text


def format_traceback(
    kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
) -> str:
    """Return the traceback; of what a database says, the first line alone.

    PostgreSQL's other lines repeat the values of the row: an answer, an address.
    """
    if kind is None or error is None:
        return ""
    report = traceback.TracebackException(kind, error, trace)
    for part in _walk(report):
        if part.exc_type is not None and _is_of_database(part.exc_type):
            first, *others = str(part).splitlines() or [""]
            part._str = f"{first} (…)" if others else first  # type: ignore[attr-defined]  # no public way
    return "".join(report.format()).rstrip()


def _walk(report: traceback.TracebackException | None) -> Iterator[traceback.TracebackException]:
    if report is not None:
        yield report
        yield from _walk(report.__cause__)
        yield from _walk(report.__context__)


def _is_of_database(kind: type[BaseException]) -> bool:
    return issubclass(kind, Error) or kind.__module__.startswith("psycopg2")


def _indent(text: str) -> str:
    return "\n".join(f"    {CONTROL.sub(' ', line)}" for line in text.splitlines())


def read_sender(record: logging.LogRecord) -> dict[str, str]:
    """Return `user` and `address` of an entry that belongs to a request; "-" is nobody's."""
    request = getattr(record, "request", None)
    if not hasattr(request, "META"):
        return {}
    user = vars(request).get("user")
    if isinstance(user, LazyObject) and vars(user)["_wrapped"] is empty:
        user = None  # nobody has asked yet; the log asks no database
    person = getattr(user, "uuid", None) or "-"
    # Logging is set up before models are.
    address = import_string("quizzes.audit.middleware.read_address")(request)
    return {"user": str(person), "address": address or "-"}
