"""Random items of every format with scoring rules, each with what sampled answers earn by it.

What an answer earns is computed here from what was drawn, by the words of each format's own
documentation: no file is read for it, and none of the code that imports or compares is called.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from html import escape
from random import Random
from typing import Any

from quizzes.formats.contract import ParsedQuestion
from tests.quizzes.formats.h5p.packages import package

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


# --- how answers are given here -----------------------------------------------------------------


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


# --- what is drawn ------------------------------------------------------------------------------


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


# --- GIFT ---------------------------------------------------------------------------------------


def escape_gift(text: str) -> str:
    return re.sub(r"([~=#{}:])", r"\\\1", text)


def draw_gift_choice(random: Random) -> RandomItem:
    words = draw_words(random, random.randint(2, 5))
    many = random.random() < 0.5
    shares = [draw_share(random) for _ in words]
    if many:
        marks = [f"~%{percent(share)}%" for share in shares]
    else:
        right = random.randrange(len(words))
        shares[right] = ONE
        marks = ["=" if n == right else f"~%{percent(share)}%" if share else "~"
                 for n, share in enumerate(shares)]  # fmt: skip
    body = " ".join(f"{mark}{escape_gift(word)}" for mark, word in zip(marks, words, strict=True))

    def score(places: frozenset[int]) -> Fraction:
        total = sum((shares[place] for place in places), ZERO)
        return clamp(total) if many else total

    text = f"::q::Which one of these?{{{body}}}"
    return RandomItem(text.encode(), "gift", choice_trials(random, words, score, many=many))


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


def draw_gift_words(random: Random) -> RandomItem:
    patterns = draw_patterns(random)
    body = " ".join(
        f"={'' if share == 1 else f'%{percent(share)}%'}{escape_gift(pattern)}"
        for pattern, share in patterns
    )
    texts = [re.sub(r"\\?\*", "q", pattern) for pattern, _ in patterns]
    trials = text_trials(random, texts, score_patterns(patterns, case=False))
    return RandomItem(f"::q::What is it?{{{body}}}".encode(), "gift", trials)


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


def draw_gift_numbers(random: Random) -> RandomItem:
    ranges = draw_ranges(random)
    parts = []
    for middle, margin, share in ranges:
        number = f"{decimal(middle)}:{decimal(margin)}" if margin else decimal(middle)
        if random.random() < 0.3:
            number = f"{decimal(middle - margin)}..{decimal(middle + margin)}"
        parts.append(f"={'' if share == 1 else f'%{percent(share)}%'}{number}")
    trials = number_trials(random, list_ends(ranges), score_ranges(ranges))
    return RandomItem(f"::q::How many?{{#{' '.join(parts)}}}".encode(), "gift", trials)


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


def draw_gift_pairs(random: Random) -> RandomItem:
    words = random.sample(PLAIN, random.randint(6, 10))
    count = random.randint(3, len(words) // 2)
    lefts, rights = words[:count], words[count : 2 * count]
    if random.random() < 0.3:
        rights[0] = rights[1]
    body = " ".join(f"={left} -> {right}" for left, right in zip(lefts, rights, strict=True))
    trials = pair_trials(random, rights, [], score_pairs(rights))
    return RandomItem(f"::q::Pair them.{{{body}}}".encode(), "gift", trials)


def draw_gift_truth(random: Random) -> RandomItem:
    right = random.random() < 0.5
    text = f"::q::It is so.{{{'T' if right else 'FALSE'}}}"
    trials = choice_trials(
        random, ["true", "false"], lambda places: Fraction((0 in places) == right), many=False
    )
    return RandomItem(text.encode(), "gift", trials)


# --- Moodle XML ---------------------------------------------------------------------------------


def write_moodle(kind: str, prompt: str, inner: str) -> bytes:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><quiz><question type="{kind}"><name><text>q</text>'
        f'</name><questiontext format="html"><text><![CDATA[<p>{prompt}</p>]]></text>'
        f"</questiontext><defaultgrade>1</defaultgrade><penalty>0</penalty>{inner}</question></quiz>"
    ).encode()


def write_answers(answers: Sequence[tuple[str, Fraction]], extra: Sequence[str] = ()) -> str:
    extras = extra or [""] * len(answers)
    return "".join(
        f'<answer fraction="{percent(share)}" format="plain_text"><text>{escape(text)}</text>{more}'
        "</answer>"
        for (text, share), more in zip(answers, extras, strict=True)
    )


def draw_moodle_choice(random: Random) -> RandomItem:
    words = draw_words(random, random.randint(2, 6))
    many = random.random() < 0.5
    shares = [draw_share(random) for _ in words]
    if not many:
        shares[random.randrange(len(words))] = ONE
    elif random.random() < 0.5:
        right = random.randint(1, len(words))
        part, cost = Fraction(1, right), Fraction(random.choice([0, -1, -1]), right)
        rounded = Fraction(round(part * 100_000), 100_000)
        shares = [rounded if n < right else cost for n in range(len(words))]
        random.shuffle(shares)
    answers = "".join(
        f'<answer fraction="{float(share * 100):.5f}" format="plain_text"><text>{escape(word)}'
        "</text></answer>"
        for word, share in zip(words, shares, strict=True)
    )
    inner = f"<single>{str(not many).lower()}</single>{answers}"

    def score(places: frozenset[int]) -> Fraction:
        total = sum((shares[place] for place in places), ZERO)
        return clamp(total) if many else total

    data = write_moodle("multichoice", "Which?", inner)
    return RandomItem(data, "moodle-xml", choice_trials(random, words, score, many=many))


def draw_moodle_words(random: Random) -> RandomItem:
    patterns, case = draw_patterns(random), random.random() < 0.5
    inner = f"<usecase>{int(case)}</usecase>{write_answers(patterns)}"
    texts = [re.sub(r"\\?\*", "q", pattern) for pattern, _ in patterns]
    trials = text_trials(random, texts, score_patterns(patterns, case=case))
    return RandomItem(write_moodle("shortanswer", "What?", inner), "moodle-xml", trials)


def draw_moodle_numbers(random: Random) -> RandomItem:
    ranges = draw_ranges(random)
    answers = [(decimal(middle), share) for middle, _, share in ranges]
    margins = [f"<tolerance>{decimal(margin)}</tolerance>" for _, margin, _ in ranges]
    score, ends = score_ranges(ranges), list_ends(ranges)
    if random.random() < 0.3:
        other = draw_share(random)
        answers, margins = [*answers, ("*", other)], [*margins, "<tolerance>0</tolerance>"]
        ranges = [*ranges, (ZERO, Fraction(10**9), other)]
        score = score_ranges(ranges)
    data = write_moodle("numerical", "How many?", write_answers(answers, margins))
    return RandomItem(data, "moodle-xml", number_trials(random, ends, score))


def draw_moodle_pairs(random: Random) -> RandomItem:
    words = random.sample(PLAIN, 8)
    lefts, rights = words[:3], words[3:6]
    others = words[6 : 6 + random.randint(0, 2)]
    if random.random() < 0.3:
        rights[0] = rights[1]
    inner = "".join(
        f'<subquestion format="html"><text>{left}</text><answer><text>{right}</text></answer>'
        "</subquestion>"
        for left, right in [*zip(lefts, rights, strict=True), *(("", other) for other in others)]
    )
    trials = pair_trials(random, rights, others, score_pairs(rights))
    return RandomItem(write_moodle("matching", "Pair.", inner), "moodle-xml", trials)


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


ORDERS = (
    "ALL_OR_NOTHING", "ABSOLUTE_POSITION", "RELATIVE_NEXT_EXCLUDE_LAST",
    "RELATIVE_NEXT_INCLUDE_LAST", "RELATIVE_ONE_PREVIOUS_AND_NEXT", "RELATIVE_TO_CORRECT",
)  # fmt: skip


def order_trials(
    random: Random, words: Sequence[str], score: Callable[[Sequence[int]], Fraction]
) -> tuple[Trial, ...]:
    orders = [list(range(len(words)))]
    orders += [random.sample(range(len(words)), len(words)) for _ in range(8)]
    return tuple(
        Trial(arrange([words[n] for n in order]), score(order), str(order)) for order in orders
    )


def draw_moodle_order(random: Random) -> RandomItem:
    words = random.sample(PLAIN, random.randint(3, 6))
    grading_type = random.choice(ORDERS)
    answers = "".join(
        f'<answer fraction="{n}" format="html"><text>{word}</text></answer>'
        for n, word in enumerate(words, start=1)
    )
    inner = f"<gradingtype>{grading_type}</gradingtype><selecttype>ALL</selecttype>{answers}"
    trials = order_trials(random, words, score_order(grading_type))
    return RandomItem(write_moodle("ordering", "Order.", inner), "moodle-xml", trials)


def _score_number(rule: Callable[[Fraction], Fraction], text: Any) -> Fraction:
    return rule(Fraction(text))


def draw_moodle_gaps(random: Random) -> RandomItem:
    parts, scores, weights = [], list[Callable[[Any], Fraction]](), list[int]()
    values: list[list[Any]] = []
    for _ in range(random.randint(1, 4)):
        weight = random.choice([1, 1, 2, 3, 0, 10])
        kind = random.choice(["MULTICHOICE", "SHORTANSWER", "SAC", "NUMERICAL"])
        if kind == "NUMERICAL":
            ranges = draw_ranges(random)
            body = "~".join(
                f"{'=' if share == 1 else f'%{percent(share)}%'}{decimal(middle)}"
                f"{f':{decimal(margin)}' if margin else ''}"
                for middle, margin, share in ranges
            )
            rule = score_ranges(ranges)
            scores.append(partial(_score_number, rule))
            values.append([decimal(end) for end in list_ends(ranges)] + ["98765"])
        elif kind == "MULTICHOICE":
            words = random.sample(PLAIN, random.randint(2, 4))
            shares = [draw_share(random) for _ in words]
            shares[random.randrange(len(words))] = ONE
            body = "~".join(
                f"{'=' if share == 1 else f'%{percent(share)}%'}{word}"
                for word, share in zip(words, shares, strict=True)
            )
            scores.append(shares.__getitem__)
            values.append([*range(len(words))])
        else:
            words = random.sample(PLAIN, random.randint(1, 3))
            patterns = [
                (word, ONE if n == 0 else draw_share(random)) for n, word in enumerate(words)
            ]
            body = "~".join(
                f"{'=' if share == 1 else f'%{percent(share)}%'}{word}" for word, share in patterns
            )
            scores.append(score_patterns(patterns, case=kind == "SAC"))
            values.append(
                [variant for word in words for variant in (word, word.upper(), f"{word}!")]
            )
        parts.append(f"{{{weight or 0}:{kind}:{body}}}")
        weights.append(weight)
    full = sum(weights) or 1
    trials = []
    for _ in range(12):
        answer = {n: random.choice(values[n]) for n in range(len(parts)) if random.random() < 0.8}
        total = sum((weights[n] * scores[n](entered) for n, entered in answer.items()), ZERO)
        if answer:
            trials.append(Trial(fill(answer), total / full, str(answer)))
    data = write_moodle("cloze", "Gaps: " + " and ".join(parts), "")
    return RandomItem(data, "moodle-xml", tuple(trials))


def draw_moodle_truth(random: Random) -> RandomItem:
    right = random.random() < 0.5
    answers = [("true", Fraction(right)), ("false", Fraction(not right))]
    trials = choice_trials(
        random, ["true", "false"], lambda places: Fraction((0 in places) == right), many=False
    )
    return RandomItem(
        write_moodle("truefalse", "So?", write_answers(answers)), "moodle-xml", trials
    )


# --- QTI 1.2 ------------------------------------------------------------------------------------


def write_qti12(question_type: str, presentation: str, decvar: str, conditions: str) -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><questestinterop><assessment ident="A" title="t">'
        '<section ident="s"><item ident="i" title="q"><itemmetadata><qtimetadata>'
        f"<qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>{question_type}"
        "</fieldentry></qtimetadatafield></qtimetadata></itemmetadata><presentation><material>"
        f'<mattext texttype="text/html">Which?</mattext></material>{presentation}</presentation>'
        f'<resprocessing><outcomes><decvar {decvar} varname="SCORE" vartype="Decimal"/></outcomes>'
        f"{conditions}</resprocessing></item></section></assessment></questestinterop>"
    ).encode()


def write_labels(words: Sequence[str]) -> str:
    return "".join(
        f'<response_label ident="o{n}"><material><mattext texttype="text/plain">{escape(word)}'
        "</mattext></material></response_label>"
        for n, word in enumerate(words)
    )


def write_condition(test: str, points: str, action: str = "Set", *, stops: bool = True) -> str:
    return (
        f'<respcondition continue="{"No" if stops else "Yes"}"><conditionvar>{test}</conditionvar>'
        f'<setvar action="{action}" varname="SCORE">{points}</setvar></respcondition>'
    )


def equal(text: str, response: str = "r", attributes: str = "") -> str:
    return f'<varequal respident="{response}"{attributes}>{escape(text)}</varequal>'


def draw_qti12_choice(random: Random) -> RandomItem:
    words = draw_words(random, random.randint(2, 5))
    points = [Fraction(random.choice([0, 0, 50, 25, -50, -25])) for _ in words]
    points[random.randrange(len(words))] = Fraction(100)
    minimum = random.choice([None, ZERO, Fraction(-20)])
    conditions = "".join(
        write_condition(equal(f"o{n}"), decimal(earned))
        for n, earned in enumerate(points)
        if earned
    )
    low = "" if minimum is None else f' minvalue="{decimal(minimum)}"'

    def score(places: frozenset[int]) -> Fraction:
        (place,) = places
        earned = points[place] if minimum is None else max(points[place], minimum)
        return earned / 100

    labels = f'<response_lid ident="r" rcardinality="Single"><render_choice>{write_labels(words)}'
    data = write_qti12(
        "multiple_choice_question", f"{labels}</render_choice></response_lid>",
        f'maxvalue="100"{low}', conditions,
    )  # fmt: skip
    return RandomItem(data, "qti-1.2", choice_trials(random, words, score, many=False))


def draw_qti12_several(random: Random) -> RandomItem:
    words = draw_words(random, random.randint(3, 6))
    right = sorted(random.sample(range(len(words)), random.randint(1, len(words) - 1)))
    labels = f'<response_lid ident="r" rcardinality="Multiple"><render_choice>{write_labels(words)}'
    labels += "</render_choice></response_lid>"
    if random.random() < 0.4:
        tests = "".join(
            equal(f"o{n}") if n in right else f"<not>{equal(f'o{n}')}</not>"
            for n in range(len(words))
        )
        conditions = write_condition(f"<and>{tests}</and>", "100")
        data = write_qti12(
            "multiple_answers_question", labels, 'maxvalue="100" minvalue="0"', conditions
        )
        trials = choice_trials(
            random, words, lambda places: Fraction(places == frozenset(right)), many=True
        )
        return RandomItem(data, "qti-1.2", trials)
    points = [
        Fraction(random.choice([1, 2, 3]))
        if n in right
        else Fraction(random.choice([0, -1, -2, -9]))
        for n in range(len(words))
    ]
    full = sum((earned for earned in points if earned > 0), ZERO)
    maximum = random.choice([full, full, full - 1 or full, full + 5])
    minimum = random.choice([None, ZERO, Fraction(-1)])
    low = "" if minimum is None else f' minvalue="{decimal(minimum)}"'
    conditions = "".join(
        write_condition(equal(f"o{n}"), decimal(earned), "Add", stops=False)
        for n, earned in enumerate(points)
        if earned
    )

    def score(places: frozenset[int]) -> Fraction:
        total = min(sum((points[place] for place in places), ZERO), maximum)
        total = total if minimum is None else max(total, minimum)
        return total / min(maximum, full)

    data = write_qti12("", labels, f'maxvalue="{decimal(maximum)}"{low}', conditions)
    return RandomItem(data, "qti-1.2", choice_trials(random, words, score, many=True))


def draw_qti12_words(random: Random) -> RandomItem:
    words = draw_words(random, random.randint(1, 4))
    points = [Fraction(100), *(Fraction(random.choice([100, 50, 25, -50])) for _ in words[1:])]
    cases = [random.random() < 0.3 for _ in words]
    attributes = [' case="Yes"' if case else "" for case in cases]
    conditions = "".join(
        write_condition(equal(word, "r", attribute), decimal(earned))
        for word, attribute, earned in zip(words, attributes, points, strict=True)
    )

    def score(text: str) -> Fraction:
        typed = unicodedata.normalize("NFC", text.strip())
        return next(
            (
                earned / 100
                for word, case, earned in zip(words, cases, points, strict=True)
                if (typed == word if case else typed.lower() == word.lower())
            ),
            ZERO,
        )

    presentation = (
        '<response_str ident="r" rcardinality="Single"><render_fib><response_label ident="a"/>'
        "</render_fib></response_str>"
    )
    data = write_qti12("short_answer_question", presentation, 'maxvalue="100"', conditions)
    return RandomItem(data, "qti-1.2", text_trials(random, words, score))


def draw_qti12_numbers(random: Random) -> RandomItem:
    middle, margin = draw_number(random), random.choice([ZERO, Fraction(1, 2), ONE])
    is_open = bool(margin) and random.random() < 0.4
    signs = ("vargt", "varlt") if is_open else ("vargte", "varlte")
    low, high = (
        f'<{sign} respident="r">{decimal(end)}</{sign}>'
        for sign, end in zip(signs, (middle - margin, middle + margin), strict=True)
    )
    test = equal(decimal(middle)) if not margin else f"<and>{low}{high}</and>"
    if margin and random.random() < 0.5:
        test = f"<or>{equal(decimal(middle))}{test}</or>"

    def score(number: Fraction) -> Fraction:
        distance = abs(number - middle)
        return Fraction(distance < margin if is_open else distance <= margin)

    presentation = (
        '<response_str ident="r" rcardinality="Single"><render_fib fibtype="Decimal">'
        '<response_label ident="a"/></render_fib></response_str>'
    )
    data = write_qti12(
        "numerical_question",
        presentation,
        'maxvalue="100" minvalue="0"',
        write_condition(test, "100"),
    )
    ends = [middle, middle - margin, middle + margin]
    return RandomItem(data, "qti-1.2", number_trials(random, ends, score))


def draw_qti12_blanks(random: Random) -> RandomItem:
    words = [random.sample(PLAIN, random.randint(1, 3)) for _ in range(random.randint(2, 3))]
    points = [Fraction(random.choice([1, 1, 2])) for _ in words]
    full = sum(points, ZERO)
    presentation, conditions = "", ""
    for n, accepted in enumerate(words):
        labels = "".join(
            f'<response_label ident="{n}{k}"><material><mattext>{word}</mattext></material>'
            "</response_label>"
            for k, word in enumerate(accepted)
        )
        presentation += (
            f'<response_lid ident="response_g{n}"><material><mattext>g{n}</mattext></material>'
            f"<render_choice>{labels}</render_choice></response_lid>"
        )
        for k, _ in enumerate(accepted):
            conditions += write_condition(
                equal(f"{n}{k}", f"response_g{n}"), decimal(points[n]), "Add", stops=False
            )
    trials = []
    for _ in range(10):
        answer: dict[int, int | str] = {
            n: random.choice([*accepted, accepted[0].upper(), "other"])
            for n, accepted in enumerate(words)
            if random.random() < 0.8
        }
        total = sum(
            (points[n] for n, text in answer.items() if str(text).lower() in words[n]), ZERO
        )
        if answer:
            trials.append(Trial(fill(answer), total / full, str(answer)))
    decvar = f'maxvalue="{decimal(full)}" minvalue="0"'
    data = write_qti12("fill_in_multiple_blanks_question", presentation, decvar, conditions)
    prompt = " and ".join(f"[g{n}]" for n in range(len(words)))
    return RandomItem(data.replace(b"Which?", prompt.encode()), "qti-1.2", tuple(trials))


# --- QTI 2 and 3 --------------------------------------------------------------------------------


def write_qti(declaration: str, body: str, processing: str, *, three: bool) -> tuple[bytes, str]:
    text = (
        '<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i"'
        f' title="q" adaptive="false" timeDependent="false">{declaration}<outcomeDeclaration'
        ' identifier="SCORE" cardinality="single" baseType="float"><defaultValue><value>0</value>'
        f"</defaultValue></outcomeDeclaration><itemBody><p>Which?</p>{body}</itemBody>{processing}"
        "</assessmentItem>"
    )
    if not three:
        return text.encode(), "qti-2"
    text = text.replace("imsqti_v2p1", "imsqtiasi_v3p0").replace(
        "/xsd/imsqti", "/xsd/qti/qtiv3p0/imsqti"
    )
    text = re.sub(r"(</?)(?=[a-z]+[A-Z]|(?:gap|mapping|value|equal|variable|correct)\b)([A-Za-z]+)",
                  lambda match: match[1] + "qti-" + hyphenate(match[2]), text)  # fmt: skip
    text = re.sub(r' ([a-z]+[A-Z][A-Za-z]*)="', lambda match: f' {hyphenate(match[1])}="', text)
    return text.encode(), "qti-3"


def hyphenate(name: str) -> str:
    return re.sub(r"[A-Z]", lambda match: "-" + match[0].lower(), name)


MAP = ('<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/'
       'map_response"/>')  # fmt: skip
MATCH = MAP.replace("map_response", "match_correct")


def declare(
    cardinality: str, base_type: str, correct: Sequence[str],
    mapping: Sequence[tuple[str, Fraction]] = (), attributes: str = "",
) -> str:  # fmt: skip
    values = "".join(f"<value>{escape(value)}</value>" for value in correct)
    entries = "".join(
        f'<mapEntry mapKey="{escape(key)}" mappedValue="{decimal(points)}"/>'
        for key, points in mapping
    )
    mapped = f"<mapping{attributes}>{entries}</mapping>" if mapping else ""
    return (
        f'<responseDeclaration identifier="RESPONSE" cardinality="{cardinality}"'
        f' baseType="{base_type}"><correctResponse>{values}</correctResponse>{mapped}'
        "</responseDeclaration>"
    )


def draw_qti_choice(random: Random) -> RandomItem:
    words = draw_words(random, random.randint(2, 5))
    many = random.random() < 0.6
    count = random.randint(1, len(words) - 1) if many else 1
    right = sorted(random.sample(range(len(words)), count))
    body = (
        '<choiceInteraction responseIdentifier="RESPONSE" shuffle="false"'
        f' maxChoices="{0 if many else 1}">'
        + "".join(
            f'<simpleChoice identifier="o{n}">{escape(word)}</simpleChoice>'
            for n, word in enumerate(words)
        )
        + "</choiceInteraction>"
    )
    cardinality = "multiple" if many else "single"
    correct = [f"o{n}" for n in right]
    three = random.random() < 0.5
    if random.random() < 0.3:
        data, format_ = write_qti(
            declare(cardinality, "identifier", correct), body, MATCH, three=three
        )
        trials = choice_trials(
            random, words, lambda places: Fraction(places == frozenset(right)), many=many
        )
        return RandomItem(data, format_, trials)
    points = [
        Fraction(random.choice([1, 1, 2]))
        if n in right
        else Fraction(random.choice([0, -1, -1, -5]), random.choice([1, 2]))
        for n in range(len(words))
    ]
    default = random.choice([ZERO, ZERO, Fraction(-1, 2)])
    full = sum((earned for earned in points if earned > 0), ZERO)
    lower = random.choice([None, ZERO, ZERO, Fraction(-1)])
    upper = random.choice([None, full, full])
    attributes = f' defaultValue="{decimal(default)}"'
    attributes += "" if lower is None else f' lowerBound="{decimal(lower)}"'
    attributes += "" if upper is None else f' upperBound="{decimal(upper)}"'
    mapping = [(f"o{n}", earned) for n, earned in enumerate(points) if earned]

    def score(places: frozenset[int]) -> Fraction:
        total = sum((points[place] or default for place in places), ZERO)
        total = total if lower is None else max(total, lower)
        return (total if upper is None else min(total, upper)) / full

    declaration = declare(cardinality, "identifier", correct, mapping, attributes)
    data, format_ = write_qti(declaration, body, MAP, three=three)
    return RandomItem(data, format_, choice_trials(random, words, score, many=many))


def draw_qti_words(random: Random) -> RandomItem:
    words = draw_words(random, random.randint(1, 4))
    points = [
        ONE,
        *(Fraction(random.choice([1, 1, -1]), random.choice([1, 2, 4])) for _ in words[1:]),
    ]
    cases = [random.random() < 0.5 for _ in words]
    declaration = declare("single", "string", words[:1], list(zip(words, points, strict=True)))
    for word, case in zip(words, cases, strict=True):
        declaration = declaration.replace(
            f'mapKey="{escape(word)}"',
            f'mapKey="{escape(word)}" caseSensitive="{str(case).lower()}"',
        )

    def score(text: str) -> Fraction:
        return next(
            (
                earned
                for word, case, earned in zip(words, cases, points, strict=True)
                if (text == word if case else text.lower() == word.lower())
            ),
            ZERO,
        )

    body = '<p>It is <textEntryInteraction responseIdentifier="RESPONSE"/>.</p>'
    data, format_ = write_qti(declaration, body, MAP, three=random.random() < 0.5)
    # Blanks at the ends count there, where a key has one; whoever types is not held to them here.
    trials = tuple(
        trial
        for trial in text_trials(random, words, score)
        if trial.label == unicodedata.normalize("NFC", trial.label)
        and trial.label[1:-1] == trial.label[1:-1].strip()
    )
    return RandomItem(data, format_, trials)


def draw_qti_numbers(random: Random) -> RandomItem:
    middle, mode = draw_number(random), random.choice(["absolute", "relative", "exact"])
    margins = [
        random.choice([Fraction(1, 2), ONE, Fraction(2)]) for _ in range(random.choice([1, 2]))
    ]
    unit = abs(middle) / 100 if mode == "relative" else ONE
    low, high = (ZERO, ZERO) if mode == "exact" else (margins[0] * unit, margins[-1] * unit)
    ends = [not middle or random.random() < 0.7, not middle or random.random() < 0.7]
    tolerance = "" if mode == "exact" else f' tolerance="{" ".join(map(decimal, margins))}"'
    flags = (
        ""
        if mode == "exact"
        else "".join(
            f' include{side}Bound="{str(flag).lower()}"'
            for side, flag in zip(("Lower", "Upper"), ends, strict=True)
        )
    )
    processing = (
        f'<responseProcessing><responseCondition><responseIf><equal toleranceMode="{mode}"'
        f"{tolerance}"
        f'{flags}><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></equal>'
        '<setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue>'
        "</setOutcomeValue></responseIf></responseCondition></responseProcessing>"
    )

    def score(number: Fraction) -> Fraction:
        if mode == "exact":
            return Fraction(number == middle)
        is_above = number > middle - low or (number == middle - low and ends[0])
        is_below = number < middle + high or (number == middle + high and ends[1])
        return Fraction(is_above and is_below)

    body = '<p>It is <textEntryInteraction responseIdentifier="RESPONSE"/>.</p>'
    declaration = declare("single", "float", [decimal(middle)])
    data, format_ = write_qti(declaration, body, processing, three=random.random() < 0.5)
    return RandomItem(
        data, format_, number_trials(random, [middle, middle - low, middle + high], score)
    )


def draw_qti_gaps(random: Random) -> RandomItem:
    words = random.sample(PLAIN, random.randint(2, 4))
    count = random.randint(1, min(3, len(words)))
    points = {}
    for gap in range(count):
        for place in range(len(words)):
            if place == gap:
                points[place, gap] = Fraction(random.choice([1, 1, 2, 3]))
            elif random.random() < 0.4:
                points[place, gap] = Fraction(random.choice([-1, -2, 1]), random.choice([1, 2]))
    full = sum(
        (max([earned for (_, gap), earned in points.items() if gap == n]) for n in range(count)),
        ZERO,
    )
    default = random.choice([ZERO, ZERO, Fraction(-1, 2)])
    lower = random.choice([None, ZERO, Fraction(-1)])
    attributes = f' defaultValue="{decimal(default)}"'
    attributes += "" if lower is None else f' lowerBound="{decimal(lower)}"'
    mapping = [(f"W{place} G{gap}", earned) for (place, gap), earned in points.items()]
    correct = [f"W{n} G{n}" for n in range(count)]
    texts = "".join(
        f'<gapText identifier="W{n}" matchMax="{count}">{word}</gapText>'
        for n, word in enumerate(words)
    )
    gaps = " and ".join(f'<gap identifier="G{n}"/>' for n in range(count))
    body = (
        f'<gapMatchInteraction responseIdentifier="RESPONSE">{texts}<p>It {gaps}.</p>'
        "</gapMatchInteraction>"
    )
    trials = []
    for _ in range(12):
        answer: dict[int, int | str] = {
            gap: random.randrange(len(words)) for gap in range(count) if random.random() < 0.8
        }
        total = sum((points.get((int(place), gap), default) for gap, place in answer.items()), ZERO)
        total = total if lower is None else max(total, lower)
        if answer:
            trials.append(Trial(fill(answer), total / full, str(answer)))
    declaration = declare("multiple", "directedPair", correct, mapping, attributes)
    data, format_ = write_qti(declaration, body, MAP, three=random.random() < 0.5)
    return RandomItem(data, format_, tuple(trials))


def draw_qti_pairs(random: Random) -> RandomItem:
    words = random.sample(PLAIN, 8)
    count = random.randint(2, 3)
    lefts, rights = words[:count], words[count : count + random.randint(count, 4)]
    earned = [Fraction(random.choice([1, 1, 2])) for _ in lefts]
    full = sum(earned, ZERO)
    default = random.choice([ZERO, ZERO, -earned[0]])
    lower = random.choice([None, ZERO])
    attributes = f' defaultValue="{decimal(default)}"'
    attributes += "" if lower is None else f' lowerBound="{decimal(lower)}"'
    mapping = [(f"L{n} R{n}", earned[n]) for n in range(count)]
    sides = "".join(
        "<simpleMatchSet>"
        + "".join(
            f'<simpleAssociableChoice identifier="{side}{n}" matchMax="1">{word}'
            "</simpleAssociableChoice>"
            for n, word in enumerate(texts)
        )
        + "</simpleMatchSet>"
        for side, texts in (("L", lefts), ("R", rights))
    )
    body = (
        f'<matchInteraction responseIdentifier="RESPONSE" shuffle="false">{sides}'
        "</matchInteraction>"
    )
    is_whole = random.random() < 0.3

    def score(answer: Mapping[int, str]) -> Fraction:
        if is_whole:
            return Fraction(answer == dict(enumerate(rights[:count])))
        total = sum(
            (earned[at] if rights[at] == text else default for at, text in answer.items()), ZERO
        )
        return (total if lower is None else max(total, lower)) / full

    correct = [f"L{n} R{n}" for n in range(count)]
    declaration = declare(
        "multiple", "directedPair", correct, () if is_whole else mapping, attributes
    )
    processing = MATCH if is_whole else MAP
    data, format_ = write_qti(declaration, body, processing, three=random.random() < 0.5)
    return RandomItem(data, format_, pair_trials(random, rights[:count], rights[count:], score))


def draw_qti_order(random: Random) -> RandomItem:
    words = random.sample(PLAIN, random.randint(3, 5))
    listed = random.sample(range(len(words)), len(words))
    choices = "".join(f'<simpleChoice identifier="o{n}">{words[n]}</simpleChoice>' for n in listed)
    body = (
        f'<orderInteraction responseIdentifier="RESPONSE" shuffle="true">{choices}'
        "</orderInteraction>"
    )
    declaration = declare("ordered", "identifier", [f"o{n}" for n in range(len(words))])
    data, format_ = write_qti(declaration, body, MATCH, three=random.random() < 0.5)
    return RandomItem(data, format_, order_trials(random, words, score_order("ALL_OR_NOTHING")))


# --- Open edX, text2qti, H5P --------------------------------------------------------------------


def draw_olx_choice(random: Random) -> RandomItem:
    words = random.sample(PLAIN, random.randint(2, 6))
    if random.random() < 0.4:
        right = random.randrange(len(words))
        shares = [ONE if n == right else ZERO for n in range(len(words))]
        partial = random.random() < 0.5
        if partial:
            shares = [
                share or random.choice([ZERO, Fraction(1, 2), Fraction(3, 10)]) for share in shares
            ]
        choices = "".join(
            f'<choice correct="{"true" if share == 1 else "partial" if share else "false"}"'
            + (f' point_value="{decimal(share)}"' if 0 < share < 1 else "")
            + f">{word}</choice>"
            for word, share in zip(words, shares, strict=True)
        )
        attribute = ' partial_credit="points"' if partial else ""
        text = (
            f"<problem><multiplechoiceresponse{attribute}><label>Which?</label><choicegroup>{choices}"
            "</choicegroup></multiplechoiceresponse></problem>"
        )
        trials = choice_trials(
            random, words, lambda places: sum((shares[n] for n in places), ZERO), many=False
        )
        return RandomItem(text.encode(), "olx", trials)
    right_places = frozenset(random.sample(range(len(words)), random.randint(1, len(words))))
    method = random.choice(["", "EDC", "halves"])
    choices = "".join(
        f'<choice correct="{str(n in right_places).lower()}">{word}</choice>'
        for n, word in enumerate(words)
    )
    attribute = f' partial_credit="{method}"' if method else ""
    text = (
        f"<problem><choiceresponse{attribute}><label>Which?</label><checkboxgroup>{choices}"
        "</checkboxgroup></choiceresponse></problem>"
    )

    def score(places: frozenset[int]) -> Fraction:
        errors, count = len(places ^ right_places), len(words)
        if method == "EDC":
            return Fraction(count - errors, count)
        if method == "halves":
            if errors == 1 and count > 2:
                return Fraction(1, 2)
            if errors == 2 and count > 4:
                return Fraction(1, 4)
        return Fraction(errors == 0)

    return RandomItem(text.encode(), "olx", choice_trials(random, words, score, many=True))


def draw_olx_words(random: Random) -> RandomItem:
    words, case = draw_words(random, random.randint(1, 3)), random.random() < 0.5
    more = "".join(f'<additional_answer answer="{escape(word)}"/>' for word in words[1:])
    form = "" if case else ' type="ci"'
    text = (
        f'<problem><stringresponse answer="{escape(words[0])}"{form}>'
        f'<label>What?</label>{more}<textline size="20"/></stringresponse></problem>'
    )

    def score(typed: str) -> Fraction:
        stripped = unicodedata.normalize("NFC", typed.strip())
        if case:
            return Fraction(stripped in words)
        return Fraction(stripped.lower() in [word.lower() for word in words])

    return RandomItem(text.encode(), "olx", text_trials(random, words, score))


def draw_olx_numbers(random: Random) -> RandomItem:
    middle, margin = draw_number(random), random.choice([None, "0.5", "10%", "1"])
    low = high = middle
    answer = decimal(middle)
    ends = "[]"
    if random.random() < 0.4:
        ends, low, high = random.choice("[(") + random.choice(")]"), middle - 1, middle + 2
        answer, margin = f"{ends[0]}{decimal(low)},{decimal(high)}{ends[1]}", None
    elif margin:
        around = abs(middle) / 10 if "%" in margin else Fraction(margin)
        low, high = middle - around, middle + around
    param = f'<responseparam type="tolerance" default="{margin}"/>' if margin else ""
    text = (
        f'<problem><numericalresponse answer="{answer}"><label>How many?</label>{param}'
        "<formulaequationinput/></numericalresponse></problem>"
    )

    def score(number: Fraction) -> Fraction:
        is_above = number > low or (number == low and ends[0] == "[")
        is_below = number < high or (number == high and ends[1] == "]")
        return Fraction(is_above and is_below)

    trials = number_trials(random, [middle, low, high], score)
    if margin is None and ends == "[]":  # what is within 0.001 % counts there
        near = abs(middle) / 100_000
        trials = tuple(trial for trial in trials
                       if not 0 < abs(Fraction(trial.label) - middle) <= near)  # fmt: skip
    return RandomItem(text.encode(), "olx", trials)


def draw_text2qti(random: Random) -> RandomItem:
    words = random.sample(PLAIN, random.randint(3, 5))
    drawn = random.random()
    if drawn < 0.4:
        right = random.randrange(len(words))
        lines = [f"{'*' if n == right else ''}{'abcde'[n]}) {word}" for n, word in enumerate(words)]
        trials = choice_trials(
            random, words, lambda places: Fraction(places == {right}), many=False
        )
    elif drawn < 0.7:
        places_right = frozenset(random.sample(range(len(words)), random.randint(1, len(words))))
        lines = [f"[{'*' if n in places_right else ' '}] {word}" for n, word in enumerate(words)]

        def score(places: frozenset[int]) -> Fraction:
            gained, lost = len(places & places_right), len(places - places_right)
            return clamp(Fraction(gained - lost, len(places_right)))

        trials = choice_trials(random, words, score, many=True)
    elif drawn < 0.85:
        texts = draw_words(random, 2)
        lines = [f"* {text}" for text in texts]
        lower = [text.lower() for text in texts]
        trials = text_trials(
            random, texts,
            lambda typed: Fraction(unicodedata.normalize("NFC", typed.strip()).lower() in lower),
        )  # fmt: skip
    else:
        middle, margin = draw_number(random), random.choice([ZERO, ONE, Fraction(1, 2)])
        lines = [f"= {decimal(middle)}{f' +- {decimal(margin)}' if margin else ''}"]
        trials = number_trials(
            random, [middle, middle - margin, middle + margin],
            lambda number: Fraction(abs(number - middle) <= margin),
        )  # fmt: skip
    text = "Quiz title: t\n\n1. Which?\n" + "\n".join(lines) + "\n"
    return RandomItem(text.encode(), "text2qti", trials)


def draw_h5p(random: Random) -> RandomItem:
    words = random.sample(PLAIN, random.randint(2, 5))
    drawn = random.random()
    if drawn < 0.6:
        right = frozenset(random.sample(range(len(words)), random.randint(1, len(words))))
        many, single_point = random.random() < 0.6, random.random() < 0.3
        right = right if many else frozenset(sorted(right)[:1])
        params = {
            "question": "<p>Which?</p>",
            "answers": [{"text": f"<div>{word}</div>", "correct": n in right}
                        for n, word in enumerate(words)],
            "behaviour": {"type": "multi" if many else "single", "singlePoint": single_point},
        }  # fmt: skip

        def score(places: frozenset[int]) -> Fraction:
            share = clamp(Fraction(len(places & right) - len(places - right), len(right)))
            return Fraction(share == 1) if single_point else share

        trials = choice_trials(random, words, score, many=many)
        return RandomItem(package("H5P.MultiChoice", params), "h5p", trials)
    texts = [random.sample(PLAIN, random.randint(1, 2)) for _ in range(random.randint(1, 3))]
    case = random.random() < 0.5
    params = {
        "text": "Fill.",
        "questions": ["<p>It is " + " and ".join(f"*{'/'.join(gap)}*" for gap in texts) + ".</p>"],
        "behaviour": {"caseSensitive": case},
    }
    blank_trials = []
    for _ in range(10):
        answer: dict[int, int | str] = {
            n: random.choice([*gap, gap[0].upper(), "other", f"{gap[0]}."])
            for n, gap in enumerate(texts)
            if random.random() < 0.8
        }
        earned = sum(
            str(text) in texts[n] if case else str(text).lower() in texts[n]
            for n, text in answer.items()
        )
        if answer:
            blank_trials.append(Trial(fill(answer), Fraction(earned, len(texts)), str(answer)))
    return RandomItem(package("H5P.Blanks", params), "h5p", tuple(blank_trials))


DRAWS: Mapping[str, Callable[[Random], RandomItem]] = {
    name.removeprefix("draw_"): draw
    for name, draw in sorted(globals().items())
    if name.startswith("draw_")
    and name not in {"draw_words", "draw_subsets", "draw_share", "draw_number", "draw_patterns",
                     "draw_ranges"}
}  # fmt: skip
