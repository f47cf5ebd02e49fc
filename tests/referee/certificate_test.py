"""The certificate checker accepts our extractions and rejects every forgery.

Usage: certificate_test.py NDNF
"""

import contextlib
import io
import itertools
import json
import random
import re
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import forgeries as kinds
from forgeries import ROOT, RUN, SCRIPT, Extraction, atoms_of, check_certificate, header_of, ndnf_files
from safetensors.numpy import load, save

NDNF = str(Path(sys.argv[1]).resolve())
SHIELD = "examples/shields/never-bust.lp"


# ---- Extractions by ndnf
def ndnf(*words: str | Path) -> None:
    run = subprocess.run([NDNF, *words], capture_output=True, text=True, cwd=ROOT)
    if run.returncode > (words[0] == "extract"):  # 1: the program is not faithful, as its certificate says
        raise RuntimeError(run.stderr)


def extracted(folder: Path, preset: str, *options: str, train: tuple[str, ...] = ()) -> Extraction:
    run = folder / "-".join([preset, *train]).replace("/", "_")
    if not run.exists():
        ndnf("train", f"paper/{preset}", "--seed", "0", "--out", run, *train)
    program = run / ("policy.pl" if "problog" in options else "policy.lp")
    ndnf("extract", run, "--certify", *options, "-o", program)
    certificate = Path(f"{program}.certificate.json").read_bytes()
    ndnf("envs", json.loads(certificate)["env"], "--dump", run / "environment.json")
    files = (run / "model.safetensors", program)
    return Extraction(*(file.read_bytes() for file in files), certificate, (run / "environment.json").read_bytes())


def extracted_from(folder: Path, source: str | np.ndarray, environment: bytes, *options: str) -> Extraction:
    """Extracts from the network compiled from these rules, or with these logits, in any environment."""
    task, rules, model, program = (folder / name for name in ("task.json", "rules.lp", "net.safetensors", "net.lp"))
    task.write_bytes(environment)
    rules.write_text(source if isinstance(source, str) else f"action({json.loads(environment)['actions'][0]}).")
    ndnf("compile", rules, "--env", task, "-o", model)
    if not isinstance(source, str):
        compiled, wanted = header_of(model.read_bytes())["__metadata__"], network_of(environment, source)
        del compiled["sha256"]
        model.write_bytes(save(load(wanted), compiled | header_of(wanted)["__metadata__"]))
    ndnf("extract", model, "--env", task, "--as", "asp", "--certify", *options, "-o", program)
    files = (model, program, Path(f"{program}.certificate.json"))
    return Extraction(*(file.read_bytes() for file in files), environment)


# ---- Extractions by hand: any rows in any small environment, and any program
def environment_of(groups: list[tuple[str, int]], actions: list[str]) -> bytes:
    """Every combination of values is an observation, and an episode of one step. A group of size 1 is a single atom."""
    named = [[f"{name}({k})" for k in range(size)] if size > 1 else [name] for name, size in groups]
    choices = [atoms if len(atoms) > 1 else ["", *atoms] for atoms in named]
    observations = [[atom for atom in choice if atom] for choice in itertools.product(*choices)]
    outcome = [{"next": len(observations), "reward": 1, "terminal": True}]
    states = [{"observation": k, "outcomes": dict.fromkeys(actions, outcome)} for k in range(len(observations))]
    model = {
        "format": "ndnf-model",
        "version": 1,
        "name": "by-hand",
        "actions": actions,
        "groups": [{"name": a[0], "one_hot": len(a) > 1, "atoms": a} for a in named],
        "observations": observations,
        "states": [*states, {"observation": 0}],
        "starts": [{"state": k, "p": 1 / len(states)} for k in range(len(states))],
    }
    return json.dumps(model).encode()


def network_of(environment: bytes, logits: np.ndarray, shield: str | None = None) -> bytes:
    """An MLP with one unit per observation, which can have any logits."""
    task = json.loads(environment)
    atoms = atoms_of(task)
    truth = np.array([np.isin(atoms, facts) for facts in task["observations"]])
    tensors = {
        "actor.0.weight": np.where(truth, 1, -1).astype(np.float32),
        "actor.0.bias": (1 - truth.sum(axis=1)).astype(np.float32),
        "actor.2.weight": np.ascontiguousarray(logits.T.astype(np.float32)),
        "actor.2.bias": np.zeros(logits.shape[1], dtype=np.float32),
    }
    actor = {"hidden": [len(truth)], "bias": True, "activation": "relu"}
    metadata = {
        "format": "ndnf-checkpoint",
        "version": "1" if shield is None else "2",
        "model": "mlp",
        "atoms": json.dumps(task["groups"]),
        "actions": json.dumps(task["actions"]),
        "architecture": json.dumps({"inputs": "binary", "actor": actor}),
    } | ({} if shield is None else {"shield": shield})
    return save(tensors, metadata)


def by_hand(environment: bytes, model: bytes, program: str, **claims: Any) -> Extraction:
    """An honest certificate: it claims what the checker itself finds. The tests say what that should be."""
    base = {"format": "ndnf-extraction", "version": 2, "as": "asp", "over": "atoms", "ties": "eval", "epsilon": 1e-3}
    base |= {"form": "exactly-one", "lower_bound": None, "proof": None, "witnesses": {"sets": []}} | claims
    task = ndnf_files.Task(json.loads(environment))
    checker = check_certificate.Checker(model, program.encode(), base, task, 200_000)
    return Extraction(model, program.encode(), json.dumps(base | checker.truth).encode(), environment)


# A 4×4 policy (rows x, columns y) whose b cells need 4 boxes, although no 4 of them are a fooling set.
GRID = ["bbba", "abba", "bbab", "babb"]
GRID_TASK = environment_of([("x", 4), ("y", 4)], ["a", "b"])
A_RULES = "action(a) :- x(0..1), y(3). action(a) :- x(1), y(0). action(a) :- x(2), y(2). action(a) :- x(3), y(1)."
B_RULES = """
action(b) :- x(0..1), y(1..2). action(b) :- x(0;2), y(0..1).
action(b) :- x(2..3), y(0;3). action(b) :- x(3), y(2..3)."""


def grid_network(grid: list[str]) -> bytes:
    """Letters are actions; a capital letter is a tie of all actions."""
    rows = [[0, 0] if cell.isupper() else [4, 0] if cell == "a" else [0, 4] for cell in "".join(grid)]
    return network_of(GRID_TASK, np.array(rows, dtype=float))


def cells(*names: str) -> list[list[str]]:
    return [[f"x({name[0]})", f"y({name[1]})"] for name in names]


def grid_extraction(form: str = "exactly-one", **claims: Any) -> Extraction:
    program = A_RULES + (B_RULES if form == "exactly-one" else "\naction(b) :- not action(a).")
    given = {"form": form, "lower_bound": 8 if form == "exactly-one" else 5, "proof": "clingo"}
    given |= {"witnesses": {"sets": [cells("03", "10", "22", "31"), cells("00", "12", "23")]}}
    return by_hand(GRID_TASK, grid_network(GRID), program, **given | claims)


def mutated(data: bytes, chance: random.Random) -> bytes:
    pieces = [
        b"{",
        b"]",
        b'"',
        b",",
        b":-",
        b"(",
        b".",
        b"%*",
        b"..",
        b"-1",
        b"9" * 30,
        b"1e308",
        b"null",
        b"\0",
        b"\xff",
    ]
    for _ in range(chance.randint(1, 4)):
        start = chance.randrange(len(data) + 1)
        data = data[:start] + chance.choice([*pieces, b""]) + data[start + chance.randint(0, 20) :]
    return data


class Certificates(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.small = extracted(cls.folder, "small-corridor-ndnf-mt", "--as", "asp")
        cls.wall = extracted(cls.folder, "small-corridor-wall-ndnf-mt", "--as", "problog")
        cls.blackjack = extracted(cls.folder, "blackjack-ndnf-mt", "--as", "asp")
        cls.door = extracted(cls.folder, "door-corridor-ndnf-mt", "--as", "asp", "--over", "predicates")
        cls.default = extracted(cls.folder, "blackjack-ndnf-mt", "--as", "asp", "--form", "default")
        cls.grid = extracted_from(cls.folder, A_RULES + B_RULES, GRID_TASK)
        cls.shielded = extracted(cls.folder, "blackjack-ndnf-mt", "--as", "asp", train=("--shield", SHIELD))

    def test_passes_what_is_extracted(self) -> None:
        others = [
            extracted(self.folder, "blackjack-ndnf-mt", "--as", "asp", "--compact"),
            extracted(self.folder, "blackjack-q-table", "--as", "asp"),
            extracted(self.folder, "blackjack-ndnf-mt", "--as", "asp", "--form", "list"),
            extracted(self.folder, "door-corridor-mlp", "--as", "asp"),
            extracted(self.folder, "door-corridor-ndnf-mt", "--as", "asp", "--over", "atoms"),
            extracted(self.folder, "door-corridor-ndnf-mt", "--as", "problog", "--over", "predicates"),
            extracted(self.folder, "small-corridor-wall-mlp", "--as", "problog"),
            extracted(self.folder, "long-corridor-11-wall-ndnf-mt", "--as", "problog"),
        ]
        self.assertEqual((self.grid.claims["proof"], self.grid.claims["lower_bound"]), ("clingo", 8))
        self.assertEqual((self.door.claims["over"], self.default.claims["class"]), ("predicates", "D"))
        mine = [self.small, self.wall, self.blackjack, self.door, self.default, self.grid, self.shielded]
        for extraction in [*mine, *others]:
            with self.subTest(extraction.claims["run"]):
                words = [sys.executable, ROOT / "tools" / "check_certificate.py", *extraction.write(self.folder)]
                run = subprocess.run(words, capture_output=True)
                self.assertEqual((run.returncode, run.stderr), (0, b""), run.stdout)

    def test_passes_programs_of_policies_that_are_not_networks(self) -> None:
        robot = f"{ROOT}/examples/robot.drn:reward=time,goal=home,costs=true,limit=100"
        table = f"{ROOT}/examples/two-rooms-policy.json"
        rules = self.folder / "rules.lp"
        rules.write_text("action(left) :- in_s_1, not in_s_0. action(right) :- in_s_0. action(right) :- in_s_2.")
        policies = [("optimal", "taxi:factored"), ("optimal", "blackjack"), ("optimal", robot), ("uniform", robot),
                    ("uniform", "small-corridor"), (table, f"{ROOT}/examples/two-rooms.json"),
                    (str(rules), "small-corridor")]  # fmt: skip
        for policy, env in policies:
            with self.subTest(f"{policy} on {env}"):
                file, task = self.folder / f"any.{'pl' if policy in ('uniform', table) else 'lp'}", self.folder / "any.json"
                subprocess.run([NDNF, "extract", policy, "--env", env, "--certify", "-o", file], check=True,
                               stdout=subprocess.DEVNULL)  # fmt: skip
                subprocess.run([NDNF, "envs", env, "--dump", task], check=True, stdout=subprocess.DEVNULL)
                words = [sys.executable, ROOT / "tools" / "check_certificate.py", policy, file]
                words += [f"{file}.certificate.json", task]
                run = subprocess.run(words, capture_output=True)
                self.assertEqual((run.returncode, run.stderr), (0, b""), run.stdout)
                if policy == "optimal":
                    self.assertIn(b"optimal: true", run.stdout)
                    worse = file.read_text().splitlines(keepends=True)
                    file.write_text("".join(worse[:-1]))
                    self.assertEqual(subprocess.run(words, capture_output=True).returncode, 1)

    def test_passes_policies_with_ties_in_every_form(self) -> None:
        task, random_rows, found = (
            environment_of([("x", 4), ("y", 3), ("z", 1)], ["a", "b", "c"]),
            random.Random(2),
            set(),
        )
        for _ in range(3):
            logits = np.array([[random_rows.choice([0.0, 0.0, 4.0]) for _ in "abc"] for _ in range(24)])
            for form, ties in itertools.product(("exactly-one", "default", "list"), ("eval", "free")):
                extraction = extracted_from(self.folder, logits, task, "--form", form, "--ties", ties)
                code, _, said = extraction.verdict(self.folder)
                self.assertEqual((code, extraction.claims["faithful"]), (0, True), said)
                found.add((ties, extraction.claims["proof"]))
                tied = extraction.claiming(lambda claims: claims.update(ties="eval")).verdict(self.folder)[0]
                self.assertEqual(tied, 0 if ties == "eval" else 1)
        self.assertGreaterEqual(found, {("free", "clingo"), ("free", "fooling set"), ("eval", "fooling set")})

    def test_rejects_every_forgery(self) -> None:
        counts = {kind.__name__: 0 for kind in kinds.ALL}
        of_size = [kinds.bounds_changed, kinds.witnesses_changed, kinds.padded_programs, kinds.classes_changed]
        of_meaning = [
            kinds.rules_left_out,
            kinds.literals_flipped,
            kinds.actions_exchanged,
            kinds.probabilities_shifted,
        ]
        of_text = [kinds.language_abused, kinds.code_planted, kinds.parameters_changed, kinds.networks_changed]
        originals = [(self.small, kinds.ALL), (self.wall, of_size + of_meaning + of_text), (self.grid, of_size)]
        originals += [(self.default, of_size), (self.shielded, [kinds.shields_changed])]
        originals += [(self.door, [kinds.predicates_changed])]
        for original, kind in ((original, kind) for original, own in originals for kind in own):
            for what, forged in kind(original):
                with self.subTest(f"{original.claims['env']}: {kind.__name__}: {what}"):
                    counts[kind.__name__] += 1
                    self.assertNotEqual(forged, original)
                    self.assert_rejected(forged)
        self.assertGreaterEqual(min(counts.values()), 2, counts)
        self.assertGreaterEqual(len(counts), 20)
        self.assertGreaterEqual(sum(counts.values()), 600, counts)

    def test_tells_in_one_sentence_what_cannot_be_read(self) -> None:
        chance = random.Random(3)
        for _ in range(200):
            name = chance.choice(["model", "program", "certificate", "environment"])
            extraction = replace(self.small, **{name: mutated(getattr(self.small, name), chance)})
            code, failed, said = extraction.verdict(self.folder)
            self.assertTrue(code != 2 or re.fullmatch("cannot be checked: .{1,300}\n", said), said)
            self.assertTrue(code != 1 or failed, said)

    def assert_rejected(self, forged: Extraction) -> None:
        with contextlib.chdir(self.folder):
            (self.folder / "evil.py").write_text(RUN)
            (self.folder / "evil.lp").write_text(SCRIPT)
            code, failed, said = forged.verdict(self.folder)
        self.assertIn(code, (1, 2), said)
        self.assertTrue(failed if code == 1 else re.fullmatch("cannot be checked: .{1,300}\n", said), said)
        self.assertFalse(list(self.folder.rglob("PWNED")))


class Claimed(unittest.TestCase):
    """Hand-made certificates: all classes, ties, and the strength of the bounds."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def assert_claims(self, extraction: Extraction, **expected: Any) -> None:
        """The claims are as expected, and the checker accepts them."""
        claims = extraction.claims
        self.assertEqual({name: claims[name] for name in expected}, expected)
        code, failed, said = extraction.verdict(self.folder)
        self.assertEqual((code, failed), (0, set()), said)

    def assert_fails(self, forged: Extraction, *names: str) -> None:
        code, failed, said = forged.verdict(self.folder)
        self.assertEqual(code, 1, said)
        self.assertGreaterEqual(failed, set(names), said)

    def test_class_e_is_proved_again_where_witnesses_are_not_enough(self) -> None:
        extraction = grid_extraction()
        self.assert_claims(extraction, **{"class": "E", "lower_bound": 8, "proved_minimal": True, "faithful": True})
        self.assert_fails(extraction.claiming(lambda c: c.update(proof="fooling set")), "lower_bound", "proved_minimal")
        self.assert_fails(extraction.claiming(lambda c: c.update(lower_bound=9)), "lower_bound")

    def test_a_bound_beyond_the_limit_is_not_proved(self) -> None:
        extraction = grid_extraction()
        with contextlib.redirect_stdout(io.StringIO()) as output:
            code = check_certificate.main([*extraction.write(self.folder), "--solve-limit", "0"])
        self.assertEqual(code, 1, output.getvalue())
        self.assertIn("the bound is not proved: clingo does not prove it within the limit", output.getvalue())

    def test_names_in_a_certificate_are_shown_with_escapes(self) -> None:
        forged = grid_extraction().claiming(lambda c: c.update({"x\x1b[2J\nok     everything\u202e": 1}))
        with contextlib.redirect_stdout(io.StringIO()) as output:
            check_certificate.main(forged.write(self.folder))
        self.assertIn("x\\x1b[2J\\nok     everything\\u202e", output.getvalue())

    def test_class_d_follows_from_its_covers(self) -> None:
        extraction = grid_extraction("default")
        expected = {"class": "D", "lower_bound": 5, "proved_minimal": True, "covers": {"a": 4, "b": 4}}
        self.assert_claims(extraction, **expected)
        for covers in ({"a": 4, "b": 5}, {"a": 3, "b": 4}, {"a": 4}, [4, 4]):
            self.assert_fails(extraction.claiming(lambda c: c.update(covers=covers)), "covers")
        self.assert_fails(extraction.claiming(lambda c: c.update(lower_bound=6)), "lower_bound")
        for rule in ("action(b) :- not action(b).", "action(b).", "action(b) :- not x(0).", "action(b) :- action(a)."):
            program = extraction.program.replace(b"action(b) :- not action(a).", rule.encode())
            self.assertIn(replace(extraction, program=program).signed().verdict(self.folder)[0], (1, 2), rule)

    def test_class_l_proves_nothing(self) -> None:
        rules = (
            "action(a) :- x(0).\naction(b) :- y(0), not action(a).\naction(a) :- other.\nother :- not x(0), not y(0).\n"
        )
        model = grid_network(["aaaa", "baaa", "baaa", "baaa"])
        extraction = by_hand(GRID_TASK, model, rules, form="list")
        self.assert_claims(extraction, **{"class": "L", "faithful": True, "lower_bound": None, "proved_minimal": False})
        for claim in (
            {"lower_bound": 3},
            {"proved_minimal": True},
            {"proof": "clingo"},
            {"lower_bound": 3, "proof": "clingo"},
        ):
            self.assert_fails(extraction.claiming(lambda c: c.update(claim)), *claim)

    def test_ties_are_broken_as_eval_does_or_are_free(self) -> None:
        network, rules = (
            grid_network(["aaaa", "aAAa", "bbbb", "bbbb"]),
            "action({}) :- x(0..1).  action({}) :- x(2..3).",
        )
        first = by_hand(GRID_TASK, network, rules.format("a", "b"))
        self.assert_claims(first, faithful=True, disagreements=0)
        rules = "action(b) :- x(2..3).  action(b) :- x(1), y(1..2).  action(a) :- x(0).  action(a) :- x(1), y(0;3)."
        other = by_hand(GRID_TASK, network, rules, ties="free")
        self.assert_claims(other, faithful=True, disagreements=0)
        self.assert_fails(other.claiming(lambda c: c.update(ties="eval")), "faithful", "disagreements")

    def test_where_actions_tie_a_bound_may_need_exactly_one(self) -> None:
        """The tied cell makes two boxes enough for a cover, but both would hold there."""
        grid = ["aabb", "aabb", "bbaa", "bbaa"]
        tied = [row.replace("a", "A", 1) if k == 0 else row for k, row in enumerate(grid)]
        rules = "action(a) :- x(0..1), y(0..1).  action(a) :- x(2..3), y(2..3)."
        rules += "action(b) :- x(0..1), y(2..3).  action(b) :- x(2..3), y(0..1)."
        sets = {"sets": [cells("11", "22"), cells("02", "20")]}
        claims = {"ties": "free", "lower_bound": 4, "proof": "clingo", "witnesses": sets}
        self.assert_claims(by_hand(GRID_TASK, grid_network(tied), rules.replace(".a", ". a"), **claims), lower_bound=4)

    def test_unclear_ties_are_told(self) -> None:
        logits = np.array([[0, 1e-13] if k == 5 else [4, 0] for k in range(16)])
        extraction = by_hand(GRID_TASK, network_of(GRID_TASK, logits), "action(a).")
        code, _, said = extraction.verdict(self.folder)
        self.assertEqual(code, 0, said)
        self.assertIn("best actions within 1e-12, of which any is accepted: in 1 observations", said)

    def test_helpers_and_folded_negations_are_outside_class_e(self) -> None:
        model = grid_network(["aaaa", "aaaa", "bbbb", "bbbb"])
        upper = "action(a) :- upper.  action(b) :- not upper.  upper :- x(0..1)."
        for rules in (
            upper,
            "action(a) :- not x(2;3).  action(b) :- not x(0;1).",
            "action(a) :- x(0..1).  action(b) :- not action(a).",
        ):
            extraction = by_hand(GRID_TASK, model, rules)
            self.assertIsNone(extraction.claims["class"], rules)
            for claim in ({"class": "E"}, {"proved_minimal": True}, {"lower_bound": 2, "proof": "fooling set"}):
                self.assert_fails(extraction.claiming(lambda c: c.update(claim)), *claim)

    def test_class_p_counts_what_no_plain_rule_can_say(self) -> None:
        sure, rows = 12.0, {(0, 0): [0.0, 1.0], (0, 1): [0.0, 1.0]}
        logits = np.array([rows.get((k // 4, min(k % 4, 1)), [sure, 0]) for k in range(16)])
        model = network_of(GRID_TASK, logits)
        p = 1 / (1 + np.exp(1))
        rules = f"{p:.6f}::action(a) ; {1 - p:.6f}::action(b) :- x(0).\naction(a) :- \\+ x(0).\n"
        claims = {"as": "problog", "form": "annotated-disjunctions", "proof": "incompatible distributions"}
        one = by_hand(GRID_TASK, model, rules, lower_bound=1, witnesses={"sets": [cells("00")]}, **claims)
        self.assert_claims(one, **{"class": "P", "faithful": True, "lower_bound": 1, "proved_minimal": True})
        certain = one.claiming(lambda c: c.update(lower_bound=2) or c["witnesses"].update(sets=[cells("00", "10")]))
        self.assert_fails(certain, "lower_bound")
        both = one.claiming(lambda c: c.update(lower_bound=2) or c["witnesses"].update(sets=[cells("00", "01")]))
        self.assert_fails(both, "lower_bound")
        two = f"{p:.6f}::action(a) ; {1 - p:.6f}::action(b) :- x(0).\n1::action(a) :- \\+ x(0).\n"
        self.assertIsNotNone(by_hand(GRID_TASK, model, two, **claims).claims["class"])
        for outside in (
            "0.5::action(a). 0.5::action(b).",
            "0.5::action(a) :- x(0). action(b) :- x(0). action(a) :- \\+ x(0).",
        ):
            self.assertIsNone(by_hand(GRID_TASK, model, outside, **claims).claims["class"], outside)

    def test_shields_may_have_variables_comparisons_and_sums(self) -> None:
        sum_of = {"forbidden(b) :- x(X), y(Y), X + Y >= 4.": lambda x, y: x + y >= 4}
        less = {"low(X) :- x(X), X < 2.\nforbidden(b) :- low(X), y(Y), X != Y.": lambda x, y: x < 2 and x != y}
        none = {"odd(1). odd(3). both :- x(X), y(X), odd(X).\nforbidden(b) :- both.": lambda x, y: x == y and x % 2}
        any_of = {"late :- y(2..3).\n%* all *% forbidden(b) :- not late, x(_). % one\n": lambda x, y: y < 2}
        for shield, is_forbidden in (sum_of | less | none | any_of).items():
            model = network_of(GRID_TASK, np.tile([0.0, 4.0], (16, 1)), shield)
            forbidden = [(k // 4, k % 4) for k in range(16) if is_forbidden(k // 4, k % 4)]
            rules = "".join(f"action(a) :- x({x}), y({y}).\n" for x, y in forbidden)
            rules += "action(b) :- " + ", ".join(f"not p{k}" for k in range(len(forbidden))) + ".\n"
            rules += "".join(f"p{k} :- x({x}), y({y}).\n" for k, (x, y) in enumerate(forbidden))
            self.assert_claims(by_hand(GRID_TASK, model, rules, shield=shield), faithful=True, shield=shield)

    def test_bounds_equal_an_exhaustive_search(self) -> None:
        random_rows = random.Random(1)
        for case in range(24):
            shape = (3, 3) if case % 4 == 0 else (3, 2)
            values = np.array([[i == k for k in range(shape[0])] + [j == k for k in range(shape[1])]
                               for i, j in itertools.product(*map(range, shape))])  # fmt: skip
            options = [(0,), (1,), (2,), (0, 1), (1, 2)][: 5 if case % 2 else 3]
            allowed = np.zeros((len(values), 3), dtype=bool)
            for row in allowed:
                row[list(random_rows.choice(options))] = True
            least = exhaustive(shape, allowed, None)
            bound = check_certificate.Bound(values, allowed, [[], [], []], 100_000)
            self.assertEqual(bound.of_class_e(least), least, allowed)
            self.assertLess(bound.of_class_e(least + 1), least + 1, allowed)
            with_default = 1 + min(exhaustive(shape, allowed, action) for action in range(3))
            self.assertLessEqual(bound.of_class_d(), with_default, allowed)
            if (allowed.sum(axis=1) == 1).all():
                covers = [bound.cover(action) for action in range(3)]
                self.assertEqual((sum(covers), 1 + sum(covers) - max(covers)), (least, with_default), allowed)
                self.assertEqual(bound.of_class_d(), with_default)


def exhaustive(shape: tuple[int, int], allowed: np.ndarray, default: int | None) -> int:
    """The fewest boxes that give each cell exactly one allowed action; the default covers cells that allow it."""
    sides = [[set(c) for n in range(1, size + 1) for c in itertools.combinations(range(size), n)] for size in shape]
    boxes = [frozenset(i * shape[1] + j for i in rows for j in columns) for rows, columns in itertools.product(*sides)]
    legal = [[box for box in boxes if allowed[list(box), a].all() and a != default] for a in range(allowed.shape[1])]
    layer, seen = {(None,) * len(allowed)}, set()
    for count in itertools.count():
        following = set()
        for state in layer:
            open_cells = [
                k for k, own in enumerate(state) if own is None and (default is None or not allowed[k, default])
            ]
            if not open_cells:
                return count
            for action, own_boxes in enumerate(legal):
                for box in own_boxes:
                    if open_cells[0] in box and all(state[k] in (None, action) for k in box):
                        following.add(tuple(action if k in box else own for k, own in enumerate(state)))
        layer, seen = following - seen, seen | following


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
