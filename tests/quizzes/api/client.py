"""A client in the standard library alone, made from the schema: what a generator would write."""

import io
import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode
from wsgiref.util import setup_testing_defaults

Application = Callable[..., Any]


class Refused(Exception):
    """An answer that is no 2xx, with its problem document."""

    def __init__(self, problem: Mapping[str, Any]) -> None:
        self.problem = problem
        super().__init__(problem["code"])


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
        places = {one["name"]: one["in"] for one in operation.get("parameters", ())}

        def call(body: Any = None, **given: Any) -> Any:
            unknown = given.keys() - places.keys()
            if unknown:
                raise TypeError(f"{name} knows no {unknown}")
            parts = {n: quote(str(v)) for n, v in given.items() if places[n] == "path"}
            query = {n: v for n, v in given.items() if places[n] == "query"}
            return self._send(method, path.format(**parts), urlencode(query), body)

        return call

    def _send(self, method: str, path: str, query: str, body: Any) -> Any:
        raw = b"" if body is None else json.dumps(body).encode()
        environ: dict[str, Any] = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "CONTENT_TYPE": "application/json",
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
