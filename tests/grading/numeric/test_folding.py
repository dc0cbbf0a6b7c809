"""Signs of the same meaning are one sign; letters stay as they are."""

import pytest

from grading.numeric.folding import fold, fold_unit, strip_invisible


@pytest.mark.parametrize("minus", "-‐‑‒–—−﹣－")
def test_every_dash_is_a_minus(minus):
    assert fold(f"{minus}5") == "-5"


@pytest.mark.parametrize("times", "·•∙⋅×✕⨯*＊")
def test_every_dot_and_cross_multiplies(times):
    assert fold(f"2{times}10") == "2*10"


@pytest.mark.parametrize("space", " \t\n\u00a0\u2009\u202f\u3000")
def test_every_space_is_a_space(space):
    assert fold(f" 1{space}{space}000 ") == "1 000"


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("10⁻¹²", "10^-12"),
        ("½", "1/2"),
        ("1½", "1 1/2"),
        ("3⁄4", "3/4"),
        ("１２，５", "12,5"),
        ("5’", "5'"),
    ],
)
def test_what_is_raised_vulgar_or_wide_is_written_out(written, folded):
    assert fold(written) == folded


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("m/s²", "m / s^2"),
        ("µm", "μm"),
        ("kΩ", "k\u2126"),
        ("°C", "ºC"),
        ("℃", "°C"),
        ("N·m", "N × m"),
        ("m s⁻²", "m s^-2"),
        ("Å", "A\u030a"),
    ],
)
def test_one_unit_written_two_ways_is_one_unit(first, other):
    assert fold_unit(first) == fold_unit(other)


@pytest.mark.parametrize(("first", "other"), [("mΩ", "MΩ"), ("g", "G"), ("m", "m²"), ("Pa", "pa")])
def test_units_that_differ_in_case_or_power_differ(first, other):
    assert fold_unit(first) != fold_unit(other)


def test_marks_that_nobody_sees_are_left_out():
    assert strip_invisible(" \u200e3,14\ufeff ") == "3,14"
    assert strip_invisible(" 3,14\n") == "3,14"
