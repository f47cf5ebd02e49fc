"""The real Storm computes the same value for every property: on every task for uniform and optimal policies, with
step limits that stop the episodes early, and on random tasks with random policies.

Storm reads the chain from our PRISM file, whose labels are the task's labels, atoms and actions, and which includes the
step limit; properties of labels and returns are also checked on the DRN file, with the limit as their bound.
Usage: properties_test.py NDNF
"""

import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Optional

import stormpy

TOLERANCE = 1e-6
LABEL = re.compile(r'^label "(\w+)" = .*; // (.+)$', re.MULTILINE)
NOTHING = '("init" & !"init")'  # Storm takes plain `false` only where the model has variables
NAME = re.compile(r'"\w+"|[a-z]\w*(\([^()]*\))?')
# Storm evaluates every command of a PRISM file in every state that it builds: the limit of evaluations in total.
GUARDS = 3_000_000
SMALL_LIMITS = range(1, 13)
RANDOM_TASKS = 60


class Formula(NamedTuple):
    """A property in our syntax: path operator, bound and operands as text."""

    operator: str  # F, G, X, U, or the name of a reward
    steps: Optional[int]
    left: str
    right: str

    def ours(self) -> str:
        bound = "" if self.steps is None else f"<={self.steps}"
        if self.operator == "U":
            return f"P=? [{self.left} U{bound} {self.right}]"
        if self.operator in ("return", "length"):
            return f'R{{"{self.operator}"}}=? [C{bound}]'
        return f"P=? [{self.operator}{'' if self.operator == 'X' else bound} {self.right}]"

    def storms(self, names: dict[str, str], shift: int) -> str:
        """The same for a chain with `shift` steps before the first decision."""
        bound = "" if self.steps is None else f"<={self.steps + shift}"
        inner = f"!{NOTHING}" if shift == 0 else '!"init"'
        outer = NOTHING if shift == 0 else '"init"'
        right = translate(self.right, names)
        if self.operator in ("return", "length"):
            return f'R{{"{self.operator}"}}=? [C{bound}]'
        if self.operator == "X":
            return f"P=? [F[{shift + 1},{shift + 1}] {right}]"
        if self.operator == "F":
            return f"P=? [F{bound} (({right}) & {inner})]"
        if self.operator == "G":  # Storm has no bounded G: use the complement
            return f"P=? [F{bound} (!({right}) & {inner})]"
        left = translate(self.left, names)
        return f"P=? [(({left}) | {outer}) U{bound} (({right}) & {inner})]"

    def within(self, limit: Optional[int]) -> "Formula":
        """For a chain without the step limit."""
        if limit is None:
            return self
        return self._replace(steps=min(limit, limit if self.steps is None else self.steps))


class Subject(NamedTuple):
    spec: str
    policy: str
    step_limit: Optional[int]


def translate(formula: str, names: dict[str, str]) -> str:
    """Our atoms, actions and labels as the labels of the file; connectives are the same."""

    def label(found: re.Match[str]) -> str:
        return f'"{names[found[0]]}"' if found[0] in names else NOTHING

    return NAME.sub(label, formula)


def formulas(written: list[str]) -> Iterator[Formula]:
    labels = [name for name in written if name.startswith('"')]
    actions = [name for name in written if name.startswith("action(")]
    atoms = [name for name in written if name not in labels and name not in actions]
    atoms = atoms[:: max(1, len(atoms) // 4)]
    for name in labels + actions + atoms:
        for steps in (None, 3, 11):
            yield Formula("F", steps, "", name)
        yield Formula("G", 5, "", f"!{name}")
        yield Formula("X", None, "", name)
    for action in actions:
        yield Formula("U", 9, action, '"end"')
        yield Formula("U", None, f"!{action}", " | ".join(atoms[:1] + labels[:1]))
        for atom in atoms:
            yield Formula("F", None, "", f"!{action} & {atom}")
            yield Formula("F", 20, "", f"{action} & {atom}")
            yield Formula("G", 6, "", f"!({action} & !{atom})")
    for reward in ("return", "length"):
        for steps in (None, 1, 10):
            yield Formula(reward, steps, "", "")


def ndnf_reply(binary: str, *arguments: str) -> Any:
    """The output of a command, also if something does not hold (exit code 1)."""
    done = subprocess.run([binary, *arguments, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def ndnf(binary: str, *arguments: str) -> Any:
    return json.loads(subprocess.run([binary, *arguments, "--json"], check=True, capture_output=True).stdout)


def specs(binary: str) -> Iterator[str]:
    for line in ndnf(binary, "envs")["environments"]:
        if line["states"] is None:
            continue  # not enumerated
        parameters = ndnf(binary, "envs", line["name"])["parameters"]
        views = [parameter["allowed"] for parameter in parameters if parameter["key"] == "obs"]
        names = views[0].removeprefix("one of ").split(", ") if views else []
        yield from (f"{line['name']}:obs={view}" for view in names)
        if not names:
            yield line["name"]


def with_limit(spec: str, limit: int) -> str:
    return f"{spec}{',' if ':' in spec else ':'}step_limit={limit}"


def tasks(binary: str) -> Iterator[Subject]:
    """Each task under its own step limit, or under one that Storm can build; and under small ones."""
    for spec in specs(binary):
        task = ndnf(binary, "envs", spec)
        limit = task["step_limit"]
        yield Subject(spec, "optimal", limit)
        if limit is None:
            yield Subject(spec, "uniform", limit)
            continue
        most = max(1, GUARDS // (task["states"] * len(task["actions"])) ** 2)
        yield Subject(with_limit(spec, min(limit, most)), "uniform", min(limit, most))
        for small in SMALL_LIMITS:
            yield Subject(with_limit(spec, small), "optimal", small)
            if small < min(limit, most):
                yield Subject(with_limit(spec, small), "uniform", small)


class RandomTask:
    """A task of two to six states and a policy, written as a model file and a policy file."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.draw = random.Random(seed)
        states, self.actions = self.draw.randint(2, 6), [f"a{i}" for i in range(self.draw.randint(1, 3))]
        self.atoms = [f"seen({i})" for i in range(self.draw.randint(1, states))]
        self.labels = ["good", "bad", "won", "lost", "end"]
        limit = SMALL_LIMITS[seed % len(SMALL_LIMITS)]
        model = {
            "format": "ndnf-model", "version": 1, "name": "random", "actions": self.actions,
            "groups": [{"name": "seen", "atoms": self.atoms}],
            "observations": [[atom] for atom in self.atoms],
            "states": [self.state(states) for _ in range(states)],
            "starts": [{"state": s, "p": p} for s, p in zip(self.draw.sample(range(states), 2), self.parts(2))],
            "step_limit": limit, "tags": ["won", "lost"],
            "labels": {name: self.draw.sample(range(states), self.draw.randint(0, states)) for name in ("good", "bad")},
        }
        rows = [{"observation": [atom], "probabilities": self.row()} for atom in self.atoms]
        policy = {"format": "ndnf-policy", "version": 1, "rows": rows}
        files = folder / f"random-{seed}.json", folder / f"random-{seed}-policy.json"
        for file, content in zip(files, (model, policy)):
            file.write_text(json.dumps(content))
        self.subject = Subject(str(files[0]), str(files[1]), limit)

    def parts(self, count: int) -> list[float]:
        weights = [self.draw.randint(1, 9) for _ in range(count)]
        return [weight / sum(weights) for weight in weights]

    def row(self) -> list[float]:
        taken = self.draw.sample(range(len(self.actions)), self.draw.randint(1, len(self.actions)))
        probabilities = dict(zip(taken, self.parts(len(taken))))
        return [probabilities.get(action, 0) for action in range(len(self.actions))]

    def state(self, states: int) -> dict[str, Any]:
        outcomes = {action: [self.outcome(p, states) for p in self.parts(self.draw.randint(1, 3))] for action in self.actions}
        return {"observation": self.draw.randrange(len(self.atoms)), "outcomes": outcomes}

    def outcome(self, p: float, states: int) -> dict[str, Any]:
        outcome = {"next": self.draw.randrange(states), "p": p, "reward": self.draw.randint(-5, 5)}
        if self.draw.random() < 0.15:
            outcome |= {"terminal": True} | ({"tag": self.draw.choice(["won", "lost"])} if self.draw.random() < 0.7 else {})
        return outcome

    def formula(self, depth: int) -> str:
        kind = self.draw.choice(["atom", "label", "action"] + ["!", "&", "|"] * (depth > 0))
        if kind == "atom":
            return self.draw.choice(self.atoms)
        if kind == "label":
            return f'"{self.draw.choice(self.labels)}"'
        if kind == "action":
            return f"action({self.draw.choice(self.actions)})"
        if kind == "!":
            return f"!({self.formula(depth - 1)})"
        return f"({self.formula(depth - 1)} {kind} {self.formula(depth - 1)})"

    def formulas(self) -> Iterator[Formula]:
        for operator in "XFFFGGGUUU":
            steps = None if operator == "X" else self.draw.choice([None, self.draw.randint(0, 14)])
            yield Formula(operator, steps, self.formula(2), self.formula(2))
        yield Formula("return", self.draw.choice([None, 3]), "", "")
        yield Formula("length", self.draw.choice([None, 3]), "", "")


def ask(model: Any, formula: str) -> float:
    [initial] = model.initial_states
    return stormpy.model_checking(model, stormpy.parse_properties(formula)[0]).get_value(initial)


def is_shifted(file: Path) -> int:
    return 1 if "add 1 to step bounds" in file.read_text().split("\n", 1)[0] else 0


def drn_answer(model: Any, formula: Formula, shift: int, limit: Optional[int]) -> Optional[float]:
    """The DRN file has no atoms and actions, and a label only where a state carries it."""
    names = {f'"{label}"': label for label in model.labeling.get_labels()}
    parts = set(found[0] for found in NAME.finditer(f"{formula.left} {formula.right}"))
    if formula.operator == "length" or any(not part.startswith('"') for part in parts):
        return None
    return ask(model, formula.within(limit).storms(names, shift))


def compare(
    binary: str, subject: Subject, folder: Path, asked: Optional[list[Formula]] = None
) -> tuple[int, int]:
    prism, drn = folder / "chain.prism", folder / "chain.drn"
    for file in (prism, drn):
        ndnf(binary, "export", subject.policy, "--env", subject.spec, "--format", file.suffix[1:], "-o", str(file))
    names = {written: name for name, written in LABEL.findall(prism.read_text())}
    if asked is None:
        small = subject.step_limit in SMALL_LIMITS
        asked = list(formulas(list(names)))[:: 3 if small else 1]
    options = [option for formula in asked for option in ("--property", formula.ours())]
    checks = ndnf(binary, "check", subject.policy, "--env", subject.spec, *options)["checks"]
    values = [check["value"] for check in checks[-len(asked) :]]
    storm_prism = stormpy.build_model(stormpy.parse_prism_program(str(prism)))
    storm_drn = stormpy.build_model_from_drn(str(drn))
    count = failed = 0
    for formula, ours in zip(asked, values):
        answers = [
            ("PRISM", ask(storm_prism, formula.storms(names, is_shifted(prism)))),
            ("DRN", drn_answer(storm_drn, formula, is_shifted(drn), subject.step_limit)),
        ]
        for file_format, answer in answers:
            if answer is None:
                continue
            storm = 1 - answer if formula.operator == "G" else answer
            count += 1
            if abs(storm - ours) > TOLERANCE:
                failed += 1
                print(f"FAIL {subject} {file_format}: {formula.ours()} ours {ours:.9f} Storm {storm:.9f}")
    return count, failed


def main(binary: str) -> int:
    checked = failed = 0

    def note(name: str, count: int, wrong: int) -> None:
        nonlocal checked, failed
        print(f"{'ok  ' if wrong == 0 else 'FAIL'} {name:44} {count} values")
        checked += count
        failed += wrong

    with tempfile.TemporaryDirectory() as folder:
        for subject in tasks(binary):
            note(f"{subject.spec} {subject.policy}", *compare(binary, subject, Path(folder)))
        for seed in range(RANDOM_TASKS):
            task = RandomTask(seed, Path(folder))
            note(f"random {seed}, limit {task.subject.step_limit}",
                 *compare(binary, task.subject, Path(folder), list(task.formulas())))
    print(f"{checked} values compared, {failed} differ by more than {TOLERANCE}")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
