"""The real Storm agrees about tasks without a step limit: discounted returns, unbounded properties, and optima.

Usage: endless_test.py NDNF
"""

import json
import random
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import gymnasium
import stormpy

NDNF = sys.argv.pop(1)
MODELS = 12
TOLERANCE = 5e-6  # Storm iterates until steps are relatively smaller than 1e-6


def ndnf(*arguments: str) -> Any:
    done = subprocess.run([NDNF, *arguments, "--json"], stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def model_file(states: list[dict[str, Any]], actions: list[str], **more: Any) -> dict[str, Any]:
    atoms = [f"s({i})" for i in range(len(states))]
    return {"format": "ndnf-model", "version": 1, "name": "task", "actions": actions,
            "groups": [{"name": "s", "atoms": atoms}], "observations": [[atom] for atom in atoms],
            "states": states, "starts": [{"state": 0}], **more}


def random_states(rng: random.Random, size: int) -> list[dict[str, Any]]:
    """Every state may lead to every other; the last one is the end, and reached now and then. Rewards are costs."""
    states: list[dict[str, Any]] = []
    for _ in range(size):
        outcomes = {}
        for action in "ab":
            targets = rng.sample(range(size + 1), 3)
            weights = [rng.randint(1, 8) for _ in targets]
            outcomes[action] = [{"next": target, "p": weight / sum(weights), "reward": -float(rng.randint(1, 9)),
                                 "terminal": target == size} for target, weight in zip(targets, weights)]
        states.append({"observation": len(states), "outcomes": outcomes})
    return [*states, {"observation": size}]


def negated(states: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """With costs instead of rewards, as Storm minimises them."""
    copy = json.loads(json.dumps(states))
    for state in copy:
        for outcomes in state.get("outcomes", {}).values():
            for outcome in outcomes:
                outcome["reward"] *= -1
    return copy


class Endless(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name: str, model: dict[str, Any]) -> str:
        file = self.folder / name
        file.write_text(json.dumps(model))
        return str(file)

    def storm(self, file: str, formula: str) -> float:
        model = stormpy.build_model_from_drn(file)
        if '"two"' in formula and not model.labeling.contains_label("two"):
            return 0.0  # the policy never gets there
        [parsed] = stormpy.parse_properties(formula)
        return stormpy.model_checking(model, parsed).get_value(model.initial_states[0])

    def total(self, chain: str) -> float:
        """Of costs: with negative rewards Storm stops its iteration too early."""
        costs = str(self.folder / "costs.drn")
        text = Path(chain).read_text()
        Path(costs).write_text(re.sub(r"^(state \d+ \[)-", r"\1", text, flags=re.MULTILINE))
        return -self.storm(costs, 'R{"return"}=? [F "end"]')

    def chain(self, policy: str, task: str) -> str:
        file = str(self.folder / "chain.drn")
        subprocess.run([NDNF, "export", policy, "--env", task, "--format", "drn", "-o", file], check=True,
                       stdout=subprocess.DEVNULL)
        return file

    def same(self, ours: float, storms: float, what: str) -> None:
        self.assertAlmostEqual(ours, storms, delta=TOLERANCE * max(1.0, abs(storms)), msg=what)

    def test_chains(self) -> None:
        for seed in range(MODELS):
            states = random_states(random.Random(seed), 3 + seed % 9)
            for discount in (1, 0.9, 0.25):
                task = self.write("task.json", model_file(states, ["a", "b"], discount=discount, labels={"two": [2]}))
                for policy in ("uniform", "optimal"):
                    what = f"{seed}, {discount}, {policy}"
                    found = ndnf("eval", policy, "--env", task)
                    if found["return"] is None:
                        continue  # it may never end; test_optima sees that there are enough others
                    chain = self.chain(policy, task)
                    if discount == 1:
                        self.same(found["return"], self.total(chain), what)
                    else:
                        self.same(found["return"], self.storm(chain, f'R{{"return"}}=? [Cdiscount={discount}]'), what)
                    checks = ndnf("check", policy, "--env", task, "--property", 'P=? [F "two"]',
                                  "--property", 'P=? [G !"two"]', "--property", 'P=? [!"end" U "two"]',
                                  "--property", 'R{"return"}=? [C<=7]', "--property", 'R{"return"}=? [C]')["checks"]
                    [reach, never, until, seven, total] = [check["value"] for check in checks[-5:]]
                    self.same(reach, self.storm(chain, 'P=? [F "two"]'), what)
                    self.same(never, 1 - self.storm(chain, 'P=? [F "two"]'), what)
                    self.same(until, self.storm(chain, 'P=? [!"end" U "two"]'), what)
                    bounded = "C<=7" if discount == 1 else f"C<=7discount={discount}"
                    self.same(seven, self.storm(chain, f'R{{"return"}}=? [{bounded}]'), what)
                    self.same(total, found["return"], what)

    def test_optima(self) -> None:
        ending = 0
        for seed in range(MODELS):
            states = random_states(random.Random(seed), 3 + seed % 9)
            file = str(self.folder / "task.drn")
            for discount in (0.9, 0.5):
                task = self.write("task.json", model_file(states, ["a", "b"], discount=discount))
                ndnf("envs", task, "--dump", file)
                best = ndnf("envs", task)["optimum"]
                self.assertEqual(best["proof"], "dynamic-programming")
                self.same(best["return"], self.storm(file, f'R{{"return"}}max=? [Cdiscount={discount}]'), f"{seed}")
            task = self.write("task.json", model_file(states, ["a", "b"]))
            costs = self.write("costs.json", model_file(negated(states), ["a", "b"]))
            ndnf("envs", costs, "--dump", file)
            least = self.storm(file, 'R{"return"}min=? [F "end"]')
            best = ndnf("envs", task)["optimum"]
            self.assertEqual(best is None, least == float("inf"), f"{seed}")
            if best is None:
                continue
            ending += 1
            self.assertEqual(best["proof"], "dynamic-programming")
            self.same(best["return"], -least, f"{seed}")
        self.assertGreater(ending, MODELS // 2)

    def gymnasium_task(self, name: str, **settings: Any) -> dict[str, Any]:
        """Gymnasium's own table, without a limit."""
        env: Any = gymnasium.make(name, **settings).unwrapped
        actions = [f"a{a}" for a in range(env.action_space.n)]
        ends = {o[1] for row in env.P.values() for outcomes in row.values() for o in outcomes if o[3]}
        states: list[dict[str, Any]] = []
        for s in range(env.observation_space.n):
            states.append({"observation": s})
            if s in ends:
                continue
            states[-1]["outcomes"] = {
                action: [{"next": int(o[1]), "p": float(o[0]), "reward": float(o[2]), "terminal": bool(o[3])}
                         for o in env.P[s][a]] for a, action in enumerate(actions)}
        model = model_file(states, actions)
        starts = [(s, float(p)) for s, p in enumerate(env.initial_state_distrib) if p > 0]
        model["starts"] = [{"state": s, "p": p} for s, p in starts]
        return model

    def test_cliff_walking(self) -> None:
        self.assertIsNone(gymnasium.spec("CliffWalking-v1").max_episode_steps)
        task = self.write("cliff.json", self.gymnasium_task("CliffWalking-v1"))
        best = ndnf("eval", "optimal", "--env", task)
        self.assertEqual((best["return"], best["length"], best["optimum_proof"]), (-13, 13, "dynamic-programming"))
        self.same(ndnf("eval", "uniform", "--env", task)["return"], self.total(self.chain("uniform", task)), "uniform")

    def test_frozen_lake(self) -> None:
        for size, wanted in (("4x4", 14 / 17), ("8x8", 1)):
            model = self.gymnasium_task("FrozenLake-v1", map_name=size)
            task = self.write("lake.json", model)
            best = ndnf("envs", task)["optimum"]
            self.assertAlmostEqual(best["return"], wanted, delta=1e-12)
            self.assertEqual(best["proof"], "dynamic-programming")
            task = self.write("lake.json", {**model, "discount": 0.99})
            file = str(self.folder / "lake.drn")
            ndnf("envs", task, "--dump", file)
            self.same(ndnf("envs", task)["optimum"]["return"], self.storm(file, 'R{"return"}max=? [Cdiscount=0.99]'), size)


if __name__ == "__main__":
    unittest.main()
