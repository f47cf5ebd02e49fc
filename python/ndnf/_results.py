"""Results as values: frozen dataclasses made from the objects that ``ndnf ... --json`` prints."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

if TYPE_CHECKING:
    import pandas

    from ._errors import Error
    from ._policy import Policy

R = TypeVar("R", bound="Result")
Json = Mapping[str, Any]


def number(value: float | None) -> str:
    """A figure in few digits; "none" without one."""
    return "none" if value is None else f"{value:.7g}"


@dataclass(frozen=True, repr=False)
class Result:
    """What all results share. The fields are those of the command's JSON."""

    _json: Json = field(repr=False, compare=False)

    #: The field with a list of objects that `to_frame` shows as rows; empty for one row of figures.
    _rows: ClassVar[str] = ""

    @classmethod
    def from_json(cls: type[R], json: Json, **more: Any) -> R:
        """The result that this JSON object describes."""
        given: dict[str, Any] = {"_json": json, **more}
        for own in dataclasses.fields(cls):
            key = own.name.rstrip("_")
            if own.name not in given and key in json:
                given[own.name] = json[key]
        return cls(**given)

    def to_dict(self) -> dict[str, Any]:
        """The object that the command prints with ``--json``."""
        return copy.deepcopy(dict(self._json))

    def to_frame(self) -> pandas.DataFrame:
        """The result as a table (needs pandas)."""
        import pandas

        if self._rows:
            return pandas.DataFrame(list(self._json[self._rows]))
        return pandas.DataFrame([self._figures()])

    def _figures(self) -> dict[str, Any]:
        """Its fields that are one value."""
        return {key: value for key, value in self._json.items() if not isinstance(value, (dict, list, bytes))}

    def _summary(self) -> str:
        return ""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._summary()})"


class Results(list[R]):
    """The results for several policies, with a summary. Policies without a result are in `errors`."""

    def __init__(self, results: Iterable[R], summary: Json, errors: Mapping[str, Error]) -> None:
        super().__init__(results)
        self.summary: dict[str, Any] = dict(summary)  #: The figures over all of them, as ``--json`` prints them.
        self.errors: dict[str, Error] = dict(errors)  #: What is wrong with a policy, by its name.

    def to_dict(self) -> dict[str, Any]:
        """The objects that the command prints with ``--json``."""
        failed = [{"policy": policy, "error": str(error)} for policy, error in self.errors.items()]
        return {"results": [one.to_dict() for one in self] + failed, "summary": copy.deepcopy(self.summary)}

    def to_frame(self) -> pandas.DataFrame:
        """One row for each policy (needs pandas)."""
        import pandas

        return pandas.DataFrame([one._figures() for one in self])

    def __repr__(self) -> str:
        failed = f", {len(self.errors)} without a result" if self.errors else ""
        return f"Results({len(self)} of {len(self) + len(self.errors)} policies{failed})"


@dataclass(frozen=True, repr=False)
class Evaluation(Result):
    """A policy's expected return, its gap to the optimum, and what happened on the way."""

    policy: str
    env: str
    select: str
    shielded: bool
    exact: bool
    discount: float
    return_: float | None
    stderr: float | None = 0.0  #: None for a single episode.
    episodes: int = 0
    length: float | None = None
    terminated: float | None = None
    optimum: float | None = None
    optimum_proof: str | None = None
    optimum_bound: float | None = None
    gap: float | None = None
    gap_bound: float | None = None
    undefined: Any = None
    loop: Any = None

    @property
    def rates(self) -> dict[str, float]:
        """How often episodes end in each way that the task names: win, draw, loss."""
        known = {own.name.rstrip("_") for own in dataclasses.fields(self)} | {"seconds", "with", "timeouts"}
        return {k: v for k, v in self._json.items() if k not in known and isinstance(v, float)}

    def _summary(self) -> str:
        error = "" if self.exact or self.stderr is None else f" ± {self.stderr:.2g}"
        gap = "" if self.gap is None else f", gap {number(self.gap)}"
        how = "exact" if self.exact else f"{self.episodes} episodes"
        return f"{self.policy} on {self.env}: return {number(self.return_)}{error}{gap}, {how}, {self.select}"


@dataclass(frozen=True, repr=False)
class Optimum(Result):
    """The best return of a finite task, and how it was proved."""

    env: str
    return_: float
    proof: str
    bound: float
    length: float | None = None

    def _summary(self) -> str:
        return f"{self.env}: {number(self.return_)}, at most {number(self.bound)} ({self.proof})"


@dataclass(frozen=True, repr=False)
class Extraction(Result):
    """A program extracted from a policy, and how faithful it is."""

    _rows: ClassVar[str] = "methods"

    env: str
    text: str
    as_: str
    method: str
    faithful: bool
    observations: int
    disagreements: int | None = None
    max_dp: float | None = None
    exactly_one: bool | None = None
    rules: int | None = None
    literals: int | None = None
    proved_minimal: bool | None = None
    lower_bound: int | None = None
    return_network: float | None = None
    return_program: float | None = None
    file: str | None = None
    policy: Policy | None = None

    def _summary(self) -> str:
        if not self.text:
            return f"{self.env}: no program found by {self.method}"
        faithful = "faithful" if self.faithful else f"{self.disagreements} of {self.observations} observations differ"
        minimal = ", proved minimal" if self.proved_minimal else ""
        return f"{self.env}: {self.rules} rules, {self.literals} literals{minimal}, {faithful}"


@dataclass(frozen=True, repr=False)
class Compilation(Result):
    """A program turned into a network, compared with it on every reachable observation."""

    program: str
    env: str
    agrees: bool
    conjunctions: int
    inputs: int
    actions: int
    observations: int
    undefined: int
    disagreements: int
    max_dp: float
    file: str | None = None
    policy: Policy | None = None

    def _summary(self) -> str:
        verdict = "agrees" if self.agrees else f"differs in {self.disagreements}"
        return f"{self.program}: {self.conjunctions} conjunctions, {verdict} on {self.observations} observations"


@dataclass(frozen=True, repr=False)
class Edit(Result):
    """A changed program, its difference, and its exact effect."""

    program: str
    env: str
    text: str
    diff: str
    condition: str
    predicates: bool
    observations: int
    changed: int
    return_before: float | None
    return_after: float | None
    exactly_one: bool
    newly_undefined: int
    witness: str
    file: str
    policy: Policy | None = None

    def _summary(self) -> str:
        one = "" if self.exactly_one else f", undefined: {self.witness}"
        return (
            f"{self.program}: {self.changed} observations changed, return {number(self.return_before)} "
            f"-> {number(self.return_after)}{one}"
        )


@dataclass(frozen=True, repr=False)
class Check(Result):
    """Whether a policy is well defined and its properties hold; with witnesses where not."""

    _rows: ClassVar[str] = "checks"

    policy: str
    env: str
    select: str
    shielded: bool
    scope: str
    holds: bool
    checks: list[dict[str, Any]]
    claims: list[dict[str, Any]]

    def __bool__(self) -> bool:
        return bool(self.holds)

    def _summary(self) -> str:
        failed = [c["name"] for c in self.checks if c["counts"] and not c["holds"]]
        verdict = "holds" if self.holds else "fails: " + ", ".join(failed)
        return f"{self.policy} on {self.env}: {verdict}"


@dataclass(frozen=True, repr=False)
class Diff(Result):
    """The observations in which two policies differ, and what each costs."""

    _rows: ClassVar[str] = "examples"

    policy_a: str
    policy_b: str
    env: str
    changed: int
    changed_reachable: int | None
    within_rounding: int
    observations: int | None
    return_a: float | None
    return_b: float | None
    loop_a: Any
    loop_b: Any
    examples: list[dict[str, Any]]

    def _summary(self) -> str:
        if self.observations is None:
            verdict = f"differ in {self.changed} regions" if self.changed else "proved equal"
            return f"{self.policy_a} -> {self.policy_b} on {self.env}: {verdict}"
        return (
            f"{self.policy_a} -> {self.policy_b} on {self.env}: {self.changed} of {self.observations} observations "
            f"changed, return {number(self.return_a)} -> {number(self.return_b)}"
        )


@dataclass(frozen=True, repr=False)
class Explanation(Result):
    """Which rules fired, a smallest reason for each action, and why not another."""

    _rows: ClassVar[str] = "explanations"

    policy: str
    env: str
    select: str
    shielded: bool
    stochastic: bool
    explanations: list[dict[str, Any]]
    episode: list[dict[str, Any]] = field(default_factory=list)
    ending: str = ""

    def _summary(self) -> str:
        lines = [f"{e['observation']}: {e['row']}, because {e['reason']}" for e in self.explanations[:5]]
        more = len(self.explanations) - len(lines)
        return "; ".join(lines) + (f"; {more} more" if more > 0 else "")


@dataclass(frozen=True, repr=False)
class Export(Result):
    """A policy for use elsewhere: the contents of the file, and where it was written."""

    policy: str
    env: str
    format: str
    contents: bytes
    file: str

    def _summary(self) -> str:
        where = f", written to {self.file}" if self.file else ""
        return f"{self.policy} on {self.env} as {self.format}: {len(self.contents)} bytes{where}"


@dataclass(frozen=True, repr=False)
class Drawing(Result):
    """A picture, as SVG and as text; its data are in `to_dict`."""

    view: str
    policy: str
    env: str
    svg: str
    text: str
    file: str | None = None

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.text

    def _summary(self) -> str:
        where = f", written to {self.file}" if self.file else ""
        return f"{self.view} of {self.policy} on {self.env}{where}"


@dataclass(frozen=True, repr=False)
class Report(Result):
    """A page about policies; its tables are in `sections`."""

    _rows: ClassVar[str] = "sections"

    policies: list[str]
    env: str
    title: str
    sections: list[dict[str, Any]]
    html: str
    file: str | None = None

    def _summary(self) -> str:
        where = f", written to {self.file}" if self.file else ""
        return f"{', '.join(self.policies)} on {self.env}{where}"


@dataclass(frozen=True, repr=False)
class Watching(Result):
    """An episode of a policy to step through, as a page that notebooks show."""

    policy: str
    env: str
    html: str

    def _repr_html_(self) -> str:
        # A frame of its own: neither the notebook's styles nor its scripts meet those of the page.
        page = escape(self.html, quote=True)
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" title="an episode of {escape(self.policy)}" '
            'style="width: 100%; height: 46rem; border: 1px solid #8888; border-radius: 6px"></iframe>'
        )

    def _summary(self) -> str:
        return f"{self.policy} on {self.env}"


@dataclass(frozen=True, repr=False)
class Reproduction(Result):
    """The paper's tables and figures beside ours."""

    _rows: ClassVar[str] = "sections"

    sections: list[dict[str, Any]]
    files: list[str]

    def _summary(self) -> str:
        return ", ".join(section["name"] for section in self.sections)


@dataclass(frozen=True, repr=False)
class Description(Result):
    """What a task is: its atoms, actions and sizes."""

    name: str
    spec: str
    finite: bool
    atoms: list[str]
    quantities: list[Any]
    actions: list[str]
    step_limit: int | None = None
    discount: float = 1.0
    states: int | None = None
    observations: int | None = None
    optimum: dict[str, Any] | None = None
    no_optimum: str | None = None  #: Why no best return is known.
    drawing: str = ""
    groups: list[dict[str, Any]] = field(default_factory=list)

    def _summary(self) -> str:
        size = f"{self.states} states, {self.observations} observations, " if self.finite else ""
        numbers = f"{len(self.quantities)} quantities, " if self.quantities else ""
        return f"{self.spec}: {size}{len(self.atoms)} atoms, {numbers}actions {', '.join(self.actions)}"
