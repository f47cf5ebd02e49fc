#!/usr/bin/env python3
"""Checks the certificate of an extraction without any code of ndnf: NumPy computes the network, the real clingo or
ProbLog the program. `ndnf extract POLICY --certify` writes PROGRAM and CERTIFICATE, `ndnf envs NAME --dump` ENVIRONMENT.
MODEL is the network's .safetensors file, the policy file or program that was extracted, `optimal` or `uniform`.
Exit code: 0 if every claim holds, 1 if one does not or cannot be verified, 2 if the files cannot be read. No text of
a file reaches a solver: programs are read by the strict grammar of ndnf_files.py and printed again with encoded names.
See docs/certificates.md."""

import argparse
import contextlib
import ctypes
import graphlib
import hashlib
import itertools
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from ndnf_files import PROGRAM_BYTES, TIE, TOLERANCE, Array, Network, Rows, Rule, Task, View, allowed_actions, coded
from ndnf_files import first_best, is_defined, read, read_atom, read_json, read_rules, read_table, require

MOST_BOXES = 8_000  # maximal boxes of an action
MOST_COMPARISONS = 1 << 38  # of boxes or witnesses, in total
SOLVER_SECONDS, SOLVER_BYTES, ANSWER_BYTES = 600, 1 << 32, 1 << 28
CLASSES = {"exactly-one": "E", "default": "D", "list": "L", "annotated-disjunctions": "P"}  # by form


# ---- Solvers: in an empty folder, without our environment and network; their time, memory and output are limited
def confine() -> None:
    """Runs in the new process. User and network namespaces are not available everywhere."""
    unshare = getattr(ctypes.CDLL(None), "unshare", None)
    if unshare:
        unshare(0x10000000 | 0x40000000)
    for kind, most in ((resource.RLIMIT_AS, SOLVER_BYTES), (resource.RLIMIT_FSIZE, ANSWER_BYTES),
                       (resource.RLIMIT_CPU, SOLVER_SECONDS), (resource.RLIMIT_CORE, 0)):  # fmt: skip
        resource.setrlimit(kind, (most, most))


def run_solver(command: list[str], text: str) -> str:
    """The solver's output. Its whole process group ends with it. clingo finds no Python to run scripts with."""
    script = Path(command[0]).read_bytes()[:2] == b"#!" or command[0] == sys.executable
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as question, tempfile.TemporaryFile() as out:
        question.write(text.encode())
        question.seek(0)
        streams: dict[str, Any] = {"stdin": question, "stdout": out, "stderr": subprocess.DEVNULL}
        place: dict[str, Any] = {"cwd": folder, "env": {} if script else {"PYTHONHOME": "/dev/null"}}
        solver = subprocess.Popen(command, preexec_fn=confine, start_new_session=True, **streams, **place)
        try:
            solver.wait(SOLVER_SECONDS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(solver.pid, signal.SIGKILL)
            solver.wait()
        require(out.seek(0, os.SEEK_END) < ANSWER_BYTES, "the answer of a solver is too long")
        out.seek(0)
        return out.read().decode()


def run_clingo(lines: list[str], *options: str) -> dict[str, Any]:
    clingo = shutil.which("clingo")
    require(clingo, "there is no clingo in the search path")
    answer = run_solver([str(clingo), "--outf=2", "--warn=none", *options], "\n".join(lines))
    require(answer.strip(), "clingo gives no answer")
    return read_json(answer)


def ask_clingo(rules: list[Rule], queries: list[str], view: View, where: Any) -> Array:
    """Which of the queries, bodies of rules, hold: (observations, queries). Each observation has one answer set."""
    lines = [rule.line("not ") for rule in rules] + [f"q({k}) :- {query}." for k, query in enumerate(queries)]
    lines += [f"{coded(fact)} :- o({k})." for k, observation in enumerate(where) for fact in view.facts(observation)]
    lines += ["1 {o(0..%d)} 1. #show o/1. #show q/1." % (len(where) - 1)]
    answers = run_clingo(lines, f"--models={len(where) + 1}")["Call"][0].get("Witnesses", [])
    shown = [[(atom[0], int(atom[2:-1])) for atom in answer["Value"]] for answer in answers]
    found = [k for atoms in shown for name, k in atoms if name == "o"]
    require(sorted(found) == list(range(len(where))), "a program has no answer set for an observation, or several")
    holds = np.zeros((len(where), len(queries)), dtype=bool)
    for k, atoms in zip(found, shown):
        holds[k, [query for name, query in atoms if name == "q"]] = True
    return holds


PROBLOG = """import json, sys
from problog import get_evaluatable
from problog.program import PrologString
rules, observations = json.load(sys.stdin)
for facts in observations:
    answer = get_evaluatable().create_from(PrologString(rules + facts)).evaluate()
    print(json.dumps({str(term): float(p) for term, p in answer.items()}))"""


# ---- Programs
def allowed_by(shield: str, task: Task) -> Array:
    """The actions that a shield (docs/shields.md) allows: (observations, actions)."""
    rules, observed = read_rules(shield, "asp"), {coded(atom).partition("(")[0] for atom in task.view.atoms}
    concluded = {atom.text.partition("(")[0] for rule in rules for _, atom in rule.heads}
    require(not observed & concluded, "the shield concludes what is observed")
    bans = [coded(f"forbidden({action})") for action in task.actions]
    return ~ask_clingo(rules, bans, task.view, range(len(task.view.truth)))


class Program:
    """A ground program for a task, and its evaluation by the real solvers in the observations `where`."""

    def __init__(self, text: str, language: str, task: Task, where: Array) -> None:
        self.asp, self.view, self.where, self.rules = language == "asp", task.view, where, read_rules(text, language)
        self.actions, needs = [f"action({action})" for action in task.actions], dict[str, set[str]]()
        for heads, body in self.rules:
            ground = all(len(atom.values) == 1 for _, atom in heads) and all(atom.values for _, atom in body)
            require(ground, "a rule is not ground; what is certified is the ground form")
            for weight, [head] in ((weight, atom.values) for weight, atom in heads):
                needs.setdefault(head, set()).update(*(atom.values for _, atom in body))
                plain = weight is None and not head.startswith("action(")
                require(plain or head in self.actions, f"{head} is not an action of the environment")
        observed, self.used = set(self.view.atoms), set[str]().union(*needs.values())
        strange = (self.used - observed - needs.keys()) | (observed & needs.keys())
        require(not strange, f"{min(strange, default='')} is both observed and concluded, or neither")
        graphlib.TopologicalSorter(needs).prepare()  # raises an error if an atom depends on itself
        self.deciding = [rule for rule in self.rules if rule.head in self.actions]
        self.helpers = [rule for rule in self.rules if rule.head not in self.actions]

    def ask(self, queries: list[str]) -> Array:
        return ask_clingo(self.rules if self.asp else self.helpers, queries, self.view, self.where)

    def rows(self) -> Array:
        rows = np.zeros((len(self.view.truth), len(self.actions)))  # 0 where not asked
        queries = [coded(action) for action in self.actions]
        rows[self.where] = self.ask(queries) if self.asp else self.ask_problog(queries)
        return rows

    def ask_problog(self, queries: list[str]) -> Array:
        lines = [f"{query} :- fail. query({query})." for query in queries]
        lines += [rule.line("\\+ ") for rule in self.rules] + [""]
        atoms = [atom for atom in self.view.atoms if atom in self.used]
        seen = self.view.truth[self.where][:, [atom in self.used for atom in self.view.atoms]]
        different, index = np.unique(seen, axis=0, return_inverse=True)
        facts = [[coded(atom) + ("." if true else " :- fail.") for atom, true in zip(atoms, row)] for row in different]
        question = json.dumps(["\n".join(lines), ["\n".join(own) for own in facts]])
        answers = run_solver([sys.executable, "-I", "-c", PROBLOG], question).splitlines()
        require(len(answers) == len(different), "ProbLog refuses the program")
        return np.array([[read_json(answer)[query] for query in queries] for answer in answers])[index]

    def sizes(self) -> dict[str, int]:
        annotated = sum(rule.heads[0][0] is not None for rule in self.rules)
        sizes = {"rules": len(self.rules), "action_rules": len(self.deciding), "annotated_disjunctions": annotated}
        folded = any(len(atom.values) > 1 for rule in self.rules for _, atom in rule.body)  # then counted before
        return sizes if folded else sizes | {"literals": sum(len(rule.body) for rule in self.rules)}

    def is_in(self, kind: str, view: View) -> bool:
        """Whether it belongs to a class (docs/certificates.md), over the atoms of the view."""
        if kind == "P":
            fires = self.ask([rule.conditions("not ") for rule in self.deciding])
            return not self.used & set(self.actions) and all(map(self.decides_once, fires))
        boxes, defaults = list[Rule](), list[Rule]()
        for rule in self.deciding:
            is_default = kind == "D" and (not rule.body or rule.body[0][1].values[0] in self.actions)
            (defaults if is_default else boxes).append(rule)
        if kind == "D":
            others = sorted({rule.head for rule in boxes})
            negated = sorted(atom.values[0] for rule in defaults for positive, atom in rule.body if not positive)
            if len(defaults) != 1 or len(defaults[0].body) != len(others) or negated != others:
                return False
        return kind == "L" or (all(is_box(rule, view) for rule in boxes) and self.defines(view))

    def decides_once(self, fires: Array) -> bool:
        """Whether one complete annotated disjunction decides, or plain rules for one action."""
        heads = [rule.heads for rule in itertools.compress(self.deciding, fires)]
        if len(heads) == 1 and heads[0][0][0] is not None:
            return abs(sum(weight or 0 for weight, _ in heads[0]) - 1) <= TOLERANCE
        return all(own[0][0] is None for own in heads) and len({own[0][1].text for own in heads}) == 1

    def defines(self, view: View) -> bool:
        """Whether all helper atoms are atoms of the view, with the same truth values."""
        defined = {rule.head for rule in self.helpers}
        columns = [atom in defined for atom in view.atoms]
        means = self.ask([coded(atom) for atom in itertools.compress(view.atoms, columns)])
        return sum(columns) == len(defined) and bool((means == view.truth[self.where][:, columns]).all())


def is_box(rule: Rule, view: View) -> bool:
    """Whether the body is a box: one set of values for each group."""
    group = {atom: k for k, (atoms, _) in enumerate(view.groups) for atom in atoms}
    groups = [{group.get(value) for value in atom.values} for _, atom in rule.body]
    plain = all(positive or len(atom.values) == 1 for positive, atom in rule.body)
    return plain and all(len(own) == 1 and None not in own for own in groups)


# ---- Bounds. `values` are rows of View.values(); `allowed` (rows, actions): the actions that do as the network does
class NotProved(Exception):
    """A bound could not be verified."""


def check_fooling_set(values: Array, allowed: Array, action: int, rows: list[int]) -> None:
    """No two of these rows can share a rule for the action: the smallest box around both holds a row without it."""
    if len(rows) ** 2 * values.size > MOST_COMPARISONS:
        raise NotProved("there are too many witnesses to compare")
    for i, j in itertools.product(rows, rows):
        box = ~(values & ~(values[i] | values[j])).any(axis=1)
        if allowed[i].nonzero()[0].tolist() != [action] or (i != j and allowed[box, action].all()):
            raise NotProved("two witnesses can share a rule, or are of another action")


def maximal(sets: Array) -> Array:
    """The sets that no other one contains: (sets, elements)."""
    sets = np.unique(sets, axis=0)
    return sets[((sets.astype(np.float32) @ (~sets).T.astype(np.float32)) == 0).sum(axis=1) == 1]


def maximal_boxes(values: Array, inside: Array) -> Array:
    """The rows in each maximal box that contains only rows of `inside`: (boxes, rows). The first box contains
    everything; each row to exclude then splits the boxes that contain it, along every group by its value there."""
    boxes, comparisons = np.ones((1, values.shape[1]), dtype=bool), 0
    for row in values[~inside]:
        hit = boxes[:, row].all(axis=1)
        cut = np.repeat(boxes[hit], row.sum(), axis=0)
        cut[np.arange(len(cut)), np.tile(row.nonzero()[0], hit.sum())] = False
        useful = ((~cut).astype(np.float32) @ values[inside].T == 0).any(axis=1)
        boxes = np.vstack([boxes[~hit], cut[useful]])
        comparisons += len(cut) * values.size + len(boxes) ** 2 * values.shape[1]
        if len(boxes) > MOST_BOXES or comparisons > MOST_COMPARISONS:
            raise NotProved("there are too many boxes to compare")
        boxes = maximal(boxes)
    return (~boxes).astype(np.float32) @ values.T == 0


def fewest(sets: Array, conflicts: int) -> int:
    """The size of a minimum cover of all elements by the sets (sets, elements)."""
    if not sets.any(axis=0).all():
        raise NotProved("no program over these atoms does what the network does")
    lines = ["{c(0..%d)}. #minimize {1,S : c(S)}." % (len(sets) - 1)]
    for holders in ~maximal(~sets.T):  # an element whose sets include those of another is covered if that one is
        lines.append(f":- {', '.join(f'not c({k})' for k in holders.nonzero()[0])}.")
    answer = run_clingo(lines, "--opt-strategy=usc", f"--solve-limit={conflicts}")
    if answer["Result"] != "OPTIMUM FOUND":
        raise NotProved("clingo does not prove it within the limit")
    return answer["Models"]["Costs"][0]


PLACEMENT = """1 {does(B,A) : action(A)} 1 :- box(B).
{in(B,V) : value(V)} :- box(B).
out(B,R) :- box(B), shows(R,V), not in(B,V).
takes(R,A) :- does(B,A), row(R), not out(B,R).
:- takes(R,A), not allowed(R,A).
:- takes(R,A), takes(R,C), A < C.
:- row(R), not takes(R,A) : action(A).
:- does(B,A), does(B+1,C), A > C, B >= pinned."""


class Bound(NamedTuple):
    """How many rules these rows need, with a limit of conflicts for each question to clingo."""

    values: Array
    allowed: Array
    fooling: list[list[int]]  # per action
    conflicts: int

    def fewest(self, needed: Array, *actions: int) -> int:
        """The number of boxes of these actions that cover all required rows; boxes of several actions may overlap."""
        if not needed.any():
            return 0
        boxes = np.vstack([maximal_boxes(self.values, self.allowed[:, action]) for action in actions])
        return fewest(boxes[:, needed], self.conflicts)

    def cover(self, action: int) -> int:
        return self.fewest(self.allowed[:, action] & (self.allowed.sum(axis=1) == 1), action)

    def of_class_d(self) -> int:
        """One action is the default: it covers the rows in no box."""
        actions = range(self.allowed.shape[1])
        return 1 + min(self.fewest(~self.allowed[:, d], *(a for a in actions if a != d)) for d in actions)

    def of_class_e(self, claimed: int) -> int:
        """If actions tie, only one may hold. This is used only if the bound is too low without it."""
        least = self.fewest(np.ones(len(self.values), dtype=bool), *range(self.allowed.shape[1]))
        tied = (self.allowed.sum(axis=1) > 1).any()
        return claimed if least < claimed and tied and self.is_impossible(claimed - 1) else least

    def is_impossible(self, count: int) -> bool:
        """Whether no `count` boxes give each row exactly one allowed action. Each witness has its own box."""
        pinned = [(action, row) for action, rows in enumerate(self.fooling) for row in rows]
        sizes = zip(("box", "action", "row", "value"), (count, self.allowed.shape[1], *self.values.shape))
        lines = [PLACEMENT, f"#const pinned={len(pinned)}."] + [f"{name}(0..{size - 1})." for name, size in sizes]
        lines += [f"does({k},{action}). in({k},V) :- shows({row},V)." for k, (action, row) in enumerate(pinned)]
        for name, table in (("shows", self.values), ("allowed", self.allowed)):
            lines += [f"{name}({row},{column})." for row, column in np.argwhere(table)]
        return run_clingo(lines, f"--solve-limit={self.conflicts}")["Result"] == "UNSATISFIABLE"


def located(witnesses: list[list[list[str]]], place: dict[frozenset[str], int]) -> list[list[int]]:
    found = [[place.get(frozenset(facts), -1) for facts in observations] for observations in witnesses]
    if any(-1 in rows or len(set(rows)) < len(rows) for rows in found):
        raise NotProved("a witness is not reachable, or stands twice")
    return found


# ---- Claims
class Checker:
    """What the certificate should claim, all computed independently: `truth`. `notes` are for the reader."""

    def __init__(self, model: bytes, program: bytes, claims: dict[str, Any], task: Task, conflicts: int) -> None:
        self.claims, self.task, self.conflicts, self.notes = claims, task, conflicts, list[str]()
        self.asp, self.ties, self.epsilon = claims["as"] == "asp", claims["ties"], claims["epsilon"]
        require(self.ties in ("eval", "free") and type(self.epsilon) is float, "ties or epsilon have no meaning")
        for name in task.view.atoms + task.actions:
            plain = read_atom(name).values == [name] and name.partition("(")[0] not in ("action", "forbidden")
            require(plain, f"{name} is not a plain name of an atom or action")
        self.optimum: float | None = None
        self.network = self.read_policy(model)
        self.view = {"atoms": task.view, "predicates": self.network.view}[claims["over"]]
        require(claims["over"] == "atoms" or self.view is not task.view, "the network has no predicates")
        self.reachable = task.explore(np.ones(self.network.rows.shape, dtype=bool))
        require(is_defined(self.network.rows[self.reachable]).all(), "the network does not decide everywhere")
        self.program = Program(program.decode(), claims["as"], task, self.reachable)
        self.rows = task.restricted(self.program.rows())
        prints = {"model": hashlib.sha256(model).hexdigest(), "program": hashlib.sha256(program).hexdigest()}
        self.truth: dict[str, Any] = {"select": "argmax" if self.asp else "sample", "scope": "reachable",
                                      "fingerprints": prints}
        self.truth |= self.program.sizes()
        self.judge_meaning()
        self.judge_size()

    def read_policy(self, model: bytes) -> Network | Rows:
        """What the program was extracted from: a checkpoint, a table, a program, or a word."""
        everywhere = np.arange(len(self.task.view.truth))
        if model == b"uniform":
            return Rows(self.task.offered / self.task.offered.sum(axis=1, keepdims=True), self.task)
        if model == b"optimal":
            require(self.ties == "free", "the optimal policy can be checked with free ties only")
            rows, self.optimum = self.task.optimum()
            return Rows(rows, self.task)
        if model[8:9] == b"{" and model[6:8] == b"\0\0":
            return Network(model, self.task, allowed_by)
        if model.lstrip()[:1] == b"{":
            return Rows(read_table(model, self.task), self.task)
        return Rows(Program(model.decode(), self.claims["as"], self.task, everywhere).rows(), self.task)

    def compare(self, wanted: Array, where: Array) -> tuple[bool, dict[str, Any]]:
        """Whether the program is faithful to these rows, and the figures about the differences."""
        p, q = wanted[where], self.rows[where]
        agrees = is_defined(q) & (allowed_actions(p, self.ties) & (first_best(q) == 1)).any(axis=1)
        defined, same_action, furthest = bool(is_defined(q).all()), bool(agrees.all()), float(abs(p - q).max())
        close = furthest <= self.epsilon + TIE and not ((p == 0) & (q > 0)).any()  # probabilities of 0 stay 0
        counts = {"observations": len(q), "disagreements": int((~agrees).sum()), "exactly_one": defined}
        max_dp = {"max_dp": float(not same_action) if self.asp else furthest}
        return defined and bool(same_action if self.asp else close), counts | max_dp

    def judge_meaning(self) -> None:
        network, pick = self.network, first_best if self.asp else np.array
        shown = network.rows if self.view is self.task.view else network.truth_rows  # of the actor on the rules' inputs
        faithful, figures = self.compare(network.rows, self.reachable)
        nearly, truth_figures = self.compare(shown, self.reachable)
        visited = self.task.explore(pick(network.rows) > 0)
        p, q = network.rows[self.reachable], self.rows[self.reachable]
        divergence = p * np.log(np.maximum(p, 1e-300) / np.maximum(q, 1e-12))
        changed = (first_best(network.rows) != first_best(shown)).any(axis=1)[self.reachable]
        self.truth |= figures | {
            "faithful": faithful,
            "faithful_to": "network" if faithful else "truth-values" if nearly else "nothing",
            "visited": self.compare(network.rows, visited)[1],
            "kl": 0.0 if self.asp else float(divergence.sum(axis=1).mean()),
            "return_network": self.task.mean_return(pick(network.rows)) if self.optimum is None else self.optimum,
            "return_program": self.task.mean_return(self.rows),
            "return_discretised": self.task.mean_return(pick(shown)),
            "changed_by_discretisation": int(changed.sum()),
        }
        if self.view is not self.task.view:
            self.truth["disagreements_truth_values"] = truth_figures["disagreements"]
        if self.optimum is not None:
            self.truth["optimal"] = same(self.truth["return_program"], self.optimum)
        if "shield" in self.claims or network.shield is not None:
            claimed = allowed_by(self.claims["shield"], self.task) if "shield" in self.claims else np.array(False)
            right = network.shield is not None and np.array_equal(claimed & self.task.offered, network.mask)
            self.truth["shield"] = self.claims["shield"] if right else network.shield
        if self.asp and (unclear := int((allowed_actions(p, "eval").sum(axis=1) > 1).sum())):
            self.notes.append(f"best actions within {TIE}, of which any is accepted: in {unclear} observations")

    def judge_size(self) -> None:
        kind, bound = CLASSES[self.claims["form"]], self.claims["lower_bound"]
        require((kind == "P") != self.asp, "the form does not go with the language")
        require(bound is None or type(bound) is int, "lower_bound is not a whole number")
        member = self.program.is_in(kind, self.view)
        size = self.truth["annotated_disjunctions" if kind == "P" else "action_rules"]
        self.truth |= {"class": kind if member else None, "proof": None, "lower_bound": None}
        if bound is not None and member and kind != "L" and self.truth["faithful"]:
            self.truth["proof"] = self.claims["proof"]
            try:
                require("witnesses" in self.claims, "the certificate has no witnesses: extract with --certify")
                self.truth["lower_bound"] = self.count_witnesses() if kind == "P" else self.prove_rules(kind, bound)
            except (NotProved, subprocess.TimeoutExpired) as reason:
                self.notes.append(f"the bound is not proved: {reason}")
        self.truth["proved_minimal"] = bound is not None and self.truth["lower_bound"] == bound == size

    def count_witnesses(self) -> int:
        """For class P: observations of the environment whose distributions cannot share a disjunction."""
        require(self.claims["proof"] == "incompatible distributions", "the proof is of an unknown kind")
        place = {frozenset(self.task.view.facts(k)): k for k in self.reachable}
        [found] = located(self.claims["witnesses"]["sets"], place)
        rows = self.network.rows[found]
        if len(rows) ** 2 * 1000 > MOST_COMPARISONS:
            raise NotProved("there are too many witnesses to compare")
        if any(abs(p - q).max() <= 2 * self.epsilon - TIE for p, q in itertools.combinations(rows, 2)):
            raise NotProved("two witnesses can share a disjunction")
        if (1 - rows <= self.epsilon - TIE).any():
            raise NotProved("a witness needs no disjunction: a plain rule is close enough")
        return len(found)

    def prove_rules(self, kind: str, claimed: int) -> int:
        """For classes E and D: rows of the view of the rules, a list for each action."""
        truth, index = np.unique(self.view.truth[self.reachable], axis=0, return_inverse=True)
        view, allowed = View(self.view.groups, truth), np.ones((len(truth), len(self.task.actions)), dtype=bool)
        np.logical_and.at(allowed, index, allowed_actions(self.network.rows[self.reachable], self.ties))
        fooling = located(self.claims["witnesses"]["sets"], {frozenset(view.facts(k)): k for k in range(len(truth))})
        require(len(fooling) == len(self.task.actions), "there is not a list of witnesses for each action")
        bound = Bound(view.values(), allowed, fooling, self.conflicts)
        for action, rows in enumerate(fooling):
            check_fooling_set(bound.values, allowed, action, rows)
        if kind == "D" and self.ties == "eval":
            self.truth["covers"] = {name: bound.cover(action) for action, name in enumerate(self.task.actions)}
        if self.claims["proof"] == "fooling set":
            sizes = [len(rows) for rows in fooling]
            return sum(sizes) if kind == "E" else 1 + sum(sizes) - max(sizes)
        require(self.claims["proof"] == "clingo", "the proof is of an unknown kind")
        return min(claimed, bound.of_class_e(claimed) if kind == "E" else bound.of_class_d())


def same(claimed: Any, true: Any) -> bool:
    if isinstance(true, dict) and isinstance(claimed, dict):
        return claimed.keys() == true.keys() and all(same(claimed[key], value) for key, value in true.items())
    return type(claimed) is type(true) and (claimed == true or type(true) is float and abs(claimed - true) <= TOLERANCE)


def plain(text: str) -> str:
    """With escapes in place of what a terminal would obey or not show: names in a certificate may be anything."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def check(model: Path, program: Path, certificate: Path, environment: Path, conflicts: int, say: Any = print) -> bool:
    """Reports for each claim whether it holds."""
    claims = read_json(read(certificate))
    require(type(claims) is dict and claims.get("format") == "ndnf-extraction", "this is not a certificate")
    age = "an older" if claims.get("version") == 1 else "another"
    require(claims.get("version") == 2, f"the certificate was made by {age} version: extract again")
    task = Task(read_json(read(environment)))
    task.set_discount(claims.get("discount", task.discount))
    policy = str(model).encode() if str(model) in ("optimal", "uniform") else read(model)
    checker = Checker(policy, read(program, PROGRAM_BYTES), claims, task, conflicts)
    wrong = {name for name, true in checker.truth.items() if name not in claims or not same(claims[name], true)}
    for name, true in checker.truth.items():
        claimed = f"{json.dumps(claims.get(name))} is claimed, found is " if name in wrong else ""
        say(f"{'FAILED' if name in wrong else 'ok    '} {name}: {claimed}{json.dumps(true)}")
    parameters = {"format", "version", "as", "over", "ties", "form", "epsilon", "discount", "witnesses"}
    unchecked = [name for name in claims if name not in parameters | checker.truth.keys()]
    say("\n".join([*checker.notes, f"not checked: {plain(', '.join(unchecked))}"]))
    return not wrong


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("model", "program", "certificate", "environment"):
        parser.add_argument(name, metavar=name.upper(), type=Path)
    parser.add_argument("--solve-limit", dest="conflicts", metavar="N", type=int, default=200_000,
                        help="limit of clingo's conflicts per solver call about a bound (200000)")  # fmt: skip
    arguments = parser.parse_args(words)
    try:
        with np.errstate(all="ignore"):
            return 0 if check(**vars(arguments)) else 1
    except Exception as error:  # whatever a file holds
        kind = {ValueError: "", KeyError: "what is missing or not known is "}.get(
            type(error), f"{type(error).__name__}: "
        )
        print(f"cannot be checked: {plain(' '.join(f'{kind}{error}'.split()))[:300]}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
