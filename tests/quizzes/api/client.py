"""A client in the standard library alone, made from the schema: what a generator would write."""

import io
import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode
from wsgiref.util import setup_testing_defaults

FORM = "multipart/form-data"
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
            return self._send(method, path.format(**parts), urlencode(query), (raw, kind))

        return call

    def _send(self, method: str, path: str, query: str, body: tuple[bytes, str]) -> Any:
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
        }
        setup_testing_defaults(environ)
        started: list[Any] = []
        chunks = self._application(
            environ, lambda status, headers: started.extend((status, dict(headers)))
        )
        content = b"".join(chunks)
        if hasattr(chunks, "close"):
            chunks.close()
        status, headers = started
        if not status.startswith("2"):
            raise Refused(json.loads(content))
        return json.loads(content) if "json" in headers["Content-Type"] else content.decode()
