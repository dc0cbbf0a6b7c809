"""Properties are judged by what holds, never by how fast a busy machine shows it."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "patient", deadline=None, suppress_health_check=[HealthCheck.too_slow], parent=settings.default
)
settings.load_profile("patient")
