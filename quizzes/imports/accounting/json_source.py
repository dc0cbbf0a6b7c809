"""The texts of an H5P: every string of its content, but for what its author's program writes."""

from collections.abc import Iterator

from quizzes.formats.contract import FileError
from quizzes.formats.h5p.package import open_h5p

_STRUCTURE = frozenset(
    "library subContentId metadata media path mime copyright behaviour UI l10n confirmCheck"
    " confirmRetry scoreBarLabel override checkAnswer submitAnswer showSolutions tryAgain"
    " currikisettings image file license contentType".split()
)


def iterate_json(data: bytes) -> Iterator[tuple[int, str]]:
    """Yield each string of the content with its line, as its items count lines."""
    package = open_h5p(data)
    if isinstance(package, FileError):
        return
    waiting = [("", package.content)]
    while waiting:
        name, node = waiting.pop()
        if name in _STRUCTURE:
            continue
        if text := node.text():
            yield from ((node.line, line) for line in text.split("\n"))
        waiting += [(name, child) for child in node.items]
        waiting += list(node.fields.items())
