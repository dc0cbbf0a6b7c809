"""Where a formula begins and ends: own Markdown rules for `$…$` and `$$…$$`.

The common plug-in reads the text's last character as the one before its first, so that
`$x$ is 5` is no formula there, and lets an open `$$` in a list swallow the items below it.
"""

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

INLINE: Final = "formula_inline"
DISPLAY: Final = "formula_display"
BLOCK: Final = "formula_block"
TYPES: Final = frozenset({INLINE, DISPLAY, BLOCK})

# Searching for a closing mark is bounded, or many open ones would cost quadratic time.
MAX_LINES: Final = 40

# Possessive quantifiers (++) never step back, so that no text can make the match slow.
# A digit before the first or after the last dollar means money: "$5 and $6", "5$ y 6$".
_ONE = re.compile(r"(?<!\d)\$(?!\s)((?:[^\\$]++|\\.)++)(?<!\s)\$(?!\d)", re.DOTALL)
_TWO = re.compile(r"\$\$((?:[^\\$]++|\\.|\$(?!\$))++)\$\$", re.DOTALL)


def use_dollars(md: "MarkdownIt") -> None:
    """Teach a parser the three formula tokens; each holds its TeX in `content`."""
    md.inline.ruler.before("escape", "formula", _inline)
    md.block.ruler.before("fence", "formula", _block)


def _inline(state: "StateInline", silent: bool) -> bool:
    if state.src[state.pos] != "$":
        return False
    double = state.src.startswith("$$", state.pos)
    match = (_TWO if double else _ONE).match(state.src, state.pos, state.posMax)
    if match is None or not match[1].strip():
        return False
    if not silent:
        token = state.push(DISPLAY if double else INLINE, "math", 0)
        token.content = match[1].strip()
    state.pos = match.end()
    return True


def _block(state: "StateBlock", start: int, end: int, _silent: bool) -> bool:
    if state.is_code_block(start) or not _line(state, start).startswith("$$"):
        return False
    block = _block_content(state, start, end)
    if block is None:
        return False
    content, state.line = block
    # Silent calls ask whether a paragraph ends here; this rule never ends one.
    token = state.push(BLOCK, "math", 0)
    token.block = True
    token.content = content
    token.map = [start, state.line]
    return True


def _block_content(state: "StateBlock", start: int, end: int) -> tuple[str, int] | None:
    """Return the TeX and the line after it, or nothing if the block is not closed here."""
    lines = [_line(state, start).removeprefix("$$")]
    for after in range(start + 1, min(end, start + MAX_LINES) + 1):
        if lines[-1].endswith("$$"):
            content = "\n".join(lines).removesuffix("$$").strip()
            return None if not content or "$$" in content else (content, after)
        if after == end or state.isEmpty(after) or state.sCount[after] < state.blkIndent:
            return None
        lines.append(_line(state, after))
    return None


def _line(state: "StateBlock", number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]].rstrip()
