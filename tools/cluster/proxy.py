"""The proxy of the cluster: HAProxy, as docs/operations.md describes it."""

import shutil
from pathlib import Path

SYSTEM = "/usr/sbin/haproxy"
CONFIGURATION = """\
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 30s
  timeout check 4s
  # What was not sent yet goes to the other machine; of what was sent only reads go again.
  retries 3
  option redispatch 1
  retry-on conn-failure empty-response
  option forwardfor
  option http-server-close
frontend site
  bind 127.0.0.1:{port}
  http-request disable-l7-retry if METH_POST
  http-request set-header X-Forwarded-Proto http
  default_backend web
backend web
  balance leastconn
  option httpchk
  http-check send meth GET uri /readyz hdr Host localhost
  # A machine that is frozen answers nobody: whoever waits for it is told to try again.
  default-server check inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
{servers}
"""


class NoProxyError(Exception):
    """There is no HAProxy to start; the text says so."""


def write_configuration(folder: Path, port: int, servers: dict[str, int]) -> list[str | Path]:
    """Write its file into a folder, for servers by name and port; return the words that start it.

    Raises NoProxyError.
    """
    binary = shutil.which("haproxy") or shutil.which(SYSTEM)
    if binary is None:
        raise NoProxyError("no haproxy on PATH or in /usr/sbin")
    lines = [f"  server {name} 127.0.0.1:{place}" for name, place in servers.items()]
    configuration = folder / "haproxy.cfg"
    configuration.write_text(
        CONFIGURATION.format(port=port, servers="\n".join(lines)), encoding="ascii"
    )
    return [binary, "-db", "-f", configuration]
