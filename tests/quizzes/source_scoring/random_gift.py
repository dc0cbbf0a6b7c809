"""Random items of GIFT, each with what sampled answers earn by it."""

import re
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
    draw_patterns,
    draw_ranges,
    draw_share,
    draw_words,
    list_ends,
    number_trials,
    pair_trials,
    percent,
    score_pairs,
    score_patterns,
    score_ranges,
    text_trials,
)


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


def draw_gift_words(random: Random) -> RandomItem:
    patterns = draw_patterns(random)
    body = " ".join(
        f"={'' if share == 1 else f'%{percent(share)}%'}{escape_gift(pattern)}"
        for pattern, share in patterns
    )
    texts = [re.sub(r"\\?\*", "q", pattern) for pattern, _ in patterns]
    trials = text_trials(random, texts, score_patterns(patterns, case=False))
    return RandomItem(f"::q::What is it?{{{body}}}".encode(), "gift", trials)


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
