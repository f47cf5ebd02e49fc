"""A progress bar for terminals and notebooks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any, TextIO

Progress = Callable[[dict[str, Any]], object]

_WIDTH = 24


def wants_bar(stream: TextIO) -> bool:
    """Whether somebody watches: a terminal, or a notebook."""
    return stream.isatty() or "ipykernel" in sys.modules


class Bar:
    """One line that is redrawn: the share that is done, and the time left."""

    def __init__(self, title: str, stream: TextIO | None = None) -> None:
        self._title = title
        self._stream = stream or sys.stderr
        self._begin = time.monotonic()
        self._drawn = 0

    def show(self, done: float, note: str = "") -> None:
        """Draws the bar; `done` is from 0 to 1."""
        seconds = time.monotonic() - self._begin
        left = f"{seconds / done - seconds:.0f} s left" if done > 0.01 else ""
        full = round(_WIDTH * done)
        text = f"{self._title} [{'#' * full}{'.' * (_WIDTH - full)}] {100 * done:.0f} % {left} {note}".rstrip()
        self._stream.write("\r" + text.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(text)

    def clear(self) -> None:
        """Erases the bar, so that only the result remains."""
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
        self._drawn = 0


class Following:
    """Passes the progress of a long call on: to the caller's function, or to a bar where somebody watches."""

    def __init__(self, title: str, progress: bool | None) -> None:
        shown = wants_bar(sys.stderr) if progress is None else progress
        self._bar = Bar(title) if shown else None

    def __enter__(self) -> Callable[[float, str], None] | None:
        return self._bar.show if self._bar else None

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.clear()
