"""How large a package may be, and which names it may not have, whatever its format. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """How large a package may be: bytes packed and unpacked, in all and of one member."""

    packed: int = 64 * 1024 * 1024
    entries: int = 5_000
    unpacked: int = 150 * 1024 * 1024
    member: int = 50 * 1024 * 1024
    ratio: int = 200  # unpacked to packed, of members over `small`
    small: int = 1024 * 1024
    depth: int = 2  # a package within a package, and no further


ARCHIVE_LIMITS = ArchiveLimits()


@dataclass(slots=True)
class ArchiveRefused(Exception):
    """A package that is not opened: a stable code, and a message."""

    code: str
    message: str


def check_member_name(name: str, seen: set[str]) -> str:
    """Return the name of an entry, folders with a slash at the end; refuse one that leads out."""
    name = name.replace("\\", "/")
    parts = name.removesuffix("/").split("/")
    if name.startswith("/") or name[1:2] == ":" or "\0" in name or {"", ".", ".."} & {*parts}:
        raise ArchiveRefused("package_unsafe_name", "a name in the package leads out of it")
    if name in seen:
        raise ArchiveRefused("package_duplicate_name", "two files in the package have one name")
    seen.add(name)
    return name
