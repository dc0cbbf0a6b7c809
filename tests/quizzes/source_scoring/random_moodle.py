"""Random items of Moodle XML, each with what sampled answers earn by it."""

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from html import escape
from random import Random
from typing import Any

from tests.quizzes.source_scoring.random_answers import (
    ONE,
    PLAIN,
    ZERO,
    RandomItem,
    Trial,
    choice_trials,
    clamp,
    decimal,
    draw_patterns,
    draw_ranges,
    draw_share,
    draw_words,
    fill,
    list_ends,
    number_trials,
    order_trials,
    pair_trials,
    percent,
    score_order,
    score_pairs,
    score_patterns,
    score_ranges,
    text_trials,
)


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


ORDERS = (
    "ALL_OR_NOTHING", "ABSOLUTE_POSITION", "RELATIVE_NEXT_EXCLUDE_LAST",
    "RELATIVE_NEXT_INCLUDE_LAST", "RELATIVE_ONE_PREVIOUS_AND_NEXT", "RELATIVE_TO_CORRECT",
)  # fmt: skip


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
