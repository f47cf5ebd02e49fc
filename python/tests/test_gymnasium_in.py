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


@pytest.mark.parametrize(("name", "episodes"), [("CliffWalking-v1", 20), ("Blackjack-v1", 4000)])
def test_the_optimum_is_learned_extracted_and_played(name: str, episodes: int) -> None:
    """All of them with 100,000 episodes: tools/study-gymnasium."""
    env = gym.make(name)
    run = ndnf.train(env, seed=1)
    assert run.gap == pytest.approx(0, abs=1e-9)
    found = run.extract()
    assert found.faithful
    exact = ndnf.evaluate(found.policy, env=env)
    assert exact.exact
    assert exact.gap == pytest.approx(0, abs=1e-9)
    returns = [played(env, found.policy, seed) for seed in range(episodes)]
    error = np.std(returns) / np.sqrt(episodes)
    assert exact.return_ is not None
    assert abs(np.mean(returns) - exact.return_) <= 4 * error + 1e-9


@pytest.mark.parametrize("settings", [{"sab": True}, {"sab": False}, {"sab": False, "natural": True}])
def test_blackjack_is_known_exactly_with_all_its_settings(settings: dict[str, bool]) -> None:
    env = gym.make("Blackjack-v1", **settings)
    model = ndnf.finite_model(env)
    assert model.exact
    text = ",".join(f"{key}={str(value).lower()}" for key, value in settings.items())
    assert ndnf.optimum(model).return_ == ndnf.optimum(f"blackjack:{text}").return_
    policy = ndnf.load("uniform", env=env)
    returns = [played(env, policy, seed) for seed in range(3000)]
    exact = ndnf.evaluate(policy).return_
    assert exact is not None
    assert abs(np.mean(returns) - exact) < 4 * np.std(returns) / np.sqrt(3000)


def test_blackjack_in_an_unknown_wrapper_is_sampled() -> None:
    class Unknown(gym.Wrapper[Any, Any, Any, Any]):
        pass

    run = ndnf.train(Unknown(gym.make("Blackjack-v1")), steps=8192, seed=1, out="run")
    assert not run.exact
    found = run.extract(episodes=500)
    assert found.to_dict()["sample"]["observations"] > 200
    assert found.to_dict()["sample"]["episodes"] < 50_000
    assert ndnf.evaluate(found.file, env="blackjack").exact


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
    if atoms and any(quantity["quantum"] for quantity in described.quantities):  # no network reads both
        small = {"rules.rounds": 1, "rules.states": 256, "rules.episodes": 10}
        run = ndnf.train(env, model="rules", steps=4096, out="run", set=small)
    else:
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


def steps_of(task: Any, count: int) -> list[tuple[Any, ...]]:
    """Now, final, rewards, terminated and skipped of four steps upward, as the engine gets them."""
    from ndnf._gymnasium import source_from_object

    walkers = source_from_object(task).walkers(count, 0)
    first, masks = walkers.reset(0)
    assert list(first[0]) == [0] * count
    assert masks is None
    seen = []
    for _ in range(4):
        now, final, rewards, terminated, _, _, skipped = walkers.step(np.array([1] * count))
        shown = [list(now[0]), None if final is None else list(final[0]), list(rewards), list(terminated)]
        seen.append((*shown, None if skipped is None else list(skipped)))
    return seen


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.DISABLED])
def test_vector_environments_that_restart_at_once_lose_no_step(mode: AutoresetMode) -> None:
    envs = SyncVectorEnv([lambda: Light(length=1), lambda: Light(length=3)], autoreset_mode=mode)
    assert steps_of(envs, 2) == [
        ([0, 1], [1, 1], [-1, -1], [True, False], None),
        ([0, 2], [1, 2], [-1, -1], [True, False], None),
        ([0, 0], [1, 3], [-1, -1], [True, True], None),
        ([0, 1], [1, 1], [-1, -1], [True, False], None),
    ]


def test_a_step_that_only_restarts_is_marked_as_skipped() -> None:
    envs = SyncVectorEnv([lambda: Light(length=1), lambda: Light(length=3)], autoreset_mode=AutoresetMode.NEXT_STEP)
    assert steps_of(envs, 2) == [
        ([1, 1], None, [-1, -1], [True, False], None),
        ([0, 2], None, [0, -1], [False, False], [True, False]),
        ([1, 3], None, [-1, -1], [True, True], None),
        ([0, 0], None, [0, 0], [False, False], [True, True]),
    ]


def test_single_environments_are_stepped_as_a_vector_that_restarts_at_once() -> None:
    assert [one[0][0] for one in steps_of(lambda: Light(length=1), 1)] == [0, 0, 0, 0]
    assert [one[1] for one in steps_of(lambda: Light(length=3), 1)] == [None, None, [3], None]


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_final_observations_are_those_of_the_ended_episode(mode: AutoresetMode) -> None:
    """A truncated episode is worth what its last observation is worth: taking the next start instead would be wrong."""
    envs = SyncVectorEnv([lambda: gym.wrappers.TimeLimit(Light(), 2)] * 3, autoreset_mode=mode)
    now, final = steps_of(envs, 3)[1][:2]
    assert (now if final is None else final) == [2, 2, 2]


def test_an_unknown_mode_is_refused() -> None:
    envs = SyncVectorEnv([Light])
    envs.metadata = {**envs.metadata, "autoreset_mode": "sometimes"}
    with pytest.raises(ndnf.Error, match="sometimes"):
        steps_of(envs, 1)


def test_gymnasiums_own_vector_environments_are_trained_on_as_they_are() -> None:
    envs = gym.make_vec("CartPole-v1", num_envs=4, vectorization_mode="vector_entry_point")
    run = ndnf.train(envs, model="mlp", steps=8192, out="run")
    assert run.metrics[-1]["episodic_return"] > 15
    assert run.metrics[-1]["episodic_length"] == pytest.approx(run.metrics[-1]["episodic_return"])
    played = ndnf.evaluate(run, env=envs, episodes=50)  # four at a time, the last two with two others
    assert played.episodes == 50
    assert played.length == pytest.approx(played.return_)
    assert len(ndnf.draw(run, env=envs, view="episode").to_dict()["frames"]) > 5


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
    with pytest.raises(ndnf.Error, match="the wrapper TransformReward may change"):
        ndnf.optimum(env)


def test_an_environment_that_draws_its_own_map_is_not_finite() -> None:
    drawn = ndnf.describe("gym:FrozenLake-v1:map_name=null")
    assert not drawn.finite
    assert "has another table" in str(drawn.no_optimum)
    assert ndnf.describe("gym:FrozenLake-v1").finite


def test_an_absurd_step_limit_is_a_sentence() -> None:
    with pytest.raises(ndnf.Error, match="max_episode_steps"):
        ndnf.evaluate("uniform", env="gym:CartPole-v1:max_episode_steps=99999999999999999999")


def test_a_run_on_a_table_needs_no_gymnasium_later() -> None:
    run = ndnf.train("gym:CliffWalking-v1", out="run")
    assert ndnf.evaluate(run).return_ == run.return_ == -13
    assert Path("run/task.json").exists()


def test_gymnasiums_tables_are_drawn_on_their_maps() -> None:
    lake = ndnf.draw("optimal", "gym:FrozenLake-v1")
    assert "     0    1    2    3" in str(lake)
    assert "goal" in str(lake)
    assert ndnf.check("optimal", "gym:FrozenLake-v1", property='P>=0.7 [F "goal"]').holds
    cliff = ndnf.draw("optimal", "gym:CliffWalking-v1")
    assert str(cliff).count("\u2192") >= 11
    taxi = ndnf.draw("optimal", "gym:Taxi-v4")
    assert "in the taxi, to B" in str(taxi)
    cards = ndnf.draw("optimal", "gym:Blackjack-v1")
    assert "dealer's card" in str(cards)
