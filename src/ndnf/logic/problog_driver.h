#pragma once

namespace ndnf {

/// What runs in Python: reads {"programs", "questions", "atoms", "actions", "limit"} and prints {"rows"}.
/// Programs are parsed once; each question is asked in a forked process with a group of its own, so that a
/// query whose time is over goes with the compiler that ProbLog started for it.
inline constexpr const char* kProblogDriver = R"python(
import json, os, select, signal, sys, tempfile, time, warnings
warnings.simplefilter("ignore")
from problog import get_evaluatable
from problog.engine import DefaultEngine
from problog.logic import Clause, Term
from problog.program import PrologString

request = json.load(sys.stdin)
atoms = [(name, Term.from_string(name)) for name in request["atoms"]]
actions = [Term("action", Term.from_string(name)) for name in request["actions"]]
engine = DefaultEngine()


def observe(program, facts):
    """The program with what is observed; what is false is declared, or ProbLog would not know it."""
    database = program.extend()
    for name, term in atoms:
        database.add_statement(term if name in facts else Clause(term, Term("fail")))
    for action in actions:
        database.add_statement(Clause(action, Term("fail")))
    return database


def answer(program, facts, queries, out):
    """In the child: one line per query, with the probabilities of its actions."""
    try:
        database = observe(program, facts)
        for query in queries:
            formula = engine.ground_all(database, queries=[actions[a] for a in query])
            values = get_evaluatable().create_from(formula).evaluate()
            out.write(json.dumps({"values": [float(values.get(actions[a], 0.0)) for a in query]}) + "\n")
            out.flush()
    except Exception as error:
        out.write(json.dumps({"error": f"{type(error).__name__}: {error}"}) + "\n")
        out.flush()


def lines(descriptor, limit):
    """The lines of a pipe as they come; ends when it is closed or a line takes too long."""
    text = b""
    deadline = time.monotonic() + limit
    while True:
        ready, _, _ = select.select([descriptor], [], [], max(0.0, deadline - time.monotonic()))
        part = os.read(descriptor, 65536) if ready else b""
        if not part:
            return
        text += part
        while b"\n" in text:
            line, text = text.split(b"\n", 1)
            yield json.loads(line)
            deadline = time.monotonic() + limit


def in_child(program, facts, queries, limit):
    """The answers to the queries up to the first whose time is over."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.close(source)
        with os.fdopen(sink, "w") as out:
            answer(program, facts, queries, out)
        os._exit(0)
    try:
        os.setpgid(child, child)
    except OSError:
        pass  # the child was faster
    os.close(sink)
    answers = list(lines(source, limit))
    os.close(source)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    for line in answers:
        if "error" in line:
            raise RuntimeError(line["error"])
    return [line["values"] for line in answers]


def ask(program, facts):
    """All actions at once is quicker where few bodies hold, and may never end where many do."""
    together = in_child(program, facts, [range(len(actions))], min(3, request["limit"]))
    if together:
        return together[0]
    row = []
    while len(row) < len(actions):
        queries = [[a] for a in range(len(row), len(actions))]
        row += [values[0] for values in in_child(program, facts, queries, request["limit"])]
        if len(row) < len(actions):
            row.append(None)
    return row


with tempfile.TemporaryDirectory() as directory:
    tempfile.tempdir = directory
    try:
        programs = [engine.prepare(PrologString(text)) for text in request["programs"]]
        rows = [ask(programs[program], set(facts)) for program, facts in request["questions"]]
        print(json.dumps({"rows": rows}))
    except Exception as error:
        print(json.dumps({"error": str(error)}))
)python";

/// Reads {"programs", "limit"} and prints {"answers"}: per program the seconds that ProbLog took and the
/// probabilities of its queries, up to the first whose time is over, which is null.
inline constexpr const char* kProblogTimer = R"python(
import json, os, select, signal, sys, tempfile, time, warnings
warnings.simplefilter("ignore")
from problog import get_evaluatable
from problog.program import PrologString

request = json.load(sys.stdin)


def answer(text):
    begin = time.perf_counter()
    try:
        values = get_evaluatable().create_from(PrologString(text)).evaluate()
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"seconds": time.perf_counter() - begin, "values": {str(query): float(p) for query, p in values.items()}}


def in_child(text):
    """In a process group of its own, so that the compiler that ProbLog starts goes with it."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        with os.fdopen(sink, "w") as out:
            json.dump(answer(text), out)
        os._exit(0)
    try:
        os.setpgid(child, child)
    except OSError:
        pass  # the child was faster
    os.close(sink)
    ready, _, _ = select.select([source], [], [], request["limit"])
    with os.fdopen(source) as stream:
        result = json.load(stream) if ready else None
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return result


with tempfile.TemporaryDirectory() as directory:
    tempfile.tempdir = directory
    answers = []
    for text in request["programs"]:
        answers.append(in_child(text))
        if answers[-1] is None:
            break
print(json.dumps({"answers": answers}))
)python";

}  // namespace ndnf
