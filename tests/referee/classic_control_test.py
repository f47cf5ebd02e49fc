"""Gymnasium's classic control tasks take the same steps as ours, from the same states.

Usage: classic_control_test.py WRITE_STEPS

Our sine and cosine are not the C library's, so numbers may differ in their last digits; observations are single
precision and nearly always the same bits. Gymnasium keeps the state of MountainCarContinuous in single precision, we do
not: there they are the same to seven digits.
"""

import subprocess
import sys
import tempfile
import unittest
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import gymnasium
import numpy as np

WRITE_STEPS = sys.argv[1]
STEPS = 100_000
SAME_BITS = 0.999  # of the observations, at least


@dataclass
class World:
    task: str
    gymnasium: str
    state: int  # how many numbers
    observation: int
    action: Callable[[int], Any] = int
    close: float = 1e-12  # absolute, of numbers up to 30


WORLDS = [
    World("cart-pole", "CartPole-v1", 4, 4),
    World("mountain-car", "MountainCar-v0", 2, 2),
    World("mountain-car-graded", "MountainCarContinuous-v0", 2, 2, lambda a: np.array([a / 2 - 1]), 1e-7),
    World("acrobot", "Acrobot-v1", 4, 6),
    World("pendulum", "Pendulum-v1", 2, 3, lambda a: np.array([a - 2.0])),
]


def steps_of(world: World) -> np.ndarray:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "steps"
        subprocess.run([WRITE_STEPS, world.task, str(STEPS), file], check=True)
        return np.fromfile(file).reshape(STEPS, 2 * world.state + 3 + world.observation)


class ClassicControl(unittest.TestCase):
    def compare(self, world: World) -> None:
        env = gymnasium.make(world.gymnasium).unwrapped
        env.reset(seed=0)
        steps = steps_of(world)
        borders = np.cumsum([world.state, 1, world.state, 1, 1])
        befores, actions, after, reward, terminated, seen = np.split(steps, borders, axis=1)
        theirs = np.empty_like(steps[:, world.state + 1 :])
        for before, action, row in zip(befores, actions[:, 0], theirs):
            env.state = before.copy()
            env.steps_beyond_terminated = None
            observation, their_reward, their_end, _, _ = env.step(world.action(int(action)))
            row[:] = [*env.state, their_reward, their_end, *observation]
        their_after, their_reward, their_end, their_seen = np.split(theirs, borders[2:] - borders[1], axis=1)
        goes_on = ~np.isnan(after[:, 0])
        np.testing.assert_allclose(their_after[goes_on], after[goes_on], rtol=0, atol=world.close)
        np.testing.assert_allclose(their_reward, reward, rtol=0, atol=world.close)
        np.testing.assert_array_equal(their_end, terminated)
        np.testing.assert_allclose(their_seen, seen, rtol=2e-7, atol=world.close)
        same = int(np.all(their_seen == seen, axis=1).sum())
        ended = int((~goes_on).sum())
        print(f"{world.task}: {same} of {STEPS} observations are the same bits, {ended} episodes")
        self.assertGreaterEqual(same, SAME_BITS * STEPS)
        self.assertGreater(ended, 0)
        ends = np.flatnonzero(~goes_on)
        lengths = np.diff(np.concatenate([[-1], ends]))
        self.assertLessEqual(lengths.max(), gymnasium.spec(world.gymnasium).max_episode_steps)


def test_of(world: World) -> Callable[[ClassicControl], None]:
    return lambda self: self.compare(world)


for one in WORLDS:
    setattr(ClassicControl, "test_" + one.task.replace("-", "_"), test_of(one))

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    unittest.main(argv=sys.argv[:1])
