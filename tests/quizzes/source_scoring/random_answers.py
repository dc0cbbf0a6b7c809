"""What sampled answers to random items are, and what they earn by the rules of formats."""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from quizzes.formats.contract import ParsedQuestion

ZERO, ONE = Fraction(0), Fraction(1)

WORDS = (
    "Perú", "a != b", "!x", "-x", "[1, 2]", "U.S.A.", "01", "1", "3.0", "naïve café", "x-1",
    "Łódź", "C# code", "f(x)", "it's", "\u201cquoted\u201d", "well\u2013known", "new  york",
    "ñandú", "e.g", "B+", "50 %", "A", "iron", "São Paulo", "10^3", "x_1", "\u00bd", "O'Neill",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Trial:
    """One answer: how it is given to our question, and its share of the points by the format."""

    answer: Callable[[ParsedQuestion], Any]
    share: Fraction
    label: str


@dataclass(frozen=True, slots=True)
class RandomItem:
    """One item as a file of a format."""

    data: bytes
    format: str
    trials: tuple[Trial, ...]


def clamp(share: Fraction) -> Fraction:
    return min(max(share, ZERO), ONE)


def choose(places: Sequence[int], words: Sequence[str]) -> Callable[[ParsedQuestion], Any]:
    def answer(question: ParsedQuestion) -> Any:
        if question.kind == "true_false":
            return {"chosen": [str(words[place]).lower() for place in places]}
        rows = question.tables["options"]
        return {"chosen": [rows[place].name for place in places]}

    return answer


def type_text(text: str) -> Callable[[ParsedQuestion], Any]:
    return lambda question: type_decimal(text) if question.kind == "numeric" else {"text": text}


def type_decimal(text: str) -> Any:
    """Return a number whose point is said to be no sign of thousands."""
    return {"typed": text, "language": "en", "separator": "decimal"}


def pair(places: Mapping[int, str]) -> Callable[[ParsedQuestion], Any]:
    """Pair left sides, by their place, with right ones, by their words."""

    def answer(question: ParsedQuestion) -> Any:
        rights = {
            next(iter(words["en"] for words in row.texts.values())): row.name
            for row in question.tables["rights"]
        }
        lefts = question.tables["lefts"]
        return {"pairs": {lefts[at].name: rights[text] for at, text in places.items()}}

    return answer


def arrange(order: Sequence[str]) -> Callable[[ParsedQuestion], Any]:
    def answer(question: ParsedQuestion) -> Any:
        rows = {
            next(iter(words["en"] for words in row.texts.values())): row.name
            for row in question.tables["items"]
        }
        return {"order": [rows[text] for text in order]}

    return answer


def fill(values: Mapping[int, int | str]) -> Callable[[ParsedQuestion], Any]:
    """Fill gaps: with the option at a place, or with what is typed."""

    def answer(question: ParsedQuestion) -> Any:
        gaps = question.tables["gaps"]
        filled: dict[str, Any] = {}
        for at, entered in values.items():
            name, kind = gaps[at].name, gaps[at].values["kind"]
            if isinstance(entered, int):
                rows = [row for row in question.tables["options"] if row.values["gap"] == name]
                filled[name] = {"chosen": [rows[entered].name]}
            elif kind == "numeric":
                filled[name] = type_decimal(entered)
            else:
                filled[name] = {"text": entered}
        return {"gaps": filled}

    return answer


def draw_words(random: Random, count: int) -> list[str]:
    return random.sample(WORDS, count)


def draw_subsets(random: Random, count: int) -> list[tuple[int, ...]]:
    every = list(range(count))
    drawn = [tuple(sorted(random.sample(every, random.randint(1, count)))) for _ in range(8)]
    return [*((place,) for place in every), tuple(every), *drawn]


def vary_text(random: Random, text: str) -> list[str]:
    marks = unicodedata.normalize("NFD", text)
    bare = "".join(mark for mark in marks if not unicodedata.combining(mark))
    variants = [
        text, text.upper(), text.lower(), f" {text} ", f"{text}.", f"{text}!", bare,
        text.replace(" ", "  "), text.replace("  ", " "), text.replace("'", "\u2019"),
        text.replace("-", "\u2212"), text.replace("\u2013", "-"), text.replace("\u201c", '"'),
        re.sub(r"[^\w ]", "", text), f"the {text}", f"{text} x", text[:-1], text[1:],
        unicodedata.normalize("NFD", text), "0" + text, text + ".0", "something else",
    ]  # fmt: skip
    return [variant for variant in dict.fromkeys(variants) if variant.strip()]


def draw_share(random: Random, *, negative: bool = True) -> Fraction:
    """Return a share of a whole percentage, as files write them."""
    shares = [100, 100, 50, 25, 20, 75, 10, 0, 0, 90, 5]
    shares += [-50, -25, -100, -10] if negative else []
    return Fraction(random.choice(shares), 100)


def percent(share: Fraction) -> str:
    return f"{float(share * 100):g}"


def draw_number(random: Random) -> Fraction:
    return Fraction(random.choice([0, 1, 2, 5, 12, 100, 315, -4, 1250]), random.choice([1, 2, 4]))


def decimal(number: Fraction) -> str:
    text = f"{float(number):.6f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def matches(pattern: str, text: str, *, case: bool) -> bool:
    r"""Return whether Moodle's pattern fits: `*` is any text, `\*` a star."""
    parts = [re.escape(part.replace(r"\*", "*")) for part in re.split(r"(?<!\\)\*", pattern)]
    flags = re.DOTALL | (0 if case else re.IGNORECASE)
    composed = unicodedata.normalize("NFC", text.strip())
    return bool(re.fullmatch(".*".join(parts), composed, flags))


def choice_trials(
    random: Random, words: Sequence[str], score: Callable[[frozenset[int]], Fraction], *, many: bool
) -> tuple[Trial, ...]:
    subsets = draw_subsets(random, len(words)) if many else [(n,) for n in range(len(words))]
    return tuple(
        Trial(choose(places, words), score(frozenset(places)), str(places))
        for places in dict.fromkeys(subsets)
    )


def text_trials(
    random: Random, texts: Sequence[str], score: Callable[[str], Fraction]
) -> tuple[Trial, ...]:
    typed = [variant for text in texts for variant in vary_text(random, text)]
    return tuple(Trial(type_text(text), score(text), repr(text)) for text in dict.fromkeys(typed))


def number_trials(
    random: Random, ends: Sequence[Fraction], score: Callable[[Fraction], Fraction]
) -> tuple[Trial, ...]:
    step = Fraction(1, 1000)
    numbers = [number for end in ends for number in (end, end - step, end + step)]
    numbers.append(Fraction(98765))
    return tuple(
        Trial(type_text(decimal(number)), score(Fraction(decimal(number))), decimal(number))
        for number in dict.fromkeys(numbers)
    )


def draw_patterns(random: Random, *, negative: bool = False) -> list[tuple[str, Fraction]]:
    words = draw_words(random, random.randint(1, 4))
    patterns = []
    for n, word in enumerate(words):
        pattern = word.replace("*", r"\*")
        if random.random() < 0.3:
            pattern = random.choice([f"{pattern}*", f"*{pattern}", f"{pattern} * end"])
        share = ONE if n == 0 else draw_share(random, negative=negative)
        patterns.append((pattern, share))
    if random.random() < 0.25:
        patterns.append(("*", draw_share(random, negative=negative)))
    random.shuffle(patterns)
    return patterns


def score_patterns(
    patterns: Sequence[tuple[str, Fraction]], *, case: bool
) -> Callable[[str], Fraction]:
    return lambda text: next(
        (share for pattern, share in patterns if matches(pattern, text, case=case)), ZERO
    )


def draw_ranges(random: Random) -> list[tuple[Fraction, Fraction, Fraction]]:
    """Return numbers with their margins and shares; the first earns everything."""
    ranges = []
    for n in range(random.randint(1, 3)):
        margin = random.choice([ZERO, Fraction(1, 10), Fraction(1, 2), ONE])
        share = ONE if n == 0 else draw_share(random, negative=False)
        ranges.append((draw_number(random), margin, share))
    random.shuffle(ranges)
    return ranges


def score_ranges(
    ranges: Sequence[tuple[Fraction, Fraction, Fraction]],
) -> Callable[[Fraction], Fraction]:
    return lambda number: next(
        (share for middle, margin, share in ranges if abs(number - middle) <= margin), ZERO
    )


def list_ends(ranges: Sequence[tuple[Fraction, Fraction, Fraction]]) -> list[Fraction]:
    return [
        end for middle, margin, _ in ranges for end in (middle, middle - margin, middle + margin)
    ]


def pair_trials(
    random: Random,
    rights: Sequence[str],
    others: Sequence[str],
    score: Callable[[Mapping[int, str]], Fraction],
) -> tuple[Trial, ...]:
    every = list(dict.fromkeys([*rights, *others]))
    answers: list[dict[int, str]] = [dict(enumerate(rights))]
    for _ in range(8):
        places = random.sample(range(len(rights)), random.randint(1, len(rights)))
        answers.append({at: random.choice(every) for at in sorted(places)})
    return tuple(Trial(pair(answer), score(answer), str(answer)) for answer in answers)


PLAIN = ("iron", "gold", "salt", "sand", "silk", "wool", "rain", "snow", "tin", "lead")


def score_pairs(rights: Sequence[str]) -> Callable[[Mapping[int, str]], Fraction]:
    return lambda answer: Fraction(
        sum(rights[at] == text for at, text in answer.items()), len(rights)
    )


def score_order(grading_type: str) -> Callable[[Sequence[int]], Fraction]:
    def score(order: Sequence[int]) -> Fraction:
        count = len(order)
        following = sum(order[n + 1] == order[n] + 1 for n in range(count - 1))
        first, last = order[0] == 0, order[-1] == count - 1
        return {
            "ALL_OR_NOTHING": Fraction(list(order) == sorted(order)),
            "ABSOLUTE_POSITION": Fraction(sum(n == at for n, at in enumerate(order)), count),
            "RELATIVE_NEXT_EXCLUDE_LAST": Fraction(following, count - 1),
            "RELATIVE_NEXT_INCLUDE_LAST": Fraction(following + last, count),
            "RELATIVE_ONE_PREVIOUS_AND_NEXT": Fraction(2 * following + first + last, 2 * count),
            "RELATIVE_TO_CORRECT": Fraction(
                sum(count - 1 - abs(n - at) for n, at in enumerate(order)), count * (count - 1)
            ),
        }[grading_type]

    return score


def order_trials(
    random: Random, words: Sequence[str], score: Callable[[Sequence[int]], Fraction]
) -> tuple[Trial, ...]:
    orders = [list(range(len(words)))]
    orders += [random.sample(range(len(words)), len(words)) for _ in range(8)]
    return tuple(
        Trial(arrange([words[n] for n in order]), score(order), str(order)) for order in orders
    )
