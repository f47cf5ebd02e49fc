"""Control policies that people can read, edit and prove things about.

>>> import ndnf
>>> run = ndnf.train("small-corridor", out="runs/tour")
>>> found = run.extract()
>>> print("\\n".join(found.policy.rules()))
action(left) :- in_s_1.
action(right) :- not in_s_1.
>>> edited = ndnf.edit(found.policy, when="in_s_1", do="right")
>>> edited.return_before, edited.return_after
(-3.0, -50.0)
>>> ndnf.check(found.policy, property='P>=1 [F<=3 "goal"]').holds
True
"""

from __future__ import annotations

import sys

from . import _engine
from ._catalogue import describe, envs, presets
from ._commands import (
    check,
    compile,
    diff,
    draw,
    edit,
    evaluate,
    explain,
    export,
    extract,
    optimum,
    report,
    reproduce,
    studio,
)
from ._errors import Complaint, Error, Stopped
from ._model import Model, explore, finite_model
from ._policy import Policy, load
from ._registration import register_when_imported
from ._results import (
    Check,
    Compilation,
    Description,
    Diff,
    Drawing,
    Edit,
    Evaluation,
    Explanation,
    Export,
    Extraction,
    Optimum,
    Report,
    Reproduction,
    Results,
    Watching,
)
from ._solvers import clingo_command, z3_program
from ._tasks import task_of_spec
from ._teachers import Teacher, tabulate
from ._training import Run, train
from ._weights import from_weights

__version__: str = _engine.version()

__all__ = [
    "Check",
    "Compilation",
    "Complaint",
    "Description",
    "Diff",
    "Drawing",
    "Edit",
    "Error",
    "Evaluation",
    "Explanation",
    "Export",
    "Extraction",
    "Model",
    "Optimum",
    "Policy",
    "Report",
    "Reproduction",
    "Results",
    "Run",
    "Stopped",
    "Teacher",
    "Watching",
    "check",
    "compile",
    "describe",
    "diff",
    "draw",
    "edit",
    "envs",
    "evaluate",
    "explain",
    "explore",
    "export",
    "extract",
    "finite_model",
    "from_weights",
    "load",
    "optimum",
    "presets",
    "report",
    "reproduce",
    "studio",
    "tabulate",
    "train",
]

_engine.add_task_source("gym", task_of_spec)
_engine.add_task_source("python", task_of_spec)
_engine.use_solvers(clingo_command(), sys.executable, z3_program())
register_when_imported()
