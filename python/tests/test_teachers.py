"""Distillation from teachers that Python has."""

import signal
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray

import ndnf


@pytest.fixture
def lake() -> gymnasium.Env[Any, Any]:
    return gymnasium.make("FrozenLake-v1", is_slippery=False)


#: What to do in each state of the lake: down, down, right, right, down, right.
ROUTE = {0: 1, 4: 1, 8: 2, 9: 1, 13: 2, 14: 2}


def route(obs: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.array([ROUTE.get(int(one), 0) for one in obs])


def taught(teacher: Any, task: Any, **more: Any) -> ndnf.Run:
    run: ndnf.Run = ndnf.train(task, teacher=teacher, out="run", progress=False, **more)
    return run


def route_rows() -> NDArray[np.float64]:
    rows: NDArray[np.float64] = np.eye(4)[route(np.arange(16))]
    return rows


class Tensor:
    """What a tensor of torch looks like to us."""

    def __init__(self, array: NDArray[Any]) -> None:
        self._array = array

    def detach(self) -> "Tensor":
        return self

    def cpu(self) -> "Tensor":
        return self

    def numpy(self) -> NDArray[Any]:
        return self._array


TEACHERS: dict[str, Callable[[], Any]] = {
    "a function that gives actions": lambda: route,
    "a function that gives probabilities": lambda: lambda obs: route_rows()[obs],
    "a function that gives tensors": lambda: lambda obs: Tensor(route_rows()[obs].astype(np.float32)),
    "a function that gives logits": lambda: ndnf.Teacher(lambda obs: 30 * route_rows()[obs], gives="logits"),
    "a table of Q-values": lambda: ndnf.Teacher(10 * route_rows(), gives="values"),
    "a table of probabilities": route_rows,
    "a dict of actions": lambda: {s: ROUTE.get(s, 0) for s in range(16)},
    "a dict of rows": lambda: dict(enumerate(route_rows())),
    "arrays of actions": lambda: (np.array(sorted(ROUTE)), np.array([ROUTE[s] for s in sorted(ROUTE)])),
    "a policy": lambda: ndnf.load("optimal", env="gym:FrozenLake-v1:is_slippery=false"),
    "a word": lambda: "optimal",
}


@pytest.mark.parametrize("kind", TEACHERS)
def test_a_student_learns_from_every_kind_of_teacher(kind: str, lake: gymnasium.Env[Any, Any]) -> None:
    run = taught(TEACHERS[kind](), lake)
    assert run.return_ == pytest.approx(1, abs=0.02)
    assert run.extract().faithful


def test_a_teacher_is_asked_once_about_every_reachable_observation(lake: gymnasium.Env[Any, Any]) -> None:
    asked: list[int] = []

    def noting(obs: NDArray[np.int64]) -> NDArray[np.int64]:
        asked.extend(obs.tolist())
        return route(obs)

    taught(noting, lake)
    assert sorted(asked) == [0, 1, 2, 3, 4, 6, 8, 9, 10, 13, 14]  # all but the holes and the goal


def test_a_run_teaches_another_network() -> None:
    teacher = ndnf.train("small-corridor", out="teacher", progress=False)
    run = taught(teacher, "small-corridor", model="mlp")
    assert run.return_ == -3
    assert run.select == "argmax"  # as its teacher


def test_a_teacher_of_a_task_of_ours_gets_its_observations() -> None:
    def wall_follower(obs: NDArray[np.int64]) -> NDArray[np.float64]:
        assert obs.shape[1:] == (2,)
        left = obs[:, 0] == 1
        return np.where(left[:, None], [[0.1, 0.9]], [[0.4, 0.6]])

    policy = taught(wall_follower, "small-corridor:wall").policy
    assert policy.probabilities([[1, 0], [0, 0]]) == pytest.approx(np.array([[0.1, 0.9], [0.4, 0.6]]), abs=0.01)


def obs_of_door_corridor() -> NDArray[Any]:
    obs, _ = gymnasium.make("ndnf/DoorCorridor-v0").reset()
    numbers: NDArray[Any] = obs["numbers"]
    return numbers


def test_images_reach_the_teacher() -> None:
    shapes: list[tuple[int, ...]] = []

    def aimless(obs: dict[str, NDArray[Any]]) -> NDArray[np.float64]:
        shapes.append(obs["numbers"].shape)
        return np.full((len(obs["numbers"]), 4), 0.25)

    table = ndnf.tabulate(aimless, env="door-corridor")
    assert shapes == [(27, len(obs_of_door_corridor()))]
    uniform = ndnf.evaluate("uniform", env="door-corridor").return_
    assert ndnf.evaluate(table).return_ == pytest.approx(uniform, abs=1e-9)


def test_without_a_model_the_teacher_plays_and_its_observations_are_learned() -> None:
    class Unknown(gymnasium.Wrapper[Any, Any, Any, Any]):
        """Could change anything, so that the model behind it is not taken for its own."""

    env = Unknown(gymnasium.make("Blackjack-v1"))  # a tuple of three integers, and no table
    shapes: set[int] = set()

    def careful(obs: tuple[NDArray[np.int64], ...]) -> NDArray[np.int64]:
        hand, dealer, ace = obs
        shapes.add(len(obs))
        assert hand.shape == dealer.shape == ace.shape
        return (hand < 17).astype(np.int64)

    run = taught(ndnf.Teacher(careful, gives="actions"), env, set={"distill.episodes": 2000, "distill.epochs": 300})
    assert shapes == {3}
    assert not run.exact
    hands = np.arange(12, 21)
    learned = run.policy.act((hands, np.full(9, 10), np.zeros(9, dtype=np.int64)))
    assert learned.tolist() == (hands < 17).astype(int).tolist()


def test_arrays_teach_a_task_without_a_model() -> None:
    env = gymnasium.make("CartPole-v1")
    observations = np.random.default_rng(0).normal(0, 0.1, size=(4000, 4)).astype(np.float32)
    rows = (observations[:, 2] + observations[:, 3] > 0).astype(np.int64)  # lean against the fall
    run = taught((observations, rows), env, set={"distill.epochs": 100})
    assert run.return_ is not None
    assert run.return_ > 100


def test_demonstrations_of_one_observation_are_averaged() -> None:
    observations = np.array([0, 0, 0, 0, 1, 2])
    actions = np.array([1, 1, 1, 0, 0, 1])
    policy = taught((observations, actions), "small-corridor").policy
    assert policy.probabilities(0) == pytest.approx([0.25, 0.75], abs=0.01)


def sb3_like(rows: NDArray[np.float64]) -> Any:
    """A model with the parts of Stable-Baselines3's that we use. The real ones are in tools/study-sb3."""

    class Dqn:
        policy = SimpleNamespace(obs_to_tensor=lambda obs: (obs, True))

        def predict(self, obs: NDArray[np.int64], deterministic: bool = False) -> tuple[NDArray[np.int64], None]:
            assert deterministic
            return rows[obs].argmax(axis=1), None

    return Dqn()


def test_a_model_without_probabilities_is_asked_for_actions(lake: gymnasium.Env[Any, Any]) -> None:
    run = taught(sb3_like(route_rows()), lake)
    assert (run.select, run.return_) == ("argmax", 1.0)


def test_a_deterministic_teacher_has_a_deterministic_student(lake: gymnasium.Env[Any, Any]) -> None:
    soft = 0.6 * route_rows() + 0.1
    run = taught(ndnf.Teacher(soft, deterministic=True), lake)
    assert (run.select, run.return_) == ("argmax", 1.0)


def test_a_table_of_a_teacher_is_exact_and_becomes_rules(lake: gymnasium.Env[Any, Any]) -> None:
    table = ndnf.tabulate(route, env=lake)
    assert ndnf.evaluate(table).return_ == 1
    found = ndnf.extract(table, as_="asp")
    assert found.faithful
    assert found.policy is not None
    assert ndnf.diff(table, found.policy).changed == 0


def test_several_seeds_learn_from_one_teacher(lake: gymnasium.Env[Any, Any]) -> None:
    runs = ndnf.train(lake, teacher=route, seeds=[0, 1], out="runs", progress=False)
    assert [run.return_ for run in runs] == pytest.approx([1, 1], abs=0.02)


def test_an_interrupted_distillation_goes_on_with_the_same_teacher(lake: gymnasium.Env[Any, Any]) -> None:
    whole = taught(route, lake)

    def stopping(report: dict[str, Any]) -> None:
        if report["iteration"] == 100:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(ndnf.Stopped):
        ndnf.train(lake, teacher=route, out="again", progress=False, callback=stopping)
    again = ndnf.train(lake, teacher=route, out="again", progress=False, resume=True)
    assert again.finished
    assert (again.path / "model.safetensors").read_bytes() == (whole.path / "model.safetensors").read_bytes()
    known = dict(ROUTE)
    ROUTE[0] = 2  # the same function, but it does something else now
    try:
        with pytest.raises(ndnf.Error, match="python:route: has changed since"):
            ndnf.train(lake, teacher=route, out="again", resume=True, progress=False)
    finally:
        ROUTE.update(known)


def bad_answers() -> Iterator[tuple[Any, str]]:
    yield lambda obs: np.full((len(obs), 4), np.nan), "teacher: row 0 of its answer has a number that is NaN"
    yield lambda obs: np.full((len(obs), 4), 0.5), "teacher: row 0 of its answer sums to 2; probabilities sum to 1"
    yield lambda obs: np.tile([1.5, -0.5, 0, 0], (len(obs), 1)), "teacher: row 0 of its answer has a negative number"
    yield (
        lambda obs: np.full((len(obs), 3), 1 / 3),
        r"teacher: its answer has the shape \(11, 3\); it must be \(11, 4\)",
    )
    yield lambda obs: np.full(3, 1), r"teacher: its answer has the shape \(3,\); 11 actions are needed"
    yield lambda obs: np.full(len(obs), 7), "teacher: names an action that does not exist; there are 4"
    yield lambda obs: None, "teacher: its answer has elements that are not numbers"
    yield ndnf.Teacher(lambda obs: np.full((len(obs), 4), np.inf), gives="logits"), "teacher: row 0 .* NaN or infinite"
    yield {0: 1}, "teacher: its table has no row for the observation 1"
    yield np.ones((3, 4)) / 4, "teacher: its table has no row for the observation 3"
    yield 3.5, "teacher: a float is not a teacher; it is a policy of ours, a model of Stable-Baselines3"
    yield (np.arange(3), np.ones((2, 4)) / 4), r"teacher: its answer has the shape \(2, 4\); it must be \(3, 4\)"
    yield (np.array([99]), np.ones((1, 4)) / 4), "obs.* 99"
    yield (0, np.ones((1, 4)) / 4), "teacher: one observation is not enough"


@pytest.mark.parametrize(("teacher", "sentence"), list(bad_answers()))
def test_a_bad_teacher_is_named(teacher: Any, sentence: str, lake: gymnasium.Env[Any, Any]) -> None:
    with pytest.raises(ndnf.Error, match=sentence):
        taught(teacher, lake)


def test_a_word_for_answers_must_exist() -> None:
    with pytest.raises(ndnf.Error, match="gives: there is no q; it is one of probabilities, logits, values, actions"):
        ndnf.Teacher(route, gives="q")


def test_a_teacher_that_raises_is_heard(lake: gymnasium.Env[Any, Any]) -> None:
    def failing(obs: Any) -> Any:
        raise RuntimeError("the teacher is ill")

    with pytest.raises(RuntimeError, match="the teacher is ill"):
        taught(failing, lake)


def test_a_preset_needs_a_task_beside_it() -> None:
    with pytest.raises(ndnf.Error, match="is not a task; give the task, and the preset as recipe="):
        taught(route, "taxi-distill-ndnf-mt")
    run = taught(
        lambda obs: np.full((len(obs), 6), 1 / 6),
        "taxi",
        recipe="best/taxi-distill-ndnf-mt",
        set={"distill.epochs": 2},
    )
    assert run.finished
