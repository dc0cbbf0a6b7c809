"""Make the font of formulas anew: `python tools/math_font.py texgyrepagella-math.otf`.

For developers, in an environment of their own with fonttools and brotli; the site needs neither.
The two `unicode-range` lists of `static/web/css/math.css` say which characters go where.
"""

import re
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

STATIC = Path(__file__).parents[1] / "static/web"
FAMILY = "Ochenta Math"
FAMILY_NAMES = {1: FAMILY, 3: f"{FAMILY}; subset of TeX Gyre Pagella Math", 4: FAMILY, 16: FAMILY}
POSTSCRIPT_NAME, POSTSCRIPT_RECORD = "OchentaMath-Regular", 6
SMALL_SIZES = "0123456789+\u2212\u2032\u2033\u2034"
"""Characters that keep shapes of their own for the sizes of scripts: a prime without is too small.

Chromium draws no others, and they were half of the file.
"""


def main() -> None:
    """Write both files from the unmodified font."""
    rare, common = _read_ranges()
    _write(sys.argv[1], common, STATIC / "fonts/ochenta-math.woff2")
    _write(sys.argv[1], rare - common, STATIC / "fonts/ochenta-math-rare.woff2")


def _read_ranges() -> list[set[int]]:
    """Return the code points of each list, in the order of the style sheet."""
    lists = re.findall(r"unicode-range:([^;]+);", (STATIC / "css/math.css").read_text())
    return [
        {
            point
            for first, last in re.findall(r"U\+(\w+)(?:-(\w+))?", ranges)
            for point in range(int(first, 16), int(last or first, 16) + 1)
        }
        for ranges in lists
    ]


def _write(source: str, points: set[int], target: Path) -> None:
    font = TTFont(source)
    _drop_small_sizes(font)
    options = subset.Options(
        layout_features=["ssty", "dtls"], hinting=False, name_IDs=["*"], flavor="woff2"
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=points)
    subsetter.subset(font)
    # Its authors ask that a changed copy has a name of its own.
    names = {**FAMILY_NAMES, POSTSCRIPT_RECORD: POSTSCRIPT_NAME}
    for record in font["name"].names:
        record.string = names.get(record.nameID, record.string)
    font["CFF "].cff.fontNames = [POSTSCRIPT_NAME]
    font.flavor = "woff2"
    font.save(target)


def _drop_small_sizes(font: TTFont) -> None:
    names = font.getBestCmap()
    keep = {names[ord(character)] for character in SMALL_SIZES}
    table = font["GSUB"].table
    indexes = {
        index
        for record in table.FeatureList.FeatureRecord
        if record.FeatureTag == "ssty"
        for index in record.Feature.LookupListIndex
    }
    for index in indexes:
        for shapes in table.LookupList.Lookup[index].SubTable:
            shapes.alternates = {
                name: others for name, others in shapes.alternates.items() if name in keep
            }


if __name__ == "__main__":
    main()
