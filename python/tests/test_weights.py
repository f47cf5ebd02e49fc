"""Weights of the paper's reference implementation, from arrays and files."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save_file

import ndnf

TRAINED = Path(__file__).parents[2] / "tests" / "golden" / "trained"
Arrays = dict[str, NDArray[np.float64]]

#: Each network with its task, how its actions are picked, and its exact return, known from elsewhere.
NETWORKS = [
    ("sc_mdp_ndnf_1", "small-corridor", "argmax", -3.0),
    ("sc_pomdp_ndnf_1", "small-corridor:wall", "sample", -9.0814),
    ("lc11_pomdp_ndnf_1", "long-corridor-11:wall", "sample", -16.6853),
    ("bj_ndnf_1", "blackjack", "argmax", -0.054684),
    ("bj_ndnf_1", "blackjack", "sample", -0.075948),
    ("dc_ndnf_1", "door-corridor", "argmax", -8.0),
]


def weights_of(name: str) -> Arrays:
    tensors = json.loads((TRAINED / f"{name}.json").read_text())["tensors"]
    arrays = {key: np.array(value, dtype=np.float64) for key, value in tensors.items()}
    kernel = arrays.get("image_encoder.0.weight")
    if kernel is not None:
        arrays["image_encoder.0.weight"] = kernel.reshape(*kernel.shape[:2], 1, 1)
    return arrays


def raw_outputs(x: NDArray[Any], weights: Arrays) -> NDArray[Any]:
    """The paper's Eq. (1) with delta 1, for conjunctions and disjunctions."""
    for layer, sign in (("conjunctions", 1), ("disjunctions", -1)):
        w = weights[f"actor.{layer}.weights"]
        size = np.abs(w)
        z = x @ w.T + sign * (size.max(axis=1) - size.sum(axis=1))
        x = np.tanh(z) if layer == "conjunctions" else z
    return x


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


class Module:
    """A module of torch, as far as its weights go."""

    def __init__(self, arrays: Arrays) -> None:
        self._arrays = arrays

    def state_dict(self) -> dict[str, Tensor]:
        return {name: Tensor(array.astype(np.float32)) for name, array in self._arrays.items()}


@pytest.mark.parametrize(("name", "env", "select", "expected"), NETWORKS)
def test_reference_weights_have_their_known_return(name: str, env: str, select: str, expected: float) -> None:
    policy = ndnf.from_weights(weights_of(name), env=env, select=select)
    assert ndnf.evaluate(policy).return_ == pytest.approx(expected, abs=1e-4 if select == "sample" else 1e-6)


@pytest.mark.parametrize("name", ["sc_mdp_ndnf_1", "bj_ndnf_1"])
def test_reference_weights_give_the_probabilities_of_the_papers_formula(name: str) -> None:
    env = {"sc_mdp_ndnf_1": "small-corridor", "bj_ndnf_1": "blackjack"}[name]
    weights = weights_of(name)
    policy = ndnf.from_weights(weights, env=env)
    ndnf.export(policy, "npz", output="all.npz")
    with np.load("all.npz") as arrays:
        raw = raw_outputs(np.where(arrays["observations"] > 0, 1.0, -1.0), weights)
        powers = np.exp(raw - raw.max(axis=1, keepdims=True))
        expected = powers / powers.sum(axis=1, keepdims=True)
        assert arrays["probabilities"] == pytest.approx(expected, abs=1e-5)  # weights are stored as float32


def test_every_form_of_the_same_weights_is_the_same_policy() -> None:
    weights = weights_of("bj_ndnf_1")
    plain = {name.removeprefix("actor."): array for name, array in weights.items()}
    deep = {f"model.{name}": array for name, array in weights.items()}
    critic = {**weights, "critic.0.weight": np.ones((3, 44)), "critic.0.bias": np.ones(3)}
    fortran = {name: np.asfortranarray(array) for name, array in weights.items()}
    np.savez("plain.npz", allow_pickle=False, **weights)
    np.savez("columns.npz", allow_pickle=False, **fortran)
    save_file({name: array.astype(np.float32) for name, array in weights.items()}, "weights.safetensors")
    forms: list[Any] = [
        weights, plain, deep, critic, fortran, Module(weights), Module(weights).state_dict(), "plain.npz",
        "columns.npz", Path("weights.safetensors"),
    ]  # fmt: skip
    contents = {
        ndnf.from_weights(form, env="blackjack").save(f"{k}.safetensors").read_bytes() for k, form in enumerate(forms)
    }
    assert len(contents) == 1


def test_the_command_imports_what_python_imports() -> None:
    weights = weights_of("sc_mdp_ndnf_1")
    np.savez("weights.npz", allow_pickle=False, **weights)
    program = str(Path(sys.executable).parent / "ndnf")
    arguments = ["weights.npz", "--env", "small-corridor", "--select", "argmax", "-o", "imported.safetensors", "--json"]
    shown = subprocess.run([program, "import", *arguments], capture_output=True, text=True, check=True)
    assert json.loads(shown.stdout)["conjunctions"] == 4
    ndnf.from_weights(weights, env="small-corridor", select="argmax", output="ours.safetensors")
    assert Path("imported.safetensors").read_bytes() == Path("ours.safetensors").read_bytes()
    assert ndnf.extract("imported.safetensors").faithful


def test_imported_weights_can_be_trained_further() -> None:
    ndnf.from_weights(weights_of("sc_mdp_ndnf_1"), env="small-corridor", output="start.safetensors")
    run = ndnf.train(
        "small-corridor-ndnf-mt", init="start.safetensors", set={"ppo.total_timesteps": 2048}, out="run", progress=False
    )
    assert run.return_ == -3


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"actor.conjunctions.weights": np.ones((4, 5))}, r"conjunctions\.weights has the shape \[4, 5\]; \[4, 4\]"),
        ({"actor.disjunctions.weights": np.ones((3, 4))}, r"disjunctions\.weights has the shape \[3, 4\]; \[2, 4\]"),
        ({"actor.conjunctions.weights": np.ones(4)}, "2 sizes are needed here, outputs first"),
        ({"actor.conjunctions.weights": np.full((4, 4), np.nan)}, "weights has a number that is NaN or infinite"),
        ({"actor.conjunctions.weights": np.ones((4, 4), dtype=int)}, "is not an array of real numbers"),
        ({"conjunctions.weights": np.ones((4, 4))}, "has two tensors"),
        ({"actor.bias": np.ones(4)}, "the tensor actor.bias is not part of a neural DNF; the names end with conj"),
    ],
)  # fmt: skip
def test_bad_weights_are_refused_with_a_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ndnf.Error, match=sentence):
        ndnf.from_weights({**weights_of("sc_mdp_ndnf_1"), **change}, env="small-corridor")


def test_a_missing_layer_is_named() -> None:
    weights = weights_of("sc_mdp_ndnf_1")
    del weights["actor.disjunctions.weights"]
    with pytest.raises(ndnf.Error, match=r"the tensor actor\.disjunctions\.weights is missing"):
        ndnf.from_weights(weights, env="small-corridor")


def test_weights_for_another_task_are_refused() -> None:
    with pytest.raises(ndnf.Error, match=r"\[64, 44\]; \[64, 4\] is needed here"):
        ndnf.from_weights(weights_of("bj_ndnf_1"), env="small-corridor")


@pytest.mark.parametrize(
    "contents", [b"PK\x03\x04" + b"\0" * 26 + b"archive/data.pkl" + b"\0" * 40, b"\x80\x02}q\x00."]
)
def test_a_pickle_is_refused_and_the_sentence_says_how_to_convert_it(contents: bytes) -> None:
    Path("model.pt").write_bytes(contents)
    with pytest.raises(ndnf.Error, match=r"is a pickle of PyTorch.*save_file\(torch.load\(FILE, weights_only=True\)"):
        ndnf.from_weights("model.pt", env="small-corridor")


def _damaged(kind: str) -> None:
    """Writes a weights.npz that is not one."""
    file = Path("weights.npz")
    np.savez(file, allow_pickle=False, **weights_of("sc_mdp_ndnf_1"))
    whole = file.read_bytes()
    file.unlink()
    if kind == "compressed":  # it may be a bomb
        np.savez_compressed(file, allow_pickle=False, **weights_of("sc_mdp_ndnf_1"))
    elif kind == "pipe":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    elif kind == "objects":
        np.savez(file, allow_pickle=True, x=np.array([{}], dtype=object))
    elif kind == "header":
        file.write_bytes(whole.replace(b"'shape': (", b"'shape': )"))
    elif kind != "missing":
        file.write_bytes({"cut": whole[:-30], "begun": whole[:40], "empty": b"", "text": b"weights\n"}[kind])


@pytest.mark.parametrize(
    "kind", ["cut", "begun", "empty", "text", "compressed", "pipe", "folder", "objects", "header", "missing"]
)
def test_a_file_that_is_no_npz_of_weights_is_one_sentence(kind: str) -> None:
    _damaged(kind)
    with pytest.raises(ndnf.Error, match=r"weights\.npz") as caught:
        ndnf.from_weights("weights.npz", env="small-corridor")
    assert "\n" not in str(caught.value)


def test_what_is_no_set_of_weights_is_refused() -> None:
    with pytest.raises(ndnf.Error, match="weights: a list is not a set of weights"):
        ndnf.from_weights([1.0], env="small-corridor")
    with pytest.raises(ndnf.Error, match="delta=: is out of range"):
        ndnf.from_weights(weights_of("sc_mdp_ndnf_1"), env="small-corridor", delta=2)
    with pytest.raises(ndnf.Error, match="model: there is no mlp"):
        ndnf.from_weights(weights_of("sc_mdp_ndnf_1"), env="small-corridor", model="mlp")


def test_the_fingerprint_of_a_vocabulary_is_computed_as_documented() -> None:
    """The recipe of docs/checkpoint.md, run as it stands there."""
    page = (Path(__file__).parents[2] / "docs" / "checkpoint.md").read_text()
    recipe = next(block for block in page.split("```python\n") if "def fingerprint" in block).split("```")[0]
    names: dict[str, Any] = {}
    exec(recipe, names)
    from safetensors import safe_open

    def check(path: str) -> None:
        with safe_open(path, framework="np") as file:
            metadata = file.metadata()
        parts = [json.loads(metadata.get(key, "[]")) for key in ("atoms", "actions", "quantities")]
        assert names["fingerprint"](*parts) == metadata["fingerprint"]

    for name, env, select, _ in NETWORKS:
        ndnf.from_weights(weights_of(name), env=env, select=select, output="net.safetensors")
        check("net.safetensors")
    for env in ("cart-pole", "pendulum"):  # with quantities
        check(str(ndnf.train(env, model="mlp", steps=4096, out=env).path / "model.safetensors"))
