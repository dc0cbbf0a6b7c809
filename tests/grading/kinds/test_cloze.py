"""Texts with gaps, drawn at random: what must hold whatever gaps there are and what stands in."""

from fractions import Fraction
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from grading.contract import InvalidAnswer, ItemScore, Problem
from grading.kinds import KINDS
from tests.cpu_time import measure_cpu
from tests.grading.cloze.questions import CONTENT, KEY, MODEL
from tests.grading.strategies import JSON

kind: Any = KINDS["cloze"]
SCORING_METHOD = st.sampled_from(kind.scoring_methods)
NAMES = [
    "gaps",
    "options",
    "accepted",
    "numbers",
    "id",
    "gap",
    "placeholder",
    "kind",
    "points",
    "right",
]
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.sampled_from(
        ["", "capital", "river", "pi", "single_choice", "short_text", "numeric", "3.14", "exact"]
    )
)
MALFORMED = st.recursive(
    VALUES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=5)
    ),
    max_leaves=20,
)
OBJECTS = st.dictionaries(st.sampled_from(NAMES), MALFORMED, max_size=6)
CHOSEN = st.sampled_from(["madrid", "rome"]).map(lambda id_: {"chosen": [id_]})
WRITTEN = st.sampled_from(["Ebro", "Tajo", "Duero", "EBRO ", "*", ""]).map(
    lambda text: {"text": text}
)
TYPED = st.sampled_from(["3.14", "3.1", "157/50", "314e-2", ""]).map(
    lambda typed: {"typed": typed, "language": "en"}
)
FILLED = st.fixed_dictionaries({}, optional={"capital": CHOSEN, "river": WRITTEN, "pi": TYPED})


def marked(gaps, scoring_method="per_gap"):
    return kind.score(CONTENT, KEY, kind.parse(CONTENT, {"gaps": gaps}), scoring_method)


@given(FILLED, SCORING_METHOD)
def test_a_credit_is_a_share_that_its_ledger_adds_up_to(gaps, scoring_method):
    mark = marked(gaps, scoring_method)
    assert isinstance(mark, ItemScore)
    assert 0 <= mark.credit <= 1
    assert sum(line.earned for line in mark.ledger) == mark.credit


@given(FILLED)
def test_each_gap_earns_by_itself_whatever_stands_in_the_others(gaps):
    apart = [marked({id_: answer}).credit for id_, answer in gaps.items()]
    assert marked(gaps).credit == sum(apart, Fraction(0))


@given(FILLED, st.sampled_from(sorted(MODEL)))
def test_filling_one_more_gap_rightly_never_earns_less(gaps, id_):
    for scoring_method in kind.scoring_methods:
        assert (
            marked({**gaps, id_: MODEL[id_]}, scoring_method).credit
            >= marked(gaps, scoring_method).credit
        )


@given(FILLED)
def test_a_canonical_answer_is_read_as_itself(gaps):
    answer = kind.parse(CONTENT, {"gaps": gaps})
    assert kind.parse(CONTENT, answer) == answer


@given(st.integers(-(10**6), 10**6), st.integers(0, 4))
def test_the_language_of_a_number_never_changes_a_mark(digits, places):
    english = f"{digits / 10**places:.{places}f}" if places else str(digits)
    key = {**KEY, "numbers": [{"id": "n", "gap": "pi", "value": english}]}
    for typed, language in ((english, "en"), (english.replace(".", ","), "es")):
        raw = {"gaps": {"pi": {"typed": typed, "language": language}}}
        answer = kind.parse(CONTENT, raw)
        if isinstance(answer, InvalidAnswer):  # 1.234 may be a thousand and more: it costs nothing
            assert answer.code == "ambiguous_number"
            continue
        assert kind.score(CONTENT, key, answer, "per_gap").credit == Fraction(1, 2)


@given(st.permutations(["madrid", "rome"]), FILLED)
def test_the_order_of_options_never_changes_a_mark(order, gaps):
    content = {**CONTENT, "options": [{"id": id_, "gap": "capital"} for id_ in order]}
    assert kind.public_view(content, order).parts["gaps"][0]["options"] == order
    mark = kind.score(content, KEY, kind.parse(content, {"gaps": gaps}), "per_gap")
    assert mark.credit == marked(gaps).credit


@given(OBJECTS, OBJECTS)
def test_checking_survives_whatever_a_draft_holds(content, key):
    problems = kind.validate(content, key, "per_gap")
    assert all(isinstance(problem, Problem) for problem in problems)


@given(OBJECTS, OBJECTS)
def test_checking_survives_a_question_half_of_which_is_sound(content, key):
    kind.validate({**CONTENT, **content}, {**KEY, **key}, "per_gap")


@given(JSON | MALFORMED | st.dictionaries(st.sampled_from(["capital", "river", "pi"]), JSON))
def test_whatever_is_sent_is_read_or_refused_and_never_echoed(raw):
    for sent in (raw, {"gaps": raw}):
        read = kind.parse(CONTENT, sent)
        assert read is None or isinstance(read, dict | InvalidAnswer)
        if isinstance(read, InvalidAnswer):
            assert set(read.detail) <= {"where", "maximum"}


def test_content_and_key_are_stored_as_the_shape_says():
    content, key = kind.schema.dump(kind.schema.load(CONTENT, KEY))
    gaps = [{**gap, "sort": "words"} for gap in CONTENT["gaps"]]
    assert content == {**CONTENT, "gaps": gaps}
    assert kind.validate(content, key, "per_gap") == ()
    assert kind.score(content, key, {"gaps": MODEL}, "per_gap").credit == 1


def test_every_row_has_an_id_that_words_can_be_said_to():
    assert kind.schema.list_row_ids(CONTENT, KEY) == (
        *("capital", "river", "pi", "madrid", "rome"),
        *("ebro", "tajo", "near"),
    )


def test_ten_thousand_answers_are_marked_in_under_a_second():
    """A class fills gaps with the same few hundred words; the fastest of three tries is ours."""
    answers = [{"gaps": {**MODEL, "river": {"text": f"Ebro {n % 500}"}}} for n in range(10_000)]

    def score_all() -> None:
        for answer in answers:
            kind.score(CONTENT, KEY, answer, "per_gap")

    assert measure_cpu(score_all, tries=3) < 1


@given(FILLED, SCORING_METHOD)
def test_what_earns_is_never_called_wrong(gaps, scoring_method):
    """Neither an option nor the gap that it stands in, whose own line earns nothing."""
    gap_of = {row["id"]: row["gap"] for name in ("options", "accepted", "numbers")
              for row in (*CONTENT.get(name, ()), *KEY.get(name, ()))
              if isinstance(row, dict)}  # fmt: skip
    lines = marked(gaps, scoring_method).ledger
    earning = {line.part for line in lines if line.earned > 0 and line.reason != "rightly_left"}
    earning |= {gap_of[part] for part in earning if part in gap_of}
    assert not [line for line in lines if line.right is False and line.part in earning]
