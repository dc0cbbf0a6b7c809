"""The keys of a page that stand together at its end, by the numbers of its questions. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise, takewhile

from quizzes.formats.parsing.code_fences import find_code_lines
from quizzes.formats.parsing.key_lines import KEY_WORDS

_TITLE = re.compile(
    r"[^\w\n]{0,12}(?:(?:quiz|test|exercise|practice|review|exam)\s(?=answer|solution|key))?(?:(?:click\s(?:here\s)?to\s|tap\sto\s)?(?:see|show|view|reveal|expand|check|ver)\s"
    r"(?:all\s|las\s|los\s)?)?(?:(?:the\s)?(?:correct\s)?answers?(?:\s(?:key|sheet)s?)?|solutions?|key"
    r"|(?:(?:clave|plantilla|hoja|tabla) de )?(?:respuestas?(?:\scorrectas?)?|soluciones)"
    r"|soluci[oó]n|solucionario|explanations?(?![\s*_]*[:：][\s*_]*\w)|corrections?|corrigés?|réponses?(?:\scorrectes?)?"
    r"|respostas|gabarito|risposte(?:\s(?:corrette|esatte))?|soluzioni|oplossingen|lösungen|antwort(?:en|schlüssel)|facit|(?:kunci\s)?jawaban|(?:rätt\s)?svar"
    r"|ответы|відповіді|odpowiedzi|antwoorden|cevaplar|đáp\sán|(?:参考|參考|正确|正確)?答案(?:[与和及]解析)?"
    r"|正解|解答|答え|정답(?:[은표]|\s및\s해설)?)"
    r"(?:\s(?:and|with|for|of|to|&|y|con|a|e|et|de|aux|des|und|zu|auf|alle|dei|delle|às|das)\s"
    r"\w+(?:\s\w+){0,2}){0,2}"
    r"[\s*_:]*+(?:</?\w+>)*[ \t]*"
    r"(?P<rest>(?![\W_]*(?:[A-Ja-j]|\d{1,2})[\W_]*$)(?:[^\w<].*|\d.*))?$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"[ \t]*(?:<details>[ \t]*)?<summary>(?:<\w+>)*(?P<title>[^<]*)", re.IGNORECASE
)
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*")
_KEY_COLUMN = re.compile(
    r"(?:(?:the[ ])?(?:correct|right)[ ])?(?:answers?|options?|choices?|letters?)|ans\.?|keys?"
    r"|answer[ ]key|solutions?|correct[aoe]?s?"
    r"|(?:respuesta|opción|alternativa|letra)s?(?:[ ]correctas?)?"
    r"|soluci[oó]n|clave|resp\.?|(?:richtige[ ])?antwort(?:en)?|lösung"
    r"|(?:bonne[ ])?réponse(?:[ ]correcte)?|resposta(?:[ ]corret[ao])?|gabarito"
    r"|risposta(?:[ ]corretta)?",
    re.IGNORECASE,
)
"""How a column of keys is headed."""
_PAIR = re.compile(
    r"[^\w\n]*(?:(?:Question|Pregunta|Q|P)[ \t.#]{0,2})?(?P<number>\d{1,4})"
    r"[\s*_.():|=→–-]{1,8}(?P<key>\S.*)$",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"[,;]?\s+(?=\d{1,4}[ \t]*[.():=–-])|[,;](?=\s*\d{1,4}[ \t]*[.():=–-])")
_LETTER = re.compile(r"[\W_]*[A-Ja-j]{1,5}(?![\w'])")
_NUMBER = re.compile(
    r"[\W_]*(?:(?:Question|Pregunta|Q|P)[ \t.#]{0,2})?(?P<number>\d{1,4})[\W_]*$", re.IGNORECASE
)
_OPTION = re.compile(
    r"[ \t]{0,12}(?:[-*+][ \t]+)?(?:\[[ xX]\]|\([ xX]\)|(?:\*\*)?\(?[Aa][.):](?:\*\*)?)[ \t]+\S"
)
_STARTING = re.compile(r"[\W_]*([A-Za-z])(?!\w)")
_KEY = re.compile(
    rf"[\W_]*(?:options?|{KEY_WORDS})[ \t*_]*[:：.=–-][\s*_`]*(?P<key>\w.*)$", re.IGNORECASE
)
_LABEL = re.compile(
    r"(?P<head>(?:#{1,6}[ \t]+|\*\*|__)?[*_]{0,2}(?:[\u2600-\u27bf\u2b00-\u2bff"
    r"\U0001f000-\U0001faff]\ufe0f?[ ]?){0,3}"
    r"(?:(?:Question|Pregunta|Frage|Pergunta|Domanda|Exercise|Ejercicio|Q|P)[ \t.#]{0,2})?)"
    r"(?P<number>\d{1,4})(?:[ \t]?[.):][*_]{0,2}|[*_]{1,2}|$|(?=[ \t]*[(–—-]))"
    r"(?:[ \t]*\([^()]*\))?[*_: \t.)–—-]{0,6}(?P<key>.*)$",
    re.IGNORECASE,
)
_WORD = re.compile(rf"[\W_]*(?:{KEY_WORDS})[\s*_]*[:：.=–-][\s*_]*(?=\w)", re.IGNORECASE)
_RUN = re.compile(r"(?:\d{1,3}[ ]?[A-Ja-j](?:[\s,;.]+|$)){2,}")
_BEFORE_WORDS = re.compile(r"([A-J])(?=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3])")
"""A letter that a word of another script follows without a blank."""
_JOINED = re.compile(r"(\d{1,3})[ ]?([A-Ja-j])")
"""Keys such as "1a 2c"."""
_LAST_HEADING = re.compile(
    r"#{1,6}[^\w\n]{1,6}(?:further reading|references?|resources|links|see also|credits|licen[sc]e"
    r"|sources|scoring|next steps|bibliograf[ií]a|referencias|recursos|enlaces|licencia)[\W_]*$",
    re.IGNORECASE,
)
"""A heading below which a page asks nothing more."""
_SCALE = re.compile(
    r"[*_]{1,3}(?:\w{1,20}[ ])?(?:scoring|scores?|puntajes?|puntuaci[oó]n|calificaci[oó]n"
    r"|pontuação|barème|punteggio|bewertung|punkte)(?:[ ]\w{1,20})?[*_:]{1,4}",
    re.IGNORECASE,
)
"""The title of a list that says what a score means."""
_LINE = re.compile(r"-{3,}|\*{3,}|_{3,}")
_FEWEST = 2
_LONGEST_KEY = 40
"""Of a key that others follow on its line, whose numbers may skip some: else they are of words."""
_MOST_READ = 8
"""How often a page may be read below titles that could be that of its keys, at most."""
_QUESTION = re.compile(r"(?<=\W)(?:Question|Pregunta)[ \t.#]{1,2}(?=\d)|^Question[ \t](?=\d)")
_RULE = re.compile(
    r"[\s|:*_-]*$|<a\b[^<>]*></a>|</?details[^<>]*>|<summary>[^<]*(?:</?\w+>[^<]*){0,4}</summary>|\|?\s*(?:#|No\.?|Question|Pregunta)\s*\|.*$",
    re.IGNORECASE,
)


def find_end_keys(lines: Sequence[str]) -> tuple[range, Mapping[int, str]]:
    """Return the lines of the keys at the end of a page, and the key of each number.

    There are none where the last title that could be theirs has other words below it.
    """
    budget = _MOST_READ * (len(lines) + 1)
    sections, section_keys = range(0), dict[int, str]()
    code_lines = find_code_lines(lines)
    for place in range(len(lines) - 1, -1, -1):
        opening = _OPENING.match(lines[place])
        title = _TITLE.match(opening["title"] if opening else lines[place])
        if title is None:
            continue
        end = min(sections.start or len(lines), len(lines))
        below = _CountedLines(lines, place + 1, end)
        keys = _read_keys(chain([title["rest"] or ""], below))
        if keys is None and (heading := _find_last_part(lines, below, end)):
            keys = _read_keys(chain([title["rest"] or ""], lines[place + 1 : heading]))
            keys = keys if keys and _are_letters_from_one(keys) else None
        if keys is not None and len(keys) > 1:
            reasons = {number: words for number, words in section_keys.items() if number in keys}
            return range(place, len(lines)), {**keys, **_add_reasons(keys, reasons)}
        if not sections:
            solutions = _CountedLines(lines, place + 1, len(lines))
            least = 1 if lines[place].startswith(("#", "**")) else _FEWEST
            section_keys = _read_sections(solutions, code_lines, least)
            sections = range(place, len(lines)) if section_keys else sections
            budget -= solutions.count
        budget -= below.count
        if budget < 0:
            break
    return sections, section_keys


def _find_last_part(lines: Sequence[str], below: "_CountedLines", end: int) -> int:
    """Return the heading at which lines were read no further, if no options are below it; or 0."""
    read = range(below.start, min(below.start + below.count, end))
    heading = next((at for at in read if lines[at].startswith("#")), 0)
    if not heading or heading == below.start:
        return 0
    return 0 if any(map(_OPTION.match, lines[heading:end])) else heading


def _are_letters_from_one(keys: Mapping[int, str]) -> bool:
    """Return whether keys are letters, and their numbers count from 1."""
    return [*keys] == [*range(1, len(keys) + 1)] and all(map(_LETTER.match, keys.values()))


class _CountedLines:
    """Lines of a page, and how many of them were read."""

    def __init__(self, lines: Sequence[str], start: int, end: int) -> None:
        self._lines, self.start, self._end = lines, start, end
        self.count = 0

    def __iter__(self) -> Iterator[str]:
        for place in range(self.start, self._end):
            self.count += 1
            yield self._lines[place]


def _read_sections(lines: _CountedLines, code_lines: Sequence[bool], least: int) -> dict[int, str]:
    """Return the keys of a page of solutions: below each number the key, then its reasons.

    There are none where the first line below most numbers is no key, or below the first, or fewer
    than `least`.
    """
    sections: dict[int, list[str]] = {}
    number = 0
    words: list[str] = []
    is_over = False  # below a rule
    keyless: set[int] = set()
    for place, text in enumerate(lines, start=lines.start):
        line = text.strip()
        label = None if code_lines[place] else _LABEL.match(line)
        has_key = label is not None and _KEY.match(label["key"]) is not None
        if label and not (label["head"] or has_key):
            label = None  # an entry of a list
        if label and number and not words:
            return {}
        if label:
            number, words = int(label["number"]), []
        is_over = label is None and (is_over or _LINE.fullmatch(line) is not None)
        is_heading = label is None and line.startswith("#") and not code_lines[place]
        is_left_out = is_heading or (is_over and bool(words))
        if (label and not has_key) or is_left_out or _RULE.fullmatch(line):
            continue
        line = label["key"] if label else line
        key = _KEY.match(line) if number and not words else None
        if not number or (not words and key is None and not sections):
            return {}
        if not words and key is None:
            keyless.add(number)
        words.append(key["key"] if key else line)
        sections[number] = words
    keyed = {number: words for number, words in sections.items() if number not in keyless}
    has_most = len(keyed) >= max(least, len(keyless)) and bool(words)
    return _join_reasons(keyed) if has_most else {}


def _join_reasons(sections: Mapping[int, Sequence[str]]) -> dict[int, str]:
    """Return the keys, each with what stands below it as a line."""
    return {
        number: "\n".join([words[0], " ".join(words[1:])]).rstrip()
        for number, words in sections.items()
    }


def _add_reasons(keys: Mapping[int, str], sections: Mapping[int, str]) -> dict[int, str]:
    """Return keys with the reasons that a page of solutions has for the same keys."""
    joined: dict[int, str] = {}
    for number, section in sections.items():
        key, _, reason = section.partition("\n")
        letters = [_STARTING.match(words) for words in (keys[number], key)]
        if all(letters) and len({match[1].lower() for match in letters if match}) == 1:
            joined[number] = f"{keys[number]}\n{reason}".rstrip()
    return joined


def _read_keys(lines: Iterable[str]) -> Mapping[int, str] | None:
    """Return the key of each number, with the reasons as a line; None where lines are other words.

    Reasons may stand only below keys that are letters, which count from 1.
    """
    keys: dict[int, list[str]] = {}
    numbers: list[int] = []  # of a table with a column a question
    has_reasons = False
    number = 0  # of the line above, which has no key
    own_lines = takewhile(lambda line: not _LAST_HEADING.match(line), lines)
    for line in _open_tables(_skip_scales(own_lines)):
        if _RULE.fullmatch(line.strip()):
            continue
        stripped = _QUESTION.sub("", line.strip().rstrip("| \t"))
        if match := _NUMBER.match(stripped):
            number = int(match["number"])
            continue
        if number:
            stripped, number = f"{number}. {_WORD.sub('', stripped)}", 0
        cells = [cell.strip() for cell in stripped.strip("|").split("|")]
        if len(cells) > 1 and all(map(str.isdecimal, cells)) and _counts_on([*map(int, cells)]):
            numbers = list(map(int, cells))
        elif numbers and len(cells) == len(numbers):
            keys.update({number: [cell] for number, cell in zip(numbers, cells, strict=True)})
        elif pairs := _split_pairs(stripped, last=max(keys, default=0)):
            keys.update({number: [key] for number, key in pairs})
        elif not keys or line.startswith("#"):
            return None
        else:
            has_reasons = True
            keys[max(keys)].append(stripped)
    firsts = {number: words[0] for number, words in keys.items()}
    if has_reasons and not _are_letters_from_one(firsts):
        return None
    return _join_reasons(keys)


def _skip_scales(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines without lists of what a score means: "9-10: excellent" is no key."""
    in_scale = False
    for line in lines:
        is_title = _SCALE.fullmatch(line.strip()) is not None
        is_entry = line.lstrip()[:1] in {"", "-", "*", "+"} and line.lstrip()[1:2] in {"", " "}
        in_scale = is_title or (in_scale and is_entry)
        if not in_scale:
            yield line


def _open_tables(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines, those of tables without their heads, the key of each row behind its number.

    The head of one whose keys are in no column for sure is a heading, which ends them.
    """
    column = 0
    for line, below in pairwise(chain(lines, [""])):
        key_column = _find_key_column(line) if _TABLE_RULE.fullmatch(below) else None
        if key_column is not None:
            column = key_column
            if not column:
                yield f"#### {line}"
            continue
        column = column if "|" in line else 0
        yield _move_key(line, column) if column else line


def _find_key_column(head: str) -> int | None:
    """Return which column of a table has the keys, by its head; 0 where none does for sure.

    None where the first row counts questions, so that it is no head.
    """
    cells = [cell.strip(" *_`\t:") for cell in head.strip().strip("|").split("|")]
    if all(cell.lstrip("QqPp").isdecimal() for cell in cells[1:]):
        return None
    columns = [at for at, cell in enumerate(cells) if at and _KEY_COLUMN.fullmatch(cell)]
    if len(columns) == 1:
        return columns[0]
    return 1 if len(cells) == _FEWEST and not columns else 0


def _move_key(row: str, column: int) -> str:
    """Return a row of a table with its number first, then its key."""
    cells = [cell.strip() for cell in row.strip().strip("|").split("|")]
    if len(cells) <= column:
        return row
    return f"| {' | '.join([cells[0], cells.pop(column), *cells[1:]])} |"


def _counts_on(numbers: Sequence[int]) -> bool:
    """Return whether numbers follow each other."""
    return [*numbers] == [*range(numbers[0], numbers[0] + len(numbers))]


def _split_pairs(line: str, *, last: int) -> list[tuple[int, str]]:
    """Return the numbers of a line, each with its key; one where those do not count on."""
    if _RUN.fullmatch(line.strip("*_` ")):
        return [(int(number), key) for number, key in _JOINED.findall(line)]
    matches = [_PAIR.match(part) for part in _SPLIT.split(line)]
    pairs = [(int(match["number"]), match["key"]) for match in matches if match]
    numbers = [number for number, _ in pairs]
    longest = max((len(key) for _, key in pairs[:-1]), default=0)
    are_apart = longest <= _LONGEST_KEY or _counts_on(numbers)
    if len(pairs) == len(matches) and numbers == sorted({*numbers}) and are_apart:
        return [
            (number, _BEFORE_WORDS.sub(r"\1. ", _strip_word(key), count=1)) for number, key in pairs
        ]
    first = _PAIR.match(line)
    counts_on = first is not None and int(first["number"]) == last + 1
    return [(last + 1, first["key"])] if first and counts_on else []


def _strip_word(key: str) -> str:
    """Return a key without its word, "Correct answer: B"."""
    word = _WORD.match(key)
    return key[word.end() :] if word else key
