"""Code in a question: coloured by Pygments with class names only, so that no style is inline."""

from functools import cache
from html import escape
from typing import TYPE_CHECKING, Final

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES

if TYPE_CHECKING:
    from pygments.lexer import Lexer

# A closed list: some of the 500 readers are slow on hostile text (those of Gherkin and HCL,
# say), and an unknown name would make Pygments search every installed package for plug-ins.
LANGUAGES: Final = frozenset(
    """
    ada apl awk bash bat c c# c++ clojure cmake cobol cpp cs csharp css dart diff docker
    dockerfile elixir elm erlang f# fortran fsharp  go graphql groovy haskell html
    http ini java javascript js json julia kotlin latex lean lisp lua make makefile matlab
    nasm nginx ocaml octave pascal perl php postgresql powershell prolog properties protobuf
    ps1 py pycon python r racket rb ruby rust scala scheme sh shell solidity sql sqlite3
    swift tcl tex toml ts typescript verilog vhdl xml yaml yml zig zsh
    """.split()
)
PLAIN: Final = frozenset({"", "none", "output", "plain", "text", "txt"})
TOKEN_CLASSES: Final = frozenset(STANDARD_TYPES.values()) - {""}

_FORMATTER = HtmlFormatter(nowrap=True)


def read_language(info: str) -> str:
    """Return the language named first behind a fence, in lower case, or an empty string."""
    return (info.split(maxsplit=1) or [""])[0].lower()


def is_known_language(language: str) -> bool:
    """Return whether this language is coloured, or is plain text on purpose."""
    return language in PLAIN or language in LANGUAGES


def can_be_coloured(info: str) -> bool:
    """Return whether a listing behind this fence has colours."""
    return read_language(info) in LANGUAGES


def to_html(code: str, info: str, *, coloured: bool) -> str:
    """Return a listing as `<pre class="code">`, focusable so that a keyboard can scroll it."""
    language = read_language(info)
    code = code.removesuffix("\n")
    body = _coloured(code, language) if coloured else escape(code)
    name = f' class="language-{class_name(language)}"' if language in LANGUAGES else ""
    return f'<pre class="code" tabindex="0"><code{name}>{body}</code></pre>\n'


def class_name(language: str) -> str:
    """Return the language in letters that a class name can hold (c++ -> cpp, c# -> csharp)."""
    return language.replace("c++", "cpp").replace("#", "sharp")


def _coloured(code: str, language: str) -> str:
    return highlight(code, _lexer(language), _FORMATTER).removesuffix("\n")


@cache
def _lexer(language: str) -> "Lexer":
    return get_lexer_by_name(language, stripnl=False, ensurenl=False)
