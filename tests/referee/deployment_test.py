"""Policies as C, compiled by the real cc, and as .npz, read by the real NumPy, do what we say they do.

Usage: deployment_test.py NDNF WRITE_RUN_FILES EXAMPLES
"""

import ctypes
import itertools
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

NDNF, WRITE_RUN_FILES, EXAMPLES = sys.argv[1], sys.argv[2], Path(sys.argv[3])
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
SOFTMAX_ROUNDING = 1e-12

# Presets with settings that make them short: what is learned matters less here than that it is a policy.
TRAINED = {
    "small-corridor": ["paper/small-corridor-ndnf-mt"],
    "long-corridor-5-wall": ["paper/long-corridor-5-wall-ndnf-mt"],
    "long-corridor-11": ["paper/long-corridor-11-ndnf-mt"],
    "taxi": ["paper/taxi-distill-ndnf-mt", "--set", "distill.epochs=50"],
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
        subprocess.run(["c++", "-x", "c++", *WARNINGS, "-fsyntax-only", source], check=True)
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


def forward(arrays: dict[str, np.ndarray]) -> np.ndarray:
    """The probabilities by nothing but what docs/deployment.md says."""
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
        x = functions[activation](x @ arrays[f"{layer}.weights"] + arrays[f"{layer}.bias"])
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
        for name, arguments in TRAINED.items():
            ndnf("train", *arguments, "--seed", "0", "--out", cls.folder / name)
        cls.networks = [cls.folder / name for name in TRAINED]
        cls.networks += [
            file for file in sorted(cls.folder.glob("*-*.safetensors")) if not file.name.startswith(("all-", "q-"))
        ]

    def export(self, policy: Policy, form: str) -> Path:
        file = self.folder / f"exported-{next(self.numbers)}.{form}"  # a library is loaded once per name
        arguments = [policy[0], *(["--env", policy[1]] if len(policy) > 1 else [])]
        ndnf("export", *arguments, "--format", form, "-o", file)
        return file

    def arrays(self, policy: Policy) -> dict[str, np.ndarray]:
        with np.load(self.export(policy, "npz"), allow_pickle=False) as file:
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
        programs = sorted(EXAMPLES.glob("*/*.[lp][lp]"))
        self.assertEqual(len(programs), 9)
        for program in programs:
            with self.subTest(program.name):
                self.assert_same_in_c([program])

    def test_networks_their_programs_and_compiled_ones_are_the_same_in_c(self) -> None:
        for network in self.networks:
            with self.subTest(network.name):
                self.assert_same_in_c([network], SOFTMAX_ROUNDING)
            for language, ending in (("asp", "lp"), ("problog", "pl")):
                with self.subTest(f"{network.name} as {language}"):
                    program = self.folder / f"program.{ending}"
                    ndnf("extract", network, "--as", language, "--method", "exact", "-o", program)
                    self.assert_same_in_c([program])
            with self.subTest(f"{network.name} compiled"):
                compiled = self.folder / "compiled.safetensors"
                ndnf("compile", self.folder / "program.lp", "-o", compiled)
                self.assert_same_in_c([compiled], SOFTMAX_ROUNDING)

    def test_tables_are_the_same_in_c(self) -> None:
        for environment in TABLES:
            with self.subTest(environment):
                self.assert_same_in_c(["optimal", environment])
        self.assert_same_in_c([self.folder / "q-table-blackjack.safetensors"])

    def test_layers_are_the_network(self) -> None:
        compiled = self.folder / "compiled.safetensors"
        ndnf("compile", EXAMPLES / "corridors" / "sc-wall.pl", "-o", compiled)
        activations = set()
        for network in [*self.networks, compiled]:
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
        for policy in (EXAMPLES / "door-corridor" / "dc.lp", self.networks[0]):
            for form in ("c", "npz"):
                first = self.export([policy], form).read_bytes()
                self.assertEqual(self.export([policy], form).read_bytes(), first)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
