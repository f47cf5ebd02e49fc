"""What Python calls a task: a name, a model file, a model, or an environment of Gymnasium."""

from __future__ import annotations

import os
import weakref
from typing import TYPE_CHECKING, Any, Protocol, Union

from . import _engine

if TYPE_CHECKING:
    from ._spaces import Leaves

#: A name such as "blackjack" or "gym:FrozenLake-v1", a model file, an ndnf.Model, or a Gymnasium environment, vector
#: environment or factory. (The last ones have no common type.)
TaskLike = Union[str, "os.PathLike[str]", Any]


class Source(Protocol):
    """Something that Python brings along as a task."""

    spec: str

    @property
    def leaves(self) -> Leaves:
        """How its observations and actions are given."""
        ...

    @property
    def settings(self) -> list[str]:
        """Settings of a training that it asks for."""
        ...

    def task(self) -> _engine.Task:
        """The task for the engine."""
        ...


#: The live objects behind the names that the engine knows them by.
_sources: weakref.WeakValueDictionary[str, Source] = weakref.WeakValueDictionary()


def register_source(source: Source) -> None:
    """Lets the engine find an object by the name in `source.spec`."""
    _sources[source.spec] = source


def free_spec(spec: str) -> str:
    """The name, with a number if another object has it."""
    if spec not in _sources:
        return spec
    number = 2
    while f"{spec}-{number}" in _sources:
        number += 1
    return f"{spec}-{number}"


#: The names that the user has said, in a call or on the command line, as opposed to those read in files.
_said: set[str] = set()


def say(word: str) -> None:
    """Remembers a name as the user's own. Files of others name environments, too, but have no modules imported."""
    _said.add(word)


def is_said(spec: str) -> bool:
    """Whether the user has said this name."""
    return spec in _said


def source_of_spec(spec: str) -> Source | None:
    """The object that a name means; None for the engine's own tasks."""
    if spec in _sources:
        return _sources[spec]
    if spec.startswith("gym:"):
        from ._gymnasium import source_from_id

        return source_from_id(spec)
    return None


def task_word(env: Any) -> str | None:
    """The word that names a task: a name, a path, or the task behind one of our own environments."""
    if isinstance(env, (str, os.PathLike)):
        return os.fspath(env)
    spec = getattr(getattr(env, "unwrapped", None), "ndnf_spec", None)
    return spec if isinstance(spec, str) else None


def source_of(env: Any) -> Source | None:
    """The object behind whatever the user calls a task; None for names and files."""
    word = task_word(env)
    if word is not None:
        say(word)
        return source_of_spec(word)
    from ._gymnasium import source_from_object

    source: Source = source_from_object(env)
    return source


def task_of_spec(spec: str) -> _engine.Task:
    """Called by the engine for a name that begins with gym: or python:."""
    from ._errors import bad_input

    source = source_of_spec(spec)
    if source is None:
        raise bad_input(spec, "names an object of another Python process", "pass the environment itself as env=")
    return source.task()


def env_input(env: TaskLike | None) -> _engine.Input | None:
    """What the engine reads for a task."""
    if env is None or isinstance(env, _engine.Input):
        return env
    if isinstance(env, _engine.Task):
        return _engine.Input(env.spec, env.source.encode() if env.source else None)
    word = task_word(env)
    if word is not None:
        say(word)
        return _engine.Input(word)
    source = source_of(env)
    assert source is not None
    return _engine.Input(source.spec)
