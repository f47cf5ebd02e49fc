"""Gymnasium's environments as tasks."""

from __future__ import annotations

import copy
import json
import weakref
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _engine
from ._errors import bad_input
from ._spaces import Leaves, Names, leaves_of_spaces
from ._tasks import free_spec, register_source

if TYPE_CHECKING:
    from ._model import Model

#: Wrappers that change neither observations, rewards nor ends.
_HARMLESS = {"OrderEnforcing", "PassiveEnvChecker", "TimeLimit", "RecordEpisodeStatistics", "HumanRendering"}


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
    "CartPoleEnv": _fixed(obs=["position", "velocity", "angle", "spin"], actions=["left", "right"]),
    "MountainCarEnv": _fixed(obs=["position", "velocity"], actions=["left", "coast", "right"]),
    "AcrobotEnv": _fixed(
        obs=["cos_1", "sin_1", "cos_2", "sin_2", "spin_1", "spin_2"], actions=["left", "none", "right"]
    ),
    "LunarLander": _fixed(
        obs=["x", "y", "vx", "vy", "angle", "spin", "left_leg", "right_leg"],
        actions=["none", "left", "main", "right"],
    ),
}


def known_names(env: Any) -> Names:
    """Readable names for an environment that we know; its own (`env.unwrapped.ndnf_names`) where it has them."""
    inner = env.unwrapped
    own = getattr(inner, "ndnf_names", None)
    if own is not None:
        return dict(own)
    namer = _KNOWN_NAMES.get(type(inner).__name__)
    if namer is None or not type(inner).__module__.startswith("gymnasium."):
        return {}
    return namer(env)


def step_limit_of(env: Any) -> int | None:
    """After how many steps its episodes are truncated."""
    layer = env
    while layer is not None:
        limit = getattr(layer, "_max_episode_steps", None)
        if limit is not None:
            return int(limit)
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
        and changing_wrapper(env) is None
    )


class GymSource:
    """A Gymnasium environment as a task. With a table it is finite; otherwise its episodes are simulated."""

    def __init__(self, spec: str, make: Callable[[], Any] | None, envs: Any = None, names: Names | None = None):
        self.spec = spec
        self._make = make
        self._envs = envs
        self._names = names

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
            first = getattr(self._envs, "envs", [None])[0]
            names = self._names or ({} if first is None else known_names(first))
        else:
            env = self.example
            spaces = env.observation_space, env.action_space
            names = {**known_names(env), **(self._names or {})}
        return leaves_of_spaces(*spaces, names)

    @cached_property
    def model(self) -> Model | None:
        """Its finite model, if it shows its table."""
        if self._envs is not None or not has_table(self.example):
            return None
        from ._model import model_of_table

        return model_of_table(self.example, self.leaves, self.spec)

    def walkers(self, count: int, stream: int) -> Any:
        """`count` environments in lock-step. A vector environment that was given serves as it is."""
        from gymnasium.vector import AutoresetMode, SyncVectorEnv

        from ._stepping import Walkers, require_partial_resets

        if self._envs is None:
            assert self._make is not None
            envs = SyncVectorEnv([self._make] * count, copy=False, autoreset_mode=AutoresetMode.SAME_STEP)
            return Walkers(envs, self.leaves, stream, owned=True)
        if self._envs.num_envs == count:
            require_partial_resets(self._envs)
            return Walkers(self._envs, self.leaves, stream, owned=False)
        return Walkers(_resized(self.spec, self._envs, count), self.leaves, stream, owned=True)

    def task(self) -> _engine.Task:
        """The task for the engine."""
        if self.model is not None:
            return self.model.engine_task(self.spec)
        limit = None if self._envs is not None else step_limit_of(self.example)
        return _engine.foreign_task(self.spec, self.leaves.encoder, limit, self.walkers)


def _resized(spec: str, envs: Any, count: int) -> Any:
    """Another vector environment of this kind, with as many environments as asked for."""
    import gymnasium
    from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

    if isinstance(envs, (SyncVectorEnv, AsyncVectorEnv)):
        makers = [envs.env_fns[i % envs.num_envs] for i in range(count)]
        return SyncVectorEnv(makers, copy=False, autoreset_mode=AutoresetMode.SAME_STEP)
    if envs is envs.unwrapped and envs.spec is not None:
        return gymnasium.make_vec(envs.spec, num_envs=count)
    raise bad_input(
        spec,
        f"has {envs.num_envs} environments, and {count} are needed",
        "pass the id or a factory of single environments",
    )


def _settings_text(settings: Mapping[str, Any]) -> str | None:
    """Settings as in `gym:ID:key=value,…`; None if some cannot be written."""
    try:
        return ",".join(f"{key}={json.dumps(value)}" for key, value in sorted(settings.items()))
    except TypeError:
        return None


def _parse_settings(spec: str, text: str) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    decoder = json.JSONDecoder()
    while text:
        key, equals, rest = text.partition("=")
        if not equals or not key.isidentifier():
            raise bad_input(
                spec, f"{text} is not key=value", 'as in gym:FrozenLake-v1:map_name="8x8",is_slippery=false'
            )
        try:
            value, end = decoder.raw_decode(rest)
        except json.JSONDecodeError:
            end = (rest + ",").index(",")
            value = rest[:end]
        settings[key] = value
        text = rest[end:].removeprefix(",")
    return settings


_made: dict[str, GymSource] = {}


def source_from_id(spec: str) -> GymSource:
    """The source of `gym:ID` or `gym:ID:settings`."""
    if spec in _made:
        return _made[spec]
    gymnasium = import_gymnasium(spec)
    name, _, settings_text = spec.removeprefix("gym:").partition(":")
    if "/" not in name and ":" in settings_text and "=" not in settings_text.split(":")[0]:
        module_id, _, settings_text = settings_text.partition(":")
        name = f"{name}:{module_id}"  # gym:module:ID
    settings = _parse_settings(spec, settings_text)

    def make() -> Any:
        try:
            return gymnasium.make(name, **settings)
        except gymnasium.error.Error as error:
            raise bad_input(spec, str(error).split("\n")[0]) from None
        except TypeError as error:
            raise bad_input(spec, f"does not have these settings ({error})") from None

    source = GymSource(spec, make)
    _made[spec] = source
    return source


def import_gymnasium(spec: str) -> Any:
    """Gymnasium, or a sentence about how to get it."""
    try:
        import gymnasium
    except ImportError:
        raise bad_input(spec, "needs Gymnasium", 'install it with pip install "ndnf[gymnasium]"') from None
    return gymnasium


def _spec_of(env: Any) -> str | None:
    """`gym:ID:settings` if that makes an equal environment."""
    spec = getattr(env, "spec", None)
    if spec is None or spec.additional_wrappers or changing_wrapper(env):
        return None
    settings = {k: v for k, v in spec.kwargs.items() if k != "render_mode"}
    text = _settings_text(settings)
    if text is None:
        return None
    import gymnasium

    registered = gymnasium.registry.get(spec.id)
    if registered is None or registered.max_episode_steps != step_limit_of(env):
        return None
    differing = {k: v for k, v in settings.items() if registered.kwargs.get(k, not v) != v}
    text = _settings_text(differing)
    return f"gym:{spec.id}:{text}" if text else f"gym:{spec.id}"


#: The source of each environment that was used before.
_by_object: weakref.WeakKeyDictionary[Any, GymSource] = weakref.WeakKeyDictionary()


def source_from_object(env: Any, names: Names | None = None) -> Any:
    """The source of an environment, vector environment, factory or model."""
    from ._model import Model

    if isinstance(env, (Model, GymSource)):
        return env
    import_gymnasium(type(env).__name__)
    if names is None and env in _by_object:
        return _by_object[env]
    source = _new_source(env, names)
    register_source(source)
    _by_object[env] = source
    return source


def _new_source(env: Any, names: Names | None) -> GymSource:
    import gymnasium

    if isinstance(env, gymnasium.vector.VectorEnv):
        return GymSource(free_spec(f"python:{type(env.unwrapped).__name__}"), None, env, names)
    if isinstance(env, gymnasium.Env):
        spec = _spec_of(env) if names is None else None
        if spec is not None and known_names(env) == known_names(source_from_id(spec).example):
            return source_from_id(spec)
        return GymSource(free_spec(f"python:{type(env.unwrapped).__name__}"), _copier(env), None, names)
    if callable(env):
        word = getattr(env, "__name__", type(env).__name__)
        return GymSource(free_spec(f"python:{word.strip('<>')}"), env, None, names)
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
