"""Missing words: `[[1]]` in a text, chosen from a list or dragged there, as a text with gaps."""

import re
from dataclasses import replace

from quizzes.formats import builders
from quizzes.formats.builders import Gap, Head, Option
from quizzes.formats.contract import ParsedQuestion
from quizzes.formats.moodle.choice import bands
from quizzes.formats.moodle.cloze import MOST_ANSWERS, MOST_GAPS, with_marks
from quizzes.formats.moodle.item import Item, raw
from quizzes.formats.parsing.xml import XmlNode

_PLACE = re.compile(r"\[\[(\d{1,3})\]\]")


def missing_words(item: Item, head: Head) -> ParsedQuestion | None:
    """Read a text where each place is filled with one of the words of a group."""
    at = item.first("questiontext")
    text = raw(at)
    places = list(_PLACE.finditer(text))
    words = [*item.children("selectoption"), *item.children("dragbox")]
    if at is None or not places:
        item.refused("no_gaps", text)
        return None
    if len(places) > MOST_GAPS or len(words) > MOST_ANSWERS:
        item.refused("too_many_gaps", text)
        return None
    prompt = with_marks(item, at, text, places)
    texts = [(_group(word), item.markdown(word)) for word in words]
    gaps = [
        Gap(f"gap-{place}", options=_options(item, at, texts, one))
        for place, one in enumerate(places, start=1)
    ]
    question = builders.cloze(replace(head, prompt=prompt), gaps)
    return builders.with_bands(question, head.language, bands(item))


def _group(word: XmlNode) -> str:
    return raw(word.find("group")).strip() or "1"


def _options(
    item: Item, at: XmlNode, texts: list[tuple[str, str]], place: re.Match[str]
) -> list[Option]:
    """Give the words of the group of the right one, which the place names by its number."""
    number = int(place[1])
    if not 1 <= number <= len(texts):
        item.review("gap_unreadable", at, place[0])
        return []
    wanted, _ = texts[number - 1]
    return [
        Option(text, right=counted == number)
        for counted, (group, text) in enumerate(texts, start=1)
        if group == wanted
    ]
