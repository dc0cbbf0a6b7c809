"""Labels that count questions, such as "Question 4" or "Q4.", in several languages. Pure."""

import re

from quizzes.formats.parsing.prompt_details import is_bracketed_detail

_WORDS = (
    "Question|Pregunta|Questão|Pergunta|Frage|Domanda|Вопрос|Питання|Exercise|Ejercicio|Exercício"
    "|Exercice|Esercizio|Aufgabe|Problem|Problema|Task|Tarea|Quesito|Vraag|Fråga|Spørgsmål|Pytanie"
    "|Otázka|Kérdés|Întrebarea?|Ερώτηση|Soru|Soal|Pertanyaan|Задание|Задача|Завдання"
    "|Câu(?: hỏi)?|Kysymys|प्रश्न|প্রশ্ন|سوال|پرسش|คำถาม|سؤال|السؤال"
    "|问题|問題|質問|题目|題目|问|問|题|題|질문|문제|문항"
)
WORD = re.compile(rf"(?:{_WORDS})", re.IGNORECASE)
"""A word that is a label once it has a number."""
_COUNTED_BEFORE = r"第[ ]?\d{1,4}[ ]?(?:题|題|问|問)"
"""A label whose word is below its number."""
LABEL = re.compile(
    rf"(?P<bold>\*\*|__)?(?:(?:(?P<word>{_WORDS})[ \t]{{0,3}}#?"
    r"|(?P<letter>(?:M[CS]|SA)?Q|[PFD])[ \t]?)"
    rf"\d{{1,5}}(?:\.\d{{1,3}}){{0,2}}(?![\w])|(?P<counted>{_COUNTED_BEFORE})(?!\w))"
    r"(?:[ \t]?/[ \t]?\d{1,5}\b)?"
    r"(?:[ ](?P<about>\([^()]{1,30}\)|\[[^\[\]]{1,30}\])(?=[ \t]?[.:–—-]))?"
    r"(?P<mark>[ \t]{0,3}\\?[.:)：．、）。]|[ \t]{1,3}[-–—](?=\s))?(?P<close>\*\*|__)?"
    r"(?P<after>[.:)：])?"
    r"(?P<break>[ \t]*<br ?/?>)?(?P<text>.*)",
    re.IGNORECASE,
)
NUMBERED = re.compile(
    r"(?P<bold>\*\*|__)?(?P<number>\d{1,5})\*?\\?(?:\)\.|\.\)|[.)])(?P<close>\*\*|__)?"
    r"(?:[ \t]+(?P<text>\S.*)|[ \t]*$)"
)
_NUMBER_APART = re.compile(
    r"(?P<bold>\*\*|__)?(?:\((?P<within>\d{1,3})\)|(?P<number>\d{1,3})[ ]?[-–—])(?P<close>\*\*|__)?"
    r"[ \t]+(?P<text>[¿¡]?[^\W\d_¹²³]{2}.*)"
)
"""A number in brackets or before a dash that begins a line: "(4) Which", "4- Which"."""


_PICTURES = re.compile(r"^(?:[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]\ufe0f?[ ]?){1,3}")
"""Pictures before a label: "🟧 Question 19"."""
_DASHED = re.compile(
    r"(?P<bold>\*\*)?(?P<number>\d{1,3})(?:[ ][-–—][ ]|[-–—][ ])"
    r"(?P<text>(?!\d|[A-Za-zα-ω]\w?[ ]?(?:[=<>≤≥≠*^²³·]|[+/–-](?![A-Za-z+])|\??$)"
    r"|\([^()]*[=+*/^-])\S.*)"
)
"""A number of a heading with a dash: "12 - Which". "5 - x = 2" is a difference."""
_DASH = re.compile(r"^[–—|-][ \t]+(?=\S)")
"""What stands between a bold label and the words: "**Question 4** — Which"."""
_BRACKETED = re.compile(r"[(（][^()（）]{1,60}[)）](?:\*\*|__)?[.:]?")
"""The kind of a question, or its points: "(open)"."""


def split_number(line: str) -> tuple[int, str] | None:
    """Return the number that begins a line, and the words after it; None where there is none."""
    match = NUMBERED.match(line)
    if match:
        return int(match["number"]), _join_bold(match)
    apart = _NUMBER_APART.match(line)
    return (int(apart["within"] or apart["number"]), _join_bold(apart)) if apart else None


def _join_bold(match: re.Match[str]) -> str:
    """Return the words after a number, with the marks of bold that begin before it."""
    is_open = match["bold"] and not match["close"]
    return (match["bold"] if is_open else "") + (match["text"] or "")


def strip_label(text: str, *, heading: bool) -> str | None:
    """Return what follows a label such as "Question 4" or "Q4."; None where there is none.

    In a `heading` a number alone is a label, too.
    """
    match = LABEL.match(_PICTURES.sub("", text.lstrip(), count=1) if heading else text.lstrip())
    if not match:
        if heading and (numbered := NUMBERED.match(text)):
            return _join_bold(numbered)
        dashed = _DASHED.match(text) if heading else None
        if dashed is None:
            return "" if heading and text.strip(" .:)").isdecimal() else None
        return (dashed["bold"] or "") + (dashed["text"] or "")
    rest = _DASH.sub("", match["text"].strip())
    if match["about"] and is_bracketed_detail(match["about"]):
        rest = f"{match['about']} {rest}".rstrip()
    ends = match["mark"] or match["close"] or match["after"] or match["break"] or not rest
    ends = ends or _BRACKETED.fullmatch(rest)
    if not ends and not (heading and match["text"][:1].isspace()):
        return None
    return f"{match['bold']}{rest}" if match["bold"] and not match["close"] and rest else rest
