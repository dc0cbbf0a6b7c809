"""The terms of a text that stay the same in another language: code, numbers, names, words. Pure.

A word becomes the beginning of its stem, without accents, doubled letters and the endings in which
European languages differ: parallelism and paralelismo are both `parale`.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain

from quizzes.formats.parsing.languages import FREQUENT

CODE, NAME, NUMBER, WORD = "code", "name", "number", "word"
Term = tuple[str, str]
"""Its sort (CODE, NAME, NUMBER, WORD), and its normalized text."""
Terms = Mapping[Term, str]
"""Term → as the text writes it."""

TERM_WEIGHTS = {CODE: 1.5, NAME: 1.3, NUMBER: 0.9, WORD: 1.0}
SHORT, LONG = 4, 6
"""Letters of a word that count: of long words both, so that similar ones count half."""

_MAX_CHARACTERS = 20_000
_TOKEN = re.compile(
    r"(?P<number>(?<![\w.,])\d+(?:[.,\u00a0\u2009\u202f]\d+)*(?![\w]))"
    r"|(?P<code>(?<!\w)(?:[^\W\d]\w*(?:[.:/]+\w+){0,20}\(\)|\w*[^\W_]_+[^\W_]\w*|[^\W\d]\w*(?:\.[^\W\d]\w*)+))"
    r"|(?P<word>[^\W_]+)"
)
_CAMEL = re.compile(r"[A-Z]?[a-z]+[A-Z]\w*")
_ACRONYM = re.compile(r"([A-Z]{2,})s?")
_SPAN = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]+`", re.DOTALL)
_PART = re.compile(r"[^\W\d]\w*(?:\.\w+)*")
_STOPPED = frozenset(word for frequent in FREQUENT.values() for word in frequent.split())
_ENDINGS = {
    ending: common
    for common, endings in {
        "tion": "ciones cion tions tion coes cao",
        "sion": "siones sion sions soes sao",
        "ty": "dades dad dade ties ty tes tats tat",
        "": "mente ly",
        "ism": "ismos ismo isms ism isme",
        "ist": "istas ista ists ist iste",
        "enc": "encias encia ences ence ency ancias ancia ances ance ancy anz",
        "ic": "icos icas ico ica ical ically ics ic ique iques isch",
        "iz": "izaciones izacion izations ization isation izar izado izada izados izadas ized izes"
        " ize izing ised ise ising iser isiert",
        "os": "osos osas oso osa ous oes eux",
        "iv": "ivos ivas ivo iva ives ive iv",
        "or": "adores ador adoras adora ators ator ores or eur euren",
        "at": "ados adas ado ada ates ate ated ating ar",
        "logi": "logias logia logies logy logie",
        "ari": "arios arias ario aria aries ary aire",
        "ment": "mentos mento ments ment",
        "bl": "bles ble veis vel bel",
    }.items()
    for ending in endings.split()
}
_LONGEST = max(map(len, _ENDINGS))
_SOUNDS = (("ph", "f"), ("th", "t"), ("ch", "c"), ("qu", "c"), ("k", "c"), ("y", "i"), ("z", "s"))
_DOUBLED = re.compile(r"(.)\1")
_STEM = 3


def extract_terms(text: str) -> dict[Term, str]:
    """Return the terms of a text, each as the text writes it."""
    text = text[:_MAX_CHARACTERS]
    terms: dict[Term, str] = {}
    for term, written in chain(_iter_code(text), _iter_prose(_SPAN.sub(" ", text))):
        terms.setdefault(term, written)
    return terms


def _iter_code(text: str) -> Iterator[tuple[Term, str]]:
    """Yield the names in code spans and listings."""
    for span in _SPAN.finditer(text):
        for part in _PART.finditer(span[0]):
            if len(part[0]) > 1:
                yield (CODE, part[0]), part[0]


def _iter_prose(text: str) -> Iterator[tuple[Term, str]]:
    for token in _TOKEN.finditer(text.replace("\\_", "_")):
        written = token[0]
        if token.lastgroup == NUMBER:
            # 3.14 and 3,14, 1,234 and 1.234: the digits are the same.
            yield (NUMBER, "".join(filter(str.isdigit, written))), written
        elif token.lastgroup == CODE or _CAMEL.fullmatch(written):
            yield (CODE, written.rstrip("()")), written
        elif acronym := _ACRONYM.fullmatch(written):
            yield (NAME, acronym[1]), written
        elif any(map(str.isdigit, written)):
            yield (NAME, written.casefold()), written
        else:
            yield from ((term, written) for term in _iter_word(written))


def _iter_word(word: str) -> Iterator[Term]:
    if word.lower() not in _STOPPED:
        bare = stem(word)
        if len(bare) >= SHORT:
            yield WORD, bare[:SHORT]
        if len(bare) >= LONG:
            yield WORD, bare[:LONG]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the stem of a word, the same as that of kindred words in other languages."""
    decomposed = unicodedata.normalize("NFKD", word.lower())
    bare = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    for begins in range(max(_STEM, len(bare) - _LONGEST), len(bare)):
        if (common := _ENDINGS.get(bare[begins:])) is not None:
            bare = bare[:begins] + common
            break
    for sound, common in _SOUNDS:
        bare = bare.replace(sound, common)
    bare = _DOUBLED.sub(r"\1", bare)
    return bare[1:] if bare.startswith("es") and bare[2:3] in tuple("cpt") else bare
