"""A question of a checklist as it stands: its stem, its options, the lines below. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import dropwhile, groupby, pairwise

from quizzes.formats.checklist.line_types import ChecklistLine, LineType
from quizzes.formats.checklist.markdown_texts import (
    CALLOUT,
    close_listing,
    convert_breaks,
    dedent,
    join_lines,
    split_option,
    unquote,
)
from quizzes.formats.checklist.sections import is_title
from quizzes.formats.contract import LONGEST_QUOTE, Note
from quizzes.formats.parsing.instructions import asks_for_words
from quizzes.formats.parsing.media import LOCAL_PICTURE
from quizzes.formats.parsing.question_shapes import find_question_shapes

_SETTING = re.compile(r"\b(\w+):\s*([^;]*)")
_SETTINGS = frozenset({"kind", "scoring_method", "shuffle", "none_apply", "tags"})
_MARGIN = 3
_PLAIN = frozenset({LineType.TEXT, LineType.BULLET})
_SHOWN = _PLAIN | {LineType.FIGURE}
_REMARK = re.compile(
    r"(?<=\S)[ \t]{1,4}<!--[ \t]*(?:feedback|retroalimentaci[oó]n|r[ée]troaction|comentario|hinweis"
    r"|explanation|explicaci[oó]n|explication|erkl[aä]rung|explica[cç][aã]o|rationale|why)"
    r"[ \t]*[:：]"
    r"(?P<text>(?:(?!-->).){1,2000}?)-->[ \t]*$",
    re.IGNORECASE,
)
"""A comment of HTML at the end of an option that says why it is right or wrong."""
_LONGEST_REMARK = 2_000
"""Characters of the end of an option in which such a comment is looked for."""
_TICKED_BOX = re.compile(r"(?:^|[|>\s])[-*+][ ]\[[xX]\][ ]")
"""The key of another question, in a table or a line above the options."""
_OTHER_FORMAT = re.compile(
    r"\s*[`~]{3,}[ ]?(?:gift|aiken|xml|text|txt|plain|md|markdown|moodle)?\s*"
)
"""The fence of a listing that names no language of programs."""
_FEWEST_WORDS = 4
"""Of a bold paragraph that may ask: fewer are a title."""


@dataclass(slots=True)
class ChecklistOption:
    """One option: the line with its box, and the lines below that belong to it."""

    line: ChecklistLine
    below: list[ChecklistLine] = field(default_factory=list)

    def has_below(self, type_: LineType) -> bool:
        """Return whether a line of this type belongs to it: a listing, a picture."""
        return any(line.type is type_ for line in self.below)

    @property
    def is_round(self) -> bool:
        """Return whether its box says that only one option is right."""
        return self.line.mark.startswith("(")

    def read(self) -> tuple[str, str, bool]:
        """Return its text and feedback, and whether lines of code became a listing."""
        text = self.line.text
        column = len(self.line.lines[0].removesuffix(text).expandtabs(4))
        start = max(len(text) - _LONGEST_REMARK, 0)
        remark = _REMARK.search(text, start) if text.rstrip().endswith("-->") else None
        own, feedback, is_code = split_option(
            text[: remark.start()] if remark else text, dedent(self.below, column)
        )
        if remark:
            feedback = "\n\n".join(filter(None, (remark["text"].strip(), feedback)))
        return own, feedback, is_code


@dataclass(slots=True)
class ChecklistQuestion:
    """One question as it stands: its heading, stem and options, and the lines below them."""

    heading: ChecklistLine | None
    own: bool = False  # written by us: its heading is its name
    is_numbered: bool = False  # a number begins its stem
    stem: list[ChecklistLine] = field(default_factory=list)
    options: list[ChecklistOption] = field(default_factory=list)
    below: list[ChecklistLine] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    reason: str = ""  # what keys at the end of the page say of it

    @property
    def lines(self) -> Iterator[ChecklistLine]:
        """Yield all its lines."""
        if self.heading:
            yield self.heading
        yield from self.stem
        for option in self.options:
            yield option.line
            yield from option.below
        yield from self.below

    @property
    def line(self) -> int:
        """Return its first line."""
        return next(line.line for line in self.lines if line.type is not LineType.BLANK)

    @property
    def end_line(self) -> int:
        """Return its last line that is not empty."""
        return max(line.end_line for line in self.lines if line.type is not LineType.BLANK)

    @property
    def is_labelled(self) -> bool:
        """Return whether its heading counts questions."""
        return self.heading is not None and self.heading.labelled

    @property
    def number(self) -> int:
        """Return the number that begins its stem; 0 where none does."""
        first = next((line for line in self.stem if line.type is not LineType.BLANK), None)
        return first.number if self.is_numbered and first else 0

    @property
    def ticked(self) -> int:
        """Return how many options are ticked."""
        return sum(option.line.is_ticked for option in self.options)

    @property
    def name(self) -> str:
        """Return its name: its heading, unless that only counts."""
        heading = self.heading
        if heading is None or heading.type is not LineType.HEADING or heading.counted:
            return ""
        return heading.lines[0].strip("# \t") if heading.text else ""

    @property
    def settings(self) -> dict[str, str]:
        """Return the settings in the comment above its stem."""
        first = next((line for line in self.stem if line.type is not LineType.BLANK), None)
        if first is None or first.type is not LineType.COMMENT:
            return {}
        settings = {name: setting.strip() for name, setting in _SETTING.findall(first.text)}
        return settings if settings.keys() <= _SETTINGS else {}

    @property
    def comments(self) -> list[ChecklistLine]:
        """Return its comments, but for the one that has its settings."""
        comments = [line for line in self.lines if line.type is LineType.COMMENT]
        return comments[1:] if self.settings else comments

    @property
    def second_prompt(self) -> ChecklistLine | None:
        """Return the line that asks right below another that asks, each a paragraph of its own.

        The one above may be a question without options; so may one in bold, with words below it
        and another in bold below these. Below a heading or a number both belong to it.
        """
        if self.heading or self.is_numbered or self.own:
            return None
        paragraphs = [
            [line for line in lines if not line.is_empty]
            for is_text, lines in groupby(self.stem, key=lambda line: not line.is_empty)
            if is_text
        ]
        asking = [lines[0] if len(lines) == 1 and _asks(lines[0]) else None for lines in paragraphs]
        asking += [None, *(line if _asks(line) else None for line in self._find_tasks(paragraphs))]
        bold = [at for at, lines in enumerate(paragraphs) if _is_bold_prompt(lines)]
        answered = [
            paragraphs[below][0]
            for above, below in pairwise(bold)
            if any(line.type in _PLAIN for lines in paragraphs[above + 1 : below] for line in lines)
        ]
        return next(
            (line for above, line in pairwise(asking) if above and line), next(iter(answered), None)
        )

    @staticmethod
    def _find_tasks(paragraphs: Sequence[Sequence[ChecklistLine]]) -> Iterator[ChecklistLine]:
        """Yield lines that tell to answer in own words, each with the one that asks below it."""
        for lines in paragraphs:
            for above, below in pairwise(lines):
                if asks_for_words(above.text) and _asks(below):
                    yield from (above, below)

    def read_prompt(self) -> list[str]:
        """Return the lines of its prompt: its heading, too, unless that is a label or a name."""
        stem = [line for line in self.stem if line.type is not LineType.COMMENT]
        stem = _strip_end(_strip_end(stem))
        texts = [text for line in stem for text in line.lines]
        if self.is_numbered and stem:
            texts[0] = stem[0].text
        words = [line for line in stem if not line.is_empty]
        if self.options and self._are_entries(words):
            texts = [text for line in words for text in (line.text, "")]
        elif self.options and (words := [line for line in stem if line.has_words]):
            texts = self._open_bullet(words, texts)
        heading = None if self.own else self.heading
        if heading is not None and heading.text:
            is_near = heading.type is LineType.LABEL and self.stem[:1] == stem[:1]
            texts = [heading.text, *([] if is_near else [""]), *texts]
        return close_listing(stem, texts)

    def _are_entries(self, words: Sequence[ChecklistLine]) -> bool:
        """Return whether lines are entries of lists within each other, and of the options."""
        indents = [*(line.indent for line in words), self.options[0].line.indent]
        return all(line.type is LineType.BULLET for line in words) and all(
            outer + 1 < inner for outer, inner in pairwise(indents)
        )

    def _open_bullet(self, words: Sequence[ChecklistLine], texts: list[str]) -> list[str]:
        """Return the stem without the bullet of the list entry that has the options below it.

        The entry may go on in further lines that are indented.
        """
        line, *folded = words
        is_entry = line.type is LineType.BULLET and line.indent < self.options[0].line.indent
        goes_on = all(each.type is LineType.TEXT and each.indent > line.indent for each in folded)
        if not is_entry or not goes_on:
            return texts
        own = {each.lines[0]: each.text.lstrip() for each in words}
        return [own.get(text, text) for text in texts]

    def list_below(self) -> list[tuple[int, str]]:
        """Return what is below its options by line, with its number; quotations without marks."""
        lines: list[tuple[int, str]] = []
        for line in self.below:
            texts = line.lines
            if line.type is LineType.QUOTE:
                texts = () if CALLOUT.match(texts[0]) else tuple(unquote(texts))
            elif line.type in {LineType.COMMENT, LineType.RULE}:
                texts = ()
            lines += enumerate(texts, start=line.line)
        return lines

    def join_explanation(self, texts: Sequence[str]) -> str:
        """Return what is below its options as one text."""
        return convert_breaks(join_lines(close_listing(self.below, [*texts])))

    def _list_hidden_questions(self) -> Iterator[Note]:
        """Yield a note on what may be another question: a key above the options, a listing."""
        for line in self.stem:
            if line.type in _SHOWN and (ticked := _TICKED_BOX.search(line.lines[0])):
                quote = line.lines[0][ticked.start() :].strip()
                yield Note("key_in_prompt", line.line, quote[:LONGEST_QUOTE])
        lines_below = [line for option in self.options for line in option.below]
        filled = [line for line in [*lines_below, *self.below] if not line.is_empty]
        reasons = {below.line for above, below in pairwise(filled) if is_title(above.text)}
        for line in filled:
            is_task = line.type is LineType.TEXT and asks_for_words(line.text)
            if is_task and line.line not in reasons:
                yield Note("question_below", line.line, line.text[:LONGEST_QUOTE])
        for line in self.below:
            if line.type is LineType.CODE and _holds_question(line.lines):
                yield Note("question_in_listing", line.line, line.lines[1].strip()[:LONGEST_QUOTE])

    def collect_notes(self) -> Iterator[Note]:
        """Yield the notes on its lines."""
        yield from self.notes
        if self.options and (second := self.second_prompt):
            yield Note("several_prompts", second.line, second.text[:LONGEST_QUOTE])
        yield from self._list_hidden_questions()
        if any(line.is_open for line in self.lines):
            yield Note("fence_left_open", self.line)
        if LOCAL_PICTURE.search("\n".join(text for line in self.lines for text in line.lines)):
            yield Note("picture_missing", self.line)
        margin = min((option.line.indent for option in self.options), default=0) + _MARGIN
        for option in self.options:
            quote = option.line.lines[0].strip()[:LONGEST_QUOTE]
            if option.line.type is LineType.BULLET:
                yield Note("box_missing", option.line.line, quote)
            elif option.line.indent > margin:
                yield Note("option_indented", option.line.line, quote)


def _asks(line: ChecklistLine) -> bool:
    """Return whether a line is text that asks, or tells to answer in own words."""
    return line.asks or (line.type is LineType.TEXT and asks_for_words(line.text))


def _is_bold_prompt(paragraph: Sequence[ChecklistLine]) -> bool:
    """Return whether a paragraph is one line in bold, of some words, that leads up to nothing."""
    text = paragraph[0].text.strip()
    is_bold = len(paragraph) == 1 and text[:2] == text[-2:] == "**" and "**" not in text[2:-2]
    return is_bold and len(text.split()) >= _FEWEST_WORDS and not text.rstrip("*").endswith(":")


def _holds_question(listing: Sequence[str]) -> bool:
    """Return whether a listing of no language of programs may be a question of another format."""
    words = listing[1:-1]
    if not words or _OTHER_FORMAT.fullmatch(listing[0]) is None:
        return False
    return any("<question" in line for line in words) or bool(find_question_shapes(words))


def _strip_end(lines: list[ChecklistLine]) -> list[ChecklistLine]:
    """Return lines in reverse, without the empty ones at the end."""
    return list(dropwhile(lambda line: line.is_empty, reversed(lines)))


def note_ignored(line: ChecklistLine) -> Iterator[Note]:
    """Yield a note on each line that belongs to no question."""
    code = "comment" if line.type is LineType.COMMENT else "belongs_to_no_item"
    for number, text in enumerate(line.lines, start=line.line):
        if text.strip():
            yield Note(code, number, text.strip().lstrip("#").strip()[:LONGEST_QUOTE])
