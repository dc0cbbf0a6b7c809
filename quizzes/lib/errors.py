"""The errors that services raise; interfaces turn them into pages and problem documents."""

from collections.abc import Mapping
from typing import Any


class ServiceError(Exception):
    """What was asked cannot be done. `code` is stable, for programs; `detail` names the place."""

    code = "refused"

    def __init__(self, code: str = "", **detail: Any) -> None:
        self.code = code or self.code
        self.detail: Mapping[str, Any] = detail
        super().__init__(f"{self.code} {detail}" if detail else self.code)


class NotFound(ServiceError):
    """There is no such thing for this person, or none at all: the two look alike."""

    code = "not_found"


class Refused(ServiceError):
    """The rules say no, now: closed, no attempts left, already submitted."""


class Corrupt(Refused, ValueError):
    """What is stored cannot be read: a defect of ours, of one row alone; `code` says of what."""

    code = "corrupt"


class Invalid(ServiceError):
    """What was sent makes no sense; `detail` says where."""

    code = "invalid"


class Busy(ServiceError):
    """As much of this as may be done at a time is being done; a moment later there may be room."""

    code = "busy"


class Conflict(ServiceError):
    """Somebody else was first; `detail` carries what stands now."""

    code = "conflict"
