"""The checker of certificates passes our extractions and fails all that are tampered with.

Usage: certificate_test.py NDNF
"""

import copy
import json
import re
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import safe_open
from safetensors.numpy import save

NDNF = sys.argv[1]
TOOLS = Path(__file__).resolve().parents[2] / "tools"
sys.path.insert(0, str(TOOLS))
sys.dont_write_bytecode = True
import check_certificate  # noqa: E402

EXTRACTIONS = [  # preset, then options
    ["small-corridor-ndnf-mt"],
    ["small-corridor-wall-ndnf-mt"],
    ["door-corridor-ndnf-mt"],
    ["long-corridor-11-wall-ndnf-mt"],
    ["blackjack-ndnf-mt", "--as", "asp"],
]
OTHER_EXTRACTIONS = [  # these are not tampered with
    ["blackjack-ndnf-mt", "--as", "asp", "--compact"],
    ["blackjack-q-table", "--as", "asp"],
    ["door-corridor-mlp"],
    ["small-corridor-wall-mlp", "--as", "problog"],
]
MEANING = {"disagreements", "max_dp", "exactly_one", "kl"}  # claims that fail if program or network mean something else


@dataclass(frozen=True)
class Extraction:
    """All that the checker reads."""

    model: bytes
    program: str
    claims: dict[str, Any]
    environment: dict[str, Any]

    def write(self, folder: Path) -> list[Path]:
        files = [folder / name for name in ("model.safetensors", "policy", "certificate.json", "environment.json")]
        files[0].write_bytes(self.model)
        files[1].write_text(self.program)
        files[2].write_text(json.dumps(self.claims))
        files[3].write_text(json.dumps(self.environment))
        return files

    def failures(self, folder: Path) -> set[str]:
        """The claims that the checker refuses; "input" where it says that nothing can be checked."""
        lines: list[str] = []
        try:
            check_certificate.check(*self.write(folder), say=lines.append)
        except ValueError:
            return {"input"}
        return {line.split()[1].rstrip(":") for line in lines if line.startswith("FAILED")}

    def with_claims(self, change: Callable[[dict[str, Any]], Any]) -> "Extraction":
        """A claim is made twice, for the extraction and for the method that was chosen."""
        claims = copy.deepcopy(self.claims)
        change(claims)
        for method in claims["methods"]:
            if method["method"] == claims["method"]:
                method.update({name: claims[name] for name in method if name != "seconds"})
        return replace(self, claims=claims)

    def signed(self) -> "Extraction":
        """With the right fingerprints, so that only the meaning gives a change away."""
        prints = {"model": self.model, "program": self.program.encode()}
        right = {name: check_certificate.fingerprint(data) for name, data in prints.items()}
        return self.with_claims(lambda claims: claims.update(fingerprints=right))


Tampered = tuple[str, Extraction, set[str]]  # what was done, the result, claims of which one must fail


def make_extraction(folder: Path, preset: str, *options: str) -> Extraction:
    def ndnf(*arguments: str | Path) -> None:
        subprocess.run([NDNF, *arguments], check=True, stdout=subprocess.DEVNULL)

    run = folder / "-".join([preset, *options])
    ndnf("train", f"paper/{preset}", "--seed", "0", "--out", run)
    ndnf("extract", run, "--certify", *options)
    [file] = run.glob("policy.*.certificate.json")
    claims = json.loads(file.read_text())
    ndnf("envs", claims["env"], "--dump", run / "environment.json")
    environment = json.loads((run / "environment.json").read_text())
    return Extraction((run / "model.safetensors").read_bytes(), (run / claims["file"]).read_text(), claims, environment)


def changed_programs(original: Extraction) -> Iterator[Tampered]:
    lines = original.program.splitlines(keepends=True)
    for k in [k for k, line in enumerate(lines) if ":-" in line]:
        rest = "".join(lines[:k] + lines[k + 1 :])
        yield f"without {lines[k]}", replace(original, program=rest), MEANING | {"input"}
    literals = list(re.finditer(r"(?<=[-,] )(not |\\\+ )?(?=[a-z])", original.program))
    for match in literals[:: max(1, len(literals) // 6)]:
        sign = "" if match[1] else "not " if original.claims["as"] == "asp" else "\\+ "
        text = original.program[: match.start()] + sign + original.program[match.end() :]
        yield f"literal flipped at {match.start()}", replace(original, program=text), MEANING
    for match in re.finditer(r"([\d.]+)(::\S+ ; )([\d.]+)(?=::)", original.program):
        text = f"{float(match[1]) / 2:.6f}{match[2]}{float(match[3]) + float(match[1]) / 2:.6f}"
        text = original.program[: match.start()] + text + original.program[match.end() :]
        yield f"probability {match[1]} halved", replace(original, program=text), MEANING


def changed_networks(original: Extraction, folder: Path) -> Iterator[Tampered]:
    file = folder / "original.safetensors"
    file.write_bytes(original.model)
    with safe_open(file, framework="np") as opened:
        tensors, metadata = {name: opened.get_tensor(name) for name in opened.keys()}, opened.metadata()

    def changed(name: str, values: np.ndarray) -> Extraction:
        return replace(original, model=save(tensors | {name: np.ascontiguousarray(values)}, metadata))

    weights = tensors["actor.disjunctions.weights"]
    yield "actions in reverse", changed("actor.disjunctions.weights", weights[::-1]), MEANING
    yield "disjunctions negated", changed("actor.disjunctions.weights", -weights), MEANING
    if original.claims["as"] == "problog":
        one_larger = weights + 0.01 * (np.arange(weights.size) == abs(weights).argmax()).reshape(weights.shape)
        yield "one weight a little larger", changed("actor.disjunctions.weights", one_larger.astype("f4")), MEANING
    if "extra_layer.0.bias" in tensors:
        yield "all predicates true", changed("extra_layer.0.bias", tensors["extra_layer.0.bias"] + 99), MEANING


def changed_figures(original: Extraction) -> Iterator[Tampered]:
    for name, step in {"return_network": 1e-6, "return_program": 1e-6, "max_dp": 1e-6, "kl": 1e-6}.items():
        yield f"{name} + {step}", original.with_claims(lambda c: c.update({name: c[name] + step})), {name}
    for name in ("observations", "disagreements", "rules", "action_rules", "literals", "annotated_disjunctions"):
        yield f"{name} + 1", original.with_claims(lambda c: c.update({name: c[name] + 1})), {name}
    for bound in (original.claims["lower_bound"] - 1, original.claims["lower_bound"] + 1):
        yield f"lower bound {bound}", original.with_claims(lambda c: c.update(lower_bound=bound)), {"lower_bound"}
    for name in ("faithful", "exactly_one", "proved_minimal"):
        yield f"not {name}", original.with_claims(lambda c: c.update({name: not c[name]})), {name}
    for name, value in {"observations": 1, "disagreements": 1, "max_dp": 0.5, "exactly_one": False}.items():
        yield f"visited {name}", original.with_claims(lambda c: c["visited"].update({name: value})), {"visited"}
    claims = copy.deepcopy(original.claims)
    claims["methods"][-1]["return_program"] += 1
    yield "the method claims another return", replace(original, claims=claims), {"return_program"}
    environment = copy.deepcopy(original.environment)
    for state in environment["states"]:
        for outcome in sum(state.get("outcomes", {}).values(), []):
            outcome["reward"] = outcome.get("reward", 0) + 1
    yield "other rewards", replace(original, environment=environment), {"return_network", "return_program"}


def changed_witnesses(original: Extraction) -> Iterator[Tampered]:
    sets = original.claims["witnesses"]["sets"]
    full = max(range(len(sets)), key=lambda k: len(sets[k]))

    def changed(change: Callable[[list[list[list[str]]]], Any]) -> Extraction:
        def apply(claims: dict[str, Any]) -> None:
            change(claims["witnesses"]["sets"])
            claims["lower_bound"] = sum(map(len, claims["witnesses"]["sets"]))

        return original.with_claims(apply)

    yield "one twice", changed(lambda s: s[full].append(s[full][0])), {"witnesses"}
    yield "one invented", changed(lambda s: s[full].append(["no_such_atom"])), {"witnesses"}
    yield "one left out", changed(lambda s: s[full].pop()), {"proved_minimal"}
    yield "a list too many", changed(lambda s: s.append([])), {"witnesses"}
    if original.claims["as"] == "asp":
        yield "for another action", changed(lambda s: s.insert(0, s.pop())), {"witnesses"}
    others = [o for o in original.environment["observations"] if o not in sets[full]]
    if "a_0" not in str(sets) and others:
        yield "one more forged", changed(lambda s: s[full].append(others[0])), {"witnesses"}
        yield "one replaced", changed(lambda s: s[full].__setitem__(0, others[-1])), {"witnesses"}


class Certificate(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.extractions = [make_extraction(cls.folder, *each) for each in EXTRACTIONS]

    def test_passes_as_extracted(self) -> None:
        others = [make_extraction(self.folder, *each) for each in OTHER_EXTRACTIONS]
        for extraction in self.extractions + others:
            with self.subTest(extraction.claims["run"]):
                files = extraction.write(self.folder)
                run = subprocess.run([sys.executable, TOOLS / "check_certificate.py", *files], capture_output=True)
                self.assertEqual((run.returncode, run.stderr), (0, b""), run.stdout)

    def test_fails_where_a_claim_is_changed(self) -> None:
        for original in self.extractions:
            tampered = [*changed_figures(original), *changed_witnesses(original)]
            self.assertGreater(len(tampered), 20)
            self.assert_all_fail(original, tampered)

    def test_fails_where_meaning_is_changed_and_fingerprints_are_right(self) -> None:
        for original in self.extractions:
            changes = [*changed_programs(original), *changed_networks(original, self.folder)]
            self.assertGreaterEqual(len(changes), 6)
            self.assert_all_fail(original, [(what, tampered.signed(), names) for what, tampered, names in changes])

    def test_fails_where_only_the_fingerprint_tells(self) -> None:
        for original in self.extractions:
            commented = replace(original, program=original.program + "% nothing\n")
            self.assertEqual(commented.failures(self.folder), {"fingerprints"})
            self.assertEqual(commented.signed().failures(self.folder), set())

    def test_files_that_cannot_be_checked_are_told_apart(self) -> None:
        extraction = self.extractions[0]
        strange = [
            replace(extraction, program="action(left) :- nowhere.\n"),
            replace(extraction, program="#script (python) #end.\n"),
            replace(extraction, program="action(left :- in_s_1.\n"),
            replace(extraction, model=extraction.model[:-1]),
            replace(extraction, claims={}),
            replace(extraction, environment=self.extractions[-1].environment),
        ]
        for each in strange:
            files = each.write(self.folder)
            run = subprocess.run([sys.executable, TOOLS / "check_certificate.py", *files], capture_output=True)
            self.assertEqual(run.returncode, 2, run.stdout)

    def assert_all_fail(self, original: Extraction, changes: list[Tampered]) -> None:
        for what, tampered, names in changes:
            with self.subTest(f"{original.claims['env']}: {what}"):
                self.assertNotEqual(tampered, original)
                self.assertTrue(tampered.failures(self.folder) & names)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
