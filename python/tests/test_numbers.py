"""Rules over the numbers of Gymnasium's environments."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv
from numpy.typing import NDArray

import ndnf

TINY = {"rules.rounds": 1, "rules.states": 256, "rules.episodes": 10, "ppo.total_timesteps": 9000}
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


def test_unbounded_numbers_are_measured_and_constant_ones_have_a_range_around_them() -> None:
    names = {"obs": ["height", "climb", "gravity"], "units": {"climb": "m/s"}, "quanta": {"height": 0.5}}
    found = quantities(Glider(), names=names)
    assert found["height"]["quantum"] == 0.5
    assert found["climb"]["unit"] == "m/s"
    assert found["climb"]["quantum"] == 0.001
    assert found["gravity"]["quantum"] == 0.01
    assert found["gravity"]["lowest"] <= 0 < 981 < found["gravity"]["highest"]


def test_a_number_that_never_changes_does_not_keep_rules_from_being_learned(tmp_path: Path) -> None:
    names = {"obs": ["height", "climb", "gravity"]}
    run = ndnf.train(Glider(), names=names, model="rules", steps=20_000, out=tmp_path / "run", set=TINY)
    assert run.front
    assert "gravity" not in (tmp_path / "run" / "policy.lp").read_text().split("\n\n")[-1]


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


@pytest.mark.parametrize(
    "names",
    [
        {"quanta": {"height": "abc"}},
        {"quanta": 3},
        {"quanta": {"height": 0.0}},
        {"quanta": {"height": 1e-300}},
        {"ranges": {"height": (5,)}},
        {"ranges": {"height": 5}},
        {"ranges": {"height": ("a", "b")}},
        {"ranges": {"height": (-5, float("inf"))}},
        {"units": {"height": "m\naction(up)."}},
        {"units": {"height": 3}},
        {"obs": [1, 2, 3]},
        {"obs": ["action", "climb", "gravity"]},
        {"obs": ["float", "climb", "gravity"]},
    ],
)
def test_malformed_names_are_one_sentence(names: Any) -> None:
    given = names if "obs" in names else {"obs": ["height", "climb", "gravity"], **names}
    with pytest.raises(ndnf.Error) as error:
        ndnf.describe(Glider(), names=given)
    assert "\n" not in str(error.value)
    with pytest.raises(ndnf.Error, match="is not a dict"):
        ndnf.describe(Glider(), names=[given])  # type: ignore[arg-type]


class Far(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A number near 1e9, and one near 0."""

    observation_space = Box(np.array([1e9 - 64, 0.0], np.float32), np.array([1e9 + 64, 1.0], np.float32))
    action_space = Discrete(2)


def test_a_number_too_far_from_0_for_its_range_has_no_grid() -> None:
    found = quantities(Far(), names={"obs": ["far", "near"]})
    assert found["far"]["quantum"] is None
    assert found["near"]["quantum"] == 0.001


def lean(observations: NDArray[Any]) -> NDArray[Any]:
    """Pushes the cart to where its pole leans: 500 steps need no more."""
    return (observations[:, 2] + 0.3 * observations[:, 3] > 0).astype(int)


SMALL = {"rules.rounds": 2, "rules.states": 256, "rules.episodes": 30}


@pytest.mark.parametrize("task", ["cart-pole:step_limit=100", "gym:CartPole-v1"])
def test_rules_are_learned_from_a_function(tmp_path: Path, task: str) -> None:
    run = ndnf.train(task, model="rules", teacher=lean, steps=60_000, out=tmp_path / "run", set=SMALL)
    assert run.teacher_return is not None
    assert run.teacher_return >= 100
    assert run.return_ > 60
    assert not (tmp_path / "run" / "teacher.safetensors").exists()
    with pytest.raises(ndnf.Error, match="examples do not answer"):
        ndnf.train(task, model="rules", teacher=(np.zeros((2, 4), np.float32), np.array([0, 1])))


class Heater(gymnasium.Env[dict[str, Any], np.int64]):
    """A mixed task: a temperature, and a season that says which one is wanted."""

    observation_space = Dict(season=Discrete(2), room=Box(0.0, 40.0, (1,), np.float32))
    action_space = Discrete(2)
    ndnf_names: ClassVar = {"season": ["winter", "summer"], "room": ["temp"], "actions": ["off", "heat"]}

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
        super().reset(seed=seed)
        self.season = int(self.np_random.integers(2))
        self.temp = float(self.np_random.uniform(5, 35))
        self.left = 20
        return self.seen(), {}

    def seen(self) -> dict[str, Any]:
        return {"season": self.season, "room": np.array([self.temp], np.float32)}

    def step(self, action: np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        self.temp = min(40.0, max(0.0, self.temp + (2.0 if action == 1 else -1.0)))
        self.left -= 1
        wanted = 28.0 if self.season == 1 else 18.0
        return self.seen(), -abs(self.temp - wanted) / 20, False, self.left == 0, {}


def test_a_task_with_atoms_and_numbers_is_learned_by_rules(tmp_path: Path) -> None:
    run = ndnf.train(Heater, steps=60_000, out=tmp_path / "run", set={**SMALL, "ppo.total_timesteps": 9000})
    assert any("atoms and numbers" in sentence for sentence in run.choices)
    assert run.front
    with pytest.raises(ndnf.Error, match="reads atoms or numbers, and the task observes both"):
        ndnf.train(Heater, model="mlp", steps=60_000, out=tmp_path / "other")


def test_the_command_says_in_one_sentence_what_is_wrong_in_python(tmp_path: Path) -> None:
    module = tmp_path / "broken.py"
    module.write_text(
        "import gymnasium\ndef make():\n    raise RuntimeError('no\\nkeys')\ngymnasium.register('Broken-v0', make)\n"
    )
    for task, sentence in {
        "gym:nothere:Tank-v0": "No module named 'nothere'",
        "gym:broken:Broken-v0": "RuntimeError: no keys (",
    }.items():
        command = [sys.executable, "-m", "ndnf", "envs", task]
        done = subprocess.run(
            command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=False
        )
        assert done.returncode == 2
        assert done.stdout == ""
        assert sentence in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_module_that_registers_an_environment_may_come_before_its_id() -> None:
    assert quantities("gym:gymnasium:CartPole-v1") == quantities("gym:CartPole-v1")
    kind = "gym:gymnasium.envs:CartPole-v1:sutton_barto_reward=true"
    assert ndnf.evaluate("uniform", env=kind, episodes=1).return_ == -1
    with pytest.raises(ndnf.Error, match="gym:nowhere:CartPole-v1"):
        ndnf.describe("gym:nowhere:CartPole-v1")
    with pytest.raises(ndnf.Error, match="is not key=value"):
        ndnf.describe("gym:CartPole-v1:fast")


@pytest.mark.parametrize(
    ("task", "sentence"),
    [
        ('gym:FrozenLake-v1:map_name="zzz"', r"cannot be made \(KeyError: 'zzz' \(.*frozen_lake\.py:\d+\)\)"),
        ('gym:FrozenLake-v1:desc=["S"]', r"cannot be made \(ValueError: "),
        ("gym:CartPole-v1:max_episode_steps=0", r"cannot be made \(ValueError: "),
        ("gym:CartPole-v1:wheels=4", r"does not have these settings"),
        ("gym:CartPole-v1:a=" + "[" * 970, "is nested too deeply|does not have these settings"),
        ("gym:CartPole-v1:a=" + "[" * 100_000, r"gym:CartPole-v1:a=\[+\.\.\.: is longer than 1,000 characters"),
        ("gym:CartPole-v1:a=" + "9" * 5000, "is longer than 1,000 characters"),
    ],
)
def test_settings_that_an_environment_does_not_take_are_one_sentence(task: str, sentence: str) -> None:
    with pytest.raises(ndnf.Error, match=sentence) as caught:
        ndnf.describe(task)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 2000


def test_numbers_of_environments_in_other_processes_have_the_same_names() -> None:
    envs = AsyncVectorEnv([lambda: gymnasium.make("CartPole-v1")] * 2)
    try:
        assert quantities(envs) == quantities("gym:CartPole-v1")
    finally:
        envs.close()
