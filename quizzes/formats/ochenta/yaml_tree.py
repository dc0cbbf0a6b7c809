"""YAML as a tree of texts that know their lines, so that every error can name its place.

Deliberately poor: mappings, lists and texts; no anchors (a few bytes of them can unfold to
gigabytes), no types guessed from how a word looks (`no` is a word, `1e3` is what was written).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import yaml

from quizzes.formats.contract import FileError

BIGGEST = 5 * 1024 * 1024
DEEPEST = 20


@dataclass(frozen=True, slots=True)
class YamlNode:
    """A node: exactly one of `text`, `items`, `fields` is there."""

    line: int
    where: str
    text: str | None = None
    items: Sequence["YamlNode"] | None = None
    fields: Mapping[str, "YamlNode"] | None = None

    def get(self, field: str) -> "YamlNode | None":
        """Return the node of a field; None where it has no such field."""
        return (self.fields or {}).get(field)

    def get_text(self, field: str) -> str:
        """Return the text of a field; "" where it has none."""
        node = self.get(field)
        return (node and node.text) or ""


@dataclass(slots=True)
class UnreadableYaml(Exception):
    """The file is no YAML that we read."""

    line: int
    code: str
    message: str

    @property
    def error(self) -> FileError:
        """Return it as an error of the file."""
        return FileError(self.line, "", self.code, self.message)


@dataclass(slots=True)
class ErrorCollector:
    """Collects what is wrong while reading goes on, so that an author sees all of it at once."""

    errors: list[FileError] = field(default_factory=list)

    def add(self, node: YamlNode, code: str, message: str) -> None:
        """Add an error at the place of a node."""
        self.errors.append(FileError(node.line, node.where, code, message))


def parse_yaml(data: bytes, errors: ErrorCollector) -> YamlNode:
    """Return bytes as a tree; raise UnreadableYaml for what is no YAML, or made to do harm."""
    if len(data) > BIGGEST:
        raise UnreadableYaml(1, "too_big", f"the file is over {BIGGEST} bytes")
    try:
        text = data.decode("utf-8-sig")
        _refuse_traps(text)
        node = yaml.compose(text, yaml.SafeLoader)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnreadableYaml(line, "not_utf8", "the file is not UTF-8 text") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise UnreadableYaml(line, "not_yaml", error.problem or "not YAML") from None
    except yaml.YAMLError as error:
        raise UnreadableYaml(1, "not_yaml", str(error).splitlines()[0]) from None
    if node is None:
        raise UnreadableYaml(1, "empty", "the file is empty")
    return _build_node(node, "", errors)


def _refuse_traps(text: str) -> None:
    """Walk through the file once without building anything; what is made to do harm ends here."""
    depth = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise UnreadableYaml(line, "anchor", "anchors (& and *) are not read here")
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise UnreadableYaml(line, "too_deep", "the file is nested too deeply")


def _build_node(node: yaml.Node, where: str, errors: ErrorCollector) -> YamlNode:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.SequenceNode):
        items = [_build_node(n, f"{where}[{i}]", errors) for i, n in enumerate(node.value, start=1)]
        return YamlNode(line, where, items=items)
    if not isinstance(node, yaml.MappingNode):
        return YamlNode(line, where, text=str(node.value))
    fields: dict[str, YamlNode] = {}
    for key, child in node.value:
        name = str(key.value)
        place = f"{where}.{name}" if where else name
        if name in fields:
            again = YamlNode(key.start_mark.line + 1, place)
            errors.add(again, "duplicate_field", f"the field {name!r} stands here twice")
        fields[name] = _build_node(child, place, errors)
    return YamlNode(line, where, fields=fields)
