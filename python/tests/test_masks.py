"""Actions that an environment does not offer (info["action_mask"]) are never taken."""

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import ndnf


class Stairs(gym.Env[Any, Any]):
    """Four steps to climb. Going down is not offered on the lowest, waiting only on even ones; the environment does not
    forgive mistakes."""

    def __init__(self) -> None:
        self.observation_space = spaces.Discrete(5)
        self.action_space = spaces.Discrete(3)  # up, down, wait
        self.at = 0

    def _mask(self) -> Any:
        return np.array([1, self.at > 0, self.at % 2 == 0], np.int8)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.at = int(self.np_random.integers(3))
        return self.at, {"action_mask": self._mask()}

    def step(self, action: Any) -> Any:
        assert self._mask()[action], f"action {action} is not offered on step {self.at}"
        self.at += (1, -1, 0)[action]
        return self.at, -1.0, self.at == 4, False, {"action_mask": self._mask()}


class Patient(gym.wrappers.TimeLimit):
    def __init__(self) -> None:
        super().__init__(Stairs(), 50)


@pytest.mark.parametrize("model", ["mlp", "ndnf-mt"])
def test_training_evaluation_and_extraction_take_only_what_is_offered(model: str) -> None:
    run = ndnf.train(Patient, model=model, steps=20_000, seed=1, out="run")
    assert run.return_ == pytest.approx(-3, abs=0.4)
    assert ndnf.evaluate(run, env=Patient, episodes=300, select="sample").return_ is not None
    if model == "ndnf-mt":
        found = ndnf.extract(run, env=Patient, episodes=200)
        assert found.faithful
        assert found.policy is not None
        assert ndnf.evaluate(found.policy, episodes=300).return_ == pytest.approx(-3, abs=0.4)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_masks_of_vector_environments_are_honoured_in_every_mode(mode: AutoresetMode) -> None:
    envs = SyncVectorEnv([Patient] * 8, autoreset_mode=mode)
    run = ndnf.train(envs, model="mlp", steps=4096, out="run")
    assert run.steps >= 4096


def test_a_policy_acts_within_the_mask_and_keeps_the_proportions() -> None:
    policy = ndnf.load("uniform", env=Stairs)
    mask = np.array([1, 0, 1], np.int8)
    drawn = policy.act(np.zeros(3000, int), action_masks=np.tile(mask, (3000, 1)))
    assert set(drawn) == {0, 2}
    assert 1350 < (drawn == 0).sum() < 1650
    assert policy.act(0, action_masks=[False, True, False]) == 1
    assert policy.predict(0, action_masks=np.array([0, 0, 1]), deterministic=True) == (2, None)


@pytest.mark.parametrize(
    ("mask", "said"),
    [
        ([1, 1], "3 actions"),
        ([0, 0, 0], "allows no action"),
        (["a", "b", "c"], "3 actions"),
        ([[[1, 1, 1]] * 2], "3 act"),
    ],
)
def test_a_bad_mask_is_a_sentence(mask: Any, said: str) -> None:
    with pytest.raises(ndnf.Error, match=said) as caught:
        ndnf.load("uniform", env=Stairs).act(0, action_masks=mask)
    assert caught.value.where == "action_masks"


def test_a_policy_that_names_only_forbidden_actions_says_so() -> None:
    model = ndnf.explore(Patient())
    policy = ndnf.load("optimal", env=model)
    assert policy.act(0) == 0
    with pytest.raises(ndnf.Error, match="names no action that action_masks allows"):
        policy.act(0, action_masks=[False, True, True])


@pytest.mark.parametrize(("mask", "said"), [(np.zeros(3), "allows no action"), (np.ones(2), "3 actions")])
def test_an_environment_with_a_bad_mask_is_refused(mask: Any, said: str) -> None:
    class Strange(Stairs):
        def _mask(self) -> Any:
            return mask

    with pytest.raises(ndnf.Error, match=said) as caught:
        ndnf.train(Strange, model="mlp", steps=4096, out="run")
    assert caught.value.where == "env"


def test_tables_and_explored_models_offer_what_the_mask_allows() -> None:
    env: Any = gym.make("Taxi-v4")
    rows = ndnf.load("uniform", env=env).probabilities(np.arange(500))
    masks = np.array([env.unwrapped.action_mask(s) for s in range(500)])
    reachable = rows.sum(axis=1) > 0
    assert reachable.sum() >= 400
    assert np.array_equal(rows[reachable] > 0, masks[reachable] > 0)
    stairs = ndnf.load("uniform", env=ndnf.explore(Patient()))
    assert stairs.probabilities(0) == pytest.approx([0.5, 0, 0.5])
    assert stairs.probabilities(1) == pytest.approx([0.5, 0.5, 0])


def test_taxi_without_its_table_is_masked_step_by_step() -> None:
    taken: list[bool] = []

    class Watched(gym.Wrapper[Any, Any, Any, Any]):
        def step(self, action: Any) -> Any:
            inner: Any = self.unwrapped
            taken.append(bool(inner.action_mask(inner.s)[action]))
            return self.env.step(action)

    result = ndnf.evaluate("uniform", env=lambda: Watched(gym.make("Taxi-v4")), episodes=20)
    assert not result.exact
    assert len(taken) > 1000
    assert all(taken)
