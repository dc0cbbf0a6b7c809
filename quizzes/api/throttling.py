"""How often a token may be made; the limit is announced in headers. Saves are never throttled."""

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from quizzes.api.permissions import caller

TEN, HOUR = 10, 3600


class TokenThrottle(SimpleRateThrottle):
    """Ten tokens an hour and person, counted in the cache that all workers share."""

    rate = f"{TEN}/hour"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:  # noqa: ARG002  the framework's signature
        """Count by person, and only what makes a token."""
        return f"api_token_{caller(request).pk}" if request.method == "POST" else None

    def headers(self) -> dict[str, str]:
        """Tell the limit, what is left of it, and in how many seconds it is whole again."""
        if getattr(self, "key", None) is None:
            return {}
        limit, seconds = TEN, HOUR
        used = self.history
        reset = int(seconds - (self.now - used[-1])) if used else seconds
        return {
            "RateLimit-Limit": str(limit),
            "RateLimit-Remaining": str(max(0, limit - len(used))),
            "RateLimit-Reset": str(max(0, reset)),
        }
