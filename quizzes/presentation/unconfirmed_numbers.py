"""Numbers of an answer that can be read in two ways, of which their writer did not say which."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from grading.numeric.readings import list_unconfirmed
from quizzes.bank.selectors import PublicVersion
from quizzes.presentation.excerpts import quote
from quizzes.presentation.kinds import PRESENTED_KINDS, NamesParts


def describe_unconfirmed(
    public_version: PublicVersion, answer: Mapping[str, Any] | None, language: str
) -> list[str]:
    """Return a sentence for each: what was typed, and that it is not said which number is meant."""
    return [
        _describe(public_version, answer or {}, path.split("."), language)
        for path in list_unconfirmed(answer)
    ]


def _describe(
    public_version: PublicVersion, answer: Mapping[str, Any], path: list[str], language: str
) -> str:
    presented, typed = PRESENTED_KINDS[public_version.kind], answer
    for name in path:
        typed = typed[name]
    part = ".".join(path[:-1])
    name = (
        presented.part_name(public_version, part, language)
        if isinstance(presented, NamesParts)
        else ""
    )
    sentence = gettext("%(typed)s can be read in two ways") % {"typed": quote(str(typed))}
    return f"{name}: {sentence}" if name else sentence
