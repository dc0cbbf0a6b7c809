"""Tables of a page as tables of Markdown, which know rows of words and nothing more."""

from collections.abc import Iterator

from quizzes.lib.html_conversion.inline import BREAK, InlineWriter, finish_inline
from quizzes.lib.html_conversion.tree import Tag

_ROWS = frozenset({"tr", "thead", "tbody", "tfoot"})
_PARTS = _ROWS | {"td", "th", "caption", "colgroup"}
_ALIGNED = {"left": ":---", "center": ":---:", "right": "---:"}


def write_table(tag: Tag, inline: InlineWriter) -> str:
    """Return a table; its first row is its head where the page says so, else the head is empty."""
    rows = [list(row.find_tags("td", "th")) for row in _find_rows(tag)]
    rows = [cells for cells in rows if cells]
    if not rows:
        return ""
    texts = [[_write_cell(cell, inline) for cell in cells] for cells in rows]
    width = max(map(len, texts))
    if any(len(cells) < width or any(map(_is_spanning, cells)) for cells in rows):
        inline.notes.add("table_simplified", " ".join(tag.get_text().split()))
    headed = all(cell.name == "th" for cell in rows[0])
    head = texts.pop(0) if headed else [""] * width
    alignment = [_find_alignment(cell) for cell in max(rows, key=len)]
    return "\n".join(_write_row(cells, width) for cells in (head, alignment, *texts))


def find_strays(tag: Tag) -> Iterator[Tag | str]:
    """Yield what is in a table, but in no cell of it: browsers show it above."""
    for node in tag.inside:
        if isinstance(node, str) or node.name not in _PARTS:
            yield node
        elif node.name in _ROWS:
            yield from find_strays(node)


def _find_rows(tag: Tag) -> Iterator[Tag]:
    for node in tag.find_tags(*_ROWS):
        yield from [node] if node.name == "tr" else node.find_tags("tr")


def _write_cell(cell: Tag, inline: InlineWriter) -> str:
    return finish_inline(inline.run(_flatten_blocks(cell))).replace(BREAK, " ").strip()


def _flatten_blocks(cell: Tag) -> Iterator[Tag | str]:
    """Yield what is in a cell; blocks in it become runs of words, a blank apart."""
    for node in cell.inside:
        if isinstance(node, Tag) and node.has_blocks():
            yield from _flatten_blocks(node)
        else:
            yield node
        yield " "


def _is_spanning(cell: Tag) -> bool:
    return cell.get("colspan") not in {"", "1"} or cell.get("rowspan") not in {"", "1"}


def _find_alignment(cell: Tag) -> str:
    style = cell.get("style").replace(" ", "").partition("text-align:")[2].partition(";")[0]
    return _ALIGNED.get(cell.get("align") or style, "---")


def _write_row(cells: list[str], width: int) -> str:
    return f"| {' | '.join([*cells, *[''] * (width - len(cells))])} |"
