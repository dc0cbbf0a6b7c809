"""How near two short texts are: letters left out, added, changed, or two that changed places."""

SLIPS = ((8, 2), (4, 1))
"""From this length on, so many slips still look like the same word."""


def is_slip(text: str, meant: str) -> bool:
    """Tell whether one text could be the other, mistyped; equal texts are."""
    limit = next((slips for length, slips in SLIPS if len(meant) >= length), 0)
    return abs(len(text) - len(meant)) <= limit and _distance(text, meant, limit) <= limit


def _distance(text: str, meant: str, limit: int) -> int:
    """Count the slips, looking no farther from the diagonal than the limit; beyond it, any sum."""
    far = limit + 1
    before: dict[int, int] = {}
    above = {column: column for column in range(min(limit, len(meant)) + 1)}
    for row, letter in enumerate(text, 1):
        here: dict[int, int] = {}
        for column in range(max(0, row - limit), min(len(meant), row + limit) + 1):
            if not column:
                here[0] = row
                continue
            same = letter == meant[column - 1]
            here[column] = min(
                above.get(column - 1, far) + (not same),
                above.get(column, far) + 1,
                here.get(column - 1, far) + 1,
            )
            if row > 1 < column and text[row - 2] + letter == meant[column - 1] + meant[column - 2]:
                here[column] = min(here[column], before.get(column - 2, far) + 1)
        if min(*above.values(), *here.values()) > limit:
            return far
        before, above = above, here
    return above.get(len(meant), far)
