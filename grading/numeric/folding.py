"""Signs that mean the same become one, before a number or the symbol of a unit is looked at."""

import re
import unicodedata

_SAME = str.maketrans(
    {
        # dashes typed for a minus
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d", "-"),
        # dots and crosses that multiply
        **dict.fromkeys("\u00b7\u2022\u2219\u22c5\u00d7\u2715\u2a2f", "*"),
        # apostrophes and primes
        **dict.fromkeys("\u2018\u2019\u02bc\u2032\u00b4\uff07", "'"),
        # what keyboards offer for a degree
        **dict.fromkeys("\u00ba\u02da", "\u00b0"),
        # division
        **dict.fromkeys("\u2044\u2215", "/"),
    }
)
_RAISED = dict(
    zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻", "0123456789+-", strict=True)  # as one types them after a ^
)
_RAISED_RUN = re.compile(f"[{''.join(_RAISED)}]+")
_VULGAR = re.compile("[\u00bc-\u00be\u2150-\u215e\u2189]")
_SPACES = re.compile(r"\s+")


def strip_invisible(text: str) -> str:
    """Return a text without invisible characters and without space around it."""
    if not text.isascii():
        text = "".join(sign for sign in text if unicodedata.category(sign) != "Cf")
    return text.strip()


def fold(text: str) -> str:
    """Return a text with one sign for each meaning: a minus is `-`, `·` is `*`, `²` is `^2`.

    What remains is compatible Unicode (NFKC: full width, `µ`, the ohm sign), runs of space are one.
    """
    if not text.isascii():
        text = _VULGAR.sub(_spelled, _RAISED_RUN.sub(_typed, text)).translate(_SAME)
        text = unicodedata.normalize("NFKC", text).translate(_SAME)
    return _SPACES.sub(" ", text).strip()


def fold_unit(text: str) -> str:
    """Return the symbol of a unit as it is compared: folded, without spaces, in its own case."""
    return fold(text).replace(" ", "")


def _typed(run: re.Match[str]) -> str:
    return "^" + "".join(_RAISED[sign] for sign in run[0])


def _spelled(sign: re.Match[str]) -> str:
    return f" {unicodedata.normalize('NFKC', sign[0])} "
