"""Properties are judged by what holds, never by how fast a busy machine shows it."""

from hypothesis import HealthCheck, settings


def load_profile() -> None:
    """Let the properties of this session take their time."""
    slow = [HealthCheck.too_slow]
    settings.register_profile(
        "patient", deadline=None, suppress_health_check=slow, parent=settings.default
    )
    settings.load_profile("patient")
