"""Files of others name environments, too. None of them has a module imported that the user did not name."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import ndnf

PLANTED = "import pathlib\npathlib.Path(__file__).with_name('PWNED').touch()\n"
ENVIRONMENT = (
    "import gymnasium\n"
    "cart_pole = 'gymnasium.envs.classic_control:CartPoleEnv'\n"
    "gymnasium.register('Planted-v0', cart_pole, max_episode_steps=100)\n"
)
RULES = "action(right) :- angle(A), A > 0.\naction(left) :- angle(A), A <= 0.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a stranger sends: a module beside a program, a preset and a run that name it."""
    (tmp_path / "planted.py").write_text(PLANTED + ENVIRONMENT)
    (tmp_path / "policy.lp").write_text("% environment: gym:planted:Planted-v0\n" + RULES)
    (tmp_path / "path.lp").write_text('% environment: gym:CartPole-v1:render_mode="planted:x"\n' + RULES)
    (tmp_path / "deep.lp").write_text('% environment: gym:CartPole-v1:a=[{"b":"/dev/zero"}]\n' + RULES)
    return tmp_path


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """`ndnf` in the folder, from which Python imports."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    program = [sys.executable, "-m", "ndnf", *words]
    return subprocess.run(program, capture_output=True, text=True, cwd=folder, env=environment, check=False)


@pytest.mark.parametrize(
    "words",
    [
        "eval policy.lp",
        "check policy.lp",
        "explain policy.lp",
        "diff policy.lp policy.lp",
        "edit policy.lp --when angle>0 --do left",
        "export policy.lp --format c -o policy.c",
        "compile policy.lp -o network.safetensors",
        "extract policy.lp",
        "report policy.lp",
        "draw policy.lp",
        "eval path.lp",
        "eval deep.lp",
    ],
)
def test_a_program_cannot_have_a_module_imported(folder: Path, words: str) -> None:
    done = command(folder, *words.split())
    assert done.returncode == 2
    assert "a file names it" in done.stderr
    assert not (folder / "PWNED").exists()


def test_runs_and_presets_cannot_either(folder: Path) -> None:
    task = "gym:planted:Planted-v0"
    trained = command(folder, "train", task, "--model", "mlp", "--steps", "4096", "--out", "run")
    assert trained.returncode == 0, trained.stderr
    (folder / "PWNED").unlink()
    shutil.copy(folder / "run" / "config.toml", folder / "preset.toml")
    for words in ("eval run", "train --resume --out run", "train preset.toml --out other", "draw run --view curves"):
        command(folder, *words.split())
        assert not (folder / "PWNED").exists(), words
    refused = command(folder, "eval", "run")
    assert refused.returncode == 2
    assert f"--env '{task}'" in refused.stderr
    named = command(folder, "eval", "run", "--env", task, "--episodes", "2")
    assert named.returncode == 0, named.stderr
    assert (folder / "PWNED").exists()


def test_in_python_only_what_the_caller_names_is_imported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(folder))
    with pytest.raises(ndnf.Error, match="cannot have the module planted imported"):
        ndnf.evaluate(folder / "policy.lp")
    with pytest.raises(ndnf.Error, match="cannot have the module planted imported"):
        ndnf.load(folder / "policy.lp")
    assert not (folder / "PWNED").exists()
    assert ndnf.evaluate(folder / "policy.lp", env="gym:planted:Planted-v0", episodes=2).episodes == 2
    assert (folder / "PWNED").exists()
    assert ndnf.evaluate(folder / "policy.lp", episodes=2).episodes == 2  # it is imported already
