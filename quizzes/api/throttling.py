"""Limits per hour, announced in headers. Saves are never throttled."""

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle, SimpleRateThrottle
from rest_framework.views import APIView

from quizzes.api.base_view import BaseAPIView
from quizzes.api.permissions import request_user

HOUR = 3600


class PostThrottle(SimpleRateThrottle):
    """So many an hour and person, counted in the cache that all workers share."""

    def __init__(self, name: str, max_per_hour: int) -> None:
        self.rate = f"{max_per_hour}/hour"
        super().__init__()
        self._name, self._max_per_hour = name, max_per_hour

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """Count by person, and only what makes something."""
        return f"{self._name}_{request_user(request).pk}" if request.method == "POST" else None

    def headers(self) -> dict[str, str]:
        """Return the limit, what is left of it, and in how many seconds it is full again."""
        if getattr(self, "key", None) is None:
            return {}
        used = self.history
        reset = int(HOUR - (self.now - used[-1])) if used else HOUR
        return {
            "RateLimit-Limit": str(self._max_per_hour),
            "RateLimit-Remaining": str(max(0, self._max_per_hour - len(used))),
            "RateLimit-Reset": str(max(0, reset)),
        }


class ThrottledAPIView(BaseAPIView):
    """A view that allows at most `max_per_hour` POSTs; `throttle_name` names the count."""

    throttle_name: ClassVar[str]
    max_per_hour: ClassVar[int]

    def get_throttles(self) -> list[BaseThrottle]:
        """Keep the throttle at hand, for what it announces."""
        self.throttle = PostThrottle(self.throttle_name, self.max_per_hour)
        return [self.throttle]

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Announce the limit, on refusals too."""
        announced = self.throttle.headers() if hasattr(self, "throttle") else {}
        final = super().finalize_response(request, response, *args, **kwargs)
        for name, value in announced.items():
            final[name] = value
        return final
