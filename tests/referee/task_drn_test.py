"""The real Storm reads every task as an MDP or POMDP and finds its optimum.

Usage: task_drn_test.py NDNF
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import stormpy

NDNF = sys.argv.pop(1)
TASKS = ["small-corridor", "long-corridor-5", "long-corridor-11", "small-corridor:wall", "long-corridor-5:wall",
         "door-corridor", "door-corridor-t", "door-corridor-ot", "blackjack", "taxi", "taxi:factored,rows=3,cols=4",
         "crossing:lanes=2,width=3", str(Path(__file__).parents[2] / "examples/two-rooms.json")]


def ndnf(*arguments: str) -> str:
    return subprocess.run([NDNF, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def best_value(model: Any, bound: int) -> float:
    """The value of the MDP, which sees the states themselves."""
    [initial] = model.initial_states
    formula = stormpy.parse_property(f'R{{"return"}}max=? [C<={bound}]')
    return stormpy.model_checking(model, formula, force_fully_observable=True).get_value(initial)


class TasksForStorm(unittest.TestCase):
    def check(self, task: str, folder: Path) -> None:
        file = folder / "task.drn"
        ndnf("envs", task, "--dump", str(file))
        model = stormpy.build_model_from_drn(str(file))
        described = json.loads(ndnf("envs", task, "--json"))
        optimum = described["optimum"]
        draws_start = "draws the start state" in file.read_text()
        steps = described["step_limit"] or described["states"]  # without a limit no state comes twice
        value = best_value(model, steps + draws_start)
        if model.is_partially_observable:
            self.assertLess(described["observations"], described["states"])
            self.assertGreaterEqual(value, optimum["return"] - 1e-6)
        else:
            self.assertAlmostEqual(value, optimum["return"], delta=1e-6)

    def test_every_task(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for task in TASKS:
                with self.subTest(task=task):
                    self.check(task, Path(folder))


if __name__ == "__main__":
    unittest.main()
