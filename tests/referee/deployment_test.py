"""Policies exported as C, compiled by the real cc, and as .npz, read by the real NumPy, agree with ndnf.

Usage: deployment_test.py NDNF WRITE_RUN_FILES EXAMPLES
"""

import ctypes
import itertools
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np

NDNF, WRITE_RUN_FILES, EXAMPLES = sys.argv[1], sys.argv[2], Path(sys.argv[3])
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
SOFTMAX_ROUNDING = 1e-12

# The quality of the policies does not matter here, so half-trained ones are enough. TEACHER is a table of an optimal
# policy.
TRAINED = {
    "small-corridor": ["small-corridor-ndnf-mt"],
    "long-corridor-5-wall": ["long-corridor-5-wall-ndnf-mt"],
    "long-corridor-11": ["long-corridor-11-ndnf-mt"],
    "blackjack": ["blackjack-ndnf-mt", "ppo.total_timesteps=60000"],
    "taxi": ["taxi-distill-ndnf-mt", "distill.teacher=TEACHER", "distill.epochs=50"],
    "door-corridor": ["door-corridor-ndnf-mt"],
}
TABLES = ["small-corridor:wall", "blackjack", "taxi", "door-corridor", str(EXAMPLES / "two-rooms.json")]
Policy = list[str | Path]  # as `ndnf export` takes it, with its environment where it names none


def ndnf(*arguments: str | Path) -> None:
    subprocess.run([NDNF, *arguments], check=True, stdout=subprocess.DEVNULL)


class CPolicy:
    """The functions of a generated file."""

    def __init__(self, source: Path) -> None:
        self.text = source.read_text()
        library = source.with_suffix(".so")
        subprocess.run(
            ["cc", "-std=c99", *WARNINGS, "-shared", "-fPIC", "-o", library, source, "-lm"], check=True
        )
        [self.name] = re.findall(r"^int (\w+)_action\(.*;$", self.text, re.MULTILINE)
        library_ = ctypes.CDLL(str(library))
        self.fill = library_[f"{self.name}_probabilities"]
        self.action = library_[f"{self.name}_action"]
        self.draw = library_[f"{self.name}_sample"]
        self.draw.argtypes = [ctypes.c_void_p, ctypes.c_double]
        self.action_name = library_[f"{self.name}_name"]
        self.action_name.restype = ctypes.c_char_p

    def numbers(self, kind: str) -> list[int]:
        return [int(n) for n in re.findall(rf"^  {self.name}_{kind}_\w+ = (\d+)", self.text, re.MULTILINE)]

    def probabilities(self, observation: np.ndarray, actions: int) -> np.ndarray:
        p = np.full(actions, np.nan)
        self.fill(observation.ctypes.data_as(ctypes.c_void_p), p.ctypes.data_as(ctypes.c_void_p))
        return p

    def best(self, observation: np.ndarray) -> int:
        return self.action(observation.ctypes.data_as(ctypes.c_void_p))

    def sample(self, observation: np.ndarray, u: float) -> int:
        return self.draw(observation.ctypes.data_as(ctypes.c_void_p), u)


def expected_action(row: np.ndarray) -> int:
    if abs(row.sum() - 1) < 1e-6:
        return int(row.argmax())
    return -2 if row.sum() > 0 else -1


def policy_file(arrays: dict[str, np.ndarray], environment: str) -> dict[str, Any]:
    rows = [
        {"observation": list(arrays["atoms"][observation == 1]), "probabilities": list(row)}
        for observation, row in zip(arrays["observations"], arrays["probabilities"])
    ]
    return {
        "format": "ndnf-policy", "version": 1, "env": environment, "actions": list(arrays["actions"]), "rows": rows
    }


def forward(arrays: dict[str, np.ndarray]) -> np.ndarray:
    """The probabilities, computed only from the description in docs/deployment.md."""
    functions = {
        "tanh": np.tanh,
        "relu": lambda z: np.maximum(z, 0),
        "step": lambda z: np.where(z >= 0, 1, -1),
        "none": lambda z: z,
    }
    if "falsehood" in arrays:
        x = np.where(arrays["observations"], 1, arrays["falsehood"])
    else:
        x = arrays["images"]
    for layer, activation in zip(arrays["layers"], arrays["activations"]):
        z = x @ arrays[f"{layer}.weights"] + arrays[f"{layer}.bias"]
        x = functions[activation](z)
    exponentials = np.exp(x - x.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


class Deployment(unittest.TestCase):
    folder: Path
    numbers = itertools.count()

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        subprocess.run([WRITE_RUN_FILES, "tensors", cls.folder], check=True)
        teacher = cls.folder / "teacher.json"
        teacher.write_text(json.dumps(policy_file(cls.arrays(["optimal", "taxi"]), "taxi")))
        for name, (preset, *settings) in TRAINED.items():
            options = [word for each in settings for word in ("--set", each.replace("TEACHER", str(teacher)))]
            ndnf("train", f"paper/{preset}", *options, "--seed", "0", "--out", cls.folder / name)
        cls.trained = [cls.folder / name for name in TRAINED]
        cls.untrained = sorted(cls.folder.glob("ndnf-*.safetensors")) + sorted(cls.folder.glob("mlp-*.safetensors"))

    @classmethod
    def export(cls, policy: Policy, form: str) -> Path:
        file = cls.folder / f"exported-{next(cls.numbers)}.{form}"  # a library is loaded once per name
        arguments = [policy[0], *(["--env", policy[1]] if len(policy) > 1 else [])]
        ndnf("export", *arguments, "--format", form, "-o", file)
        return file

    @classmethod
    def arrays(cls, policy: Policy) -> dict[str, np.ndarray]:
        with np.load(cls.export(policy, "npz"), allow_pickle=False) as file:
            return dict(file)

    def assert_same_in_c(self, policy: Policy, tolerance: float = 0) -> None:
        arrays = self.arrays(policy)
        c = CPolicy(self.export(policy, "c"))
        seen_as_image = "layers" in arrays and "falsehood" not in arrays
        observations = arrays["images" if seen_as_image else "observations"]
        self.assertEqual(c.numbers("atom"), [] if seen_as_image else list(range(len(arrays["atoms"]))))
        self.assertEqual(c.numbers("action"), list(range(len(arrays["actions"]))))
        self.assertEqual([c.action_name(a).decode() for a in c.numbers("action")], list(arrays["actions"]))
        self.assertEqual(c.action_name(-1), b"none")
        for observation, row in zip(observations, arrays["probabilities"]):
            np.testing.assert_allclose(c.probabilities(observation, len(row)), row, rtol=0, atol=tolerance)
            action = expected_action(row)
            if np.partition(row, -2)[-2] < row.max() - tolerance or tolerance == 0:
                self.assertEqual(c.best(observation), action)
            for u in (0.0, 0.25, 0.5, 0.75, 1 - 2**-53):
                drawn = c.sample(observation, u)
                if action < 0:
                    self.assertEqual(drawn, action)
                else:
                    below = row[:drawn].sum()
                    self.assertGreater(row[drawn], 0)
                    self.assertTrue(below - 1e-6 <= u <= below + row[drawn] + 1e-6, (row, u, drawn))

    def test_examples_are_the_same_in_c(self) -> None:
        # Those over numbers are compared by numbers_test.py.
        others = {"shields", "cart-pole", "lunar-lander", "mountain-car"}
        programs = sorted(file for file in EXAMPLES.glob("*/*.[lp][lp]") if file.parent.name not in others)
        self.assertEqual(len(programs), 11)
        for program in programs:
            with self.subTest(program.name):
                model = program.with_suffix(".json")  # of a task that is not ours
                self.assert_same_in_c([program, model] if model.exists() else [program])

    def test_networks_their_programs_and_compiled_ones_are_the_same_in_c(self) -> None:
        for network in self.trained:
            with self.subTest(network.name):
                self.assert_same_in_c([network], SOFTMAX_ROUNDING)
            for language, method, ending in (("asp", "exact", "lp"), ("problog", "classes", "pl")):
                with self.subTest(f"{network.name} as {language}"):
                    program = self.folder / f"program.{ending}"
                    ndnf("extract", network, "--as", language, "--method", method, "-o", program)
                    self.assert_same_in_c([program])
            with self.subTest(f"{network.name} compiled"):
                compiled = self.folder / "compiled.safetensors"
                ndnf("compile", self.folder / "program.lp", "-o", compiled)
                self.assert_same_in_c([compiled], SOFTMAX_ROUNDING)

    def test_networks_of_every_kind_are_the_same_in_c(self) -> None:
        self.assertEqual(len(self.untrained), 5)
        for network in self.untrained:
            with self.subTest(network.name):
                self.assert_same_in_c([network], SOFTMAX_ROUNDING)

    def test_tables_are_the_same_in_c(self) -> None:
        for environment in TABLES:
            with self.subTest(environment):
                self.assert_same_in_c(["optimal", environment])
        self.assert_same_in_c([self.folder / "q-table-blackjack.safetensors"])

    def test_a_task_without_atoms_is_the_same_in_c(self) -> None:
        model = self.folder / "blind.json"
        outcomes = {"wait": [{"next": 0, "reward": -1}], "go": [{"next": 1, "reward": 1, "terminal": True}]}
        states = [{"observation": 0, "outcomes": outcomes}, {"observation": 0}]
        model.write_text(
            json.dumps(
                {"format": "ndnf-model", "version": 1, "name": "blind", "actions": ["wait", "go"], "groups": [],
                 "observations": [[]], "states": states, "starts": [{"state": 0}], "step_limit": 5}
            )
        )
        program = self.folder / "blind.pl"
        program.write_text("0.25::action(wait) ; 0.75::action(go).")
        self.assert_same_in_c([program, model])
        self.assert_same_in_c(["optimal", model])

    def test_a_network_over_numbers_is_the_same_in_c(self) -> None:
        model = self.folder / "numbers.json"
        goal, cells = 3, 7
        steps = [{"left": max(cell - 1, 0), "right": min(cell + 1, cells - 1)} for cell in range(cells)]
        states = [
            {"observation": cell}
            if cell == goal
            else {
                "observation": cell,
                "outcomes": {a: [{"next": s, "reward": -1, "terminal": s == goal}] for a, s in steps[cell].items()},
            }
            for cell in range(cells)
        ]
        model.write_text(
            json.dumps(
                {"format": "ndnf-model", "version": 1, "name": "numbers", "actions": ["left", "right"], "groups": [],
                 "observations": [[]] * cells, "dense": [[c / 3 - 1, c * c / 9, 0.5, -c] for c in range(cells)],
                 "states": states, "starts": [{"state": 0}], "step_limit": 20}
            )
        )
        run = self.folder / "numbers"
        settings = ["--set", f"env={model}", "--set", "ppo.total_timesteps=10000"]
        ndnf("train", "paper/small-corridor-mlp", *settings, "--seed", "0", "--out", run)
        arrays = self.arrays([run])
        self.assertNotIn("falsehood", arrays)
        np.testing.assert_allclose(forward(arrays), arrays["probabilities"], rtol=0, atol=SOFTMAX_ROUNDING)
        self.assertIn("const float *numbers", self.export([run], "c").read_text())
        self.assert_same_in_c([run], SOFTMAX_ROUNDING)

    def test_c_is_also_c_plus_plus(self) -> None:
        for policy in (
            [EXAMPLES / "door-corridor" / "dc.lp"],
            [EXAMPLES / "corridors" / "sc-wall.pl"],
            [self.folder / "ndnf-eo-blackjack.safetensors"],
            [self.folder / "mlp-door-corridor.safetensors"],
            ["optimal", "blackjack"],
        ):
            with self.subTest(policy):
                source = self.export(policy, "c")
                subprocess.run(["c++", "-x", "c++", *WARNINGS, "-fsyntax-only", source], check=True)

    def test_layers_are_the_network(self) -> None:
        compiled = self.folder / "compiled.safetensors"
        ndnf("compile", EXAMPLES / "corridors" / "sc-wall.pl", "-o", compiled)
        activations = set()
        for network in [*self.trained, *self.untrained, compiled]:
            with self.subTest(network.name):
                arrays = self.arrays([network])
                activations |= set(arrays["activations"])
                np.testing.assert_allclose(forward(arrays), arrays["probabilities"], rtol=0, atol=SOFTMAX_ROUNDING)
        self.assertEqual(activations, {"tanh", "step", "none"})

    def test_arrays_are_as_documented(self) -> None:
        arrays = self.arrays([EXAMPLES / "corridors" / "sc-wall.pl"])
        self.assertEqual(set(arrays), {"atoms", "actions", "observations", "probabilities"})
        self.assertEqual(list(arrays["atoms"]), ["left_wall_present", "right_wall_present"])
        self.assertEqual(list(arrays["actions"]), ["left", "right"])
        self.assertEqual(arrays["observations"].dtype, np.uint8)
        self.assertEqual(arrays["probabilities"].dtype, np.float64)
        rows = {tuple(o): tuple(p) for o, p in zip(arrays["observations"], arrays["probabilities"])}
        self.assertEqual(rows, {(1, 0): (0.041, 0.959), (0, 0): (0.581, 0.419)})

    def test_same_bytes_every_time(self) -> None:
        for policy in (EXAMPLES / "door-corridor" / "dc.lp", self.trained[0]):
            for form in ("c", "npz"):
                first = self.export([policy], form).read_bytes()
                self.assertEqual(self.export([policy], form).read_bytes(), first)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
