"""Questions whose options have letters, and a line below that names the right ones."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

from quizzes.formats.builders import (
    Head,
    Option,
    SourceChoice,
    add_hints,
    settle_choice,
    settle_open,
    settle_without_options,
)
from quizzes.formats.checklist.sections import (
    EXPLAINS,
    is_explaining_heading,
    is_explanation,
    is_title,
)
from quizzes.formats.contract import LONGEST_QUOTE, FileMetadata, Note, ParsedFile, SourceItem
from quizzes.formats.parsing.answer_names import find_named_options
from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.failures import read_blocks
from quizzes.formats.parsing.instructions import asks_for_all, asks_for_words
from quizzes.formats.parsing.item_metadata import split_metadata
from quizzes.formats.parsing.key_lines import KeyWords, is_key_line, read_key
from quizzes.formats.parsing.labels import LABEL, strip_label
from quizzes.formats.parsing.naming import Names
from quizzes.formats.parsing.open_answers import (
    ANSWERED,
    asks_for_truth,
    has_key,
    split_open_answer,
)
from quizzes.formats.parsing.option_labels import has_label_references
from quizzes.formats.parsing.prompt_details import split_details, unquote_prompt
from quizzes.formats.parsing.reading_limits import check_item_count
from quizzes.formats.parsing.source_items import Origin, build_item
from quizzes.formats.parsing.verdicts import find_right, split_verdict

_QUESTION = re.compile(
    r"(?:#{1,6}[ \t]+)?(?:\*\*)?(?:Question[ \t]+)?(?:\d{1,5}[.):](?:\*\*)?(?:[ \t]+|$)"
    r"|(?:\(\d{1,3}\)|\d{1,3}[ ]?[-–—])(?:\*\*)?[ \t]+(?=[¿¡]?[^\W\d_¹²³]{2}))(?P<text>.*)"
)
_HEADING = re.compile(r"#{1,6}[ \t]+(?P<text>\S.*)")
_OPTION = re.compile(r"[ \t]{0,12}(?:[-*+][ \t]+)?\(?(?P<letter>[A-Za-z])[):.][ \t]+(?P<text>\S.*)")
_INLINE = re.compile(
    r"(?<![ \t])(?:[ \t]*;)?[ \t]+(?:[·•|/—–-][ \t]+)?\(?(?=([B-Zb-z])[):.][ \t]+\S)"
)
_ANSWER = re.compile(
    r"[ \t#*>]{0,9}(?:Correct answer|Right answer|Answer|Ans|Respuesta correcta|Respuesta"
    r"|Resposta correta|Resposta|Bonne réponse|Réponse correcte|Réponse|Richtige Antwort|Antwort"
    r"|Lösung)s?"
    r"[ \t]*[:.=][ \t*]*\(?(?P<letters>[A-Z](?:(?:[ \t]*,[ \t]*|[ \t]*&[ \t]*"
    r"|[ \t]+(?:and|y|e|et|und)[ \t]+)[A-Z])*)\b[).]?[ \t*]*(?P<rest>.*)",
    re.IGNORECASE,
)
_TITLE = re.compile(r"(\*\*|__)[^*_]{1,60}(?:[:：]\1|\1[:：])")
_FAR = 8
"""How many lines a question that is found by its key may have."""
_COMMENT = re.compile(r"[ \t]*<!--(?:(?!-->).)*-->[ \t]*")
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,})[ \t]*")
_NO_HEADING = 7
"""The level of a question that begins with no heading."""
_WRAPPER = re.compile(
    r"[ \t]*(?:</?(?:details|summary|b|p)\b[^<>]*>[^<]*)+$|[ \t]*(?:-{3,}|\*{3,})[ \t]*$"
)


@dataclass(slots=True)
class LetterQuestion:
    """One question as it stands in a file."""

    line: int
    end_line: int
    stem: list[str] = field(default_factory=list)
    options: list[tuple[int, str, list[str]]] = field(default_factory=list)
    answer_line: int = 0
    right: list[str] = field(default_factory=list)
    explanation: list[str] = field(default_factory=list)
    key: str = ""  # what of its lines named the right options
    level: int = _NO_HEADING  # of the heading that it begins with
    labelled: bool = False  # a word with a number begins it
    explains: bool = False  # a title such as "**Solution:**" stands below its options
    has_open_key: bool = False  # words below it answer it, and it has no options
    judges: bool = False  # the heading above says that statements are true or false

    @property
    def current(self) -> list[str]:
        """Return the lines that a further line belongs to."""
        if self.answer_line or self.explains:
            return self.explanation
        return self.options[-1][2] if self.options else self.stem

    @property
    def named(self) -> list[tuple[str, str]]:
        """Return the names and texts of its options."""
        return [(letter.lower(), " ".join(text)) for _, letter, text in self.options]

    def list_stem(self) -> list[str]:
        """Return the lines of its stem; above options without the tags of boxes that fold."""
        return _drop_wrappers(self.stem) if self.options else self.stem

    def list_below_key(self) -> list[str]:
        """Return the lines below its answer, without those of boxes that fold."""
        below: list[str] = []
        start = 0  # of the box that is open: at first the one around the answer may be
        for line in self.explanation:
            if "</details" in line:
                del below[start:]
            elif "<details" in line:
                start = len(below)
            else:
                below.append(line)
        return below

    def ends_before(self, line: str) -> bool:
        """Return whether a line below its answer is a heading of a chapter."""
        heading = _HEADING.match(line) if self.answer_line or self.has_open_key else None
        if heading and line.index(" ") < self.level < _NO_HEADING:
            return True
        if heading is None or _ANSWER.match(line) or EXPLAINS.match(heading["text"]):
            return False
        if is_explaining_heading(heading["text"]):
            return False
        return line.index(" ") <= self.level

    def read_answer_or_option(self, number: int, line: str) -> bool:
        """Read a line if it is one of these; any other belongs to the text above it."""
        if self.options and (answer := _ANSWER.match(line)):
            key = line[answer.start("letters") :].rstrip()
            if key.endswith("**") and key.count("**") % 2:
                key = key.removesuffix("**").rstrip()  # bold that begins before the key
            named, rest = find_named_options(self.named, key)
            self.right = [self.options[at][1] for at in sorted(named)]
            if not named:
                letters = re.findall(r"\b[A-Z]\b", answer["letters"].upper())
                own_letters = {letter for _, letter, _ in self.options}
                # Letters that it has, in words that name none for sure ("B or C"): no key.
                self.right = [] if {*letters} <= own_letters else letters
                rest = answer["rest"]
            self.answer_line = number
            self.key = line.rstrip().removesuffix(rest)[:LONGEST_QUOTE]
            self.explanation.append(rest)
            return True
        if len(self.options) > 1 and (is_explanation(line.strip()) or _HEADING.match(line)):
            self.explains = True
        option = None if self.answer_line else _OPTION.match(line)
        if option and option["letter"] in "iI" and not self.options:
            return False  # a statement with a Roman number, above the options
        if option is None or (self.explains and not self._goes_on(option["letter"])):
            return False
        self._end_note()
        for part in _split_options(line.strip()):
            if option := _OPTION.match(part):
                text = [option["text"].removesuffix("\\").strip() or option["text"]]
                self.options.append((number, option["letter"].upper(), text))
        return True

    def read_line(self, number: int, line: str) -> Iterator[Note]:
        """Read a line of no listing; yield a note on a comment."""
        if _COMMENT.fullmatch(line):
            yield Note("comment", number, line.strip()[:LONGEST_QUOTE])
            self.current.append("")
        elif not self.read_answer_or_option(number, line):
            self.has_open_key = self.has_open_key or (not self.options and has_key(line))
            self.current.append(line.rstrip())

    def read_key_below(self) -> None:
        """Read the key below the options that is in a box that folds, or below its title."""
        words = [*self.options[-1][2][1:], *self.explanation]
        place = next((at for at, line in enumerate(words) if is_key_line(line)), None)
        key = KeyWords() if place is None else read_key(self.named, words, place)
        if place is None or not key.right or key.is_judged:
            return
        self.right = [self.options[at][1] for at in sorted(key.right)]
        at, rest = max(key.rests.items())
        self.answer_line = self.options[-1][0] + 1 + at
        self.key = words[at].removesuffix(rest)[:LONGEST_QUOTE]
        for at, rest in key.rests.items():
            words[at] = rest
        del self.options[-1][2][1 + place :]
        self.explanation = words[place:]

    def end(self, notes: list[Note]) -> "LetterQuestion":
        """Return it without the bold title of what follows at its end: "**Short answers:**"."""
        self._end_at_rule(notes)
        words = [at for at, line in enumerate(self.explanation) if line.strip()]
        last = words[-1] if self.answer_line and words else 0
        title = self.explanation[last].strip() if last else ""
        if _TITLE.fullmatch(title) and not self.explanation[last - 1].strip():
            notes.append(Note("belongs_to_no_item", self.end_line, title[:LONGEST_QUOTE]))
            self.explanation[last:] = []
            self.end_line = self.answer_line + (words[-2] if len(words) > 1 else 0)
        return self

    def _end_at_rule(self, notes: list[Note]) -> None:
        """Leave out what stands below a rule that ends it, but for what explains the answer."""
        code_lines = find_code_lines(self.explanation)
        words = [at for at, line in enumerate(self.explanation) if line.strip()]
        for rule, below in pairwise(words) if self.answer_line else ():
            line = self.explanation[below].strip()
            is_rule = not code_lines[rule] and _RULE.fullmatch(self.explanation[rule])
            if is_rule and not (line.startswith("#") or EXPLAINS.match(line) or _RULE.match(line)):
                notes += (
                    Note("belongs_to_no_item", self.answer_line + at, self.explanation[at].strip())
                    for at in words
                    if at >= below
                )
                self.explanation[rule:] = []
                self.end_line = self.answer_line + rule
                return

    def _goes_on(self, letter: str) -> bool:
        """Return whether a letter is that of the option after the last one."""
        return ord(letter.upper()) == ord(self.options[-1][1]) + 1

    def _end_note(self) -> None:
        """Give lines that seemed to explain the answer to the option above: others follow."""
        if self.explains:
            self.options[-1][2].extend(self.explanation)
            self.explains, self.explanation = False, []


def _drop_wrappers(lines: Sequence[str]) -> list[str]:
    """Return lines without the tags of boxes that fold, and without rules."""
    return [
        "" if not is_code and _WRAPPER.match(line) else line
        for line, is_code in zip(lines, find_code_lines(lines), strict=True)
    ]


def has_lettered_questions(text: str) -> bool:
    """Return whether a text has an option with a letter, and a line with the answer's letter."""
    lines = text.split("\n")
    return any(map(_ANSWER.match, lines)) and any(map(_OPTION.match, lines))


def has_open_questions(text: str) -> bool:
    """Return whether a question with a label, or two with numbers, have a key right below."""
    numbered = 0
    above = _FAR
    is_labelled = False
    for line in text.split("\n"):
        above = _FAR + 1 if ANSWERED.match(line) else above + bool(line.strip())
        if above <= _FAR and has_key(line):
            if is_labelled:
                return True
            numbered, above = numbered + 1, _FAR
        elif _parse_prompt(line, plain=True) is not None:
            is_labelled, above = _parse_prompt(line, plain=False) is not None, 0
    return numbered > 1


def read_lettered_questions(text: str, language: str, *, keys_below: bool = False) -> ParsedFile:
    """Return the questions of a text; the lines before the first are ignored.

    `keys_below`: keys may be in boxes that fold, or below their title.
    """
    notes: list[Note] = []
    build = partial(_build_item, keys_below=keys_below)
    items = read_blocks(build, _split_questions(text, notes), language)
    metadata = FileMetadata(language=language)
    return ParsedFile(items=items, metadata=metadata, ignored_lines=tuple(notes))


def _split_questions(text: str, notes: list[Note]) -> Iterator[LetterQuestion]:
    question = None
    lines = text.split("\n")
    numbered = _find_numbered(lines)
    code_lines = find_code_lines(lines)
    judging = _find_judging(lines)
    for number, (line, is_code) in enumerate(zip(lines, code_lines, strict=True), start=1):
        prompt = None if is_code else _parse_prompt(line, plain=number in numbered)
        if prompt is not None:
            if question:
                yield question.end(notes)
            question = _begin_question(number, line, prompt)
            question.judges = number in judging
        elif question is None or (not is_code and question.ends_before(line)):
            if question:
                yield question.end(notes)
            question = None
            if line.strip():
                notes.append(Note("belongs_to_no_item", number, line.strip()[:LONGEST_QUOTE]))
        elif is_code:
            question.current.append(line.rstrip())
        else:
            notes += question.read_line(number, line)
        if question and line.strip():
            question.end_line = number
    if question:
        yield question.end(notes)


def _find_judging(lines: list[str]) -> frozenset[int]:
    """Return the lines below headings that say that statements are true or false."""
    judging: list[int] = []
    judges = False
    for number, line in enumerate(lines, start=1):
        if line[:1] == "#" and (asks_for_truth(line) or _parse_prompt(line, plain=True) is None):
            judges = asks_for_truth(line)
        judging += [number] if judges else []
    return frozenset(judging)


def _begin_question(number: int, line: str, prompt: str) -> LetterQuestion:
    """Return the question that a line with a label begins."""
    marks = len(line) - len(line.lstrip("#"))
    counted = LABEL.match(line.lstrip("# \t"))
    labelled = bool(counted and (marks or counted["word"] or counted["counted"]))
    return LetterQuestion(number, number, [prompt], level=marks or _NO_HEADING, labelled=labelled)


def _find_numbered(lines: list[str]) -> frozenset[int]:
    """Return the lines at which a number without more may begin a question.

    Where labels begin most questions, only one with options below does: others count a list.
    More keys than a file may hold questions: LimitExceeded, before anything dear is done.
    """
    labels = sum(_parse_prompt(line, plain=False) is not None for line in lines)
    answers = [number for number, line in enumerate(lines, start=1) if _ANSWER.match(line)]
    for count, number in enumerate(answers, start=1):
        check_item_count(count, number)
    if labels <= 1 or 2 * labels <= len(answers):
        every = frozenset(range(1, len(lines) + 1))
        return every - _find_entries(lines) if labels else every
    numbered: list[int] = []
    has_options = False
    for number, line in reversed([*enumerate(lines, start=1)]):
        if _parse_prompt(line, plain=True) is not None:
            numbered += [number] if has_options else []
            has_options = False
        has_options = has_options or _OPTION.match(line) is not None
    return frozenset(numbered)


def _find_entries(lines: list[str]) -> set[int]:
    """Return the lines whose number is right below or above that of another, and do not ask."""
    numbered = {
        number
        for number, line in enumerate(lines, start=1)
        if _QUESTION.match(line) and not line.rstrip().endswith(("?", "？"))
    }
    return {number for number in numbered if {number - 1, number + 1} & numbered}


def _parse_prompt(line: str, *, plain: bool) -> str | None:
    """Return the words after the label that begins a question; None for any other line.

    `plain`: a number alone is a label, too.
    """
    if not line.strip() or _ANSWER.match(line):
        return None
    heading = _HEADING.match(line)
    text = strip_label(heading["text"] if heading else line, heading=heading is not None)
    if text is None and (heading or plain) and (question := _QUESTION.match(line)):
        text = question["text"]
        text = text.removesuffix("**") if text.count("**") % 2 else text
    if text is None:
        return None
    return text[2:-2] if text.startswith("**") and text.endswith("**") else text


def _split_options(line: str) -> Iterator[str]:
    """Yield options that share a line, as long as their letters follow each other."""
    first = _OPTION.match(line)
    letter = chr(ord(first["letter"]) + 1) if first else ""
    start = 0
    for match in _INLINE.finditer(line):
        if match[1] == letter:
            yield line[start : match.start()]
            start, letter = match.end(), chr(ord(letter) + 1)
    yield line[start:]


def _read_texts(question: LetterQuestion) -> list[str]:
    """Return the texts of options, without ticks and the like where these say what the key does."""
    texts = ["\n".join(_drop_wrappers(text)).strip() for _, _, text in question.options]
    plain = [split_verdict(text) for text in texts]
    places, is_crossed = find_right([verdict for _, verdict in plain])
    right = {at for at, (_, letter, _) in enumerate(question.options) if letter in question.right}
    if not right or is_crossed or places != right:
        return texts
    return [text for text, _ in plain]


def _build_item(
    question: LetterQuestion, names: Names, language: str, *, keys_below: bool
) -> SourceItem:
    line, stem = question.line, "\n".join(question.list_stem()).strip()
    above = split_metadata(unquote_prompt(stem), is_prompt=True)
    details = split_details(above.text, labelled=question.labelled)
    prompt, points = details.prompt, details.points
    origin = Origin(line, question.end_line, name=names.assign(prompt), points=points)
    open_answer = (
        None
        if question.options
        else split_open_answer(prompt, details.left_out, judges=question.judges)
    )
    if open_answer:
        head = Head(line, names.assign(open_answer.prompt), language, "")
        parsed, settled = settle_open(head, open_answer)
        parsed = add_hints(parsed, language, above.hints)
        notes = [*details.list_notes(line), *settled]
        return build_item(replace(origin, name=head.name), parsed, notes)
    if len(question.options) <= 1:
        is_counted = question.labelled or question.level < _NO_HEADING
        is_counted = is_counted and not question.options
        head = Head(line, origin.name, language, "")
        return build_item(origin, *settle_without_options(head, prompt, labelled=is_counted))
    if keys_below and not question.answer_line:
        question.read_key_below()
    letters = [letter for _, letter, _ in question.options]
    unknown = ", ".join(sorted({*question.right} - {*letters}))
    notes = [Note("letter_unknown", question.answer_line, unknown)] if unknown else []
    if len(set(letters)) != len(letters):
        notes.append(Note("letter_twice", line, " ".join(letters)[:LONGEST_QUOTE]))
    is_damaged = bool(notes)
    below = [*question.list_below_key(), *question.options[-1][2][1:]]
    notes += [
        Note("question_below", question.answer_line or line, text.strip()[:LONGEST_QUOTE])
        for above, text in pairwise(["", *filter(str.strip, below)])
        if asks_for_words(text.strip()) and not is_title(above.strip())
    ]
    texts = _read_texts(question)
    metadata = split_metadata("\n".join(_drop_wrappers(question.explanation)).strip())
    explanation = metadata.text
    origin = replace(origin, points=points or metadata.points)
    keeps_letters = has_label_references(letters, texts, explanation, prompt=prompt)
    options = [
        Option(
            f"{letter}) {text}" if keeps_letters else text,
            right=not is_damaged and letter in question.right,
            line=place,
        )
        for (place, letter, _), text in zip(question.options, texts, strict=True)
    ]
    if keeps_letters:
        notes.append(Note("letters_kept", line, prompt[:LONGEST_QUOTE]))
    many = len(question.right) > 1 or asks_for_all(prompt)
    parsed, settled = settle_choice(
        Head(line, origin.name, language, prompt, explanation),
        SourceChoice(options, many=many, shuffle=not keeps_letters, quote=prompt),
    )
    parsed = add_hints(parsed, language, (*above.hints, *metadata.hints))
    keys = (Note("key", question.answer_line, question.key),) if question.key else ()
    notes += [*details.list_notes(line), *metadata.list_notes(line)]
    return replace(build_item(origin, parsed, [*notes, *settled]), keys=keys)
