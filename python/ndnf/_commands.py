"""The commands as functions, with the words of the command line."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, overload

from . import _engine
from ._catalogue import Path, describe, name_of
from ._errors import bad_input, whole
from ._policy import Policy, PolicyLike, policy_env, policy_input
from ._progress import Following
from ._results import (
    Check,
    Compilation,
    Diff,
    Drawing,
    Edit,
    Evaluation,
    Explanation,
    Export,
    Extraction,
    Optimum,
    Report,
    Reproduction,
    Result,
    Results,
    Watching,
)
from ._tasks import TaskLike, env_input

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import CheckOptions, EvaluateOptions, ExtractOptions

R = TypeVar("R", bound=Result)


def _file(path: Path | None) -> _engine.Input | None:
    return None if path is None else _engine.Input(os.fspath(path))


def _maybe_policy(path: PolicyLike | None) -> _engine.Input | None:
    return None if path is None else policy_input(path)


def _texts(texts: str | Sequence[str] | None) -> list[str]:
    return [] if texts is None else [texts] if isinstance(texts, str) else list(texts)


def _listed(policy: Any) -> tuple[list[PolicyLike], bool]:
    """Policies as a list, and whether several were asked for."""
    if isinstance(policy, Sequence) and not isinstance(policy, str):
        if not policy:
            raise bad_input("policy", "is an empty list", "name at least one policy")
        return list(policy), True
    return [policy], False


def _inputs(policies: list[PolicyLike]) -> list[_engine.Input]:
    return [policy_input(one) for one in policies]


def _answer(reply: dict[str, Any], several: bool, made: Callable[[dict[str, Any]], R]) -> Any:
    """The one result, or those of a list or a folder of runs."""
    results = [made(json) for json in reply["results"]]
    if several or reply["many"]:
        return Results(results, reply["summary"], reply["errors"])
    return results[0]


@overload
def evaluate(policy: PolicyLike, env: TaskLike | None = None, **options: Unpack[EvaluateOptions]) -> Evaluation: ...  # type: ignore[overload-overlap]  # a str is a sequence, too
@overload
def evaluate(
    policy: Sequence[PolicyLike], env: TaskLike | None = None, **options: Unpack[EvaluateOptions]
) -> Results[Evaluation]: ...
def evaluate(
    policy: Any,
    env: TaskLike | None = None,
    *,
    discount: float | None = None,
    select: str | None = None,
    exact: bool = False,
    episodes: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    optimum: bool = False,
    with_: str | None = None,
    solver_time: int = 600,
    shield: Path | None = None,
) -> Any:
    """The expected return of a policy, exact for a finite task, and its gap to the optimum.

    A list of policies, or a folder of runs, gives :class:`ndnf.Results`, as do :func:`extract` and :func:`check`.

    >>> import ndnf
    >>> ndnf.evaluate("uniform", env="small-corridor")
    Evaluation(uniform on small-corridor: return -11.93298, gap 8.932977, exact, sample)
    """
    policies, several = _listed(policy)
    reply = _engine.evaluate(
        _inputs(policies), policy_env(policies, env), select, with_, solver_time, _file(shield),
        whole("episodes", episodes, 1), exact, optimum, whole("seed", seed), whole("jobs", jobs, 1), discount,
    )  # fmt: skip
    return _answer(reply, several, Evaluation.from_json)


def optimum(env: TaskLike, *, discount: float | None = None) -> Optimum:
    """The best return that any policy of a finite task has, and its proof.

    >>> import ndnf
    >>> ndnf.optimum("small-corridor")
    Optimum(small-corridor: -3, at most -3 (dynamic-programming))
    """
    described = describe(env, discount=discount)
    if described.optimum is None:
        raise bad_input(described.spec, str(described.no_optimum))
    return Optimum.from_json({"env": described.spec, **described.optimum})


@overload
def extract(policy: PolicyLike, env: TaskLike | None = None, **options: Unpack[ExtractOptions]) -> Extraction: ...  # type: ignore[overload-overlap]  # a str is a sequence, too
@overload
def extract(
    policy: Sequence[PolicyLike], env: TaskLike | None = None, **options: Unpack[ExtractOptions]
) -> Results[Extraction]: ...
def extract(
    policy: Any,
    env: TaskLike | None = None,
    *,
    discount: float | None = None,
    method: str = "auto",
    as_: str | None = None,
    over: str | None = None,
    ties: str | None = None,
    form: str = "exactly-one",
    epsilon: float = 1e-3,
    rules: int | None = None,
    threshold: str | None = None,
    solve_limit: int | None = None,
    sample: int | None = None,
    episodes: int = 1000,
    certify: bool = False,
    compact: bool = False,
    output: Path | None = None,
    progress: bool | None = None,
) -> Any:
    """A logic program with the same actions (ASP) or probabilities (ProbLog) as a policy, and how faithful it is.

    >>> import ndnf
    >>> found = ndnf.extract("optimal", env="small-corridor")
    >>> found
    Extraction(small-corridor: 2 rules, 2 literals, proved minimal, faithful)
    >>> found.policy.rules()
    ['action(left) :- in_s_1.', 'action(right) :- not in_s_1.']
    """
    policies, several = _listed(policy)
    given = policy_env(policies, env)
    with Following("extract", progress) as shown:
        reply = _engine.extract(
            _inputs(policies), given, method, as_, over, ties, form, epsilon, whole("rules", rules), threshold,
            whole("solve_limit", solve_limit), whole("sample", sample, 1), whole("episodes", episodes, 1), certify,
            compact, name_of(output), discount, shown,
        )  # fmt: skip

    def made(json: dict[str, Any]) -> Extraction:
        origin = json["policy"] if several or reply["many"] else policy
        program = _program(json["text"], json["as"], given, origin) if json["text"] else None
        return Extraction.from_json(json, policy=program)

    return _answer(reply, several, made)


def _program(text: str, syntax: str, env: _engine.Input | None, origin: PolicyLike | None) -> Policy:
    """A program as a policy, by its contents."""
    name = "policy.lp" if syntax == "asp" else "policy.pl"
    if env is None and origin is not None:
        env = env_input(_engine.Actor(policy_input(origin), None, None).task)
    return Policy(_engine.Input(name, text.encode()), env)


def edit(
    program: PolicyLike,
    *,
    when: str = "",
    do: str = "",
    add: str | Sequence[str] | None = None,
    remove: str | Sequence[str] | None = None,
    replace: Mapping[str, str] | None = None,
    forbid: str = "",
    prefer: str = "",
    over: str = "",
    env: TaskLike | None = None,
    discount: float | None = None,
    encoder: PolicyLike | None = None,
    scope: str = "reachable",
    output: Path | None = None,
) -> Edit:
    """Changes rules of a program and leaves the rest of the text; says what exactly that changes.

    >>> import ndnf
    >>> program = ndnf.extract("optimal", env="small-corridor").policy
    >>> ndnf.edit(program, when="in_s_1", do="right")
    Edit(policy.lp: 1 observations changed, return -3 -> -50)
    """
    given = policy_env([program], env)
    source = policy_input(program)
    json = _engine.edit(
        source, when, do, _texts(add), _texts(remove), list((replace or {}).items()), forbid, prefer, over, given,
        _maybe_policy(encoder), scope, name_of(output) or "", discount,
    )  # fmt: skip
    syntax = "problog" if source.name.endswith(".pl") else "asp"
    return Edit.from_json(json, policy=None if encoder else _program(json["text"], syntax, given, program))


def compile(
    program: PolicyLike,
    env: TaskLike | None = None,
    *,
    shield: Path | None = None,
    encoder: PolicyLike | None = None,
    output: Path | None = None,
) -> Compilation:
    """A network that does what a program says, compared with it on every reachable observation.

    >>> import ndnf
    >>> program = ndnf.extract("optimal", env="small-corridor").policy
    >>> ndnf.compile(program)
    Compilation(policy.lp: 2 conjunctions, agrees on 3 observations)
    """
    given = policy_env([program], env)
    if isinstance(program, Policy) and output is None:
        program = program._in_memory()
    json = _engine.compile(policy_input(program), given, _file(shield), _maybe_policy(encoder), name_of(output))
    contents = json.pop("contents")
    policy = Policy(_engine.Input("policy.safetensors", contents), given) if contents else None
    return Compilation.from_json(json, policy=policy)


@overload
def check(policy: PolicyLike, env: TaskLike | None = None, **options: Unpack[CheckOptions]) -> Check: ...  # type: ignore[overload-overlap]  # a str is a sequence, too
@overload
def check(
    policy: Sequence[PolicyLike], env: TaskLike | None = None, **options: Unpack[CheckOptions]
) -> Results[Check]: ...
def check(
    policy: Any,
    env: TaskLike | None = None,
    *,
    discount: float | None = None,
    select: str | None = None,
    scope: str = "reachable",
    property: str | Sequence[str] | None = None,
    shield: Path | None = None,
    against: PolicyLike | None = None,
    episodes: int = 10000,
    seed: int = 0,
    progress: bool | None = None,
) -> Any:
    """Whether exactly one action is named everywhere, whether rules are dead, and whether properties hold. In a task
    without a finite model properties of episodes are sampled: `episodes` of them, from `seed`.

    >>> import ndnf
    >>> ndnf.check("optimal", env="small-corridor", property='P>=1 [F<=3 "goal"]')
    Check(optimal on small-corridor: holds)
    """
    policies, several = _listed(policy)
    with Following("check", progress) as shown:
        reply = _engine.check(
            _inputs(policies), policy_env(policies, env), select, _file(shield), scope, _texts(property),
            _maybe_policy(against), whole("episodes", episodes, 1), whole("seed", seed), discount, shown,
        )  # fmt: skip
    return _answer(reply, several, Check.from_json)


def diff(
    a: PolicyLike,
    b: PolicyLike,
    env: TaskLike | None = None,
    *,
    discount: float | None = None,
    select: str | None = None,
    shield: Path | None = None,
    examples: int = 10,
    episodes: int = 10000,
    seed: int = 0,
) -> Diff:
    """The observations in which two policies differ, the rules behind it, and the change of return. In a task without a
    finite model returns are sampled: `episodes` of each policy, from `seed`.

    >>> import ndnf
    >>> ndnf.diff("uniform", "optimal", env="small-corridor")
    Diff(uniform -> optimal on small-corridor: 4 of 4 observations changed, return -11.93298 -> -3)
    """
    json = _engine.diff(
        policy_input(a), policy_input(b), policy_env([a, b], env), select, _file(shield),
        whole("examples", examples), whole("episodes", episodes, 1), whole("seed", seed), discount,
    )  # fmt: skip
    return Diff.from_json(json)


def explain(
    policy: PolicyLike,
    env: TaskLike | None = None,
    *,
    obs: str | Sequence[str] | None = None,
    episode: bool = False,
    seed: int = 0,
    discount: float | None = None,
    select: str | None = None,
    shield: Path | None = None,
) -> Explanation:
    """Why a policy acts as it does: in the observations that `obs` describes, or in one episode.

    >>> import ndnf
    >>> ndnf.explain("optimal", env="small-corridor", obs="in_s_1")
    Explanation(in_s_1: left, because in_s_1)
    """
    if episode and obs is not None:
        raise bad_input("obs", "cannot be combined with episode=True")
    json = _engine.explain(
        policy_input(policy), policy_env([policy], env), select, _file(shield), _texts(obs), seed, discount
    )
    return Explanation.from_json(json)


def draw(
    policy: PolicyLike | Sequence[PolicyLike],
    env: TaskLike | None = None,
    *,
    view: str | None = None,
    discount: float | None = None,
    select: str | None = None,
    shield: Path | None = None,
    seed: int = 0,
    metric: str | None = None,
    output: Path | None = None,
) -> Drawing:
    """A picture: a policy's actions or values over the task, an episode with its rules, or learning curves.

    Notebooks show it as SVG; `print` shows it as text.

    >>> import ndnf
    >>> picture = ndnf.draw("optimal", env="small-corridor")
    >>> picture
    Drawing(policy of optimal on small-corridor)
    >>> picture.svg.startswith("<svg")
    True
    """
    if output is not None and not os.fspath(output).endswith(".svg"):
        raise bad_input("output", f"{os.fspath(output)} does not end in .svg", "pictures are written as SVG")
    policies, _ = _listed(policy)
    json = _engine.draw(
        _inputs(policies), policy_env(policies, env), view, select, _file(shield), seed, metric,
        name_of(output), discount,
    )  # fmt: skip
    svg, text = json.pop("svg"), json.pop("text")
    return Drawing.from_json(json, svg=svg, text=text)


def report(
    policy: PolicyLike | Sequence[PolicyLike],
    env: TaskLike | None = None,
    *,
    discount: float | None = None,
    select: str | None = None,
    shield: Path | None = None,
    property: str | Sequence[str] | None = None,
    seed: int = 0,
    output: Path | None = None,
    progress: bool | None = None,
) -> Report:
    """One self-contained page about runs: curves, program, proofs, pictures and weights. Several are compared.

    >>> import ndnf
    >>> page = ndnf.report("optimal", env="small-corridor")
    >>> page
    Report(optimal on small-corridor)
    >>> page.html.startswith("<!doctype html>")
    True
    """
    if output is not None and not os.fspath(output).endswith(".html"):
        raise bad_input("output", f"{os.fspath(output)} does not end in .html", "reports are written as HTML")
    several = isinstance(policy, Sequence) and not isinstance(policy, str)
    policies: list[PolicyLike] = list(policy) if several else [policy]  # type: ignore[arg-type, list-item]
    with Following("report", progress) as shown:
        json = _engine.report(
            [policy_input(one) for one in policies], policy_env(policies, env), select, _file(shield),
            _texts(property), seed, name_of(output), discount, shown,
        )  # fmt: skip
    html = json.pop("html")
    return Report.from_json(json, html=html)


def studio(
    policy: PolicyLike,
    env: TaskLike | None = None,
    *,
    seed: int = 0,
    discount: float | None = None,
    select: str | None = None,
    shield: Path | None = None,
) -> Watching:
    """The studio's watch view for a notebook: an episode, the rules that fire, and the policy on its task.

    It is complete in itself, without a server; `html` is a whole page.

    >>> import ndnf
    >>> ndnf.studio("optimal", env="small-corridor")
    Watching(optimal on small-corridor)
    """
    json = _engine.watch(policy_input(policy), policy_env([policy], env), select, _file(shield), seed, discount)
    html = json.pop("html")
    return Watching.from_json(json, html=html)


def export(
    policy: PolicyLike,
    format: str,
    env: TaskLike | None = None,
    *,
    output: Path | None = None,
    discount: float | None = None,
    select: str | None = None,
    shield: Path | None = None,
) -> Export:
    """A policy for use elsewhere (``c``, ``npz``, ``onnx``), or its chain for a model checker (``drn``, ``prism``).

    >>> import ndnf
    >>> ndnf.export("optimal", "c", env="small-corridor").contents.startswith(b"/*")
    True
    """
    json = _engine.export(
        policy_input(policy), format, policy_env([policy], env), select, _file(shield), name_of(output) or "", discount
    )
    contents = json.pop("contents")
    return Export.from_json(json, contents=contents)


def reproduce(
    *,
    quick: bool = False,
    only: str | Sequence[str] | None = None,
    out: Path | None = None,
    jobs: int | None = None,
    format: str | Sequence[str] = ("text", "markdown", "json", "html"),
    progress: bool | None = None,
) -> Reproduction:
    """The paper's tables and figures, its values beside ours; resumes where it was interrupted."""
    folder = name_of(out) or ("runs/reproduce-quick" if quick else "runs/reproduce")
    with Following("reproduce", progress) as shown:
        json = _engine.reproduce(quick, _texts(only), folder, jobs, _texts(format), shown)
    return Reproduction.from_json(json)
