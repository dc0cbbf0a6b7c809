"""One part of a content while it is read: its texts, files and settings, and the notes on it."""

from dataclasses import dataclass, field
from fractions import Fraction
from html import escape

from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.h5p.package import H5pPackage
from quizzes.formats.parsing.html_texts import to_markdown
from quizzes.formats.parsing.json_tree import JsonNode

EVERYTHING = 100
"""All points, in percent."""


@dataclass(slots=True)
class ContentRefused(Exception):
    """No question of ours can come of it."""

    code: str
    node: JsonNode


@dataclass(slots=True)
class ContentReader:
    """What an author set (`params`), in which language, with the files of its package."""

    params: JsonNode
    package: H5pPackage
    language: str
    notes: list[Note] = field(default_factory=list)

    def note(self, code: str, node: JsonNode, quote: str = "") -> None:
        """Add a note with its place in the content, or the words that it is about."""
        self.notes.append(Note(code, node.line, (quote or node.where)[:LONGEST_QUOTE]))

    def convert(self, node: JsonNode, html: str | None = None) -> str:
        """Return a text, which is HTML there, as Markdown."""
        source = node.text() if html is None else html
        markdown, notes = to_markdown(source, line=node.line, media=self.package.store_file)
        self.notes += [note for note in notes if note not in self.notes]
        if "![](media:" in markdown:
            self.note("picture_without_words", node)
        return markdown

    def read_prompt(self) -> str:
        """Return the question, below the picture, film or sound that belongs to it."""
        node = self.params.get("question")
        text = self.convert(node)
        if not text:
            self.note("prompt_missing", node)
        return "\n\n".join(filter(None, (self.read_media(), text)))

    def read_media(self) -> str:
        """Return the picture, film or sound above the question; "" if there is none."""
        media = self.params.get("media")
        media = media.get("type") if media.get("type").fields else media
        settings = media.get("params")
        title = escape(settings.get("alt").text() or settings.get("title").text())
        for name, tag in (("file", "img"), ("sources", "video"), ("files", "audio")):
            files = settings.get(name)
            for file in (files, *files.items):
                if path := file.get("path").text():
                    words = f'alt="{title}"' if tag == "img" else f'title="{title}"'
                    return self.convert(file, f'<{tag} src="{escape(path)}" {words}></{tag}>')
        return ""

    def read_score_feedback(self) -> dict[Fraction, str]:
        """Return the feedback on a score, by the share of all points that it begins at."""
        texts: dict[Fraction, str] = {}
        for band in self.params.get("overallFeedback").items:
            begins, text = band.get("from").number(), self.convert(band.get("feedback"))
            if text and begins is not None and 0 <= begins <= EVERYTHING:
                texts[Fraction(begins) / EVERYTHING] = text
            elif texts and not text:
                self.note("band_goes_on", band)
        return dict(sorted(texts.items()))

    def read_switch(self, name: str, *, default: bool) -> bool:
        """Return a switch of its behaviour."""
        return self.params.get("behaviour", name).flag(default=default)
