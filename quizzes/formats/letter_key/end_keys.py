"""The keys of a page that stand together at its end, by the numbers of its questions. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

_TITLE = re.compile(
    r"[^\w\n]{0,12}(?:(?:click\s(?:here\s)?to\s|tap\sto\s)?(?:see|show|view|reveal|expand|check|ver)\s"
    r"(?:all\s|las\s|los\s)?)?(?:(?:the\s)?(?:correct\s)?answers?(?:\s(?:key|sheet)s?)?|solutions?|key"
    r"|(?:(?:clave|plantilla|hoja|tabla) de )?(?:respuestas?(?:\scorrectas?)?|soluciones)"
    r"|soluci[oó]n|solucionario"
    r"|respostas|gabarito|lösungen)(?:\s(?:and|with|&|y|con|e)\s\w+)?"
    r"[\s*_:]*(?:</?\w+>)*[ \t]*(?P<rest>[^\w<].*|\d.*)?$",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"[ \t]*(?:<details>[ \t]*)?<summary>(?:<\w+>)*(?P<title>[^<]*)", re.IGNORECASE
)
_PAIR = re.compile(
    r"[^\w\n]*(?:(?:Question|Pregunta|Q|P)[ \t.#]{0,2})?(?P<number>\d{1,4})"
    r"[\s*_.):|=→–-]{1,8}(?P<key>\S.*)$",
    re.IGNORECASE,
)
_SPLIT = re.compile(r"[,;]?\s+(?=\d{1,4}[ \t]*[.):=–-])|[,;](?=\s*\d{1,4}[ \t]*[.):=–-])")
_LETTER = re.compile(r"[\W_]*[A-Ja-j]{1,5}(?![\w'])")
_NUMBER = re.compile(
    r"[\W_]*(?:(?:Question|Pregunta|Q|P)[ \t.#]{0,2})?(?P<number>\d{1,4})[\W_]*$", re.IGNORECASE
)
_WORD = re.compile(
    r"[\W_]*(?:(?:correct )?answers?|ans|respuestas?(?: correctas?)?|key)"
    r"[\s*_]*[:.=–-][\s*_]*(?=\w)",
    re.IGNORECASE,
)
_RUN = re.compile(r"(?:\d{1,3}[ ]?[A-Ja-j](?:[\s,;.]+|$)){2,}")
_JOINED = re.compile(r"(\d{1,3})[ ]?([A-Ja-j])")
"""Keys such as "1a 2c"."""
_MOST_TITLES = 5
_QUESTION = re.compile(r"(?<=\W)(?:Question|Pregunta)[ \t.#]{1,2}(?=\d)|^Question[ \t](?=\d)")
_RULE = re.compile(
    r"[\s|:*_-]*$|</?details[^<>]*>|<summary>[^<]*(?:</?\w+>[^<]*){0,4}</summary>|\|?\s*(?:#|No\.?|Question|Pregunta)\s*\|.*$",
    re.IGNORECASE,
)


def find_end_keys(lines: Sequence[str]) -> tuple[range, Mapping[int, str]]:
    """Return the lines of the keys at the end of a page, and the key of each number.

    There are none where the last title that could be theirs has other words below it.
    """
    tries = _MOST_TITLES
    for place in range(len(lines) - 1, -1, -1):
        opening = _OPENING.match(lines[place])
        title = _TITLE.match(opening["title"] if opening else lines[place])
        if title is None:
            continue
        if not (tries := tries - 1):
            break
        keys = _read_keys(
            chain([title["rest"] or ""], (lines[at] for at in range(place + 1, len(lines))))
        )
        if keys is not None and len(keys) > 1:
            return range(place, len(lines)), keys
    return range(0), {}


def _read_keys(lines: Iterable[str]) -> Mapping[int, str] | None:
    """Return the key of each number, with the reasons as a line; None where lines are other words.

    Reasons may stand only below keys that are letters, which count from 1.
    """
    keys: dict[int, list[str]] = {}
    numbers: list[int] = []  # of a table with a column a question
    has_reasons = False
    number = 0  # of the line above, which has no key
    for line in lines:
        if _RULE.fullmatch(line.strip()):
            continue
        stripped = _QUESTION.sub("", line.strip().rstrip("| \t"))
        if match := _NUMBER.match(stripped):
            number = int(match["number"])
            continue
        if number:
            stripped, number = f"{number}. {_WORD.sub('', stripped)}", 0
        cells = [cell.strip() for cell in stripped.strip("|").split("|")]
        if len(cells) > 1 and all(map(str.isdecimal, cells)):
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
    is_lettered = all(_LETTER.match(words[0]) for words in keys.values())
    if has_reasons and not (is_lettered and [*keys] == [*range(1, len(keys) + 1)]):
        return None
    return {
        number: "\n".join([words[0], " ".join(words[1:])]).rstrip()
        for number, words in keys.items()
    }


def _split_pairs(line: str, *, last: int) -> list[tuple[int, str]]:
    """Return the numbers of a line, each with its key; one where those do not count on."""
    if _RUN.fullmatch(line.strip("*_` ")):
        return [(int(number), key) for number, key in _JOINED.findall(line)]
    matches = [_PAIR.match(part) for part in _SPLIT.split(line)]
    pairs = [(int(match["number"]), match["key"]) for match in matches if match]
    numbers = [number for number, _ in pairs]
    if len(pairs) == len(matches) and numbers == sorted({*numbers}):
        return pairs
    first = _PAIR.match(line)
    counts_on = first is not None and int(first["number"]) == last + 1
    return [(last + 1, first["key"])] if first and counts_on else []
