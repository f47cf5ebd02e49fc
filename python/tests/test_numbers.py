"""Rules over the numbers of Gymnasium's environments."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

import ndnf

CART = """action(right) :- angle(A), spin(S), 2*A + S > 0.
action(left) :- angle(A), spin(S), 2*A + S <= 0.
"""


def quantities(env: Any, **options: Any) -> dict[str, Any]:
    return {q["name"]: q for q in ndnf.describe(env, **options).quantities}


def test_gymnasiums_own_tasks_have_units_and_steps() -> None:
    cart = quantities("gym:CartPole-v1")
    assert cart["velocity"]["unit"] == "m/s"
    assert cart["velocity"]["quantum"] == 0.001
    assert cart["angle"]["quantum"] == 0.001


class Glider(gymnasium.Env[NDArray[np.float32], np.int64]):
    """Numbers without bounds: a height, a climb, and one that never changes."""

    observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (3,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, broken: bool = False) -> None:
        self.broken = broken

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        self.height, self.time = 50.0, 0
        return self._see(), {}

    def _see(self) -> NDArray[np.float32]:
        climb = np.nan if self.broken and self.time > 5 else np.sin(self.time)
        return np.array([self.height, climb, 9.81], np.float32)

    def step(self, action: np.int64) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        self.height += float(action) - 0.5
        self.time += 1
        return self._see(), 1.0, False, self.time >= 20, {}


def test_unbounded_numbers_are_measured_and_constant_ones_have_no_steps() -> None:
    names = {"obs": ["height", "climb", "gravity"], "units": {"climb": "m/s"}, "quanta": {"height": 0.5}}
    found = quantities(Glider(), names=names)
    assert found["height"]["quantum"] == 0.5
    assert found["climb"]["unit"] == "m/s"
    assert found["climb"]["quantum"] == 0.001
    assert found["gravity"]["quantum"] is None


def test_nan_is_refused_in_one_sentence() -> None:
    with pytest.raises(ndnf.Error, match="NaN or infinite"):
        ndnf.describe(Glider(broken=True), names={"obs": ["height", "climb", "gravity"]})


def test_options_for_numbers_that_do_not_exist_are_refused() -> None:
    wrong: dict[str, Any] = {"obs": ["height", "climb", "gravity"], "units": {"speed": "m/s"}}
    with pytest.raises(ndnf.Error, match="units names speed"):
        ndnf.describe(Glider(), names=wrong)


def test_programs_over_numbers_are_evaluated_and_proved(tmp_path: Path) -> None:
    program = tmp_path / "cart.lp"
    program.write_text(CART)
    assert ndnf.evaluate(program, env="gym:CartPole-v1", episodes=20).return_ == 500
    assert ndnf.check(program, env="gym:CartPole-v1").holds
    assert ndnf.diff(program, program, env="cart-pole").changed == 0


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_rules_are_learned_in_a_vector_environment_of_any_size(tmp_path: Path, mode: AutoresetMode) -> None:
    envs = SyncVectorEnv([lambda: gymnasium.make("CartPole-v1", max_episode_steps=60)] * 3, autoreset_mode=mode)
    ndnf.train(
        envs,
        model="rules",
        steps=30_000,
        out=tmp_path / "run",
        set={"rules.rounds": 1, "rules.states": 256, "rules.episodes": 30, "ppo.total_timesteps": 9000},
    )
    front = ndnf.load(tmp_path / "run" / "policy.lp", env="gym:CartPole-v1")
    earned = ndnf.evaluate(front, episodes=30).return_
    assert earned is not None
    assert earned > 30  # a pole left alone falls after 10 steps


def test_a_module_that_registers_an_environment_may_come_before_its_id() -> None:
    assert quantities("gym:gymnasium:CartPole-v1") == quantities("gym:CartPole-v1")
    kind = "gym:gymnasium.envs:CartPole-v1:sutton_barto_reward=true"
    assert ndnf.evaluate("uniform", env=kind, episodes=1).return_ == -1
    with pytest.raises(ndnf.Error, match="gym:nowhere:CartPole-v1"):
        ndnf.describe("gym:nowhere:CartPole-v1")
    with pytest.raises(ndnf.Error, match="is not key=value"):
        ndnf.describe("gym:CartPole-v1:fast")


def test_numbers_of_environments_in_other_processes_have_the_same_names() -> None:
    envs = AsyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * 2)
    try:
        assert quantities(envs) == quantities("gym:CartPole-v1")
    finally:
        envs.close()
