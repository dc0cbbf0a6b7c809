"""Every possible answer to a question, said so that two tellings of it can be compared.

An answer names rows by their place (an option) or their words (a right side), not by their ids:
the same answer can then be given to a question and to what came back of it.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, combinations, islice, permutations, product

from grading.contract import InvalidAnswer, ItemScore
from grading.json_types import Json
from grading.kinds import KINDS
from grading.numeric.exact import parse_exact
from grading.numeric.tolerance import Target
from quizzes.formats.contract import ParsedQuestion, ParsedRow
from quizzes.formats.parsing.percentages import format_decimal
from tests.quizzes.imports.questions import item

Answer = Mapping[str, Json]
MOST = 3_000


def credit(question: ParsedQuestion, raw: Json, language: str = "en") -> object:
    """Mark an answer: a share, or in words why there is none."""
    document, kind = item(question, language), KINDS[question.kind]
    answer = kind.parse(document.content, raw)
    if isinstance(answer, InvalidAnswer):
        return "unreadable"
    mark = kind.score(document.content, document.key, answer, document.scoring_method)
    return mark.credit if isinstance(mark, ItemScore) else mark.reason


def answers(question: ParsedQuestion, language: str) -> Iterator[Answer]:
    """Give all answers, up to a bound, by places and words."""
    return islice(_ANSWERS[question.kind](question, language), MOST)


def raw(question: ParsedQuestion, answer: Answer, language: str) -> Json:
    """Say an answer with the ids of this telling; what it does not offer is no row of it."""
    options = [row.name for row in question.tables.get("options", ())]
    match answer:
        case {"places": [*places], "none": bool(none)}:
            chosen: list[Json] = [_at(options, place) for place in places]
            return {"chosen": chosen, "none_apply": True} if none else {"chosen": chosen}
        case {"rights": [*rights]}:
            named = {_words(row, language): row.name for row in question.tables["rights"]}
            lefts = [row.name for row in question.tables["lefts"]]
            pairs = zip(lefts, rights, strict=True)
            return {
                "pairs": {left: named.get(str(right), "none") for left, right in pairs if right}
            }
        case {"order": [*places]}:
            items = [row.name for row in question.tables["items"]]
            return {"order": [_at(items, place) for place in places]}
        case {"gaps": [*given]}:
            gaps = question.tables["gaps"]
            filled = zip(gaps, given, strict=True)
            return {
                "gaps": {
                    gap.name: _filled(question, gap, answer) for gap, answer in filled if answer
                }
            }
    return dict(answer)


def _at(names: list[str], place: Json) -> str:
    return names[place] if isinstance(place, int) and place < len(names) else "none"


def _filled(question: ParsedQuestion, gap: ParsedRow, answer: Json) -> Json:
    if isinstance(answer, dict) and "place" in answer:
        options = [row.name for row in of(question, "options", gap)]
        return {"chosen": [_at(options, answer["place"])]}
    return answer


def of(question: ParsedQuestion, table: str, gap: ParsedRow) -> list[ParsedRow]:
    """Give the rows of one gap."""
    return [row for row in question.tables.get(table, ()) if row.values.get("gap") == gap.name]


def _words(row: ParsedRow, language: str) -> str:
    return next(
        (texts.get(language, "") for text, texts in row.texts.items() if not text.is_feedback), ""
    )


def _several(question: ParsedQuestion, _language: str) -> Iterator[Answer]:
    places = range(len(question.tables["options"]))
    for chosen in chain.from_iterable(combinations(places, n) for n in range(len(places) + 1)):
        yield {"places": list(chosen), "none": False}
    if question.fields.get("none_apply"):
        yield {"places": [], "none": True}


def _single(question: ParsedQuestion, language: str) -> Iterator[Answer]:
    for chosen in _several(question, language):
        places = chosen["places"]
        if isinstance(places, list) and len(places) <= 1:
            yield chosen


def _pairs(question: ParsedQuestion, language: str) -> Iterator[Answer]:
    rights = [_words(row, language) for row in question.tables["rights"]]
    for chosen in product(["", *rights], repeat=len(question.tables["lefts"])):
        yield {"rights": list(chosen)}


def _orders(question: ParsedQuestion, _language: str) -> Iterator[Answer]:
    for order in permutations(range(len(question.tables["items"]))):
        yield {"order": list(order)}


def _texts(rows: Iterable[ParsedRow]) -> Iterator[str]:
    """Give what is accepted, and what is near it in each way that may or may not count."""
    for row in rows:
        text = str(row.values["text"]).replace("\\*", "\0").replace("*", "xyz").replace("\0", "*")
        folded = unicodedata.normalize("NFD", text).encode("ascii", "ignore").decode()
        yield from (text, text.upper(), text.title(), folded, f" {text} ", f"{text}.")
        yield from (
            text.replace(" ", "  "),
            text.replace(" ", ""),
            text[1:],
            f"{text}s",
            f"x {text}",
        )
    yield from ("nothing of this", "?")


def _written(question: ParsedQuestion, _language: str) -> Iterator[Answer]:
    return ({"text": text} for text in dict.fromkeys(_texts(question.tables["accepted"])))


def _near(rows: Iterable[ParsedRow]) -> Iterator[str]:
    """Give numbers at the edges of what is accepted, and beside them."""
    step = Fraction(1, 10**6)
    for row in rows:
        value, margin = str(row.values["value"]), str(row.values.get("margin") or "0")
        target = Target(parse_exact(value), str(row.values["tolerance"]), parse_exact(margin))
        low, high = target.bounds
        for number in (low, low - step, low + step, target.value, high, high - step, high + step):
            yield format_decimal(number)
    yield from ("12345.678", "0", "-1")


def _numbers(question: ParsedQuestion, language: str) -> Iterator[Answer]:
    symbols = [str(row.values["symbol"]) for row in question.tables.get("units", ())]
    for number in dict.fromkeys(_near(question.tables["numbers"])):
        for unit in ("", *symbols, "parsec"):
            yield {"typed": f"{number} {unit}".strip(), "language": language}


def _gap(question: ParsedQuestion, gap: ParsedRow, language: str) -> list[Json]:
    if gap.values["kind"] == "single_choice":
        return [{"place": at} for at, _ in enumerate(of(question, "options", gap))]
    if gap.values["kind"] == "numeric":
        near = dict.fromkeys(_near(of(question, "numbers", gap)))
        return [{"typed": number, "language": language} for number in near]
    return [{"text": text} for text in dict.fromkeys(_texts(of(question, "accepted", gap)))]


def _gaps(question: ParsedQuestion, language: str) -> Iterator[Answer]:
    """Fill each gap in every way, the others in a few."""
    ways = [[None, *_gap(question, gap, language)] for gap in question.tables["gaps"]]
    for at, own in enumerate(ways):
        others = [way[:3] for way in ways]
        others[at] = own
        yield from ({"gaps": list(combination)} for combination in product(*others))


def _essays(_question: ParsedQuestion, _language: str) -> Iterator[Answer]:
    yield from ({"text": "Words of some length."}, {"text": ""})


def _cards(_question: ParsedQuestion, _language: str) -> Iterator[Answer]:
    yield {"recalled": "yes"}


_ANSWERS = {
    "cloze": _gaps,
    "essay": _essays,
    "flashcard": _cards,
    "matching": _pairs,
    "multiple_choice": _several,
    "numeric": _numbers,
    "ordering": _orders,
    "short_text": _written,
    "single_choice": _single,
    "true_false": _single,
}
