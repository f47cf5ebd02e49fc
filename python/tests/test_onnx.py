"""Policies exported as ONNX: the real checker accepts them, and the real onnxruntime computes the same."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray

import ndnf

ROOT = Path(__file__).parents[2]
TRAINED = ROOT / "tests" / "golden" / "trained"
EXAMPLES = ROOT / "examples"


def session_of(contents: bytes) -> Any:
    """A session with a model that the checker has accepted, shapes and types included."""
    model = onnx.load_from_string(contents)
    onnx.checker.check_model(model, full_check=True)
    return onnxruntime.InferenceSession(contents, providers=["CPUExecutionProvider"])


def arrays_of(policy: Any, env: Any = None) -> dict[str, NDArray[Any]]:
    """All reachable observations of its task with its probabilities: the arrays of the npz export."""
    with np.load(io.BytesIO(ndnf.export(policy, "npz", env=env).contents)) as file:
        return dict(file)


def trained(name: str, env: str) -> ndnf.Policy:
    tensors = json.loads((TRAINED / name).read_text())["tensors"]
    weights = {key: np.array(value) for key, value in tensors.items()}
    kernel = weights.get("image_encoder.0.weight")
    if kernel is not None and kernel.ndim == 2:
        weights["image_encoder.0.weight"] = kernel[:, :, None, None]
    return ndnf.from_weights(weights, env=env)


def short_run(task: str, model: str) -> ndnf.Policy:
    policy: ndnf.Policy = ndnf.train(task, model=model, steps=4096, out="run", progress=False).policy
    return policy


def compiled(program: str) -> ndnf.Policy:
    policy = ndnf.compile(ndnf.load(EXAMPLES / program)).policy
    assert policy is not None
    return policy


POLICIES: dict[str, Callable[[], Any]] = {
    "dnf of the small corridor": lambda: trained("sc_mdp_ndnf_1.json", "small-corridor"),
    "dnf of walls": lambda: trained("sc_pomdp_ndnf_1.json", "small-corridor:wall"),
    "dnf of the long corridor": lambda: trained("lc11_pomdp_ndnf_1.json", "long-corridor-11:wall"),
    "dnf of Blackjack": lambda: trained("bj_ndnf_1.json", "blackjack"),
    "dnf behind an encoder": lambda: trained("dc_ndnf_1.json", "door-corridor"),
    "compiled rules": lambda: compiled("corridors/sc.lp"),
    "compiled probabilities": lambda: compiled("corridors/sc-wall.pl"),
    "mlp": lambda: short_run("small-corridor", "mlp"),
    "q-table": lambda: short_run("small-corridor", "q-table"),
    "rules": lambda: ndnf.load(EXAMPLES / "corridors/lc-5.lp"),
    "rules of Door Corridor": lambda: ndnf.load(EXAMPLES / "door-corridor/dc-t.lp"),
    "rules of Blackjack": lambda: ndnf.load(EXAMPLES / "blackjack/optimal.lp"),
    "probabilistic rules": lambda: ndnf.load(EXAMPLES / "corridors/lc-11-wall.pl"),
    "table of Taxi": lambda: ndnf.load("optimal", env="taxi"),
    "table of factored Taxi": lambda: ndnf.load("optimal", env="taxi:factored"),
    "table of FrozenLake": lambda: ndnf.load("optimal", env="gym:FrozenLake-v1"),
    "table of a model file": lambda: ndnf.load("optimal", env=EXAMPLES / "two-rooms.json"),
}


@pytest.mark.parametrize("kind", POLICIES)
def test_onnxruntime_agrees_on_all_reachable_observations(kind: str) -> None:
    policy = POLICIES[kind]()
    exported = ndnf.export(policy, "onnx")
    session = session_of(exported.contents)
    arrays = arrays_of(policy)
    reads = session.get_inputs()[0].name
    given = arrays["observations"] if reads == "atoms" else arrays["images"]
    rows, actions = session.run(["probabilities", "action"], {reads: given})
    assert rows.shape == arrays["probabilities"].shape
    assert rows == pytest.approx(arrays["probabilities"], abs=1e-12)
    defined = np.abs(arrays["probabilities"].sum(axis=1) - 1) < 1e-6
    assert (actions[defined] == arrays["probabilities"][defined].argmax(axis=1)).all()
    assert (actions[~defined] == -1).all()


def test_a_network_over_numbers_needs_no_finite_model() -> None:
    policy = short_run("cart-pole", "mlp")
    session = session_of(ndnf.export(policy, "onnx").contents)
    observations = np.random.default_rng(0).normal(size=(200, 4)).astype(np.float32)
    (rows,) = session.run(["probabilities"], {"numbers": observations})
    assert rows == pytest.approx(policy.probabilities(observations), abs=1e-12)


def test_an_observation_that_the_task_never_shows_has_no_action() -> None:
    session = session_of(ndnf.export("optimal", "onnx", env="small-corridor").contents)
    rows, actions = session.run(None, {"atoms": np.array([[1, 1, 0, 0], [0, 1, 0, 0]], dtype=np.uint8)})
    assert rows.tolist() == [[0, 0], [1, 0]]
    assert actions.tolist() == [-1, 0]


def test_a_shielded_network_obeys_its_shield() -> None:
    Path("shield.lp").write_text("forbidden(right) :- in_s_1.\n")
    policy = trained("sc_mdp_ndnf_1.json", "small-corridor")
    shielded = ndnf.export(policy, "onnx", shield="shield.lp")
    session = session_of(shielded.contents)
    (rows,) = session.run(["probabilities"], {"atoms": np.array([[0, 1, 0, 0]], dtype=np.uint8)})
    assert rows.tolist() == [[1, 0]]


def test_the_file_names_atoms_actions_and_task_and_is_always_the_same() -> None:
    policy = trained("bj_ndnf_1.json", "blackjack")
    contents = ndnf.export(policy, "onnx", output="policy.onnx").contents
    assert Path("policy.onnx").read_bytes() == contents == ndnf.export(policy, "onnx").contents
    metadata = session_of(contents).get_modelmeta().custom_metadata_map
    assert json.loads(metadata["actions"]) == ["stick", "hit"]
    assert json.loads(metadata["atoms"]) == ndnf.describe("blackjack").atoms
    assert (metadata["env"], metadata["select"]) == ("blackjack", "sample")


def test_the_batch_may_have_any_size() -> None:
    session = session_of(ndnf.export(trained("bj_ndnf_1.json", "blackjack"), "onnx").contents)
    atoms = len(ndnf.describe("blackjack").atoms)
    for size in (0, 1, 1000):
        (rows,) = session.run(["probabilities"], {"atoms": np.zeros((size, atoms), dtype=np.uint8)})
        assert rows.shape == (size, 2)
