"""The questions of a page as they stand there, gathered row by row; what is right comes later."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from quizzes.formats.contract import Note
from quizzes.formats.transcript.rows import Is, Row
from quizzes.formats.transcript.words import RIGHT, grade, number, pass_threshold
from quizzes.formats.transcript.words import verdict as verdict_of

LONGEST_QUOTE = 200
_TRUE_AND_FALSE = 2


@dataclass(slots=True)
class Choice:
    """One option: its mark as it stands ("" is lost), what was said after it, and its feedback."""

    line: int
    text: str
    mark: str = ""
    said: bool | None = None
    feedback: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Draft:
    """One question of a page."""

    line: int
    last: int
    stem: list[str] = field(default_factory=list)
    options: list[Choice] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)  # feedback that stands before any option
    said: bool | None = None
    earned: Fraction | None = None
    of: Fraction | None = None
    notes: list[Note] = field(default_factory=list)
    noisy: bool = False  # something that strayed in stands above it
    listing: str = ""  # a listing in which options of a question without a stem stand

    def note(self, code: str, row: Row | Choice) -> None:
        """Note a thing, with the words of its row."""
        found = Note(code, row.line, row.text[:LONGEST_QUOTE])
        if all(one.code != code or code == "mark_lost" for one in self.notes):
            self.notes.append(found)


class Sheet:
    """Takes a page's rows in their order; `drafts` are its questions, `noise` the other lines."""

    def __init__(self, *, tabbed: bool) -> None:
        self.drafts: list[Draft] = []
        self.noise: list[Note] = []
        self.grade: Fraction | None = None
        self.pass_threshold: Fraction | None = None
        self._tabbed = tabbed
        self._waiting = False  # for the words of a verdict
        self._speaking: list[str] | None = None  # the feedback that further lines belong to
        self._after: Row | None = None
        self._noisy = False

    def take(self, rows: Iterable[Row]) -> None:
        """Gather all rows."""
        for row in rows:
            if not self.drafts and row.what not in {Is.QUESTION, Is.CODE}:
                self._outside(row)
            else:
                _TAKERS[row.what](self, row)
                self._after = row

    def _outside(self, row: Row) -> None:
        self.grade = self.grade if self.grade is not None else grade(row.text)
        self.pass_threshold = (
            self.pass_threshold if self.pass_threshold is not None else pass_threshold(row.text)
        )
        words = row.text or (row.points[0] if row.points else "")
        self.noise.append(Note("belongs_to_no_item", row.line, words[:LONGEST_QUOTE]))
        self._noisy = True

    def _draft(self) -> Draft:
        return self.drafts[-1]

    def _question(self, row: Row) -> None:
        draft = Draft(row.line, row.line, [row.text] if row.text else [])
        self.drafts.append(draft)
        if row.guessed:
            draft.note("options_guessed", row)
        if self._noisy:
            draft.noisy = True
        self._noisy, self._waiting, self._speaking = False, False, None

    def _points(self, row: Row) -> None:
        draft = self._draft()
        if row.points and draft.of is None:
            draft.earned, draft.of = number(row.points["earned"]), number(row.points["of"])
        draft.last = row.line

    def _option(self, row: Row) -> None:
        draft = self._draft()
        draft.options.append(Choice(row.line, row.text, row.mark))
        draft.last, self._waiting, self._speaking = row.line, False, None
        if row.joined and not row.guessed:
            draft.note("options_run_together", row)

    def _verdict(self, row: Row) -> None:
        draft, said = self._draft(), row.verdict
        if said is None or (said.doubtful and len(draft.options) < _TRUE_AND_FALSE):
            self._option(row)
            return
        target = draft.options[-1] if draft.options else None
        if target is None:
            draft.said, self._speaking = said.right, draft.loose
        else:
            target.said, self._speaking = said.right, target.feedback
        if said.rest:
            self._speaking.append(said.rest)
        self._waiting, draft.last = not said.rest, row.line

    def _text(self, row: Row) -> None:
        draft = self._draft()
        listed = draft.of is not None or bool(draft.options)
        if draft.listing:
            self._outside(row)
        elif self._speaking is not None and (self._waiting or not (row.tabbed or self._tabbed)):
            self._speaking.append(row.text)
            self._waiting, draft.last = False, row.line
        elif not listed:
            draft.stem.append(row.text)
            draft.last = row.line
        elif self._tabbed and not row.tabbed:
            self._outside(row)
        elif self._goes_on(row):
            draft.options[-1].text += f"\n{row.text}"
            draft.last = row.line
        else:
            self._option(row)

    def _goes_on(self, row: Row) -> bool:
        """Tell whether a line is one more of the option above it."""
        above = self._after
        below = above is not None and above.what in {Is.OPTION, Is.TEXT} and not row.apart
        return below and bool(self._draft().options) and not row.tabbed

    def _code(self, row: Row) -> None:
        if any(verdict_of(line.strip()) for line in row.text.split("\n")):
            draft = Draft(row.line, row.line + row.text.count("\n") + 2, listing=row.text)
            self.drafts.append(draft)
            self._speaking = None
            return
        if not self.drafts:
            self._outside(row)
            return
        draft, fenced = self._draft(), f"```\n{row.text}\n```"
        draft.last = row.line + row.text.count("\n") + 2
        if self._speaking is not None:
            self._speaking.append(fenced)
        elif draft.options:
            draft.options[-1].text += f"\n\n{fenced}"
        else:
            draft.stem.append(fenced)


_TAKERS: Mapping[Is, Callable[[Sheet, Row], None]] = {
    Is.QUESTION: Sheet._question,
    Is.POINTS: Sheet._points,
    Is.OPTION: Sheet._option,
    Is.VERDICT: Sheet._verdict,
    Is.TEXT: Sheet._text,
    Is.PAGE: Sheet._outside,
    Is.CODE: Sheet._code,
}


def told_right(choice: Choice) -> bool:
    """Tell whether the page itself says that an option is right."""
    return bool(choice.mark and choice.mark in RIGHT) or choice.said is True
