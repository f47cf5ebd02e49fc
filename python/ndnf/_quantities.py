"""The grids on which rules see the numbers of an environment: quantum, range and unit of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _engine
from ._errors import bad_input

#: Keys of `names=` that say more about numbers, by their names.
OPTIONS = ("units", "ranges", "quanta")
#: Observations with more numbers than this are images: rules about single pixels help nobody.
_MOST_NUMBERS = 64
#: A range wider than this is no information; the spread is measured instead.
_WIDEST = 1e6
#: Random steps in which unbounded numbers are measured.
_STEPS = 2000


@dataclass
class Number:
    """A number of an observation: where it is, and what the space says about it."""

    leaf: int
    element: int
    name: str
    low: float
    high: float


Spread = Callable[[], list[tuple[Any, Any]] | None]


def round_quantum(low: float, high: float) -> float:
    """A power of ten that divides the range into 1,000 to 10,000 steps."""
    return float(f"1e{math.floor(math.log10((high - low) / 1000))}")


def quantities(numbers: list[Number], options: Mapping[str, Any], spread: Spread | None) -> list[_engine.Quantity]:
    """The numbers with their grids. `spread()` measures the least and largest values of each leaf, if needed; None if
    there is nothing to measure them in."""
    for key in OPTIONS:
        unknown = sorted(set(options.get(key, {})) - {number.name for number in numbers})
        if unknown:
            known = ", ".join(number.name for number in numbers)
            raise bad_input("names", f"{key} names {unknown[0]}, which is not a number here", f"there are {known}")
    measured: list[list[tuple[Any, Any]] | None] = []

    def range_of(number: Number) -> tuple[float, float] | None:
        given = options.get("ranges", {}).get(number.name)
        if given is not None:
            return float(given[0]), float(given[1])
        if number.high - number.low <= _WIDEST:
            return number.low, number.high
        if spread is None:
            return None
        if not measured:
            measured.append(spread())
        if measured[0] is None:
            return None
        least, most = measured[0][number.leaf]
        return _widened(float(least[number.element]), float(most[number.element]))

    found = []
    for number in numbers:
        unit = str(options.get("units", {}).get(number.name, ""))
        ends = range_of(number) if len(numbers) <= _MOST_NUMBERS and number.name.isidentifier() else None
        quantum = options.get("quanta", {}).get(number.name)
        if ends is None or not ends[0] < ends[1]:
            found.append(_engine.Quantity(number.name, unit, number.low, number.high))
        else:
            step = float(quantum) if quantum is not None else round_quantum(*ends)
            found.append(_engine.Quantity(number.name, unit, number.low, number.high, step, *ends))
    return found


def _widened(least: float, most: float) -> tuple[float, float] | None:
    """The measured range with as much again on both sides, in round numbers; None if it never changes."""
    if not least < most:
        return None
    step = round_quantum(least, most) * 100
    spread = most - least
    low, high = math.floor((least - spread) / step) * step, math.ceil((most + spread) / step) * step
    return round(low, 12), round(high, 12)


def measured_spread(make: Callable[[], Any], flatten: Callable[[Any], list[Any]], spec: str) -> list[tuple[Any, Any]]:
    """The least and largest values of each leaf in random steps, with a fixed seed."""
    env = make()
    env.action_space.seed(0)
    obs, _ = env.reset(seed=0)
    leaves = [np.ravel(np.asarray(leaf, dtype=np.float64)) for leaf in flatten(obs)]
    least, most = [leaf.copy() for leaf in leaves], [leaf.copy() for leaf in leaves]
    for _ in range(_STEPS):
        obs, _, terminated, truncated, _ = env.step(env.action_space.sample())
        for i, leaf in enumerate(flatten(obs)):
            flat = np.ravel(np.asarray(leaf, dtype=np.float64))
            if not np.all(np.isfinite(flat)):
                raise bad_input(spec, "its observations are NaN or infinite", "rules need finite numbers")
            np.minimum(least[i], flat, out=least[i])
            np.maximum(most[i], flat, out=most[i])
        if terminated or truncated:
            obs, _ = env.reset()
    return list(zip(least, most, strict=True))
