"""Tables of a page as tables of Markdown, which know rows of words and nothing more."""

from collections.abc import Iterator

from quizzes.formats.html.inline import BREAK, Inline, settled
from quizzes.formats.html.tree import Tag

_ROWS = frozenset({"tr", "thead", "tbody", "tfoot"})
_PARTS = _ROWS | {"td", "th", "caption", "colgroup"}
_ALIGNED = {"left": ":---", "center": ":---:", "right": "---:"}


def table(tag: Tag, inline: Inline) -> str:
    """Write a table; its first row is its head where the page says so, else the head is empty."""
    rows = [list(row.tags("td", "th")) for row in _rows(tag)]
    rows = [cells for cells in rows if cells]
    if not rows:
        return ""
    written = [[_cell(cell, inline) for cell in cells] for cells in rows]
    width = max(map(len, written))
    if any(len(cells) < width for cells in rows) or any(_spans(one) for row in rows for one in row):
        inline.telling.note("table_simplified", " ".join(tag.text().split()))
    headed = all(cell.name == "th" for cell in rows[0])
    head = written.pop(0) if headed else [""] * width
    alignment = [_alignment(cell) for cell in max(rows, key=len)]
    return "\n".join(_line(cells, width) for cells in (head, alignment, *written))


def strays(tag: Tag) -> Iterator[Tag | str]:
    """Give what stands in a table, but in no cell of it: browsers show it above."""
    for one in tag.inside:
        if isinstance(one, str) or one.name not in _PARTS:
            yield one
        elif one.name in _ROWS:
            yield from strays(one)


def _rows(tag: Tag) -> Iterator[Tag]:
    for one in tag.tags("tr", "thead", "tbody", "tfoot"):
        if one.name == "tr":
            yield one
        else:
            yield from one.tags("tr")


def _cell(cell: Tag, inline: Inline) -> str:
    return settled(inline.run(_spaced(cell))).replace(BREAK, " ").strip()


def _spaced(cell: Tag) -> Iterator[Tag | str]:
    """Give what is in a cell; blocks in it become runs of words, a blank apart."""
    for one in cell.inside:
        if isinstance(one, Tag) and one.holds_blocks():
            yield from _spaced(one)
        else:
            yield one
        yield " "


def _spans(cell: Tag) -> bool:
    return cell.get("colspan") not in {"", "1"} or cell.get("rowspan") not in {"", "1"}


def _alignment(cell: Tag) -> str:
    style = cell.get("style").replace(" ", "").partition("text-align:")[2].partition(";")[0]
    return _ALIGNED.get(cell.get("align") or style, "---")


def _line(cells: list[str], width: int) -> str:
    filled = [*cells, *[""] * (width - len(cells))]
    return f"| {' | '.join(filled)} |"
