"""Forged certificates of several kinds, which certificate_test.py expects the checker to reject."""

import contextlib
import hashlib
import io
import itertools
import json
import random
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load, save

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
sys.dont_write_bytecode = True
import check_certificate  # noqa: E402
import ndnf_files  # noqa: E402

Claims = dict[str, Any]


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True)
class Extraction:
    """Everything that the checker reads, as bytes."""

    model: bytes
    program: bytes
    certificate: bytes
    environment: bytes

    @property
    def claims(self) -> Claims:
        return json.loads(self.certificate)

    @property
    def task(self) -> dict[str, Any]:
        return json.loads(self.environment)

    def claiming(self, change: Callable[[Claims], Any]) -> "Extraction":
        claims = self.claims
        change(claims)
        return replace(self, certificate=json.dumps(claims).encode())

    def with_task(self, change: Callable[[dict[str, Any]], Any]) -> "Extraction":
        task = self.task
        change(task)
        return replace(self, environment=json.dumps(task).encode())

    def signed(self) -> "Extraction":
        """With the right fingerprints, so that a change can be detected only by its meaning."""
        prints = {"model": sha256(self.model), "program": sha256(self.program)}
        return self.claiming(lambda claims: claims.update(fingerprints=prints))

    def write(self, folder: Path) -> list[str]:
        files = [folder / name for name in ("model.safetensors", "policy", "certificate.json", "environment.json")]
        for file, data in zip(files, (self.model, self.program, self.certificate, self.environment)):
            file.write_bytes(data)
        return [str(file) for file in files]

    def verdict(self, folder: Path) -> tuple[int, set[str], str]:
        """The checker's exit code, the claims that fail, and all it said."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            code = check_certificate.main(self.write(folder))
        return code, set(re.findall(r"(?m)^FAILED (\w+)", output.getvalue())), output.getvalue()


def atoms_of(task: dict[str, Any]) -> list[str]:
    return [atom for group in task["groups"] for atom in group["atoms"]]


# Each generator is a kind; every one of its extractions must be rejected.
Forgeries = Iterator[tuple[str, Extraction]]


def edited(original: Extraction, pattern: str, text: str) -> Forgeries:
    """Each match in the program replaced, with the right fingerprints."""
    program = original.program.decode()
    for k, match in enumerate(re.finditer(pattern, program)):
        changed = program[: match.start()] + match.expand(text) + program[match.end() :]
        yield f"{text!r} for match {k} of {pattern!r}", replace(original, program=changed.encode()).signed()


def is_asp(original: Extraction) -> bool:
    return original.claims["as"] == "asp"


def rules_left_out(original: Extraction) -> Forgeries:
    yield from edited(original, r"(?m)^[^%\n]*:-.*\n", "")


def literals_flipped(original: Extraction) -> Forgeries:
    negation = "not " if is_asp(original) else r"\\+ "
    yield from itertools.islice(edited(original, r"(?m)^([^%\n]*?(?::-|,) )(?=[a-z_]\w*[,.(])", rf"\1{negation}"), 6)
    yield from itertools.islice(edited(original, r"(?m)^([^%\n]*?(?::-|,) )(?:not |\\\+ )", r"\1"), 6)


def actions_exchanged(original: Extraction) -> Forgeries:
    first, second = original.task["actions"][:2]
    yield from itertools.islice(edited(original, rf"(?m)^([^%\n]*)action\({first}\)", rf"\1action({second})"), 3)


def probabilities_shifted(original: Extraction) -> Forgeries:
    for match in re.finditer(r"([\d.]+)(::\S+ ; )([\d.]+)(?=::)", original.program.decode()):
        for share in (0.5, 0.99):
            p, q = float(match[1]), float(match[3])
            text = f"{p * share:.6f}{match[2]}{q + p * (1 - share):.6f}"
            yield f"{match[0]} to {text}", replace(
                original, program=original.program.replace(match[0].encode(), text.encode())
            ).signed()


def rules_left_out_with_all_their_figures(original: Extraction) -> Forgeries:
    """A shorter program, with sizes, returns and bounds adjusted, but still called faithful."""
    for what, forged in rules_left_out(original):
        with tempfile.TemporaryDirectory() as folder:
            code, failed, _ = forged.verdict(Path(folder))
        kept = {"faithful", "faithful_to", "exactly_one", "disagreements", "max_dp", "kl", "visited"}
        if code == 1 and failed & kept:
            yield f"{what}, figures too", forged.claiming(lambda claims: honest(claims, forged, failed - kept))


def honest(claims: Claims, forged: Extraction, names: set[str]) -> None:
    task = ndnf_files.Task(forged.task)
    truth = check_certificate.Checker(forged.model, forged.program, claims, task, 10_000).truth
    claims.update({name: truth[name] for name in names})


def padded_programs(original: Extraction) -> Forgeries:
    """A redundant rule added, and a matching bound."""
    program = original.program.decode()
    rule = re.findall(r"(?m)^[^%\n]*:-[^%\n]*\.", program)[0]
    extra = sum(part.strip() != "" for part in rule.partition(":-")[2].split(","))
    padded = replace(original, program=f"{program}{rule}\n".encode()).signed()
    for proof in ("clingo", "fooling set"):

        def claim(claims: Claims) -> None:
            for name, more in {"rules": 1, "action_rules": 1, "literals": extra, "lower_bound": 1}.items():
                claims[name] += more
            claims["proof"] = claims["witnesses"]["proof"] = proof

        yield f"one rule twice, {proof}", padded.claiming(claim)


def networks_changed(original: Extraction) -> Forgeries:
    tensors, metadata = load(original.model), header_of(original.model)["__metadata__"]
    for name in [name for name in tensors if name.startswith("actor")]:
        for what, values in {"reversed": tensors[name][::-1], "negated": -tensors[name]}.items():
            model = save(tensors | {name: np.ascontiguousarray(values)}, metadata)
            forged = replace(original, model=model).signed()
            if model != original.model and "conj" not in name:
                yield f"{name} {what}", forged
    for weight in (np.nan, np.inf):
        name = next(name for name in tensors if name.startswith("actor"))
        yield f"{name} {weight}", replace(
            original, model=save(tensors | {name: tensors[name] * weight}, metadata)
        ).signed()
    for key, value in {"version": "4", "actions": '["left"]', "model": "magic", "atoms": "[]"}.items():
        yield f"metadata {key}", replace(original, model=save(tensors, metadata | {key: value})).signed()


def header_of(model: bytes) -> dict[str, Any]:
    return json.loads(model[8 : 8 + int.from_bytes(model[:8], "little")])


def fingerprints_changed(original: Extraction) -> Forgeries:
    for name in ("model", "program"):
        right = original.claims["fingerprints"][name]
        for wrong in (right[:-1] + ("0" if right[-1] != "0" else "1"), right[:16], "", right.upper() + " "):
            yield f"{name} {wrong}", original.claiming(lambda claims: claims["fingerprints"].update({name: wrong}))
    commented = replace(original, program=original.program + b"% nothing\n")
    yield "a comment more", commented
    yield "a model that is the same, written otherwise", replace(original, model=rewritten(original.model))


def rewritten(model: bytes) -> bytes:
    return save(load(model), header_of(model)["__metadata__"] | {"remark": "none"})


def figures_changed(original: Extraction) -> Forgeries:
    claims = original.claims
    for name in ("return_network", "return_program", "max_dp", "kl"):
        for step in (1e-6, -0.25):
            yield f"{name} + {step}", original.claiming(lambda c: c.update({name: c[name] + step}))
    counts = ("observations", "disagreements", "rules", "action_rules", "literals", "annotated_disjunctions")
    for name in counts:
        for step in (1, -1):
            yield f"{name} + {step}", original.claiming(lambda c: c.update({name: c[name] + step}))
    for name in ("faithful", "exactly_one", "proved_minimal"):
        yield f"not {name}", original.claiming(lambda c: c.update({name: not c[name]}))
    for name, value in {"observations": 1, "disagreements": 1, "max_dp": 0.5, "exactly_one": False}.items():
        yield f"visited {name}", original.claiming(lambda c: c["visited"].update({name: value}))
    yield "faithful to less", original.claiming(lambda c: c.update(faithful_to="truth-values"))
    yield "the other selection", original.claiming(
        lambda c: c.update(select={"argmax": "sample"}.get(claims["select"], "argmax"))
    )


def environments_changed(original: Extraction) -> Forgeries:
    def every_outcome(change: Callable[[dict[str, Any]], Any]) -> Callable[[dict[str, Any]], Any]:
        def apply(task: dict[str, Any]) -> None:
            for state in task["states"]:
                for outcome in itertools.chain(*state.get("outcomes", {}).values()):
                    change(outcome)

        return apply

    yield "other rewards", original.with_task(every_outcome(lambda o: o.update(reward=o.get("reward", 0) + 1)))
    yield "one step only", original.with_task(lambda task: task.update(step_limit=1))
    yield "no step", original.with_task(lambda task: task.update(step_limit=0))
    yield "steps for ever", original.with_task(lambda task: task.update(step_limit=10**15))
    yield "other actions", original.with_task(lambda task: task["actions"].reverse())
    yield "no atoms", original.with_task(lambda task: task.update(groups=[]))
    yield "an atom called action", original.with_task(
        lambda task: task["groups"][0]["atoms"].__setitem__(0, "action(x)")
    )
    yield "all atoms at once", original.with_task(lambda task: task["observations"][0].extend(atoms_of(task)))
    yield "an unknown atom", original.with_task(lambda task: task["observations"][0].append("unknown"))
    yield "negative next", original.with_task(every_outcome(lambda o: o.update(next=-1)))
    yield "no such next", original.with_task(every_outcome(lambda o: o.update(next=10**6)))
    yield "half probabilities", original.with_task(every_outcome(lambda o: o.update(p=o.get("p", 1) / 2)))
    yield "no observations", original.with_task(lambda task: task.update(observations=[]))
    yield "no starts", original.with_task(lambda task: task.update(starts=[]))


def bounds_changed(original: Extraction) -> Forgeries:
    right = original.claims["lower_bound"]
    for proof in ("clingo", "fooling set", "incompatible distributions", "my word", None):
        for bound in (right + 1, right + 5, right - 1, 10**9, 0, -1, float(right), str(right), True, None):
            if (bound, proof) != (right, original.claims["proof"]):

                def claim(claims: Claims) -> None:
                    claims.update(lower_bound=bound, proof=proof)
                    claims["witnesses"]["proof"] = proof

                yield f"at least {bound!r} by {proof}", original.claiming(claim)


def witnesses_changed(original: Extraction) -> Forgeries:
    sets = original.claims["witnesses"]["sets"]
    full = max(range(len(sets)), key=lambda k: len(sets[k]))
    others = [facts for facts in original.task["observations"] if facts not in sets[full]]

    def changed(change: Callable[[list[list[list[str]]]], Any], bound: int = 0) -> Extraction:
        def claim(claims: Claims) -> None:
            change(claims["witnesses"]["sets"])
            claims["lower_bound"] += bound

        return original.claiming(claim)

    if original.claims["proof"] != "clingo":  # which is proved again, so that the claim stays true
        yield "emptied", changed(lambda s: [own.clear() for own in s])
    if original.claims["proof"] != "clingo" and original.claims["class"] != "D":  # those of the default do not count
        yield "one left out", changed(lambda s: s[full].pop())
    yield "no lists", changed(lambda s: s.clear())
    yield "one twice", changed(lambda s: s[full].append(s[full][0]), 1)
    yield "one invented", changed(lambda s: s[full].append(["no_such_atom"]), 1)
    yield "one of no atoms", changed(lambda s: s[full].append([]), 1)
    yield "one left out, and of the bound", changed(lambda s: s[full].pop(), -1)
    yield "a list too many", changed(lambda s: s.append([]))
    yield "a list too many, full", changed(lambda s: s.append([others[0]]), 1)
    yield "one more forged", changed(lambda s: s[full].append(others[0]), 1)
    yield "another more forged", changed(lambda s: s[full].append(others[-1]), 1)
    yield "no list at all", original.claiming(lambda c: c.update(witnesses=None))
    yield "numbers", original.claiming(lambda c: c["witnesses"].update(sets=[[1]] * len(sets)))
    yield "gone", original.claiming(lambda c: c.pop("witnesses"))
    if len(sets) > 1:
        yield "for another action", changed(lambda s: s.insert(0, s.pop()))
        yield "one replaced", changed(lambda s: s[full].__setitem__(0, others[-1]))


def classes_changed(original: Extraction) -> Forgeries:
    right, form = original.claims["class"], original.claims["form"]
    forms = {"E": "exactly-one", "D": "default", "L": "list", "P": "annotated-disjunctions"}
    for other in ["E", "D", "L", "P", None, "X", 1]:
        if other != right:
            yield f"class {other}", original.claiming(lambda c: c.update({"class": other}))
    for other, word in forms.items():
        if word != form:
            yield f"form {word}", original.claiming(lambda c: c.update(form=word))
            yield f"class and form {other}", original.claiming(lambda c: c.update({"class": other, "form": word}))
    yield "form unknown", original.claiming(lambda c: c.update(form="shortest"))


def parameters_changed(original: Extraction) -> Forgeries:
    other = {"atoms": "predicates", "predicates": "atoms"}[original.claims["over"]]
    for change in ({"over": other}, {"over": "everything"}, {"ties": "mine"}, {"ties": None}, {"epsilon": "0.001"}):
        yield str(change), original.claiming(lambda c: c.update(change))
    language = {"asp": "problog", "problog": "asp"}[original.claims["as"]]
    yield "the other language", original.claiming(lambda c: c.update({"as": language}))
    yield "no language", original.claiming(lambda c: c.update({"as": "prolog"}))
    if not is_asp(original):
        for epsilon in (0.3, 1.0, 1e300):
            yield f"epsilon {epsilon}", original.claiming(lambda c: c.update(epsilon=epsilon))
        yield "epsilon 0", original.claiming(lambda c: c.update(epsilon=0.0))


def fields_missing(original: Extraction) -> Forgeries:
    # Without a discount that of the environment is meant.
    unchecked = {"run", "policy", "env", "method", "tau", "conjunctions", "splits", "seconds", "file", "frontier", "definitions"}
    for name in original.claims:
        if name not in unchecked | {"methods", "other_forms", "discount"}:
            yield name, original.claiming(lambda c: c.pop(name))


def fields_of_wrong_type(original: Extraction) -> Forgeries:
    for name, value in original.claims.items():
        if name in ("faithful", "fingerprints", "visited", "rules", "return_program", "class", "witnesses", "version"):
            for wrong in ([value], {"value": value}, str(value) + "!", [[[]]]):
                yield f"{name} {wrong!r:.30}", original.claiming(lambda c: c.update({name: wrong}))


def certificates_malformed(original: Extraction) -> Forgeries:
    text = original.certificate
    for number in (b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"0" * 5000 + b"1", b"9" * 5000):
        yield f"{number[:9]!r}", replace(
            original, certificate=re.sub(rb'"max_dp": [\d.e-]+', b'"max_dp": ' + number, text)
        )
    for key in (b'"faithful": true', b'"lower_bound": 1', b'"version": 2'):
        yield f"{key!r} twice", replace(original, certificate=b"{" + key + b", " + text[1:])
    for share in (0, 0.1, 0.5, 0.999):
        yield f"cut at {share}", replace(original, certificate=text[: int(len(text) * share)])
    yield "no UTF-8", replace(original, certificate=text.replace(b"faithful", b"faith\xff\xfeful"))
    yield "deep", replace(original, certificate=b"[" * 100_000)
    for root in (b"[]", b"null", b"3", b'"ndnf-extraction"', b"{}", b"\0" * 100):
        yield f"root {root!r:.20}", replace(original, certificate=root)
    for version in (1, 3, "2", None, True):
        yield f"version {version!r}", original.claiming(lambda c: c.update(version=version))
    yield "another format", original.claiming(lambda c: c.update(format="ndnf-checkpoint"))


def other_files_malformed(original: Extraction) -> Forgeries:
    for share in (0, 0.01, 0.5, 0.99):
        for name in ("model", "environment"):
            data = getattr(original, name)
            yield f"{name} cut at {share}", replace(original, **{name: data[: int(len(data) * share)]}).signed()
    for name in ("model", "program", "environment"):
        yield f"{name} of zeros", replace(original, **{name: bytes(1000)}).signed()
        yield f"{name} of noise", replace(original, **{name: random.Random(0).randbytes(1000)}).signed()
    yield "a header too long", replace(original, model=b"\xff" * 8 + original.model[8:]).signed()
    yield "the model as program", replace(original, program=original.model).signed()
    yield "the environment as model", replace(original, model=original.environment).signed()


def predicates_changed(original: Extraction) -> Forgeries:
    """Forgeries of a program over the predicates of an encoder."""
    if original.claims["over"] != "predicates":
        return
    yield from edited(original, r"(?m)^a_\d+ :- .*\n", "")  # a definition left out
    yield from itertools.islice(edited(original, r"(?m)^(a_\d+ :- )(?!not )", r"\1not "), 4)
    yield "other predicates", original.claiming(lambda c: c.update(over="atoms"))
    yield "more faithful", original.claiming(lambda c: c.update(faithful=not c["faithful"]))
    for word in {"network", "truth-values", "nothing"} - {original.claims["faithful_to"]}:
        yield f"faithful to {word}", original.claiming(lambda c: c.update(faithful_to=word))
    for name in ("disagreements", "disagreements_truth_values", "changed_by_discretisation"):
        yield f"{name} + 1", original.claiming(lambda c: c.update({name: c[name] + 1}))
    yield "none told", original.claiming(lambda c: c.pop("disagreements_truth_values"))
    yield "another return", original.claiming(lambda c: c.update(return_discretised=c["return_discretised"] + 1))
    tensors, metadata = load(original.model), header_of(original.model)["__metadata__"]
    for name in [name for name in tensors if name.startswith(("image_encoder", "extra_layer"))]:
        model = save(tensors | {name: tensors[name][::-1].copy()}, metadata)
        yield f"{name} reversed", replace(original, model=model).signed()


STRANGE = {  # outside the language, or reserved
    "asp": """
        {action(left)}.|action(left) ; action(right).|:- action(left).|#const n=1.|#external x.|#minimize {1 : x}.
        x :- x.|x :- y. y :- x.|x :- not x.|action(X) :- x(X).|p(X) :- X = 1..3.|p(1..99999999).|p(1..3).|p :- p(1;2).
        action(nowhere).|action(left) :- nowhere.|action(left)|action(left :- x.|x(.|x).|x :- .|x :- ,y.|.|..|-x.
        x :- -y.|x :- not not not.|x("a").|x('a').|x(a;).|x :- "a" = "a".|x :- &sum{1} > 0.|x :- #true.|x :- 1 { y }.
        ndnf_x.|not.|true.|false.|seen__(0).|action(left) :- seen__(0).|action(left) :- q(0).
        action(left) :- o(0), not q(1).|0.3::x.|x\\y.|x@f().|#show x : y.|#defined x.|%* a|%* a %* b *% c *%|%*%|é.
        x :- y:z.|p(f(1)).|p(00).|p(_).
    """,
    "problog": """
        x :- x.|x :- \\+ x.|action(left).|0.5::x.|0.7::action(left) ; 0.7::action(right).
        0.5::action(left) ; action(right).|1e400::action(left).|nan::action(left).|-1::action(left).|2::action(left).
        0.5::action(nowhere).|action(nowhere).|x.0.4::action(left).|:- use_module(evil).|:- x.|evidence(x).|x :- true.
        x :- fail.|x :- 1 < 2.|x :- X is 1.|x(X).|x :- \\+(y).|x :- y ; z.|x :- (y, z).|x('a').|x("a").|'x'.|x([1]).
        /* a|/* a /* b */ c */|x :- not y.|x(1;2).|x(1..2).|action(left) :- nowhere.|query(x) :- y.
        query(action(left)), x.|ndnf_x.|0x1::action(left).|x :- call(y).|x --> y.|é.
    """,
}


def language_abused(original: Extraction) -> Forgeries:
    for text in re.split(r"\s*[|\n]\s*", STRANGE[original.claims["as"]].strip()):
        yield text, replace(original, program=original.program + f"\n{text}\n".encode()).signed()


RUN = 'import os; os.system("touch PWNED")'
SCRIPT = f"#script (python)\n{RUN}\n#end.\n"
HOSTILE = {
    "asp": [
        SCRIPT,
        f'q("\\"%*").\n{SCRIPT}r("*%").\n',
        f"%*\n% %*\n*%\n{SCRIPT}% *%\n",
        f'x :- y("\n{SCRIPT}").\n',
        f"%* *% {SCRIPT}",
        f"%*%\n{SCRIPT}*%\n",
        f"x(@f()).\n{SCRIPT}",
        f"\ufeff{SCRIPT}",
        f"% comment\r{SCRIPT}",
        f"% comment\x0b\n{SCRIPT}",
        '#include "evil.lp".\n',
        "#include <incmode>.\n",
        "#program step(t).\n",
        f"#script (lua)\nos.execute('touch PWNED')\n#end.\n",
        f"x:-y.{SCRIPT}",
    ],
    "problog": [
        ":- use_module('evil.py').\n",
        "q('\\'/*').\n:- use_module('evil.py').\nr('*/').\n",
        "p('a\\\\', '). :- use_module('evil.py'). %').\n",
        "/* % */ :- use_module('evil.py').\n",
        "/*\n/* */\n:- use_module('evil.py').\n",
        ":- consult('evil.pl').\n",
        ":- initialization(shell('touch PWNED')).\n",
        "x :- shell('touch PWNED').\n",
        "x :- cmd_args(X).\n",
        ":- use_module(library(db)).\n",
        "% c\n:-use_module(evil).\n",
        "0.5::x :- use_module('evil.py').\n",
    ],
}


def code_planted(original: Extraction) -> Forgeries:
    language = original.claims["as"]
    for text in HOSTILE[language]:
        for program in (original.program + text.encode(), text.encode() + original.program):
            yield text, replace(original, program=program).signed()
    if language == "asp":
        for text in HOSTILE["asp"]:
            metadata = header_of(original.model)["__metadata__"] | {
                "version": "2",
                "shield": text + "forbidden(x) :- y.",
            }
            shielded = replace(original, model=save(load(original.model), metadata)).signed()
            yield f"shield {text}", shielded.claiming(lambda c: c.update(shield=metadata["shield"]))


def shields_changed(original: Extraction) -> Forgeries:
    metadata = header_of(original.model)["__metadata__"]
    if "shield" not in metadata:
        yield "one that is not there", original.claiming(lambda c: c.update(shield="forbidden(nothing) :- nothing."))
        return
    rule = metadata["shield"]
    yield "left out of the certificate", original.claiming(lambda c: c.pop("shield"))
    for change in (
        ("12", "13"),
        ("12", "11"),
        ("not usable_ace", "usable_ace"),
        ("hit", "stick"),
        (">=", "<"),
        (rule, ""),
    ):
        text = rule.replace(*change)
        yield f"{change} in the certificate", original.claiming(lambda c: c.update(shield=text))
        model = save(load(original.model), metadata | {"shield": text})
        yield f"{change} in the model", replace(original, model=model).signed()
        both = replace(original, model=model).signed().claiming(lambda c: c.update(shield=text))
        if change[0] != rule:
            yield f"{change} in both", both
    bare = {key: value for key, value in metadata.items() if key != "shield"} | {"version": "1"}
    yield "left out of the model", replace(original, model=save(load(original.model), bare)).signed()
    yield "concluding what is observed", original.claiming(
        lambda c: c.update(shield=rule + "\nusable_ace :- hand(12).")
    )


ALL = [
    rules_left_out, literals_flipped, actions_exchanged, probabilities_shifted,
    rules_left_out_with_all_their_figures, padded_programs, networks_changed, fingerprints_changed, figures_changed,
    environments_changed, bounds_changed, witnesses_changed, classes_changed, parameters_changed, fields_missing,
    fields_of_wrong_type, certificates_malformed, other_files_malformed, language_abused, code_planted,
    shields_changed, predicates_changed,
]  # fmt: skip
