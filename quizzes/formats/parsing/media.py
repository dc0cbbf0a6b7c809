"""Files that a package brings, kept under names that tell their content. Pure."""

import hashlib
import re
from collections.abc import MutableMapping

from quizzes.formats.parsing.naming import slug

_ENDING = re.compile(r"\.([A-Za-z0-9]{1,8})$")


def store_media(media: MutableMapping[str, bytes], path: str, data: bytes) -> str:
    """Put a file among the parcel's; give its name there: the same twice is kept once."""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    ending = match[1].lower() if (match := _ENDING.search(path)) else "bin"
    name = f"{slug(stem) or 'file'}-{hashlib.sha256(data).hexdigest()[:8]}.{ending}"
    media[name] = data
    return name
