"""What ends the right options of a page and no other: "Tajo *(the right one)*", "Tajo (*)". Pure.

A learner would see the key in it.
"""

import re
from collections import Counter
from collections.abc import Sequence

from quizzes.formats.checklist.checklist_question import ChecklistQuestion

_TAIL = re.compile(r"(?<=\S)[ \t]{1,4}(?P<tail>[*_]{0,3}[(\[][^()\[\]]{1,40}[)\]][*_]{0,3})[ \t]*$")
_LONGEST = 60
"""Characters of the end of an option that are looked at."""
_FEWEST = 2


def find_right_tails(questions: Sequence[ChecklistQuestion]) -> frozenset[str]:
    """Return the tails that all right options of most questions have, and no wrong one.

    There are two such questions at least. What a page calls right in one place alone may be a
    remark of its author.
    """
    keyed = [question for question in questions if question.ticked and not question.own]
    counts, wrong = Counter[str](), set[str]()
    for question in keyed:
        tails = [(_find(option.line.text), option.line.is_ticked) for option in question.options]
        wrong |= {tail for tail, is_ticked in tails if not is_ticked}
        right = {tail for tail, is_ticked in tails if is_ticked}
        if len(right) == 1:
            counts.update(right)
    return frozenset(
        tail
        for tail, count in counts.items()
        if tail and tail not in wrong and count >= _FEWEST and 2 * count >= len(keyed)
    )


def split_right_tail(text: str, tails: frozenset[str]) -> tuple[str, str]:
    """Return the text of an option without such a tail, and that."""
    tail = _find(text) if tails else ""
    if tail not in tails:
        return text, ""
    return text.rstrip()[: -len(tail)].rstrip(), tail


def _find(text: str) -> str:
    match = _TAIL.search(text[-_LONGEST:])
    return match["tail"] if match else ""
