#!/usr/bin/env python3
"""Checks the certificate of an extraction without any code of ndnf: NumPy computes the network, the real clingo or
ProbLog the program. `ndnf extract RUN --certify` writes PROGRAM and CERTIFICATE, `ndnf envs NAME --dump` ENVIRONMENT.
Exit code: 0 if every claim holds, 1 if one does not, 2 if the files cannot be checked. See docs/certificates.md."""

import argparse
import hashlib
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from problog import get_evaluatable
from problog.errors import ProbLogError
from problog.program import PrologString
from safetensors import SafetensorError, safe_open

TOLERANCE = 1e-9  # of what two programs have computed
TIE = 1e-12  # probabilities this close are equal
ACTIVATIONS = {"tanh": np.tanh, "relu": lambda z: np.maximum(z, 0), "step": lambda z: np.where(z >= 0, 1.0, -1.0)}


def fingerprint(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# Policies are rows of probabilities, (observations, actions). A row that does not sum to 1 is undefined.
def is_defined(rows: np.ndarray) -> np.ndarray:
    return abs(rows.sum(axis=1) - 1) <= 1e-6


def best(rows: np.ndarray) -> np.ndarray:
    return rows >= rows.max(axis=1, keepdims=True) - TIE


def first_best(rows: np.ndarray) -> np.ndarray:
    return np.where(is_defined(rows)[:, None], np.eye(rows.shape[1])[best(rows).argmax(axis=1)], rows)


class View(NamedTuple):  # what a policy sees
    atoms: list[str]
    truth: np.ndarray  # (observations, atoms)

    def facts(self, observation: int) -> frozenset[str]:
        return frozenset(itertools.compress(self.atoms, self.truth[observation]))


class Task:
    """The environment of docs/model-file.md, its outcomes as flat arrays."""

    def __init__(self, model: dict[str, Any]) -> None:
        self.actions, states = model["actions"], model["states"]
        self.groups = [(group["atoms"], group.get("one_hot", True)) for group in model["groups"]]
        atoms = [atom for atoms, _ in self.groups for atom in atoms]
        self.view = View(atoms, np.array([np.isin(atoms, facts) for facts in model["observations"]]))
        self.dense = np.array(model.get("dense", []), dtype=np.float32).astype(float)
        self.observation = np.array([state["observation"] for state in states])
        outcomes = [
            (s, a, o["next"], o.get("p", 1), o.get("reward", 0), not o.get("terminal", False))
            for s, state in enumerate(states)
            for a, action in enumerate(self.actions)
            for o in state.get("outcomes", {}).get(action, [])
        ]
        self.state, self.action, self.next, self.p, self.reward, self.goes_on = map(np.array, zip(*outcomes))
        starts = [(start["state"], start.get("p", 1)) for start in model["starts"]]
        self.start = np.bincount(*zip(*starts), len(states))
        self.horizon: int = model.get("step_limit", len(states))

    def explore(self, taken: np.ndarray) -> np.ndarray:
        """The observations of all decisions that come up, if `taken` (observations, actions) are the actions taken."""
        followed = self.goes_on & taken[self.observation[self.state], self.action]
        layer = decided = self.start > 0
        for _ in range(self.horizon - 1):
            reached = np.zeros_like(layer)
            reached[self.next[followed & layer[self.state]]] = True
            layer, decided = reached & ~decided, decided | reached
        return np.unique(self.observation[decided])

    def mean_return(self, rows: np.ndarray) -> float | None:
        """Exact, step limit included; nothing if a decision comes up for which the row is undefined."""
        undefined = ~is_defined(rows)[self.observation]
        share = rows[self.observation[self.state], self.action] * self.p
        mass, total = self.start, 0.0
        for _ in range(self.horizon):
            if mass[undefined].any():
                return None
            flow = mass[self.state] * share
            total += float(flow @ self.reward)
            mass = np.bincount(self.next[self.goes_on], flow[self.goes_on], len(mass))
        return total


class Network:
    """The policy of docs/checkpoint.md: `rows` are its own, `wanted` those of what is extracted, which sees `view`."""

    def __init__(self, file: Path, task: Task, inputs: str) -> None:
        with safe_open(file, framework="np") as opened:
            metadata = opened.metadata()
            self.tensors = {name: opened.get_tensor(name).astype(float) for name in opened.keys()}
        groups = [(group["atoms"], group["one_hot"]) for group in json.loads(metadata["atoms"])]
        if metadata["version"] != "1" or (groups, json.loads(metadata["actions"])) != (task.groups, task.actions):
            raise ValueError("the model has a shield, which is not checked here, or other atoms or actions")
        self.kind, self.view = metadata["model"], task.view
        architecture = json.loads(metadata.get("architecture", "{}"))
        self.actor, encoder = architecture.get("actor"), architecture.get("encoder")
        falsehood = -1.0 if architecture.get("inputs") == "signed" else 0.0
        x = self.encode(task.dense, encoder) if encoder else np.where(task.view.truth, 1.0, falsehood)
        self.rows = self.wanted = self.table(task) if self.kind == "q-table" else self.probabilities(x)
        if inputs == "predicates":  # rules are over the truth values of the encoder's outputs
            self.view = View([f"a_{k}" for k in range(x.shape[1])], x > 0)
            self.wanted = self.probabilities(np.where(x > 0, 1.0, -1.0))

    def table(self, task: Task) -> np.ndarray:
        rows = np.zeros((len(task.view.truth), len(task.actions)))
        for values, q in zip(self.tensors["observations"], self.tensors["q"]):
            truth = [v == (k if one_hot else 1) for v, (g, one_hot) in zip(values, task.groups) for k in range(len(g))]
            rows[(task.view.truth == truth).all(axis=1)] = np.eye(len(q))[q.argmax()]
        return rows

    def layer(self, name: str, x: np.ndarray) -> np.ndarray:
        weight = self.tensors[f"{name}.weight"]
        return x @ weight.reshape(weight.shape[:2]).T + self.tensors.get(f"{name}.bias", 0.0)

    def encode(self, images: np.ndarray, encoder: dict[str, int]) -> np.ndarray:
        cells = images.reshape(len(images), encoder["cells"], encoder["image_channels"])
        channels = np.tanh(self.layer("image_encoder.0", cells)).transpose(0, 2, 1)
        return np.tanh(self.layer("extra_layer.0", channels.reshape(len(images), -1)))

    def probabilities(self, x: np.ndarray) -> np.ndarray:
        activate = ACTIVATIONS[self.actor["activation"]]
        depth = len(self.actor["hidden"]) if self.kind == "mlp" else 0
        for k in range(depth):
            x = activate(self.layer(f"actor.{2 * k}", x))
        raw = self.layer(f"actor.{2 * depth}", x) if self.kind == "mlp" else self.dnf(x, activate)
        exponentials = np.exp(raw - raw.max(axis=1, keepdims=True))
        return exponentials / exponentials.sum(axis=1, keepdims=True)

    def dnf(self, x: np.ndarray, activate: Any) -> np.ndarray:
        conjunctions, disjunctions = (self.tensors[f"actor.{part}junctions.weights"] for part in ("con", "dis"))
        c = activate(x @ conjunctions.T + self.bias(conjunctions))
        d = c @ disjunctions.T - self.bias(disjunctions)
        constraint = -6 * (1 - np.eye(d.shape[1]))
        return d if self.kind != "ndnf-eo" else np.tanh(d) @ constraint.T + self.bias(constraint)

    def bias(self, weights: np.ndarray) -> np.ndarray:
        """Eq. (1) of the paper; of type `min`, with the smallest weight that is not 0 instead of the largest."""
        size = abs(weights)
        least = np.where(size > 0, size, size.max(axis=1, keepdims=True)).min(axis=1)
        extreme = {"min": least, "max": size.max(axis=1)}[self.actor["bias_type"]]
        return self.actor["delta"] * (extreme - size.sum(axis=1))


def unfolded(literal: str) -> set[str]:
    """The atoms of a literal: hand(4), hand(12) and hand(13) of hand(4;12..13)."""
    atom = re.sub(r"^(not |\\\+ ?)", "", literal)
    match = re.fullmatch(r"(\w+)\(([\d.;]+)\)", atom)
    runs = [run.split("..") for run in match[2].split(";")] if match else []
    return {f"{match[1]}({v})" for run in runs for v in range(int(run[0]), int(run[-1]) + 1)} if match else {atom}


class Program:
    """The rules of docs/programs.md, and what the real solver makes of them."""

    def __init__(self, text: str, asp: bool, view: View) -> None:
        self.text, self.asp, self.view = text, asp, view
        block = r"%\*.*?\*%" if asp else r"/\*.*?\*/"
        plain = re.sub(rf"""("[^"]*"|'[^']*')|{block}|%[^\n]*""", lambda m: m[1] or " ", text, flags=re.DOTALL)
        clauses = [" ".join(c.split()) for c in re.split(r"(?<!\.)\.(?!\.)(?!(?<=\d\.)\d)", plain)]
        silent = r"#(show|defined) [\w/]+" if asp else r"query\([^:]*\)"
        rules = [c.partition(":-") for c in clauses if c and not re.fullmatch(silent, c)]
        self.heads = [[h.strip() for h in head.split(";")] for head, _, _ in rules]
        self.bodies = [[unfolded(part.strip()) for part in re.split(r",(?![^()]*\))", b) if part] for _, _, b in rules]
        heads = {head.split("::")[-1] for alternatives in self.heads for head in alternatives}
        known = {head for head in heads if re.fullmatch(r"[a-z]\w*(\([^#{}]*\))?", head)} | set(view.atoms)
        strange = heads.union(*itertools.chain(*self.bodies)) - known
        if strange:  # the solver is to run nothing but plain rules
            raise ValueError(f"{min(strange)} is no atom, or neither observed nor the head of a rule")

    def rows(self, actions: list[str], where: np.ndarray) -> np.ndarray:
        heads = [f"action({action})" for action in actions]
        answers = self.ask_clingo(where) if self.asp else [self.ask_problog(heads, k) for k in where]
        rows = np.zeros((len(self.view.truth), len(actions)))  # 0 where not asked
        rows[where] = [[answer.get(head, 0) for head in heads] for answer in answers]
        return rows

    def ask_clingo(self, where: np.ndarray) -> list[dict[str, float]]:
        """All observations in one call: each is an answer set of its own."""
        lines = [self.text, "#show action/1. #show seen__/1.", "1 {%s} 1." % "; ".join(f"seen__({k})" for k in where)]
        lines += [f"{atom} :- seen__({k})." for k in where for atom in self.view.facts(k)]
        run = subprocess.run(["clingo", "--outf=2", "0"], input="\n".join(lines), text=True, capture_output=True)
        answers = [dict.fromkeys(one["Value"], 1.0) for one in json.loads(run.stdout)["Call"][0].get("Witnesses", [])]
        by_number = {int(atom[7:-1]): one for one in answers for atom in one if atom.startswith("seen__")}
        if not len(answers) == len(by_number) == len(where):
            raise ValueError(run.stderr.strip() or "the program has no answer set for an observation, or several")
        return [by_number[k] for k in where]

    def ask_problog(self, heads: list[str], k: int) -> dict[str, float]:
        lines = [self.text] + [f"{head} :- fail.\nquery({head})." for head in heads]
        lines += [f"{a}." if true else f"{a} :- fail." for a, true in zip(self.view.atoms, self.view.truth[k])]
        program = get_evaluatable().create_from(PrologString("\n".join(lines)))
        return {str(term): p for term, p in program.evaluate().items()}

    def sizes(self) -> dict[str, int]:
        actions, annotated = (sum(part in head[0] for head in self.heads) for part in ("action(", "::"))
        sizes = {"rules": len(self.heads), "action_rules": actions, "annotated_disjunctions": annotated}
        folded = any(len(atoms) > 1 for body in self.bodies for atoms in body)  # claimed are the literals before
        return sizes if folded else sizes | {"literals": sum(map(len, self.bodies))}


def agreement(rows: np.ndarray, wanted: np.ndarray, asp: bool) -> dict[str, Any]:
    agrees = is_defined(rows) & (best(wanted) & (first_best(rows) == 1)).any(axis=1)
    max_dp = float(not agrees.all()) if asp else float(abs(rows - wanted).max())
    counts = {"observations": len(rows), "disagreements": int((~agrees).sum())}
    return counts | {"max_dp": max_dp, "exactly_one": bool(is_defined(rows).all())}


def flaw(witnesses: list[list[list[str]]], view: View, wanted: np.ndarray, epsilon: float | None) -> str:
    """Why the witnesses prove nothing, if so: two share a rule if it can hold in both; epsilon is given for ProbLog."""
    place = {view.facts(k): k for k in range(len(view.truth))}
    if len(witnesses) != (wanted.shape[1] if epsilon is None else 1):
        return "there is not one list for each action"
    for action, observations in enumerate(witnesses):
        rows = [place.get(frozenset(facts)) for facts in observations]
        if None in rows:
            return "one is not reachable"
        if epsilon is None and any(best(wanted)[k].nonzero()[0].tolist() != [action] for k in rows):
            return "another action is as good for one of them"
        for i, j in itertools.combinations(rows, 2):
            low, high = view.truth[i] & view.truth[j], view.truth[i] | view.truth[j]
            box = ((low <= view.truth) & (view.truth <= high)).all(axis=1)
            near = epsilon is not None and abs(wanted[i] - wanted[j]).max() <= 2 * epsilon - TIE
            if near or (epsilon is None and best(wanted)[box, action].all()):
                return f"{sorted(view.facts(i))} and {sorted(view.facts(j))} can share a rule"
    return ""


def same(claimed: Any, true: Any) -> bool:
    if isinstance(true, dict):
        return all(same(claimed[key], value) for key, value in true.items())
    return type(claimed) is type(true) and (claimed == true or type(true) is float and abs(claimed - true) <= TOLERANCE)


def check(model: Path, program: Path, certificate: Path, environment: Path, say: Any = print) -> bool:
    """Computes what the certificate should claim, and says of each claim whether it does."""
    claims, task = json.loads(certificate.read_text()), Task(json.loads(environment.read_text()))
    if claims["version"] != 2:
        raise ValueError("the certificate was made by an older version: extract again")
    asp, epsilon, bound = claims["as"] == "asp", claims["epsilon"], claims["lower_bound"]
    network, logic = Network(model, task, claims["over"]), Program(program.read_text(), asp, task.view)
    wanted, picked = network.wanted, first_best if asp else np.array
    reachable, visited = task.explore(np.ones(wanted.shape, dtype=bool)), task.explore(picked(wanted) > 0)
    rows = logic.rows(task.actions, reachable)
    p, q = wanted[reachable], rows[reachable]
    truth = {"fingerprints": {"model": fingerprint(model.read_bytes()), "program": fingerprint(program.read_bytes())}}
    truth |= agreement(q, p, asp) | {"visited": agreement(rows[visited], wanted[visited], asp)} | logic.sizes()
    close = truth["disagreements"] == 0 if asp else truth["max_dp"] <= epsilon + TIE
    truth["faithful"] = close and truth["exactly_one"]
    truth["kl"] = 0.0 if asp else float((p * np.log(np.maximum(p, 1e-300) / np.maximum(q, 1e-12))).sum(axis=1).mean())
    truth["return_network"], truth["return_program"] = task.mean_return(picked(network.rows)), task.mean_return(rows)
    changed = (first_best(network.rows) != first_best(wanted)).any(axis=1)
    truth["changed_by_discretisation"] = int(changed[reachable].sum())
    [chosen] = [method for method in claims["methods"] if method["method"] == claims["method"]]
    witnesses, size = claims["witnesses"]["sets"], truth["action_rules" if asp else "annotated_disjunctions"]
    wrong = flaw(witnesses, View(network.view.atoms, network.view.truth[reachable]), p, None if asp else epsilon)
    proved, possible = sum(map(len, witnesses)), bound <= size or not truth["faithful"]
    believed = claims["witnesses"]["proof"] == "clingo" and possible
    truth["lower_bound"] = max(proved, bound) if believed else proved
    bodies = [body for head, body in zip(logic.heads, logic.bodies) if "action(" in head[0]]
    direct = set().union(*itertools.chain(*bodies)) <= set(network.view.atoms)  # the bound for ASP knows no helpers
    truth["proved_minimal"] = truth["faithful"] and size == bound and (direct or not asp)
    say(f"FAILED witnesses: {wrong}" if wrong else f"ok     witnesses: no two of the {proved} can share a rule")
    for name, true in truth.items():
        holds = same(claims[name], true) and same(chosen.get(name, true), true)
        say(f"ok     {name}: {true}" if holds else f"FAILED {name}: {claims[name]} is claimed, {true} is true")
        wrong = wrong or ("" if holds else name)
    searched = [f"lower_bound beyond {proved}, found by clingo"] if truth["lower_bound"] != proved else []
    say(f"not checked: {', '.join(searched + [name for name in claims if name not in (*truth, 'witnesses')])}")
    return not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("MODEL", "PROGRAM", "CERTIFICATE", "ENVIRONMENT"):
        parser.add_argument(name, type=Path)
    try:
        return 0 if check(*vars(parser.parse_args()).values()) else 1
    except (OSError, LookupError, TypeError, ValueError, ProbLogError, SafetensorError) as error:
        print(f"cannot be checked: {type(error).__name__}: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
