"""Questions whose options have letters, and a line below that names the right ones."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from quizzes.formats.builders import Head, Option, build_choice
from quizzes.formats.contract import FileMetadata, Note, ParsedFile, SourceItem
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.failures import read_item
from quizzes.formats.parsing.instructions import asks_for_all
from quizzes.formats.parsing.labels import labelled
from quizzes.formats.parsing.languages import decode_text
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.source_items import Origin, build_item

name = "letter_key"
extensions = ("txt", "md")

_QUESTION = re.compile(
    r"(?:#{1,6}[ \t]+)?(?:\*\*)?(?:Question[ \t]+)?\d{1,5}[.):][ \t]+(?P<text>.*)"
)
_HEADING = re.compile(r"#{1,6}[ \t]+(?P<text>\S.*)")
_OPTION = re.compile(r"[ \t]{0,12}(?:[-*+][ \t]+)?\(?(?P<letter>[A-Za-z])[):.][ \t]+(?P<text>\S.*)")
_INLINE = re.compile(r"(?<![ \t])[ \t]+\(?(?=([B-Z])[):.][ \t]+\S)")
_ANSWER = re.compile(
    r"[ \t#*]{0,9}(?:Correct answer|Right answer|Answer|Ans|Respuesta correcta|Respuesta"
    r"|Resposta correta|Resposta|Bonne réponse|Réponse|Richtige Antwort|Antwort|Lösung)s?"
    r"[ \t]*[:.=][ \t*]*\(?(?P<letters>[A-Z](?:(?:[ \t]*,[ \t]*|[ \t]*&[ \t]*"
    r"|[ \t]+(?:and|y|e|et|und)[ \t]+)[A-Z])*)\b[).]?[ \t*]*(?P<rest>.*)",
    re.IGNORECASE,
)
_WRAPPER = re.compile(r"[ \t]*(?:</?(?:details|summary|b|p)>[^<]*)+$|[ \t]*(?:-{3,}|\*{3,})[ \t]*$")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_TWO = 2


@dataclass(slots=True)
class _Block:
    """One question as it stands."""

    line: int
    last: int
    stem: list[str] = field(default_factory=list)
    options: list[tuple[int, str, list[str]]] = field(default_factory=list)
    right: list[str] = field(default_factory=list)
    answered: int = 0  # the line of the answer
    after: list[str] = field(default_factory=list)

    @property
    def place(self) -> list[str]:
        """The lines that a further line belongs to."""
        if self.answered:
            return self.after
        return self.options[-1][2] if self.options else self.stem


def detect(data: bytes, filename: str) -> bool:
    """Tell a file by a line that names the letter of an answer below an option with a letter."""
    if not filename.lower().endswith(extensions):
        return False
    lines = decode(data[:200_000])[0].split("\n")
    return any(map(_ANSWER.match, lines)) and any(map(_OPTION.match, lines))


def read(data: bytes, *, language: str = "") -> ParsedFile:
    """Read a file; the words before its first question are noise."""
    text, known, noise = decode_text(data, language)
    names = Names()
    blocks = list(_blocks(text, noise))
    found = tuple(
        read_item(partial(_found, block, names, known or "en"), Origin(block.line, block.last))
        for block in blocks
    )
    return ParsedFile(
        items=found, metadata=FileMetadata(language=known or "en"), ignored_lines=tuple(noise)
    )


def _blocks(text: str, noise: list[Note]) -> Iterator[_Block]:
    block, fenced = None, False
    lines = text.split("\n")
    plain = _plain_numbers(lines)
    for number, line in enumerate(lines, start=1):
        begins = None if fenced else _asked(line, plain=number in plain)
        if _FENCE.match(line):
            fenced = not fenced
        if begins is not None:
            if block:
                yield block
            block = _Block(number, number, [begins])
        elif block is None:
            if line.strip():
                noise.append(Note("belongs_to_no_item", number, line.strip()[:200]))
        elif fenced or not _takes(block, number, line):
            block.place.append("" if _WRAPPER.match(line) and not fenced else line.rstrip())
        if block and line.strip():
            block.last = number
    if block:
        yield block


def _plain_numbers(lines: list[str]) -> frozenset[int]:
    """Return the lines at which a number without more may begin a question.

    Where labels begin most questions, only one with options below does: others count a list.
    """
    labels = sum(_asked(line, plain=False) is not None for line in lines)
    answers = sum(_ANSWER.match(line) is not None for line in lines)
    if labels < _TWO or 2 * labels <= answers:
        return frozenset(range(1, len(lines) + 1))
    found: list[int] = []
    has_options = False
    for number in range(len(lines), 0, -1):
        if _asked(lines[number - 1], plain=True) is not None:
            found += [number] if has_options else []
            has_options = False
        has_options = has_options or _OPTION.match(lines[number - 1]) is not None
    return frozenset(found)


def _asked(line: str, *, plain: bool) -> str | None:
    """Return the words behind the label that begins a question; None for any other line.

    `plain`: a number alone is a label, too.
    """
    if _ANSWER.match(line):
        return None
    heading = _HEADING.match(line)
    text = labelled(heading["text"] if heading else line, heading=heading is not None)
    if text is None and (heading or plain) and (begins := _QUESTION.match(line)):
        text = begins["text"].removesuffix("**")
    if text is None:
        return None
    return text[2:-2] if text.startswith("**") and text.endswith("**") else text


def _takes(block: _Block, number: int, line: str) -> bool:
    """Take an option or an answer; any other line is left to the text it stands in."""
    answer = _ANSWER.match(line)
    if answer and block.options:
        block.right = re.findall(r"\b[A-Z]\b", answer["letters"].upper())
        block.answered = number
        block.after.append(answer["rest"])
        return True
    option = None if block.answered else _OPTION.match(line)
    if option is None:
        return False
    for one in _parted(line.strip()):
        if found := _OPTION.match(one):
            block.options.append((number, found["letter"].upper(), [found["text"].strip()]))
    return True


def _parted(line: str) -> Iterator[str]:
    """Part options that stand on one line, as long as their letters follow each other."""
    first = _OPTION.match(line)
    wanted = chr(ord(first["letter"]) + 1) if first else ""
    begins = 0
    for found in _INLINE.finditer(line):
        if found[1] == wanted:
            yield line[begins : found.start()]
            begins, wanted = found.end(), chr(ord(wanted) + 1)
    yield line[begins:]


def _found(block: _Block, names: Names, language: str) -> SourceItem:
    prompt = "\n".join(block.stem).strip()
    called, place = names.name(prompt), Origin(block.line, block.last)
    head = Head(block.line, called, language, prompt, "\n".join(block.after).strip())
    if len(block.options) < _TWO:
        missing = Note("options_missing", block.line, prompt[:200])
        return build_item(place.with_name(called), None, [missing])
    notes = tuple(_notes(block))
    known = not notes
    options = [
        Option("\n".join(text).strip(), right=known and letter in block.right, line=line)
        for line, letter, text in block.options
    ]
    many = len(block.right) > 1 or asks_for_all(prompt)
    question = build_choice(head, options, many=many)
    return build_item(place.with_name(called), question, notes)


def _notes(block: _Block) -> Iterator[Note]:
    letters = [letter for _, letter, _ in block.options]
    if not block.right:
        yield Note("key_unknown", block.line, block.stem[0][:200])
    if unknown := sorted(set(block.right) - set(letters)):
        yield Note("letter_unknown", block.answered, ", ".join(unknown)[:200])
    if len(set(letters)) != len(letters):
        yield Note("letter_twice", block.line, " ".join(letters)[:200])
