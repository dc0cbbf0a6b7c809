"""The questions of a page as they stand there, read line by line; what is right comes later."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.transcript.vocabulary import (
    GRADE,
    PASS_THRESHOLD,
    LineType,
    PageLine,
    parse_number,
    parse_share,
    parse_verdict,
)


@dataclass(slots=True)
class PageOption:
    """One option: its mark on the page ("" is lost), whether a verdict says it is right."""

    line: int
    text: str
    mark: str = ""
    right: bool | None = None
    feedback: list[str] = field(default_factory=list)


@dataclass(slots=True)
class PageQuestion:
    """One question of a page."""

    line: int
    end_line: int
    stem: list[str] = field(default_factory=list)
    options: list[PageOption] = field(default_factory=list)
    feedback: list[str] = field(default_factory=list)  # before any option
    right: bool | None = None  # says a verdict before any option
    earned: Fraction | None = None
    points: Fraction | None = None
    notes: list[Note] = field(default_factory=list)
    interrupted: bool = False  # a line that belongs to no question is above it
    listing: str = ""  # has the options of a question without a stem

    @property
    def quote(self) -> str:
        """Return the beginning of its stem."""
        return " ".join(self.stem)[:LONGEST_QUOTE]

    def note(self, code: str, line: PageLine) -> None:
        """Note the words of a line, each code once."""
        if all(note.code != code for note in self.notes):
            self.notes.append(Note(code, line.line, line.text[:LONGEST_QUOTE]))


class PageReader:
    """Reads the lines of a page; `ignored_lines` belong to none of its `questions`."""

    def __init__(self, *, tabbed: bool) -> None:
        self.questions: list[PageQuestion] = []
        self.ignored_lines: list[Note] = []
        self.grade: Fraction | None = None
        self.pass_threshold: Fraction | None = None
        self._tabbed = tabbed
        self._expects_feedback = False
        self._feedback: list[str] | None = None  # that further lines belong to
        self._previous: PageLine | None = None
        self._interrupted = False

    def read(self, lines: Iterable[PageLine]) -> None:
        """Read all lines."""
        for line in lines:
            if not self.questions and line.type not in {LineType.QUESTION, LineType.CODE}:
                self._ignore(line)
            else:
                _READERS[line.type](self, line)
                self._previous = line

    def _ignore(self, line: PageLine) -> None:
        if self.grade is None:
            self.grade = parse_share(GRADE, line.text)
        if self.pass_threshold is None:
            self.pass_threshold = parse_share(PASS_THRESHOLD, line.text)
        quote = line.text or (line.points[0] if line.points else "")
        self.ignored_lines.append(Note("belongs_to_no_item", line.line, quote[:LONGEST_QUOTE]))
        self._interrupted = True

    def _read_question(self, line: PageLine) -> None:
        stem = [line.text] if line.text else []
        question = PageQuestion(line.line, line.line, stem, interrupted=self._interrupted)
        self.questions.append(question)
        if line.guessed:
            question.note("options_guessed", line)
        self._interrupted, self._expects_feedback, self._feedback = False, False, None

    def _read_points(self, line: PageLine) -> None:
        question = self.questions[-1]
        if line.points and question.points is None:
            question.earned, question.points = map(parse_number, line.points.group("earned", "of"))
        question.end_line = line.line

    def _read_option(self, line: PageLine) -> None:
        question = self.questions[-1]
        question.options.append(PageOption(line.line, line.text, line.mark))
        question.end_line, self._expects_feedback, self._feedback = line.line, False, None
        if line.shares_line and not line.guessed:
            question.note("options_run_together", line)

    def _read_verdict(self, line: PageLine) -> None:
        question, verdict = self.questions[-1], line.verdict
        if verdict is None or (verdict.doubtful and len(question.options) <= 1):
            self._read_option(line)
            return
        target = question.options[-1] if question.options else question
        target.right, self._feedback = verdict.right, target.feedback
        if verdict.feedback:
            self._feedback.append(verdict.feedback)
        self._expects_feedback, question.end_line = not verdict.feedback, line.line

    def _read_text(self, line: PageLine) -> None:
        question = self.questions[-1]
        tabbed = line.tabbed or self._tabbed
        if question.listing:
            self._ignore(line)
        elif self._feedback is not None and (self._expects_feedback or not tabbed):
            self._feedback.append(line.text)
            self._expects_feedback, question.end_line = False, line.line
        elif question.points is None and not question.options:
            question.stem.append(line.text)
            question.end_line = line.line
        elif self._tabbed and not line.tabbed:
            self._ignore(line)
        elif question.options and self._continues_option(line):
            question.options[-1].text += f"\n{line.text}"
            question.end_line = line.line
        else:
            self._read_option(line)

    def _continues_option(self, line: PageLine) -> bool:
        """Return whether a line is one more of the option above it."""
        above = self._previous.type if self._previous else None
        return above in {LineType.OPTION, LineType.TEXT} and not (line.after_blank or line.tabbed)

    def _read_code(self, line: PageLine) -> None:
        end_line = line.line + line.text.count("\n") + 2
        if any(parse_verdict(text.strip()) for text in line.text.split("\n")):
            self.questions.append(PageQuestion(line.line, end_line, listing=line.text))
            self._feedback = None
            return
        if not self.questions:
            self._ignore(line)
            return
        question, fenced = self.questions[-1], f"```\n{line.text}\n```"
        question.end_line = end_line
        if self._feedback is not None:
            self._feedback.append(fenced)
        elif question.options:
            question.options[-1].text += f"\n\n{fenced}"
        else:
            question.stem.append(fenced)


_READERS: Mapping[LineType, Callable[[PageReader, PageLine], None]] = {
    LineType.QUESTION: PageReader._read_question,
    LineType.POINTS: PageReader._read_points,
    LineType.OPTION: PageReader._read_option,
    LineType.VERDICT: PageReader._read_verdict,
    LineType.TEXT: PageReader._read_text,
    LineType.CHROME: PageReader._ignore,
    LineType.CODE: PageReader._read_code,
}
