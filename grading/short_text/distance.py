"""How near two short texts are: letters left out, added, changed, or two that changed places."""

ALLOWED_TYPOS = ((8, 2), (4, 1))
"""From this length on, so many slips still look like the same word."""


def is_typo(text: str, meant: str) -> bool:
    """Return whether one text could be the other, mistyped; equal texts are."""
    limit = next((slips for length, slips in ALLOWED_TYPOS if len(meant) >= length), 0)
    if abs(len(text) - len(meant)) > limit:
        return False
    return _distance(*_apart(text, meant), limit) <= limit


def _apart(text: str, meant: str) -> tuple[str, str]:
    """Return both texts without their common beginning and end, where no slips are."""
    shorter = min(len(text), len(meant))
    begin = next((at for at in range(shorter) if text[at] != meant[at]), shorter)
    rest = shorter - begin
    end = next((at for at in range(rest) if text[-1 - at] != meant[-1 - at]), rest)
    return text[begin : len(text) - end], meant[begin : len(meant) - end]


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
        if min((*above.values(), *here.values()), default=far) > limit:
            return far
        before, above = above, here
    return above.get(len(meant), far)
