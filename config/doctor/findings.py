"""What `manage.py doctor` says: findings, each with what, why it matters and what to do."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DeploymentFinding:
    """One thing that is wrong with a deployment; the texts are sentences in English."""

    code: str
    """A word for programs: letters, digits, points and underscores."""
    what: str
    why: str
    remedy: str
