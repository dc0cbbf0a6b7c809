"""The words and signs of result pages in five languages: marks, verdicts, points, grades. Pure."""

import re
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction

from quizzes.formats.parsing.percentages import parse_decimal

EMPTY, CHOSEN = "☐○◯□", "☒☑●◉■"
RIGHT, WRONG = "✓✔✅", "✗✘❌"
MARKS = EMPTY + CHOSEN + RIGHT + WRONG
MARK = re.compile(rf"([{MARKS}])\N{{VARIATION SELECTOR-16}}?")

_VERDICT = re.compile(
    r"(?P<bold>\*\*)?(?:(?P<right>Correcto|Correct|Correto|Richtig|Exact|Bonne réponse"
    r"|Respuesta correcta|Resposta correta)|(?P<wrong>Incorrecto|Incorrect|Incorreto|Falsch"
    r"|Mauvaise réponse))[.!:]?(?(bold)\*\*)(?P<feedback>$|\s*$|\s+.*)",
    re.DOTALL,
)
_PARTIAL = re.compile(
    r"(?:You didn.t select all|No seleccionaste tod|Você não selecionou tod"
    r"|Vous n.avez pas sélectionné toutes|Sie haben nicht alle)"
)
_ALSO_OPTIONS = frozenset({"Richtig", "Falsch"})

POINTS = re.compile(
    r"(?P<earned>\d{1,4}(?:[.,]\d{1,4})?)\s{0,3}/\s{0,3}(?P<of>\d{1,4}(?:[.,]\d{1,4})?)"
    r"\s{0,3}(?:points?|puntos?|pontos?|Punkte?n?|pts?)\b\.?",
    re.IGNORECASE,
)
_PERCENT = r"\D{0,40}?(\d{1,3}(?:[.,]\d{1,4})?)\s?%"
GRADE = re.compile(
    rf"\b(?:GRADE|CALIFICACIÓN|NOTA|NOTE|BEWERTUNG|PUNTUACIÓN)\b{_PERCENT}", re.IGNORECASE
)
PASS_THRESHOLD = re.compile(
    r"\b(?:TO PASS|PARA APROBAR|PARA (?:SER APROVADO|PASSAR)|POUR (?:RÉUSSIR|PASSER)|ZUM BESTEHEN)"
    rf"\b{_PERCENT}",
    re.IGNORECASE,
)
_CHROME = re.compile(
    r"(?:Congratulations\W{1,3}You passed|¡?Felicitaciones\W{1,3}Aprobaste|Parabéns\W{1,3}Você"
    r"|Félicitations\W{1,3}Vous avez réussi|(?:Herzlichen )?Glückwunsch\W{1,3}Sie haben bestanden"
    r"|Keep Learning|Seguir aprendiendo|Continuar aprendendo|Continuez à apprendre|Weiterlernen"
    r"|Try again$|Volver a intentar$|https?://\S+\s+\d+/\d+$)",
    re.IGNORECASE,
)
INSTRUCTION = re.compile(
    r"\(?\b(?:Check|Select|Choose|Mark|Tick) (?:all|any) [^.?()]{1,60}[.)?]+", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A page's verdict on an answer; a doubtful one could be an option of true or false as well."""

    right: bool
    feedback: str
    doubtful: bool


class LineType(Enum):
    """What a line of a page, or a part of one, is."""

    QUESTION = auto()
    POINTS = auto()
    OPTION = auto()
    VERDICT = auto()
    TEXT = auto()
    CHROME = auto()
    CODE = auto()


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line of a page or a part of one, or a listing with all its lines."""

    type: LineType
    line: int
    text: str = ""
    mark: str = ""
    verdict: Verdict | None = None
    points: re.Match[str] | None = None
    after_blank: bool = False
    tabbed: bool = False  # a tab begins it
    shares_line: bool = False  # with other options
    guessed: bool = False  # separated from others by sentences alone


def parse_verdict(text: str) -> Verdict | None:
    """Return the verdict of "Correct", "**Correcto**" or "Richtig: because …"; else None."""
    if _PARTIAL.match(text):
        return Verdict(right=False, feedback=text, doubtful=False)
    match = _VERDICT.match(text)
    if not match:
        return None
    feedback = match["feedback"].strip()
    if feedback and feedback[0].islower():  # a sentence of the author's that begins so
        return None
    word = match["right"] or match["wrong"]
    doubtful = word in _ALSO_OPTIONS and not match["bold"] and not feedback
    return Verdict(bool(match["right"]), feedback, doubtful)


def parse_number(digits: str) -> Fraction:
    """Return the value of digits that POINTS or a percentage has; a comma is a point."""
    return parse_decimal(digits.replace(",", ".")) or Fraction(0)


def parse_share(pattern: re.Pattern[str], text: str) -> Fraction | None:
    """Return what a line says of GRADE or PASS_THRESHOLD, as a share of 1."""
    match = pattern.search(text)
    return parse_number(match[1]) / 100 if match else None


def is_chrome(text: str) -> bool:
    """Return whether a line belongs to the page around the questions."""
    text = text.strip(f"{MARKS} ")
    return bool(GRADE.search(text) or PASS_THRESHOLD.search(text) or _CHROME.match(text))
