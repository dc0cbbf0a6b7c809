"""Attempts of which what is stored cannot be read, in every way that the product knows."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from quizzes.attempts.models import Attempt
from tests.forged_rows import overwrite

Garble = Callable[[dict[str, Any]], Any]


def _with_slot(manifest: dict[str, Any], **fields: Any) -> dict[str, Any]:
    first, *rest = manifest["slots"]
    return {**manifest, "slots": [{**first, **fields}, *rest]}


IN_LISTS: dict[str, Garble] = {
    "no object": lambda _: ["garbled"],
    "null inside": lambda manifest: {**manifest, "slots": None},
    "another form": lambda _: {"form": 99},
    "a part missing": lambda manifest: {
        name: value for name, value in manifest.items() if name != "policies"
    },
    "an unknown policy": lambda manifest: {**manifest, "policies": {"telepathy": True}},
    "an unknown kind": lambda manifest: _with_slot(manifest, kind="telepathy"),
    "points by nothing": lambda manifest: _with_slot(manifest, points=[1, 0]),
}
"""What the manifest itself shows, so that lists know it too."""

ON_PAGES: dict[str, Garble] = {
    "a missing version": lambda manifest: _with_slot(manifest, version=str(uuid4())),
    "another order": lambda manifest: _with_slot(manifest, order=["nowhere"]),
}
"""What is only seen beside the questions."""

EVERY = IN_LISTS | ON_PAGES


def corrupt_manifest(attempt: Attempt, garble: Garble) -> None:
    """Damage what is stored of an attempt."""
    attempt.manifest = garble(attempt.manifest)
    overwrite(Attempt.objects.filter(pk=attempt.pk), manifest=attempt.manifest)
