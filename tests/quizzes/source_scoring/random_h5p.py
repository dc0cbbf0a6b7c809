"""Random items of H5P, each with what sampled answers earn by it."""

from fractions import Fraction
from random import Random

from tests.quizzes.formats.h5p.packages import package
from tests.quizzes.source_scoring.random_answers import (
    PLAIN,
    RandomItem,
    Trial,
    choice_trials,
    clamp,
    fill,
)


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
