"""How much work one text may ask for: beyond it, code is not coloured and TeX stays TeX."""

import re
from collections.abc import Iterable
from typing import Final

from quizzes.lib.markup import code_blocks, tex_delimiters
from quizzes.lib.markup.parser import PlacedToken

MAX_FORMULAS: Final = 500
# Characters of code coloured in one text. Some of Pygments' readers take quadratic time.
MAX_COLOURED: Final = 8_000

# Nobody writes code like this (endless lines, one thing two hundred times), and it is what
# slows those readers most.
_NOT_CODE = re.compile(r"[^\n]{500}|(.{1,4}?)\1{200}", re.DOTALL)


def select_affordable(placed: Iterable[PlacedToken]) -> frozenset[int]:
    """Return the id() of each formula and listing that is to be set, in order of appearance."""
    formulas, coloured = MAX_FORMULAS, MAX_COLOURED
    chosen = set()
    for _line, token in placed:
        if token.type in tex_delimiters.TYPES and formulas:
            formulas -= 1
            chosen.add(id(token))
        elif token.type == "fence" and code_blocks.can_be_coloured(token.info):
            coloured -= len(token.content)
            if coloured >= 0 and not _NOT_CODE.search(token.content):
                chosen.add(id(token))
    return frozenset(chosen)
