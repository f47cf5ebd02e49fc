"""Observation and action spaces as atoms, numbers and named actions."""

from __future__ import annotations

import itertools
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _engine
from ._errors import bad_input
from ._quantities import OPTIONS, Number, quantities

#: Integer boxes with more values than this per element are numbers, not atoms.
_MOST_VALUES = 64
#: As many actions as the engine can tell apart.
_MOST_ACTIONS = 64
#: Longer integer boxes are images.
_MOST_ELEMENTS = 1024

#: Names for a part of an observation: a word (``hand`` gives hand(0), hand(1), …), one name for each value or element,
#: or several groups with one value per state (``{"row": [0, 0, 1, 1], "col": [0, 1, 0, 1]}``).
PartNames = str | Sequence[str] | Mapping[str, Sequence[int]]
Names = Mapping[str, PartNames]


def shortened(value: Any) -> str:
    """A value as text that fits into a sentence."""
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _word(text: str) -> str:
    """The text as a name that rules may use."""
    word = re.sub(r"\W+", "_", text.lower()).strip("_")
    return word if word and word[0].isalpha() else f"n{word}"


@dataclass
class Leaves:
    """How observations are given as arrays, and how actions are given back."""

    vocabulary: _engine.Vocabulary
    encoder: _engine.ObservationEncoder
    flatten: Callable[[Any], Sequence[Any]]
    shapes: Sequence[tuple[int, ...]]
    integer: Sequence[bool]  #: Whether the elements of each array are integers that stand for atoms.
    action_values: Sequence[Any] | None = None  #: None if an action is its number.

    @cached_property
    def action_count(self) -> int:
        """The number of actions."""
        return len(self.vocabulary.to_dict()["actions"])

    def rows(self, count: int) -> list[NDArray[Any]]:
        """Arrays for this many observations."""
        types = [np.int64 if whole else np.float32 for whole in self.integer]
        return [np.zeros((count, *shape), kind) for shape, kind in zip(self.shapes, types, strict=True)]

    @cached_property
    def put(self) -> Callable[[Sequence[Any], int, Any], None]:
        """Writes an observation into a row of such arrays; says what is wrong with it."""
        if len(self.shapes) == 1 and self.shapes[0] == () and self.integer[0]:
            return self._put_integer
        return self._put

    def _put_integer(self, rows: Sequence[Any], i: int, obs: Any) -> None:
        try:
            rows[0][i] = operator.index(obs)
        except TypeError:
            self._put(rows, i, obs)

    def _put(self, rows: Sequence[Any], i: int, obs: Any) -> None:
        try:
            leaves = self.flatten(obs)
        except (KeyError, IndexError, TypeError) as error:
            raise bad_input("env", f"returned the observation {shortened(obs)}, which does not have the form of its "
                            f"space ({error})") from None  # fmt: skip
        for row, leaf, shape, whole in zip(rows, leaves, self.shapes, self.integer, strict=True):
            array = np.asarray(leaf)
            if array.shape != shape or array.dtype.kind not in ("biu" if whole else "biuf"):
                kind = "integers" if whole else "numbers"
                raise bad_input(
                    "env", f"returned the observation {shortened(leaf)}", f"its space has {kind} of the shape {shape}"
                )
            row[i] = array

    def masks(self, given: Any, rows: int) -> NDArray[np.bool_] | None:
        """Masks of this many observations: one truth value for each action."""
        if given is None:
            return None
        masks = np.asarray(given)
        if (
            masks.size != rows * self.action_count
            or masks.shape[-1:] != (self.action_count,)
            or masks.dtype.kind not in "biuf"
        ):
            raise bad_input("action_masks", f"has the shape {masks.shape}",
                            f"it needs one number for each of {self.action_count} actions")  # fmt: skip
        return np.ascontiguousarray(masks != 0)

    def arrays(self, obs: Any) -> tuple[Sequence[NDArray[Any]], bool]:
        """The arrays of one observation or of several, and whether it is one."""
        try:
            arrays = [np.asarray(leaf) for leaf in self.flatten(obs)]
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise bad_input("obs", f"does not have the form of the observation space ({error})") from None
        if len(arrays) != len(self.shapes):
            raise bad_input("obs", f"has {len(arrays)} parts", f"the observation space has {len(self.shapes)}")
        single = arrays[0].ndim == len(self.shapes[0])
        for array, shape in zip(arrays, self.shapes, strict=True):
            if array.shape != shape if single else array.shape[1:] != shape:
                batch = "" if single else " after the number of rows"
                raise bad_input("obs", f"has the shape {array.shape}", f"it must be {shape}{batch}")
            if array.dtype == object:
                raise bad_input("obs", "has elements that are not numbers")
        return arrays, single

    def action(self, number: int) -> Any:
        """The environment's action with this number."""
        return number if self.action_values is None else self.action_values[number]

    def action_batch(self, numbers: NDArray[np.int64]) -> Any:
        """The environment's actions with these numbers."""
        return numbers if self.action_values is None else np.asarray(self.action_values)[numbers]


def leaves_of_task(task: _engine.Task) -> Leaves:
    """The form of observations of our own tasks: one number for each group of atoms, or the numbers observed; both
    as ``{"atoms": …, "numbers": …}`` where a task has both."""
    groups = task.vocabulary.to_dict()["groups"]
    parts = [
        _engine.IntegerPart(g["name"], 0, [k], list(range(len(g["atoms"]) if g["one_hot"] else 2)))
        for k, g in enumerate(groups)
    ]
    plans, shapes = [], []
    if parts:
        plans.append(_engine.LeafPlan("atoms", len(parts), parts))
        shapes.append(() if len(parts) == 1 and not task.dense_size else (len(parts),))
    if task.dense_size:
        plans.append(_engine.LeafPlan("numbers", task.dense_size, []))
        shapes.append((task.dense_size,))

    def flatten(obs: Any) -> Sequence[Any]:
        return (obs["atoms"], obs["numbers"]) if len(plans) > 1 else (obs,)

    integer = [True] * bool(parts) + [False] * bool(task.dense_size)
    return Leaves(task.vocabulary, _engine.ObservationEncoder(task.vocabulary, plans), flatten, shapes, integer)


def checked_names(names: Any) -> Names:
    """Names as somebody gave them."""
    if not isinstance(names, Mapping):
        raise bad_input("names", f"a {type(names).__name__} is not a dict", 'such as {"obs": ["height", "climb"]}')
    return names


class _SpaceReader:
    """Collects groups, quantities and arrays while it walks through an observation space."""

    def __init__(self, names: Names) -> None:
        self.names = dict(names)
        self.used: set[str] = {"actions", *OPTIONS}
        self.groups: list[_engine.AtomGroup] = []
        self.numbers: list[Number] = []
        self.plans: list[_engine.LeafPlan] = []
        self.shapes: list[tuple[int, ...]] = []
        self.integer: list[bool] = []

    def read(self, space: Any, path: str) -> Callable[[Any], list[Any]]:
        """Adds the parts of a space; returns the function that lists its arrays."""
        from gymnasium import spaces

        if isinstance(space, spaces.Dict):
            readers = [(key, self.read(part, f"{path}/{key}" if path else str(key))) for key, part in space.items()]
            return lambda obs: [leaf for key, read in readers for leaf in read(obs[key])]
        if isinstance(space, spaces.Tuple):
            parts = [self.read(part, f"{path}/{i}" if path else str(i)) for i, part in enumerate(space)]
            return lambda obs: [leaf for i, read in enumerate(parts) for leaf in read(obs[i])]
        self._add_leaf(space, path)
        return lambda obs: [obs]

    def _given(self, name: str) -> PartNames | None:
        given = self.names.get(name)
        words = [given] if isinstance(given, str) else given or ()
        if not isinstance(words, (Sequence, Mapping)) or not all(isinstance(word, (str, Mapping)) for word in words):
            raise bad_input("names", f"{name} is not a list of words", 'such as ["height", "climb"]')
        return given

    def _add_leaf(self, space: Any, path: str) -> None:
        from gymnasium import spaces

        name = path or "obs"
        self.used.add(name)
        given = self._given(name)
        if isinstance(space, spaces.Discrete):
            self._add_integers(name, (), [(int(space.start), int(space.n))], given)
        elif isinstance(space, spaces.MultiDiscrete):
            starts, counts = np.ravel(space.start), np.ravel(space.nvec)
            ranges = [(int(s), int(n)) for s, n in zip(starts, counts, strict=True)]
            self._add_integers(name, space.shape, ranges, given)
        elif isinstance(space, spaces.MultiBinary):
            self._add_integers(name, space.shape, [(0, 2)] * int(np.prod(space.shape)), given)
        elif isinstance(space, spaces.Box) and self._is_grid(space):
            lows, highs = np.ravel(space.low), np.ravel(space.high)
            ranges = [(int(lo), int(hi) - int(lo) + 1) for lo, hi in zip(lows, highs, strict=True)]
            self._add_integers(name, space.shape, ranges, given)
        elif isinstance(space, spaces.Box):
            self._add_numbers(name, space, given)
        else:
            raise bad_input(
                name,
                f"the space {type(space).__name__} is not supported",
                "Discrete, MultiDiscrete, MultiBinary and Box are, in Tuple and Dict",
            )

    @staticmethod
    def _is_grid(space: Any) -> bool:
        if not np.issubdtype(space.dtype, np.integer) or np.prod(space.shape) > _MOST_ELEMENTS:
            return False
        spread = space.high.astype(np.float64) - space.low.astype(np.float64)
        return bool(np.all(spread < _MOST_VALUES))

    def _add_integers(
        self, name: str, shape: tuple[int, ...], ranges: list[tuple[int, int]], given: PartNames | None
    ) -> None:
        parts = []
        for i, (low, count) in enumerate(ranges):
            label = name if len(ranges) == 1 else f"{name}_{i}"
            own = given
            if len(ranges) > 1 and given is not None:
                if isinstance(given, (str, Mapping)) or len(given) != len(ranges):
                    raise bad_input("names", f"{name} needs {len(ranges)} names, one for each element")
                own = given[i]
            parts.append(self._integer(label, low, count, own))
        self.plans.append(_engine.LeafPlan(name, len(ranges), parts))
        self.shapes.append(tuple(shape))
        self.integer.append(True)

    def _integer(self, label: str, low: int, count: int, given: PartNames | None) -> _engine.IntegerPart:
        if isinstance(given, Mapping):
            return self._decoded(label, low, count, given)
        first = len(self.groups)
        if given is None or isinstance(given, str):
            word = _word(label) if given is None else given
            if count == 2 and low == 0:
                self.groups.append(_engine.AtomGroup(word, False, [word]))
            else:
                atoms = [f"{word}({low + k})" for k in range(count)]
                self.groups.append(_engine.AtomGroup(word, True, atoms))
        else:
            if len(given) != count:
                raise bad_input("names", f"{label} has {count} values and {len(given)} names")
            self.groups.append(_engine.AtomGroup(_word(label), True, list(given)))
        return _engine.IntegerPart(label, low, [first], list(range(count)))

    def _decoded(self, label: str, low: int, count: int, given: Mapping[str, Sequence[int]]) -> _engine.IntegerPart:
        first = len(self.groups)
        for word, column in given.items():
            if len(column) != count or min(column) < 0:
                raise bad_input("names", f"{word} needs one value from 0 for each of the {count} values of {label}")
            if max(column) <= 1:
                self.groups.append(_engine.AtomGroup(word, False, [word]))
            else:
                atoms = [f"{word}({k})" for k in range(max(column) + 1)]
                self.groups.append(_engine.AtomGroup(word, True, atoms))
        values = [int(column[k]) for k in range(count) for column in given.values()]
        return _engine.IntegerPart(label, low, list(range(first, first + len(given))), values)

    def _add_numbers(self, name: str, space: Any, given: PartNames | None) -> None:
        size = int(np.prod(space.shape))
        if isinstance(given, Mapping) or (given is not None and not isinstance(given, str) and len(given) != size):
            raise bad_input("names", f"{name} needs {size} names, one for each number")
        if given is None or isinstance(given, str):
            word = given or _word(name)
            labels = [word] if size == 1 else [f"{word}_{i}" for i in range(size)]
        else:
            labels = list(given)
        lows, highs = np.ravel(space.low), np.ravel(space.high)
        for i, (label, low, high) in enumerate(zip(labels, lows, highs, strict=True)):
            bounded = float(low) < float(high)
            ends = (float(low), float(high)) if bounded else (-np.inf, np.inf)
            self.numbers.append(Number(len(self.shapes), i, label, *ends))
        self.plans.append(_engine.LeafPlan(name, size, []))
        self.shapes.append(tuple(space.shape))
        self.integer.append(False)


def _actions(space: Any, given: PartNames | None) -> tuple[list[str], list[Any] | None]:
    """The names of the actions and, unless an action is its number, the environment's values for them."""
    from gymnasium import spaces

    values: list[Any] | None
    if isinstance(space, spaces.Discrete):
        count = int(space.n)
        values = None if space.start == 0 else [int(space.start) + k for k in range(count)]
        names = [f"a_{k}" for k in range(count)]
    else:
        if isinstance(space, spaces.MultiDiscrete):
            starts, counts = np.ravel(space.start), np.ravel(space.nvec)
        elif isinstance(space, spaces.MultiBinary):
            counts = np.full(int(np.prod(space.shape)), 2)
            starts = np.zeros_like(counts)
        elif isinstance(space, spaces.Box) and np.issubdtype(space.dtype, np.integer):
            starts, counts = np.ravel(space.low), np.ravel(space.high).astype(np.int64) - np.ravel(space.low) + 1
        else:
            raise bad_input(
                "env",
                f"the action space {space} cannot be enumerated",
                "wrap the environment so that it has at most 64 discrete actions",
            )
        if np.prod(counts.astype(np.float64)) > _MOST_ACTIONS:
            raise bad_input("env", f"the action space {space} has more than {_MOST_ACTIONS} actions")
        ranges = [range(int(s), int(s) + int(n)) for s, n in zip(starts, counts, strict=True)]
        chosen = list(itertools.product(*ranges))
        values = [np.array(choice, dtype=space.dtype).reshape(space.shape) for choice in chosen]
        names = ["a_" + "_".join(str(k).replace("-", "m") for k in choice) for choice in chosen]
    if len(names) > _MOST_ACTIONS:
        raise bad_input("env", f"the action space {space} has more than {_MOST_ACTIONS} actions")
    if given is not None:
        if isinstance(given, (str, Mapping)) or len(given) != len(names):
            raise bad_input("names", f"actions needs {len(names)} names")
        names = list(given)
    return names, values


def leaves_of_spaces(
    observation_space: Any, action_space: Any, names: Names, measure: Callable[[Any], Any] | None = None
) -> Leaves:
    """How the observations and actions of these spaces are named and given. `measure(flatten)` gives the least and
    largest values of each array, for numbers without bounds."""
    reader = _SpaceReader(names)
    flatten = reader.read(observation_space, "")
    actions, values = _actions(action_space, names.get("actions"))
    unknown = sorted(set(names) - reader.used)
    if unknown:
        parts = ", ".join(sorted(reader.used))
        raise bad_input("names", f"there is no part {unknown[0]} in the observations", f"the parts are {parts}")
    spread = None if measure is None else lambda: measure(flatten)
    vocabulary = _engine.Vocabulary(reader.groups, actions, quantities(reader.numbers, names, spread))
    encoder = _engine.ObservationEncoder(vocabulary, reader.plans)
    return Leaves(vocabulary, encoder, flatten, reader.shapes, reader.integer, values)
