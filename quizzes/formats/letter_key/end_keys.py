"""The keys of a page that stand together at its end, by the numbers of its questions. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

_TITLE = re.compile(
    r"[^\w\n]{0,12}(?:(?:the\s)?(?:correct\s)?answers?(?:\s(?:key|sheet)s?)?|solutions?|key"
    r"|(?:clave de )?respuestas?(?:\scorrectas?)?|soluci[oó]n(?:es)?|respostas|gabarito|lösungen)"
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
_RULE = re.compile(
    r"[\s|:*_-]*$|</?details>|\|?\s*(?:#|No\.?|Question|Pregunta)\s*\|.*$", re.IGNORECASE
)


def find_end_keys(lines: Sequence[str]) -> tuple[range, Mapping[int, str]]:
    """Return the lines of the keys at the end of a page, and the key of each number.

    There are none where the last title that could be theirs has other words below it.
    """
    for place in range(len(lines) - 1, -1, -1):
        opening = _OPENING.match(lines[place])
        title = _TITLE.match(opening["title"] if opening else lines[place])
        if title is None:
            continue
        keys = _read_keys(
            chain([title["rest"] or ""], (lines[at] for at in range(place + 1, len(lines))))
        )
        if keys is not None and len(keys) > 1:
            return range(place, len(lines)), keys
    return range(0), {}


def _read_keys(lines: Iterable[str]) -> Mapping[int, str] | None:
    """Return the key of each number; None where a line is something else."""
    keys: dict[int, str] = {}
    for line in lines:
        stripped = line.strip().rstrip("| \t")
        if _RULE.fullmatch(line.strip()):
            continue
        for part in _SPLIT.split(stripped):
            pair = _PAIR.match(part)
            if pair is None:
                return None
            keys[int(pair["number"])] = pair["key"]
    return keys
