"""Reads environments (docs/model-file.md), checkpoints (docs/checkpoint.md) and programs (docs/programs.md) according
to those pages, with NumPy and safetensors and without any code of ndnf: for check_certificate.py, and for use of our
policies elsewhere. Any mistake in a file raises an exception; a ValueError describes it in one sentence.
"""

import itertools
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors.numpy import load

TOLERANCE = 1e-9  # for sums of probabilities
TIE = 1e-12  # probabilities this close are equal
MOST_BYTES, PROGRAM_BYTES = 1 << 28, 1 << 24  # of a file
MOST_CELLS = 1 << 28  # observations times atoms
NEVER = 1e-13  # less probable things change no figure
MOST_FLOWS, STEP = 1 << 32, 1000  # steps times outcomes; a step counts as STEP outcomes
MOST_PRODUCTS = 1 << 36  # of an input and a weight
MOST_VALUES = 10_000  # ground atoms of one atom with intervals and pools
MOST_ATOMS = 1_000_000  # ground atoms of a program
Array = np.ndarray
ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "tanh": np.tanh,
    "relu": lambda z: np.maximum(z, 0),
    "step": lambda z: np.where(z >= 0, 1.0, -1.0),
}


def require(holds: Any, sentence: str) -> None:
    if not holds:
        raise ValueError(sentence)


def read(file: Path, most: int = MOST_BYTES) -> bytes:
    require(file.is_file() and file.stat().st_size <= most, f"{file} is not a file of at most {most} bytes")
    return file.read_bytes()


def read_json(text: bytes | str) -> Any:
    """Strict: no duplicate keys, and only finite numbers."""

    def record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        require(len(dict(pairs)) == len(pairs), "a JSON object has a key twice")
        return dict(pairs)

    def number(text: str) -> float:
        require(math.isfinite(float(text)), f"{text} is not a finite number")
        return float(text)

    return json.loads(text, object_pairs_hook=record, parse_constant=number, parse_float=number)


def whole(value: Any, below: int) -> int:
    require(type(value) is int and 0 <= value < below, f"{str(value)[:50]} is not a whole number from 0 to {below - 1}")
    return value


def real(value: Any) -> float:
    require(type(value) in (int, float) and abs(value) < 1e300, f"{str(value)[:50]} is not a number")
    return float(value)


def words(value: Any) -> list[str]:
    texts = type(value) is list and all(type(word) is str for word in value)
    require(texts and len(set(value)) == len(value), f"{str(value)[:50]} is not a list of different names")
    return value


# ---- Environments. A policy is rows of probabilities, (observations, actions); a row whose sum is not 1 is undefined
def is_defined(rows: Array) -> Array:
    return abs(rows.sum(axis=1) - 1) <= 1e-6


def is_best(rows: Array) -> Array:
    return rows >= rows.max(axis=1, keepdims=True) - TIE


def first_best(rows: Array) -> Array:
    """The actions that `argmax` picks: the first of tied actions."""
    return np.where(is_defined(rows)[:, None], np.eye(rows.shape[1])[is_best(rows).argmax(axis=1)], rows)


def allowed_actions(rows: Array, ties: str) -> Array:
    """The actions that agree with the policy. With `eval` the first of the best; but any of them if they are unequal
    and so close that the order of summation decides which is taken."""
    near, exact = is_best(rows), rows == rows.max(axis=1, keepdims=True)
    clear = (near == exact).all(axis=1, keepdims=True) & (ties == "eval")
    return np.where(clear, first_best(rows) == 1, near)


class View(NamedTuple):
    """The inputs of a policy: groups of atoms, one-hot or not; their truth values are (observations, atoms)."""

    groups: list[tuple[list[str], bool]]
    truth: Array

    @property
    def atoms(self) -> list[str]:
        return [atom for atoms, _ in self.groups for atom in atoms]

    def facts(self, observation: int) -> list[str]:
        return list(itertools.compress(self.atoms, self.truth[observation]))

    def values(self) -> Array:
        """A column per value of a group, (observations, values). A rule's body is a box: some columns of each group."""
        return np.hstack([self.truth, ~self.truth[:, [not one_hot for atoms, one_hot in self.groups for _ in atoms]]])


class Task:
    """The environment, its outcomes as flat arrays."""

    def __init__(self, model: dict[str, Any]) -> None:
        self.actions = words(model["actions"])
        groups = [(words(group["atoms"]), bool(group.get("one_hot", True))) for group in model["groups"]]
        words([atom for atoms, _ in groups for atom in atoms])
        self.view = View(groups, self.read_truth(groups, model["observations"]))
        self.dense = np.array(model.get("dense", []), dtype=np.float32).astype(float)
        size, seen = len(model["states"]), len(self.view.truth)
        self.observation = np.array([whole(state["observation"], seen) for state in model["states"]], dtype=int)
        known = all(state.get("outcomes", {}).keys() <= set(self.actions) for state in model["states"])
        require(known, "a state has an action that is not listed")
        outcomes = [
            (s, a, whole(o["next"], size), real(o.get("p", 1)), real(o.get("reward", 0)), not o.get("terminal", False))
            for s, state in enumerate(model["states"])
            for a, action in enumerate(self.actions)
            for o in state.get("outcomes", {}).get(action, [])
        ]
        require(outcomes and model["starts"], "there is no outcome, or no start")
        self.state, self.action, self.next, self.p, self.reward, self.goes_on = map(np.array, zip(*outcomes))
        starts = [(whole(start["state"], size), real(start.get("p", 1))) for start in model["starts"]]
        self.start = np.bincount(*zip(*starts), size)
        self.set_discount(model.get("discount", 1))
        self.limited = "step_limit" in model
        self.horizon = whole(model["step_limit"], MOST_FLOWS) if self.limited else self.most_steps(size)
        self.check_numbers()

    @staticmethod
    def read_truth(groups: list[tuple[list[str], bool]], observations: list[list[str]]) -> Array:
        place = {atom: k for k, atom in enumerate(atom for atoms, _ in groups for atom in atoms)}
        require(len(observations) * len(place) <= MOST_CELLS, "the environment is too large")
        truth = np.zeros((len(observations), len(place)), dtype=bool)
        for k, facts in enumerate(observations):
            truth[k, [place[fact] for fact in facts]] = True
        for atoms, one_hot in groups:
            counts = truth[:, [place[atom] for atom in atoms]].sum(axis=1)
            require((counts == 1).all() if one_hot else len(atoms) == 1, "not one atom of a one-hot group is true")
        return truth

    def set_discount(self, discount: Any) -> None:
        self.discount = real(discount)
        require(0 < self.discount <= 1, "the discount is not above 0 and at most 1")

    def most_steps(self, size: int) -> int:
        """Without a step limit: as many as there are states if no state comes twice, otherwise as many as affordable."""
        inner = np.array(self.goes_on, dtype=bool)
        left = np.bincount(self.next[inner], minlength=size)  # predecessors
        ready, count = [s for s in range(size) if left[s] == 0], 0
        targets: list[list[int]] = [[] for _ in range(size)]
        for state, target in zip(self.state[inner], self.next[inner]):
            targets[state].append(target)
        while ready:
            count += 1
            for target in targets[ready.pop()]:
                left[target] -= 1
                if left[target] == 0:
                    ready.append(target)
        return size if count == size else max(size, MOST_FLOWS // (len(self.p) + STEP))

    def check_numbers(self) -> None:
        flows = self.horizon * (len(self.p) + STEP)
        require(0 < flows <= MOST_FLOWS, "there are too many steps, or none")
        shape = (len(self.observation), len(self.actions))
        sums = np.bincount(self.state * shape[1] + self.action, self.p, math.prod(shape)).reshape(shape)
        decides = sums.any(axis=1)
        self.offered = np.ones((len(self.view.truth), shape[1]), dtype=bool)  # by observation
        self.offered[self.observation[decides]] = sums[decides] > 0
        same = (self.offered[self.observation[decides]] == (sums[decides] > 0)).all()
        require(same, "states that look the same offer different actions")
        totals = np.append(sums[sums > 0], self.start[decides].sum())
        require((abs(totals - 1) <= TOLERANCE).all() and self.p.min() > 0, "probabilities do not sum to 1")
        require(decides[self.next[self.goes_on]].all(), "an episode goes on in an end")

    def restricted(self, rows: Array) -> Array:
        """The policy conditioned on taking actions that are offered."""
        kept = rows * self.offered
        sums = kept.sum(axis=1, keepdims=True)
        return np.where(is_defined(rows)[:, None] & (sums > 0), kept / np.where(sums > 0, sums, 1), kept)

    def explore(self, taken: Array) -> Array:
        """The observations of all decision states that are visited if `taken` (observations, actions) are possible."""
        followed = self.goes_on & taken[self.observation[self.state], self.action]
        layer = decided = self.start > 0
        for _ in range(min(self.horizon, len(layer)) - 1):
            if not layer.any():
                break
            reached = np.zeros_like(layer)
            reached[self.next[followed & layer[self.state]]] = True
            layer, decided = reached & ~decided, decided | reached
        return np.unique(self.observation[decided])

    def mean_return(self, rows: Array) -> float | None:
        """Exact, step limit included; None if a decision state with an undefined row is visited. Without a limit, the
        steps go on until they no longer count; None if there are too many."""
        undefined = ~is_defined(rows)[self.observation]
        share = rows[self.observation[self.state], self.action] * self.p
        mass, total, steps = self.start, 0.0, 0
        while steps < self.horizon and mass.any():
            if mass[undefined].any():
                return None
            flow = mass[self.state] * share
            total, steps = total + float(flow @ self.reward), steps + 1
            mass = np.bincount(self.next[self.goes_on], self.discount * flow[self.goes_on], len(mass))
            if not self.limited and mass.sum() < NEVER:
                return total
        return total if self.limited or not mass.any() else None


    def optimum(self) -> tuple[Array, float]:
        """The policy that is uniform over the actions with the best return and, among these, the fewest expected steps,
        by backward induction with the whole horizon to go; and its return. The states must agree on the actions."""
        shape = (len(self.observation), len(self.actions))
        row, values, steps = self.state * shape[1] + self.action, np.zeros(shape[0]), np.zeros(shape[0])
        possible = np.bincount(row, minlength=math.prod(shape)).reshape(shape) > 0
        best = possible
        for _ in range(self.horizon):
            gain = self.p * (self.reward + np.where(self.goes_on, self.discount * values[self.next], 0))
            work = self.p * (1 + np.where(self.goes_on, steps[self.next], 0))
            q, cost = (np.bincount(row, flow, math.prod(shape)).reshape(shape) for flow in (gain, work))
            q = np.where(possible, q, -np.inf)
            most = q.max(axis=1, keepdims=True)
            cost = np.where(q >= most - TOLERANCE * np.maximum(1, abs(most)), cost, np.inf)
            fewest = cost.min(axis=1, keepdims=True)
            best = possible & (cost <= fewest + TOLERANCE * np.maximum(1, fewest))
            later = (np.where(possible.any(axis=1), most[:, 0], 0), np.where(possible.any(axis=1), fewest[:, 0], 0))
            change = max(np.abs(before - now).max() / max(1, np.abs(now).max())
                         for before, now in zip((values, steps), later))
            settled = change <= (0 if self.limited else NEVER)
            values, steps = later
            if settled:
                break
        shared = np.ones((len(self.view.truth), shape[1]), dtype=bool)
        reached = np.isin(self.observation, self.explore(np.ones_like(shared))) & possible.any(axis=1)
        np.logical_and.at(shared, self.observation[reached], best[reached])
        require(shared.any(axis=1).all(), "the observations do not determine the best actions")
        return shared / shared.sum(axis=1, keepdims=True), float(self.start @ values)


# ---- Policies
class Rows:
    """A policy that is nothing but its rows."""

    def __init__(self, rows: Array, task: Task) -> None:
        self.rows = self.truth_rows = task.restricted(rows)
        self.view, self.mask, self.shield = task.view, task.offered, None


def read_table(data: bytes, task: Task) -> Array:
    """The rows of a policy file (docs/policy-file.md); those that are not listed are undefined."""
    file = read_json(data)
    require(file.get("format") == "ndnf-policy" and file.get("version") == 1, "this is not a policy file")
    actions = words(file.get("actions", task.actions))
    require(sorted(actions) == sorted(task.actions), "the policy file is for other actions")
    order = [actions.index(action) for action in task.actions]

    def read_row(values: list[Any]) -> list[float]:
        require(len(values) == len(order), "a row has not a number for each action")
        return [real(values[k]) for k in order]

    rows = np.tile(read_row(file["default"]) if "default" in file else [0.0] * len(order), (len(task.view.truth), 1))
    place = {frozenset(task.view.facts(k)): k for k in range(len(task.view.truth))}
    for row in file["rows"]:
        rows[place[frozenset(row["observation"])]] = read_row(row["probabilities"])
    require(((rows >= 0) & (rows <= 1)).all(), "a probability is not from 0 to 1")
    return rows


def product(x: Array, weights: Array) -> Array:
    """x · weightsᵀ, within the limit of MOST_PRODUCTS."""
    size = x.size // max(1, x.shape[-1]) * len(weights)
    require(size <= MOST_CELLS and x.size * len(weights) <= MOST_PRODUCTS, "the model is too large")
    return x @ weights.T


class Network:
    """The policy of a checkpoint: `rows` as it runs, `truth_rows` of its actor on the truth values of `view`.
    `read_shield` returns the actions that its shield allows, (observations, actions)."""

    def __init__(self, data: bytes, task: Task, read_shield: Callable[[str, Task], Array]) -> None:
        metadata = read_json(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]
        groups = [(group["atoms"], group["one_hot"]) for group in read_json(metadata["atoms"])]
        fits = (groups, read_json(metadata["actions"])) == (task.view.groups, task.actions)
        require(fits, "the model is for other atoms or actions than the environment's")
        known = metadata["model"] in ("ndnf-mt", "ndnf", "ndnf-eo", "mlp", "q-table")
        known = known and metadata["version"] in ("1", "2", "3")
        require(known, "the model is of another kind or version")
        self.tensors = {name: tensor.astype(float) for name, tensor in load(data).items()}
        require(all(np.isfinite(tensor).all() for tensor in self.tensors.values()), "a weight is not a number")
        needed = metadata["version"] == "2" or "shield" in metadata and metadata["version"] == "3"
        self.shield: str | None = metadata["shield"] if needed else None
        shape = (len(task.view.truth), len(task.actions))
        self.mask = np.ones(shape, dtype=bool) if self.shield is None else read_shield(self.shield, task)
        self.mask = self.mask & task.offered
        architecture = read_json(metadata.get("architecture", "{}"))
        self.kind, self.actor, encoder = metadata["model"], architecture.get("actor"), architecture.get("encoder")
        falsehood = -1.0 if architecture.get("inputs") == "signed" else 0.0
        x = self.encode(task.dense, encoder) if encoder else np.where(task.view.truth, 1.0, falsehood)
        self.rows = self.truth_rows = self.table(task) if self.kind == "q-table" else self.probabilities(x)
        self.view = View([([f"a_{k}"], False) for k in range(x.shape[1])], x > 0) if encoder else task.view
        if encoder:
            self.truth_rows = self.probabilities(np.where(x > 0, 1.0, -1.0))
        require(self.rows.shape == shape and np.isfinite(self.rows).all(), "the model does not give probabilities")

    def table(self, task: Task) -> Array:
        rows, sizes = np.zeros(self.mask.shape), [(len(atoms), one_hot) for atoms, one_hot in task.view.groups]
        fits = len(self.tensors["q"]) * (task.view.truth.size + STEP) <= MOST_FLOWS
        require(fits and self.tensors["q"].shape[1:] == rows.shape[1:], "the table is too large, or for other actions")
        for values, q in zip(self.tensors["observations"], self.tensors["q"], strict=True):
            shown = zip(values, sizes, strict=True)
            truth = [value == (k if one_hot else 1) for value, (size, one_hot) in shown for k in range(size)]
            where = (task.view.truth == truth).all(axis=1)
            rows[where] = np.eye(len(q))[np.where(self.mask[where], q, -np.inf).argmax(axis=1)]
        return rows

    def layer(self, name: str, x: Array) -> Array:
        weight = self.tensors[f"{name}.weight"]
        bias = self.tensors.get(f"{name}.bias", np.zeros(len(weight)))
        require(bias.shape == weight.shape[:1], f"{name}.bias is not of the size of its layer")
        return product(x, weight.reshape(weight.shape[:2])) + bias

    def encode(self, images: Array, encoder: dict[str, int]) -> Array:
        cells = images.reshape(len(images), encoder["cells"], encoder["image_channels"])
        channels = np.tanh(self.layer("image_encoder.0", cells)).transpose(0, 2, 1)
        return np.tanh(self.layer("extra_layer.0", channels.reshape(len(images), -1)))

    def probabilities(self, x: Array) -> Array:
        activate = ACTIVATIONS[self.actor["activation"]]
        depth = len(self.actor["hidden"]) if self.kind == "mlp" else 0
        for k in range(depth):
            x = activate(self.layer(f"actor.{2 * k}", x))
        raw = self.layer(f"actor.{2 * depth}", x) if self.kind == "mlp" else self.dnf(x, activate)
        raw = np.where(self.mask, raw, -np.inf)
        exponentials = np.exp(raw - raw.max(axis=1, keepdims=True))
        return exponentials / exponentials.sum(axis=1, keepdims=True)

    def dnf(self, x: Array, activate: Callable[[Array], Array]) -> Array:
        conjunctions, disjunctions = (self.tensors[f"actor.{part}junctions.weights"] for part in ("con", "dis"))
        c = activate(product(x, conjunctions) + self.bias(conjunctions))
        d = product(c, disjunctions) - self.bias(disjunctions)
        require(d.shape == self.mask.shape, "the model has not a disjunction for each action")
        constraint = -6 * (1 - np.eye(d.shape[1]))
        return d if self.kind != "ndnf-eo" else np.tanh(d) @ constraint.T + self.bias(constraint)

    def bias(self, weights: Array) -> Array:
        """Eq. (1) of the paper; for type `min`, with the smallest non-zero weight instead of the largest."""
        size = abs(weights)
        least = np.where(size > 0, size, size.max(axis=1, keepdims=True)).min(axis=1)
        extreme = {"min": least, "max": size.max(axis=1)}[self.actor["bias_type"]]
        return self.actor["delta"] * (extreme - size.sum(axis=1))


# ---- Programs: rules with intervals, pools and annotated disjunctions; in shields variables, comparisons and sums, too
COMMENT = {"asp": r"%\*[^%]*\*%|%(?!\*)[^\n]*", "problog": r"/\*(?:(?!/\*|\*/).)*\*/|%[^\n]*"}
NOTE = {"asp": r"#(?:show|defined) \w+/\d|#show", "problog": r"query\(action\(_\)\)"}
NOT = {"asp": r"not ", "problog": r"\\\+ ?"}
WEIGHT = {"asp": r"()", "problog": r"(?:(\d{1,9}(?:\.\d{1,99})?(?:e-\d{1,3})?)::)?"}
NUMBER = r"-?(?:0|[1-9]\d{0,8})"
WORD = rf"(?:{NUMBER}|(?!not\b)[a-z]\w*|[A-Z]\w*|_)"
SUM = rf"{WORD}(?: ?[-+*] ?{WORD})*"
TERM = rf"(?:{NUMBER}\.\.{NUMBER}|{SUM})"


class Atom(NamedTuple):
    """An atom or a comparison."""

    text: str  # for solvers
    values: list[str]  # its ground atoms: hand(4), hand(12) and hand(13) for hand(4;12..13); [] if it is not ground


class Rule(NamedTuple):
    heads: list[tuple[float | None, Atom]]  # one, or the alternatives of an annotated disjunction
    body: list[tuple[bool, Atom]]

    def conditions(self, negation: str) -> str:
        return ", ".join(("" if positive else negation) + atom.text for positive, atom in self.body) or "1 = 1"

    def line(self, negation: str) -> str:
        heads = [("" if weight is None else f"{weight!r}::") + atom.text for weight, atom in self.heads]
        return f"{'; '.join(heads)} :- {self.conditions(negation)}."

    @property
    def head(self) -> str:
        return self.heads[0][1].values[0]


def parts(pattern: str, text: str) -> tuple[str, ...]:
    """The groups of a pattern that matches the whole text. Everything else is rejected."""
    found = re.fullmatch(pattern, text, re.ASCII)
    if not found:
        raise ValueError(f"a program has {text[:50]!r}, which is not in the language that is certified")
    return found.groups("")


def split(text: str, separator: str) -> list[str]:
    """The positions of a separator outside brackets."""
    pieces = re.findall(rf"(?:[^{separator}()]|\([^()]*\))+", text)
    require(pieces and separator.join(pieces) == text, f"a program has {text[:50]!r}, where something is missing")
    return pieces


def coded(text: str) -> str:
    """The name for solvers is x and its bytes, which preserves the order of names: clingo can compare them."""
    return re.sub(r"[A-Za-z]\w*", lambda m: ("x" if m[0][0].islower() else "X") + m[0].encode().hex(), text)


def spread(term: str) -> list[str]:
    low, _, high = term.partition("..")
    return [str(v) for v in range(int(low), min(int(high), int(low) + MOST_VALUES) + 1)] if high else [term]


def read_atom(text: str) -> Atom:
    name, pools = parts(rf"([a-z]\w*)(?:\(({TERM}(?:[,;]{TERM})*)\))?", text)
    require(name not in ("not", "true", "false", "fail") and not name.startswith("ndnf_"), f"{name} is a reserved name")
    choices = itertools.chain(*(itertools.product(*map(spread, pool.split(","))) for pool in pools.split(";")))
    values = [f"{name}({','.join(choice)})" if pools else name for choice in itertools.islice(choices, MOST_VALUES)]
    require(len(values) < MOST_VALUES, f"{name} stands for too many atoms")
    return Atom(coded(text), [] if re.search(r"\b[A-Z_]|\w ?[-+*]", pools) else values)


def read_literal(text: str, language: str) -> tuple[bool, Atom]:
    signs, rest = parts(rf"((?:{NOT[language]})*)(.*)", text)
    positive = len(re.findall(NOT[language], signs)) % 2 == 0
    if language == "asp" and re.search("[<>=]", rest):
        return positive, Atom(coded(" ".join(parts(rf"({SUM})(<=|>=|!=|<|>|=)({SUM})", rest))), [])
    return positive, read_atom(rest)


def read_rule(statement: str, language: str) -> Rule:
    folded = language == "problog" and re.search(r"\.\.|\([^()]*;", statement)
    require(not folded, "intervals and pools mean something else in ProbLog")
    start, arrow, body = statement.partition(":-")
    heads = [parts(WEIGHT[language] + "(.*)", head) for head in split(start, ";")]
    weights = [float(weight) for weight, _ in heads if weight]
    require(len(weights) == len(heads) or len(heads) == 1, "a rule has several heads, but not all have a probability")
    require(sum(weights) <= 1 + TIE, "the probabilities of a rule sum to more than 1")
    literals = [read_literal(literal, language) for literal in split(body, ",")] if arrow else []
    return Rule([(float(weight) if weight else None, read_atom(atom)) for weight, atom in heads], literals)


def read_rules(text: str, language: str) -> list[Rule]:
    plain = re.sub(r"[ \t\r\n]+", " ", re.sub(COMMENT[language], " ", text, flags=re.DOTALL))
    *statements, rest = re.split(r"\.(?= |\Z)", re.sub(r" ?(:-|::|[<>!]?=|[(),;<>]) ?", r"\1", plain))
    parts(" ?", rest)
    rules, atoms = list[Rule](), 0
    for statement in (statement.strip(" ") for statement in statements):
        if not re.fullmatch(NOTE[language], statement, re.ASCII):
            rules.append(read_rule(statement, language))
            atoms += sum(len(atom.values) for _, atom in rules[-1].heads + rules[-1].body)
            require(atoms <= MOST_ATOMS, "a program is too large")
    return rules
