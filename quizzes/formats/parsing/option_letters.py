"""Letters that begin options ("A) Tajo"), and texts that name options by them. Pure.

Letters are no part of an option: the page that asks writes its own, in an order of its own.
Where a text names an option by its letter ("Both A and B"), letters and order have to stay.
"""

import re
from collections.abc import Sequence
from string import ascii_lowercase

_LETTERED = re.compile(
    r"(?P<open>\*\*)?(?P<bracket>\(?)(?P<letter>[A-Za-z])(?P<sign>[.):])(?P<close>\*\*)?"
    r"(?:[ \t]+|$)(?P<text>.*)",
    re.DOTALL,
)
_AND = (
    r"[)\]*_`]*(?:[ ]?,[ ]?(?:and[ ]|or[ ]|y[ ]|e[ ]|et[ ]|und[ ])?|[ ]?&[ ]?"
    r"|[ ](?:and|or|y|e|o|ou|et|und|oder)[ ])"
)
_NAME = r"[(\[*_`]*[A-{last}][)\]*_`]*"
_WORD = (
    r"(?:options?|choices?|answers?|statements?|opci[oó]n(?:es)?|respuestas?|alternativas?|incisos?"
    r"|literal(?:es)?|opç(?:ão|ões)|respostas?|antwort(?:en)?|réponses?|rispost[ae])"
)
_ONLY = (
    r"(?:both|only|either|neither|except|all[ ]but|ambas?|sólo|solo|solamente|únicamente|menos"
    r"|excepto|apenas|somente|nur|sowohl|beide|seulement|sauf)"
)
_SAYS = r"(?:is|are|was|isn't|isn’t|es|son|ist|sind|est|é)"


def split_letters(texts: Sequence[str]) -> list[str] | None:
    """Return texts without the letters that begin them; None unless these count on from A."""
    matches = [_LETTERED.match(text) for text in texts]
    if len(texts) <= 1 or len(texts) > len(ascii_lowercase) or not all(matches):
        return None
    lettered = [match for match in matches if match]
    letters = "".join(match["letter"] for match in lettered)
    count = ascii_lowercase[: len(lettered)]
    signs = {(match["bracket"], match["sign"]) for match in lettered}
    if letters not in {count, count.upper()} or len(signs) > 1:
        return None
    if not all(match["text"].strip() for match in lettered):
        return None
    return [
        f"{match['open'] if match['open'] and not match['close'] else ''}{match['text']}"
        for match in lettered
    ]


def has_letter_references(options: Sequence[str], *texts: str) -> bool:
    """Return whether one of these options, or a text on them, names options by their letters.

    A letter with the text of its option, "B) Tajo", names it by that as well.
    """
    last = chr(ord("A") + min(max(len(options), 2), len(ascii_lowercase)) - 1)
    return any(_names_others(text, last) for text in options) or any(
        _names_an_option(_drop_named(text, options), last) for text in texts if text
    )


def _drop_named(text: str, options: Sequence[str]) -> str:
    """Return a text without the letters that the text of their option follows."""
    for letter, option in zip(ascii_lowercase, options, strict=False):
        if option in text:
            name = f"{letter}{letter.upper()}"
            text = re.sub(
                rf"(?<!\w)\(?[{name}][.):]{{1,2}}[*_`]{{0,3}}[ ]{re.escape(option)}", option, text
            )
    return text


def _names_others(option: str, last: str) -> bool:
    """Return whether an option names others: "Both A and B", "a) and c)", "All but D"."""
    name = _NAME.format(last=last)
    words = option.strip(" *_.")
    return (
        re.search(rf"(?<!\w){name}{_AND}{name}(?!\w)", option) is not None
        or re.search(rf"(?<!\w)(?i:{_WORD})[ ]{name}(?![\w'’])", option) is not None
        or re.fullmatch(
            rf"(?:{_ONLY}[ ])?(?:{_WORD}[ ])?{name}(?:{_AND}{name})+(?:[ ]{_ONLY})?"
            rf"|(?:[^\n]{{0,30}}[ ])?{_ONLY}[ ](?:{_WORD}[ ])?{name}",
            words,
            re.IGNORECASE,
        )
        is not None
    )


def _names_an_option(text: str, last: str) -> bool:
    """Return whether a text names an option: "B is wrong", "Option C", "(D)", "A) Tajo"."""
    letter = f"[A-{last}]"
    is_alone = r"(?![\w'’#+])"
    marked = rf"[*_`]{{0,3}}{letter}[*_`]{{0,3}}"
    pattern = (
        rf"(?<![\w.]){letter}\)|\([a-{last.lower()}]\)"
        rf"|^[ \t>]*(?:[-*+][ \t]+)?(?:\[[ xX]\][ ])?{marked}(?:[.:]|[ ][-–—=])[*_`]{{0,3}}[ \t]"
        rf"|(?<!\w)(?i:{_WORD})[ *_`:]{{1,4}}\(?{letter}{is_alone}"
        rf"|(?<![\w'’]){letter}[*_`)]{{0,3}}[ ]{_SAYS}[ ]"
        rf"|(?<![\w'’]){letter}{_AND}{letter}{is_alone}"
        rf"|(?<![A-Za-z]){letter}[ ]?(?=[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3])"
    )
    return re.search(pattern, text, re.MULTILINE) is not None
