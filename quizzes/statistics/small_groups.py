"""Parts of the attempts that are too few to be shown: they would be the scores of a person.

Who oversees a quiz sees the attempts of their own classes, but its statistics are of all classes.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from quizzes.statistics.domain.cautions import Caution

FEWEST_SHOWN: Final = 5
"""Attempts of a part whose figures are shown."""


def find_small(sizes: Sequence[int]) -> set[int]:
    """Return the places of the parts to withhold: too few, and what would show them by difference.

    What is withheld of a whole is never fewer than FEWEST_SHOWN attempts together, unless it is all
    there is.
    """
    places = sorted(
        (place for place, size in enumerate(sizes) if size), key=lambda place: sizes[place]
    )
    count = sum(sizes[place] < FEWEST_SHOWN for place in places)
    if count and sum(sizes[place] for place in places[:count]) < FEWEST_SHOWN:
        count += 1
    return set(places[:count])


def withhold_small_groups(measures: dict[str, Any]) -> None:
    """Take from the measures of a quiz version the figures of parts that are too few.

    Parts: by language and by attempt number, of the quiz and of each question; thirds of the
    learners at an option; the options of a question that few had. Each says `small_group`.
    """
    sizes = [(group["scores"] or {"n": 0})["n"] for group in measures["groups"]]
    small = _find_small_groups(measures["groups"], sizes)
    measures["groups"] = [
        {
            **group,
            "n": size,
            "scores": None if place in small else group["scores"],
            "cautions": [Caution.SMALL_GROUP.value] if place in small else [],
        }
        for place, (group, size) in enumerate(zip(measures["groups"], sizes, strict=True))
    ]
    measures["questions"] = [_withhold_of_question(row) for row in measures["questions"]]


def _find_small_groups(groups: Sequence[Mapping[str, Any]], sizes: Sequence[int]) -> set[int]:
    """Return the places to withhold; languages are a whole of their own, and so are numbers."""
    small: set[int] = set()
    for name in ("language", "number"):
        places = [place for place, group in enumerate(groups) if name in group]
        small |= {places[index] for index in find_small([sizes[place] for place in places])}
    return small


def _withhold_of_question(row: dict[str, Any]) -> dict[str, Any]:
    small = _find_small_groups(row["groups"], [group["n"] for group in row["groups"]])
    groups = [
        _withhold_of_group(group) if place in small else {**group, "cautions": []}
        for place, group in enumerate(row["groups"])
    ]
    options = row["options"] if row["n"] >= FEWEST_SHOWN else []
    thirds = [third["n"] for option in options for third in option["groups"]]
    has_small_thirds = bool(find_small(thirds))
    if has_small_thirds:
        options = [
            {
                **option,
                "groups": [
                    {"chosen": None, "n": third["n"], "share": None} for third in option["groups"]
                ],
            }
            for option in options
        ]
    is_withheld = has_small_thirds or len(options) < len(row["options"])
    cautions = [*row["cautions"], *([Caution.SMALL_GROUP.value] if is_withheld else [])]
    return {**row, "groups": groups, "options": options, "cautions": cautions}


def _withhold_of_group(group: Mapping[str, Any]) -> dict[str, Any]:
    names = {name: group[name] for name in ("language", "number", "n") if name in group}
    figures = dict.fromkeys(("facility", "facility_interval", "discrimination"))
    return {**names, **figures, "cautions": [Caution.SMALL_GROUP.value]}
