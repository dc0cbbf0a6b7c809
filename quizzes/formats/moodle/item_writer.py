"""One question of Moodle XML while it is written."""

import base64
import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from xml.etree.ElementTree import Element

from quizzes.formats.export import ExportTracker
from quizzes.formats.export.answers import list_score_feedback
from quizzes.formats.export.elements import append_element
from quizzes.formats.moodle.choice import BAND_TEXTS, PARTLY_RIGHT_FROM
from quizzes.formats.parsing.percentages import format_percentage

_MEDIA = re.compile(r"\bmedia:([\w.-]{1,200})")


@dataclass(slots=True)
class MoodleQuestionWriter:
    """The element of a question, as far as it is written."""

    tracker: ExportTracker
    node: Element = field(default_factory=partial(Element, "question"))

    def add(self, tag: str, text: str, parent: Element | None = None) -> Element:
        """Add an element with a text."""
        parent = self.node if parent is None else parent
        return append_element(parent, tag, text=self.tracker.clean(text))

    def add_plain(self, tag: str, text: str, parent: Element | None = None) -> Element:
        """Add an element with a `<text>` without markup."""
        node = self.add(tag, "", parent)
        self.add("text", text, node)
        return node

    def add_markdown(self, tag: str, markdown: str, parent: Element | None = None) -> Element:
        """Add an element with a `<text>` in Markdown, and the files that it shows."""
        node = self.add_plain(tag, _MEDIA.sub(r"@@PLUGINFILE@@/\1", markdown), parent)
        node.set("format", "markdown")
        media = self.tracker.media or {}
        for name in dict.fromkeys(_MEDIA.findall(markdown)):
            if name in media:
                content = base64.b64encode(media[name]).decode()
                file = self.add("file", content, node)
                file.attrib.update(name=name, path="/", encoding="base64")
        return node

    def add_answer(
        self, text: str, credit: Fraction, feedback: str, *, is_markdown: bool = False
    ) -> Element:
        """Add an answer with what it earns and its feedback."""
        answer = (self.add_markdown if is_markdown else self.add_plain)("answer", text)
        answer.set("fraction", format_percentage(credit))
        if feedback:
            self.add_markdown("feedback", feedback, answer)
        return answer

    def add_bands(self) -> None:
        """Add the feedback on right, partly right and wrong answers; there are no other bands."""
        texts = dict(list_score_feedback(self.tracker))
        between = sorted(begin for begin in texts if 0 < begin < 1)
        if between and between != [PARTLY_RIGHT_FROM]:
            self.tracker.warn("score_feedback_changed")
            texts[PARTLY_RIGHT_FROM] = texts[between[0]]
        for begin, tag in BAND_TEXTS.items():
            if texts.get(begin):
                self.add_markdown(tag, texts[begin])
