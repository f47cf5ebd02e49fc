"""Gymnasium's environments in lock-step, stepped for the engine.

What the engine sees is the same whatever the environments are: every episode is followed by the next, each step gives
what it led to, and actions that ``info["action_mask"]`` forbids are not offered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import bad_input
from ._spaces import Leaves, shortened

Arrays = Sequence[Any]
Flags = NDArray[np.bool_]
#: Current observations, those that the step led to (where an episode ended), rewards, terminated, truncated, the
#: actions that are offered now, and where nothing happened because the step only began an episode.
Step = tuple[Arrays, Arrays | None, NDArray[np.float64], Flags, Flags, Flags | None, Flags | None]

_FLAGS = {bool, np.bool_, int}
_STEP = "it must return (observation, reward, terminated, truncated, info)"


def _mask_row(mask: Any, actions: int) -> Flags:
    row = np.asarray(mask)
    if row.shape != (actions,) or row.dtype.kind not in "biuf":
        raise bad_input(
            "env", f"its action_mask has the shape {row.shape}", f"it needs one number for each of {actions} actions"
        )
    allowed: Flags = row != 0
    return allowed


def _seeds(seed: int, stream: int, count: int) -> list[int]:
    """Groups with other streams get other random numbers."""
    return [int(one) for one in np.random.SeedSequence([seed, stream]).generate_state(count)]


class SingleWalkers:
    """Environments that are stepped one after the other, each reset as soon as its episode ends. `done` is told when
    they are no longer needed."""

    def __init__(self, envs: Sequence[Any], leaves: Leaves, stream: int, done: Callable[[Sequence[Any]], None]) -> None:
        self.count = len(envs)
        self._envs = envs
        self._done = done
        self._leaves = leaves
        self._stream = stream
        self._now = leaves.rows(self.count)
        self._final = leaves.rows(self.count)
        self._rewards = np.zeros(self.count)
        self._terminated = np.zeros(self.count, np.bool_)
        self._truncated = np.zeros(self.count, np.bool_)
        self._masks: Flags | None = None

    def reset(self, seed: int) -> tuple[Arrays, Flags | None]:
        """Restarts all episodes."""
        for i, own in enumerate(_seeds(seed, self._stream, self.count)):
            self._begin(i, own)
        return self._now, self._masks

    def step(self, actions: NDArray[np.int64]) -> Step:
        """One step in every environment."""
        put, now = self._leaves.put, self._now
        values = self._leaves.action_values
        rewards, any_ended = self._rewards, False
        for i, action in enumerate(actions.tolist()):
            result = self._envs[i].step(action if values is None else values[action])
            try:
                obs, reward, terminated, truncated, info = result
                rewards[i] = reward
                masked = "action_mask" in info or self._masks is not None
            except (TypeError, ValueError):
                raise bad_input("env", f"its step returned {shortened(result)}", _STEP) from None
            if type(terminated) not in _FLAGS or type(truncated) not in _FLAGS:
                raise bad_input("env", f"its step returned {shortened(result)}", "terminated and truncated are bool")
            self._terminated[i] = terminated
            self._truncated[i] = truncated
            if terminated or truncated:
                any_ended = True
                put(self._final, i, obs)
                self._begin(i, None)
                continue
            put(now, i, obs)
            if masked:
                self._offer(i, info)
        return now, self._final if any_ended else None, rewards, self._terminated, self._truncated, self._masks, None

    def close(self) -> None:
        """Gives the environments back."""
        self._done(self._envs)

    def _begin(self, i: int, seed: int | None) -> None:
        result = self._envs[i].reset(seed=seed)
        try:
            obs, info = result
            masked = "action_mask" in info or self._masks is not None
        except (TypeError, ValueError):
            raise bad_input(
                "env", f"its reset returned {shortened(result)}", "it must return (observation, info)"
            ) from None
        self._leaves.put(self._now, i, obs)
        if masked:
            self._offer(i, info)

    def _offer(self, i: int, info: Any) -> None:
        mask = info.get("action_mask")
        if mask is None and self._masks is None:
            return
        actions = self._leaves.action_count
        if self._masks is None:
            self._masks = np.ones((self.count, actions), np.bool_)
        self._masks[i] = True if mask is None else _mask_row(mask, actions)


def autoreset_mode(envs: Any) -> str:
    """When a vector environment resets by itself: SameStep, NextStep or Disabled. NextStep is what Gymnasium 1.0 does,
    which does not say so."""
    mode = envs.metadata.get("autoreset_mode", "NextStep")
    word = str(getattr(mode, "value", mode))
    if word not in ("SameStep", "NextStep", "Disabled"):
        raise bad_input("env", f"its autoreset_mode is {mode}", "SAME_STEP, NEXT_STEP and DISABLED are known")
    return word


class VectorWalkers:
    """A vector environment as it is. Where it resets in the same step, its `final_obs` is what the step led to. Where
    it resets in the next step, that step is marked as one in which nothing happened. Where it does not reset by itself,
    it is asked to by `reset_mask`, as Gymnasium specifies."""

    def __init__(self, envs: Any, leaves: Leaves, stream: int) -> None:
        self.count = int(envs.num_envs)
        self._envs = envs
        self._leaves = leaves
        self._stream = stream
        self._mode = autoreset_mode(envs)
        values = leaves.action_values
        self._values = None if values is None else np.asarray(values)
        self._masks: Flags | None = None
        self._waiting: Flags | None = None  # those whose next step begins an episode

    def reset(self, seed: int) -> tuple[Arrays, Flags | None]:
        """Restarts all episodes."""
        self._waiting = None
        obs, info = self._envs.reset(seed=_seeds(seed, self._stream, 1)[0])
        self._offer(info, None)
        return self._leaves.flatten(obs), self._masks

    def step(self, actions: NDArray[np.int64]) -> Step:
        """One step in every environment."""
        result = self._envs.step(actions if self._values is None else self._values[actions])
        try:
            obs, given, terminated, truncated, info = result
            rewards = np.ascontiguousarray(given, np.float64)
            terminated = np.ascontiguousarray(terminated, np.bool_)
            truncated = np.ascontiguousarray(truncated, np.bool_)
            ended = terminated | truncated
            now = self._leaves.flatten(obs)
            masked = self._masks is not None or "action_mask" in info
        except (TypeError, ValueError, KeyError, IndexError):
            raise bad_input("env", f"its step returned {shortened(result)}", _STEP) from None
        if masked:
            self._offer(info, None)
        skipped = self._waiting
        if self._mode == "NextStep":
            self._waiting = ended if ended.any() else None
            return now, None, rewards, terminated, truncated, self._masks, skipped
        if not ended.any():
            return now, None, rewards, terminated, truncated, self._masks, None
        if self._mode == "SameStep":
            return now, self._shown_last(now, info, ended), rewards, terminated, truncated, self._masks, None
        final = [np.array(leaf) for leaf in now]
        terminated, truncated, rewards = terminated.copy(), truncated.copy(), rewards.copy()
        return self._restart(ended), final, rewards, terminated, truncated, self._masks, None

    def close(self) -> None:
        """The environments belong to the caller."""

    def _shown_last(self, now: Arrays, info: dict[str, Any], ended: Flags) -> Arrays:
        shown = info.get("final_obs")
        if shown is None:
            raise bad_input("env", "ended an episode without final_obs in its info", "SAME_STEP promises it")
        final = [np.array(leaf) for leaf in now]
        for i in np.flatnonzero(ended):
            for target, leaf in zip(final, self._leaves.flatten(shown[i]), strict=True):
                target[i] = leaf
        return final

    def _restart(self, ended: Flags) -> Arrays:
        """Begins new episodes where one ended. Environments that cannot do so for some alone say so."""
        obs, info = self._envs.reset(options={"reset_mask": np.array(ended, dtype=np.bool_)})
        if self._masks is not None or "action_mask" in info:
            self._offer(info, ended)
        return self._leaves.flatten(obs)

    def _offer(self, info: dict[str, Any], only: Flags | None) -> None:
        """Takes over the masks: of all environments, or of some. One without a mask offers every action."""
        actions = self._leaves.action_count
        masks = info.get("action_mask")
        if masks is None and self._masks is None:
            return
        given = info.get("_action_mask")
        if isinstance(masks, np.ndarray) and masks.shape == (self.count, actions) and masks.dtype.kind in "biuf":
            rows = masks != 0
            if given is not None and not given.all():
                rows[~given] = True
        else:
            rows = np.ones((self.count, actions), np.bool_)
            for i in range(self.count) if given is None else np.flatnonzero(given):
                rows[i] = True if masks is None else _mask_row(masks[i], actions)
        if only is not None and self._masks is not None:
            rows = np.where(only[:, None], rows, self._masks)
        self._masks = rows
