"""The one exception that bad input raises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:
    from ._training import Run

__all__ = ["Complaint", "Error", "Stopped"]


@dataclass(frozen=True)
class Complaint:
    """One mistake: the input at fault, the place in it (0 if unknown), the mistake, and what is allowed."""

    where: str
    line: int
    column: int
    what: str
    hint: str


def sentence_of(error: BaseException, traceback: TracebackType | None) -> str:
    """An exception as one sentence for the command line: ours as it is, another with the place where it was raised."""
    if isinstance(error, Error):
        return str(error)
    message = " ".join(str(error).split()) or "no message"
    place = ""
    while traceback is not None:
        place = f" ({traceback.tb_frame.f_code.co_filename}:{traceback.tb_lineno})"
        traceback = traceback.tb_next
    return f"{type(error).__name__}: {message}{place}"


class Error(ValueError):
    """Bad input, as one sentence: where it is, what is wrong, and what is allowed instead.

    >>> import ndnf
    >>> try:
    ...     ndnf.describe("small-corridr")
    ... except ndnf.Error as error:
    ...     print(error.where, "/", error.what, "/", error.hint)
    small-corridr / there is no such environment / did you mean small-corridor?
    """

    def __init__(self, message: str, complaints: Sequence[tuple[str, int, int, str, str]] = ()) -> None:
        super().__init__(message)
        self.complaints: tuple[Complaint, ...] = tuple(Complaint(*parts) for parts in complaints) or (
            Complaint("", 0, 0, message, ""),
        )

    def __reduce__(self) -> tuple[object, ...]:
        parts = [(c.where, c.line, c.column, c.what, c.hint) for c in self.complaints]
        return type(self), (str(self), parts)

    @property
    def where(self) -> str:
        """The file or argument at fault."""
        return self.complaints[0].where

    @property
    def line(self) -> int:
        """The line in it, counted from 1; 0 if unknown."""
        return self.complaints[0].line

    @property
    def column(self) -> int:
        """The column in it, counted from 1; 0 if unknown."""
        return self.complaints[0].column

    @property
    def what(self) -> str:
        """What is wrong."""
        return self.complaints[0].what

    @property
    def hint(self) -> str:
        """What is allowed instead; may be empty."""
        return self.complaints[0].hint


def bad_input(where: str, what: str, hint: str = "") -> Error:
    """An Error that reads like those of the engine."""
    text = f"{where}: {what}" if where else what
    return Error(f"{text}; {hint}" if hint else text, [(where, 0, 0, what, hint)])


@overload
def whole(where: str, value: None, least: int = 0) -> None: ...
@overload
def whole(where: str, value: int, least: int = 0) -> int: ...
def whole(where: str, value: Any, least: int = 0) -> int | None:
    """The whole number that an argument is, None included; an Error for anything else."""
    if value is None:
        return None
    try:
        number = int(value)
        fine = number == value and not isinstance(value, (bool, str)) and number >= least
    except (TypeError, ValueError, OverflowError):
        fine = False
    if not fine or number >= 2**63:
        raise bad_input(where, f"{value!r} is not allowed", f"a whole number, at least {least}")
    return number


class Stopped(KeyboardInterrupt):
    """Ctrl-C during a training. Its progress is saved: `runs` are the unfinished runs, which
    ``ndnf.train(..., out=run.path, resume=True)`` continues."""

    def __init__(self, runs: Sequence[Run]) -> None:
        super().__init__("the training was stopped; its progress is saved")
        self.runs = tuple(runs)
