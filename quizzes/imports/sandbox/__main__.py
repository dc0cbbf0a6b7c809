"""The process that reads files: `python -m quizzes.imports.sandbox`, started by `reader_server`."""

import socket

from quizzes.imports.sandbox.fork_server import ForkServer

if __name__ == "__main__":
    ForkServer(socket.socket(fileno=0)).serve()
