"""Where to read on: a text with a web address, as an author writes it."""

import re
from collections.abc import Iterator

from grading.contract import Problem
from grading.schema import READING_LINK
from quizzes.document.question import QuestionDocument

# One link and nothing else, so that a page can show it as one; https, so that nobody is sent
# to a script or to a page that others on the way can change.
_LINK = re.compile(r"\[[^\[\]\n]{1,200}\]\(https://[^\s()<>]{1,1000}\)")
_ADDRESS = re.compile(r"\(\s*([^)]*)")


def find_link_problems(document: QuestionDocument, language: str) -> Iterator[Problem]:
    """Yield a problem where the reading link of a language is no link, or an unsafe one."""
    text = document.feedback.get(language, {}).get(READING_LINK.name)
    if not isinstance(text, str) or not text.strip() or _LINK.fullmatch(text.strip()):
        return
    address = _ADDRESS.search(text)
    unsafe = address and not address[1].startswith("https://")
    code = "reading_link_unsafe" if unsafe else "reading_link_malformed"
    yield Problem(f"feedback.{language}.{READING_LINK.name}", code, {"language": language})
