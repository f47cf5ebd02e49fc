"""Gymnasium's own Taxi and Blackjack agree with our models.

Usage: gymnasium_test.py NDNF
"""

import json
import subprocess
import sys
import tempfile
import unittest
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Callable, Hashable, Iterator

import gymnasium
import numpy as np
from gymnasium.envs.toy_text import blackjack

NDNF = sys.argv[1]
EPISODES = 40_000
Distribution = dict[Hashable, float]


def ndnf(*arguments: str) -> dict[str, Any]:
    return json.loads(subprocess.run([NDNF, *arguments], check=True, stdout=subprocess.PIPE).stdout)


class Taxi(unittest.TestCase):
    ACTIONS = ["down", "up", "right", "left", "pickup", "dropoff"]  # Gymnasium's 0 to 5

    def setUp(self) -> None:
        self.env = gymnasium.make("Taxi-v4")
        self.model = ndnf("envs", "taxi", "--dump")
        observations = [state["observation"] for state in self.model["states"]]
        atoms = [self.model["observations"][observation][0] for observation in observations]
        self.number = [int(atom.removeprefix("state(").removesuffix(")")) for atom in atoms]

    def test_every_entry_of_the_table_is_the_same(self) -> None:
        table = self.env.unwrapped.P
        self.assertEqual(sorted(self.number), sorted(table))
        for number, state in zip(self.number, self.model["states"]):
            for action, name in enumerate(self.ACTIONS):
                ours = [
                    (o.get("p", 1), self.number[o["next"]], o.get("reward", 0), o.get("terminal", False))
                    for o in state["outcomes"][name]
                ]
                self.assertEqual(ours, table[number][action], f"state {number}, action {name}")

    def test_episodes_start_and_are_cut_off_alike(self) -> None:
        ours = np.zeros(len(self.number))
        for start in self.model["starts"]:
            ours[self.number[start["state"]]] = start["p"]
        np.testing.assert_allclose(ours, self.env.unwrapped.initial_state_distrib, rtol=1e-12)
        self.assertEqual(self.model["step_limit"], self.env.spec.max_episode_steps)


class OutOfCards(Exception):
    pass


class ScriptedDeck:
    """Replaces the environment's random numbers: deals the given cards."""

    def __init__(self, cards: tuple[int, ...]) -> None:
        self.cards = iter(cards)

    def choice(self, options: list[Any]) -> Any:
        if options is not blackjack.deck:
            return options[0]  # the suit in the picture
        for card in self.cards:
            return card
        raise OutOfCards


def distribution(play: Callable[[ScriptedDeck], Hashable]) -> Distribution:
    """The exact distribution of what `play` returns, over all cards it may draw."""
    weights = {card: count / len(blackjack.deck) for card, count in Counter(blackjack.deck).items()}
    result: Distribution = defaultdict(float)
    unfinished: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
    while unfinished:
        cards, probability = unfinished.pop()
        try:
            result[play(ScriptedDeck(cards))] += probability
        except OutOfCards:
            unfinished += [((*cards, card), probability * weight) for card, weight in weights.items()]
    return result


State = tuple[int, int, bool, bool]  # sum, dealer's card, usable ace, natural


def some_hand(state: State) -> list[int]:
    total, _, usable_ace, natural = state
    if natural:
        return [1, 10]
    if usable_ace:
        return [1] * (total - 10)
    return [2] * (total // 2 - 1) + [2 + total % 2]


class Blackjack(unittest.TestCase):
    def setUp(self) -> None:
        self.env = gymnasium.make("Blackjack-v1").unwrapped
        self.model = ndnf("envs", "blackjack", "--dump")
        self.states = [self.to_state(id) for id in range(len(self.model["states"]))]

    def to_state(self, id: int) -> State:
        atoms = self.model["observations"][self.model["states"][id]["observation"]]
        values = dict(atom.rstrip(")").split("(") for atom in atoms if "(" in atom)
        return int(values["hand"]), int(values["dealer"]), "usable_ace" in atoms, id in self.model["labels"]["natural"]

    def now(self) -> State:
        total, dealer, usable_ace = self.env._get_obs()
        return total, dealer, bool(usable_ace), blackjack.is_natural(self.env.player)

    def step(self, action: int, player: list[int], dealer: list[int], deck: ScriptedDeck) -> tuple[float, bool, State]:
        self.env.np_random, self.env.player, self.env.dealer = deck, player, dealer
        _, reward, terminated, _, _ = self.env.step(action)
        return reward, terminated, self.now()

    def decisions(self) -> Iterator[tuple[State, Callable[[str], Distribution]]]:
        """Each state in which the player decides, and our row for each action."""
        for state, entry in zip(self.states, self.model["states"]):

            def row(action: str) -> Distribution:
                result: Distribution = defaultdict(float)
                for o in entry["outcomes"][action]:
                    result[o.get("reward", 0), o.get("terminal", False), self.states[o["next"]]] += o.get("p", 1)
                return result

            if "outcomes" in entry:
                yield state, row

    def assert_alike(self, ours: Distribution, theirs: Distribution, where: str) -> None:
        self.assertEqual(set(ours), set(theirs), where)
        for event, probability in theirs.items():
            self.assertAlmostEqual(ours[event], probability, delta=1e-12, msg=f"{where}: {event}")

    def test_the_same_hands_are_dealt(self) -> None:
        def deal(deck: ScriptedDeck) -> State:
            self.env.np_random = deck
            self.env.reset()
            return self.now()

        ours = {self.states[start["state"]]: start["p"] for start in self.model["starts"]}
        self.assert_alike(ours, distribution(deal), "starts")

    def test_hitting_leads_to_the_same_hands(self) -> None:
        for state, row in self.decisions():
            theirs = distribution(lambda deck: self.step(1, some_hand(state), [state[1]], deck))
            self.assert_alike(row("hit"), theirs, f"hit at {state}")

    def test_sticking_earns_the_same(self) -> None:
        def dealers_cards(card: int, deck: ScriptedDeck) -> tuple[int, ...]:
            self.step(0, [10, 8], [card], deck)
            return card, *sorted(self.env.dealer[1:])

        dealers = {card: distribution(lambda deck: dealers_cards(card, deck)) for card in set(blackjack.deck)}
        for state, row in self.decisions():
            theirs: Distribution = defaultdict(float)
            for cards, probability in dealers[state[1]].items():
                theirs[self.step(0, some_hand(state), list(cards), ScriptedDeck(()))] += probability
            self.assert_alike(row("stick"), theirs, f"stick at {state}")

    def test_playing_earns_our_exact_value(self) -> None:
        """A policy with all kinds of rows: it hits less often with a higher hand, and still less without an ace."""

        def hits(total: int, dealer: int, usable_ace: bool) -> float:
            return float(np.clip((23 - total + dealer / 5 + 2 * usable_ace) / 12, 0, 1))

        rows = []
        for total, dealer, usable_ace in sorted({state[:3] for state, _ in self.decisions()}):
            atoms = [f"hand({total})", f"dealer({dealer})"] + ["usable_ace"] * usable_ace
            hit = hits(total, dealer, usable_ace)
            rows.append({"observation": atoms, "probabilities": [1 - hit, hit]})
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "policy.json"
            policy = {"format": "ndnf-policy", "version": 1, "actions": ["stick", "hit"], "rows": rows}
            file.write_text(json.dumps(policy))
            exact = ndnf("eval", str(file), "--env", "blackjack", "--select", "sample", "--json")

        choices = np.random.default_rng(1)
        rewards = np.empty(EPISODES)
        self.env.reset(seed=1)
        for episode in range(EPISODES):
            (total, dealer, usable_ace), _ = self.env.reset()
            terminated = False
            while not terminated:
                action = int(choices.random() < hits(total, dealer, bool(usable_ace)))
                (total, dealer, usable_ace), rewards[episode], terminated, _, _ = self.env.step(action)
        error = rewards.std(ddof=1) / np.sqrt(EPISODES)
        print(f"Blackjack, {EPISODES} games: {rewards.mean():.4f} ± {error:.4f}, exactly {exact['return']:.6f}")
        self.assertTrue(exact["exact"])
        self.assertLess(abs(rewards.mean() - exact["return"]), 4 * error)
        self.assertLess(abs((rewards > 0).mean() - exact["win"]), 4 * 0.5 / np.sqrt(EPISODES))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
