"""Identity providers: whether each answers as the settings say, and its classes are there."""

from collections.abc import Iterator

from django.conf import settings

from accounts.models import Group
from accounts.openid_connect import ProviderUnavailable, check_provider
from config.doctor.findings import DeploymentFinding


def find_identity_providers() -> Iterator[DeploymentFinding]:
    """Yield what keeps people from signing in by a provider of the settings, or from a class."""
    for provider in settings.IDENTITY_PROVIDERS:
        prefix = f"OCHENTA_OIDC_{provider.id.upper()}"
        try:
            check_provider(provider)
        except ProviderUnavailable as failure:
            yield DeploymentFinding(
                "identity_provider",
                f"The identity provider {provider.name} does not answer as"
                f" {provider.issuer}: {type(failure.__cause__).__name__}.",
                "Nobody can sign in by it.",
                f"Set {prefix}_ISSUER to the issuer that its /.well-known/openid-configuration"
                " names, to the letter, and let this machine reach it.",
            )
        names = {role.class_name for role in provider.classes.values()}
        missing = names - set(Group.objects.filter(name__in=names).values_list("name", flat=True))
        if missing:
            yield DeploymentFinding(
                "identity_provider_classes",
                f"{prefix}_CLASSES names {len(missing)} classes that are not there,"
                f" {min(missing)} among them.",
                "Whoever is in those groups comes into no class.",
                "Make the classes with these names, or correct the setting.",
            )
