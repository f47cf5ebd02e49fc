"""Weights from elsewhere: the paper's reference networks, as arrays or files."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Mapping
from typing import Any

from . import _engine
from ._errors import bad_input
from ._policy import Policy
from ._tasks import TaskLike, env_input

__all__ = ["from_weights"]


def _safetensors(arrays: Mapping[str, Any]) -> bytes:
    """The arrays as a safetensors file, which the engine reads."""
    import numpy as np

    header, data = {}, b""
    for name, given in arrays.items():
        tensor = given.detach().cpu().numpy() if hasattr(given, "detach") else given
        array = np.asarray(tensor)
        if not np.issubdtype(array.dtype, np.floating):
            raise bad_input("weights", f"{name} is not an array of real numbers")
        double = np.ascontiguousarray(array, dtype="<f8")
        if not np.isfinite(double).all():
            raise bad_input("weights", f"{name} has a number that is NaN or infinite")
        header[str(name)] = {
            "dtype": "F64",
            "shape": list(array.shape),
            "data_offsets": [len(data), len(data) + double.nbytes],
        }
        data += double.tobytes()
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def _input(weights: Any) -> _engine.Input:
    if isinstance(weights, (str, os.PathLike)):
        return _engine.Input(os.fspath(weights))
    if callable(getattr(weights, "state_dict", None)):
        weights = weights.state_dict()
    if not isinstance(weights, Mapping):
        raise bad_input(
            "weights",
            f"a {type(weights).__name__} is not a set of weights",
            "it is a .safetensors or .npz file, a dict of arrays, a state dict or a module of torch",
        )
    return _engine.Input("weights", _safetensors(weights))


def from_weights(
    weights: Any,
    env: TaskLike,
    *,
    select: str | None = None,
    model: str = "ndnf-mt",
    inputs: str = "signed",
    delta: float = 1.0,
    output: str | os.PathLike[str] | None = None,
) -> Policy:
    """A policy from the weights of a neural DNF, such as those of the paper's PyTorch code.

    `weights` is a .safetensors or .npz file, a dict of arrays or tensors (a state dict), or a torch module. Names
    end with ``conjunctions.weights`` (conjunctions, inputs), ``disjunctions.weights`` (actions, conjunctions) and, for
    an encoder, with those in docs/checkpoint.md; any prefix is allowed, and a critic is left out. `env` is the task
    whose atoms and actions they are for. The network is written to `output`, if it is given.

    >>> import numpy as np, ndnf
    >>> conjunctions = np.array([[0.0, 6.0, 0.0, 0.0], [0.0, -6.0, 0.0, 0.0]])  # in_s_1; not in_s_1
    >>> disjunctions = np.array([[6.0, -6.0], [-6.0, 6.0]])  # left, right
    >>> weights = {"conjunctions.weights": conjunctions, "disjunctions.weights": disjunctions}
    >>> policy = ndnf.from_weights(weights, env="small-corridor", select="argmax")
    >>> policy.rules()
    ['action(left) :- in_s_1.', 'action(right) :- not in_s_1.']
    """
    given = env_input(env)
    if given is None:
        raise bad_input("env", "is needed", "weights do not say what they are for")
    words = {"model": (model, ("ndnf-mt", "ndnf", "ndnf-eo")), "inputs": (inputs, ("signed", "binary"))}
    for name, (word, allowed) in words.items():
        if word not in allowed:
            raise bad_input(name, f"there is no {word}", f"it is one of {', '.join(allowed)}")
    json_object = _engine.import_weights(
        _input(weights), given, select, model, inputs, delta, "" if output is None else os.fspath(output)
    )
    name = "weights.safetensors" if output is None else os.fspath(output)
    return Policy(_engine.Input(name, json_object["contents"]), env)
