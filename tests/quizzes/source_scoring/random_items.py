"""Random items of every format with scoring rules, each with what sampled answers earn by it.

What an answer earns is computed here from what was drawn, by the words of each format's own
documentation: no file is read for it, and none of the code that imports or compares is called.
"""

from collections.abc import Callable, Mapping
from random import Random

from tests.quizzes.source_scoring import (
    random_gift,
    random_h5p,
    random_moodle,
    random_olx,
    random_qti,
    random_qti12,
    random_text2qti,
)
from tests.quizzes.source_scoring.random_answers import RandomItem, Trial

__all__ = ["DRAWS", "RandomItem", "Trial"]

_MODULES = (
    random_gift,
    random_h5p,
    random_moodle,
    random_olx,
    random_qti,
    random_qti12,
    random_text2qti,
)
_PREFIX = "draw_"

DRAWS: Mapping[str, Callable[[Random], RandomItem]] = {
    name.removeprefix(_PREFIX): draw
    for module in _MODULES
    for name, draw in sorted(vars(module).items())
    if name.startswith(_PREFIX) and draw.__module__ == module.__name__
}
