"""Gymnasium's environments as tasks."""

from __future__ import annotations

import copy
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _engine
from ._errors import bad_input, whole
from ._identifiers import identifier, import_gymnasium, maker
from ._known import known_names
from ._quantities import measured_spread
from ._spaces import Leaves, Names, checked_names, leaves_of_spaces
from ._tasks import name_of_object, register_source, say

if TYPE_CHECKING:
    from ._model import Model

#: Of the recipes.
_STEPS_PER_ITERATION = 4096
#: As many as an evaluation plays in at a time.
_MOST_IDLE = 256
#: Wrappers that change neither observations, rewards nor ends.
_HARMLESS = {"OrderEnforcing", "PassiveEnvChecker", "TimeLimit", "RecordEpisodeStatistics", "HumanRendering", "Monitor"}


def step_limit_of(env: Any) -> int | None:
    """After how many steps its episodes are truncated."""
    layer = env
    while layer is not None:
        limit: int | None = getattr(layer, "_max_episode_steps", None)
        if limit is not None:
            return whole("max_episode_steps", limit, 1)
        layer = getattr(layer, "env", None)
    return None


def changing_wrapper(env: Any) -> str | None:
    """The name of a wrapper that may change observations, rewards or ends."""
    layer = env
    while layer is not layer.unwrapped:
        if type(layer).__name__ not in _HARMLESS:
            return type(layer).__name__
        layer = layer.env
    return None


def has_table(env: Any) -> bool:
    """Whether it shows its table of transitions, and nothing stands between it and us."""
    inner = env.unwrapped
    return (
        isinstance(getattr(inner, "P", None), (Mapping, list))
        and getattr(inner, "initial_state_distrib", None) is not None
        and not getattr(inner, "fickle_passenger", False)  # Taxi's table does not know of it
        and changing_wrapper(env) is None
        and (callable(getattr(inner, "action_mask", None)) or "action_mask" not in env.reset(seed=0)[1])
    )


def _close(envs: Iterable[Any]) -> None:
    for env in envs:
        env.close()


def _let_go(envs: Iterable[Any]) -> None:
    """Closes those that nobody needs any more; nobody is there to be told of a mistake either."""
    for env in envs:
        with suppress(Exception):
            env.close()


def known_task(env: Any) -> str | None:
    """The task of ours that is this environment of Gymnasium, which shows no table: Blackjack."""
    inner = env.unwrapped
    if type(inner).__name__ != "BlackjackEnv" or not type(inner).__module__.startswith("gymnasium."):
        return None
    if changing_wrapper(env) is not None or step_limit_of(env) is not None:
        return None
    return f"blackjack:sab={str(bool(inner.sab)).lower()},natural={str(bool(inner.natural)).lower()}"


class GymSource:
    """A Gymnasium environment as a task. If it shows its table, or is a task that we know exactly, it is finite;
    otherwise its episodes are simulated."""

    def __init__(self, spec: str, make: Callable[[], Any] | None, envs: Any = None, names: Names | None = None):
        self.spec = spec
        self._make = make
        self._envs = envs
        self._names = None if names is None else checked_names(names)
        self._idle: deque[Any] = deque()
        self._taking = threading.Lock()
        weakref.finalize(self, _let_go, self._idle).atexit = False

    @cached_property
    def example(self) -> Any:
        """An environment to look at."""
        if self._make is None:
            raise bad_input(self.spec, "is a vector environment")
        return self._make()

    @cached_property
    def leaves(self) -> Leaves:
        """How its observations and actions are given."""
        if self._envs is not None:
            spaces = self._envs.single_observation_space, self._envs.single_action_space
            names = self._names or self._of_first(known_names, {})
        else:
            env = self.example
            spaces = env.observation_space, env.action_space
            names = {**known_names(env), **(self._names or {})}
        return leaves_of_spaces(*spaces, names, self._measure)

    def _of_first(self, read: Callable[[Any], Any], unknown: Any) -> Any:
        """Of the first of the vector environment's; if that is in another process, of one that is made anew."""
        if hasattr(self._envs, "envs"):
            return read(self._envs.envs[0])
        if not hasattr(self._envs, "env_fns"):
            return unknown
        first = self._envs.env_fns[0]()
        try:
            return read(first)
        finally:
            first.close()

    def _measure(self, flatten: Callable[[Any], list[Any]]) -> Any:
        """The spread of the numbers in random steps of one environment."""
        first = self._make or (getattr(self._envs, "env_fns", None) or [None])[0]
        return None if first is None else measured_spread(first, flatten, self.spec)

    @cached_property
    def model(self) -> Model | None:
        """Its finite model, if it shows its table or we know it."""
        from ._model import model_of_table, model_of_task

        if self._envs is not None:
            return None
        if has_table(self.example) and self._is_the_same_again():
            return model_of_table(self.example, self.leaves, self.spec)
        known = known_task(self.example)
        return None if known is None else model_of_task(known, self.leaves, self.spec)

    def _is_the_same_again(self) -> bool:
        """Whether another one that is made has the same table: some draw a map of their own."""
        assert self._make is not None
        other = self._make()
        try:
            mine, its = self.example.unwrapped, other.unwrapped
            return bool(mine.P == its.P) and np.array_equal(mine.initial_state_distrib, its.initial_state_distrib)
        finally:
            other.close()

    def walkers(self, count: int, stream: int) -> Any:
        """`count` environments in lock-step; a vector environment that was given is taken as it is."""
        from ._stepping import SingleWalkers, VectorWalkers

        if self._envs is None:
            return SingleWalkers(self._take(count), self.leaves, stream, self._give_back)
        if self._envs.num_envs != count:
            raise bad_input(
                self.spec,
                f"has {self._envs.num_envs} environments, and {count} are needed",
                "leave out ppo.num_envs, or pass the id or a factory of single environments",
            )
        return VectorWalkers(self._envs, self.leaves, stream)

    def _take(self, count: int) -> list[Any]:
        """Environments to play in: those that are idle, and new ones."""
        assert self._make is not None
        with self._taking:
            taken = [self._idle.popleft() for _ in range(min(count, len(self._idle)))]
        return taken + [self._make() for _ in range(count - len(taken))]

    def _give_back(self, envs: Sequence[Any]) -> None:
        """Making an environment can take longer than an episode, so some are kept for the next evaluation."""
        with self._taking:
            self._idle.extend(envs)
            left_over = [self._idle.popleft() for _ in range(len(self._idle) - _MOST_IDLE)]
        _close(left_over)

    def task(self) -> _engine.Task:
        """The task for the engine."""
        if self.model is not None:
            return self.model.engine_task(self.spec)
        limit = step_limit_of(self.example) if self._envs is None else self._of_first(step_limit_of, None)
        only = None if self._envs is None else int(self._envs.num_envs)
        return _engine.foreign_task(
            self.spec, self.leaves.encoder, limit, self.walkers, only, self._why_without_model()
        )

    def _why_without_model(self) -> str:
        if self._envs is not None:
            return "vector environments show no table of transitions"
        wrapper = changing_wrapper(self.example)
        if wrapper is not None and getattr(self.example.unwrapped, "P", None):
            return f"the wrapper {wrapper} may change what its table of transitions says"
        if has_table(self.example):
            return "each environment that is made has another table of transitions"
        return "it shows no table of transitions (if its states are few, ndnf.explore(env) makes one)"

    @property
    def settings(self) -> list[str]:
        """A vector environment says how many are stepped at once; an iteration has about as many steps as ever."""
        if self._envs is None:
            return []
        count = int(self._envs.num_envs)
        return [f"ppo.num_envs={count}", f"ppo.num_steps={max(1, _STEPS_PER_ITERATION // count)}"]


_made: dict[str, GymSource] = {}


def source_from_id(spec: str) -> GymSource:
    """The source of `gym:ID` or `gym:ID:settings`."""
    if spec not in _made:
        _made[spec] = GymSource(spec, maker(spec))
    return _made[spec]


def _spec_of(env: Any) -> str | None:
    """`gym:ID:settings` if that makes an equal environment."""
    spec = getattr(env, "spec", None)
    if spec is None or spec.additional_wrappers or changing_wrapper(env):
        return None
    import gymnasium

    registered = gymnasium.registry.get(spec.id)
    if registered is None or registered.max_episode_steps != step_limit_of(env):
        return None
    settings = {k: v for k, v in spec.kwargs.items() if k != "render_mode" and registered.kwargs.get(k, not v) != v}
    return identifier(spec.id, settings)


#: The last source of each environment that was used before, and the names that were given for it.
_by_object: weakref.WeakKeyDictionary[Any, tuple[weakref.ref[GymSource], Names | None]] = weakref.WeakKeyDictionary()


def source_from_object(env: Any, names: Names | None = None) -> Any:
    """The source of an environment, vector environment, factory or model."""
    from ._model import Model

    if isinstance(env, (Model, GymSource)):
        return env
    import_gymnasium(type(env).__name__)
    if names is None and env in _by_object:
        last, names = _by_object[env]
        source = last()
        if source is not None:
            register_source(source)
            return source
    source = _new_source(env, names)
    register_source(source)
    _by_object[env] = weakref.ref(source), names  # a source holds its environment, which would otherwise never end
    return source


def _new_source(env: Any, names: Names | None) -> GymSource:
    import gymnasium

    if isinstance(env, gymnasium.vector.VectorEnv):
        return GymSource(name_of_object(env, f"python:{type(env.unwrapped).__name__}"), None, env, names)
    if isinstance(env, gymnasium.Env):
        spec = _spec_of(env) if names is None else None
        if spec is not None:
            say(spec)
        if spec is not None and known_names(env) == known_names(source_from_id(spec).example):
            return source_from_id(spec)
        return GymSource(name_of_object(env, f"python:{type(env.unwrapped).__name__}"), _copier(env), None, names)
    if callable(env):
        word = getattr(env, "__name__", type(env).__name__)
        return GymSource(name_of_object(env, f"python:{word.strip('<>')}"), env, None, names)
    raise bad_input(
        "task",
        f"a {type(env).__name__} is not a task",
        "it is a name, a file, an ndnf.Model, or an environment, vector environment or factory of Gymnasium",
    )


def _copier(env: Any) -> Callable[[], Any]:
    """A factory of environments like this one: made anew if it has a spec, otherwise copied."""
    import gymnasium

    def make() -> Any:
        spec = getattr(env, "spec", None)
        if spec is not None:
            plain = copy.deepcopy(spec)
            plain.kwargs.pop("render_mode", None)
            try:
                return gymnasium.make(plain)
            except (gymnasium.error.Error, ValueError):
                pass
        return copy.deepcopy(env)

    return make


def describe_source(source: Any) -> dict[str, Any]:
    """The vocabulary of a source."""
    names: dict[str, Any] = source.leaves.vocabulary.to_dict()
    return names


def observation_key(leaves: Leaves, obs: Any) -> bytes:
    """An observation as bytes, to compare it with others."""
    return b"|".join(np.ascontiguousarray(leaf).tobytes() for leaf in leaves.flatten(obs))
