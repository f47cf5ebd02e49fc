#pragma once

namespace ndnf {

/// The Python script that runs after kProblogChildren: reads {"programs", "questions", "atoms", "quantities",
/// "actions", "one", "limit"} and prints {"rows"}: a number per action and, if requested, the probability of
/// the worlds with exactly one action. Programs are parsed once; each question runs in its own process.
inline constexpr const char* kProblogDriver = R"python(
import gc

from problog import get_evaluatable
from problog.engine import DefaultEngine
from problog.logic import And, Clause, Constant, Not, Term
from problog.program import PrologString

atoms = [Term.from_string(name) for name in request["atoms"]]
actions = [Term("action", Term.from_string(name)) for name in request["actions"]]
one = Term("ndnf_one")
queries = actions + [one] * request["one"]
engine = DefaultEngine()


def alone(action):
    """That the action holds and no other does."""
    return And.from_list([action] + [Not("\\+", other) for other in actions if other != action])


def observe(program, facts, places):
    """The program with what is observed; what is false is declared, or ProbLog would not know it."""
    database = program.extend()
    for number, term in enumerate(atoms):
        database.add_statement(term if number in facts else Clause(term, Term("fail")))
    for name, place in zip(request["quantities"], places):
        database.add_statement(Term(name, Constant(place)))
    for action in actions:
        database.add_statement(Clause(action, Term("fail")))
        database.add_statement(Clause(one, alone(action)))
    return database


def values_of(program, observed, groups, limit):
    """The probabilities of each group of queries, up to the first group whose time is over."""

    def answer(tell):
        database = observe(program, *observed)
        for group in groups:
            formula = engine.ground_all(database, queries=group)
            values = get_evaluatable().create_from(formula).evaluate()
            tell([float(values.get(query, 0.0)) for query in group])

    return in_child(answer, limit)


def ask(program, observed):
    """All queries at once is quicker where few bodies hold, and may never end where many do."""
    together = values_of(program, observed, [queries], min(3, request["limit"]))
    if together:
        return together[0]
    row = []
    while len(row) < len(queries):
        groups = [[query] for query in queries[len(row) :]]
        row += [values[0] for values in values_of(program, observed, groups, request["limit"])]
        if len(row) < len(queries):
            row.append(None)
    return row


def reply():
    programs = [engine.prepare(PrologString(text)) for text in request["programs"]]
    gc.freeze()  # otherwise a child may search all of them for garbage, which takes longer than its question
    return {"rows": [ask(programs[program], (set(facts), places)) for program, facts, places in request["questions"]]}


print_reply(reply)
)python";

/// Reads {"programs", "limit"} and prints {"answers"}: per program the seconds that ProbLog took and the
/// probabilities of its queries, up to the first timeout, which is null.
inline constexpr const char* kProblogTimer = R"python(
import gc

from problog import get_evaluatable
from problog.program import PrologString


def timed(text):
    def answer(tell):
        begin = time.perf_counter()
        values = get_evaluatable().create_from(PrologString(text)).evaluate()
        seconds = time.perf_counter() - begin
        tell({"seconds": seconds, "values": {str(query): float(p) for query, p in values.items()}})

    return in_child(answer, request["limit"])


def reply():
    answers = []
    for text in request["programs"]:
        answers += timed(text) or [None]
        if answers[-1] is None:
            break
    return {"answers": answers}


print_reply(reply)
)python";

/// Shared by both: the request, processes for single questions, the reply.
inline constexpr const char* kProblogChildren = R"python(
import json, os, select, signal, sys, tempfile, time, warnings
warnings.simplefilter("ignore")
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
request = json.load(sys.stdin)


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


def in_child(work, limit):
    """What work(tell) tells, up to what takes too long. It runs in a process with a group of its own, so that the
    compilers that ProbLog starts go with it."""
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.setpgid(0, 0)
        with os.fdopen(sink, "w") as out:
            tell = lambda value: print(json.dumps({"told": value}), file=out, flush=True)
            try:
                work(tell)
            except Exception as error:
                print(json.dumps({"error": f"{type(error).__name__}: {error}"}), file=out)
        os._exit(0)
    try:
        os.setpgid(child, child)
    except OSError:
        pass  # the child was faster
    os.close(sink)
    try:
        answers = list(lines(source, limit))
    finally:
        os.close(source)
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
    for line in answers:
        if "error" in line:
            raise RuntimeError(line["error"])
    return [line["told"] for line in answers]


def print_reply(reply):
    with tempfile.TemporaryDirectory() as directory:
        tempfile.tempdir = directory
        try:
            print(json.dumps(reply()))
        except Exception as error:
            print(json.dumps({"error": str(error)}))
)python";

}  // namespace ndnf
