"""Python's fractions confirm our verdicts for bounds right at the value.

Random tasks and policies with step limits 1 to 12, from a model file and a policy file whose doubles are taken
literally; among them probabilities that underflow and rewards of any size. Each property is checked with
bounds at the exact value, rounded, and at the adjacent doubles. Usage: bounds_test.py NDNF
"""

import itertools
import json
import math
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, Optional

from properties_test import NAME, Formula, RandomTask, ndnf_reply

TASKS = 300
COMPARISONS = {">=": lambda v, b: v >= b, ">": lambda v, b: v > b, "<=": lambda v, b: v <= b, "<": lambda v, b: v < b}


class View(NamedTuple):
    """A position in an episode: a state, the next action, how it ended."""

    state: int
    action: Optional[str] = None
    end: bool = False
    tag: Optional[str] = None


class Value(NamedTuple):
    """A sum over episodes, with the minimum and maximum of a single one."""

    mean: Fraction
    low: Fraction
    high: Fraction


class Unrolling:
    """The exact value of a formula, computed step by step from the definitions in docs/properties.md."""

    def __init__(self, model: dict[str, Any], policy: dict[str, Any], formula: Formula) -> None:
        self.model, self.formula = model, formula
        self.rows = {row["observation"][0]: row["probabilities"] for row in policy["rows"]}
        self.limit = model["step_limit"]
        self.steps = 1 if formula.operator == "X" else min(self.limit, self.limit if formula.steps is None else formula.steps)
        self.known: dict[Any, Any] = {}

    def value(self) -> Value:
        starts = [(Fraction(start["p"]), self.arrive(start["state"], 0)) for start in self.model["starts"]]
        mean, low, high = self.mix(starts)
        if self.formula.operator == "G":
            mean, low, high = 1 - mean, 1 - high, 1 - low
        return Value(max(low, min(mean, high)), low, high)

    @staticmethod
    def mix(parts: list[tuple[Fraction, Value]]) -> Value:
        mean = sum((p * value.mean for p, value in parts), Fraction(0))
        return Value(mean, min(value.low for _, value in parts), max(value.high for _, value in parts))

    def arrive(self, state: int, time: int) -> Value:
        if time == self.limit:
            return self.at(View(state), time)
        if (state, time) not in self.known:
            seen = self.model["observations"][self.model["states"][state]["observation"]][0]
            actions = zip(self.model["actions"], self.rows[seen])
            self.known[state, time] = self.mix([(Fraction(p), self.at(View(state, a), time)) for a, p in actions if p > 0])
        return self.known[state, time]

    def at(self, view: View, time: int) -> Value:
        operator = self.formula.operator
        if operator not in ("return", "length"):
            if (operator != "X" or time == 1) and self.holds(self.formula.right, view) != (operator == "G"):
                return Value(Fraction(1), Fraction(1), Fraction(1))
            if operator == "U" and not self.holds(self.formula.left, view):
                return Value(Fraction(0), Fraction(0), Fraction(0))
        if view.end or time == self.steps:
            return Value(Fraction(0), Fraction(0), Fraction(0))
        return self.mix([self.after(outcome, time) for outcome in self.model["states"][view.state]["outcomes"][view.action]])

    def after(self, outcome: dict[str, Any], time: int) -> tuple[Fraction, Value]:
        if outcome.get("terminal"):
            later = self.at(View(outcome["next"], None, True, outcome.get("tag")), time + 1)
        else:
            later = self.arrive(outcome["next"], time + 1)
        gain = {"return": Fraction(outcome["reward"]), "length": Fraction(1)}.get(self.formula.operator, Fraction(0))
        return Fraction(outcome["p"]), Value(*(part + gain for part in later))

    def holds(self, formula: str, view: View) -> bool:
        def truth(found: Any) -> str:
            name = found[0]
            if name.startswith("action("):
                return str(name == f"action({view.action})")
            if not name.startswith('"'):
                return str([name] == self.model["observations"][self.model["states"][view.state]["observation"]])
            label = name.strip('"')
            return str(view.state in self.model["labels"].get(label, []) or view.end and label in ("end", view.tag))

        if (formula, view) not in self.known:
            text = NAME.sub(truth, formula).replace("!", " not ").replace("&", " and ").replace("|", " or ")
            self.known[formula, view] = eval(text)  # our own text, of True, False and connectives
        return self.known[formula, view]


def wild(task: RandomTask, content: dict[str, Any]) -> None:
    """Gives some outcomes tiny probabilities and some rewards any size."""
    for state, action in itertools.product(content["states"], task.actions):
        outcomes = state["outcomes"][action]
        for outcome in outcomes:
            outcome["reward"] *= 10.0 ** task.draw.choice([-200, -20, 0, 0, 0, 20, 90])
        if len(outcomes) > 1 and task.draw.random() < 0.5:
            tiny = 10.0 ** -task.draw.choice([5, 30, 120, 300])
            for outcome, p in zip(outcomes, [tiny] + [(1 - tiny) / (len(outcomes) - 1)] * (len(outcomes) - 1)):
                outcome["p"] = p


def compare(sign: str, value: Value, bound: float, reward: bool) -> bool:
    """An event of some episodes but not all has neither probability 0 nor 1, whatever rows sum to."""
    inner = not reward and value.low < value.high
    exact = Fraction(1, 2) if inner and bound in (0, 1) else value.mean
    return COMPARISONS[sign](exact, Fraction(bound))


def bounds(value: Fraction, reward: bool) -> list[float]:
    near = float(value)
    nearby = {near, math.nextafter(near, math.inf), math.nextafter(near, -math.inf)}
    return sorted(b for b in nearby if math.isfinite(b) and (reward or 0 <= b <= 1))


def check(binary: str, task: RandomTask) -> tuple[int, int]:
    model, policy = (json.loads(Path(file).read_text()) for file in (task.subject.spec, task.subject.policy))
    if task.draw.random() < 0.5:
        wild(task, model)
        Path(task.subject.spec).write_text(json.dumps(model))
    expected, options = [], []
    for formula in task.formulas():
        value, reward = Unrolling(model, policy, formula).value(), formula.operator in ("return", "length")
        for bound, sign in itertools.product(bounds(value.mean, reward), COMPARISONS):
            expected.append(compare(sign, value, bound, reward))
            options += ["--property", formula.ours().replace("=?", f"{sign}{bound!r}")]
    reply = ndnf_reply(binary, "check", task.subject.policy, "--env", task.subject.spec, *options)
    failed = 0
    for one, holds in zip(reply["checks"][-len(expected) :], expected):
        if one["holds"] is not holds:
            failed += 1
            print(f"FAIL {task.subject}: {one['name']} ours {one['holds']} (value {one['value']}), expected {holds}")
    return len(expected), failed


def main(binary: str) -> int:
    checked = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(TASKS):
            count, wrong = check(binary, RandomTask(seed, Path(folder)))
            checked += count
            failed += wrong
    print(f"{checked} verdicts compared, {failed} differ")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
