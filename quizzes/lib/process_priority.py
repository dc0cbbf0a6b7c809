"""What works in the background gives way to the pages of learners."""

import os
import time
from pathlib import Path
from typing import Final

NICENESS: Final = 10
"""By how much a process of the background gives way to others."""
SESSION_PRIORITY: Final = Path("/proc/self/autogroup")
_SESSION_TRIES = 10


def lower_priority() -> None:
    """Let pages of learners come first.

    Linux may share the processors among sessions first; then the niceness of a process counts only
    beside others of its session. So a process that leads its session lowers that one's, too.
    """
    os.nice(NICENESS)
    if os.getsid(0) != os.getpid():
        return
    for _ in range(_SESSION_TRIES):
        try:
            SESSION_PRIORITY.write_text(str(NICENESS), encoding="ascii")
        except BlockingIOError:
            time.sleep(0.1)  # the kernel takes ten of these a second, of all processes together
        except OSError:
            return  # this system knows of no such thing
        else:
            return
