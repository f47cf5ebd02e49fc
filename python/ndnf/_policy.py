"""Policies: read once, used everywhere."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from . import _engine
from ._errors import bad_input
from ._tasks import Brought, Source, TaskLike, env_input, source_of_spec

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._results import Extraction
    from ._spaces import Leaves
    from ._training import Run

__all__ = ["Policy", "PolicyLike", "load"]


class Policy:
    """Anything that maps an observation to action probabilities: a network, a logic program or a table.

    >>> import ndnf
    >>> policy = ndnf.load("optimal", env="small-corridor")
    >>> policy
    Policy(optimal on small-corridor, sample)
    >>> policy.act(1)  # an action for one observation: here the square in_s_1
    0
    >>> policy.actions[policy.act(1)]
    'left'
    >>> policy.probabilities([0, 1, 2])  # or for many at once
    array([[0., 1.],
           [1., 0.],
           [0., 1.]])
    """

    def __init__(self, source: _engine.Input, env: TaskLike | None = None, shield: _engine.Input | None = None) -> None:
        self._input = source
        self._env = env_input(env)
        self._shield = shield
        self._actor = _engine.Actor(source, self._env, self._shield)
        self._leaves: Leaves | None = None

    @property
    def name(self) -> str:
        """What the policy was loaded from."""
        return self._actor.name

    @property
    def env(self) -> str:
        """The task that it is for."""
        return self._actor.task.spec

    @property
    def select(self) -> str:
        """How its actions are picked by default: ``argmax``, ``sample`` or ``epsilon:X``."""
        return self._actor.select

    @property
    def actions(self) -> list[str]:
        """The names of the actions."""
        names: list[str] = self._actor.task.vocabulary.to_dict()["actions"]
        return names

    def probabilities(self, obs: Any) -> NDArray[np.float64]:
        """The probability of each action in an observation, or one row for each of several.

        An observation is what the task's Gymnasium environment gives; for a task of ours it is one number for
        each group of atoms (:func:`ndnf.describe` lists them).
        """
        leaves, single = self._read(obs)
        rows: NDArray[np.float64] = self._actor.probabilities(leaves)
        return rows[0] if single else rows

    def act(self, obs: Any, deterministic: bool | None = None, *, action_masks: Any = None) -> Any:
        """An action for an observation, or an array of actions for several.

        ``deterministic=True`` takes the most probable action, ``False`` draws one; by default the policy does
        what it says itself (:attr:`select`). An action is a number, or what the environment's action space has.

        `action_masks` says which actions may be taken, as ``info["action_mask"]`` does: one truth value for each
        action, in each observation. The probabilities of the others go to those that may, in proportion.
        """
        leaves, single = self._read(obs)
        select = None if deterministic is None else "argmax" if deterministic else "sample"
        masks = None if action_masks is None else self._plan.masks(action_masks, 1 if single else len(leaves[0]))
        if single:
            return self._plan.action(self._actor.act_once(leaves, select, masks))
        return self._plan.action_batch(self._actor.act(leaves, select, masks))

    def predict(
        self,
        observation: Any,
        state: Any = None,
        episode_start: Any = None,
        deterministic: bool = False,
        action_masks: Any = None,
    ) -> tuple[Any, Any]:
        """The same as :meth:`act`, in the form that Stable-Baselines3 and sb3-contrib expect of their models."""
        del episode_start  # our policies have no memory
        return self.act(observation, deterministic or None, action_masks=action_masks), state

    def seed(self, number: int) -> None:
        """Restarts the random numbers with which actions are drawn."""
        self._actor.seed(number)

    def rules(self) -> list[str]:
        """The rules that say what it does: those of the program, or of one extracted from it."""
        text = self._text() if self._actor.is_program else self._extracted(None)
        lines = (line.split("  %")[0].strip() for line in text.splitlines())
        return [line for line in lines if line and not line.startswith("%")]

    def to_asp(self) -> str:
        """An answer set program with the same actions; extracted, unless the policy is one."""
        return self._text() if self._actor.is_asp else self._extracted("asp")

    def to_problog(self) -> str:
        """A ProbLog program with the same probabilities; extracted, unless the policy is one."""
        is_problog = self._actor.is_program and not self._actor.is_asp
        return self._text() if is_problog else self._extracted("problog")

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the policy as it is: a network as .safetensors, a program as .lp or .pl, a table as .json."""
        target = Path(path)
        contents = self._actor.contents
        if not contents:
            raise bad_input(self.name, "is not a file, so it cannot be saved", "extract a program from it")
        wanted = Path(self._contents_name()).suffix
        if target.suffix != wanted:
            raise bad_input(str(target), f"this policy is saved as a {wanted} file")
        _engine.write_file(str(target), contents)
        return target

    def __repr__(self) -> str:
        return f"Policy({self.name} on {self.env}, {self.select})"

    def _repr_html_(self) -> str | None:
        """The watch view (:func:`ndnf.studio`) in notebooks; nothing for environments of Python, which showing must
        not step."""
        if self._source() is not None:
            return None
        from ._commands import studio

        return studio(self)._repr_html_()

    def _text(self) -> str:
        return self._actor.contents.decode()

    def _contents_name(self) -> str:
        """The file that the policy is, or that it is in the folder of a run."""
        suffix = Path(self.name).suffix
        if self._actor.is_network:
            return self.name if suffix == ".safetensors" else os.path.join(self.name, "model.safetensors")
        if self._actor.is_program and suffix not in (".lp", ".pl"):
            return os.path.join(self.name, "policy.lp")
        return self.name

    def _extracted(self, as_: str | None) -> str:
        from ._commands import extract

        found: Extraction = extract(self._in_memory(), as_=as_, progress=False)
        if not found.text:
            raise bad_input(self.name, f"{found.method} found no program")
        return found.text

    def _in_memory(self) -> Policy:
        """The same policy by its contents: commands then write no files beside its own."""
        contents = self._actor.contents
        if not contents:
            return self
        return Policy(_engine.Input(self._contents_name(), contents), self._env_or_task(), self._shield)

    def _env_or_task(self) -> TaskLike:
        """The task that it was loaded for, or the one that it names."""
        return self._actor.task if self._env is None else self._env

    def _source(self) -> Source | None:
        """The object behind its task, if Python brought one."""
        return self._env.source if isinstance(self._env, Brought) else source_of_spec(self.env)

    @property
    def _plan(self) -> Leaves:
        if self._leaves is None:
            from ._spaces import leaves_of_task

            source = self._source()
            self._leaves = source.leaves if source else leaves_of_task(self._actor.task)
            self._actor.fit(self._leaves.encoder)
        return self._leaves

    def _read(self, obs: Any) -> tuple[Sequence[NDArray[Any]], bool]:
        return self._plan.arrays(obs)


PolicyLike = Union[str, "os.PathLike[str]", Policy, "Run"]


def load(path: PolicyLike, env: TaskLike | None = None, *, shield: str | os.PathLike[str] | None = None) -> Policy:
    """Reads a policy: a run directory, a .safetensors, .lp, .pl or .json file, or ``optimal`` or ``uniform``.

    `env` is the task; by default the one that the policy names. `shield` is a file of rules that forbid actions.
    """
    rules = None if shield is None else _engine.Input(os.fspath(shield))
    if isinstance(path, Policy):
        return Policy(path._input, env if env is not None else path._env_or_task(), rules)
    return Policy(policy_input(path), env, rules)


def policy_input(policy: PolicyLike) -> _engine.Input:
    """What the engine reads for a policy."""
    if isinstance(policy, Policy):
        return policy._input
    if isinstance(policy, (str, os.PathLike)):
        return _engine.Input(os.fspath(policy))
    path = getattr(policy, "path", None)
    if path is not None:
        return _engine.Input(os.fspath(path))
    raise bad_input(
        "policy",
        f"a {type(policy).__name__} is not a policy",
        "it is a path, optimal, uniform, an ndnf.Policy or an ndnf.Run",
    )


def policy_env(policies: Sequence[PolicyLike], env: TaskLike | None) -> _engine.Input | None:
    """The task of a request: the one that is given, or the one that a policy was loaded for."""
    if env is not None:
        return env_input(env)
    given = [env_input(policy._env) for policy in policies if isinstance(policy, Policy)]
    known = [one for one in given if one is not None]
    if len({one.name for one in known}) > 1:
        raise bad_input("policy", "these policies are for different tasks", "take one task at a time")
    return known[0] if known else None
