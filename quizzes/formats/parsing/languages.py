"""The language of a text, by its frequent words and its letters. Pure."""

import re
from collections import Counter

from quizzes.formats.contract import Note
from quizzes.formats.parsing.decoding import decode

FREQUENT = {
    "en": "the of and to in is that are for with which what does this following it be on by or"
    " true false correct not when you can has have an from as was were how would select all do does"
    " no if at your about much into there their one time should question feedback",
    "es": "el la los las de que en es un una del con por para se qué cuál cuáles siguiente"
    " siguientes verdadero falso correcto no al como más son lo su este esta seleccione así",
    "pt": "os as de que em é um uma do da dos das com por para se qual quais seguinte"
    " seguintes verdadeiro falso correto não ao como mais são no na seu este esta você",
    "fr": "le la les de et que en est un une du des avec par pour se quel quelle quelles suivant"
    " suivante vrai faux correct ne pas au comme plus sont dans ce cette il vous sur aux",
    "de": "der die das und zu in ist dass sind für mit welche welcher was nicht ein eine einen"
    " den dem des auf wenn wie folgende folgenden wahr falsch richtig sie werden wird von im",
}
_LETTERS = {"es": "ñ¿¡", "pt": "ãõ", "fr": "èêœùëî", "de": "ßäö"}
_WORD = re.compile(r"[^\W\d_]{2,}|[àéèêóúùöäüß]")
"""A letter alone names an option, unless it has an accent."""
_MIN_SCORE = 2
_MIN_LEAD = 1.25
_CERTAIN_SCORE = 5
_CERTAIN_LEAD = 2
_MAX_CHARACTERS = 50_000
"""Characters that are looked at: a language shows early."""


def decode_text(data: bytes, language: str = "") -> tuple[str, str, list[Note]]:
    """Return the text of a file, its language (the given one, else detected) and notes on both."""
    text, notes = decode(data)
    language = language or detect_language(text)
    return text, language, [*notes] if language else [*notes, Note("language_unknown", 1)]


def detect_language(text: str) -> str:
    """Return "en", "es", "pt", "fr" or "de"; "" where there is too little text, or two are near."""
    return _detect(text, _MIN_SCORE, _MIN_LEAD)


def detect_certain_language(text: str) -> str:
    """Return the language of a text beyond doubt, for what is only a part of a file; else ""."""
    return _detect(text, _CERTAIN_SCORE, _CERTAIN_LEAD)


def _detect(text: str, least: int, lead: float) -> str:
    """Return the likeliest language with this score at least, and so many times the next one's."""
    text = text[:_MAX_CHARACTERS].lower()
    words = Counter(_WORD.findall(text))
    scores = {
        language: sum(words[word] for word in set(frequent.split()))
        + sum(text.count(letter) for letter in _LETTERS.get(language, ""))
        for language, frequent in FREQUENT.items()
    }
    (best, most), (_, second) = sorted(scores.items(), key=lambda score: -score[1])[:2]
    return best if most >= least and most >= second * lead else ""
