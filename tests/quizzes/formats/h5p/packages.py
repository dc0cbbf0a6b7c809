"""Packages of H5P made of the readable files of the fixtures, or of a few words."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from quizzes.formats.parsing.packages import write_zip

FIXTURES = Path(__file__).parents[4] / "fixtures/formats/h5p"
PICTURE = b"\x89PNG bend"


def fixture(name: str) -> bytes:
    """Pack a folder of the fixtures, with a picture."""
    folder = FIXTURES / name
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    members = [(file.relative_to(folder).as_posix(), file.read_bytes()) for file in files]
    return write_zip([*members, ("content/images/bend.png", PICTURE)])


def package(library: str, params: Mapping[str, Any], **about: Any) -> bytes:
    """Pack one content."""
    metadata = {"title": "T", "language": "en", "mainLibrary": library, **about}
    return raw(json.dumps(metadata).encode(), json.dumps(params).encode())


def raw(about: bytes, content: bytes) -> bytes:
    picture = ("content/images/bend.png", PICTURE)
    return write_zip([("h5p.json", about), ("content/content.json", content), picture])
