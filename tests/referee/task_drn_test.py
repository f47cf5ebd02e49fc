"""The real Storm reads every task as an MDP or POMDP and finds its optimum, and we find those of its models.

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
import stormpy.io

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


ROBOT = """mdp
module robot
  x : [0..3] init 0;
  y : [0..3] init 0;
  part : bool init false;
  [east]  x<3 -> 0.8:(x'=x+1) + 0.2:true;
  [west]  x>0 -> 0.8:(x'=x-1) + 0.2:true;
  [north] y<3 -> 0.8:(y'=y+1) + 0.2:true;
  [south] y>0 -> 0.8:(y'=y-1) + 0.2:true;
  [take]  x=3 & y=3 & !part -> 0.5:(part'=true) + 0.5:true;
endmodule
label "home" = x=0 & y=0 & part;
rewards "time"
  !(x=0 & y=0 & part) : 1;
endrewards
rewards "energy"
  [take] true : 3;
  [east] true : 1;
  y=3 : 0.5;
endrewards
"""


class ModelsOfStorm(unittest.TestCase):
    """The other way: a PRISM model that Storm writes as DRN is a task with the same optimum."""

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.file = str(Path(self.folder.name) / "robot.drn")
        source = Path(self.folder.name) / "robot.prism"
        source.write_text(ROBOT)
        self.program = stormpy.parse_prism_program(str(source))
        options = stormpy.BuilderOptions(build_full=True)
        options.set_build_state_valuations()
        options.set_build_choice_labels()
        self.model = stormpy.build_model(self.program, options=options)
        stormpy.io.export_to_drn(self.model, self.file)

    def value(self, text: str) -> float:
        [formula] = stormpy.parse_properties(text, self.program)
        return stormpy.model_checking(self.model, formula).get_value(self.model.initial_states[0])

    def check(self, settings: str, formula: str, sign: int = 1) -> None:
        described = json.loads(ndnf("envs", f"{self.file}:{settings}", "--json"))
        self.assertEqual(described["actions"], ["east", "north", "west", "south", "take"])
        self.assertEqual(described["atoms"], ["part", *(f"{v}({k})" for v in "xy" for k in range(4))])
        self.assertAlmostEqual(described["optimum"]["return"], sign * self.value(formula), delta=1e-5)
        again = str(Path(self.folder.name) / "again.drn")
        ndnf("envs", f"{self.file}:{settings}", "--dump", again)
        stormpy.build_model_from_drn(again)
        self.assertAlmostEqual(json.loads(ndnf("envs", again, "--json"))["optimum"]["return"],
                               described["optimum"]["return"], delta=1e-12)

    def test_optima(self) -> None:
        self.check("limit=20,goal=home", 'Pmax=? [F<=20 "home"]')
        self.check("limit=1000,reward=time,costs=true,goal=home", 'R{"time"}min=? [F "home"]', -1)
        self.check("limit=30,reward=energy", 'R{"energy"}max=? [C<=30]')


if __name__ == "__main__":
    unittest.main()
