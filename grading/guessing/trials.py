"""How many answers tell the key of a question to who sees each time what was right and wrong."""

from collections import Counter

from grading.choice.structure import load_content as load_options
from grading.cloze.structure import OPTIONS, SINGLE_CHOICE, load_gaps
from grading.json_types import Content
from grading.matching.structure import load_content as load_sides
from grading.ordering.structure import load_items


def count_trials(kind: str, content: Content) -> int | None:
    """Return after how many answers at most nobody need guess; None: however many, they do.

    Of several options all are ticked at once, and each says what it is; of one out of n, and of
    each place of a matching or an ordering, n - 1 wrong ones leave the right one.
    """
    match kind:
        case "multiple_choice":
            return 1
        case "single_choice" | "true_false":
            question = load_options(content)
            return max(1, len(question.ids) - 1 + question.none_apply)
        case "matching":
            return max(1, len(load_sides(content).rights) - 1)
        case "ordering":
            return max(1, len(load_items(content)) - 1)
        case "cloze":
            return _count_trials_of_gaps(content)
    return None


def _count_trials_of_gaps(content: Content) -> int | None:
    """Return the trials of the gap with most options; None where anything is typed."""
    if any(gap.kind != SINGLE_CHOICE for gap in load_gaps(content)):
        return None
    options = content[OPTIONS]
    counts = Counter(str(row["gap"]) for row in options) if isinstance(options, list) else Counter()
    return max(1, max(counts.values(), default=1) - 1)
