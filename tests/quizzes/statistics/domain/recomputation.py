"""The measures once more, from their definitions: lists of marks, sums in floats, no tables."""

import math
import statistics
from collections.abc import Iterator
from typing import Any


def covariance(xs, ys):
    mean_x, mean_y = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    return math.fsum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / (
        len(xs) - 1
    )


def correlation(xs, ys):
    spread = math.sqrt(covariance(xs, xs) * covariance(ys, ys))
    return covariance(xs, ys) / spread if spread > 1e-12 else None


def columns(attempts):
    """Return the marks of each question, a list each."""
    return [
        [float(attempt.responses[place].mark) for attempt in attempts]
        for place in range(len(attempts[0].responses))
    ]


def recompute_question(attempts, place):
    marks = columns(attempts)[place]
    totals = [sum(row) for row in zip(*columns(attempts), strict=True)]
    rests = [total - mark for total, mark in zip(totals, marks, strict=True)]
    credit = [float(attempt.responses[place].credit) for attempt in attempts]
    largest = covariance(sorted(marks), sorted(rests))
    return {
        "facility": statistics.fmean(credit),
        "sd": statistics.stdev(credit),
        "discrimination": correlation(marks, rests),
        "efficiency": covariance(marks, rests) / largest if largest > 1e-12 else None,
        "covariance_with_total": covariance(marks, totals),
    }


def recompute_alpha(attempts):
    """Return alpha by the mean covariance of questions: k^2 * mean / variance of totals."""
    marks = columns(attempts)
    k = len(marks)
    pairs = [covariance(marks[i], marks[j]) for i in range(k) for j in range(k) if i != j]
    variance = statistics.variance([sum(row) for row in zip(*marks, strict=True)])
    return k**2 * statistics.fmean(pairs) / variance if variance > 1e-12 else None


def recompute_option(attempts, place, option):
    chosen = [float(option in attempt.responses[place].choice) for attempt in attempts]
    rests = [float(attempt.mark_total - attempt.responses[place].mark) for attempt in attempts]
    return sum(chosen), correlation(chosen, rests)


def recompute_thirds(attempts, place, option):
    """Return chosen and size of the lower, middle and upper third, each attempt by its own rank."""
    totals = [attempt.mark_total for attempt in attempts]
    groups = [[0, 0], [0, 0], [0, 0]]
    for attempt in attempts:
        below = sum(total < attempt.mark_total for total in totals)
        equal = sum(total == attempt.mark_total for total in totals)
        rank = 3 * (2 * below + equal)
        group = groups[0 if rank < 2 * len(totals) else 2 if rank > 4 * len(totals) else 1]
        group[0] += option in attempt.responses[place].choice
        group[1] += 1
    return [tuple(group) for group in groups]


def differs(measured, expected):
    if measured is None or expected is None:
        return measured is not expected
    return abs(float(measured) - expected) > 1e-9 * max(1, abs(expected))


def find_differences(attempts: Any, quiz: Any, questions: Any, options: Any) -> Iterator[str]:
    """Yield what of the measures of these attempts is not what the definitions say, to 1e-9."""
    scores = [float(attempt.score) for attempt in attempts]
    expected = {
        "mean": statistics.fmean(scores),
        "median": statistics.median(scores),
        "sd": statistics.stdev(scores),
    }
    for name, figure in expected.items():
        if differs(getattr(quiz.scores, name), figure):
            yield name
    if differs(quiz.reliability.coefficient, recompute_alpha(attempts)):
        yield "alpha"
    for place, measures in enumerate(questions):
        for name, figure in recompute_question(attempts, place).items():
            measured = getattr(measures, name)
            if differs(measured.value if name == "discrimination" else measured, figure):
                yield f"{name} of question {place}"
        yield from find_option_differences(attempts, place, options[place])


def find_option_differences(attempts, place, options):
    for option in options:
        chosen, point_biserial = recompute_option(attempts, place, option.option)
        if option.chosen != chosen or differs(option.discrimination.value, point_biserial):
            yield f"option {option.option} of question {place}"
        groups = [(group.chosen, group.n) for group in option.groups]
        if groups != recompute_thirds(attempts, place, option.option):
            yield f"thirds of option {option.option} of question {place}"
