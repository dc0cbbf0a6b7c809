"""Pictures and other files of questions: in a package, or beside a file of text. Pure."""

import hashlib
import re
from collections.abc import MutableMapping

from quizzes.formats.parsing.naming import slugify

LOCAL_PICTURE = re.compile(r"!\[[^\]\n]{0,300}\]\((?!https?:|media:)")
"""A picture of a text that is in a file beside it."""
_ENDING = re.compile(r"\.([A-Za-z0-9]{1,8})$")


def store_media(media: MutableMapping[str, bytes], path: str, data: bytes) -> str:
    """Add a file to the parsed file's media; return its name, the same for the same content."""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    ending = match[1].lower() if (match := _ENDING.search(path)) else "bin"
    name = f"{slugify(stem) or 'file'}-{hashlib.sha256(data).hexdigest()[:8]}.{ending}"
    media[name] = data
    return name
