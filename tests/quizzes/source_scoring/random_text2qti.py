"""Random items of text2qti, each with what sampled answers earn by it."""

import unicodedata
from fractions import Fraction
from random import Random

from tests.quizzes.source_scoring.random_answers import (
    ONE,
    PLAIN,
    ZERO,
    RandomItem,
    choice_trials,
    clamp,
    decimal,
    draw_number,
    draw_words,
    number_trials,
    text_trials,
)


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
