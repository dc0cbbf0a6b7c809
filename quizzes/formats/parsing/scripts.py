"""The language that a script is most used for, where a text is too short to tell more. Pure."""

import re
import unicodedata
from collections import Counter
from typing import Final

_LANGUAGES: Final = {
    "ARABIC": "ar",
    "ARMENIAN": "hy",
    "BENGALI": "bn",
    "CJK": "zh",
    "CYRILLIC": "ru",
    "DEVANAGARI": "hi",
    "ETHIOPIC": "am",
    "GEORGIAN": "ka",
    "GREEK": "el",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "HANGUL": "ko",
    "HEBREW": "he",
    "HIRAGANA": "ja",
    "KANNADA": "kn",
    "KATAKANA": "ja",
    "KHMER": "km",
    "LAO": "lo",
    "MALAYALAM": "ml",
    "MYANMAR": "my",
    "ORIYA": "or",
    "SINHALA": "si",
    "TAMIL": "ta",
    "TELUGU": "te",
    "THAI": "th",
    "TIBETAN": "bo",
}
_BY_LETTERS: Final = {
    "CYRILLIC": {
        "be": "ў",
        "kk": "[әқғңұһ]",
        "uk": "[іїєґ]",  # the first also in the two above
        "mk": "[ѓќѕ]",
        "sr": "[ђјљњћџ]",
        "mn": "[өү]",
    },
    "ARABIC": {"ur": "[ٹڈڑںے]", "fa": "[پچژگ]"},
}
"""Letters that tell languages of one script apart."""
_CYRILLIC_OF_BULGARIAN: Final = re.compile("ъ")
_CYRILLIC_OF_RUSSIAN: Final = re.compile("[ыэё]")


def guess_language(text: str) -> str:
    """Return the language of the script that most letters of a text are in; "" for Latin ones."""
    letters = Counter(character for character in text.lower() if character.isalpha())
    scripts = Counter[str]()
    for letter, times in letters.items():
        scripts[unicodedata.name(letter, "").partition(" ")[0]] += times
    if "HIRAGANA" in scripts or "KATAKANA" in scripts:  # beside them Han is Japanese, too
        scripts["HIRAGANA"] += scripts.pop("CJK", 0) + scripts.pop("KATAKANA", 0)
    script = max(scripts, key=lambda name: scripts[name], default="")
    joined = "".join(letters)
    for language, own in _BY_LETTERS.get(script, {}).items():
        if re.search(own, joined):
            return language
    is_bulgarian = _CYRILLIC_OF_BULGARIAN.search(joined) and not _CYRILLIC_OF_RUSSIAN.search(joined)
    return "bg" if script == "CYRILLIC" and is_bulgarian else _LANGUAGES.get(script, "")
