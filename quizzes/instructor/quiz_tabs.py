"""The links between the pages of a quiz."""

from typing import Any

from quizzes.publishing.models import Quiz


def build_quiz_tabs(
    quiz: Quiz, section: str, *, may_edit: bool, may_read: bool = True
) -> dict[str, Any]:
    """Return what the tabs of a quiz need, on the page that is called `section`.

    `may_read`: whether its author's pages are there for who looks; who only oversees has none.
    """
    return {
        "original": quiz,
        "section_page": section,
        "may_edit": may_edit,
        "may_read": may_read,
    }
