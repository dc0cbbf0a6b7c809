"""Random items of Open edX, each with what sampled answers earn by it."""

import unicodedata
from fractions import Fraction
from html import escape
from random import Random

from tests.quizzes.source_scoring.random_answers import (
    ONE,
    PLAIN,
    ZERO,
    RandomItem,
    choice_trials,
    decimal,
    draw_number,
    draw_words,
    number_trials,
    text_trials,
)


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
