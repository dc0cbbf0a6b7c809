"""The colours of code can be read, and the font of formulas can set them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CODE = (ROOT / "static/web/css/code.css").read_text()
MATH = (ROOT / "static/web/css/math.css").read_text()
PAIR = re.compile(r"--code-(\w+): light-dark\(#(\w{6}), #(\w{6})\);")
PALETTE = {name: (light, dark) for name, light, dark in PAIR.findall(CODE)}
INKS = sorted(PALETTE.keys() - {"bg", "line"})


def luminance(colour):
    def linear(part):
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(int(colour[i : i + 2], 16) / 255) for i in (0, 2, 4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first, other):
    dark, light = sorted((luminance(first), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_computed_as_in_wcag():
    assert contrast("000000", "ffffff") == pytest.approx(21)
    assert contrast("767676", "ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ink", INKS)
def test_code_can_be_read_in_both_themes(ink, theme):
    assert contrast(PALETTE[ink][theme], PALETTE["bg"][theme]) >= 4.5


def test_every_colour_of_code_is_in_the_palette():
    used = set(re.findall(r"var\(--code-(\w+)\)", CODE)) - {"bg", "line"}
    assert used == set(INKS)
    assert len(INKS) >= 10


def test_the_fonts_of_formulas_are_here_with_their_licence():
    names = re.findall(r'url\("\.\./fonts/([\w-]+)\.woff2"\)', MATH)
    assert names == ["ochenta-math-rare", "ochenta-math"]
    fonts = [(ROOT / f"static/web/fonts/{name}.woff2").read_bytes() for name in names]
    assert {font[:4] for font in fonts} == {b"wOF2"}
    assert all(len(font) < most for font, most in zip(fonts, (150_000, 45_000), strict=True))
    assert (ROOT / "static/web/fonts/ochenta-math.LICENSE.txt").read_text().strip()
