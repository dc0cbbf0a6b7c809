"""A client in the standard library alone, made from the schema: what a generator would write."""

import io
import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import quote, urlencode
from wsgiref.util import setup_testing_defaults

FORM, BYTES = "multipart/form-data", "application/octet-stream"
Application = Callable[..., Any]


class Refused(Exception):
    """An answer that is no 2xx, with its problem document."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        self.problem = problem
        super().__init__(problem["code"])


def _json(body: Any) -> bytes:
    return b"" if body is None else json.dumps(body).encode()


def form(fields: Mapping[str, str | tuple[str, bytes]]) -> tuple[bytes, str]:
    """Write a form in parts, files as pairs of name and bytes; give it with its media type."""
    parts = []
    for name, value in fields.items():
        file, data = value if isinstance(value, tuple) else (None, value.encode())
        called = f'; filename="{file}"' if file else ""
        head = f'--end\r\nContent-Disposition: form-data; name="{name}"{called}\r\n\r\n'
        parts.append(head.encode() + data + b"\r\n")
    return b"".join(parts) + b"--end--\r\n", f"{FORM}; boundary=end"


class ApiClient:
    """Each operation of the schema is a method: path and query by name, the body as `body`."""

    def __init__(self, schema: Mapping[str, Any], application: Application, token: str) -> None:
        self._application, self._token = application, token
        self.headers: Mapping[str, str] = {}
        self._operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, methods in schema["paths"].items()
            for method, operation in methods.items()
        }

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method, path, operation = self._operations[name]
        places = {
            parameter["name"]: parameter["in"] for parameter in operation.get("parameters", ())
        }

        def call(body: Any = None, **arguments: Any) -> Any:
            unknown = arguments.keys() - places.keys()
            if unknown:
                raise TypeError(f"{name} knows no {unknown}")
            parts = {n: quote(str(v)) for n, v in arguments.items() if places[n] == "path"}
            query = {n: v for n, v in arguments.items() if places[n] == "query"}
            in_parts = FORM in operation.get("requestBody", {}).get("content", {})
            raw, kind = form(body) if in_parts else (_json(body), "application/json")
            headers = {n: str(v) for n, v in arguments.items() if places[n] == "header"}
            status, content = self._send(
                method, path.format(**parts), urlencode(query), headers, (raw, kind)
            )
            return _decode(operation["responses"][str(status)], content)

        return call

    def _send(
        self,
        method: str,
        path: str,
        query: str,
        headers: Mapping[str, str],
        body: tuple[bytes, str],
    ) -> tuple[int, bytes]:
        """Return status and content, and keep the headers of the answer."""
        raw, kind = body
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": kind,
            "CONTENT_LENGTH": str(len(raw)),
            "HTTP_AUTHORIZATION": f"Bearer {self._token}",
            "HTTP_HOST": "localhost",
            "wsgi.input": io.BytesIO(raw),
            **{f"HTTP_{name.upper().replace('-', '_')}": text for name, text in headers.items()},
        }
        setup_testing_defaults(environ)
        started: list[Any] = []
        chunks = self._application(
            environ, lambda status, headers: started.extend((status, dict(headers)))
        )
        content = b"".join(chunks)
        if hasattr(chunks, "close"):
            chunks.close()
        line, self.headers = started
        status = int(line.split()[0])
        if status >= HTTPStatus.BAD_REQUEST:
            raise Refused(json.loads(content))
        return status, content


def _decode(response: Mapping[str, Any], content: bytes) -> Any:
    """Read an answer as its description says: generators know JSON, text, and bytes by this name.

    What is described by other media types alone they leave out: KeyError.
    """
    media_types = response.get("content")
    if not media_types:
        return None
    if any(media_type.endswith("json") for media_type in media_types):
        return json.loads(content)
    if BYTES in media_types:
        return content
    if any(media_type.startswith("text/") for media_type in media_types):
        return content.decode()
    raise KeyError(f"no reader of {sorted(media_types)}")
