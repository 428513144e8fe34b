"""The Python package against the real program: hits, records, early ends, errors."""
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import earshot
import pytest

BUILD = Path(os.environ["EARSHOT_BUILD"]).resolve()
THERMOSTAT, FOREVER = BUILD / "examples/thermostat-O0.elf", BUILD / "tests/cli/forever.elf"


def watching():
    """How many processes of `earshot` this one has that have not ended."""
    found = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = path.read_text(encoding="utf-8").rsplit(")", 1)
        except OSError:
            continue  # it has just ended
        state, parent = rest.split()[:2]
        found += name.endswith("(earshot") and state != "Z" and int(parent) == os.getpid()
    return found


def test_hits_are_those_of_the_program():
    hits = list(earshot.watch(THERMOSTAT, "temp > 88 && mode == ARMED { print temp, mode }", probe="sim"))
    assert [(hit.time_ns, hit.values, hit.path, hit.file, hit.line) for hit in hits] == [
        (41089300, {"temp": 89, "mode": "ARMED"}, ("main", "control"), "examples/thermostat/control.c", 50),
        (62555000, {"temp": 90, "mode": "ARMED"}, ("main", "control"), "examples/thermostat/control.c", 50),
        (85165900, {"temp": 90, "mode": "ARMED"}, ("main", "control"), "examples/thermostat/control.c", 50)]
    assert hits[0].time == pytest.approx(0.0410893) and hits[0]["temp"] == 89 and hits[0].statement == "s1" and not hits[0].uncertain
    with pytest.raises(AttributeError):
        hits[0].line = 3


def test_summary():
    with earshot.watch(THERMOSTAT, "hot: temp > 88 { print temp; count many }", duration="50ms") as run:
        hits = list(run)
    assert (run.summary.hits, run.summary.statements, run.summary.counters, run.summary.lost) == (len(hits), {"hot": len(hits)}, {"many": len(hits)}, 0)
    assert run.summary.exit_code is None and run.summary.complete and not run.summary.trapped and run.summary.cycles == 500000
    assert any("1 statement armed" in message for message in run.messages)


def test_records_are_all_that_comes():
    records = list(earshot.watch(THERMOSTAT, "temp > 200").records())
    assert records[0] == earshot.Console("thermostat: alarms 4, temperature 66")
    assert isinstance(records[-1], earshot.Summary) and records[-1].exit_code == 0 and len(records) == 2


def test_gaps_and_losses():
    arguments = (BUILD / "tests/cli/verdicts.elf", "noise >= 0 { print noise, a }")
    with earshot.watch(*arguments, ratio=1) as run:
        gaps = [record for record in run.records() if isinstance(record, earshot.Gap)]
    assert gaps and sum(gap.lost for gap in gaps if gap.what == "bus") == run.summary.raw["lost"] - sum(gap.lost for gap in gaps if gap.what != "bus")
    with pytest.raises(earshot.LostError):
        list(earshot.watch(*arguments, ratio=1, fail_on_loss=True))


def test_break_ends_the_process():
    for hit in earshot.watch(FOREVER, "beat > 0 { print beat }"):
        if hit["beat"] == 5:
            assert watching() == 1
            break
    assert not watching()


def test_leaving_the_block_ends_it_with_figures():
    with earshot.watch(FOREVER, "beat > 0 { print beat }") as run:
        assert next(run)["beat"] == 1
        assert next(run)["beat"] == 2
    assert not watching() and run.summary.hits >= 2 and list(run) == []
    assert run.close() is run.summary


def test_the_blocks_own_error_is_told():
    with pytest.raises(ZeroDivisionError):
        with earshot.watch(FOREVER, "beat > 0 { print beat }") as run:
            next(run)
            1 / 0
    assert not watching()


def test_two_at_once():
    with earshot.watch(FOREVER, "beat > 0 { print beat }") as one, earshot.watch(FOREVER, "beat > 2 { print beat }") as two:
        assert [next(one)["beat"], next(two)["beat"], next(one)["beat"]] == [1, 3, 2]


def test_errors_have_the_programs_words():
    with pytest.raises(earshot.UsageError, match="did you mean 'temp'"):
        list(earshot.watch(THERMOSTAT, "tempp > 80"))
    with pytest.raises(earshot.UsageError, match="nowhere.elf"):
        list(earshot.watch("nowhere.elf", "temp > 80"))
    with pytest.raises(earshot.ProbeError, match="/dev/nowhere"):
        list(earshot.watch(THERMOSTAT, "temp > 80", probe="uart:/dev/nowhere"))
    with pytest.raises(earshot.UsageError, match="is not installed"):
        earshot.watch(THERMOSTAT, "temp > 80", earshot="no-such-earshot")
    with pytest.raises(earshot.OutputError):
        list(earshot.watch(THERMOSTAT, "temp > 80", record="/dev/full"))
    for _ in range(5):  # ended at once, before it is ready for that
        with earshot.watch(FOREVER, "beat > 80"):
            pass


def test_what_ignores_interrupts_from_the_start():
    """As nohup and a shell's background leave it: a run must end that was asked to before it was ready for that."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for _ in range(5):
            with earshot.watch(FOREVER, "beat > 0 { print beat }"):
                pass
    finally:
        signal.signal(signal.SIGINT, before)
    assert not watching()


def test_expectations():
    with earshot.watch(THERMOSTAT, "safe: expect never temp > 88", "soon: expect mode == ARMED within 5ms") as run:
        list(run)
    assert run.summary.expectations == {"safe": False, "soon": True} and run.summary.failed == ("safe",)
    with pytest.raises(earshot.ExpectationError, match="safe: it occurred 12 times, first at 41.0893 ms"):
        run.check()
    # who asks for the verdict waits for it
    assert earshot.watch(THERMOSTAT, "expect never temp > 200", duration="50ms").check().cycles == 500000
    with earshot.watch(BUILD / "tests/cli/trap.elf", "done == 1") as crashed:
        assert len(list(crashed)) == 1
    with pytest.raises(earshot.ExpectationError, match="a trap stopped the program"):
        crashed.check()


def test_files_seeds_and_recordings(tmp_path):
    statements = tmp_path / "a.watch"
    statements.write_text("hot: when temp > 88 { print temp }\n")
    first = [hit.time_ns for hit in earshot.watch(THERMOSTAT, files=[statements], seed=3, record=tmp_path / "run.bin")]
    again = [hit.time_ns for hit in earshot.watch(THERMOSTAT, files=[statements], seed=3)]
    replay = [hit.time_ns for hit in earshot.watch(THERMOSTAT, files=[statements], probe=f"file:{tmp_path / 'run.bin'}")]
    other = [hit.time_ns for hit in earshot.watch(THERMOSTAT, files=[statements], seed=4)]
    assert first == again == replay != other
    assert len(list(earshot.watch(THERMOSTAT, files=[statements], count=2))) == 2
    assert list(earshot.watch(THERMOSTAT, "temp > 88", options=["--for", "1ms"])) == []


def test_interrupt_in_the_middle(tmp_path):
    """^C in a script: KeyboardInterrupt there, and no process stays."""
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(f"""
        import signal
        import earshot
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background and nohup leave it ignored
        with earshot.watch({str(FOREVER)!r}, "beat > 0 {{ print beat }}") as run:
            for hit in run:
                if hit["beat"] == 3:
                    print("ready", flush=True)
    """))
    process = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout.readline() == "ready\n"
    os.killpg(process.pid, signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert "KeyboardInterrupt" in said, said
    deadline = time.monotonic() + 30
    while group_lives(process.pid):
        assert time.monotonic() < deadline, "a process of the script still runs"
        time.sleep(0.1)


def group_lives(group):
    try:
        os.killpg(group, 0)
        return True
    except ProcessLookupError:
        return False
