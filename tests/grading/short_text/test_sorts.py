"""The sorts of typed answers: what each ignores, and that keys are folded as answers are."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grading.contract import InvalidAnswer
from grading.kinds import KINDS
from grading.short_text.folding import Folding, fold
from grading.short_text.parsing import parse_text
from grading.short_text.row_matching import find_match, is_spelled_out
from grading.short_text.sorts import SORTS, SWITCHES
from grading.short_text.structure import AcceptedText, parse_folding
from grading.short_text.wildcard import escape_wildcards
from tests.cpu_time import measure_cpu

kind: Any = KINDS["short_text"]
SORT_NAMES = st.sampled_from(sorted(SORTS))
SIGNS = " .,;:!?¡¿-+*/\\()[]{}<>=_'\"“”–…|&#%^~$@`\u00a0"
TEXT = st.text(f"abAB01éÉñß{SIGNS}", max_size=12) | st.text(max_size=20)
STARRED = st.text(f"ab1é.,!?¡¿ -[(*{' ' * 3}", min_size=1, max_size=10)
FILLING = st.text("abAB01é.,!?¡¿ -[(", max_size=6)
COMPARISONS = st.fixed_dictionaries(
    {"sort": SORT_NAMES},
    optional={name: st.sampled_from(choices) for name, choices in SWITCHES.items()},
)


def literal(text: str, folding: Folding) -> str:
    """Return the key that means this text alone."""
    return escape_wildcards(text) if folding.wildcards else text


def accepts(key: str, answer: str, folding: Folding, *, pattern: bool = False) -> bool:
    rows = (AcceptedText("a", key, pattern=pattern),)
    return find_match(rows, folding, answer) is not None


@pytest.mark.parametrize(
    ("sort", "key", "accepted", "refused"),
    [
        ("words", "Perú", ["perú", " PERÚ. ", "¡Perú!", "Perú?"], ["Peru", "“Perú”"]),
        ("words", "ice cream", ["Ice  cream", "ice cream,"], ["icecream", "ice-cream"]),
        ("words", "a != b", ["A != b"], ["a = b", "a!=b", "a b"]),
        ("words", "!x", ["!X"], ["x", "¡x"]),
        ("words", "-x", ["-X", "–x"], ["x"]),
        ("words", "[1, 2]", ["[1,  2]"], ["(1, 2)", "1, 2", "[1 2]"]),
        ("code", "a != b", ["a != b", " a != b "], ["a = b", "a!=b", "A != b", "a != b;"]),
        ("code", "!x", ["!x"], ["x", "!X"]),
        ("code", "-x", ["-x"], ["x", "-X"]),
        ("code", "[1, 2]", ["[1, 2]"], ["(1, 2)", "[1,2]", "[1,  2]"]),
        ("code", "f();", ["f();"], ["f()", "f ();"]),
        ("code", 'print("é")', ["print(“é”)"], ["print('é')", 'print("e")']),
        ("formula", "E = mc^2", ["E=mc^2", " E = m c ^ 2"], ["e=mc^2", "E=mc2", "E=mc^2."]),
        ("formula", "a - b", ["a-b", "a − b"], ["a+b", "a b"]),
        ("formula", "(a)(b)", ["( a ) ( b )"], ["[a][b]", "(a)*(b)"]),
        ("exact_text", "a “b”", ["a “b”"], ['a "b"', " a “b”", "a “b” ", "a  “b”", "A “b”"]),
        ("exact_text", "1–2", ["1–2"], ["1-2", "1–2."]),
        ("number", "0.5", [".5", "0,5", "1/2", "5e-1", "0.50", " 0.5 "], ["0.51", "5", "half"]),
        ("number", "1250", ["1,250.00", "1250.0", "1.250,00"], ["125", "-1250"]),
        ("number", "none", ["None.", "NONE"], ["0", "no"]),
        ("number", "-3", ["-3.0", "−3"], ["3"]),
    ],
)
def test_each_sort_ignores_what_it_says_and_nothing_else(sort, key, accepted, refused):
    assert [text for text in accepted if not accepts(key, text, SORTS[sort])] == []
    assert [text for text in refused if accepts(key, text, SORTS[sort])] == []


@pytest.mark.parametrize(
    ("sort", "key", "accepted", "refused"),
    [
        ("words", "v1.*", ["v1.2", "V1.", "v1"], ["v12", "v2"]),
        ("words", "n*-1", ["n-1", "N -1", "nx-1"], ["n1", "n+1", "n - 1"]),
        ("words", "a * b", ["a b", "a c b", "a  b"], ["ab", "acb"]),
        ("words", "*. The end", ["x. The end", "x. the end!", ". The end"], ["The end"]),
        ("words", "¡*!", ["Olé", "¡Olé!", ""], []),
        ("words", "a.*!*", ["a", "a.", "a!", "a. b! c", "a.b"], ["ab", "b"]),
        ("code", "f(*);", ["f();", "f(a, b);"], ["f()", "f[a];"]),
        ("code", "x *", ["x", "x y"], ["xy"]),
        ("formula", "x + *", ["x+1", "x + y"], ["x", "x-1"]),
        ("exact_text", "x *", ["x ", "x y"], ["x", "xy"]),
        ("number", "3.*", ["3.1", "3.14", "3"], ["31", "22/7"]),
    ],
)
def test_signs_beside_a_star_count_as_they_do_in_the_answer(sort, key, accepted, refused):
    folding, _ = parse_folding({"sort": sort, "wildcards": "any_text"})
    assert [text for text in accepted if not accepts(key, text, folding)] == []
    assert [text for text in refused if accepts(key, text, folding)] == []


@pytest.mark.parametrize(
    ("sort", "key", "others"),
    [
        ("code", "SELECT * FROM t", ["SELECT a FROM t", "SELECT  FROM t", "SELECT \\* FROM t"]),
        ("code", "*", ["", "x"]),
        ("code", "\\*", ["*", "\\"]),
        ("code", "C:\\\\x", ["C:\\x"]),
        ("formula", "a*b", ["ab", "a+b", "a x b"]),
        ("exact_text", "**bold**", ["bold", "*bold*"]),
    ],
)
def test_where_every_sign_counts_so_do_a_star_and_a_backslash(sort, key, others):
    assert accepts(key, key, SORTS[sort])
    assert [text for text in others if accepts(key, text, SORTS[sort])] == []


@pytest.mark.parametrize("sort", ["words", "number"])
def test_an_author_may_have_stars_literal_in_words_too(sort):
    folding, problems = parse_folding({"sort": sort, "wildcards": "literal"})
    assert problems == ()
    assert accepts("New *", "new *", folding)
    assert not accepts("New *", "New York", folding)
    assert accepts("New *", "New York", SORTS[sort])


@pytest.mark.parametrize(
    ("comparison", "first", "other"),
    [
        ({"sort": "code", "case": "ignored"}, "SELECT", "select"),
        ({"sort": "code", "spaces": "collapsed"}, "a  b", "a b"),
        ({"sort": "code", "spaces": "ignored"}, "f( x )", "f(x)"),
        ({"sort": "code", "punctuation": "ignored"}, "f();", "f()"),
        ({"sort": "exact_text", "accents": "ignored"}, "é", "e"),
        ({"sort": "words", "accents": "ignored"}, "Perú", "peru"),
        ({"sort": "formula", "case": "ignored"}, "X+Y", "x + y"),
        ({"sort": "exact_text", "typography": "ignored"}, "\u201ca\u201d", '"a"'),
    ],
)
def test_an_author_may_change_each_switch(comparison, first, other):
    changed, _ = parse_folding(comparison)
    assert accepts(literal(first, changed), other, changed)
    default = SORTS[comparison["sort"]]
    assert not accepts(literal(first, default), other, default)


@given(COMPARISONS, TEXT)
def test_an_answer_equal_to_a_key_without_star_is_accepted(comparison, text):
    folding, problems = parse_folding(comparison)
    answer = parse_text(text, folding)
    assume(isinstance(answer, str))
    assert problems == ()
    assert accepts(literal(text, folding), str(answer), folding)


@given(COMPARISONS, TEXT)
def test_folding_twice_changes_nothing_more(comparison, text):
    folding, _ = parse_folding(comparison)
    assert fold(fold(text, folding), folding) == fold(text, folding)


@given(COMPARISONS, STARRED, st.lists(FILLING, min_size=10, max_size=10))
def test_an_answer_with_any_text_for_its_stars_is_accepted(comparison, key, fillings):
    folding, _ = parse_folding({**comparison, "wildcards": "any_text"})
    answer = "".join(
        piece + filling
        for piece, filling in zip(key.split("*"), [*fillings[: key.count("*")], ""], strict=True)
    )
    assert accepts(key, answer, folding)


@given(COMPARISONS, STARRED, FILLING)
def test_answers_that_are_alike_are_accepted_by_the_same_keys(comparison, key, text):
    folding, _ = parse_folding({**comparison, "sort": "words"})
    alike = [fold(text, folding), f" {text}  "]
    alike += [] if folding.punctuation else [f"¡{text}!", f"{text} ..."]
    assert {accepts(key, answer, folding) for answer in alike} == {accepts(key, text, folding)}


@given(COMPARISONS, TEXT)
def test_a_pattern_of_the_same_signs_accepts_what_the_key_accepts(comparison, text):
    folding, _ = parse_folding(comparison)
    answer = parse_text(text, folding)
    assume(isinstance(answer, str) and len(answer) < 60)
    pattern = "".join(char if char.isalnum() else f"\\{char}" for char in str(answer))
    assert accepts(pattern, str(answer), folding, pattern=True)


@pytest.mark.parametrize("answer", ["Grey", "grey.", " GREY ! "])
def test_a_pattern_ignores_what_its_sort_ignores(answer):
    assert accepts("gr[ae]y", answer, SORTS["words"], pattern=True)
    assert not accepts("gr[ae]y", answer, SORTS["exact_text"], pattern=True)


@pytest.mark.parametrize("sort", sorted(SORTS))
def test_a_break_in_a_key_is_the_blank_that_it_is_in_an_answer(sort):
    assert accepts("a\r\nb", str(parse_text("a\r\nb", SORTS[sort])), SORTS[sort])


def test_blanks_at_the_ends_are_kept_only_where_they_count():
    assert kind.parse({"sort": "exact_text"}, {"text": " a "}) == {"text": " a "}
    assert kind.parse({"sort": "code"}, {"text": " a "}) == {"text": "a"}
    assert kind.parse({"sort": "exact_text", "spaces": "collapsed"}, {"text": " a "}) == {
        "text": "a"
    }
    assert kind.parse({"sort": "exact_text"}, {"text": "  "}) is None


@pytest.mark.parametrize("text", ["3.125", "1,234"])
def test_a_number_that_could_be_two_is_asked_about(text):
    refused = kind.parse({"sort": "number"}, {"text": text})
    assert refused == InvalidAnswer("ambiguous_number", {"where": "text"})
    assert kind.parse({"sort": "words"}, {"text": text}) == {"text": text}


def test_the_model_answer_of_such_a_number_can_be_typed():
    key = {"accepted": [{"id": "a", "text": "3.125"}]}
    model = kind.correct_answer({"sort": "number"}, key)
    assert kind.parse({"sort": "number"}, model) == model
    assert (model["text"], model["separator"], model["number"]) == ("3.125", "decimal", [25, 8])
    assert kind.score({"sort": "number"}, key, model, "accepted_answers").credit == 1


def test_many_stars_and_signs_at_the_ends_hang_nobody():
    def compare() -> None:
        for key, answer in (("¿*" * 120 + "a" + ".*" * 120, "a" * 500), ("a *" * 160, "a " * 250)):
            accepts(key, answer, SORTS["words"])

    assert measure_cpu(compare, tries=3) < 0.5


@pytest.mark.parametrize(
    ("text", "sort", "pattern", "expected"),
    [
        ("New *", "words", False, False),
        ("New \\*", "words", False, True),
        ("New *", "code", False, True),
        ("New.", "words", True, False),
    ],
)
def test_what_an_accepted_answer_spells_out(text, sort, pattern, expected):
    row = AcceptedText("a", text, pattern=pattern)
    assert is_spelled_out(row, SORTS[sort]) is expected


TAB = "a\tb"
EVERY_CHARACTER = SORTS["exact_text"]


@pytest.mark.parametrize(
    ("key", "pattern"), [(TAB, False), (TAB, True), (r"a\tb", True), (r"a[\t]b", True)]
)
def test_where_every_character_counts_a_tab_is_no_blank(key, pattern):
    assert accepts(key, TAB, EVERY_CHARACTER, pattern=pattern)
    assert not accepts(key, "a b", EVERY_CHARACTER, pattern=pattern)
    assert accepts(key, TAB, SORTS["code"], pattern=pattern)
    assert accepts(key, "a b", SORTS["code"], pattern=pattern)


def test_a_tab_is_kept_where_it_counts_and_lines_are_joined_by_a_blank():
    exact = {"sort": "exact_text"}
    assert kind.parse(exact, {"text": "a\tb\n"}) == {"text": "a\tb "}
    assert kind.parse({}, {"text": TAB}) == {"text": "a b"}
    assert kind.parse(exact, {"text": "\t"}) is None
    assert kind.parse({**exact, "spaces": "collapsed"}, {"text": TAB}) == {"text": "a b"}
    assert not accepts("a b", TAB, EVERY_CHARACTER)
    assert not accepts("a b", "a b\t", EVERY_CHARACTER)
