"""Gymnasium's vector environments, stepped for the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import bad_input
from ._spaces import Leaves

Arrays = Sequence[Any]
Step = tuple[Arrays, Arrays | None, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_]]


class Walkers:
    """Environments in lock-step that begin a new episode as soon as one ends, whatever the vector environment does by
    itself: where it resets in the same step, its `final_obs` is what the step led to; where it resets in the next
    step, or not at all, it is asked to reset the finished ones now."""

    def __init__(self, envs: Any, leaves: Leaves, stream: int, owned: bool) -> None:
        from gymnasium.vector import AutoresetMode

        self.count = int(envs.num_envs)
        self._envs = envs
        self._leaves = leaves
        self._stream = stream
        self._owned = owned
        mode = envs.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
        self._same_step = AutoresetMode(mode) == AutoresetMode.SAME_STEP
        values = leaves.action_values
        self._values = None if values is None else np.asarray(values)

    def reset(self, seed: int) -> Arrays:
        """Restarts all episodes. Groups with other streams get other random numbers."""
        mixed = np.random.SeedSequence([seed, self._stream]).generate_state(self.count)
        obs, _ = self._envs.reset(seed=[int(one) for one in mixed])
        return self._leaves.flatten(obs)

    def step(self, actions: NDArray[np.int64]) -> Step:
        """One step in every environment."""
        taken = actions if self._values is None else self._values[actions]
        obs, rewards, terminated, truncated, info = self._envs.step(taken)
        flatten = self._leaves.flatten
        rewards = np.ascontiguousarray(rewards, np.float64)
        ended = terminated | truncated
        if not ended.any():
            return flatten(obs), None, rewards, terminated, truncated
        if self._same_step:
            return flatten(obs), self._final(flatten(obs), info, ended), rewards, terminated, truncated
        final = [np.array(leaf) for leaf in flatten(obs)]
        return self._restart(ended), final, rewards.copy(), terminated.copy(), truncated.copy()

    def close(self) -> None:
        """Closes the environments that were made for this."""
        if self._owned:
            self._envs.close()

    def _final(self, now: Arrays, info: dict[str, Any], ended: NDArray[np.bool_]) -> Arrays:
        final = [np.array(leaf) for leaf in now]
        shown = info.get("final_obs")
        if shown is None:
            raise bad_input("env", "ended an episode without final_obs in its info", "SAME_STEP promises it")
        for i in np.flatnonzero(ended):
            for target, leaf in zip(final, self._leaves.flatten(shown[i]), strict=True):
                target[i] = leaf
        return final

    def _restart(self, ended: NDArray[np.bool_]) -> Arrays:
        """Begins new episodes where one ended. Environments that cannot do so for some alone say so."""
        obs, _ = self._envs.reset(options={"reset_mask": np.array(ended, dtype=np.bool_)})
        return self._leaves.flatten(obs)


def require_partial_resets(envs: Any) -> None:
    """Raises an Error if a vector environment resets in the next step and cannot reset some environments alone."""
    from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv, VectorWrapper

    mode = AutoresetMode(envs.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP))
    inner = envs
    while isinstance(inner, VectorWrapper):
        inner = inner.env
    if mode == AutoresetMode.NEXT_STEP and not isinstance(inner, (SyncVectorEnv, AsyncVectorEnv)):
        raise bad_input(
            "env",
            f"{type(inner).__name__} resets in the next step and cannot reset some of its environments alone",
            "make it with autoreset_mode=SAME_STEP, or pass the id or a factory",
        )
