"""One question in one language as cells: which of its parts go where."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from string import ascii_lowercase

from grading.kinds import KINDS
from quizzes.formats.contract import ParsedRow
from quizzes.formats.parsing.export_tracker import ExportTracker, plain_text
from quizzes.formats.parsing.naming import slug
from quizzes.formats.spreadsheet.settings import PINNED, setting

Place = tuple[str, str, str]
"""Part, letter, language; "" for what has none."""

_UNITS = {"unit", "unit_credit"}
"""Settings that mean nothing without a table of units, for which there is no room."""


@dataclass(slots=True)
class Line:
    """One question in one language, on its way into cells."""

    tracker: ExportTracker
    plain: bool
    cells: dict[Place, str] = field(default_factory=dict)

    def put(self, part: str, text: str, letter: str = "", language: str = "") -> None:
        """Put a cell; the last one of a place stands."""
        self.cells[part, letter, language] = text

    def say(self, part: str, text: str, letter: str = "") -> None:
        """Put words of this language; plain ones as they show."""
        self.put(part, plain_text(text)[0] if self.plain else text, letter, self.tracker.language)

    def begin(self) -> None:
        """Put what questions of every kind have."""
        tracker, question = self.tracker, self.tracker.question
        self.put("name", slug(question.name) or question.name)
        if slug(question.name) != question.name:
            tracker.warn("name_changed", name=question.name)
        self.put("kind", question.kind)
        self.put("tags", ", ".join(question.tags))
        if question.scoring_method != KINDS[question.kind].scoring_methods[0]:
            self.put("scoring_method", question.scoring_method)
        self.say("question", tracker.text("prompt"))
        for name in ("explanation", "otherwise"):
            self.say(name, tracker.text(name, told=True))
        self._settings()

    def lettered(self, table: str, rows: Iterable[ParsedRow]) -> Iterator[tuple[str, ParsedRow]]:
        """Give rows of a table, each with its letter, and write what is said to them."""
        for letter, row in zip(ascii_lowercase, rows, strict=False):
            self.say("feedback", self.tracker.text(table, told=True, row=row), letter)
            yield letter, row

    def wordings(self) -> dict[str, list[str]]:
        """Give what each option says in its cells, in every language."""
        rows = zip(ascii_lowercase, self.tracker.question.tables.get("options", ()), strict=False)
        return {
            letter: [
                plain_text(words)[0] if self.plain else words
                for text, said in row.texts.items()
                for words in said.values()
                if not text.is_feedback
            ]
            for letter, row in rows
        }

    def _settings(self) -> None:
        question, parts = self.tracker.question, list[str]()
        for one in KINDS[question.kind].schema.fields:
            if one.name not in _UNITS:
                value = self.tracker.value(one.name)
                parts += [setting(one, value)] if value != one.default else []
        rows = zip(ascii_lowercase, question.tables.get("options", ()), strict=False)
        pinned = [letter for letter, row in rows if self.tracker.value("pinned", row)]
        parts += [f"{PINNED}={','.join(pinned).upper()}"] if pinned else []
        self.put("settings", "; ".join(parts))
