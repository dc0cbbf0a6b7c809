"""The header of the content policy: written once for all pages whose policy nobody changes."""

from csp.constants import HEADER
from csp.middleware import CheckableLazyObject, CSPMiddleware
from csp.utils import build_policy
from django.conf import settings
from django.http import HttpRequest, HttpResponseBase


class ContentPolicyMiddleware(CSPMiddleware):
    """django-csp's own, which builds the policy anew for each answer, twice.

    Where a view, a nonce or the settings ask for more than the one policy, that one decides.
    """

    _policy: object = None
    _header = ""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """Set the header."""
        policy = getattr(settings, "CONTENT_SECURITY_POLICY", None) or {}
        if (
            settings.DEBUG
            or not policy.keys() <= {"DIRECTIVES"}
            or getattr(settings, "CONTENT_SECURITY_POLICY_REPORT_ONLY", None)
            or getattr(request, "_csp_nonce", None) is not None
            or any(name.startswith("_csp") for name in vars(response))
        ):
            return super().process_response(request, response)
        if HEADER not in response and (header := self._load_header(policy)):
            response[HEADER] = header
        # Whoever asks for a nonce now is too late, and is told so.
        vars(request)["csp_nonce"] = CheckableLazyObject(self._csp_nonce_post_response)
        return response

    def _load_header(self, policy: object) -> str:
        """Return the policy of the settings as a header; tests change them."""
        if self._policy is not policy:
            self._policy, self._header = policy, build_policy()
        return self._header
