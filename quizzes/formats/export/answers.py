"""What answers are accepted and what they earn, as writers of several formats need it. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from grading.numeric.exact import parse_exact
from grading.numeric.tolerance import DIGITS, Target
from grading.short_text.folding import COUNTED, Folding
from grading.short_text.schema import COMPARISON
from grading.short_text.structure import parse_folding
from grading.short_text.wildcard import escape_wildcards
from quizzes.formats.contract import ParsedRow
from quizzes.formats.export.option_weights import compute_option_credits
from quizzes.formats.export.tracker import ExportTracker
from quizzes.formats.parsing import none_of_the_above
from quizzes.formats.parsing.percentages import find_simple_fraction, format_decimal
from quizzes.formats.parsing.placeholders import build_placeholder, find_free_word

FULL = Fraction(1)
_STEP = Fraction(1, 1000)


@dataclass(frozen=True, slots=True)
class ExportedOption:
    """One option; `credit` is None where only the complete answer earns anything."""

    ident: str
    text: str
    is_right: bool
    credit: Fraction | None
    is_pinned: bool = False
    feedback: str = ""


def list_options(tracker: ExportTracker) -> list[ExportedOption]:
    """Return the options of a choice, “none of these” as the last of them."""
    rows, is_statement = tracker.rows("options"), tracker.question.kind == "true_false"
    offers_none = not is_statement and bool(tracker.value("none_apply"))
    right = {row.name for row in rows if tracker.value("right", row)}
    credit_by_option = _list_credits(tracker, nothing_right=offers_none and not right)
    options = [
        ExportedOption(
            row.name if is_statement else f"option-{at}",
            tracker.text("options", row),
            row.name in right,
            credit_by_option.get(row.name),
            bool(tracker.value("pinned", row)),
            tracker.feedback("options", row),
        )
        for at, row in enumerate(rows, start=1)
    ]
    if offers_none:
        words = none_of_the_above.render_label(tracker.language)
        credit = (-FULL if right else FULL) if credit_by_option else None
        option = ExportedOption(
            none_of_the_above.IDENTIFIER, words, not right, credit, is_pinned=True
        )
        options.append(option)
    return options


def _list_credits(tracker: ExportTracker, *, nothing_right: bool) -> Mapping[str, Fraction]:
    """Return what choosing each option earns; {} where only the complete answer does.

    Scoring methods that no sum of options can express are warned of elsewhere; they pay as the
    default does. Where nothing is right, each option costs everything.
    """
    question = tracker.question
    has_weights = question.scoring_method == "option_weights"
    has_many = question.kind == "multiple_choice"
    if question.scoring_method == "all_or_nothing" or not (has_many or has_weights):
        return {}
    if nothing_right:
        return {row.name: -FULL for row in tracker.rows("options")}
    credit_by_option = compute_option_credits(tracker)
    positive = [credit for credit in credit_by_option.values() if credit > 0] or [Fraction(0)]
    if has_weights and (sum(positive) if has_many else max(positive)) < 1:
        tracker.warn("shares_stretched")
    return credit_by_option


def number_rows(rows: Iterable[ParsedRow], prefix: str) -> dict[str, str]:
    """Return an identifier for each row, by its name: `left-1`, `left-2` …."""
    return {row.name: f"{prefix}-{number}" for number, row in enumerate(rows, start=1)}


def list_pair_shares(tracker: ExportTracker) -> dict[str, Fraction]:
    """Return the part of all points that the pair of each left counts, by the left's name."""
    points = {row.name: int(str(tracker.value("points", row))) for row in tracker.rows("lefts")}
    return {name: Fraction(n, sum(points.values())) for name, n in points.items()}


def list_score_feedback(tracker: ExportTracker, *supported: int) -> list[tuple[Fraction, str]]:
    """Return the feedback from a score on; other scores than the supported ones are warned of."""
    bands = []
    for row in tracker.rows("score_feedback"):
        begin, text = tracker.ratio("from", row), tracker.feedback("score_feedback", row)
        if supported and begin not in supported:
            tracker.warn("score_feedback_left_out")
        else:
            bands.append((begin, text))
    return bands


@dataclass(frozen=True, slots=True)
class ExportedGap:
    """One gap: `name` is that of its response, `share` its part of all points."""

    row: str
    mark: str
    name: str
    placeholder: str
    kind: str
    points: Fraction
    share: Fraction


def list_gaps(tracker: ExportTracker, can_be_name: Callable[[str], bool]) -> list[ExportedGap]:
    """Return the gaps of a text, each named by its mark if that is possible."""
    texts = (text for texts in tracker.question.all_texts for text in texts.values())
    rows, word = tracker.rows("gaps"), find_free_word(texts)
    marks = [str(tracker.value("placeholder", row)) for row in rows]
    points = [Fraction(int(str(tracker.value("points", row)))) for row in rows]
    gaps: list[ExportedGap] = []
    for number, (row, mark) in enumerate(zip(rows, marks, strict=True), start=1):
        name = mark
        if not can_be_name(mark):
            name = f"gap_{number}"
            while name in {*marks, *(gap.name for gap in gaps)} or not can_be_name(name):
                name += "_"
        placeholder, kind = build_placeholder(word, number), str(tracker.value("kind", row))
        share = points[number - 1] / (sum(points) or FULL)
        gap = ExportedGap(row.name, mark, name, placeholder, kind, points[number - 1], share)
        gaps.append(gap)
    return gaps


def can_score_together(tracker: ExportTracker, *, are_plain: bool) -> bool:
    """Return whether each gap has a single plain answer, so that all are scored by one test."""
    rows = (*tracker.rows("accepted"), *tracker.rows("numbers"))
    if are_plain and len({row.values.get("gap") for row in rows}) == len(rows):
        return True
    tracker.warn("scoring_method_left_out", scoring_method="all_or_nothing")
    return False


def list_gap_rows(tracker: ExportTracker, table: str, gap: str = "") -> list[ParsedRow]:
    """Return the rows of a table that belong to a gap; without one, all of them."""
    rows = tracker.rows(table)
    return [row for row in rows if not gap or tracker.value("gap", row) == gap]


def list_accepted(tracker: ExportTracker, gap: str = "") -> Iterator[tuple[ParsedRow, str]]:
    """Yield the accepted texts of a question or of a gap that are not patterns.

    In each a star stands for any text; one that does not in its question is escaped.
    """
    for row in list_gap_rows(tracker, "accepted", gap):
        text = str(tracker.value("text", row) or "")
        if tracker.value("pattern", row):
            tracker.warn("pattern_left_out")
        else:
            place = str(tracker.value("gap", row) or "")
            has_wildcards = read_comparison(tracker, place).wildcards
            yield row, text if has_wildcards else escape_wildcards(text)


def read_comparison(tracker: ExportTracker, gap: str = "") -> Folding:
    """Return how answers typed to a question, or into one of its gaps, are compared."""
    row = next((row for row in tracker.rows("gaps") if row.name == gap), None) if gap else None
    return parse_folding({field.name: tracker.value(field.name, row) for field in COMPARISON})[0]


def warn_of_comparison(
    tracker: ExportTracker, *, has_case: bool = True, keeps_end_blanks: bool = False
) -> None:
    """Warn where a question ignores accents, blanks or signs and the format cannot.

    A format that cannot let capitals count does not have case. One that keeps blanks around an
    answer is read so, if there are any.
    """
    foldings = dict(_list_foldings(tracker))
    if any(not _is_strict(folding) for folding in foldings.values()):
        tracker.warn("comparison_stricter")
    for gap, folding in foldings.items():
        texts = [text for _, text in list_accepted(tracker, gap)]
        is_kept = keeps_end_blanks and any(text != text.strip() for text in texts)
        if folding.has_counted_ends and not is_kept:
            tracker.warn("end_blanks_left_out")
    if not has_case and any(folding.case for folding in foldings.values()):
        tracker.warn("setting_left_out", part="case")


def _list_foldings(tracker: ExportTracker) -> Iterator[tuple[str, Folding]]:
    """Yield how answers are compared wherever words are typed, by gap."""
    if not tracker.rows("gaps"):
        folding = read_comparison(tracker)
        if tracker.rows("accepted"):
            yield "", folding
    for row in tracker.rows("gaps"):
        folding = read_comparison(tracker, row.name)
        if tracker.value("kind", row) == "short_text":
            yield row.name, folding


def _is_strict(folding: Folding) -> bool:
    """Return whether all that others compare is compared, too."""
    signs_count = folding.accents and folding.punctuation and folding.typography
    return signs_count and folding.spaces == COUNTED and not folding.by_value


def read_target(tracker: ExportTracker, row: ParsedRow) -> Target | None:
    """Return an accepted number with its tolerance; None, with a warning, if it is unreadable."""
    value, margin = str(tracker.value("value", row)), str(tracker.value("margin", row) or "0")
    tolerance = str(tracker.value("tolerance", row))
    if tolerance == DIGITS:
        tracker.warn("digits_left_out")
    try:
        return Target(parse_exact(value), tolerance, parse_exact(margin))
    except ValueError:
        tracker.warn("number_unreadable", number=f"{value} {margin}"[:60])
        return None


def write_decimal(tracker: ExportTracker, value: Fraction, text: str = "") -> str:
    """Return a number as its author wrote it if that is a decimal, else computed and rounded."""
    if text and "/" not in text:
        return text.strip()
    if Fraction(format_decimal(value)) != value:
        tracker.warn("number_rounded", number=str(value)[:60])
    return format_decimal(value)


def write_points(tracker: ExportTracker, share: Fraction, total: Fraction) -> str:
    """Return a share of the points; one that will be read differently is warned of."""
    text = format_decimal(share * total)
    if find_simple_fraction(Fraction(text) / total, _STEP) != share:
        tracker.warn("share_rounded")
    return text
