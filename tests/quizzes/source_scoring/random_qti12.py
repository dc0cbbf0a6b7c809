"""Random items of QTI 1.2, each with what sampled answers earn by it."""

import unicodedata
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from random import Random

from tests.quizzes.source_scoring.random_answers import (
    ONE,
    PLAIN,
    ZERO,
    RandomItem,
    Trial,
    choice_trials,
    decimal,
    draw_number,
    draw_words,
    fill,
    number_trials,
    text_trials,
)


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
