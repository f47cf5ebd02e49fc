"""Training runs."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from . import _engine
from ._errors import Stopped, bad_input, whole
from ._policy import Policy, PolicyLike, load, policy_input
from ._progress import Bar, wants_bar
from ._results import Result, number
from ._tasks import Source, TaskLike, go_on_as, in_use, source_of, task_word
from ._teachers import lesson_for, rules_teacher

if TYPE_CHECKING:
    import pandas

    from ._results import Extraction
    from ._spaces import Names

__all__ = ["Run", "train"]


@dataclass(frozen=True, repr=False)
class Run(Result):
    """A finished or stopped training: a folder with the learned network, and how good it is."""

    run: str
    env: str
    seed: int
    steps: int
    seconds: float
    finished: bool
    select: str
    return_: float | None
    exact: bool
    stderr: float | None
    optimum: float | None = None
    gap: float | None = None
    #: Of a search for rules: its programs by size, each with file, rules, literals, return, stderr, worst, picked and
    #: program.
    front: tuple[dict[str, Any], ...] = ()
    teacher_return: float | None = None  #: What the rules were learned from earns.
    warning: str | None = None  #: About the teacher, the steps and how rules see the numbers.
    choices: tuple[str, ...] = ()  #: What the recipe chose, and why.
    _source: Source | None = field(default=None, repr=False, compare=False)

    @property
    def path(self) -> Path:
        """Its folder."""
        return Path(self.run)

    @property
    def policy(self) -> Policy:
        """The policy that it learned."""
        return load(self.run, env=self._source)

    @property
    def metrics(self) -> list[dict[str, Any]]:
        """One object per iteration: steps, return, losses."""
        lines = (self.path / "metrics.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def extract(self, **options: Any) -> Extraction:
        """The program behind its network, written beside it: see :func:`ndnf.extract`."""
        from ._commands import extract

        return extract(self, env=self._source, **options)

    def to_frame(self) -> pandas.DataFrame:
        """Its metrics as a table (needs pandas)."""
        import pandas

        return pandas.DataFrame(self.metrics)

    def _summary(self) -> str:
        error = "" if self.exact or self.stderr is None else f" ± {self.stderr:.2g}"
        gap = "" if self.gap is None else f", gap {number(self.gap)}"
        stopped = "" if self.finished else ", not finished"
        warning = f"; {self.warning}" if self.warning else ""
        return f"{self.run}: return {number(self.return_)}{error}{gap}, {self.steps} steps{stopped}{warning}"


class _Follower:
    """Receives the reports of the engine: for the caller's function and for the bar."""

    def __init__(self, runs: int, callback: Callable[[dict[str, Any]], object] | None, bar: Bar | None) -> None:
        self._runs = runs
        self._callback = callback
        self._bar = bar
        self._done: dict[int, float] = {}

    def __call__(self, title: str, run: int, report: dict[str, Any]) -> None:
        if self._callback is not None:
            self._callback({"title": title, "run": run, **report})
        if self._bar is not None:
            self._done[run] = report["iteration"] / max(1, report["iterations"])
            mean = report["episodic_return"]
            self._bar.show(sum(self._done.values()) / max(self._runs, len(self._done)),
                           "" if mean is None else f"return {mean:.4g}")  # fmt: skip


class _Interrupts:
    """While it is entered, the first Ctrl-C is only noted, so that a training can be saved wherever it arrives: in a
    callback or an environment, too. The second one raises KeyboardInterrupt as usual."""

    def __init__(self) -> None:
        self._came = False
        self._before: Any = None

    def came(self) -> bool:
        """Whether there was one."""
        return self._came

    def __enter__(self) -> _Interrupts:
        main = threading.current_thread() is threading.main_thread()
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self._came:
            signal.default_int_handler(number, frame)
        self._came = True


def _settings(given: Mapping[str, Any] | Sequence[str] | None) -> list[str]:
    if given is None:
        return []
    if not isinstance(given, Mapping):
        return list(given)
    return [f"{key}={json.dumps(value)}" for key, value in given.items()]


def _seeds(seed: int | None, seeds: Sequence[int] | str | None) -> list[int]:
    if seed is not None and seeds is not None:
        raise bad_input("seeds", "cannot be combined with seed=")
    if isinstance(seeds, str):
        first, _, last = seeds.partition("..")
        if not (first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
            raise bad_input("seeds", f"{seeds} is not a range of seeds", "write 0..15, both ends included")
        return list(range(int(first), int(last) + 1))
    if seeds is not None:
        return [number for one in seeds if (number := whole("seeds", one)) is not None]
    only = whole("seed", seed)
    return [] if only is None else [only]


def _free_folder(folder: str) -> str:
    """The folder, with a number if something is in it."""
    candidate, count = folder, 1
    while os.path.isdir(candidate) and os.listdir(candidate):
        count += 1
        candidate = f"{folder}-{count}"
    return candidate


def _begun_as(folder: str) -> str | None:
    """What a run, or the first of several, calls an environment of Python's."""
    for file in (Path(folder, "config.toml"), *sorted(Path(folder).glob("seed-*/config.toml"))):
        if file.is_file():
            found = re.search(r'^env = "(python:[^"\\]+)"$', file.read_text(errors="replace"), re.MULTILINE)
            return found[1] if found else None
    return None


def _hot_start(init: PolicyLike | None, encoder: PolicyLike | None, lock: str | Sequence[str] | None) -> list[str]:
    settings = []
    if init is None and (encoder is not None or lock is not None):
        raise bad_input("init", "is needed for lock= and encoder=")
    if init is not None:
        settings.append(f"init.policy={json.dumps(policy_input(init).name)}")
    if encoder is not None:
        settings.append(f"init.encoder={json.dumps(policy_input(encoder).name)}")
    if lock is not None:
        settings.append(f"init.lock={json.dumps([lock] if isinstance(lock, str) else list(lock))}")
    return settings


def _rules(max_rules: int | None, max_literals: int | None, linear: bool | None) -> list[str]:
    settings = []
    if max_rules is not None:
        settings.append(f"rules.max_rules={whole('max_rules', max_rules, 1)}")
    if max_literals is not None:
        settings.append(f"rules.max_literals={whole('max_literals', max_literals, 1)}")
    if linear is not None:
        settings.append(f"rules.linear={json.dumps(linear)}")
    return settings


def train(
    task: TaskLike,
    *,
    recipe: str | None = None,
    model: str | None = None,
    steps: int | None = None,
    time: float | None = None,
    seed: int | None = None,
    seeds: Sequence[int] | str | None = None,
    jobs: int | None = None,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    teacher: Any = None,
    max_rules: int | None = None,
    max_literals: int | None = None,
    linear: bool | None = None,
    init: PolicyLike | None = None,
    encoder: PolicyLike | None = None,
    lock: str | Sequence[str] | None = None,
    shield: str | os.PathLike[str] | None = None,
    discount: float | None = None,
    out: str | os.PathLike[str] | None = None,
    resume: bool = False,
    checkpoint: float = 5,
    names: Names | None = None,
    progress: bool | None = None,
    callback: Callable[[dict[str, Any]], object] | None = None,
) -> Any:
    """Learns a task and returns the run; with `seeds` a list of runs, one for each.

    `task` is the name of a task or preset, a file (.json, .drn, .toml), an :class:`ndnf.Model`, or an environment,
    vector environment or factory of Gymnasium. The run is written to the folder `out`, by default a new one below
    runs/. `progress` shows a bar (by default where somebody watches); `callback` gets every iteration's figures.
    Ctrl-C raises :class:`ndnf.Stopped` once everything is saved.

    With `teacher`, the task is learned by imitating it: a policy of ours or the name of one, a model of
    Stable-Baselines3, a torch module, a function of a batch of observations, a table (an array or a dict), or a pair of
    arrays, observations and rows; :class:`ndnf.Teacher` says what its answers mean.

    ``model="rules"`` learns ordered rules over numbers and atoms, from a `teacher` that can be asked or one that it
    trains; `max_rules`, `max_literals` and `linear` belong to it, and the run's `front` has the best program of each
    size.

    >>> import ndnf
    >>> run = ndnf.train("small-corridor", out="runs/doctest")
    >>> run.return_, run.gap
    (-3.0, 0.0)
    >>> run.policy.rules()
    ['action(left) :- in_s_1.', 'action(right) :- not in_s_1.']
    """
    source: Source | None
    if names is not None:
        from ._gymnasium import source_from_object

        source = source_from_object(task, names)
    else:
        source = source_of(task)
    folder = None if out is None else os.fspath(out)
    begun = _begun_as(folder) if resume and source is not None and folder is not None else None
    if begun is not None and source is not None:
        go_on_as(begun, task, source)
    word = source.spec if source is not None else task_word(task)
    assert word is not None
    numbers = _seeds(seed, seeds)
    rules = model == "rules"
    if not rules and recipe is None and _engine.is_task(word):
        for option, value in {"max_rules": max_rules, "max_literals": max_literals, "linear": linear}.items():
            if value is not None:
                raise bad_input(option, "is an option of a search for rules", 'learn the task with model="rules"')
    lesson = None
    if teacher is not None:
        lesson = rules_teacher(teacher, task, source) if rules else lesson_for(teacher, task, source)
    if folder is None and not resume:
        folder = _free_folder(_engine.default_folder(word, recipe, model))
    bar = Bar("train") if (wants_bar(sys.stderr) if progress is None else progress) else None
    follower = _Follower(max(1, len(numbers)), callback, bar) if bar or callback else None
    try:
        with _Interrupts() as interrupts, in_use(source):
            runs, choices = _engine.train(
                word, recipe, model, whole("steps", steps, 1), time, numbers, seeds is not None, whole("jobs", jobs, 1),
                [
                    *(source.settings if source else ()),
                    *(lesson.settings if lesson else ()),
                    *_rules(max_rules, max_literals, linear),
                    *_hot_start(init, encoder, lock),
                    *_settings(set),
                ],
                None if shield is None else _engine.Input(os.fspath(shield)),
                discount, folder, resume, checkpoint, lesson.name if lesson else None,
                lesson.teacher if lesson else None, interrupts.came, follower, callback is not None,
            )  # fmt: skip
    finally:
        if bar is not None:
            bar.clear()
    made = [Run.from_json(run, choices=tuple(choices), _source=source) for run in runs]
    if interrupts.came():
        raise Stopped(made)
    return made if seeds is not None else made[0]
