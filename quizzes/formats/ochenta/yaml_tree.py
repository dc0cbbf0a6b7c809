"""YAML as a tree of texts that know their lines, so that every complaint can name its place.

Deliberately poor: mappings, lists and texts; no anchors (a few bytes of them can unfold to
gigabytes), no types guessed from how a word looks (`no` is a word, `1e3` is what was written).
"""

from collections.abc import Iterator, Mapping, Sequence
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


@dataclass(slots=True)
class UnreadableYaml(Exception):
    """The file is no YAML that we read."""

    error: FileError


@dataclass(slots=True)
class ErrorCollector:
    """Collects what is wrong while reading goes on, so that an author sees all of it at once."""

    errors: list[FileError] = field(default_factory=list)

    def add(self, at: YamlNode, code: str, message: str) -> None:
        """Note one."""
        self.errors.append(FileError(at.line, at.where, code, message))


def parse_yaml(data: bytes, errors: ErrorCollector) -> YamlNode:
    """Read bytes as a tree; what is no YAML at all, or made to hurt: Unreadable."""
    if len(data) > BIGGEST:
        raise UnreadableYaml(FileError(1, "", "too_big", f"the file is over {BIGGEST} bytes"))
    try:
        text = data.decode("utf-8-sig")
        _refuse_traps(text)
        node = yaml.compose(text, yaml.SafeLoader)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UnreadableYaml(
            FileError(line, "", "not_utf8", "the file is not UTF-8 text")
        ) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise UnreadableYaml(FileError(line, "", "not_yaml", error.problem or "not YAML")) from None
    except yaml.YAMLError as error:
        raise UnreadableYaml(FileError(1, "", "not_yaml", str(error).splitlines()[0])) from None
    if node is None:
        raise UnreadableYaml(FileError(1, "", "empty", "the file is empty"))
    return _tree(node, "", errors)


def _refuse_traps(text: str) -> None:
    """Walk through the file once without building anything; what is made to hurt ends here."""
    depth = 0
    for event in yaml.parse(text, yaml.SafeLoader):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise UnreadableYaml(
                FileError(line, "", "anchor", "anchors (& and *) are not read here")
            )
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise UnreadableYaml(FileError(line, "", "too_deep", "the file is nested too deeply"))


def _tree(node: yaml.Node, where: str, errors: ErrorCollector) -> YamlNode:
    line = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        return YamlNode(line, where, fields=dict(_fields(node, where, errors)))
    if isinstance(node, yaml.SequenceNode):
        items = [_tree(n, f"{where}[{i}]", errors) for i, n in enumerate(node.value, start=1)]
        return YamlNode(line, where, items=items)
    return YamlNode(line, where, text=str(node.value))


def _fields(
    node: yaml.MappingNode, where: str, errors: ErrorCollector
) -> Iterator[tuple[str, YamlNode]]:
    seen: set[str] = set()
    for key, value in node.value:
        name = str(key.value)
        place = f"{where}.{name}" if where else name
        if name in seen:
            at = YamlNode(key.start_mark.line + 1, place)
            errors.add(at, "duplicate_field", f"the field {name!r} stands here twice")
        seen.add(name)
        yield name, _tree(value, place, errors)
