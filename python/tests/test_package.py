"""The package as it is installed: its parts, its command, its solver."""

import inspect
import json
import os
import re
import subprocess
import sys
from importlib.metadata import requires
from pathlib import Path

import pytest

import ndnf

#: Python's name of an option of the command line, where it is not the option itself.
RENAMED = {"as": "as_", "with": "with_", "o": "output", "no-linear": "linear"}
#: Options that mean something only there: how results are printed, exit codes, and the studio's server.
ONLY_THERE = {"json", "help", "h", "fail-on-change", "folder", "port", "no-browser"}
FUNCTIONS = {"eval": "evaluate", "envs": "describe", "import": "from_weights"}


def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).parent / "ndnf"
    return subprocess.run(
        [str(program), *arguments], capture_output=True, text=True, env={**os.environ, **environment}, check=False
    )


def options_of(name: str) -> set[str]:
    text = command(name, "--help").stdout
    options = text.split("Options:")[1].split("Example:")[0]
    found = re.findall(r"^ +(-[\w,-]+)", options, re.MULTILINE)
    return {max(one.split(","), key=len).lstrip("-") for one in found} - ONLY_THERE


def commands() -> list[str]:
    listed = command("--help").stdout.split("Commands:")[1].split("Example:")[0]
    return [name for name in re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE) if name != "completion"]


def test_the_command_lists_more_than_ten_commands() -> None:
    assert len(commands()) >= 12


@pytest.mark.parametrize("name", commands())
def test_every_option_of_the_command_line_is_a_keyword_in_python(name: str) -> None:
    keywords = set(inspect.signature(getattr(ndnf, FUNCTIONS.get(name, name))).parameters)
    wanted = {RENAMED.get(option, option.replace("-", "_")) for option in options_of(name)}
    if name == "edit":
        wanted.remove("with_")  # in Python, replace is a mapping from the rule to what replaces it
    assert wanted <= keywords


def test_importing_the_package_imports_no_other() -> None:
    code = "import sys, ndnf; print(sorted({'gymnasium', 'numpy', 'pandas', 'clingo'} & set(sys.modules)))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "[]"


def test_the_wheel_needs_only_numpy_and_clingo() -> None:
    needed = [one for one in requires("ndnf") or [] if "extra" not in one]
    assert sorted(re.split(r"[<>=]", one)[0] for one in needed) == ["clingo", "numpy"]


def test_the_extension_needs_no_library_but_those_of_every_system() -> None:
    extension = ndnf._engine.__file__
    assert extension is not None
    shown = subprocess.run(["ldd", extension], capture_output=True, text=True, check=True)
    names = {Path(line.split()[0]).name.split(".")[0] for line in shown.stdout.splitlines()}
    assert names <= {"linux-vdso", "libm", "libc", "ld-linux-x86-64", "libpthread", "libdl"}


def test_the_commands_version_is_the_packages() -> None:
    assert command("--version").stdout.startswith(f"ndnf {ndnf.__version__}\n")


def test_the_command_takes_environments_of_gymnasium() -> None:
    shown = command("eval", "optimal", "--env", "gym:FrozenLake-v1", "--json")
    assert shown.returncode == 0, shown.stderr
    assert json.loads(shown.stdout)["optimum_bound"] == pytest.approx(0.74419, abs=1e-5)


def test_the_command_says_what_is_wrong_with_an_id() -> None:
    shown = command("envs", "gym:NoSuchLake-v1")
    assert shown.returncode == 2
    assert "NoSuchLake" in shown.stderr


def test_clingo_from_pypi_is_the_solver_even_if_there_is_no_other() -> None:
    Path("policy.lp").write_text("action(right) :- not in_s_1.\naction(left) :- in_s_1.\n")
    shown = command("eval", "policy.lp", "--env", "small-corridor", "--with", "clingo", PATH="/nonexistent")
    assert shown.returncode == 0, shown.stderr
    assert "-3" in shown.stdout


def test_problog_of_this_python_is_found() -> None:
    Path("policy.pl").write_text(
        "0.25::action(left); 0.75::action(right) :- in_s_0.\n0.5::action(left); 0.5::action(right) :- \\+in_s_0.\n"
    )
    result = ndnf.evaluate("policy.pl", "small-corridor", with_="problog")
    assert result.return_ == pytest.approx(ndnf.evaluate("policy.pl", "small-corridor").return_, abs=1e-9)
