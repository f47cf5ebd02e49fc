"""Files of others name environments, too. None of them has a module imported that the user did not name."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from gymnasium.envs.classic_control import CartPoleEnv
from gymnasium.envs.registration import EnvSpec
from ndnf._installed import only_installed
from ndnf._tasks import is_said, task_of_spec

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
    (tmp_path / "window.lp").write_text('% environment: gym:CartPole-v1:render_mode="human"\n' + RULES)
    (tmp_path / "deep.lp").write_text('% environment: gym:CartPole-v1:a=[{"b":"/dev/zero"}]\n' + RULES)
    return tmp_path


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """`ndnf` in the folder, from which Python imports."""
    before = os.environ.get("PYTHONPATH")
    environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{before}" if before else str(folder)}
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
        "eval window.lp",
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
    assert f"--env {task}" in refused.stderr
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


def test_the_name_of_a_file_does_not_speak_for_what_is_in_it(folder: Path) -> None:
    name = "cart-gym:planted:a.lp"
    (folder / name).write_text(f"% environment: {name.removeprefix('cart-')}\n" + RULES)
    assert "a file names it" in command(folder, "eval", name).stderr
    assert not (folder / "PWNED").exists()


@pytest.mark.parametrize(
    ("task", "module"), [("gym:Ant-v5", "mujoco"), ("gym:phys2d/CartPole-v1", "jax"), ("gym:Late-v0", "late")]
)
def test_what_an_environment_needs_is_imported_from_installed_packages(folder: Path, task: str, module: str) -> None:
    """Registered environments import other packages. A file's environment gets none from the folder it lies in."""
    if module != "late" and importlib.util.find_spec(module) is not None:
        pytest.skip("it is installed, and so would be found first")
    (folder / f"{module}.py").write_text(PLANTED)
    (folder / "needs.lp").write_text(f"% environment: {task}\n" + RULES)
    (folder / "registered.py").write_text("import gymnasium\ngymnasium.register('Late-v0', 'late:Env')\n")
    script = "import sys, registered, ndnf\nndnf.evaluate('needs.lp', env=sys.argv[1] or None)"

    def evaluate(env: str) -> str:
        program = [sys.executable, "-c", script, env]
        before = os.environ.get("PYTHONPATH", "")
        environment = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{before}"}
        done = subprocess.run(program, capture_output=True, text=True, cwd=folder, env=environment, check=False)
        return done.stderr

    assert "a file names it; if you trust it, name it yourself" in evaluate("")
    assert not (folder / "PWNED").exists()
    evaluate(task)
    assert (folder / "PWNED").exists()


def test_passing_a_policy_on_does_not_say_what_its_file_names(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "cart.lp").write_text("% environment: gym:CartPole-v1:sutton_barto_reward=true\n" + RULES)
    policy = ndnf.load(folder / "cart.lp")
    policy.rules()
    assert ndnf.evaluate(ndnf.load(policy), episodes=2).episodes == 2
    assert not is_said("gym:CartPole-v1:sutton_barto_reward=true")
    task_of_spec(policy.env, True)
    assert not is_said("gym:CartPole-v1:sutton_barto_reward=true")
    ndnf.evaluate(policy, env=policy.env, episodes=2)
    assert is_said("gym:CartPole-v1:sutton_barto_reward=true")


def test_the_engine_tells_who_names_an_environment() -> None:
    task_of_spec("gym:CartPole-v1:max_episode_steps=7", False)
    assert not is_said("gym:CartPole-v1:max_episode_steps=7")
    task_of_spec("gym:CartPole-v1:max_episode_steps=7", True)
    assert is_said("gym:CartPole-v1:max_episode_steps=7")


def test_the_path_is_as_before_after_an_environment_is_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "stranger.py").touch()
    monkeypatch.syspath_prepend(str(folder))
    before = list(sys.path)
    with only_installed():
        assert str(folder) not in sys.path
        assert "" not in sys.path
        assert importlib.util.find_spec("gymnasium") is not None
        assert importlib.util.find_spec("wave") is not None
        assert importlib.util.find_spec("stranger") is None
    assert importlib.util.find_spec("stranger") is not None
    assert sys.path == before


def test_the_hint_is_quoted_for_a_shell(folder: Path) -> None:
    (folder / "quoted.lp").write_text("% environment: gym:stranger:it's $(touch PWNED)-v0\n" + RULES)
    with pytest.raises(ndnf.Error) as caught:
        ndnf.load(folder / "quoted.lp")
    assert """--env 'gym:stranger:it'"'"'s $(touch PWNED)-v0'""" in str(caught.value)


def test_each_environment_of_a_name_in_a_file_is_made_with_installed_packages_only(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[bool] = []

    class Looking(CartPoleEnv):
        def __init__(self, **settings: Any) -> None:
            found.append(str(folder) in sys.path)
            super().__init__(**settings)

    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setitem(gymnasium.registry, "Looking-v0", EnvSpec("Looking-v0", Looking, max_episode_steps=50))
    (folder / "looking.lp").write_text("% environment: gym:Looking-v0\naction(a_1).\n")
    ndnf.evaluate(folder / "looking.lp", episodes=4)
    assert len(found) > 2
    assert not any(found)
    ndnf.evaluate(folder / "looking.lp", env="gym:Looking-v0", episodes=8)
    assert found[-1]


def test_saving_follows_no_planted_link(tmp_path: Path) -> None:
    victim = tmp_path / "victim.txt"
    victim.write_text("precious")
    folder = tmp_path / "run"
    folder.mkdir()
    for name in ("copy.lp", "copy.lp.partial", "m.json", "m.json.partial"):
        (folder / name).symlink_to(victim)
    policy = ndnf.extract("optimal", env="small-corridor").policy
    assert policy is not None
    with pytest.raises(ndnf.Error, match="is a symbolic link"):
        policy.save(folder / "copy.lp")
    with pytest.raises(ndnf.Error, match="is a symbolic link"):
        ndnf.finite_model("small-corridor").save(folder / "m.json")
    (folder / "copy.lp").unlink()
    policy.save(folder / "copy.lp")
    assert not (folder / "copy.lp").is_symlink()
    assert victim.read_text() == "precious"
