"""Readable names for the environments that we know, and where their states lie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._spaces import Names, checked_names


def _lake_names(env: Any) -> Names:
    columns = env.unwrapped.ncol
    states = range(env.unwrapped.nrow * columns)
    place = {"row": [s // columns for s in states], "col": [s % columns for s in states]}
    return {"obs": place, "actions": ["left", "down", "right", "up"]}


def _cliff_names(env: Any) -> Names:
    rows, columns = env.unwrapped.shape
    states = range(rows * columns)
    place = {"row": [s // columns for s in states], "col": [s % columns for s in states]}
    return {"obs": place, "actions": ["up", "right", "down", "left"]}


def _taxi_names(env: Any) -> Names:
    parts = [tuple(env.unwrapped.decode(s)) for s in range(env.observation_space.n)]
    words = ("row", "col", "passenger", "destination")
    state = {word: [int(part[k]) for part in parts] for k, word in enumerate(words)}
    return {"obs": state, "actions": ["south", "north", "east", "west", "pickup", "dropoff"]}


def layout_of(env: Any) -> dict[str, Any]:
    """Where the states of a known environment lie, and what its places are called: keys of a model file."""
    inner = env.unwrapped
    name = type(inner).__name__
    if name not in _ON_A_MAP or not type(inner).__module__.startswith("gymnasium."):
        return {}
    state: Any = _KNOWN_NAMES[name](env)["obs"]
    places = [list(place) for place in zip(state["row"], state["col"], strict=True)]
    layout = {"rows": max(state["row"]) + 1, "columns": max(state["col"]) + 1, "places": places}
    if name == "TaxiEnv":  # one map for each place of the passenger and destination
        stops = ("R", "G", "Y", "B")
        layout["panels"] = [
            f"{at}, to {to}" for at in (*(f"at {stop}" for stop in stops), "in the taxi") for to in stops
        ]
        layout["places"] = [
            [*place, len(stops) * passenger + destination]
            for place, passenger, destination in zip(places, state["passenger"], state["destination"], strict=True)
        ]
    return {**_lake_labels(inner), "layout": layout}


def _lake_labels(inner: Any) -> dict[str, Any]:
    if type(inner).__name__ != "FrozenLakeEnv":
        return {}
    squares = [bytes(square) for square in inner.desc.ravel()]
    named = {name: [s for s, square in enumerate(squares) if square == sign] for name, sign in _SQUARES.items()}
    return {"labels": {name: states for name, states in named.items() if states}}


_ON_A_MAP = {"FrozenLakeEnv", "CliffWalkingEnv", "TaxiEnv"}
_SQUARES = {"goal": b"G", "hole": b"H"}


def _fixed(**names: Any) -> Callable[[Any], Names]:
    return lambda env: names


#: Readable names for Gymnasium's own environments, by the class of the innermost one.
_KNOWN_NAMES: dict[str, Callable[[Any], Names]] = {
    "FrozenLakeEnv": _lake_names,
    "CliffWalkingEnv": _cliff_names,
    "TaxiEnv": _taxi_names,
    "BlackjackEnv": lambda env: {
        "0": "hand",
        "1": "dealer",
        "2": "usable_ace",
        "actions": ["stick", "hit"],
    },
    "CartPoleEnv": _fixed(
        obs=["position", "velocity", "angle", "spin"],
        actions=["left", "right"],
        units={"position": "m", "velocity": "m/s", "angle": "rad", "spin": "rad/s"},
        ranges={
            "position": (-4.8, 4.8),
            "velocity": (-10, 10),
            "angle": (-0.4188790205, 0.4188790205),
            "spin": (-10, 10),
        },
        quanta=dict.fromkeys(("position", "velocity", "angle", "spin"), 0.001),
    ),
    "MountainCarEnv": _fixed(
        obs=["position", "velocity"],
        actions=["left", "coast", "right"],
        ranges={"position": (-1.2, 0.6), "velocity": (-0.07, 0.07)},
    ),
    "Continuous_MountainCarEnv": _fixed(obs=["position", "velocity"]),
    "PendulumEnv": _fixed(obs=["cos_angle", "sin_angle", "spin"], units={"spin": "rad/s"}),
    "AcrobotEnv": _fixed(
        obs=["cos_1", "sin_1", "cos_2", "sin_2", "spin_1", "spin_2"],
        actions=["left", "none", "right"],
        units={"spin_1": "rad/s", "spin_2": "rad/s"},
    ),
    "LunarLander": _fixed(
        obs=["x", "y", "vx", "vy", "angle", "spin", "left_leg", "right_leg"],
        actions=["none", "left", "main", "right"],
        units={"angle": "rad"},
        quanta=dict.fromkeys(("x", "y", "vx", "vy", "angle", "spin", "left_leg", "right_leg"), 0.001),
    ),
}


def known_names(env: Any) -> Names:
    """Readable names for an environment that we know; its own (`env.unwrapped.ndnf_names`) where it has them."""
    inner = env.unwrapped
    own = getattr(inner, "ndnf_names", None)
    if own is not None:
        return dict(checked_names(own))
    namer = _KNOWN_NAMES.get(type(inner).__name__)
    if namer is None or not type(inner).__module__.startswith("gymnasium."):
        return {}
    return namer(env)
