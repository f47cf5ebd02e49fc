"""Real Storm gives every property the value that we give it, on every task, for uniform and optimal policies.

The chain goes to Storm as our PRISM file, whose labels are the task's labels, atoms and actions; properties of
labels and returns are asked of the DRN file too. Usage: properties_test.py NDNF
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Optional

import stormpy

TOLERANCE = 1e-6
LABEL = re.compile(r'^label "(\w+)" = .*; // (.+)$', re.MULTILINE)


class Formula(NamedTuple):
    """A property in our words: path operator, bound and operands by their written form."""

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

    def storms(self, names: dict[str, str], shift: int, horizon: int) -> str:
        """The same for a chain in which `shift` steps go before the first decision."""
        steps = min(horizon, horizon if self.steps is None else self.steps) + shift
        inner = "true" if shift == 0 else '!"init"'
        outer = "false" if shift == 0 else '"init"'
        right = translate(self.right, names)
        if self.operator in ("return", "length"):
            return f'R{{"{self.operator}"}}=? [C<={steps}]'
        if self.operator == "X":
            return f"P=? [F[{shift + 1},{shift + 1}] {right}]"
        if self.operator == "F":
            return f"P=? [F<={steps} (({right}) & {inner})]"
        if self.operator == "G":  # Storm bounds no G: the complement
            return f"P=? [F<={steps} (!({right}) & {inner})]"
        left = translate(self.left, names)
        return f"P=? [(({left}) | {outer}) U<={steps} (({right}) & {inner})]"


def translate(formula: str, names: dict[str, str]) -> str:
    """Our atoms, actions and labels as the labels of the PRISM file; connectives are the same."""
    if not names:
        return formula
    longest_first = sorted(names, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, longest_first)), lambda found: f'"{names[found[0]]}"', formula)


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
        yield Formula("U", None, f"!{action}", f"{atoms[0]} | {labels[0]}")
        for atom in atoms:
            yield Formula("F", 20, "", f"{action} & {atom}")
            yield Formula("G", 6, "", f"!({action} & !{atom})")
    for reward in ("return", "length"):
        for steps in (None, 1, 10):
            yield Formula(reward, steps, "", "")


def ndnf(binary: str, *arguments: str) -> Any:
    return json.loads(subprocess.run([binary, *arguments, "--json"], check=True, capture_output=True).stdout)


def specs(binary: str) -> Iterator[str]:
    for line in ndnf(binary, "envs")["environments"]:
        parameters = ndnf(binary, "envs", line["name"])["parameters"]
        views = [parameter["allowed"] for parameter in parameters if parameter["key"] == "obs"]
        names = views[0].removeprefix("one of ").split(", ") if views else []
        yield from (f"{line['name']}:obs={view}" for view in names)
        if not names:
            yield line["name"]


def ask(model: Any, formula: str) -> float:
    [initial] = model.initial_states
    return stormpy.model_checking(model, stormpy.parse_properties(formula)[0]).get_value(initial)


def is_shifted(file: Path) -> int:
    return 1 if "add 1 to step bounds" in file.read_text().split("\n", 1)[0] else 0


def compare(binary: str, spec: str, policy: str, folder: Path) -> tuple[int, int]:
    prism, drn = folder / "chain.prism", folder / "chain.drn"
    for file in (prism, drn):
        ndnf(binary, "export", policy, "--env", spec, "--format", file.suffix[1:], "-o", str(file))
    names = {written: name for name, written in LABEL.findall(prism.read_text())}
    horizon = ndnf(binary, "envs", spec)["step_limit"] or 1000
    asked = list(formulas(list(names)))
    options = [option for formula in asked for option in ("--property", formula.ours())]
    checks = ndnf(binary, "check", policy, "--env", spec, *options)["checks"]
    values = [check["value"] for check in checks[-len(asked) :]]
    storm_prism = stormpy.build_model(stormpy.parse_prism_program(str(prism)))
    storm_drn = stormpy.build_model_from_drn(str(drn))
    count = failed = 0
    for formula, ours in zip(asked, values):
        answers = [ask(storm_prism, formula.storms(names, is_shifted(prism), horizon))]
        if formula.operator == "return" or (formula.operator == "F" and formula.right.startswith('"')):
            # the DRN file has a label only where a state carries it
            if formula.operator == "return" or formula.right.strip('"') in storm_drn.labeling.get_labels():
                answers.append(ask(storm_drn, formula.storms({}, is_shifted(drn), horizon)))
        for answer in answers:
            storm = 1 - answer if formula.operator == "G" else answer
            count += 1
            if abs(storm - ours) > TOLERANCE:
                failed += 1
                print(f"FAIL {spec} {policy}: {formula.ours()} ours {ours:.9f} Storm {storm:.9f}")
    return count, failed


def main(binary: str) -> int:
    checked = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for spec in specs(binary):
            for policy in ("uniform", "optimal"):
                count, wrong = compare(binary, spec, policy, Path(folder))
                print(f"{'ok  ' if wrong == 0 else 'FAIL'} {spec:24} {policy:8} {count} values")
                checked += count
                failed += wrong
    print(f"{checked} values compared, {failed} differ by more than {TOLERANCE}")
    return 1 if failed or not checked else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
