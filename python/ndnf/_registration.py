"""Registers our tasks with Gymnasium as soon as both are imported, and never imports it just for that."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from types import ModuleType

from . import _engine


def gymnasium_id(task: str) -> str:
    """small-corridor becomes ndnf/SmallCorridor-v0."""
    return "ndnf/" + "".join(word.capitalize() for word in task.split("-")) + "-v0"


def register_all() -> None:
    """Registers every task of ours."""
    from gymnasium.envs.registration import register, registry

    for line in _engine.list_tasks()["environments"]:
        if gymnasium_id(line["name"]) not in registry:
            register(
                gymnasium_id(line["name"]),
                entry_point="ndnf.environments:NativeEnv",
                vector_entry_point="ndnf.environments:NativeVectorEnv",
                kwargs={"task": line["name"]},
            )


class _AfterGymnasium(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds Gymnasium as everybody else does, and registers our tasks once it is loaded."""

    def __init__(self) -> None:
        self._loader: importlib.abc.Loader | None = None

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != "gymnasium":
            return None
        sys.meta_path.remove(self)
        found = importlib.util.find_spec(name)
        if found is not None and found.loader is not None:
            self._loader = found.loader
            found.loader = self
        return found

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        assert self._loader is not None
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        assert self._loader is not None
        assert module.__spec__ is not None
        module.__spec__.loader = self._loader
        module.__loader__ = self._loader
        self._loader.exec_module(module)
        register_all()


def register_when_imported() -> None:
    """Registers now if Gymnasium is there, otherwise when it comes."""
    if "gymnasium" in sys.modules:
        register_all()
    else:
        sys.meta_path.insert(0, _AfterGymnasium())
