"""The parts of a content: sets and columns are taken apart into parts, each an item. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from quizzes.formats.contract import Note
from quizzes.formats.parsing.json_tree import JsonNode

SET = "H5P.QuestionSet"
COLUMN = "H5P.Column"
CHOICES = "H5P.SingleChoiceSet"
PROMPT_NAMES = ("question", "text", "questions")
TEXT_NAMES = (*PROMPT_NAMES, "answers")
"""Where the words of a part stand; its other texts are for buttons."""
_MARKUP = re.compile(r"<[^<>]*>|&#?\w{1,10};|\*")


@dataclass(frozen=True, slots=True)
class ContentPart:
    """One part: its library, its settings (`params`), its title; `node` is all of it."""

    library: str
    params: JsonNode
    title: str
    node: JsonNode

    def read_words(self, *names: str) -> str:
        """Return the texts for learners under these names, without markup."""
        texts = (node.text() for name in names for node in self.params.get(name).walk())
        return " ".join(_MARKUP.sub(" ", " ".join(texts)).split())


def split_content(part: ContentPart) -> Iterator[ContentPart | Note]:
    """Yield all parts in their order, and notes on what was set for several of them at once."""
    if part.library == SET:
        yield from _note_set_settings(part.params)
        for node in part.params.get("questions").items:
            yield from split_content(_build_part(node, node))
    elif part.library == COLUMN:
        for node in part.params.get("content").items:
            yield from split_content(_build_part(node.get("content"), node))
    elif part.library == CHOICES:
        yield from _note_feedback(part.params.get("overallFeedback"))
        for node in part.params.get("choices").items:
            yield ContentPart(CHOICES, node, "", node)
    else:
        yield part


def _build_part(content: JsonNode, node: JsonNode) -> ContentPart:
    library = content.get("library").text().partition(" ")[0]
    title = content.get("metadata", "title").text()
    return ContentPart(library, content.get("params"), title, node)


def _note_set_settings(params: JsonNode) -> Iterator[Note]:
    intro, pool_size = params.get("introPage"), params.get("poolSize")
    if intro.get("showIntroPage").flag(default=False) and intro.get("introduction").text():
        yield Note("setting_left_out", intro.line, intro.where)
    if pool_size.number():
        yield Note("group_draws", pool_size.line, pool_size.where)
    yield from _note_feedback(params.get("endGame", "overallFeedback"))


def _note_feedback(bands: JsonNode) -> Iterator[Note]:
    if any(band.get("feedback").text() for band in bands.items):
        yield Note("setting_left_out", bands.line, bands.where)
