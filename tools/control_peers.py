"""What tools/study-control compares with: figures that others have published, and decision trees of scikit-learn that are
distilled from the same teachers (VIPER: Bastani et al., 2018)."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy

#: Returns by task. RL Baselines3 Zoo: its benchmark.md, one trained agent per row, deterministic; LunarLander is v2 there.
PUBLISHED: dict[str, list[tuple[str, float]]] = {
    "cart-pole": [("Zoo: PPO", 500.0)],
    "mountain-car": [("Zoo: DQN", -100.849), ("Zoo: PPO", -110.423)],
    "acrobot": [("Zoo: QR-DQN", -69.135), ("Zoo: PPO", -73.506), ("SYMPOL, about", -80.0)],
    "pendulum": [("Zoo: TD3", -151.855), ("Zoo: PPO", -172.225), ("Zoo: ARS", -212.540)],
    "mountain-car-graded": [("Zoo: ARS", 96.672), ("Zoo: SAC", 94.679), ("Zoo: PPO", 88.343)],
    "lunar-lander": [("Zoo: PPO", 242.119), ("Zoo: A2C", 155.751)],
    "lunar-lander-axis": [("Zoo: PPO", 242.119), ("Zoo: A2C", 155.751)],
}

ROUNDS = 40
EPISODES_A_ROUND = 16
SELECTION_EPISODES = 48
MOST_WEIGHT = 4.0  # as the loss of our own distillation


@dataclass
class Tree:
    """A decision tree as plain lists: one decision takes a few comparisons in Python, not a call of scikit-learn."""

    feature: list[int]
    threshold: list[float]
    left: list[int]
    right: list[int]
    action: list[int]

    @classmethod
    def of(cls, fitted: Any) -> "Tree":
        tree = fitted.tree_
        best = fitted.classes_[tree.value[:, 0, :].argmax(axis=1)]
        return cls(*(numbers.tolist() for numbers in (tree.feature, tree.threshold, tree.children_left, tree.children_right, best)))

    @property
    def inner_nodes(self) -> int:
        return sum(feature >= 0 for feature in self.feature)

    def __call__(self, observation: numpy.ndarray) -> int:
        numbers = observation.tolist()
        node = 0
        while self.feature[node] >= 0:
            node = self.left[node] if numbers[self.feature[node]] <= self.threshold[node] else self.right[node]
        return self.action[node]


def play(env: Any, act: Callable[[numpy.ndarray], int], seeds: range, seen: list[numpy.ndarray] | None = None) -> list[float]:
    """The returns of one episode per seed; `seen` gets the observations."""
    returns = []
    for seed in seeds:
        observation, _ = env.reset(seed=seed)
        total, ended = 0.0, False
        while not ended:
            if seen is not None:
                seen.append(observation)
            observation, reward, terminated, truncated, _ = env.step(act(observation))
            total += float(reward)
            ended = terminated or truncated
        returns.append(total)
    return returns


def distilled_tree(env_id: str, teacher_file: Path, leaves: int, first_seed: int, episodes: int) -> tuple[Tree, list[float]]:
    """The best of the trees of all rounds, and its returns in fresh episodes. States are weighted by how much the
    teacher prefers its action, as Q-gaps would."""
    import ndnf
    from sklearn.tree import DecisionTreeClassifier

    env = gymnasium.make(env_id)
    teacher = ndnf.load(teacher_file, env=f"gym:{env_id}")
    rows = numpy.zeros((0, env.observation_space.shape[0]), numpy.float32)
    actions, weights = numpy.zeros(0, numpy.int64), numpy.zeros(0)
    act: Callable[[numpy.ndarray], int] = lambda observation: int(teacher.probabilities(observation).argmax())
    seed = first_seed
    best: tuple[float, Tree] | None = None
    for _ in range(ROUNDS + 1):
        seen: list[numpy.ndarray] = []
        play(env, act, range(seed, seed + EPISODES_A_ROUND), seen)
        seed += EPISODES_A_ROUND
        new = numpy.array(seen, numpy.float32)
        logs = numpy.log(numpy.maximum(teacher.probabilities(new), 1e-12))
        rows = numpy.concatenate([rows, new])
        actions = numpy.concatenate([actions, logs.argmax(axis=1)])
        weights = numpy.concatenate([weights, numpy.minimum(MOST_WEIGHT, logs.max(axis=1) - logs.min(axis=1))])
        fitted = DecisionTreeClassifier(max_leaf_nodes=max(2, leaves), random_state=0).fit(rows, actions, sample_weight=weights)
        tree = Tree.of(fitted)
        earned = numpy.mean(play(env, tree, range(first_seed + 10_000, first_seed + 10_000 + SELECTION_EPISODES)))
        if best is None or earned > best[0]:
            best = float(earned), tree
        act = tree
    assert best is not None
    return best[1], play(env, best[1], range(first_seed + 100_000, first_seed + 100_000 + episodes))
