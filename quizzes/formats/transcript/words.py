"""The words and signs of result pages in five languages: marks, verdicts, points, grades. Pure."""

import re
from dataclasses import dataclass
from fractions import Fraction

from quizzes.formats.parsing.percentages import fraction

EMPTY, CHOSEN = "☐○◯□", "☒☑●◉■"
RIGHT, WRONG = "✓✔✅", "✗✘❌"
MARKS = EMPTY + CHOSEN + RIGHT + WRONG
MARK = re.compile(rf"([{MARKS}])\N{{VARIATION SELECTOR-16}}?")

_VERDICT = re.compile(
    r"(?P<bold>\*\*)?(?:(?P<right>Correcto|Correct|Correto|Richtig|Exact|Bonne réponse"
    r"|Respuesta correcta|Resposta correta)|(?P<wrong>Incorrecto|Incorrect|Incorreto|Falsch"
    r"|Mauvaise réponse))[.!:]?(?(bold)\*\*)(?P<rest>$|\s*$|\s+.*)",
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
_GRADE = re.compile(
    rf"\b(?:GRADE|CALIFICACIÓN|NOTA|NOTE|BEWERTUNG|PUNTUACIÓN)\b{_PERCENT}", re.IGNORECASE
)
_PASS = re.compile(
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
    """What a page says of an answer; `word` alone could be an option of true or false as well."""

    right: bool
    rest: str
    doubtful: bool


def verdict(text: str) -> Verdict | None:
    """Read "Correct", "**Correcto**" or "Richtig: because …"; anything else: None."""
    if _PARTIAL.match(text):
        return Verdict(right=False, rest=text, doubtful=False)
    found = _VERDICT.match(text)
    if not found:
        return None
    rest = found["rest"].strip()
    if rest and rest[0].islower():  # a sentence of the author's that begins so
        return None
    word = found["right"] or found["wrong"]
    doubtful = word in _ALSO_OPTIONS and not found["bold"] and not rest
    return Verdict(bool(found["right"]), rest, doubtful)


def number(text: str) -> Fraction:
    """Read digits that POINTS or a percentage has found; a comma is a point."""
    return fraction(text.replace(",", ".")) or Fraction(0)


def grade(text: str) -> Fraction | None:
    """Give the grade that a line tells, as a share of 1."""
    return _share(_GRADE.search(text))


def pass_threshold(text: str) -> Fraction | None:
    """Give what a line says is needed to pass, as a share of 1."""
    return _share(_PASS.search(text))


def _share(found: re.Match[str] | None) -> Fraction | None:
    return number(found[1]) / 100 if found else None


def is_chrome(text: str) -> bool:
    """Tell whether a line is of the page, and of no question."""
    text = text.strip(f"{MARKS} ")
    return grade(text) is not None or pass_threshold(text) is not None or bool(_CHROME.match(text))
