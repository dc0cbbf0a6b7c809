"""What a file claims of grades and points: told at every door, and never acted upon.

What a question is worth is a quiz's affair; a grade in a file is that of whoever copied its page.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from quizzes.formats.contract import FileMetadata
from quizzes.presentation.formatting import format_points


def as_json(metadata: FileMetadata) -> dict[str, Any]:
    """Give what a file says of itself; fractions as text ("4/5"), None where it says nothing."""
    return {
        "title": metadata.title,
        "language": metadata.language,
        "grade": format_exact(metadata.grade),
        "pass_mark": format_exact(metadata.pass_threshold),
    }


def format_exact(value: Fraction | None) -> str | None:
    """Write an exact number so that `Fraction` reads it again."""
    return None if value is None else str(value)


def parse_exact(stored: str | None) -> Fraction | None:
    """Read it again."""
    return None if stored is None else Fraction(stored)


def sentence(stored: Mapping[str, Any]) -> str:
    """Say which grade and which pass mark a file tells; "" if it tells neither."""
    grade, mark = (parse_exact(stored.get(name)) for name in ("grade", "pass_mark"))
    sentences = [
        _("Grade: %(percent)s.") % {"percent": _percent(grade)} if grade is not None else "",
        _("Pass mark: %(percent)s.") % {"percent": _percent(mark)} if mark is not None else "",
    ]
    return " ".join(filter(None, sentences))


def worth(points: Fraction | None) -> str:
    """Say what an item is worth in its file; "" if that says nothing."""
    return "" if points is None else _("Points: %(n)s") % {"n": format_points(points)}


def _percent(share: Fraction) -> str:
    return f"{format_points(share * 100)}\N{NO-BREAK SPACE}%"
