"""Gymnasium's environments as our tasks."""

from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import ndnf


class Light(gym.Env[Any, Any]):
    """Shows a lamp and must be switched off; the observation space is to be chosen."""

    def __init__(self, space: Any = None, length: int = 3, mask: bool = False) -> None:
        self.observation_space = space or spaces.Discrete(4)
        self.action_space = spaces.Discrete(2)
        self.length = length

    def _obs(self) -> Any:
        return self.at

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.at = 0
        return self._obs(), {}

    def step(self, action: Any) -> Any:
        self.at = min(3, self.at + 1) if action == 1 else 0
        return self._obs(), -1.0, self.at == self.length, False, {}


class Numbered(gym.ObservationWrapper[Any, Any, Any]):
    def __init__(self, env: Any, space: Any) -> None:
        super().__init__(env)
        self.observation_space = space
        self.sample = space.sample()

    def observation(self, observation: Any) -> Any:
        return self.sample


def best_with_memory(env: Any, steps: int) -> float:
    """The best return within this many steps, for policies that know the time: straight from Gymnasium's table."""
    table, starts = env.unwrapped.P, env.unwrapped.initial_state_distrib
    values = np.zeros(len(table))
    for _ in range(steps):
        actions = [
            [sum(p * (r + (0 if end else values[n])) for p, n, r, end in table[s][a]) for a in table[s]] for s in table
        ]
        values = np.max(actions, axis=1)
    return float(values @ starts)


@pytest.mark.parametrize(
    ("name", "steps"), [("FrozenLake-v1", 100), ("FrozenLake8x8-v1", 200), ("CliffWalking-v1", 500), ("Taxi-v4", 200)]
)
def test_tables_become_exact_models(name: str, steps: int) -> None:
    env = gym.make(name)
    model = ndnf.finite_model(env)
    assert model.exact
    found = ndnf.optimum(model)
    assert found.bound == pytest.approx(best_with_memory(env, steps), abs=1e-9)
    model.save("task.json")
    assert ndnf.optimum("task.json").return_ == found.return_
    policy = ndnf.load("optimal", env=env)
    returns = [played(env, policy, seed) for seed in range(400)]
    error = np.std(returns) / np.sqrt(len(returns))
    assert abs(np.mean(returns) - found.return_) <= 4 * error + 1e-9


def played(env: gym.Env[Any, Any], policy: ndnf.Policy, seed: int) -> float:
    total, over = 0.0, False
    obs, _ = env.reset(seed=seed)
    while not over:
        obs, reward, terminated, truncated, _ = env.step(policy.act(obs))
        total += float(reward)
        over = terminated or truncated
    return total


def test_frozen_lake_is_learned_extracted_and_played() -> None:
    env = gym.make("FrozenLake-v1")
    run = ndnf.train(env, seed=1)
    assert run.env == "gym:FrozenLake-v1"
    assert run.gap == pytest.approx(0, abs=1e-9)
    found = run.extract()
    assert found.faithful
    assert "row(" in found.text
    assert (run.path / "task.json").exists()
    assert found.policy is not None
    assert 0 <= found.policy.act(env.reset(seed=0)[0]) < 4


def test_toy_text_states_have_readable_names() -> None:
    assert ndnf.describe("gym:FrozenLake-v1").atoms[:5] == ["row(0)", "row(1)", "row(2)", "row(3)", "col(0)"]
    assert ndnf.describe(gym.make("Taxi-v4")).actions[-1] == "dropoff"
    names = [group["name"] for group in ndnf.describe("gym:Blackjack-v1").groups]
    assert names == ["hand", "dealer", "usable_ace"]


def test_settings_of_an_environment_are_part_of_its_name() -> None:
    env = gym.make("FrozenLake-v1", is_slippery=False)
    assert ndnf.optimum(env).return_ == 1
    assert ndnf.optimum("gym:FrozenLake-v1:is_slippery=false").return_ == 1
    assert ndnf.optimum('gym:FrozenLake-v1:map_name="8x8",is_slippery=false').return_ == 1


def test_names_can_be_given() -> None:
    env = gym.make("FrozenLake-v1")
    described = ndnf.describe(env, names={"obs": [f"tile_{k}" for k in range(16)], "actions": ["w", "s", "e", "n"]})
    assert described.atoms[0] == "tile_0"
    assert described.actions == ["w", "s", "e", "n"]
    with pytest.raises(ndnf.Error, match="4 names"):
        ndnf.describe(env, names={"actions": ["one"]})
    with pytest.raises(ndnf.Error, match="no part lake"):
        ndnf.describe(env, names={"lake": "x"})


@pytest.mark.parametrize(
    ("space", "atoms", "numbers"),
    [
        (spaces.Discrete(5, start=-2), 5, 0),
        (spaces.MultiDiscrete([2, 3]), 4, 0),
        (spaces.MultiBinary(3), 3, 0),
        (spaces.MultiBinary((2, 2)), 4, 0),
        (spaces.Box(0, 3, (2, 2), np.int8), 16, 0),
        (spaces.Box(-1, 1, (3,), np.float32), 0, 3),
        (spaces.Box(0, 255, (2, 2, 3), np.uint8), 0, 12),
        (spaces.Tuple((spaces.Discrete(3), spaces.Box(-np.inf, np.inf, (2,)))), 3, 2),
        (spaces.Dict({"a": spaces.Discrete(3), "b": spaces.Dict({"c": spaces.MultiBinary(2)})}), 5, 0),
    ],
)
def test_spaces_become_atoms_and_numbers(space: Any, atoms: int, numbers: int) -> None:
    env = Numbered(Light(), space)
    described = ndnf.describe(env)
    assert (len(described.atoms), len(described.quantities)) == (atoms, numbers)
    policy = ndnf.load("uniform", env=env)
    assert policy.probabilities(space.sample()) == pytest.approx([0.5, 0.5])
    run = ndnf.train(env, model="mlp", steps=4096, out="run")
    assert run.policy.act(space.sample()) in (0, 1)


def test_text_spaces_are_refused_with_a_sentence() -> None:
    with pytest.raises(ndnf.Error, match="Text is not supported"):
        ndnf.describe(Numbered(Light(), spaces.Text(5)))


def test_continuous_actions_are_refused_and_small_ones_enumerated() -> None:
    with pytest.raises(ndnf.Error, match="cannot be enumerated"):
        ndnf.describe("gym:Pendulum-v1")
    env = Light()
    env.action_space = spaces.MultiDiscrete([2, 3])
    assert len(ndnf.describe(env).actions) == 6
    policy = ndnf.load("uniform", env=env)
    assert env.action_space.contains(policy.act(0))


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vector_environments_restart_as_their_mode_says(mode: AutoresetMode) -> None:
    from ndnf._gymnasium import source_from_object

    envs = SyncVectorEnv([lambda: Light(length=1), lambda: Light(length=3)], autoreset_mode=mode)
    walkers = source_from_object(envs).walkers(2, 0)
    assert list(walkers.reset(0)[0]) == [0, 0]
    seen = []
    for _ in range(4):
        now, final, rewards, terminated, _ = walkers.step(np.array([1, 1]))
        seen.append((list(now[0]), None if final is None else list(final[0]), list(rewards), list(terminated)))
    assert seen == [
        ([0, 1], [1, 1], [-1, -1], [True, False]),
        ([0, 2], [1, 2], [-1, -1], [True, False]),
        ([0, 0], [1, 3], [-1, -1], [True, True]),
        ([0, 1], [1, 1], [-1, -1], [True, False]),
    ]


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_vector_environment_is_trained_on(mode: AutoresetMode) -> None:
    envs = SyncVectorEnv([Light] * 8, autoreset_mode=mode)
    run = ndnf.train(envs, model="mlp", steps=40_000, out="run")
    assert run.metrics[-1]["episodic_return"] > -4


def test_an_exception_in_step_reaches_the_caller() -> None:
    class Broken(Light):
        def step(self, action: Any) -> Any:
            raise RuntimeError("the motor is hot")

    with pytest.raises(RuntimeError, match="the motor is hot"):
        ndnf.train(Broken, model="mlp", steps=5000, out="run")


def test_observations_that_are_not_finite_are_refused() -> None:
    class Lost(Light):
        def _obs(self) -> Any:
            return np.array([np.nan], np.float32)

    space = spaces.Box(-1, 1, (1,), np.float32)
    with pytest.raises(ndnf.Error, match="not finite"):
        ndnf.train(lambda: Lost(space), model="mlp", steps=5000, out="run")


def test_exploring_a_deterministic_environment_gives_an_exact_model() -> None:
    model = ndnf.explore(Light())
    assert model.exact
    assert ndnf.optimum(model).return_ == -3


def test_exploring_a_random_environment_gives_an_estimate() -> None:
    lake = gym.make("FrozenLake-v1")
    model = ndnf.explore(lake, samples=30)
    assert not model.exact
    assert ndnf.describe(model).states == ndnf.describe(lake).states == 11
    assert ndnf.optimum(model).return_ == pytest.approx(ndnf.optimum(lake).return_, abs=0.3)


def test_too_many_states_are_refused() -> None:
    with pytest.raises(ndnf.Error, match="more than 10 states"):
        ndnf.explore(gym.make("Taxi-v4"), max_states=10, samples=1, resets=20)


def test_a_wrapper_that_changes_rewards_forbids_the_table() -> None:
    env = gym.wrappers.TransformReward(gym.make("FrozenLake-v1"), lambda r: 2 * float(r))
    with pytest.raises(ndnf.Error, match="TransformReward"):
        ndnf.finite_model(env)


def test_a_run_on_a_table_needs_no_gymnasium_later() -> None:
    run = ndnf.train("gym:CliffWalking-v1", out="run")
    assert ndnf.evaluate(run).return_ == run.return_ == -13
    assert Path("run/task.json").exists()
