"""Whatever is passed in, the answer is a Python exception that says what is allowed; the interpreter lives on."""

import multiprocessing
import os
import threading
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import SyncVectorEnv, VectorEnv

import ndnf


class Lamp(gym.Env[Any, Any]):
    """Three switches in a row; what its methods return can be replaced."""

    observation_space: Any = spaces.Discrete(4)
    action_space: Any = spaces.Discrete(2)

    def __init__(self, step: Any = None, reset: Any = None) -> None:
        self.replaced = step, reset
        self.at = 0

    def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
        super().reset(seed=seed)
        self.at = 0
        return self.replaced[1] if self.replaced[1] is not None else (0, {})

    def step(self, action: Any) -> Any:
        self.at = min(3, self.at + int(action))
        given = self.replaced[0]
        return given if given is not None else (self.at, -1.0, self.at == 3, False, {})


def train(env: Any, **options: Any) -> Any:
    return ndnf.train(env, model="mlp", steps=4096, out="run", **options)


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (None, ""),
        ("nothing", "terminated, truncated, info"),
        ((0, -1.0, False, {}), "terminated, truncated, info"),
        ((0, None, False, False, {}), "reward of environment 0 is not finite"),
        ((0, "much", False, False, {}), "terminated, truncated, info"),
        ((0, -1.0, "no", False, {}), "are bool"),
        ((0, -1.0, False, None, {}), "are bool"),
        ((0, -1.0, False, False, None), "terminated, truncated, info"),
        ((0, float("nan"), False, False, {}), "reward of environment 0 is not finite"),
        ((0, float("inf"), False, False, {}), "reward of environment 0 is not finite"),
        ((0.5, -1.0, False, False, {}), "integers of the shape"),
        ((9, -1.0, False, False, {}), "it is from 0 to 3"),
        ((-1, -1.0, False, False, {}), "it is from 0 to 3"),
        (([0, 1], -1.0, False, False, {}), "integers of the shape"),
        ((None, -1.0, False, False, {}), "integers of the shape"),
        (("lamp", -1.0, True, False, {}), "integers of the shape"),
    ],
)
def test_a_step_that_returns_something_else_is_a_sentence(step: Any, said: str) -> None:
    if step is None:
        assert train(Lamp).finished
        return
    with pytest.raises(ndnf.Error, match=said) as caught:
        train(lambda: Lamp(step=step))
    assert "env: " in str(caught.value) or "obs: " in str(caught.value)


@pytest.mark.parametrize(
    ("reset", "said"), [((0,), "observation, info"), (0, "observation, info"), ((7, {}), "from 0")]
)
def test_a_reset_that_returns_something_else_is_a_sentence(reset: Any, said: str) -> None:
    with pytest.raises(ndnf.Error, match=said):
        train(lambda: Lamp(reset=reset))


class Vector(VectorEnv[Any, Any, Any]):
    """Four lamps; what `step` returns can be replaced."""

    def __init__(self, **replaced: Any) -> None:
        self.num_envs = 4
        self.metadata = {"autoreset_mode": gym.vector.AutoresetMode.NEXT_STEP}
        self.single_observation_space = spaces.Box(-1, 1, (2,), np.float32)
        self.single_action_space = spaces.Discrete(2)
        self.replaced = replaced

    def reset(self, *, seed: Any = None, options: Any = None) -> Any:
        return np.zeros((4, 2), np.float32), {}

    def step(self, actions: Any) -> Any:
        parts = {
            "obs": np.zeros((4, 2), np.float32),
            "rewards": np.zeros(4),
            "terminated": np.ones(4, np.bool_),
            "truncated": np.zeros(4, np.bool_),
            "info": {},
        }
        return tuple({**parts, **self.replaced}.values())


@pytest.mark.parametrize(
    ("replaced", "said"),
    [
        ({"obs": np.zeros((3, 2), np.float32)}, "3 observations"),
        ({"obs": np.zeros((4, 3), np.float32)}, "6 observations"),
        ({"obs": np.full((4, 2), np.nan, np.float32)}, "not finite"),
        ({"obs": np.array([["a", "b"]] * 4)}, "array of numbers|another type"),
        ({"obs": None}, "array of numbers"),
        ({"rewards": np.zeros(5)}, "5 rewards"),
        ({"rewards": np.full(4, np.nan)}, "not finite"),
        ({"rewards": np.zeros((4, 2))}, "one number per environment"),
        ({"rewards": None}, "not finite|1 rewards"),
        ({"terminated": np.ones(2, np.bool_)}, "terminated, truncated, info"),
        ({"terminated": np.ones(2, np.bool_), "truncated": np.ones(2, np.bool_)}, "2 flags"),
        ({"info": {"action_mask": np.ones((4, 7))}}, "2 actions"),
    ],
)
def test_a_vector_environment_that_returns_something_else_is_a_sentence(replaced: Any, said: str) -> None:
    with pytest.raises(ndnf.Error, match=said):
        train(Vector(**replaced))


def test_a_vector_environment_says_which_size_it_has() -> None:
    with pytest.raises(ndnf.Error, match="has 4 environments, and 8 are needed"):
        train(Vector(), set={"ppo.num_envs": 8, "ppo.num_steps": 128})


@pytest.mark.parametrize("where", ["step", "reset", "close"])
def test_an_exception_of_the_environment_reaches_the_caller(where: str) -> None:
    class Broken(Lamp):
        def __getattribute__(self, name: str) -> Any:
            if name == where:
                raise RuntimeError("the motor is hot")
            return super().__getattribute__(name)

    if where == "close":
        assert train(Broken).finished  # nothing is lost by it
        return
    with pytest.raises(RuntimeError, match="the motor is hot"):
        train(Broken)
    with pytest.raises(RuntimeError, match="the motor is hot"):
        ndnf.evaluate("uniform", env=SyncVectorEnv([Broken] * 4), episodes=4)


def test_a_factory_that_fails_reaches_the_caller() -> None:
    def broken() -> Any:
        raise RuntimeError("out of lamps")

    with pytest.raises(RuntimeError, match="out of lamps"):
        train(broken)


def test_a_callback_that_raises_ends_all_runs_of_a_training() -> None:
    def fail(report: dict[str, Any]) -> None:
        if report["run"] == 1:
            raise KeyError("no more")

    with pytest.raises(KeyError, match="no more"):
        ndnf.train("small-corridor", seeds="0..3", jobs=2, callback=fail, out="runs")
    assert ndnf.train("small-corridor", out="later").gap == 0


def test_a_callback_that_is_not_a_function_is_a_type_error() -> None:
    wrong: Any = 3
    with pytest.raises(TypeError):
        ndnf.train("small-corridor", callback=wrong, out="run")


@pytest.mark.parametrize("task", [3, None, object(), [1, 2], gym.make])
def test_what_is_not_a_task_is_a_sentence(task: Any) -> None:
    with pytest.raises((ndnf.Error, TypeError)):
        ndnf.describe(task)


@pytest.mark.parametrize(
    "space",
    [
        spaces.Text(3),
        spaces.Sequence(spaces.Discrete(2)),
        spaces.Graph(spaces.Discrete(2), None),
        spaces.OneOf([spaces.Discrete(2)]),
    ],
)
def test_unsupported_spaces_name_the_supported_ones(space: Any) -> None:
    class Odd(Lamp):
        observation_space = space

    with pytest.raises(ndnf.Error, match=r"Discrete, MultiDiscrete, MultiBinary and Box"):
        ndnf.describe(Odd)


@pytest.mark.parametrize("policy", [3, None, object(), b"policy.lp", {"a": 1}])
def test_what_is_not_a_policy_is_a_sentence(policy: Any) -> None:
    with pytest.raises((ndnf.Error, TypeError)):
        ndnf.evaluate(policy, env="small-corridor")


def test_missing_files_and_folders_are_named() -> None:
    for work in (ndnf.evaluate, ndnf.extract, ndnf.check, ndnf.load):
        with pytest.raises(ndnf.Error, match="nowhere"):
            work("nowhere.lp", env="small-corridor")


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda: ndnf.evaluate("uniform", env="small-corridor", select="best"), "argmax"),
        (lambda: ndnf.evaluate("uniform", env="small-corridor", with_="prolog"), "clingo, problog"),
        (lambda: ndnf.extract("uniform", env="small-corridor", epsilon=2), "1e-9"),
        (lambda: ndnf.extract("uniform", env="small-corridor", method="magic"), "disentangle"),
        (lambda: ndnf.train("small-corridor", seeds="5..2"), "both ends"),
        (lambda: ndnf.train("small-corridor", seed=1, seeds=[1]), "seed="),
        (lambda: ndnf.train("small-corridor", lock="1"), "init"),
        (lambda: ndnf.train("small-corridor", set={"ppo.no_such": 1}), "no_such"),
        (lambda: ndnf.explain("uniform", env="small-corridor", obs="in_s_1", episode=True), "episode"),
        (lambda: ndnf.export("uniform", "exe", env="small-corridor"), "npz"),
        (lambda: ndnf.presets("no-such"), "no-such"),
        (lambda: ndnf.optimum("cart-pole"), "no finite model: its states are too many"),
        (lambda: ndnf.optimum("gym:CartPole-v1"), "no finite model: it shows no table of transitions"),
        (lambda: ndnf.finite_model("cart-pole"), "cart-pole"),
        (lambda: ndnf.train("mountain-car", model="rulez"), "model=: rulez is not a model; did you mean rules"),
        (lambda: ndnf.train("small-corridor", steps=5000, time=3), "time=: excludes steps="),
        (lambda: ndnf.train("small-corridor", time=-3), "time=: -3 is not a number of seconds"),
        (lambda: ndnf.train("small-corridor", steps=-5), "steps: -5 is not allowed; a whole number, at least 1"),
        (lambda: ndnf.train("small-corridor", steps=1.5), "steps: 1.5 is not allowed"),  # type: ignore[arg-type]
        (lambda: ndnf.train("small-corridor", model="mlp", max_rules=3), "max_rules: is an option of a search"),
        (lambda: ndnf.train("mountain-car", model="rules", max_rules=0), "max_rules: 0 is not allowed"),
        (lambda: ndnf.evaluate("uniform", env="small-corridor", episodes=0), "episodes: 0 is not allowed"),
        (lambda: ndnf.evaluate("uniform", env="small-corridor", episodes=5, seed=-1), "seed: -1 is not allowed"),
    ],
)
def test_a_wrong_argument_is_named_with_what_is_allowed(work: Any, said: str) -> None:
    with pytest.raises(ndnf.Error, match=said):
        work()


@pytest.mark.parametrize(
    ("actions", "said"),
    [([0, 1, 0], "3 elements"), ([0, 6], "6 is not an action"), ([0, -1], "-1 is not an action")],
)
def test_actions_that_do_not_exist_are_refused(actions: Any, said: str) -> None:
    envs = gym.make_vec("ndnf/Taxi-v0", num_envs=2)
    envs.reset(seed=0)
    with pytest.raises(ndnf.Error, match=said):
        envs.step(np.array(actions))


@pytest.mark.parametrize(
    ("obs", "said"),
    [
        ([np.nan, 0, 0, 0], "element 0 of numbers is not finite"),
        ([0, 0, 0, np.inf], "element 3 of numbers is not finite"),
        ([0, 0, 0], r"it must be \(4,\)"),
        (np.zeros((2, 2, 4)), r"it must be \(4,\)"),
        ([1j, 0, 0, 0], "another type"),
        (["a", "b", "c", "d"], "array of numbers"),
    ],
)
def test_an_observation_of_numbers_that_is_none_is_a_sentence(obs: Any, said: str) -> None:
    policy = ndnf.load("uniform", env="cart-pole")
    assert policy.act(np.zeros(4)) in (0, 1)
    for use in (policy.act, policy.probabilities):
        with pytest.raises(ndnf.Error, match=said) as caught:
            use(obs)
        assert caught.value.where == "obs"


def _work(queue: Any) -> None:
    queue.put(ndnf.train("small-corridor", out=f"child-{os.getpid()}").return_)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_trains_while_threads_train_in_its_parent() -> None:
    fork = multiprocessing.get_context("fork")
    going = threading.Event()
    thread = threading.Thread(
        target=lambda: ndnf.train("paper/blackjack-ndnf-mt", out="parent", callback=lambda _: going.set())
    )
    thread.start()
    assert going.wait(60)
    queue = fork.Queue()
    child = fork.Process(target=_work, args=(queue,))
    child.start()
    assert queue.get(timeout=120) == -3
    child.join(60)
    assert child.exitcode == 0
    thread.join()
