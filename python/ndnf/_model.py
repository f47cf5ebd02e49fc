"""Finite models of environments: what everything exact needs."""

from __future__ import annotations

import copy
import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _engine
from ._errors import bad_input
from ._results import Description
from ._tasks import TaskLike, env_input, free_spec, register_source, source_of

if TYPE_CHECKING:
    from ._spaces import Leaves, Names

Transition = tuple[int, int, float, int, float, bool]

__all__ = ["Model", "explore", "finite_model"]


class Model:
    """A finite model of a task, as a value: its states, outcomes, starts and names.

    It can be used wherever a task is asked for, and saved as the file that the command line reads.
    """

    def __init__(self, name: str, text: str, *, exact: bool, leaves: Leaves | None = None) -> None:
        self.name = name
        self.text = text  #: Its model file.
        self.exact = exact  #: False if its probabilities were estimated.
        self._leaves = leaves
        self.spec = free_spec(f"python:{name}")
        register_source(self)
        self._task = _engine.open_task(_engine.Input(self.spec, text.encode()))

    @property
    def leaves(self) -> Leaves:
        """How its observations are given."""
        if self._leaves is None:
            from ._spaces import leaves_of_task

            self._leaves = leaves_of_task(self._task)
        return self._leaves

    @property
    def settings(self) -> list[str]:
        """Settings of a training that it asks for: none."""
        return []

    def task(self) -> _engine.Task:
        """The task for the engine."""
        return self._task

    def engine_task(self, spec: str) -> _engine.Task:
        """The same task under another name."""
        return _engine.open_task(_engine.Input(spec, self.text.encode()))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the model file (docs/model-file.md), for ``ndnf train FILE.json`` and all other commands."""
        target = Path(path)
        if target.suffix != ".json":
            raise bad_input(str(target), "a model is saved as a .json file")
        _engine.write_file(str(target), self.text.encode())
        return target

    def describe(self) -> Description:
        """Its atoms, actions, sizes and optimum."""
        from ._catalogue import describe

        return describe(self)

    def __repr__(self) -> str:
        kind = "exact" if self.exact else "estimated"
        sizes = self._task.vocabulary.to_dict()
        return f"Model({self.name}, {kind}, {len(sizes['groups'])} groups of atoms, {len(sizes['actions'])} actions)"


def _merged(outcomes: Iterable[tuple[float, int, float, bool]]) -> list[tuple[float, int, float, bool]]:
    """Equal outcomes as one; impossible ones left out."""
    total: dict[tuple[int, float, bool], float] = defaultdict(float)
    for p, following, reward, terminal in outcomes:
        total[int(following), float(reward), bool(terminal)] += float(p)
    return [(p, following, reward, terminal) for (following, reward, terminal), p in total.items() if p > 0]


def _without_end_states(transitions: list[Transition], starts: Iterable[int]) -> list[Transition]:
    """Gymnasium's tables let end states loop; they are left without transitions here."""
    entered = {following for _, _, _, following, _, terminal in transitions if terminal}
    lived_in = {following for s, _, _, following, _, terminal in transitions if not terminal and following != s}
    lived_in |= set(starts)
    ends = entered - lived_in
    return [t for t in transitions if t[0] not in ends]


def _values_of_states(leaves: Leaves, states: int) -> list[list[int]]:
    """The values of the groups in each state of a table whose observations are its states."""
    import numpy as np

    rows = leaves.encoder.values([np.arange(states)])
    return [[int(v) for v in row] for row in rows]


def model_of_table(env: Any, leaves: Leaves, name: str) -> Model:
    """The model of an environment that shows its table `P`."""
    import numpy as np

    from ._gymnasium import step_limit_of

    inner = env.unwrapped
    table = inner.P.items() if hasattr(inner.P, "items") else enumerate(inner.P)
    masked = callable(getattr(inner, "action_mask", None))
    transitions: list[Transition] = []
    for state, actions in table:
        rows = actions.items() if hasattr(actions, "items") else enumerate(actions)
        mask = inner.action_mask(int(state)) if masked else None
        for action, outcomes in rows:
            if mask is not None and not mask[int(action)]:
                continue
            transitions += [
                (int(state), int(action), p, following, reward, terminal)
                for p, following, reward, terminal in _merged(outcomes)
            ]
    starts = [(int(s), float(p)) for s, p in enumerate(np.ravel(inner.initial_state_distrib)) if p > 0]
    transitions = _without_end_states(transitions, [s for s, _ in starts])
    states = int(env.observation_space.n)
    text = _engine.model_from_table(
        name, leaves.vocabulary, _values_of_states(leaves, states), transitions, starts, step_limit_of(env)
    )
    return Model(re.sub(r"^gym:", "", name), _with_places(text, env), exact=True, leaves=leaves)


def _with_places(text: str, env: Any) -> str:
    """A model file with the layout and the labels of Gymnasium's own tables, for pictures and properties."""
    from ._known import layout_of

    more = layout_of(env)
    return json.dumps({**json.loads(text), **more}) if more else text


def model_of_task(task: str, leaves: Leaves, name: str) -> Model | None:
    """The model of a task of ours, for observations that are given in another form; None if their names differ."""
    known = _engine.open_task(_engine.Input(task))
    if known.vocabulary.fingerprint != leaves.vocabulary.fingerprint:
        return None
    return Model(re.sub(r"^gym:", "", name), known.model_text(), exact=True, leaves=leaves)


def finite_model(env: TaskLike, *, names: Names | None = None) -> Model:
    """The finite model of an environment that shows its table of transitions (`env.unwrapped.P`), such as
    FrozenLake, CliffWalking and Taxi, of Blackjack (which we know exactly), or of one of our own finite tasks.

    >>> import gymnasium, ndnf
    >>> model = ndnf.finite_model(gymnasium.make("FrozenLake-v1"))
    >>> round(ndnf.optimum(model).bound, 4)
    0.7442
    """
    from ._gymnasium import changing_wrapper, source_from_object

    if isinstance(env, Model):
        return env
    source: Any = source_from_object(env, names) if not isinstance(env, (str, os.PathLike)) else source_of(env)
    if source is None:
        given = env_input(env)
        assert given is not None
        task = _engine.open_task(given)
        return Model(task.spec, task.model_text(), exact=True)
    model: Model | None = source.model if hasattr(source, "model") else source
    if model is not None:
        return model
    wrapper = changing_wrapper(source.example)
    if wrapper:
        raise bad_input(source.spec, f"the wrapper {wrapper} may change what its table says", "pass env.unwrapped")
    raise bad_input(source.spec, "shows no table P with its starts", "ndnf.explore(env) makes a model by trying")


class _Explorer:
    """Visits every state from the starts, trying every action in a copy of the environment."""

    def __init__(self, env: Any, leaves: Leaves, samples: int, state: Callable[[Any], Hashable] | None) -> None:
        from ._gymnasium import observation_key

        self._env = env
        self._leaves = leaves
        self._samples = samples
        self._state = state or (lambda copied: observation_key(leaves, copied.ndnf_obs))
        self.ids: dict[Hashable, int] = {}
        self.observations: list[list[int]] = []
        self.open: list[tuple[int, Any, list[int]]] = []  # with the actions that are offered
        self.random = False

    def generator_state(self, env: Any) -> str:
        return repr(env.unwrapped.np_random.bit_generator.state)

    def add(self, env: Any, obs: Any, info: dict[str, Any], ended: bool) -> int:
        """The number of the state that a copy is in; a new one is to be explored."""
        import numpy as np

        env.ndnf_obs = obs
        key = self._state(env)
        if key not in self.ids:
            self.ids[key] = len(self.ids)
            values = self._leaves.encoder.values(self._leaves.arrays(obs)[0])[0]
            self.observations.append([int(v) for v in values])
            if not ended:
                mask = self._leaves.masks(info.get("action_mask"), 1)
                offered = range(self._leaves.action_count) if mask is None else np.flatnonzero(mask)
                self.open.append((self.ids[key], env, [int(a) for a in offered]))
        return self.ids[key]

    def outcomes(self, env: Any, action: Any) -> Counter[tuple[int, float, bool]]:
        """How often trying an action led where."""
        from numpy.random import default_rng

        found: Counter[tuple[int, float, bool]] = Counter()
        while sum(found.values()) < self._samples:
            tried = copy.deepcopy(env)
            if sum(found.values()) > 0:
                tried.unwrapped.np_random = default_rng([sum(found.values()), len(self.ids)])
            before = self.generator_state(tried)
            obs, reward, terminated, _, info = tried.step(action)
            found[self.add(tried, obs, info, terminated), float(reward), bool(terminated)] += 1
            if self.generator_state(tried) == before:
                break  # no random number was drawn, so it is always so
            self.random = True
        return found


def explore(
    env: Any,
    *,
    max_states: int = 10_000,
    samples: int = 100,
    resets: int = 1000,
    state: Callable[[Any], Hashable] | None = None,
    names: Names | None = None,
) -> Model:
    """A finite model of a small environment, found by trying every action in every state in copies of it.

    States are told apart by what they show, or by `state`, a function of the environment. Where a step or a reset
    draws random numbers, probabilities are estimated from `samples` tries and `resets` starts, and the model says so:
    ``model.exact`` is then False.
    """
    from ._gymnasium import source_from_object, step_limit_of

    source = source_from_object(env, names)
    leaves: Leaves = source.leaves
    inner = copy.deepcopy(source.example).unwrapped
    explorer = _Explorer(inner, leaves, samples, state)
    starts: Counter[int] = Counter()
    for seed in range(resets):
        begun = copy.deepcopy(inner)
        begun.reset(seed=seed)
        before = explorer.generator_state(begun)
        obs, info = begun.reset()
        starts[explorer.add(begun, obs, info, False)] += 1
        if explorer.generator_state(begun) == before:
            break
    transitions: list[Transition] = []
    while explorer.open:
        here, environment, offered = explorer.open.pop()
        for number in offered:
            found = explorer.outcomes(environment, leaves.action(number))
            total = sum(found.values())
            transitions += [
                (here, number, count / total, following, reward, terminal)
                for (following, reward, terminal), count in found.items()
            ]
        if len(explorer.ids) > max_states:
            raise bad_input(
                "max_states", f"there are more than {max_states} states", "raise it, or train without a model"
            )
    begun_in = [(s, count / sum(starts.values())) for s, count in starts.items()]
    transitions = _without_end_states(transitions, starts)
    text = _engine.model_from_table(
        source.spec, leaves.vocabulary, explorer.observations, transitions, begun_in, step_limit_of(source.example)
    )
    exact = not explorer.random and len(starts) == 1
    return Model(re.sub(r"^(gym|python):", "", source.spec), text, exact=exact, leaves=leaves)
