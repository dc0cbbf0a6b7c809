"""Missing words: `[[1]]` in a text, chosen from a list or dragged there, as a text with gaps."""

import re
from dataclasses import replace

from quizzes.formats import builders
from quizzes.formats.builders import Gap, Head, Option
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.moodle.choice import read_score_feedback
from quizzes.formats.moodle.cloze import MOST_ANSWERS, MOST_GAPS, with_marks
from quizzes.formats.moodle.question_element import QuestionElement, read_raw
from quizzes.formats.parsing.xml import XmlNode

_PLACE = re.compile(r"\[\[(\d{1,3})\]\]")


def missing_words(question: QuestionElement, head: Head) -> ParsedQuestion | None:
    """Read a text where each place is filled with one of the words of a group."""
    at = question.find("questiontext")
    text = read_raw(at)
    places = list(_PLACE.finditer(text))
    words = [*question.find_all("selectoption"), *question.find_all("dragbox")]
    if at is None or not places:
        question.note("no_gaps", None, text)
        return None
    if len(places) > MOST_GAPS or len(words) > MOST_ANSWERS:
        question.note("too_many_gaps", None, text)
        return None
    prompt = with_marks(question, at, text, places)
    texts = [(_group(word), question.convert(word)) for word in words]
    gaps = [
        Gap(f"gap-{place}", options=_options(question, at, texts, one))
        for place, one in enumerate(places, start=1)
    ]
    parsed = builders.build_cloze(replace(head, prompt=prompt), gaps)
    return builders.add_score_feedback(parsed, head.language, read_score_feedback(question))


def _group(word: XmlNode) -> str:
    return read_raw(word.find("group")).strip() or "1"


def _options(
    question: QuestionElement, at: XmlNode, texts: list[tuple[str, str]], place: re.Match[str]
) -> list[Option]:
    """Give the words of the group of the right one, which the place names by its number."""
    number = int(place[1])
    if not 1 <= number <= len(texts):
        question.note("gap_unreadable", at, place[0])
        return []
    wanted, _ = texts[number - 1]
    return [
        Option(text, right=counted == number)
        for counted, (group, text) in enumerate(texts, start=1)
        if group == wanted
    ]
