"""The keywords of commands that have several forms, for type checkers."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from ._policy import PolicyLike

Path = str | os.PathLike[str]


class EvaluateOptions(TypedDict, total=False):
    """Of :func:`ndnf.evaluate`."""

    discount: float | None
    select: str | None
    exact: bool
    episodes: int | None
    seed: int
    jobs: int | None
    optimum: bool
    with_: str | None
    solver_time: int
    shield: Path | None


class ExtractOptions(TypedDict, total=False):
    """Of :func:`ndnf.extract`."""

    discount: float | None
    method: str
    as_: str | None
    over: str | None
    ties: str | None
    form: str
    epsilon: float
    rules: int | None
    threshold: str | None
    solve_limit: int | None
    sample: int | None
    episodes: int
    certify: bool
    compact: bool
    output: Path | None
    progress: bool | None


class CheckOptions(TypedDict, total=False):
    """Of :func:`ndnf.check`."""

    discount: float | None
    select: str | None
    scope: str
    property: str | Sequence[str] | None
    shield: Path | None
    against: PolicyLike | None
    episodes: int
    seed: int
    progress: bool | None
