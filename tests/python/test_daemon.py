"""The Python package with a real earshotd, whose probes are simulated."""
import os
import subprocess
import threading
import time
from pathlib import Path

import earshot
import pytest

BUILD = Path(os.environ["EARSHOT_BUILD"]).resolve()
THERMOSTAT, FOREVER = BUILD / "examples/thermostat-O0.elf", BUILD / "tests/cli/forever.elf"
HOT = ("hot: when temp > 84 { print temp, mode }", "safe: expect never temp > 84", "many: when temp > 80 { count warm }")


def listening(process, path):
    """Returns once the daemon answers: its socket is there before anybody listens at it."""
    end = time.monotonic() + 60
    while True:
        assert time.monotonic() < end and process.poll() is None
        try:
            earshot.runs(str(path))
            return
        except earshot.ProbeError:
            time.sleep(0.02)


@pytest.fixture(name="daemon")
def started_daemon(tmp_path):
    (tmp_path / "conf").write_text("")
    (tmp_path / "traces").mkdir()
    path = tmp_path / "socket"
    process = subprocess.Popen([BUILD / "earshotd", "--config", tmp_path / "conf", "--socket", path, "--directory", tmp_path / "traces"],
                               stderr=subprocess.DEVNULL)
    listening(process, path)
    yield str(path)
    process.terminate()
    assert process.wait(60) == 0


def told(run):
    return [(hit.statement, hit.time_ns, hit.values, hit.path, hit.file, hit.line, hit.task, hit.uncertain) for hit in run]


def test_the_same_with_and_without(daemon):
    here, there = earshot.watch(THERMOSTAT, *HOT, seed=3), earshot.watch(THERMOSTAT, *HOT, seed=3, daemon=daemon)
    assert told(here) == told(there) != []
    assert {**here.summary.raw, "probe": None} == {**there.summary.raw, "probe": None}
    assert there.summary.expectations == {"safe": False} and there.summary.counters == here.summary.counters
    with pytest.raises(earshot.ExpectationError, match="safe: it occurred"):
        there.check()
    assert any("statements armed" in message for message in there.messages)


def test_files_times_tasks_and_limits(daemon, tmp_path):
    (tmp_path / "a.watch").write_text("hot: when temp > 80 { print temp }\n")
    arguments = dict(files=[tmp_path / "a.watch"], duration="50.25ms", ratio=8, options=["--times", "--clock", "20000000"])
    assert told(earshot.watch(THERMOSTAT, **arguments)) == told(earshot.watch(THERMOSTAT, **arguments, daemon=daemon)) != []
    assert len(list(earshot.watch(THERMOSTAT, "temp > 20", count=2, daemon=daemon))) == 2
    arguments = dict(task="current", duration="10ms")
    program = BUILD / "examples/tasks-O0.elf"
    here, there = (told(earshot.watch(program, "enter(choose_next)", **arguments, **where)) for where in ({}, {"daemon": daemon}))
    assert here == there and here[-1][6]


def test_who_leaves_ends_a_run_of_their_own(daemon):
    for hit in earshot.watch(FOREVER, "beat > 0 { print beat }", daemon=daemon):
        if hit["beat"] == 5:
            assert [(run.state, run.program) for run in earshot.runs(daemon)] == [("running", str(FOREVER))]
            break
    end = time.monotonic() + 60
    while earshot.runs(daemon):
        assert time.monotonic() < end
        time.sleep(0.05)
    with earshot.watch(FOREVER, "beat > 0 { print beat }", daemon=daemon) as run:
        assert [next(run)["beat"], next(run)["beat"]] == [1, 2]
    assert run.summary.hits >= 2 and run.summary.exit_code is None and list(run) == []


def test_joined_runs_go_on(daemon):
    with earshot.watch(FOREVER, "beat > 0 { print beat }", daemon=daemon) as own:
        first = next(own)["beat"]
        run = earshot.runs(daemon)[0]
        assert run.name == "sim" and run.hits >= first and run.trace is None
        with earshot.join(run, daemon) as one, earshot.join("sim", daemon) as two:
            beats = [next(one)["beat"] for _ in range(5)]
            assert beats == list(range(beats[0], beats[0] + 5)) and next(two)["beat"] >= first
        assert one.close() is None  # no summary: it goes on
        seen = [next(own)["beat"] for _ in range(20)]
        assert seen == list(range(first + 1, first + 21))  # who looked on has taken nothing away
        other = earshot.join("sim", daemon)
        earshot.stop("sim", daemon)
        assert not earshot.runs(daemon)  # it has ended
        assert other.summary.hits == own.summary.hits
    with pytest.raises(earshot.EarshotError, match="nobody"):
        earshot.join("nobody", daemon)


def test_another_thread_may_stop_it(daemon):
    run = earshot.watch(FOREVER, "beat > 0 { print beat }", daemon=daemon)
    seen = threading.Event()
    stopper = threading.Thread(target=lambda: seen.wait() and run.stop())
    stopper.start()
    try:
        for hit in run:  # without a stop it would not end
            if hit["beat"] >= 3:
                seen.set()
    finally:
        seen.set()
        stopper.join()
    assert run.summary.hits > 2


def test_errors(daemon, tmp_path, monkeypatch):
    with pytest.raises(earshot.UsageError, match="did you mean 'temp'"):
        list(earshot.watch(THERMOSTAT, "tempp > 80", daemon=daemon))
    with pytest.raises(earshot.UsageError, match="nowhere.elf"):
        earshot.watch("nowhere.elf", "temp > 80", daemon=daemon)
    with pytest.raises(earshot.ProbeError, match="/dev/nowhere"):
        list(earshot.watch(THERMOSTAT, "temp > 80", probe="uart:/dev/nowhere", daemon=daemon))
    for wrong in dict(record=tmp_path / "a"), dict(duration="soon"), dict(duration="0s"), dict(options=["--exit-code"]):
        with pytest.raises(earshot.UsageError):
            earshot.watch(THERMOSTAT, "temp > 80", daemon=daemon, **wrong)
    with pytest.raises(earshot.ProbeError, match="no daemon is reached"):
        earshot.runs(tmp_path / "socket2")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    os.symlink(daemon, tmp_path / "earshotd.sock")
    assert earshot.runs() == []
    with pytest.raises(earshot.LostError):
        list(earshot.watch(BUILD / "tests/cli/verdicts.elf", "noise >= 0 { print noise, a }", ratio=1, fail_on_loss=True, daemon=True))


def test_a_daemon_that_dies_is_told(tmp_path):
    (tmp_path / "traces").mkdir()
    process = subprocess.Popen([BUILD / "earshotd", "--config", "/dev/null", "--socket", tmp_path / "socket", "--directory", tmp_path / "traces"],
                               stderr=subprocess.DEVNULL)
    listening(process, tmp_path / "socket")
    run = earshot.watch(FOREVER, "beat > 0 { print beat }", daemon=tmp_path / "socket")
    next(run)
    process.kill()
    process.wait()
    with pytest.raises(earshot.ProbeError, match="the daemon"):
        list(run)
