"""The language of a text: by its script, then by runs of letters, then by its frequent words. Pure.

Runs of letters are CLD2's, which knows some 80 languages; words settle what is too short for it.
Of few words that the letters do not confirm, the language is unknown.
"""

import re
import unicodedata
from collections import Counter

import pycld2

from quizzes.formats.contract import Note
from quizzes.formats.parsing.decoding import decode
from quizzes.formats.parsing.scripts import guess_language

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
    "it": "il lo la gli le di che in è un una uno dei del della delle nel con per si quale quali"
    " seguente seguenti vero falso corretto corretta non al come più sono chi cosa questo questa",
    "nl": "de het een en van te dat is zijn voor met welke welk wat niet in op als hoe wordt worden"
    " volgende waar onwaar juist onjuist door bij deze dit er aan of",
}
_LETTERS = {"es": "ñ¿¡", "pt": "ãõ", "fr": "èêœùëî", "de": "ßäö", "it": "èìòù"}
_WORD = re.compile(r"[^\W\d_]{2,}|[àéèêóúùöäüß]")
"""A letter alone names an option, unless it has an accent."""
_CODE = re.compile(r"(?P<fence>```|~~~).*?(?P=fence)|`[^`\n]+`|<(pre|code)>[^<]*</\2>", re.DOTALL)
_LABEL = re.compile(
    r"^[^\w\n]{0,10}(?:(?:correct )?answer\s{0,3}:|(?:x\] )?(?:true|false)[^\w\n]{0,10}$)",
    re.IGNORECASE | re.MULTILINE,
)
"""Words of a format or of a programming language, in a text of any language."""
_MIN_SCORE = 3
_CONFIRMED_SCORE = 1
_MIN_LEAD = 1.25
_CERTAIN_SCORE = 5
_CERTAIN_LEAD = 2
_NEAR_OTHERS = frozenset("af bh ca ceb co gl ia ie lb mk nn oc sco tlh vo war".split())
"""Languages that others are taken for, where there is little text."""
_LITTLE = 200
"""Characters."""
_OTHER_NAMES = {"iw": "he", "jw": "jv", "in": "id", "mo": "ro"}
_LEAST_SHARE = 60
_CERTAIN_SHARE = 90
_OTHER_SCRIPTS_SHARE = 0.2
_SYLLABLES = re.compile(r"[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Letters that say as much as several Latin ones: of Japanese, Chinese and Korean."""
_SYLLABLE_WORTH = 3
_MIN_WORDS_AROUND = 2
"""Frequent words by which Latin letters beside others are of a language."""
_ARABIC = re.compile("[ةىيكأإؤئ]")
_OF_ARABIC_NEIGHBOURS = re.compile("[پچژگکیےںٹڈڑھۀېڼ]")
"""Letters of Arabic that its neighbours write otherwise, and letters of theirs."""
_MAX_CHARACTERS = 50_000
"""Characters that are looked at: a language shows early."""


def decode_text(data: bytes, language: str = "") -> tuple[str, str, list[Note]]:
    """Return the text of a file, its language (the given one, else detected) and notes on both."""
    text, notes = decode(data)
    language, doubts = take_language(language or detect_language(text), text)
    return text, language, [*notes, *doubts]


def take_language(language: str, text: str, quote: str = "") -> tuple[str, list[Note]]:
    """Return a language; where there is none, that which most texts in this script are in.

    Also a note that says so, or that there is none: what is in Latin letters may be in any.
    """
    if language:
        return language, []
    if language := guess_language(_CODE.sub(" ", text[:_MAX_CHARACTERS])):
        return language, [Note("language_by_script", 1, quote, {"language": language})]
    return "", [Note("language_unknown", 1, quote)]


def detect_language(text: str) -> str:
    """Return the language as its code ("en", "ru"); "" where there is too little text."""
    return _detect(text, _MIN_SCORE, _MIN_LEAD, least_share=_LEAST_SHARE)


def detect_certain_language(text: str) -> str:
    """Return the language of a text beyond doubt, for what is only a part of a file; else ""."""
    return _detect(text, _CERTAIN_SCORE, _CERTAIN_LEAD, least_share=_CERTAIN_SHARE)


def _detect(text: str, least: int, lead: float, *, least_share: int) -> str:
    """Return the language of letters where it is none whose words are known; else that of words.

    Fewer words are enough where the letters say the same.
    """
    text = _LABEL.sub(" ", _CODE.sub(" ", text[:_MAX_CHARACTERS]))
    if least_share < _CERTAIN_SHARE and (by_script := _detect_by_script(text, lead)):
        return by_script
    by_letters = _detect_by_letters(text, least_share)
    if _has_other_script(text):
        return "" if by_letters in FREQUENT else by_letters
    certain = _detect_by_words(text, _CERTAIN_SCORE, _CERTAIN_LEAD)
    if by_letters and by_letters not in FREQUENT and not (certain and by_letters in _NEAR_OTHERS):
        return by_letters
    by_words = _detect_by_words(text, min(least, _CONFIRMED_SCORE), lead)
    is_confirmed = least == _MIN_SCORE and by_words == by_letters
    return by_words if is_confirmed else _detect_by_words(text, least, lead)


def _detect_by_script(text: str, lead: float) -> str:
    """Return the language of the letters that are not Latin, beside some words that are; else "".

    A question in Japanese may have names in Latin letters for options. One that has words of a
    language around a word in another script is in that language.
    """
    latin, others = _split_by_script(text)
    weight = sum(_SYLLABLE_WORTH if _SYLLABLES.match(letter) else 1 for letter in others)
    letters = sum(map(str.isalpha, latin))
    if weight <= (weight + letters) * _OTHER_SCRIPTS_SHARE:
        return ""
    if _detect_by_words(latin, _MIN_WORDS_AROUND, lead):
        return ""
    language = _detect_by_letters(others, _LEAST_SHARE)
    is_arabic = _ARABIC.search(others) and not _OF_ARABIC_NEIGHBOURS.search(others)
    return language or ("ar" if is_arabic else "")


def _split_by_script(text: str) -> tuple[str, str]:
    """Return a text with its Latin letters alone, and with all others alone."""
    is_latin = {
        letter: unicodedata.name(letter, "").startswith("LATIN")
        for letter in set(text)
        if letter.isalpha()
    }
    latin = "".join(c if is_latin.get(c, True) else " " for c in text)
    return latin, "".join(" " if is_latin.get(c, False) else c for c in text)


def _has_other_script(text: str) -> bool:
    """Return whether so many letters are not Latin that Latin words are not its language's."""
    letters = [letter for letter in text if letter.isalpha()]
    others = sum(not unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    return others > len(letters) * _OTHER_SCRIPTS_SHARE


def _detect_by_letters(text: str, least_share: int) -> str:
    """Return the language that at least so much of a text is in, in percent; "" in doubt."""
    printable = "".join(c for c in text if c.isprintable() or c.isspace())
    try:
        is_reliable, _, languages = pycld2.detect(printable.encode("utf-8", "ignore"))
    except pycld2.error:
        return ""
    code, share = languages[0][1].partition("-")[0], languages[0][2]
    if not is_reliable or share < least_share or code == "un":
        return ""
    is_doubtful = code in _NEAR_OTHERS and len(text.strip()) < _LITTLE
    return "" if is_doubtful else _OTHER_NAMES.get(code, code)


def _detect_by_words(text: str, least: int, lead: float) -> str:
    """Return the likeliest language with this score at least, and so many times the next one's."""
    text = text.lower()
    words = Counter(_WORD.findall(text))
    scores = {
        language: sum(words[word] for word in set(frequent.split()))
        + sum(text.count(letter) for letter in _LETTERS.get(language, ""))
        for language, frequent in FREQUENT.items()
    }
    (best, most), (_, second) = sorted(scores.items(), key=lambda score: -score[1])[:2]
    return best if most >= least and most >= second * lead else ""
