"""Commands as functions, and their results."""

import dataclasses
import pickle
import signal
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ndnf

RULES = "action(right) :- not in_s_1.\naction(left) :- in_s_1.\n"


@pytest.fixture
def program() -> ndnf.Policy:
    Path("policy.lp").write_text(RULES)
    return ndnf.load("policy.lp", env="small-corridor")


def test_a_network_a_program_and_a_table_act_alike(program: ndnf.Policy) -> None:
    compiled = ndnf.compile(program)
    assert compiled.agrees
    assert compiled.policy is not None
    network = compiled.policy
    squares = np.array([0, 1, 2])
    assert np.array_equal(program.act(squares), [1, 0, 1])
    assert np.array_equal(network.act(squares, deterministic=True), [1, 0, 1])
    assert np.array_equal(ndnf.load("optimal", env="small-corridor").act(squares), [1, 0, 1])


def test_probabilities_are_float64_rows_that_sum_to_one(program: ndnf.Policy) -> None:
    rows = program.probabilities([0, 1, 2])
    assert rows.dtype == np.float64
    assert rows.shape == (3, 2)
    assert np.array_equal(rows.sum(axis=1), np.ones(3))
    assert program.probabilities(1).shape == (2,)


def test_uniform_draws_both_actions_and_a_seed_repeats_them() -> None:
    policy = ndnf.load("uniform", env="small-corridor")
    policy.seed(3)
    first = policy.act(np.zeros(1000, int))
    policy.seed(3)
    assert np.array_equal(policy.act(np.zeros(1000, int)), first)
    assert 400 < first.sum() < 600


@pytest.mark.parametrize(
    ("obs", "said"),
    [
        (7, "it is from 0 to 3"),
        ([[0, 1]], "shape"),
        (0.5, "integers"),
        ("in_s_1", "array of numbers"),
        (None, "not numbers"),
    ],
)
def test_a_bad_observation_is_a_sentence(program: ndnf.Policy, obs: Any, said: str) -> None:
    with pytest.raises(ndnf.Error, match=said) as caught:
        program.act(obs)
    assert caught.value.where == "obs"


def test_an_error_names_file_line_and_column() -> None:
    Path("bad.lp").write_text("action(right) :- not in_s_1.\naction(left) :- in_s_9.\n")
    with pytest.raises(ndnf.Error) as caught:
        ndnf.evaluate("bad.lp", "small-corridor")
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.where, error.line, error.column) == ("bad.lp", 2, 17)
    assert "did you mean in_s_0?" in error.what
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_hints_use_pythons_words() -> None:
    Path("policy.lp").write_text(RULES)
    with pytest.raises(ndnf.Error, match="env="):
        ndnf.evaluate("policy.lp")


def test_results_are_frozen_readable_and_become_dicts_and_frames() -> None:
    result = ndnf.diff("uniform", "optimal", env="small-corridor")
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.changed = 0  # type: ignore[misc]
    assert result.to_dict()["changed"] == 4
    assert list(result.to_frame()["observation"]) == ["in_s_2", "in_s_1", "in_s_0", "in_s_3"]
    assert ndnf.evaluate("optimal", env="blackjack").to_frame().shape[0] == 1
    assert set(ndnf.evaluate("optimal", env="blackjack").rates) == {"win", "draw", "loss"}


def test_check_shows_a_witness(program: ndnf.Policy) -> None:
    assert ndnf.check(program)
    failed = ndnf.check(program, property='P<=0 [F "goal"]')
    assert not failed
    assert failed.checks[-1]["trace"]


def test_editing_leaves_the_file_alone_and_gives_a_policy(program: ndnf.Policy) -> None:
    edited = ndnf.edit(program, when="in_s_1", do="right")
    assert edited.return_after == -50
    assert edited.policy is not None
    assert edited.policy.act(1) == 1
    assert Path("policy.lp").read_text() == RULES


def test_replacing_and_adding_rules(program: ndnf.Policy) -> None:
    edited = ndnf.edit(program, replace={"2": "action(left) :- in_s_1, not in_s_0."}, add="action(left) :- in_s_3.")
    assert edited.changed == 0
    assert "in_s_3" in edited.text


def test_policies_are_saved_as_they_are(program: ndnf.Policy) -> None:
    program.save("copy.lp")
    assert Path("copy.lp").read_text() == RULES
    network = ndnf.compile(program).policy
    assert network is not None
    network.save("copy.safetensors")
    assert ndnf.evaluate("copy.safetensors").return_ == -3
    with pytest.raises(ndnf.Error, match="safetensors"):
        network.save("copy.lp")


def test_a_policy_is_a_program_of_either_kind(program: ndnf.Policy) -> None:
    assert program.to_asp() == RULES
    assert "::action(left)" in ndnf.load("uniform", env="small-corridor").to_problog()
    Path("same.pl").write_text(program.to_problog())
    again = ndnf.load("same.pl", env="small-corridor")
    assert again.to_problog() == Path("same.pl").read_text()
    assert ndnf.diff(program, again, env="small-corridor").changed == 0


def test_export_gives_the_bytes_and_writes_them(program: ndnf.Policy) -> None:
    exported = ndnf.export(program, "npz", output="policy.npz")
    assert Path("policy.npz").read_bytes() == exported.contents
    assert np.load("policy.npz")


def test_explain_says_why(program: ndnf.Policy) -> None:
    explained = ndnf.explain(program, obs="in_s_1")
    assert explained.explanations[0]["rules"] == ["line 2: action(left) :- in_s_1."]
    assert [step["action"] for step in ndnf.explain(program).episode] == ["right", "left", "right"]


def test_a_run_is_trained_extracted_and_resumed() -> None:
    reports: list[dict[str, Any]] = []
    run = ndnf.train("small-corridor", callback=reports.append)
    assert run.finished
    assert run.gap == 0
    assert run.path == Path("runs/small-corridor")
    assert reports[-1]["steps"] == run.steps
    assert run.metrics[-1]["steps"] == run.steps
    assert len(run.to_frame()) == len(run.metrics)
    found = run.extract()
    assert found.faithful
    assert (run.path / "policy.lp").read_text() == found.text
    again = ndnf.train("small-corridor", out=run.path, resume=True)
    assert again.return_ == run.return_
    assert ndnf.train("small-corridor").path == Path("runs/small-corridor-2")


def test_several_policies_and_folders_of_runs_give_results_with_a_summary(program: ndnf.Policy) -> None:
    results = ndnf.evaluate(["uniform", "optimal", program], env="small-corridor")
    assert [one.policy for one in results] == ["uniform", "optimal", "policy.lp"]
    assert results.summary["policies"] == 3
    assert results.summary["worst"] == results[0].return_
    assert list(results.to_frame()["return"]) == [one.return_ for one in results]
    checked = ndnf.check(["optimal", program], env="small-corridor", property='P>=1 [F<=3 "goal"]')
    assert checked.summary["hold"] == 2
    assert all(checked)
    ndnf.train("small-corridor", seeds="0..2", out="runs")
    found: Any = ndnf.extract("runs")
    assert [Path(one.file).parent.name for one in found] == ["seed-0", "seed-1", "seed-2"]
    assert found.summary["faithful"] == 3
    assert found[2].policy.rules() == program.rules()[::-1]
    assert len(ndnf.evaluate(["runs", program]).to_dict()["results"]) == 4


def test_a_policy_that_cannot_be_read_does_not_lose_the_others() -> None:
    Path("bad.lp").write_text("action(up).")
    results = ndnf.evaluate(["bad.lp", "uniform"], env="small-corridor")
    assert len(results) == 1
    assert results.summary["errors"] == 1
    assert results.errors["bad.lp"].line == 1
    assert "1 without a result" in repr(results)
    with pytest.raises(ndnf.Error, match=r"bad\.lp"):
        ndnf.evaluate(["bad.lp"], env="small-corridor")
    with pytest.raises(ndnf.Error, match="empty list"):
        ndnf.check([], env="small-corridor")
    with pytest.raises(ndnf.Error, match="one file for 2 programs"):
        ndnf.extract(["uniform", "optimal"], env="small-corridor", output="both.lp")


def test_drawings_are_svg_text_and_data(tmp_path: Path) -> None:
    picture = ndnf.draw("optimal", env="blackjack", output=tmp_path / "policy.svg")
    assert (tmp_path / "policy.svg").read_text() == picture.svg == picture._repr_svg_()
    assert "usable ace" in str(picture)
    assert picture.to_dict()["view"] == "policy"
    with pytest.raises(ndnf.Error, match="view"):
        ndnf.draw("optimal", env="blackjack", view="portrait")
    with pytest.raises(ndnf.Error, match="svg"):
        ndnf.draw("optimal", env="blackjack", output=tmp_path / "policy.png")


def test_reports_are_one_page_and_data(tmp_path: Path) -> None:
    page = ndnf.report("optimal", env="blackjack", property='P>=0.5 [F "win"]', output=tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page.html
    assert [section["name"] for section in page.sections][:2] == ["results", "policy"]
    assert "<script" not in page.html
    several = ndnf.report(["uniform", "optimal"], env="small-corridor")
    assert several.policies == ["uniform", "optimal"]
    with pytest.raises(ndnf.Error, match="html"):
        ndnf.report("optimal", env="blackjack", output=tmp_path / "page.pdf")


def test_policies_show_an_episode_in_notebooks() -> None:
    program = ndnf.extract("optimal", env="small-corridor").policy
    assert program is not None
    shown = program._repr_html_()
    assert shown is not None
    assert shown.startswith("<iframe srcdoc=")
    assert "action(left) :- in_s_1." in shown
    watching = ndnf.studio(program, seed=3)
    assert watching.html.startswith("<!doctype html>")
    assert "http://" not in watching.html.replace("http://www.w3.org/2000/svg", "")
    assert ndnf.studio("uniform", env="mountain-car").env == "mountain-car"
    with pytest.raises(ndnf.Error, match="taxii"):
        ndnf.studio("uniform", env="taxii")


def test_the_packages_command_says_that_it_has_no_studio(capfd: pytest.CaptureFixture[str]) -> None:
    assert ndnf._engine.run_program(["ndnf", "studio", "taxi"]) == 2
    assert "this program has no web server" in capfd.readouterr().err


def test_networks_are_the_same_bytes_as_the_command_trains() -> None:
    settings = {"ppo.total_timesteps": 8192}
    run = ndnf.train("paper/blackjack-ndnf-mt", seed=3, set=settings, out="a")
    assert (
        ndnf._engine.run_program(
            [
                "ndnf",
                "train",
                "paper/blackjack-ndnf-mt",
                "--seed",
                "3",
                "--set",
                "ppo.total_timesteps=8192",
                "--out",
                "b",
            ]
        )
        == 0
    )
    assert (run.path / "model.safetensors").read_bytes() == Path("b/model.safetensors").read_bytes()


def test_several_seeds_give_several_runs() -> None:
    runs = ndnf.train("small-corridor", seeds="0..2", jobs=2)
    assert [run.seed for run in runs] == [0, 1, 2]


def test_trainings_run_in_threads_at_once() -> None:
    runs: dict[int, ndnf.Run] = {}

    def work(seed: int) -> None:
        runs[seed] = ndnf.train("small-corridor", seed=seed, out=f"seed-{seed}")

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [runs[seed].gap for seed in range(3)] == [0, 0, 0]


def test_ctrl_c_stops_a_training_and_keeps_the_run() -> None:
    def interrupt(report: dict[str, Any]) -> None:
        if report["iteration"] == 2:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(ndnf.Stopped) as caught:
        ndnf.train("paper/blackjack-ndnf-mt", out="stopped", callback=interrupt)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    (run,) = caught.value.runs
    assert not run.finished
    assert (run.path / "model.safetensors").exists()
    assert isinstance(caught.value, KeyboardInterrupt)


def test_an_exception_in_a_callback_ends_the_training() -> None:
    def fail(report: dict[str, Any]) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        ndnf.train("paper/blackjack-ndnf-mt", out="failed", callback=fail)


def test_time_stops_a_training_without_an_exception() -> None:
    run = ndnf.train("paper/blackjack-ndnf-mt", time=0.2, out="short")
    assert not run.finished


def test_a_policy_may_explore_within_a_mask() -> None:
    settings = {"eval.select": "epsilon:0.5", "q-learning.episodes": 200}
    policy = ndnf.train("paper/small-corridor-q-table", set=settings, out="run").policy
    assert policy.select == "epsilon:0.5"
    drawn = policy.act(np.zeros(2000, int))
    assert 400 < (drawn == 0).sum() < 600  # half of the time any of two actions
    assert set(policy.act(np.zeros(200, int), action_masks=np.tile([0, 1], (200, 1)))) == {1}


def test_a_task_is_written_as_a_model_file_and_a_picture() -> None:
    ndnf.describe("small-corridor", dump="mine.json", svg="mine.svg", state=1)
    assert ndnf.optimum("mine.json").return_ == -3
    assert Path("mine.svg").read_text().startswith("<svg")


def test_the_paper_is_reproduced_in_part_or_not_at_all() -> None:
    with pytest.raises(ndnf.Error, match="no-such"):
        ndnf.reproduce(quick=True, only="no-such", out="reproduced")
    with pytest.raises(ndnf.Error, match="markdown"):
        ndnf.reproduce(quick=True, format="pdf", out="reproduced")


def test_a_bar_shows_progress_and_leaves_nothing_behind(capsys: pytest.CaptureFixture[str]) -> None:
    found = ndnf.extract("optimal", env="taxi", progress=True)
    shown = capsys.readouterr().err
    assert found.faithful
    assert "extract [" in shown
    assert shown.endswith("\r")


def test_presets_and_tasks_are_listed() -> None:
    assert "paper/blackjack-ndnf-mt" in [preset["name"] for preset in ndnf.presets()]
    assert "taxi" in [task["name"] for task in ndnf.envs()]
    assert ndnf.presets("paper/blackjack-ndnf-mt")["method"] == "ppo"


def test_one_episode_has_no_standard_error() -> None:
    one = ndnf.evaluate("uniform", env="blackjack", episodes=1)
    assert one.stderr is None
    assert one.to_dict()["stderr"] is None
    assert "±" not in repr(one)
