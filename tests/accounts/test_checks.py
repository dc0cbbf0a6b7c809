"""`check --deploy` complains where people get in without a confirmed address."""

import pytest
from django.core.checks import run_checks

pytestmark = pytest.mark.django_db  # another check asks the database for the rights of its role


@pytest.mark.parametrize(
    ("verification", "warned"), [("mandatory", False), ("optional", True), ("none", True)]
)
def test_a_site_that_does_not_ask_for_confirmation_is_warned_of(settings, verification, warned):
    settings.ACCOUNT_EMAIL_VERIFICATION = verification
    check_ids = [check.id for check in run_checks(include_deployment_checks=True)]
    assert ("accounts.W001" in check_ids) is warned


def test_only_a_deployment_is_warned_of(settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    assert "accounts.W001" not in [check.id for check in run_checks()]


@pytest.mark.parametrize("is_required", [True, False])
def test_a_site_whose_staff_need_no_second_factor_is_warned_of(settings, is_required):
    settings.STAFF_SECOND_FACTOR = is_required
    check_ids = [check.id for check in run_checks(include_deployment_checks=True)]
    assert ("accounts.W002" in check_ids) is not is_required
