"""Environments of the caller's own: what they are called, and how long."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces

import ndnf

MODULE = '''
import gymnasium


class Tank(gymnasium.Env):
    """Is filled by 1; 0 does nothing."""

    observation_space = gymnasium.spaces.Discrete(4)
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.level = 0
        return 0, {}

    def step(self, action):
        self.level = min(3, self.level + int(action))
        return self.level, -1.0, self.level == 3, False, {}
'''


class Tank(gym.Env[Any, Any]):
    """Is filled by 1, and full after `size` steps."""

    observation_space = spaces.Discrete(4)
    action_space = spaces.Discrete(2)

    def __init__(self, size: int = 3) -> None:
        self.size = size

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.level = 0
        return 0, {}

    def step(self, action: Any) -> Any:
        self.level = min(self.size, self.level + int(action))
        return self.level, -1.0, self.level == self.size, False, {}


class Scale(gym.Env[Any, Any]):
    """A weight that is to be kept near 0."""

    observation_space = spaces.Box(-10, 10, (1,), np.float32)
    action_space = spaces.Discrete(2)

    def _seen(self) -> Any:
        return np.array([self.weight], np.float32)

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.weight, self.time = float(self.np_random.uniform(-3, 3)), 0
        return self._seen(), {}

    def step(self, action: Any) -> Any:
        self.weight += 1.0 if action == 1 else -1.0
        self.time += 1
        return self._seen(), -abs(self.weight), False, self.time == 20, {}


NAMES: Any = {"obs": ["empty", "low", "high", "full"]}
UP = "action(a_1).\n"


def learned(env: Any, **options: Any) -> ndnf.Run:
    run: ndnf.Run = ndnf.train(env, model="mlp", steps=4096, out="run", progress=False, **options)
    return run


def python(script: str) -> str:
    """What a script prints in a process of its own, which imports Tank."""
    Path("tanks.py").write_text(MODULE)
    text = f"import sys\nsys.path.insert(0, '.')\nimport ndnf\nfrom tanks import Tank\n{script}"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_an_object_keeps_its_name_and_gives_it_up_in_the_end() -> None:
    tank = Tank()
    assert [ndnf.describe(tank).spec for _ in range(2)] == ["python:Tank"] * 2
    assert ndnf.describe(tank, names=NAMES).spec == "python:Tank"
    assert ndnf.describe(tank).atoms == NAMES["obs"]  # the names that were given last
    other = Tank()
    assert ndnf.describe(other).spec == "python:Tank-2"
    del tank
    new = [ndnf.describe(Tank()).spec for _ in range(3)]
    assert new == ["python:Tank"] * 3
    assert ndnf.describe(other).spec == "python:Tank-2"


def test_a_run_is_resumed_with_the_same_object() -> None:
    tank = Tank()
    assert learned(tank).env == "python:Tank"
    assert learned(tank, resume=True).finished
    assert learned(tank, resume=True, names={"actions": ["a_0", "a_1"]}).finished


def test_a_run_with_names_is_resumed_with_the_same_object() -> None:
    tank = Tank()
    learned(tank, names=NAMES)
    assert learned(tank, names=NAMES, resume=True).env == learned(tank, resume=True).env == "python:Tank"
    assert ndnf.evaluate("run", env=tank, episodes=2).env == "python:Tank"


def test_a_run_is_resumed_with_another_object_of_its_class() -> None:
    first, second = Tank(), Tank(size=2)
    begun = learned(first)
    program = Path("up.lp")
    program.write_text(UP)
    up = [ndnf.load(program, env=tank) for tank in (first, second)]
    assert [ndnf.evaluate(policy, episodes=2).return_ for policy in up] == [-3, -2]
    assert learned(second, resume=True).env == "python:Tank"
    # Nothing that was made for the first is now about the second.
    assert [ndnf.evaluate(policy, episodes=2).return_ for policy in up] == [-3, -2]
    assert ndnf.evaluate(program, env=first, episodes=2).return_ == -3
    assert ndnf.evaluate(begun, env=second, episodes=2).env == "python:Tank"
    assert begun.policy.env != "python:Tank"
    assert [policy.act(0) for policy in up] == [1, 1]


def test_an_object_that_is_learned_keeps_its_name() -> None:
    first, second = Tank(), Tank()
    learned(first)

    def resume(report: Any) -> None:
        learned(second, resume=True)

    with pytest.raises(ndnf.Error, match="python:Tank: is another environment, which is being learned"):
        ndnf.train(first, model="mlp", steps=8192, out="other", callback=resume)


def test_a_run_is_resumed_in_another_process() -> None:
    train = "ndnf.train({}, model='mlp', steps=4096, out='run', progress=False, resume={}).env"
    begun = python(f"kept = Tank()\nndnf.describe(kept)\nprint({train.format('Tank()', False)})")
    assert begun == "python:Tank-2"
    assert python(f"ndnf.describe(Tank())\nprint({train.format('Tank()', True)})") == "python:Tank-2"
    kept = "a, b, c = Tank(), Tank(), Tank()\nprint([ndnf.describe(t).spec[12:] for t in (a, b, c)])\n"
    assert python(f"{kept}print({train.format('c', True)})") == "['', '2', '3']\npython:Tank-2"


def test_a_program_is_loaded_in_another_process() -> None:
    Path("up.lp").write_text("% environment: python:Tank-2\n" + UP)
    shown = python(
        "policy = ndnf.load('up.lp', env=Tank())\nprint(policy.env, ndnf.evaluate(policy, episodes=2).return_)"
    )
    assert shown == "python:Tank -3.0"


def test_a_name_in_a_file_means_a_live_object_or_is_an_error() -> None:
    tank = Tank()
    learned(tank)
    assert ndnf.evaluate("run", episodes=2).env == "python:Tank"
    del tank
    with pytest.raises(ndnf.Error, match="another Python process, or one that is gone; pass the environment"):
        ndnf.evaluate("run", episodes=2)


def test_learned_rules_are_compiled_and_saved() -> None:
    small = {"rules.rounds": 1, "rules.states": 256, "rules.episodes": 10, "ppo.total_timesteps": 9000}
    run = ndnf.train(Scale(), model="rules", steps=20_000, out="own/int", set=small, progress=False)
    compiled = ndnf.compile(run.policy)
    assert compiled.agrees
    assert compiled.policy is not None
    assert run.policy.save("rules.lp").read_text() == Path("own/int/policy.lp").read_text()


def test_the_warning_of_a_run_is_shown() -> None:
    run = learned(Tank())
    assert "poor" not in repr(run)
    warned = ndnf.Run.from_json({**run.to_dict(), "warning": "its teacher is poor"})
    assert repr(warned).endswith("; its teacher is poor)")
