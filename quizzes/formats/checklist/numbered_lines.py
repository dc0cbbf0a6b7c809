"""Lines split where numbers go on counting questions. Pure."""

from itertools import dropwhile

from quizzes.formats.checklist.line_types import LineType
from quizzes.formats.checklist.paragraphs import Lines
from quizzes.formats.parsing.open_answers import find_key_without_options, split_open_answer


def split_at_numbers(lines: Lines, *, first: bool = True) -> list[Lines]:
    """Split lines before each number that goes on counting; `first`: one may begin them."""
    chunks: list[Lines] = [[]]
    number = listed = 0
    for line in lines:
        if line.type is LineType.NUMBER:
            goes_on = not number or line.number == number + 1
            if not goes_on or line.number == listed + 1 > 1:
                listed = line.number  # of a list within a stem
            else:
                number, listed = line.number, 0
                if not first or len(chunks) > 1 or any(not other.is_empty for other in chunks[0]):
                    chunks.append([])
        chunks[-1].append(line)
    return chunks


def split_open_questions(lines: Lines) -> tuple[list[Lines], Lines]:
    """Return the numbered questions with an answer below, and the lines of none."""
    stems: list[Lines] = []
    left: Lines = []
    for several in split_at_numbers(lines):
        chunk = list(dropwhile(lambda line: line.type is LineType.BLANK, several))
        text = "\n".join(line.text if line.number else "\n".join(line.lines) for line in chunk)
        is_numbered = bool(chunk) and chunk[0].type is LineType.NUMBER
        has_answer = split_open_answer(text) or find_key_without_options(text.split("\n"))
        if is_numbered and has_answer:
            stems.append(chunk)
        else:
            left += chunk
    return stems, left


def find_next_question(lines: Lines, before: int) -> int:
    """Return the place at which numbers go on from a question, or the end: where none does.

    A list that counts from 1 anew explains that question, up to the number that goes on.
    """
    numbered = [(at, line.number) for at, line in enumerate(lines) if line.type is LineType.NUMBER]
    if not numbered or not before or numbered[0][1] != 1:
        return numbered[0][0] if numbered else len(lines)
    listed = 0
    for at, number in numbered:
        if number == before + 1 and number != listed + 1:
            return at
        listed = number
    return next((at for at, number in reversed(numbered) if number == before + 1), len(lines))
