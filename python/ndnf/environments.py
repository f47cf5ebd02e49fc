"""Our tasks as Gymnasium's environments: ``gymnasium.make("ndnf/DoorCorridor-v0")`` after ``import ndnf``.

An observation is one number for each group of atoms (`Discrete` or `MultiDiscrete`), a vector of numbers (`Box`), or
both in a `Dict`. Settings of the task are keywords: ``gymnasium.make("ndnf/SmallCorridor-v0", obs="wall")``.
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import _engine
from ._errors import bad_input
from ._rendering import gauges_svg, gauges_text, rgb_array

__all__ = ["NativeEnv", "NativeVectorEnv"]

try:
    from gymnasium.vector import AutoresetMode

    SAME_STEP: Any = AutoresetMode.SAME_STEP
except ImportError:  # Gymnasium 1.0
    SAME_STEP = "SameStep"

Table = dict[int, dict[int, list[tuple[float, int, float, bool]]]]


def task_spec(task: str, settings: dict[str, Any]) -> str:
    """The name of a task with its settings, as the engine reads it."""
    text = ",".join(f"{key}={json.dumps(value)}" for key, value in settings.items())
    return f"{task}:{text}" if text else task


class _Form:
    """How the observations of a task of ours look in Gymnasium."""

    def __init__(self, task: _engine.Task) -> None:
        names = task.vocabulary.to_dict()
        self.quantities: list[dict[str, Any]] = names["quantities"]
        counts = [len(g["atoms"]) if g["one_hot"] else 2 for g in names["groups"]]
        self.action_space = spaces.Discrete(len(names["actions"]))
        self._atoms = len(counts)
        self._numbers = task.dense_size
        parts: dict[str, spaces.Space[Any]] = {}
        if counts:
            single = len(counts) == 1 and not self._numbers
            parts["atoms"] = spaces.Discrete(counts[0]) if single else spaces.MultiDiscrete(counts)
        if self._numbers:
            parts["numbers"] = self._box(task, names["quantities"])
        self.space: spaces.Space[Any] = spaces.Dict(parts) if len(parts) > 1 else next(iter(parts.values()))

    def _box(self, task: _engine.Task, quantities: list[dict[str, Any]]) -> spaces.Box:
        if quantities:
            most = np.finfo(np.float32).max
            low = np.maximum(np.array([q["low"] for q in quantities], np.float32), -most)
            high = np.minimum(np.array([q["high"] for q in quantities], np.float32), most)
            return spaces.Box(low, high, dtype=np.float32)
        shown = np.array(_engine.states_of(task)[1], np.float32)
        return spaces.Box(shown.min(), shown.max(), (self._numbers,), np.float32)

    def one(self, atoms: Any, numbers: Any) -> Any:
        """One observation from its row of atoms and its row of numbers."""
        if self._atoms and self._numbers:
            return {"atoms": np.array(atoms, np.int64), "numbers": np.array(numbers, np.float32)}
        if self._numbers:
            return np.array(numbers, np.float32)
        return np.int64(atoms[0]) if self._atoms == 1 else np.array(atoms, np.int64)

    def many(self, atoms: NDArray[Any], numbers: NDArray[Any]) -> Any:
        """A batch of observations from its rows."""
        if self._atoms and self._numbers:
            return {"atoms": atoms, "numbers": numbers}
        if self._numbers:
            return numbers
        return atoms[:, 0] if self._atoms == 1 else atoms


class NativeEnv(gymnasium.Env[Any, Any]):
    """One task of ours. Finite ones show their table of transitions (`P`) and draw their states; of others the
    numbers that they show are drawn."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array", "ansi", "svg"], "render_fps": 4}  # type: ignore[misc]

    def __init__(self, task: str, render_mode: str | None = None, **settings: Any) -> None:
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise bad_input("render_mode", f"there is no {render_mode}", "it is rgb_array, ansi or svg")
        self.ndnf_spec = task_spec(task, settings)
        self._task = _engine.open_task(_engine.Input(self.ndnf_spec))
        self._form = _Form(self._task)
        self.observation_space = self._form.space
        self.action_space = self._form.action_space
        self.render_mode = render_mode
        self._state = 0
        self._steps = 0
        self._walker: _engine.NativeEnvs | None = None
        self._numbers: Any = None  # what a task that is not finite shows now

    @cached_property
    def P(self) -> Table:
        """The outcomes (probability, next state, reward, terminated) of every action in every state."""
        return _engine.table_of(self._task)

    @cached_property
    def initial_state_distrib(self) -> NDArray[np.float64]:
        """The probability of each state to be the first."""
        return np.array(_engine.starts_of(self._task))

    @cached_property
    def _shown(self) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        atoms, numbers = _engine.states_of(self._task)
        return np.array(atoms, np.int64), np.array(numbers, np.float32)

    def _obs(self) -> Any:
        atoms, numbers = self._shown
        return self._form.one(atoms[self._state], numbers[self._state])

    @property
    def state(self) -> int:
        """The number of the current state, in `P`; finite tasks only."""
        return self._state

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self._steps = 0
        if not self._task.is_finite:
            if self._walker is None:
                self._walker = _engine.NativeEnvs(self._task, 1)
            atoms, numbers = self._walker.reset(int(self.np_random.integers(2**62)))
            self._numbers = numbers[0]
            return self._form.one(atoms[0], numbers[0]), {}
        self._state = self._draw(self.initial_state_distrib)
        return self._obs(), {"state": self._state}

    def _draw(self, probabilities: Any) -> int:
        sums = np.cumsum(probabilities)
        return int(min(np.searchsorted(sums, self.np_random.random() * sums[-1], "right"), len(sums) - 1))

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        if self._walker is not None:
            _, arrived, rewards, terminated, truncated = self._walker.step(np.array([action], np.int64))
            self._numbers = arrived[1][0]
            obs = self._form.one(arrived[0][0], arrived[1][0])
            return obs, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), {}
        outcomes = self.P[self._state][int(action)]
        _, self._state, reward, terminated = outcomes[self._draw([outcome[0] for outcome in outcomes])]
        self._steps += 1
        limit = self._task.step_limit
        truncated = limit is not None and self._steps >= limit
        return self._obs(), reward, terminated, truncated, {"state": self._state}

    def render(self) -> Any:
        if self.render_mode == "ansi":
            return self._text()
        if self.render_mode == "svg":
            return self._svg()
        if self.render_mode == "rgb_array":
            return rgb_array(self._svg())
        return None

    def _text(self) -> str:
        if self._task.is_finite:
            return _engine.draw_text(self._task, self._state)
        return gauges_text(self._form.quantities, self._numbers)

    def _svg(self) -> str:
        if self._task.is_finite:
            return _engine.draw_svg(self._task, self._state)
        return gauges_svg(self._form.quantities, self._numbers, self._task.spec)


class NativeVectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many episodes of one task of ours, stepped by the engine at once."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": SAME_STEP}  # type: ignore[misc]

    def __init__(self, task: str, num_envs: int = 1, render_mode: str | None = None, **settings: Any) -> None:
        self.ndnf_spec = task_spec(task, settings)
        own = _engine.open_task(_engine.Input(self.ndnf_spec))
        self._form = _Form(own)
        self._envs = _engine.NativeEnvs(own, num_envs)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.single_observation_space = self._form.space
        self.single_action_space = self._form.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._begun = False

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        if isinstance(seed, list):
            seed = seed[0]
        super().reset(seed=seed, options=options)
        return self._form.many(*self._envs.reset(int(self.np_random.integers(2**62)))), {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        now, arrived, rewards, terminated, truncated = self._envs.step(np.ascontiguousarray(actions, np.int64))
        ended = terminated | truncated
        info: dict[str, Any] = {}
        if ended.any():
            final = np.full(self.num_envs, None, dtype=object)
            for i in np.flatnonzero(ended):
                final[i] = self._form.one(arrived[0][i], arrived[1][i])
            info = {"final_obs": final, "_final_obs": ended}
        return self._form.many(*now), rewards, terminated, truncated, info
