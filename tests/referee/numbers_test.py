"""Programs over numbers decide alike in our evaluator, clingo, ProbLog, compiled C, NumPy and as networks: 0 differences.

Usage: numbers_test.py NDNF WRITE_DECISIONS EXAMPLES [OBSERVATIONS [PROBLOG_OBSERVATIONS]]
"""

import ctypes
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open

NDNF, WRITE_DECISIONS, EXAMPLES = sys.argv[1], sys.argv[2], Path(sys.argv[3])
OBSERVATIONS = int(sys.argv[4]) if len(sys.argv) > 4 else 20000
PROBLOG = int(sys.argv[5]) if len(sys.argv) > 5 else 50
del sys.argv[1:]
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror"]

PROGRAMS = {
    "cart-pole": (EXAMPLES / "cart-pole" / "cart.lp").read_text(),
    "cart-pole-list": """% environment: cart-pole
case_1 :- velocity(V), V > 255, position(P), P >= -1200.
action(left) :- case_1.
case_2 :- angle(A), spin(S), 100*A + 36*S <= -1690, not case_1.
action(right) :- case_2.
action(left) :- angle(A), A <= -19, not case_1, not case_2.
action(right) :- not action(left).
""",
    "mountain-car": """% environment: mountain-car
uphill :- position(P), velocity(V), 3*P + V > -1500, V < 40.
action(left) :- velocity(V), V <= -1, not uphill.
action(right) :- velocity(V), V >= 1, not action(left).
action(coast) :- not action(left), not action(right).
""",
    "acrobot": """% environment: acrobot
action(positive) :- spin_lower(L), L <= -12.
action(negative) :- spin_lower(L), spin_upper(U), 3*U + 2*L > 15, not action(positive), cos_upper(C), C != 500.
action(none) :- not action(positive), not action(negative).
""",
    "pendulum": """% environment: pendulum
high :- cos_angle(C), C > 850.
action(counterclockwise) :- high, sin_angle(S), spin(W), S + 2*W <= -20.
action(clockwise) :- high, sin_angle(S), spin(W), S + 2*W > 20.
action(none) :- high, not action(clockwise), not action(counterclockwise).
action(hard_clockwise) :- not high, spin(W), W <= 0.
action(hard_counterclockwise) :- not high, not action(hard_clockwise).
""",
}


def problog(program: str) -> str:
    """The same rules in ProbLog's syntax."""
    return program.replace("<=", "=<").replace("not ", "\\+ ").replace("!=", "=\\=")


def run(*command: Any) -> dict[str, Any]:
    done = subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(done.stdout)) if done.stdout.startswith("{") else {}


def numpy_rows(archive: Path, numbers: np.ndarray) -> np.ndarray:
    """The loop of docs/deployment.md."""
    policy = np.load(archive, allow_pickle=False)
    k = np.ceil(numbers.astype(np.float64) / policy["quanta"]).clip(policy["lowest"], policy["highest"]).astype(int)
    sums, bounds = k @ policy["comparisons.factors"].T, policy["comparisons.bounds"]
    value = np.zeros((len(k), policy["rules.bodies"].shape[1]))
    first = len(policy["atoms"])
    value[:, first : first + len(bounds)] = np.where(policy["comparisons.equal"], sums == bounds, sums > bounds)
    for body, head, p in zip(policy["rules.bodies"], policy["rules.heads"], policy["rules.probabilities"], strict=True):
        holds = ((value > 0) == (body > 0))[:, body != 0].all(axis=1)
        value[holds, head] += p * (1 - value[holds, head])
    return value[:, -len(policy["actions"]) :]


def network_actions(file: Path, numbers: np.ndarray) -> np.ndarray:
    """The best actions of a network over comparisons, rebuilt from the description in docs/checkpoint.md."""
    with safe_open(file, framework="np") as opened:
        metadata = opened.metadata()
        conjunctive, disjunctive = (opened.get_tensor(f"actor.{layer}junctions.weights").astype(float) for layer in ("con", "dis"))
    grids, architecture = json.loads(metadata["quantities"]), json.loads(metadata["architecture"])
    k = np.ceil(numbers.astype(np.float64) / [grid["quantum"] for grid in grids])
    k = k.clip([grid["lowest"] for grid in grids], [grid["highest"] for grid in grids]).astype(int)
    relations = {">": np.greater, "<=": np.less_equal, "=": np.equal, "!=": np.not_equal}
    columns = []
    for comparison in architecture["encoder"]["comparisons"]:
        total = sum(factor * k[:, quantity] for quantity, factor in comparison["terms"])
        columns.append(np.where(relations[comparison["sign"]](total, comparison["bound"]), 1.0, -1.0))
    x = np.stack(columns, axis=1)
    assert (architecture["actor"]["delta"], architecture["actor"]["activation"]) == (1, "step")
    held = x @ conjunctive.T + abs(conjunctive).max(axis=1) - abs(conjunctive).sum(axis=1) >= 0
    raw = np.where(held, 1.0, -1.0) @ disjunctive.T - abs(disjunctive).max(axis=1) + abs(disjunctive).sum(axis=1)
    return raw.argmax(axis=1)


class Numbers(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(tempfile.mkdtemp())

    def decisions(self, file: Path, count: int, solver: str) -> tuple[np.ndarray, np.ndarray]:
        said = run(WRITE_DECISIONS, file, count, 7, self.folder / "decided", solver)
        self.assertEqual(said["differences"], 0, f"{solver} decides otherwise")
        self.assertTrue(all(said["decisions"]) or len(said["decisions"]) > 2, "some action is never taken")
        numbers = np.fromfile(self.folder / "decided.numbers", np.float32).reshape(count, said["numbers"])
        return numbers, np.fromfile(self.folder / "decided.rows").reshape(count, said["actions"])

    def c_rows(self, file: Path, numbers: np.ndarray, actions: int) -> np.ndarray:
        source = self.folder / f"{file.stem}.c"
        run(NDNF, "export", file, "--format", "c", "-o", source)
        loop = "\nvoid decide_all(const float *x, double *p, long n, int width);\nvoid decide_all(const float *x, double *p,"
        loop += " long n, int width) {\n  for (long i = 0; i < n; ++i) NAME_probabilities(x + i * width, p + i * NAME_actions);\n}\n"
        source.write_text(source.read_text() + loop.replace("NAME", file.stem.replace("-", "_")))
        subprocess.run(["cc", *STRICT, "-O2", "-shared", "-fPIC", "-o", source.with_suffix(".so"), source], check=True)
        rows = np.zeros((len(numbers), actions))
        library = ctypes.CDLL(str(source.with_suffix(".so")))
        pointer = ctypes.c_void_p
        library.decide_all(pointer(numbers.ctypes.data), pointer(rows.ctypes.data), ctypes.c_long(len(numbers)), numbers.shape[1])
        return rows

    def test_all_agree(self) -> None:
        for name, text in PROGRAMS.items():
            with self.subTest(name):
                file = self.folder / f"{name}.lp"
                file.write_text(text)
                numbers, rows = self.decisions(file, OBSERVATIONS, "clingo")
                np.testing.assert_array_equal(self.c_rows(file, numbers, rows.shape[1]), rows)
                run(NDNF, "export", file, "--format", "npz", "-o", self.folder / "policy.npz")
                np.testing.assert_array_equal(numpy_rows(self.folder / "policy.npz", numbers), rows)
                network = self.folder / f"{name}.safetensors"
                self.assertTrue(run(NDNF, "compile", file, "-o", network, "--json")["agrees"])
                self.decisions(file, OBSERVATIONS, str(network))
                np.testing.assert_array_equal(network_actions(network, numbers), rows.argmax(axis=1))
                other = self.folder / f"{name}.pl"
                other.write_text(problog(text))
                self.decisions(other, PROBLOG, "problog")
                print(f"{name}: clingo, C, NumPy and the network agree on {OBSERVATIONS} observations, ProbLog on {PROBLOG}")

    def test_the_example_is_what_is_exported_and_balances(self) -> None:
        example, copy = EXAMPLES / "cart-pole", self.folder / "cart.c"
        run(NDNF, "export", example / "cart.lp", "--format", "c", "-o", copy)
        self.assertEqual(copy.read_text(), (example / "cart.c").read_text())
        program = self.folder / "balance"
        subprocess.run(["cc", *STRICT, "-o", program, example / "balance.c"], check=True)
        said = subprocess.run([program], input="0 0 0.01 0\n0 0 -0.01 0\n", stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual(said.stdout, "right\nleft\n")

    def test_one_fact_per_quantity_runs_the_program_unchanged(self) -> None:
        """As a user would: `clingo policy.lp facts.lp`."""
        for name, text in PROGRAMS.items():
            with self.subTest(name):
                file = self.folder / f"{name}.lp"
                file.write_text(text)
                numbers, rows = self.decisions(file, 40, "")
                described = run(NDNF, "envs", text.split("\n")[0].split(": ")[1], "--json")
                for x, row in zip(numbers, rows, strict=True):
                    facts = []
                    for q, value in zip(described["quantities"], x, strict=True):
                        k = int(np.ceil(np.float64(value) / q["quantum"]))
                        facts.append(f"{q['name']}({min(max(k, q['lowest']), q['highest'])}).")
                    shown = subprocess.run(
                        ["clingo", "-", str(file), "--outf=2", "--warn=none"],
                        input="\n".join([*facts, "#show action/1."]),
                        stdout=subprocess.PIPE,
                        text=True,
                        check=False,
                    ).stdout
                    taken = json.loads(shown)["Call"][0]["Witnesses"][0]["Value"]
                    self.assertEqual(taken, [f"action({described['actions'][int(np.argmax(row))]})"])


if __name__ == "__main__":
    unittest.main()
