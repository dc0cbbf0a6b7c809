"""The language of a text: by its script, then by runs of letters, then by its frequent words. Pure.

The first two are CLD2's, which knows some 80 languages; words settle what is too short for it.
"""

import re
from collections import Counter

import pycld2

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
_NEAR_OTHERS = frozenset({"ca", "gl", "oc", "sco"})
"""Languages that others, whose words are known, are taken for."""
_LEAST_SHARE = 60
_CERTAIN_SHARE = 90
_MAX_CHARACTERS = 50_000
"""Characters that are looked at: a language shows early."""


def decode_text(data: bytes, language: str = "") -> tuple[str, str, list[Note]]:
    """Return the text of a file, its language (the given one, else detected) and notes on both."""
    text, notes = decode(data)
    language = language or detect_language(text)
    return text, language, [*notes] if language else [*notes, Note("language_unknown", 1)]


def detect_language(text: str) -> str:
    """Return the language as its code ("en", "ru"); "" where there is too little text."""
    return _detect(text, _MIN_SCORE, _MIN_LEAD, least_share=_LEAST_SHARE)


def detect_certain_language(text: str) -> str:
    """Return the language of a text beyond doubt, for what is only a part of a file; else ""."""
    return _detect(text, _CERTAIN_SCORE, _CERTAIN_LEAD, least_share=_CERTAIN_SHARE)


def _detect(text: str, least: int, lead: float, *, least_share: int) -> str:
    """Return the language of letters where it is none whose words are known; else that of words."""
    by_letters = _detect_by_letters(text, least_share)
    certain = _detect_by_words(text, _CERTAIN_SCORE, _CERTAIN_LEAD)
    if by_letters and by_letters not in FREQUENT and not (certain and by_letters in _NEAR_OTHERS):
        return by_letters
    return _detect_by_words(text, least, lead)


def _detect_by_letters(text: str, least_share: int) -> str:
    """Return the language that at least so much of a text is in, in percent; "" in doubt."""
    printable = "".join(c for c in text[:_MAX_CHARACTERS] if c.isprintable() or c.isspace())
    try:
        is_reliable, _, languages = pycld2.detect(printable.encode("utf-8", "ignore"))
    except pycld2.error:
        return ""
    code, share = languages[0][1], languages[0][2]
    return code.partition("-")[0] if is_reliable and share >= least_share and code != "un" else ""


def _detect_by_words(text: str, least: int, lead: float) -> str:
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
