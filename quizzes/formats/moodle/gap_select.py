"""Missing words: `[[1]]` in a text, chosen from a list or dragged there, as a text with gaps."""

import re
from collections.abc import Sequence
from dataclasses import replace

from quizzes.formats import builders
from quizzes.formats.builders import Gap, Head, Option
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.moodle.choice import read_score_feedback
from quizzes.formats.moodle.cloze import MOST_ANSWERS, MOST_GAPS, replace_gaps
from quizzes.formats.moodle.question_element import QuestionElement, read_raw

_PLACEHOLDER = re.compile(r"\[\[(\d{1,3})\]\]")


def read_missing_words(question: QuestionElement, head: Head) -> ParsedQuestion | None:
    """Read a text where each placeholder stands for one of the words of a group."""
    node = question.find("questiontext")
    text = read_raw(node)
    placeholders = list(_PLACEHOLDER.finditer(text))
    words = [*question.find_all("selectoption"), *question.find_all("dragbox")]
    if node is None or not placeholders:
        question.note("no_gaps", None, text)
        return None
    if len(placeholders) > MOST_GAPS or len(words) > MOST_ANSWERS:
        question.note("too_many_gaps", None, text)
        return None
    prompt = replace_gaps(question, node, text, placeholders)
    groups = [read_raw(word.find("group")).strip() or "1" for word in words]
    texts = [question.convert(word) for word in words]
    gaps = []
    for number, match in enumerate(placeholders, start=1):
        options = _choose_options(groups, texts, int(match[1]))
        if not options:
            question.note("gap_unreadable", node, match[0])
        gaps.append(Gap(f"gap-{number}", options=options))
    parsed = builders.build_cloze(replace(head, prompt=prompt), gaps)
    return builders.add_score_feedback(parsed, head.language, read_score_feedback(question))


def _choose_options(groups: Sequence[str], texts: Sequence[str], right: int) -> list[Option]:
    """Return the words of the group of the right one, which a placeholder names by its number."""
    if not 1 <= right <= len(texts):
        return []
    return [
        Option(text, right=number == right)
        for number, (group, text) in enumerate(zip(groups, texts, strict=True), start=1)
        if group == groups[right - 1]
    ]
