"""Which settings of a quiz somebody else changed since a form of them was shown."""

from hashlib import sha256

from quizzes.publishing.models import Quiz


def compute_settings_version(quiz: Quiz) -> str:
    """Return a fingerprint of each setting, as a form carries it from its page to its saving."""
    return ",".join(f"{name}={digest}" for name, digest in _hash_settings(quiz).items())


def list_changed_settings(quiz: Quiz, version: str) -> list[str]:
    """Return the names of the settings that have another value than in a version."""
    before = dict(part.split("=", 1) for part in version.split(",") if "=" in part)
    return [name for name, digest in _hash_settings(quiz).items() if before.get(name) != digest]


def _hash_settings(quiz: Quiz) -> dict[str, str]:
    return {
        field.name: sha256(repr(field.value_from_object(quiz)).encode()).hexdigest()[:12]
        for field in Quiz._meta.concrete_fields
        if field.editable and not field.primary_key
    }
