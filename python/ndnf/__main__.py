"""The command ``ndnf``, with Gymnasium's environments as tasks."""

from __future__ import annotations

import signal
import sys

from . import _engine


def main() -> int:
    """Runs the command line; the exit code is that of the plain program."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the engine has its own handlers where it saves work
    return _engine.run_program(["ndnf", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
