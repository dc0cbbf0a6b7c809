"""Draws the icons of the installed site from its SVG: `python -m tools.draw_icons`.

They are committed; whoever changes `favicon.svg` draws them anew.
"""

import sys
from pathlib import Path
from typing import Final

from playwright.sync_api import sync_playwright

from tools.paths import ROOT
from tools.run_tests import find_chromium

FOLDER: Final = ROOT / "static" / "web" / "img"
SOURCE: Final = FOLDER / "favicon.svg"
ICONS: Final = {"icon-192.png": 192, "icon-512.png": 512, "icon-maskable-512.png": 512}
ROUNDED: Final = ' rx="8"'
"""The corners of the SVG: systems that mask an icon want its colour to the edge."""


def build_svg(name: str) -> str:
    """Return the SVG of an icon."""
    svg = SOURCE.read_text(encoding="utf-8")
    return svg.replace(ROUNDED, "") if "maskable" in name else svg


def draw_icons(folder: Path, chromium: str) -> None:
    """Draw every icon into a folder."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, size in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            style = "<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>"
            page.set_content(style + build_svg(name))
            page.screenshot(path=folder / name, omit_background=True)
        browser.close()


def main() -> int:
    """Draw the icons where they belong."""
    chromium = find_chromium()
    if chromium is None:
        print("There is no Chromium here.", file=sys.stderr)
        return 1
    draw_icons(FOLDER, chromium)
    return 0


if __name__ == "__main__":
    sys.exit(main())
