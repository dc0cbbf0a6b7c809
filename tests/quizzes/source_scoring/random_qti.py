"""Random items of QTI 2 and 3, each with what sampled answers earn by it."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
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
    order_trials,
    pair_trials,
    score_order,
    text_trials,
)


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
