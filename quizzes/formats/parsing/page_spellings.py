"""What generators of sites write around a page of Markdown, as plain Markdown, line by line. Pure.

The settings at the top of a page become comments, and boxes that templates fold (`{{< expand >}}`)
those of HTML.
"""

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.folded_answers import fold_answers
from quizzes.formats.parsing.labels import strip_label
from quizzes.formats.parsing.latex_lists import spell_latex_lists
from quizzes.formats.parsing.question_blocks import open_question_blocks
from quizzes.formats.parsing.question_heads import (
    comment_flags,
    comment_repeated_heads,
    open_question_heads,
    open_question_listings,
)

_SETTING = re.compile(r"[\w.-]{1,60}:(?:\s.*)?$|[ \t]+\S.*$|-[ \t]+\S.*$|#.*$|[ \t]*$")
_LONGEST_HEAD = 60
_LONGEST_SETTINGS = 12
_OPENING = re.compile(
    r"[ \t]*\{[{%][<%]?[ \t]*(?:expand|details|spoiler|collapse|toggle|hint|notice|callout)\b"
    r"(?P<title>[^{}]{0,120}?)/?[>%]?[}%]\}[ \t]*$",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"[ \t]*\{[{%][<%]?[ \t]*(?:/[ \t]*|end)"
    r"(?:expand|details|spoiler|collapse|toggle|hint|notice|callout)[ \t]*[>%]?[}%]\}[ \t]*$",
    re.IGNORECASE,
)
_QUIZ_TAG = re.compile(r"[ \t]*\{\{[<%][ \t]*/?[ \t]*quiz[\w-]*\b[^{}]{0,120}[>%]\}\}[ \t]*")
"""Where a template begins or ends a quiz."""
_STYLE_TAG = re.compile(r"[ \t]*\{%[ \t]*(?:hint[ \t]+style=\"\w+\"|endhint)[ \t]*%\}[ \t]*")
"""How a box is styled: "{% hint style="info" %}"."""
CLASSES = re.compile(r"[ \t]*\{:[ \t]*[.#][\w .#=\"-]{1,100}\}[ \t]*")
"""How the text above is styled: "{: .option}"."""
_ITEM_SETTING = re.compile(r"::[a-z][\w-]{0,30}=[^\s=]{1,60}[ \t]*")
"""A setting of a question that only a program reads: "::time=30"."""
_QUIZ_SETTING = re.compile(r"[a-z]+(?:_[a-z]+|[A-Z][a-z]+)+:[ \t]*[\w#.'\"-]{1,40}[ \t]*")
_COMMENT_AT_END = re.compile(
    r"(?<=\S)[ \t]{1,40}<!--(?:(?!-->|answer|correct|right|key).){0,200}-->[ \t]*$", re.IGNORECASE
)
"""A comment behind the words of a heading, that is no key."""
_UNDERLINE = re.compile(r"={3,}[ \t]*")
_QUOTED = re.compile(r"\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'")
_QUESTION_LABEL = re.compile(
    r"[ \t]*(?:[-*+][ \t]+(?=\*\*))?(?P<bold>\*\*)?"
    r"(?:Question|Pregunta|Pergunta|Frage|Prompt|Enunciado)(?:\*\*)?[ ]?[:：]"
    r"(?P<close>\*\*)?[ \t]+(?=\S)",
    re.IGNORECASE,
)
_TITLE = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?[*_]{0,3}(?:(?:answer|possible)[ ])?"
    r"(?:options|choices|opciones|alternativas|optionen)"
    r"[*_]{0,3}[ ]?[:：][*_]{0,3}[ \t]*$",
    re.IGNORECASE,
)
PART = re.compile(
    r"(?P<marks>[ ]{0,3}#{1,6}[ ]+)?(?P<bold>\*\*|__)?"
    r"(?:(?P<question>(?:(?:practice|sample|quiz|test)[ ])?question|pregunta|pergunta|frage)"
    r"|(?:(?:answer|possible|multiple)[ ])?(?:options|choices|opciones|alternativas|optionen))"
    r"[ ]?[:：]?(?P<close>\*\*|__)?[ ]?[:：]?[ \t]*$",
    re.IGNORECASE,
)
"""The title of a part of a question: a heading or bold line that is "Question" or "Options"."""
COUNTED = re.compile(
    r"(?P<marks>#{1,6})[ ]+(?P<word>[^\W\d_]{3,20}[ ]|[A-Z])(?P<number>\d{1,4})[.:)]?[ \t]*$"
)
"""A heading that is a word and a number, and nothing else."""
_KIND = re.compile(r"[*_]{0,3}(?:type|tipo|typ|art)[ ]?:[*_]{0,3}[ \t]+\S", re.IGNORECASE)
"""What a page says of the kind of a question, above its prompt: "**Type:** one answer"."""
_ASKED = re.compile(r"#{1,6}[ ]+Q\d")
_FIRST_LETTER = re.compile(
    r"[ \t]{0,12}(?:[-*+][ \t]+)?[*_]{0,2}(?:\[[ xX]?\][ ])?\(?[Aa][.)][ \t]"
)
PROMPT_PART = re.compile(
    r"(?P<marks>#{1,6})[ ]+(?:prompt|stem|enunciado)[ ]?:?[ \t]*$", re.IGNORECASE
)
"""A heading above the prompt of a question, whose other parts have headings of the same level."""
_PASSAGE_PART = re.compile(
    r"#{1,6}[ ]+(?:(?:reading[ ])?(?:passage|context|scenario|background|stimulus|text)"
    r"|contexto?|escenario|cenário|lectura|leitura|kontext|szenario|contexte|scénario)"
    r"[ ]?:?[ \t]*$",
    re.IGNORECASE,
)
"""A heading above what a question is about, within it."""
CODE_PART = re.compile(r"#{1,6}[ ]+(?:code|código|snippet)[ ]?:?[ \t]*$", re.IGNORECASE)
_NUMBERED_LABEL = re.compile(
    r"(?P<number>[ \t]{0,3}\d{1,4}[.)][ \t]+)(?P<bold>\*\*|__)(?:Question|Pregunta|Q)"
    r"(?:[:：](?P=bold)|(?P=bold)[:：])[ \t]+(?=\S)",
    re.IGNORECASE,
)
"""A number, and again the word that it counts: "1. **Question:** Which"."""
_CARD = re.compile(r"[ \t]*(?:\*\*)?Q:(?:\*\*)?[ \t]+(?=\S)")
_AFTER_TITLE = re.compile(r"(</summary>)(?:<br ?/?>|<(?:b|p)>)+[ \t]*$", re.IGNORECASE)
_BEFORE_END = re.compile(r"^[ \t]*(?:</(?:b|p)>[ \t]*)+(?=</details>)", re.IGNORECASE)
_HEADING = re.compile(
    r"[ ]{0,3}<h(?P<level>[1-6])\b[^<>]*>(?P<text>[^<>]+)</h(?P=level)>[ \t]*", re.IGNORECASE
)
_INDENTED = re.compile(r"[ \t]+#{2,6}[ ]+(?:Q|Question[ ])\d{1,4}\b", re.IGNORECASE)
"""A heading that counts questions, in a page that is indented as a whole."""
_EXAMPLE = re.compile(r"\(@[\w-]{0,30}\)[ \t]+(?=\S)")


_EMPTY_KEY = re.compile(
    r"[ \t]{0,3}[*_]{0,3}(?:(?:correct[ ])?answer|ans|key|respuesta(?:[ ]correcta)?|antwort|réponse"
    r"|resposta|risposta)[*_]{0,3}[ ]?[:：.-]?[*_]{0,3}[ \t_]*",
    re.IGNORECASE,
)
_KEY_WORD = re.compile(
    r"[ \t>]{0,12}(?:[-*+][ \t]+)?[*_]{0,3}(?:(?:correct[ ])?answer|ans|key|respuesta|antwort"
    r"|réponse|resposta|risposta)",
    re.IGNORECASE,
)
NUMBER_ALONE = re.compile(r"\d{1,3}[ ](?=[¿¡\"“]?[^\W\d_])")
"""A number that counts questions, without a sign: "4 Which"."""
_HALF_PICTURE = re.compile(r"(?<=\d)\ufe0f(?!\u20e3)")
"""What is left of a number in a picture: the sign that asks for one."""
TIGHT_NUMBER = re.compile(r"(\d{1,3})[.)](?=[^\W\d_]{2}|[¿¡])")
"""A number that counts questions, without a blank: "4.Which"."""
_NEAR = 6
_MOST = 5
"""Of so many lists, one may have no number."""
_NUMBER = re.compile(r"[*_]{0,2}\d{1,4}[.):]?[*_]{0,2}[ \t]")
_BUTTON = re.compile(
    r"[ \t>]{0,12}(?:[-*+][ \t]+)?[*_`\[(👉▶►🔽]{0,4}[ ]?"
    r"(?:click[ ](?:here[ ])?to[ ]|tap[ ]to[ ])?(?:"
    r"(?:view|show|see|reveal|check|hide|toggle|ver|mostrar|revelar|voir|afficher|zeige)[ ]"
    r"(?:(?:the|la|las|a|as|le|les|die)[ ])?(?:correct[ ])?"
    r"(?:answers?|solutions?|explanations?|respuestas?(?:[ ]correctas?)?|soluci[oó]n(?:es)?"
    r"|respostas?|réponses?|antwort(?:en)?|lösung(?:en)?)(?:[ ](?:and|&|y|e|et|und)[ ]\w+)?"
    r"|(?:antwort(?:en)?|lösung(?:en)?)[ ](?:an)?zeigen|reveal|view[ ]in[ ]workspace"
    r"|discuss(?:ion)?(?:[ ]in[ ]forum)?)"
    r"[ ]?[*_`\])▼▾⬇→>]{0,4}(?:\([^()]{0,80}\))?[ \t]*",
    re.IGNORECASE,
)
"""What a page shows as a button, below which the key is folded: "View Answer"."""


def spell_page(text: str) -> str:
    """Return a page with as many lines, without what only the generator of a site reads."""
    lines = _HALF_PICTURE.sub("", text).split("\n")
    open_question_listings(lines)
    open_question_heads(lines, find_code_lines(lines))
    lines = _comment_head(lines)
    code_lines = find_code_lines(lines)
    _comment_settings(lines, code_lines)
    comment_repeated_heads(lines, code_lines)
    comment_flags(lines, code_lines)
    fold_answers(lines, code_lines)
    spell_latex_lists(lines, code_lines)
    _mark_headings(lines, code_lines)
    open_question_blocks(lines, code_lines)
    _spell_passages(lines, code_lines)
    _spell_headed_parts(lines, code_lines)
    _spell_counted(lines, code_lines)
    _spell_parts(lines, code_lines)
    _comment_empty_keys(lines, code_lines)
    _dot_numbers(lines, code_lines)
    return "\n".join(
        line if is_code else _spell_line(line)
        for line, is_code in zip(lines, code_lines, strict=True)
    )


def _comment_empty_keys(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Make comments of titles of keys without a key: below them another question begins."""
    options = 0  # lines with options below, up to the next title of a key
    is_last = True  # nothing is below
    below = ""
    for place in range(len(lines) - 1, -1, -1):
        line = lines[place]
        is_last = is_last and not code_lines[place]
        if code_lines[place] or not line.strip():
            continue
        if _EMPTY_KEY.fullmatch(line):
            begins = options and (
                _begins_words(below) or below.rstrip(" *_`").endswith(("?", "？", ":"))
            )
            if is_last or begins:
                lines[place] = f"<!-- {line.strip()} -->"
            options = 0
        elif _KEY_WORD.match(line):
            options = 0
        elif _FIRST_LETTER.match(line):
            options += 1
        is_last, below = False, line


def _mark_headings(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Write a line above a row of "=" as a heading: the first of a page is its title."""
    is_title = True  # nothing stands above the line
    above = ""
    for place, line in enumerate(lines):
        is_underline = line[:3] == "===" and _UNDERLINE.fullmatch(line) and not code_lines[place]
        if is_underline and above and above[0] not in "#|>-*":
            lines[place - 1], lines[place] = f"{'#' if is_title else '##'} {above}", ""
        is_title = is_title and not above
        above = "" if is_underline else line.strip()


def _dot_numbers(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Write "4 Which" as "4. Which" where a number alone begins the line above each list.

    Also "4.Which", where such numbers count from 1.
    """
    firsts = [
        _find_prompt(lines, place)
        for place, (line, is_code) in enumerate(zip(lines, code_lines, strict=True))
        if not is_code and _FIRST_LETTER.match(line)
    ]
    tight = [
        (place, int(match[1]))
        for place, (line, is_code) in enumerate(zip(lines, code_lines, strict=True))
        if not is_code and (match := TIGHT_NUMBER.match(line))
    ]
    if len(tight) > 1 and [number for _, number in tight] == [*range(1, len(tight) + 1)]:
        for place, _ in tight:
            lines[place] = TIGHT_NUMBER.sub(r"\1. ", lines[place], count=1)
    numbered = [place for place in firsts if NUMBER_ALONE.match(lines[place])]
    if len(numbered) > 1 and _MOST * len(numbered) >= (_MOST - 1) * len(firsts):
        for place in {*numbered}:
            lines[place] = lines[place].replace(" ", ". ", 1)


def _find_prompt(lines: Sequence[str], place: int) -> int:
    """Return where the words right above an option begin, below a blank line or an empty key."""
    above = range(place - 1, max(place - _NEAR, -1), -1)
    words = takewhile(lambda at: lines[at].strip() and not lines[at].startswith("<!--"), above)
    return min(
        words, default=max(place - 2, 0) if place and not lines[place - 1].strip() else place
    )


def _begins_words(line: str) -> bool:
    """Return whether a line begins with a number, or is a label that counts questions."""
    heading = line.lstrip("# \t")
    is_heading = line.startswith("#")
    return (
        _NUMBER.match(heading) is not None or strip_label(heading, heading=is_heading) is not None
    )


def _comment_head(lines: list[str]) -> list[str]:
    """Return lines in which the settings between two rules at the top are comments."""
    if lines[0].rstrip() != "---":
        return lines
    head = range(1, min(_LONGEST_HEAD, len(lines)))
    end = next((at for at in head if lines[at].rstrip() in {"---", "..."}), 0)
    if not _are_settings(lines[1:end]):
        return lines
    comments = [f"<!-- {line.strip()} -->" if line.strip() else "" for line in lines[1:end]]
    return [lines[0], *comments, "---", *lines[end + 1 :]]


def _comment_settings(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Make comments of the settings of a quiz between two rules: "shuffle_answers: false"."""
    for place, line in enumerate(lines):
        if not _QUIZ_SETTING.fullmatch(line) or code_lines[place] or not place:
            continue
        near = lines[place - 1 : place + _LONGEST_SETTINGS]
        rules = [at for at, each in enumerate(near) if each.strip() == "---"]
        if rules[:1] == [0] and len(rules) > 1:
            within = range(place, place - 1 + rules[1])
            settings = [at for at in within if lines[at].strip()]
            if all(_QUIZ_SETTING.fullmatch(lines[at]) for at in settings):
                lines[place - 1] = lines[within.stop] = ""
                for at in settings:
                    lines[at] = f"<!-- {lines[at].strip()} -->"


def _are_settings(lines: Sequence[str]) -> bool:
    has_name = bool(lines) and re.match(r"[\w.-]+:", lines[0]) is not None
    return has_name and all(_SETTING.match(line) and "-->" not in line for line in lines)


def _find_headings(lines: Sequence[str], code_lines: Sequence[bool]) -> list[tuple[int, str]]:
    """Return the places and lines of headings."""
    pairs = enumerate(zip(lines, code_lines, strict=True))
    return [(place, line) for place, (line, is_code) in pairs if line[:1] == "#" and not is_code]


def _spell_counted(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Call headings "Question 4" that count questions by another word: each has one list below."""
    headings = _find_headings(lines, code_lines)
    ends = [*(place for place, _ in headings), len(lines)][1:]
    sections: dict[str, list[tuple[int, int, re.Match[str]]]] = {}
    for (place, line), end in zip(headings, ends, strict=True):
        if (match := COUNTED.match(line)) and strip_label(
            line[match.start("word") :], heading=True
        ) is None:
            sections.setdefault(match["word"].strip().lower(), []).append((place, end, match))
    if any(_ASKED.match(line) for _, line in headings):
        sections.pop("a", None)  # "A3" is above the answer to "Q3"
    for spans in sections.values():
        numbers = [int(match["number"]) for _, _, match in spans]
        lists = [sum(map(bool, map(_FIRST_LETTER.match, lines[p:end]))) for p, end, _ in spans]
        if len(spans) > 1 and numbers == sorted({*numbers}) and {*lists} == {1}:
            for place, _, match in spans:
                lines[place] = f"{match['marks']} Question {match['number']}"


def _spell_passages(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Write the title of a passage, between a heading that counts questions and that of a prompt.

    It becomes bold words: what a question is about is a part of it.
    """
    headings = _find_headings(lines, code_lines)
    for (_, above), (place, line), (_, below) in zip(
        headings, headings[1:], headings[2:], strict=False
    ):
        if _PASSAGE_PART.match(line) and PROMPT_PART.match(below) and _is_below_count(line, above):
            lines[place] = f"**{line.strip('# :')}:**"


def _spell_headed_parts(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Count the questions whose parts all have a heading of one level: "# Prompt", "# Options".

    The titles of options and of listings are taken off, others become bold words.
    """
    headings = _find_headings(lines, code_lines)
    prompts = [
        match
        for (_, above), (_, line) in pairwise([(0, ""), *headings])
        if (match := PROMPT_PART.match(line)) and not _is_below_count(line, above)
    ]
    marks = prompts[0]["marks"] if prompts else ""
    parts = [(place, line) for place, line in headings if line.partition(" ")[0] == marks]
    if not any((part := PART.match(line)) and not part["question"] for _, line in parts):
        return
    count = 0
    for place, line in parts:
        part = PART.match(line)
        if PROMPT_PART.match(line):
            count += 1
            lines[place] = f"#### Question {count}"
        elif CODE_PART.match(line) or (part and not part["question"]):
            lines[place] = ""
        elif count:
            lines[place] = f"**{line.strip('# *:')}:**"


def _spell_parts(lines: list[str], code_lines: Sequence[bool]) -> None:
    """Count the questions whose title is that word alone, and take off the titles of options.

    Also that of the prompt below a heading that counts questions.
    """
    above, count, heading = "", 0, ""
    for place, (line, is_code) in enumerate(zip(lines, code_lines, strict=True)):
        part = None if is_code else PART.match(line)
        if line[:1] == "#" and not is_code:
            if PROMPT_PART.match(line) and _is_below_count(line, heading):
                lines[place] = ""
                continue
            heading = line
        if not is_code and _CARD.match(line) and _begins_question(lines, place):
            lines[place] = line.replace("Q:", "Question:", 1)
        if part is None or not (part["marks"] or (part["bold"] and part["close"])):
            above = line if line.strip() and not _KIND.match(line) else above
        elif part["question"] and not _counts_question(above):
            count += 1
            lines[place] = f"{part['marks'] or '#### '}Question {count}"
            above = line
        elif part["question"] or not above.startswith("#") or _counts_question(above):
            lines[place] = ""


def _is_below_count(line: str, heading: str) -> bool:
    """Return whether a heading is below one that counts questions: "Question 4 (easy)"."""
    is_deeper = len(line) - len(line.lstrip("#")) > len(heading) - len(heading.lstrip("#")) > 0
    return is_deeper and strip_label(heading.lstrip("# \t"), heading=True) is not None


def _begins_question(lines: Sequence[str], place: int) -> bool:
    """Return whether a line stands alone above options: no answer of a card is below."""
    below = next((line.strip() for line in lines[place + 1 : place + 4] if line.strip()), "")
    above = lines[place - 1] if place else ""
    return (not above.strip() or above.startswith("#")) and not below.startswith(("A:", "**A:"))


def _counts_question(line: str) -> bool:
    """Return whether a line is a label of a question, such as a heading "Question 4"."""
    return strip_label(line.lstrip("# \t"), heading=line.startswith("#")) == ""


def _spell_line(line: str) -> str:
    if not line:
        return line
    if line[0] == "#" and line.rstrip().endswith("-->"):
        line = _COMMENT_AT_END.sub("", line)
    if line.lstrip()[:1] == "<":
        line = _AFTER_TITLE.sub(r"\1", _BEFORE_END.sub("", line, count=1), count=1)
        if heading := _HEADING.fullmatch(line):
            return f"{'#' * int(heading['level'])} {heading['text'].strip()}"
    elif line.lstrip()[:3] == "#. ":
        line = line.replace("#.", "1.", 1)
    elif line.startswith("    ") and _INDENTED.match(line):
        line = line.lstrip()
    if "{" in line and (spelled := _spell_tag(line)):
        return spelled
    if _BUTTON.fullmatch(line) or _ITEM_SETTING.fullmatch(line):
        return f"<!-- {line.strip()} -->"
    if _TITLE.match(line) or CLASSES.fullmatch(line):
        return ""
    return _spell_label(line)


def _spell_label(line: str) -> str:
    """Return a line without the word "Question" before its words."""
    line = _NUMBERED_LABEL.sub(r"\g<number>", line, count=1)
    if label := _QUESTION_LABEL.match(line):
        is_open = label["bold"] and not label["close"] and line.rstrip().endswith("**")
        return ("**" if is_open else "") + line[label.end() :]
    return _EXAMPLE.sub("", line, count=1)


def _spell_tag(line: str) -> str:
    """Return what a tag of a template is in HTML, or as a comment; "" where a line is none."""
    if _QUIZ_TAG.fullmatch(line) or _STYLE_TAG.fullmatch(line):
        return f"<!-- {line.strip()} -->"
    if opening := _OPENING.match(line):
        quoted = _QUOTED.search(opening["title"])
        title = (quoted["double"] or quoted["single"] or "") if quoted else opening["title"]
        return f"<details><summary>{title.strip(' :,')}</summary>"
    return "</details>" if _CLOSING.match(line) else ""
