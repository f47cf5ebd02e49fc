"""What there is to learn: tasks, environments and presets, as the commands ``envs`` and ``presets`` show them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from . import _engine
from ._errors import bad_input
from ._results import Description
from ._tasks import TaskLike, env_input, source_of

if TYPE_CHECKING:
    from ._spaces import Names

Path = str | os.PathLike[str]


def name_of(path: Path | None) -> str | None:
    """A path as the engine takes it."""
    return None if path is None else os.fspath(path)


def describe(
    env: TaskLike,
    *,
    discount: float | None = None,
    state: int | None = None,
    names: Names | None = None,
    svg: Path | None = None,
    dump: Path | None = None,
) -> Description:
    """What a task is: its atoms and actions, its sizes, and for a finite one its optimum.

    `svg` and `dump` are files to write: a picture of a state, and the task's model file.

    >>> import ndnf
    >>> ndnf.describe("blackjack").actions
    ['stick', 'hit']
    >>> ndnf.describe("gym:Taxi-v4").atoms[:3]
    ['row(0)', 'row(1)', 'row(2)']
    """
    if names is not None:
        from ._gymnasium import source_from_object

        source = source_from_object(env if not isinstance(env, (str, os.PathLike)) else _example(env), names)
    else:
        source = source_of(env)
    given = _engine.Input(source.spec) if source is not None else env_input(env)
    assert given is not None
    if svg is not None or dump is not None:
        _engine.export_task(given, name_of(dump), name_of(svg), state, discount)
    json = _engine.describe_task(given, state, discount)
    json["groups"] = _engine.open_task(given).vocabulary.to_dict()["groups"]
    return Description.from_json(json)


def _example(env: Path) -> Any:
    source: Any = source_of(env)
    if source is None:
        raise bad_input("names", "are for environments of Gymnasium", "a task of ours has its own")
    return source.example


def envs() -> list[dict[str, Any]]:
    """Our own tasks, one object each."""
    tasks: list[dict[str, Any]] = _engine.list_tasks()["environments"]
    return tasks


def presets(name: str | None = None) -> Any:
    """The presets, one object each; with a name that one, with its text."""
    if name is not None:
        return _engine.preset(name)
    return _engine.presets()["presets"]
