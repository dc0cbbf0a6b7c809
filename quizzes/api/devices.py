"""The header by which a program says which device it is, where a quiz allows one at a time."""

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from quizzes.lib.errors import Invalid

DEVICE = OpenApiParameter(
    "X-Device",
    {"type": "string", "format": "uuid"},
    OpenApiParameter.HEADER,
    description="A random id of this device, where the quiz allows one at a time. Without it, or "
    "from another than the attempt is open on: no questions, and 409 (`elsewhere`) to writes.",
)


def read_device(request: Request) -> UUID | None:
    """Return the device that a request names; None without. No UUID: Invalid."""
    sent = request.headers.get("X-Device", "")
    try:
        return UUID(sent) if sent else None
    except ValueError:
        raise Invalid("not_a_uuid", where="X-Device") from None
