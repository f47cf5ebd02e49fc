#!/usr/bin/env python3
"""Breaks the code in many small ways, one at a time, and reports which of them no test notices.

Usage: tools/mutation/mutation.py [--sample N] [--seed S] [--fresh-seed S] [--jobs J] [--only FILE] BUILD [DOCUMENT]

All mutants of the modules are compiled into one build in the folder BUILD (sites.py, mutant.h). Each test is run once
to see which mutants it reaches. Then a sample of the mutants is activated, one per process: a mutant is killed if one
of the tests that reach it fails, crashes or takes far too long. DOCUMENT gets the figures and the survivors, each with its
reason from survivors.toml. Tests are written against these survivors, so only a fresh sample (--fresh-seed) gives an
unbiased figure. With --only, all mutants of one file are tried.
"""

import argparse
import collections
import concurrent.futures
import datetime
import os
import random
import resource
import signal
import subprocess
import threading
import tomllib
from dataclasses import dataclass
from pathlib import Path

from sites import Site, Sites, weave

ROOT = Path(__file__).resolve().parents[2]
MODULES = ["properties", "verify", "boxes", "distributions", "nodes", "compile", "extract", "syntax", "solvers", "logic"]
PROGRAMS = [f"{module}_test" for module in MODULES] + ["inputs_test", "training_test", "pipeline_test"]
SLOW = ":".join(["*TrainedRuns.*", "*EncodedRuns.*", "*DistilledRuns.*", "*DistilledNetworks.*", "*FreshNetworks.*",
                 "ProgramClaims.*", "Problog.A*", "Problog.Counts*", "Problog.IsTimed*", "MutatedPrograms.*",
                 "ClingoPolicy.TenToTheFive*", "Differential.*", "Problog.Random*", "Compile*.TenThousand*"])
PATIENCE = 600  # seconds of processor time for one test without a mutant
BLOCK = 512  # numbers a file may use
BATCH = 20  # tests in one process, the quickest first
ALIVE = {"survived", "unreached"}
MEMORY = 4 << 30  # bytes a test may take


@dataclass(frozen=True)
class Mutant:
    number: int
    file: str  # within src/ndnf
    line: int
    code: str  # the line
    site: Site

    @property
    def module(self) -> str:
        return self.file.split("/")[0]

    @property
    def change(self) -> str:
        return f"{self.site.before} → {self.site.after}"

    @property
    def key(self) -> tuple[str, str, str]:
        return self.file, self.code, self.change


@dataclass(frozen=True)
class Test:
    program: Path
    name: str


Fates = dict[int, str]  # by the mutant's number


def say(what: str, text: str) -> None:
    print(f"{what:<11}{text}", flush=True)


def write_if_changed(path: Path, text: str) -> None:
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def weave_file(source: Path, folder: Path, first: int) -> list[Mutant]:
    """Writes a mutated copy of one file; its mutants are numbered from `first`."""
    text = source.read_text()
    found = Sites(text)
    assert len(found.sites) < BLOCK, source
    write_if_changed(folder / source.parent.name / source.name, weave(text, found.sites, first))
    lines = text.splitlines()
    mutants = []
    for number, site in enumerate(found.sites, first):
        line = found.line(site.middle if site.middle >= 0 else site.begin)
        mutants.append(Mutant(number, f"{source.parent.name}/{source.name}", line, lines[line - 1].strip(), site))
    return mutants


def weave_modules(folder: Path) -> list[Mutant]:
    """Writes mutated copies of the modules to `folder`; copies that stay the same are not written again."""
    write_if_changed(folder / "mutant.h", (Path(__file__).parent / "mutant.h").read_text())
    sources = [source for module in MODULES for source in sorted((ROOT / "src/ndnf" / module).glob("*.cpp"))]
    names = {f"{source.parent.name}/{source.name}" for source in sources}
    for copy in folder.glob("*/*.cpp"):
        if str(copy.relative_to(folder)) not in names:
            copy.unlink()
    return [mutant for index, source in enumerate(sources) for mutant in weave_file(source, folder, BLOCK * index + 1)]


def run_quietly(log: Path, *command: str) -> None:
    if subprocess.run([str(ROOT / "tools/quietly"), str(log), *command]).returncode != 0:
        raise SystemExit(1)


def build(folder: Path) -> None:
    run_quietly(folder / "configure.log", "cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja",
                f"-DNDNF_MUTATED={folder / 'mutated'}", "-DNDNF_BENCH=OFF")
    run_quietly(folder / "build.log", "ninja", "-C", str(folder), *PROGRAMS)


def kill_group(leader: int) -> None:
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run_tests(program: Path, tests: list[str], limit: float, **environment: str) -> tuple[str, float]:
    """"passed", "failed", "crashed" or "hung", and the seconds of processor time. `limit` is of processor time, so that
    verdicts do not depend on the load of the machine; a test that waits for ever is ended by wall time."""

    def confine() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, int(limit) + 2))

    process = subprocess.Popen(
        [str(program), "--gtest_fail_fast", "--gtest_brief=1", "--gtest_filter=" + ":".join(tests)],
        cwd=ROOT, start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env=os.environ | {"RC_PARAMS": "seed=1"} | environment, preexec_fn=confine)
    clock = threading.Timer(60 + 10 * limit, kill_group, [process.pid])
    clock.start()
    _, status, usage = os.wait4(process.pid, 0)
    clock.cancel()
    kill_group(process.pid)  # its child processes
    process.returncode = code = os.waitstatus_to_exitcode(status)
    results = {0: "passed", 1: "failed", -signal.SIGXCPU: "hung", -signal.SIGKILL: "hung"}
    return results.get(code, "crashed"), usage.ru_utime + usage.ru_stime


def list_tests(program: Path) -> list[Test]:
    output = subprocess.run([str(program), "--gtest_list_tests", "--gtest_filter=-" + SLOW], capture_output=True,
                            text=True, check=True).stdout
    tests, suite = [], ""
    for line in output.splitlines():
        name = line.split("#")[0].rstrip()
        if not name.startswith(" "):
            suite = name
        else:
            tests.append(Test(program, suite + name.strip()))
    return tests


class Coverage:
    """Which mutants each test reaches, and how long the test takes."""

    def __init__(self, tests: list[Test], folder: Path, jobs: int) -> None:
        self.seconds: dict[Test, float] = {}
        self.by_mutant: dict[int, list[Test]] = collections.defaultdict(list)
        self.impossible: set[int] = set()
        folder.mkdir(exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            traces = [folder / f"{number}.txt" for number in range(len(tests))]
            for test, numbers in zip(tests, pool.map(self._trace, tests, traces)):
                for number in numbers:
                    if number > 0:
                        self.by_mutant[number].append(test)
                    else:
                        self.impossible.add(-number)
        for covering in self.by_mutant.values():
            covering.sort(key=lambda test: self.seconds[test])

    def _trace(self, test: Test, trace: Path) -> list[int]:
        trace.unlink(missing_ok=True)
        result, self.seconds[test] = run_tests(test.program, [test.name], PATIENCE, NDNF_MUTATION_TRACE=str(trace))
        if result != "passed":
            raise SystemExit(f"{test.name} {result} without a mutant")
        return [int(line) for line in trace.read_text().split()]


def fate(mutant: Mutant, coverage: Coverage) -> str:
    """"failed", "crashed" or "hung" if a test notices the mutant; "survived", or "unreached"."""
    tests = coverage.by_mutant.get(mutant.number, [])
    programs = sorted({test.program for test in tests}, key=lambda program: mutant.module not in program.name)
    for program in programs:
        own = [test for test in tests if test.program == program]
        for first in range(0, len(own), BATCH):
            batch = own[first:first + BATCH]
            limit = 5 + 5 * sum(coverage.seconds[test] for test in batch)
            result, _ = run_tests(program, [test.name for test in batch], limit, NDNF_MUTANT=str(mutant.number))
            if result != "passed":
                return result
    return "survived" if tests else "unreached"


def try_mutants(mutants: list[Mutant], coverage: Coverage, jobs: int) -> Fates:
    say("mutation", f"{len(mutants)} mutants, one at a time")
    fates: Fates = {}
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for mutant, result in zip(mutants, pool.map(lambda mutant: fate(mutant, coverage), mutants)):
            fates[mutant.number] = result
            if result in ALIVE:
                say(result, f"{mutant.file}:{mutant.line}: {mutant.change}: {mutant.code}")
    dead = sum(1 for result in fates.values() if result not in ALIVE)
    say("mutation", f"{dead} of {len(mutants)} killed")
    return fates


def draw(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """Each mutant is drawn independently, so that a change of the code changes the sample only there."""
    lots = sorted(mutants, key=lambda mutant: random.Random(f"{seed} {mutant.key}").random())
    return sorted(lots[:count], key=lambda mutant: mutant.number)


Reasons = dict[tuple[str, str, str], str]  # by file, code and change


def read_reasons(mutants: list[Mutant]) -> Reasons:
    """Why known survivors may live; entries for code that has changed are reported."""
    entries = tomllib.loads((Path(__file__).parent / "survivors.toml").read_text()).get("survivor", [])
    existing = {mutant.key for mutant in mutants}
    reasons = {(entry["file"], entry["code"], entry["change"]): entry["why"] for entry in entries}
    for file, code, change in reasons.keys() - existing:
        say("stale", f"survivors.toml: {file}: {change}: {code}")
    return reasons


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|---" + "|--:" * (len(header) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def code_text(text: str) -> str:
    return "`` " + text.replace("|", "\\|") + " ``"


def row(title: str, mutants: list[Mutant], fates: Fates) -> list[str]:
    count = collections.Counter(fates[mutant.number] for mutant in mutants)
    dead = len(mutants) - count["survived"] - count["unreached"]
    return [title, str(len(mutants)), str(dead), str(count["survived"]), str(count["unreached"])]


def figures(sample: list[Mutant], fates: Fates) -> list[list[str]]:
    rows = [row(f"`{module}/`", [m for m in sample if m.module == module], fates) for module in MODULES]
    rows += [row(kind, [m for m in sample if m.site.kind == kind], fates)
             for kind in sorted({mutant.site.kind for mutant in sample})]
    return [*rows, row("**all**", sample, fates)]


def survivors(sample: list[Mutant], fates: Fates, reasons: Reasons) -> str:
    alive = [mutant for mutant in sample if fates[mutant.number] in ALIVE]
    text = f"\n## The {len(alive)} survivors\n| where | line | change | why it lives |\n|---|---|---|---|\n"
    for mutant in alive:
        where = f"{mutant.file}:{mutant.line}" + (" (unreached)" if fates[mutant.number] == "unreached" else "")
        why = reasons.get(mutant.key, "**not judged**")
        text += f"| {where} | {code_text(mutant.code)} | {code_text(mutant.change)} | {why} |\n"
    return text


INTRODUCTION = """# Mutants

Made by `make mutation`; do not edit. The reason of each survivor is in `tools/mutation/survivors.toml`.

A test that cannot fail is a defect, and so is code whose change no test notices. [tools/mutation](../tools/mutation) breaks
the folders below in one place at a time: `<` becomes `<=`, `==` becomes `!=`, `&&` becomes `||`, `+` becomes `-`, 0 becomes 1, `true` becomes `false`, a condition is negated, a statement left out. A mutant is killed if a
unit test of these folders, of `training/` or of `pipeline/` fails, crashes or hangs with it. The slowest tests are left out: those that
train, and the long comparisons with clingo and ProbLog.

{tried} of {total} mutants, drawn with seed {seed}, on {date}, commit {commit}. Tests were written against the survivors of
this sample; a fresh sample, which nobody has looked at, gives the unbiased figure:

"""


def introduction(total: int, tried: int, seed: int) -> str:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True,
                            check=True).stdout.strip()
    return INTRODUCTION.format(total=total, tried=tried, seed=seed, commit=commit, date=datetime.date.today())


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sample", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh-seed", type=int, help="try a second sample too, drawn with this seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", help="a file such as verify/diff.cpp: all its mutants")
    parser.add_argument("build", type=Path)
    parser.add_argument("document", type=Path, nargs="?")
    return parser.parse_args()


def main() -> None:
    arguments = parse_arguments()
    folder = arguments.build.resolve()
    mutants = weave_modules(folder / "mutated")
    reasons = read_reasons(mutants)
    say("mutation", f"{len(mutants)} mutants in one build, {folder}")
    build(folder)
    tests = [test for program in PROGRAMS for test in list_tests(folder / "tests" / program)]
    say("mutation", f"which of them {len(tests)} tests reach")
    coverage = Coverage(tests, folder / "traces", arguments.jobs)
    possible = [mutant for mutant in mutants if mutant.number not in coverage.impossible]
    if arguments.only:
        try_mutants([mutant for mutant in possible if mutant.file == arguments.only], coverage, arguments.jobs)
        return
    sample = draw(possible, arguments.sample, arguments.seed)
    fates = try_mutants(sample, coverage, arguments.jobs)
    rows = figures(sample, fates)
    if arguments.fresh_seed is not None:
        fresh = draw(possible, arguments.sample, arguments.fresh_seed)
        title = f"**a fresh sample**, seed {arguments.fresh_seed}"
        rows.append(row(title, fresh, try_mutants(fresh, coverage, arguments.jobs)))
    if arguments.document:
        header = ["", "mutants", "killed", "survived", "reached by no test"]
        arguments.document.write_text(introduction(len(possible), len(sample), arguments.seed) + table(header, rows)
                                      + survivors(sample, fates, reasons))


if __name__ == "__main__":
    main()
