"""Teachers for distillation: whatever chooses actions, asked or read once and turned into rows of probabilities."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import _engine
from ._errors import bad_input
from ._policy import Policy, policy_input
from ._tasks import TaskLike, env_input, source_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ._spaces import Leaves

__all__ = ["Teacher", "tabulate"]

#: Sums of probabilities may differ from 1 by this much, as those of float32 do; they are then scaled.
_TOLERANCE = 1e-4
_KINDS = ("probabilities", "logits", "values", "actions")
_ALLOWED = (
    "it is a policy of ours, a model of Stable-Baselines3, a torch module, a function of a batch of observations, "
    "a table (an array or a dict), or a pair of arrays: observations and rows"
)


@dataclass(frozen=True)
class Teacher:
    """A teacher with what its answers mean. Without one, `teacher=` of :func:`ndnf.train` reads integers in one
    dimension as actions and everything else as probabilities.

    `gives` is ``"probabilities"``, ``"logits"`` (their softmax is imitated), ``"values"`` (such as a table of Q-values:
    the first best action is imitated) or ``"actions"``. With `deterministic`, the most probable action is imitated.

    >>> import numpy as np, ndnf
    >>> q = np.array([[0.0, 1.0], [5.0, 1.0], [0.0, 2.0], [0.0, 0.0]])  # a row for each of the four squares
    >>> table = ndnf.tabulate(ndnf.Teacher(q, gives="values"), env="small-corridor")
    >>> ndnf.extract(table, as_="asp").policy.rules()
    ['action(left) :- in_s_1.', 'action(right) :- not in_s_1.']
    """

    source: Any
    gives: str | None = None
    deterministic: bool = False

    def __post_init__(self) -> None:
        if self.gives is not None and self.gives not in _KINDS:
            raise bad_input("gives", f"there is no {self.gives}", f"it is one of {', '.join(_KINDS)}")


def _numbers(answer: Any) -> NDArray[Any]:
    """An answer as an array; a tensor of torch is taken off its graph and device."""
    import numpy as np

    if hasattr(answer, "detach"):
        answer = answer.detach().cpu().numpy()
    return np.asarray(answer)


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    import numpy as np

    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def _one_hot(actions: NDArray[Any], count: int) -> NDArray[np.float64]:
    import numpy as np

    rows: NDArray[np.float64] = np.eye(count)[actions]
    return rows


class _Answers:
    """What the answers of a teacher mean: rows of probabilities, checked."""

    def __init__(self, gives: str | None, deterministic: bool, leaves: Leaves) -> None:
        self._gives = gives
        self._deterministic = deterministic
        self._leaves = leaves
        self._actions = len(leaves.vocabulary.to_dict()["actions"])

    def rows(self, answer: Any, count: int) -> NDArray[np.float64]:
        import numpy as np

        given = _numbers(answer)
        if given.dtype == object:
            raise bad_input("teacher", "its answer has elements that are not numbers")
        integers = np.issubdtype(given.dtype, np.integer)
        kind = self._gives or ("actions" if integers and given.shape != (count, self._actions) else "probabilities")
        if kind == "actions":
            return self._of_actions(given, count)
        if given.shape != (count, self._actions):
            raise bad_input(
                "teacher",
                f"its answer has the shape {given.shape}",
                f"it must be ({count}, {self._actions}): observations, actions",
            )
        rows = given.astype(np.float64)
        self._require_finite(rows)
        if kind == "logits":
            rows = _softmax(rows)
        elif kind == "values":
            rows = _one_hot(rows.argmax(axis=1), self._actions)
        else:
            rows = self._distributions(rows)
        return _one_hot(rows.argmax(axis=1), self._actions) if self._deterministic else rows

    @staticmethod
    def _require_finite(rows: NDArray[np.float64]) -> None:
        import numpy as np

        bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
        if len(bad):
            raise bad_input("teacher", f"row {bad[0]} of its answer has a number that is NaN or infinite")

    @staticmethod
    def _distributions(rows: NDArray[np.float64]) -> NDArray[np.float64]:
        import numpy as np

        sums = rows.sum(axis=1)
        wrong = np.flatnonzero((np.abs(sums - 1) > _TOLERANCE) | (rows < 0).any(axis=1))
        if len(wrong):
            row = wrong[0]
            what = "has a negative number" if (rows[row] < 0).any() else f"sums to {sums[row]:.6g}"
            raise bad_input(
                "teacher",
                f"row {row} of its answer {what}",
                'probabilities sum to 1; for other numbers say ndnf.Teacher(…, gives="logits"), "values" or "actions"',
            )
        return np.asarray(rows / sums[:, None])

    def _of_actions(self, given: NDArray[Any], count: int) -> NDArray[np.float64]:
        import numpy as np

        values = self._leaves.action_values
        if values is None:
            numbers = given.reshape(count, -1)[:, 0] if given.size == count else given
        else:
            known = {np.asarray(value).tobytes(): k for k, value in enumerate(values)}
            like = np.asarray(values[0])
            numbers = np.array([known.get(one.astype(like.dtype).tobytes(), -1) for one in given])
        if numbers.shape != (count,):
            raise bad_input("teacher", f"its answer has the shape {given.shape}", f"{count} actions are needed")
        if ((numbers < 0) | (numbers >= self._actions) | (numbers != np.floor(numbers))).any():
            raise bad_input("teacher", "names an action that does not exist", f"there are {self._actions}")
        return _one_hot(numbers.astype(np.int64), self._actions)


def _nested(space: Any, arrays: Iterator[NDArray[Any]]) -> Any:
    """A batch of observations in the form of a Gymnasium space, from its arrays in order."""
    from gymnasium import spaces

    if isinstance(space, spaces.Dict):
        return {key: _nested(part, arrays) for key, part in space.items()}
    if isinstance(space, spaces.Tuple):
        return tuple(_nested(part, arrays) for part in space)
    array = next(arrays)
    return array.reshape(len(array), *space.shape).astype(space.dtype)


def _observations(source: Any, leaves: Leaves, arrays: Sequence[NDArray[Any]]) -> Any:
    """A batch of observations as the environment would give them."""
    space = None
    if hasattr(source, "example"):
        envs = source._envs
        space = source.example.observation_space if envs is None else envs.single_observation_space
    if space is not None:
        return _nested(space, iter(arrays))
    shaped = [array.reshape(len(array), *shape) for array, shape in zip(arrays, leaves.shapes, strict=True)]
    return shaped[0] if len(shaped) == 1 else {"atoms": shaped[0], "numbers": shaped[1]}


def _is_sb3(source: Any) -> bool:
    return hasattr(source, "predict") and hasattr(getattr(source, "policy", None), "obs_to_tensor")


def _gives_actions_only(source: Any) -> bool:
    """Whether it is a model of Stable-Baselines3 without an actor, such as DQN."""
    return _is_sb3(source) and not hasattr(source.policy, "get_distribution")


def _ask_sb3(model: Any, obs: Any) -> Any:
    """The probabilities of an actor of Stable-Baselines3; of other models the actions."""
    if _gives_actions_only(model):
        return _numbers(model.predict(obs, deterministic=True)[0])
    import numpy as np
    import torch

    with torch.no_grad():
        tensors, _ = model.policy.obs_to_tensor(obs)
        distribution = model.policy.get_distribution(tensors).distribution
    if not isinstance(distribution, list):
        if not hasattr(distribution, "probs"):
            raise bad_input("teacher", "its actions are not discrete")
        return _numbers(distribution.probs)
    rows = _numbers(distribution[0].probs)
    for part in distribution[1:]:  # MultiDiscrete: independent choices, enumerated as the actions are
        own = _numbers(part.probs)
        rows = (rows[:, :, None] * own[:, None, :]).reshape(len(rows), -1)
    return np.asarray(rows, dtype=np.float64)


def _ask_torch(module: Any, obs: Any) -> Any:
    import torch

    def tensors(part: Any) -> Any:
        if isinstance(part, dict):
            return {key: tensors(own) for key, own in part.items()}
        if isinstance(part, tuple):
            return tuple(tensors(own) for own in part)
        return torch.as_tensor(part)

    with torch.no_grad():
        return module(tensors(obs))


def _keys(obs: Any) -> list[Any]:
    """Each observation of a batch as a key of a dict: an integer, or a tuple of numbers."""
    import numpy as np

    if isinstance(obs, (tuple, dict)):
        parts = list(obs.values() if isinstance(obs, dict) else obs)
        return list(zip(*(_keys(part) for part in parts), strict=True))
    flat = np.asarray(obs)
    if flat.ndim == 1:
        return [one.item() for one in flat]
    return [tuple(one.item() for one in np.ravel(row)) for row in flat]


def _look_up(table: Any, obs: Any) -> Any:
    """The rows of a table: a dict by observation, or an array by the number of the observation."""
    import numpy as np

    rows = []
    for key in _keys(obs):
        try:
            if not isinstance(table, Mapping) and (not isinstance(key, int) or key < 0):
                raise IndexError
            rows.append(table[key])
        except (KeyError, IndexError):
            raise bad_input("teacher", f"its table has no row for the observation {key}") from None
    return np.asarray(rows)


def _asker(source: Any) -> Callable[[Any], Any]:
    """The function of a batch of observations that a teacher is."""
    import numpy as np

    if isinstance(source, Policy):
        return source.probabilities
    if _is_sb3(source):
        return lambda obs: _ask_sb3(source, obs)
    if hasattr(source, "state_dict") and callable(source):
        return lambda obs: _ask_torch(source, obs)
    if isinstance(source, (Mapping, np.ndarray)):
        return lambda obs: _look_up(source, obs)
    if callable(source):
        function: Callable[[Any], Any] = source
        return function
    raise bad_input("teacher", f"a {type(source).__name__} is not a teacher", _ALLOWED)


def _count(arrays: Sequence[NDArray[Any]]) -> int:
    return len(arrays[0])


@dataclass(frozen=True)
class Lesson:
    """A teacher as the engine takes it: its name, and unless the name says it all, the teacher itself. `settings`
    are what the student needs to act as it does."""

    name: str
    teacher: _engine.Teacher | None
    settings: Sequence[str] = ()


def _as_teacher(given: Any) -> Teacher:
    from ._training import Run

    teacher = given if isinstance(given, Teacher) else Teacher(given)
    source = teacher.source.policy if isinstance(teacher.source, Run) else teacher.source
    greedy = isinstance(source, Policy) and source.select == "argmax"
    return Teacher(source, teacher.gives, teacher.deterministic or greedy)


def _name(source: Any) -> str:
    """What a teacher is called: the name of a function, or its class."""
    name = str(getattr(source, "__name__", type(source).__name__))
    return name if name.isidentifier() else type(source).__name__


def _is_pair(source: Any) -> bool:
    return isinstance(source, tuple) and len(source) == 2


def _leaves(env: TaskLike, source: Any) -> Leaves:
    if source is not None:
        found: Leaves = source.leaves
        return found
    from ._spaces import leaves_of_task

    word = env_input(env)
    assert word is not None
    if isinstance(env, str) and not _engine.is_task(env):
        raise bad_input("teacher", f"{env} is not a task", "give the task, and the preset as recipe=")
    return leaves_of_task(_engine.open_task(word))


def lesson_for(given: Any, env: TaskLike, source: Any) -> Lesson:
    """A teacher for a task; `source` is the object behind it, if there is one."""
    teacher = _as_teacher(given)
    if isinstance(teacher.source, (str, os.PathLike)):
        if teacher.gives is not None or teacher.deterministic:
            raise bad_input("teacher", "a file is read as it is", "give ndnf.load(…) to ndnf.Teacher")
        return Lesson(os.fspath(teacher.source), None)
    leaves = _leaves(env, source)
    answers = _Answers(teacher.gives, teacher.deterministic, leaves)
    greedy = teacher.deterministic or teacher.gives in ("actions", "values") or _gives_actions_only(teacher.source)
    settings = ('eval.select="argmax"', 'extract.as="asp"') if greedy else ()
    name = f"python:{_name(teacher.source)}"
    if _is_pair(teacher.source):
        observations, rows = teacher.source
        arrays, single = leaves.arrays(observations)
        if single:
            raise bad_input("teacher", "one observation is not enough", "give arrays with a row for each")
        checked = answers.rows(rows, _count(arrays))
        return Lesson(name, _engine.Teacher.showing(leaves.encoder, arrays, checked), settings)
    ask = _asker(teacher.source)

    def function(arrays: Sequence[NDArray[Any]]) -> NDArray[np.float64]:
        import numpy as np

        rows = answers.rows(ask(_observations(source, leaves, arrays)), _count(arrays))
        return np.ascontiguousarray(rows)

    return Lesson(name, _engine.Teacher.asking(function, leaves.encoder), settings)


def rules_teacher(given: Any, env: TaskLike, source: Any) -> Lesson:
    """A teacher of a search for rules, which asks it about whatever its programs visit."""
    from ._training import Run

    if isinstance(given, (str, os.PathLike, Policy, Run)):
        return Lesson(policy_input(given).name, None)
    if _is_pair(_as_teacher(given).source):
        raise bad_input(
            "teacher",
            "a search for rules asks its teacher, and examples do not answer",
            "learn an MLP from them, model='mlp', and give that run",
        )
    lesson = lesson_for(given, env, source)
    return Lesson(lesson.name, lesson.teacher)


def tabulate(teacher: Any, env: TaskLike) -> Policy:
    """A teacher in a finite task as a policy: its probabilities in every reachable observation, exactly. It can be
    evaluated, checked, and extracted as rules without a network in between.

    `teacher` is what :func:`ndnf.train` takes as `teacher=`.

    >>> import ndnf
    >>> def follow_the_wall(obs):  # a batch of observations: [wall on the left, wall on the right]
    ...     return obs[:, 0]  # right (action 1) where there is a wall on the left
    >>> policy = ndnf.tabulate(follow_the_wall, env="small-corridor:wall")
    >>> ndnf.evaluate(policy).undefined is None
    True
    """
    source = source_of(env)
    lesson = lesson_for(teacher, env, source)
    given = env_input(env)
    assert given is not None
    if lesson.teacher is None:
        return Policy(_engine.Input(lesson.name), env)
    text = _engine.teacher_table(lesson.teacher, given)
    return Policy(_engine.Input(f"{_name(_as_teacher(teacher).source)}.json", text.encode()), env)
