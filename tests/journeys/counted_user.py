"""Somebody at a browser, with a mouse or by keyboard alone; clicks, pages and fields are counted.

With JOURNEY_PICTURES=FOLDER each step leaves a picture there, and the counts a line in
`counts.tsv`.
"""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from playwright.sync_api import Download, Locator, Page

from tests.journeys import mouse

MOST_TABS: Final = 400
PICTURES: Final = os.environ.get("JOURNEY_PICTURES", "")

DIRECTION = """(target) => {
    const active = document.activeElement;
    if (active === target) return 0;
    const follows = active.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING;
    return active === document.body || follows ? 1 : -1;
}"""
"""Whether a target has the focus, or lies behind or before what has it."""

ACTIVATED_BY_SPACE = "(target) => target.matches('input[type=checkbox], input[type=radio]')"


@dataclass
class CountedUser:
    """Does what a person does; `clicks` are presses of the mouse, or of Enter and Space."""

    page: Page
    name: str
    by_keyboard: bool = False
    clicks: int = 0
    loads: int = 0
    fields: int = 0
    tabs: int = 0
    began: float = field(default_factory=time.monotonic)
    steps: int = 0
    more: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.page.on("load", self._count_load)

    def _count_load(self, _page: Page) -> None:
        self.loads += 1

    def press(self, target: Locator) -> None:
        """Press a button, a link or a box."""
        self.clicks += 1
        if not self.by_keyboard:
            self._press_when_still(target)
            return
        self.go_to(target)
        self.page.keyboard.press("Space" if target.evaluate(ACTIVATED_BY_SPACE) else "Enter")

    def _press_when_still(self, target: Locator) -> None:
        """Press what no longer moves: the page may still scroll to what was just added."""
        target.hover()
        mouse.press(target)

    def follow(self, target: Locator, step: str = "") -> None:
        """Press what leads to another page, and wait until that one is there."""
        with self.page.expect_navigation():
            self.press(target)
        if step:
            self.picture(step)

    def write(self, target: Locator, text: str) -> None:
        """Put a text in place of what a field holds."""
        self.fields += 1
        if self.by_keyboard:
            self.go_to(target)
        else:
            self.clicks += 1
            self._press_when_still(target)
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)

    def choose(self, target: Locator, value: str) -> None:
        """Choose a row of a list: two clicks, or arrows from the first row on."""
        self.fields += 1
        if not self.by_keyboard:
            self.clicks += 2
            self._press_when_still(target)
            self.page.keyboard.press("Escape")
            target.select_option(value)
            return
        self.go_to(target)
        self.page.keyboard.press("Home")
        rows = target.locator("option").count()
        for _row in range(rows):
            if target.input_value() == value:
                return
            self.page.keyboard.press("ArrowDown")
            self.tabs += 1
        assert target.input_value() == value, f"{value} is not reached by arrows"

    def upload(self, target: Locator, file: Path) -> None:
        """Choose a file: the button, the file, Open."""
        with self.page.expect_file_chooser() as opened:
            self.press(target)
        self.clicks += 2
        opened.value.set_files(file)

    def download(self, target: Locator) -> Download:
        """Press what gives a file, and return it."""
        with self.page.expect_download() as begun:
            self.press(target)
        return begun.value

    def go_to(self, target: Locator) -> None:
        """Go to a control by Tab, in the direction in which it lies; insist that it is reached."""
        for _step in range(MOST_TABS):
            direction = target.evaluate(DIRECTION)
            if not direction:
                return
            self.page.keyboard.press("Tab" if direction > 0 else "Shift+Tab")
            self.tabs += 1
        raise AssertionError(f"{target} is not reached by Tab")

    def picture(self, step: str) -> None:
        """Take a picture of the page, if pictures are asked for."""
        self.steps += 1
        if PICTURES:
            path = Path(PICTURES) / f"{self.name}-{self.steps:02}-{step}.png"
            self.page.screenshot(path=path, full_page=True)

    def add_count(self, what: str, count: float) -> None:
        """Add another count to those of this run."""
        self.more[what] = round(count, 1)

    def write_counts(self) -> None:
        """Add the counts to the table of this run, if pictures are asked for."""
        if PICTURES:
            seconds = time.monotonic() - self.began
            counts = (self.clicks, self.loads, self.fields, self.tabs, f"{seconds:.1f}", self.more)
            with (Path(PICTURES) / "counts.tsv").open("a") as table:
                table.write("\t".join(map(str, (self.name, *counts))) + "\n")
