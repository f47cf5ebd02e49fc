"""Our tasks as Gymnasium's environments."""

import subprocess
import sys
import warnings
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ndnf

IDS = sorted(name for name in gym.registry if name.startswith("ndnf/"))


def test_every_task_is_registered() -> None:
    assert len(IDS) == len(ndnf.envs())
    assert "ndnf/DoorCorridor-v0" in IDS


@pytest.mark.parametrize("name", IDS)
def test_gymnasiums_checker_has_no_complaint(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gym.make(name).unwrapped)


@pytest.mark.parametrize("name", IDS)
def test_every_render_mode_draws(name: str) -> None:
    for mode in ("rgb_array", "svg", "ansi"):
        env = gym.make(name, render_mode=mode)
        env.reset(seed=0)
        first: Any = env.render()
        for _ in range(5):
            env.step(env.action_space.sample())
        if mode == "rgb_array":
            assert first.dtype == np.uint8
            assert first.shape[2] == 3
            assert first.std() > 1  # something is on it
            later: Any = env.render()
            assert later.shape == first.shape
        else:
            assert ("<svg" in first) == (mode == "svg")


def test_pictures_show_the_state() -> None:
    env: Any = gym.make("ndnf/SmallCorridor-v0", render_mode="rgb_array")
    env.reset(seed=0)
    before = env.render()
    env.step(1)
    moved = np.flatnonzero((before != env.render()).any(axis=(0, 2)))
    assert 0 < len(moved) < before.shape[1] / 2  # two neighbouring squares


def test_episodes_are_recorded_by_gymnasium() -> None:
    env = gym.wrappers.RenderCollection(gym.make("ndnf/Taxi-v0", render_mode="rgb_array"))
    env.reset(seed=0)
    for _ in range(3):
        env.step(1)
    frames: Any = env.render()
    assert len(frames) == 4


def test_a_mode_that_does_not_exist_is_refused() -> None:
    with pytest.warns(UserWarning, match="hologram"), pytest.raises(ndnf.Error, match="rgb_array, ansi or svg"):
        gym.make("ndnf/Taxi-v0", render_mode="hologram")


@pytest.mark.parametrize("name", IDS)
def test_vector_versions_agree_with_their_spaces(name: str) -> None:
    envs = gym.make_vec(name, num_envs=5)
    obs, _ = envs.reset(seed=3)
    assert obs in envs.observation_space
    for _ in range(60):
        obs, rewards, _, _, _ = envs.step(envs.action_space.sample())
        assert obs in envs.observation_space
        assert rewards.shape == (5,)


@pytest.mark.parametrize("name", ["ndnf/Blackjack-v0", "ndnf/Taxi-v0", "ndnf/SmallCorridor-v0"])
def test_tables_give_back_the_same_optimum(name: str) -> None:
    env: Any = gym.make(name).unwrapped
    spec = env.ndnf_spec
    assert len(env.P) == len(env.initial_state_distrib)
    assert ndnf.optimum(env).return_ == ndnf.optimum(spec).return_


def test_states_are_drawn() -> None:
    for mode, part in (("ansi", "agent"), ("svg", "<svg")):
        env = gym.make("ndnf/SmallCorridor-v0", render_mode=mode)
        env.reset(seed=0)
        assert part in str(env.render())


def test_settings_are_keywords() -> None:
    env: Any = gym.make("ndnf/SmallCorridor-v0", obs="wall")
    assert env.unwrapped.ndnf_spec == 'small-corridor:obs="wall"'
    assert env.observation_space == gym.spaces.MultiDiscrete([2, 2])


def test_a_policy_plays_our_environment_in_gymnasium() -> None:
    env = gym.make("ndnf/Blackjack-v0")
    policy = ndnf.load("optimal", env=env)
    returns = []
    for seed in range(2000):
        obs, _ = env.reset(seed=seed)
        over, total = False, 0.0
        while not over:
            obs, reward, terminated, truncated, _ = env.step(policy.act(obs))
            over, total = terminated or truncated, total + float(reward)
        returns.append(total)
    exact = ndnf.evaluate(policy).return_
    assert exact is not None
    assert abs(np.mean(returns) - exact) < 4 * np.std(returns) / np.sqrt(len(returns))


def test_it_does_not_matter_which_is_imported_first() -> None:
    code = "import ndnf, gymnasium; print(gymnasium.make('ndnf/Taxi-v0').unwrapped.ndnf_spec)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "taxi"
