"""What Python calls a task: a name, a model file, a model, or an environment of Gymnasium."""

from __future__ import annotations

import os
import re
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, Union

from . import _engine
from ._errors import bad_input

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
#: What the user's own objects are called. Each keeps its name for its life.
_names: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()


#: Several threads may bring objects at once.
_naming = threading.RLock()


def register_source(source: Source) -> None:
    """Lets the engine find an object by the name in `source.spec`."""
    with _naming:
        _sources[source.spec] = source


def free_spec(spec: str) -> str:
    """The name, with a number if another object has it."""
    with _naming:
        taken = {*_sources, *_names.values()}
    if spec not in taken:
        return spec
    number = 2
    while f"{spec}-{number}" in taken:
        number += 1
    return f"{spec}-{number}"


def name_of_object(thing: Any, spec: str) -> str:
    """What an object of the user's is called: as before, or by this name if it is free."""
    with _naming:
        if thing not in _names:
            _names[thing] = free_spec(spec)
        return _names[thing]


def _objects_called(spec: str) -> list[Any]:
    with _naming:
        return [thing for thing, name in _names.items() if name == spec]


def _without_number(spec: str) -> str:
    return re.sub(r"-\d+$", "", spec)


def go_on_as(spec: str, thing: Any, source: Source) -> None:
    """Gives an object of the user's the name under which a run was begun, if only their numbers differ."""
    with _naming:
        if thing not in _names or spec == source.spec or _without_number(spec) != _without_number(source.spec):
            return
        _rename_other(spec, source)
        _names[thing] = source.spec = spec
        register_source(source)


def _rename_other(spec: str, source: Source) -> None:
    """Takes a name from the object that has it. What was made for that one holds the object (`Brought`), not its
    name, so it is not mixed up with the next one; only a training that runs would be."""
    holder = _sources.get(spec)
    if holder is not source and holder in _busy:
        raise bad_input(spec, "is another environment, which is being learned", "resume the run when that is done")
    others = _objects_called(spec)
    for other in others:
        del _names[other]
    if holder is not None and holder is not source:
        holder.spec = free_spec(_without_number(spec))
        register_source(holder)
        _names.update(dict.fromkeys(others, holder.spec))


#: Those with which a training runs: the engine may ask for them by name at any time.
_busy: list[Source] = []


@contextmanager
def in_use(source: Source | None) -> Iterator[None]:
    """While it is entered, no other object gets the name of this one."""
    if source is None:
        yield
        return
    register_source(source)
    _busy.append(source)
    try:
        yield
    finally:
        _busy.remove(source)


class Brought(_engine.Input):
    """The name of an object, which lives as long as it may be asked for."""

    def __init__(self, source: Source) -> None:
        register_source(source)
        super().__init__(source.spec)
        self.source = source


#: The names that the user has said, in a call or on the command line, as opposed to those read in files.
_said: set[str] = set()
#: The names of tasks that we pass on to the engine ourselves, such as that of a policy. This is not the user's word.
_repeated: set[str] = set()


def say(word: str) -> None:
    """Remembers a name as the user's own. Files of others name environments, too, but have no modules imported."""
    _said.add(word)


def is_said(spec: str) -> bool:
    """Whether the user has said this name."""
    return spec in _said


def source_of_spec(spec: str) -> Source | None:
    """The object that a name means; None for the engine's own tasks."""
    source = _sources.get(spec)
    if source is not None:
        return source
    if spec.startswith("gym:"):
        from ._gymnasium import source_from_id

        return source_from_id(spec)
    things = _objects_called(spec)
    return source_of(things[0]) if things else None


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


def task_of_spec(spec: str, by_user: bool) -> _engine.Task:
    """Called by the engine for a name that begins with gym: or python:. `by_user` is false for a name in a file."""
    if by_user and spec not in _repeated:
        say(spec)
    source = source_of_spec(spec)
    if source is None:
        what = "names an object of another Python process, or one that is gone"
        raise bad_input(spec, what, "pass the environment itself as env=")
    return source.task()


def env_input(env: TaskLike | None) -> _engine.Input | None:
    """What the engine reads for a task."""
    if isinstance(env, Brought):
        return Brought(env.source)  # it may have another name by now
    if env is None or isinstance(env, _engine.Input):
        return env
    if isinstance(env, _engine.Task):
        _repeated.add(env.spec)
        source = _sources.get(env.spec)
        return Brought(source) if source is not None else _engine.Input(env.spec, env.source.encode() or None)
    word = task_word(env)
    if word is not None:
        say(word)
        return _engine.Input(word)
    found = source_of(env)
    assert found is not None
    return Brought(found)
