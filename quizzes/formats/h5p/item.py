"""One piece of content while it is read: its texts and files, and what is noted about it."""

from dataclasses import dataclass, field
from fractions import Fraction
from html import escape

from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.h5p.package import Box
from quizzes.formats.html import to_markdown
from quizzes.formats.parsing.json_tree import Value

_WHOLE = 100


@dataclass(slots=True)
class Refused(Exception):
    """No question of ours can come of it."""

    code: str
    at: Value
    quote: str = ""


@dataclass(slots=True)
class Item:
    """What an author set (`params`), in which language, with the files of its package."""

    params: Value
    box: Box
    language: str
    notes: list[Note] = field(default_factory=list)

    def note(self, code: str, at: Value, quote: str = "") -> None:
        """Note a thing, with its place in the content or the words it is about."""
        self.notes.append(Note(code, at.line, (quote or at.where)[:LONGEST_QUOTE]))

    def markdown(self, at: Value, html: str | None = None) -> str:
        """Give a text, which is HTML there, as ours."""
        said = at.text() if html is None else html
        text, notes = to_markdown(said, line=at.line, media=self.box.file)
        self.notes += [note for note in notes if note not in self.notes]
        if "![](media:" in text:
            self.note("picture_without_words", at)
        return text

    def prompt(self, at: Value) -> str:
        """Give the question, under the picture, film or sound that stands above it."""
        text = self.markdown(at)
        if not text:
            self.note("prompt_missing", at)
        return "\n\n".join(filter(None, (self.shown(), text)))

    def shown(self) -> str:
        """Give the picture, film or sound above the question; "" if there is none."""
        at = self.params.get("media")
        at = at.get("type") if at.get("type").fields else at
        set_ = at.get("params")
        words = escape(set_.get("alt").text() or set_.get("title").text())
        for name, tag in (("file", "img"), ("sources", "video"), ("files", "audio")):
            found = set_.get(name)
            for one in (found, *found.items):
                if path := one.get("path").text():
                    said = f'alt="{words}"' if tag == "img" else f'title="{words}"'
                    return self.markdown(one, f'<{tag} src="{escape(path)}" {said}></{tag}>')
        return ""

    def bands(self) -> dict[Fraction, str]:
        """Give what is said to a score, by the share of it from which on it is said."""
        bands: dict[Fraction, str] = {}
        for one in self.params.get("overallFeedback").items:
            begins, text = one.get("from").number(), self.markdown(one.get("feedback"))
            if text and begins is not None and 0 <= begins <= _WHOLE:
                bands[Fraction(begins) / _WHOLE] = text
            elif bands and not text:
                self.note("band_goes_on", one)
        return dict(sorted(bands.items()))

    def set(self, name: str, *, default: bool) -> bool:
        """Tell how a switch of its behaviour stands."""
        return self.params.get("behaviour", name).flag(default=default)
