"""The real safetensors package reads our files and writes files that we read; NumPy computes the same policies.

Usage: safetensors_test.py WRITE_RUN_FILES
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

WRITE_RUN_FILES = sys.argv[1]
Tensors = dict[str, np.ndarray]


def metadata_of(file: Path) -> dict[str, str]:
    with safe_open(file, framework="np") as opened:
        return opened.metadata()


class SafetensorsFile(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def assert_same_tensors(self, ours: Tensors, theirs: Tensors) -> None:
        self.assertEqual(set(ours), set(theirs))
        for name, tensor in theirs.items():
            self.assertEqual((ours[name].dtype, ours[name].shape), (tensor.dtype, tensor.shape), name)
            self.assertEqual(ours[name].tobytes(), tensor.tobytes(), name)

    def test_ours_is_read(self) -> None:
        subprocess.run([WRITE_RUN_FILES, "tensors", self.folder], check=True)
        expected = json.loads((self.folder / "expected.json").read_text())["all_types"]
        file = self.folder / "all-types.safetensors"
        tensors = {
            name: np.array(tensor["values"], dtype=tensor["dtype"]).reshape(tensor["shape"])
            for name, tensor in expected["tensors"].items()
        }
        self.assert_same_tensors(load_file(file), tensors)
        self.assertEqual(metadata_of(file), expected["metadata"])

    def test_theirs_is_read(self) -> None:
        random = np.random.default_rng(1)
        tensors = {
            "weights": random.standard_normal((5, 7), dtype=np.float32),
            "not finite": np.array([np.nan, np.inf, -np.inf, -0.0]),
            "none": np.zeros((2, 0), dtype=np.uint8),
            "scalar": np.array(2**64 - 1, dtype=np.uint64),
            "counts": np.arange(-3, 3).reshape(2, 3),
            "größe": np.array([1, 2], dtype=np.uint32),
        }
        metadata = {"sentence": 'größer "than" \n one line', "empty": ""}
        save_file(tensors, self.folder / "theirs", metadata)
        subprocess.run([WRITE_RUN_FILES, "copy", self.folder / "theirs", self.folder / "ours"], check=True)
        self.assert_same_tensors(load_file(self.folder / "ours"), tensors)
        self.assertEqual(metadata_of(self.folder / "ours"), metadata)

    def test_without_metadata_is_read(self) -> None:
        save_file({"x": np.ones(1)}, self.folder / "theirs")
        subprocess.run([WRITE_RUN_FILES, "copy", self.folder / "theirs", self.folder / "ours"], check=True)
        self.assertIsNone(metadata_of(self.folder / "ours"))


class CheckpointReader:
    """A policy rebuilt only from the description in docs/checkpoint.md."""

    def __init__(self, file: Path) -> None:
        self.tensors = load_file(file)
        self.metadata = metadata_of(file)
        self.groups = json.loads(self.metadata["atoms"])
        self.atoms = [atom for group in self.groups for atom in group["atoms"]]

    def probabilities(self, facts: list[str], image: list[float]) -> np.ndarray:
        if self.metadata["model"] == "q-table":
            return self.table_row(facts)
        architecture = json.loads(self.metadata["architecture"])
        if "encoder" in architecture:
            x = self.encode(np.array(image), architecture["encoder"])
        else:
            x = np.where(np.isin(self.atoms, facts), 1.0, -1.0 if architecture["inputs"] == "signed" else 0.0)
        actor = architecture["actor"]
        raw = self.mlp(x, actor) if self.metadata["model"] == "mlp" else self.dnf(x, actor)
        exponentials = np.exp(raw - raw.max())
        return exponentials / exponentials.sum()

    def table_row(self, facts: list[str]) -> np.ndarray:
        values = [
            next(i for i, atom in enumerate(group["atoms"]) if atom in facts)
            if group["one_hot"]
            else int(group["atoms"][0] in facts)
            for group in self.groups
        ]
        [row] = np.flatnonzero((self.tensors["observations"] == values).all(axis=1))
        q = self.tensors["q"][row]
        return np.eye(len(q))[q.argmax()]

    def layer(self, name: str, x: np.ndarray) -> np.ndarray:
        weight = self.tensors[f"{name}.weight"].astype(float)
        bias = self.tensors.get(f"{name}.bias", np.zeros(len(weight)))
        return weight.reshape(weight.shape[:2]) @ x + bias[:, None]

    def encode(self, image: np.ndarray, encoder: dict[str, Any]) -> np.ndarray:
        cells = image.reshape(encoder["cells"], encoder["image_channels"])
        channels = np.tanh(self.layer("image_encoder.0", cells.T))
        return np.tanh(self.layer("extra_layer.0", channels.reshape(-1, 1)))[:, 0]

    def mlp(self, x: np.ndarray, actor: dict[str, Any]) -> np.ndarray:
        activation = {"tanh": np.tanh, "relu": lambda z: np.maximum(z, 0)}[actor["activation"]]
        x = x[:, None]
        for layer in range(len(actor["hidden"])):
            x = activation(self.layer(f"actor.{2 * layer}", x))
        return self.layer(f"actor.{2 * len(actor['hidden'])}", x)[:, 0]

    def dnf(self, x: np.ndarray, actor: dict[str, Any]) -> np.ndarray:
        def bias(weights: np.ndarray) -> np.ndarray:
            return actor["delta"] * (abs(weights).max(axis=1) - abs(weights).sum(axis=1))

        assert (actor["bias_type"], actor["activation"]) == ("max", "tanh")
        conjunctive = self.tensors["actor.conjunctions.weights"].astype(float)
        disjunctive = self.tensors["actor.disjunctions.weights"].astype(float)
        d = disjunctive @ np.tanh(conjunctive @ x + bias(conjunctive)) - bias(disjunctive)
        if self.metadata["model"] != "ndnf-eo":
            return d
        constraint = -6 * (1 - np.eye(len(d)))
        return constraint @ np.tanh(d) + bias(constraint)


class Checkpoint(unittest.TestCase):
    def test_means_the_same_policy_to_numpy(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([WRITE_RUN_FILES, "tensors", folder], check=True)
            checkpoints = json.loads((Path(folder) / "expected.json").read_text())["checkpoints"]
            self.assertEqual(len(checkpoints), 6)
            for checkpoint in checkpoints:
                reader = CheckpointReader(Path(folder) / checkpoint["file"])
                for observation in checkpoint["observations"]:
                    theirs = reader.probabilities(observation["facts"], observation["image"])
                    np.testing.assert_allclose(
                        observation["probabilities"], theirs, rtol=1e-9, atol=1e-12, err_msg=checkpoint["file"]
                    )


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
