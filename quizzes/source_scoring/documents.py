"""The XML documents of a file or a package, read anew."""

from collections.abc import Collection, Iterator

from quizzes.formats.contract import FileError
from quizzes.formats.parsing.contents import PackageContents
from quizzes.formats.parsing.xml import XmlNode, parse_xml, read_root_name


def iterate_documents(data: bytes, roots: Collection[str]) -> Iterator[tuple[XmlNode, str]]:
    """Yield the root of each document whose first element is one of `roots`, and its member."""
    documents = PackageContents().iterate_documents(
        data, lambda document: read_root_name(document) in roots
    )
    for document in documents:
        root = parse_xml(document.data)
        if not isinstance(root, FileError):
            yield root, document.member
