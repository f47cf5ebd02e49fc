"""The grids on which rules see the numbers of an environment: quantum, range and unit of each."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _engine
from ._errors import Error, bad_input

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


#: Ends of a grid are at most this many quanta from 0.
_FARTHEST = 2**30

Spread = Callable[[], list[tuple[Any, Any]] | None]


def round_quantum(low: float, high: float) -> float:
    """A power of ten that divides the range into 1,000 to 10,000 steps."""
    return float(f"1e{math.floor(math.log10((high - low) / 1000))}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and math.isfinite(value)


def _check_option(key: str, value: Any) -> None:
    """One of OPTIONS as somebody gave it."""
    if not isinstance(value, Mapping):
        raise bad_input("names", f"{key} is not a dict", f'such as {{"{key}": {{NAME: VALUE}}}}')
    for name, own in value.items():
        if key == "units" and not (isinstance(own, str) and own.isprintable()):
            raise bad_input("names", f"the unit of {name} is not a printable word", 'such as "m/s"')
        if key == "quanta" and not (_is_number(own) and own > 0):
            raise bad_input("names", f"the quantum of {name} is {own!r}", "it is a positive number, such as 0.001")
        if key == "ranges":
            pair = isinstance(own, (tuple, list)) and len(own) == 2 and all(_is_number(end) for end in own)
            if not (pair and own[0] < own[1]):
                raise bad_input("names", f"the range of {name} is {own!r}", "it is a pair of numbers, such as (-5, 5)")


def _quantity(number: Number, unit: str, ends: tuple[float, float] | None, quantum: float | None) -> _engine.Quantity:
    """With a grid, unless its range is unknown, or so far from 0 that nobody asked for a grid that fine."""
    if ends is None or not ends[0] < ends[1]:
        return _engine.Quantity(number.name, unit, number.low, number.high)
    step = round_quantum(*ends) if quantum is None else float(quantum)
    if quantum is None and max(abs(end) for end in ends) / step >= _FARTHEST:
        return _engine.Quantity(number.name, unit, number.low, number.high)
    try:
        return _engine.Quantity(number.name, unit, number.low, number.high, step, *ends)
    except Error as error:
        raise bad_input("names", f"{number.name}: {error.complaints[0].what}", error.complaints[0].hint) from None


def quantities(numbers: list[Number], options: Mapping[str, Any], spread: Spread | None) -> list[_engine.Quantity]:
    """The numbers with their grids. `spread()` measures the least and largest values of each leaf, if needed; None if
    there is nothing to measure them in."""
    for key in OPTIONS:
        _check_option(key, options.get(key, {}))
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
        ends = range_of(number) if len(numbers) <= _MOST_NUMBERS and number.name.isidentifier() else None
        unit, quantum = options.get("units", {}).get(number.name, ""), options.get("quanta", {}).get(number.name)
        found.append(_quantity(number, unit, ends, quantum))
    return found


def _widened(least: float, most: float) -> tuple[float, float]:
    """The measured range with as much again on both sides, in round numbers. A number that never changed gets a range
    around it: no rule needs it, but neither does it keep rules from being about the others."""
    spread = most - least if least < most else max(1.0, abs(most))
    step = round_quantum(0, spread) * 100
    low, high = math.floor((least - spread) / step) * step, math.ceil((most + spread) / step) * step
    return round(low, 12), round(high, 12)


def _finite(leaves: list[Any], spec: str) -> list[Any]:
    """The numbers of an observation, of each leaf one after the other."""
    flat = [np.ravel(np.asarray(leaf, dtype=np.float64)) for leaf in leaves]
    if not all(np.all(np.isfinite(leaf)) for leaf in flat):
        raise bad_input(spec, "its observations are NaN or infinite", "rules need finite numbers")
    return flat


def measured_spread(make: Callable[[], Any], flatten: Callable[[Any], list[Any]], spec: str) -> list[tuple[Any, Any]]:
    """The least and largest values of each leaf in random steps, with a fixed seed."""
    env = make()
    env.action_space.seed(0)
    obs, _ = env.reset(seed=0)
    least = _finite(flatten(obs), spec)
    most = [leaf.copy() for leaf in least]
    for _ in range(_STEPS):
        obs, _, terminated, truncated, _ = env.step(env.action_space.sample())
        for i, leaf in enumerate(_finite(flatten(obs), spec)):
            least[i] = np.minimum(least[i], leaf)
            most[i] = np.maximum(most[i], leaf)
        if terminated or truncated:
            obs, _ = env.reset()
    return list(zip(least, most, strict=True))
