"""The steps of signing in where ours differ from allauth's."""

from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa.stages import AuthenticateStage
from django.http import HttpRequest

from accounts.selectors import was_second_factor_given


class SecondFactorStage(AuthenticateStage):
    """Asks for the second factor, unless a provider did that the settings trust for it."""

    def _should_handle(self, request: HttpRequest) -> bool:
        steps = get_authentication_records(request, self.login.user)
        if was_second_factor_given(steps, self.login.user):
            return False
        return bool(super()._should_handle(request))
