"""Patterns: read with bounds, refused where they could run away, and run in one pass."""

import contextlib
import re
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.short_text.automaton import MAX_STATES, compile_pattern, count_states
from grading.short_text.folding import Folding, fold_letters
from grading.short_text.pattern import MAX_DEPTH, MAX_LENGTH, MAX_TIMES, PatternError, parse_pattern
from grading.short_text.row_matching import find_match
from grading.short_text.structure import AcceptedText
from tests.cpu_time import measure_cpu

STRICT = Folding(case=True, punctuation=True)
LOOSE = Folding(accents=False, spaces="ignored")


def matches(pattern, text, folding=STRICT):
    return compile_pattern(pattern, folding).matches(text)


@pytest.mark.parametrize(
    ("spaces", "text", "is_taken"),
    [
        ("counted", "a b", True),
        ("counted", " a b ", True),
        ("counted", "a  b", False),
        ("collapsed", "a  b", True),
        ("collapsed", "ab", False),
    ],
)
def test_blanks_count_for_a_pattern_as_the_author_says(spaces, text, is_taken):
    row = AcceptedText("a", "[Aa] b", Fraction(1), pattern=True)
    folding = Folding(case=True, spaces=spaces, punctuation=True)
    assert (find_match((row,), folding, text) is row) == is_taken


@pytest.mark.parametrize(
    ("pattern", "right", "wrong"),
    [
        ("", [""], ["a"]),
        ("abc", ["abc"], ["ab", "abcd", "xabc", ""]),
        ("a|b|", ["a", "b", ""], ["ab"]),
        ("ab|cd", ["ab", "cd"], ["abd", "acd"]),
        ("^ab$", ["ab"], ["^ab$"]),
        ("colou?r", ["color", "colour"], ["colouur"]),
        ("ab*", ["a", "abbb"], ["", "ba"]),
        ("(ab)+", ["ab", "abab"], ["", "aba"]),
        ("(?:ab){2}", ["abab"], ["ab", "ababab"]),
        ("a{2,3}", ["aa", "aaa"], ["a", "aaaa"]),
        ("a{2,}", ["aa", "aaaaa"], ["a"]),
        ("a{,2}", ["", "a", "aa"], ["aaa"]),
        ("a{0}", [""], ["a"]),
        ("a+?b??", ["a", "aab"], ["b"]),
        ("a.c", ["abc", "a.c"], ["ac"]),
        (r"a\.c", ["a.c"], ["abc"]),
        (r"\(\[\{\*\\", [r"([{*\\"[:-1]], ["("]),
        ("[abc]", ["a", "c"], ["d", "ab", ""]),
        ("[a-c]", ["b"], ["-", "d"]),
        ("[a-]", ["a", "-"], ["b"]),
        ("[]a]", ["]", "a"], ["b"]),
        ("[^a-c]", ["d", "]"], ["a"]),
        (r"[\]\-]", ["]", "-"], ["\\"]),
        (r"[\d_]", ["7", "_"], ["a"]),
        (r"[\n]", [" "], ["n"]),
        (r"\d+", ["123", "\u0663"], ["12a"]),
        (r"\D", ["a"], ["1"]),
        (r"\w\W\w", ["a-b", "\u00f1 b"], ["abc"]),
        (r"\s\S", [" a"], ["a "]),
        (r"a\tb", ["a b"], ["atb"]),
        (r"[^\s]", ["a"], [" "]),
        ("[\u4e00-\u9fff]+", ["\u6771\u4eac"], ["Tokyo"]),
        ("(a|b|(c))*d", ["abcabd", "d"], ["abc"]),
        ("(a*)*", ["", "aaa"], ["b"]),
        ("(){5}", [""], ["a"]),
        ("a}", ["a}"], ["a"]),
        ("a]", ["a]"], ["a"]),
    ],
)
def test_a_pattern_describes_the_whole_answer(pattern, right, wrong):
    assert [text for text in right if not matches(pattern, text)] == []
    assert [text for text in wrong if matches(pattern, text)] == []


@pytest.mark.parametrize(
    ("pattern", "code", "at"),
    [
        ("(?=a)", "pattern_unsupported", 2),
        ("(?!a)", "pattern_unsupported", 2),
        ("(?<=a)b", "pattern_unsupported", 2),
        ("(?P<x>a)", "pattern_unsupported", 2),
        ("(?i)a", "pattern_unsupported", 2),
        (r"(a)\1", "pattern_unsupported", 4),
        (r"\bword", "pattern_unsupported", 1),
        (r"\x41", "pattern_unsupported", 1),
        (r"[\p]", "pattern_unsupported", 2),
        ("[[:alpha:]]", "pattern_unsupported", 2),
        ("a++", "pattern_unsupported", 3),
        ("a|^b", "pattern_unsupported", 3),
        ("a$|b", "pattern_unsupported", 3),
        ("(a$)b", "pattern_unsupported", 3),
        ("(a", "pattern_malformed", 3),
        ("a)", "pattern_malformed", 2),
        ("[a", "pattern_malformed", 3),
        ("[", "pattern_malformed", 2),
        ("[b-a]", "pattern_malformed", 4),
        (r"[a-\d]", "pattern_malformed", 5),
        ("*a", "pattern_malformed", 1),
        ("a**", "pattern_malformed", 3),
        ("{2}", "pattern_malformed", 1),
        ("a{}", "pattern_malformed", 4),
        ("a{,}", "pattern_malformed", 5),
        ("a{2", "pattern_malformed", 4),
        ("a{x}", "pattern_malformed", 3),
        ("a{3,2}", "pattern_malformed", 6),
        ("a\\", "pattern_malformed", 3),
        ("a{201}", "pattern_too_large", 5),
        ("(" * 41 + ")" * 41, "pattern_too_large", 41),
        ("a" * 501, "pattern_too_long", 501),
        ("(a{100}){100}", "pattern_too_large", 1),
    ],
)
def test_what_cannot_be_read_or_bounded_is_refused_at_its_place(pattern, code, at):
    with pytest.raises(PatternError) as refused:
        compile_pattern(pattern, STRICT)
    assert (refused.value.code, refused.value.at + 1) == (code, at)


def test_the_bounds_themselves_are_still_allowed():
    assert matches("a" * (MAX_LENGTH - 10), "a" * (MAX_LENGTH - 10))
    assert matches("(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH, "a")
    assert matches(f"a{{{MAX_TIMES}}}", "a" * MAX_TIMES)


def test_a_tower_of_repeats_is_counted_before_it_is_built():
    def compile_tower() -> None:
        with pytest.raises(PatternError):
            compile_pattern("(" * 30 + "a" + "{200})" * 30, STRICT)

    assert measure_cpu(compile_tower, tries=3) < 0.1


@pytest.mark.parametrize(
    ("pattern", "text", "folding"),
    [
        ("Caf\u00c9", "cafe", LOOSE),
        ("cafe\u0301", "caf\u00e9", STRICT),
        ("[\u00c9\u00c8]t\u00e9", "ete", LOOSE),
        ("[A-Z]+", "abc", LOOSE),
        ("[\u00c0-\u00ff]", "e", LOOSE),
        ("stra\u00dfe", "strasse", LOOSE),
        ("\u00df{2}", "ssss", LOOSE),
        ("\u201ca\u201d", '"a"', STRICT),
        ("A.B", "a\u00f1b", Folding(accents=True)),
    ],
)
def test_letters_of_a_pattern_are_folded_as_those_of_the_answer(pattern, text, folding):
    assert matches(pattern, text, folding)


def test_case_and_accents_that_count_are_told_apart():
    assert not matches("Caf\u00e9", "caf\u00e9", STRICT)
    assert not matches("Caf\u00e9", "Cafe", STRICT)
    assert not matches("[^\u00e9]", "e", LOOSE)


PATTERNS = st.recursive(
    st.sampled_from(["a", "b", ".", "[ab]", "[^a]", ""]),
    lambda inner: (
        st.tuples(inner, inner).map("".join)
        | st.tuples(inner, inner).map(lambda pair: f"({pair[0]}|{pair[1]})")
        | st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{2,}"])).map(
            lambda pair: f"({pair[0]}){pair[1]}"
        )
    ),
    max_leaves=5,
)


@given(PATTERNS, st.text("abc", max_size=6))
def test_a_pattern_agrees_with_the_standard_librarys_expressions(pattern, text):
    assert matches(pattern, text) == bool(re.fullmatch(pattern, text))


@given(PATTERNS)
def test_no_automaton_has_more_states_than_were_counted(pattern):
    assert (
        compile_pattern(pattern, STRICT).states <= count_states(parse_pattern(pattern, STRICT)) + 1
    )


@given(st.text("ab()[]{}|*+?.^$\\-12,:=<dsW\u00e9", max_size=12), st.text("ab1", max_size=4))
def test_any_text_is_a_pattern_or_refused(pattern, text):
    with contextlib.suppress(PatternError):
        matches(pattern, fold_letters(text, LOOSE), LOOSE)


@pytest.mark.parametrize(
    "pattern",
    ["(a*)*b", "(a|a)*b", "(a|aa)+b", "(.*a){20}b", "a?" * 100 + "a" * 100 + "b", "(.*.*.*)*b"],
)
def test_patterns_that_hang_others_take_no_time(pattern):
    begun = time.process_time()
    assert not matches(pattern, "a" * 500)
    assert time.process_time() - begun < 1


def test_an_answer_of_many_letters_is_forgotten_again():
    """What is remembered between answers is bounded, whatever they are made of."""
    built = compile_pattern("(.|..){1,70}x?", STRICT)
    for start in range(0x4E00, 0x4E00 + 2800, 70):
        assert built.matches("".join(map(chr, range(start, start + 70))))
    assert len(built._moves) <= 1000
    assert len(built._taking) <= 1000
    assert built.states < MAX_STATES
