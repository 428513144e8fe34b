#!/usr/bin/python3
"""Drives the real `earshot`: whether expectations are met is judged by what the target did, however the run ends; and what a loss or an early
end leaves open is neither met nor failed."""
import json
import os
import signal
import subprocess
import sys
import tempfile

from driven import BUILD, EARSHOT, THERMOSTAT, equal, watch
from harness import run_all

VERDICTS = os.path.join(BUILD, "tests/cli/verdicts.elf")
FOREVER = os.path.join(BUILD, "tests/cli/forever.elf")
# clocks of the writes to `a` of verdicts.c, found by watching them with nothing else
WRITES = [hit["cycle"] for hit in map(json.loads, watch(VERDICTS, "--json", "-q", "-e", "write(a) { print a }").stdout.splitlines())
          if hit["event"] == "hit"]
FIRST = WRITES[0] / 10  # µs


def summary(result):
    return json.loads(result.stdout.splitlines()[-1])


def judge(*arguments, **options):
    """Exit code, verdicts, hits, counters."""
    result = watch(*arguments, "--json", **options)
    end = summary(result)
    return result.returncode, end["expectations"], end["statements"], end["counters"]


def us(microseconds):
    return f"{microseconds:.0f}us"


def silent_ones_count_at_any_end():
    """Statements without print: their hits are what the firmware counted, whatever ended the run."""
    ends = [["--for", us(FIRST + 50)], ["--for", us(FIRST * 3)], ["--for", "1s"], [],
            ["-e", "n: when noise >= 100 { print noise }", "-n", "5"],
            ["-e", "n: when a >= 3 { stop }"], ["--allow-halt", "-e", "n: when a >= 3 { halt }"], ["--ratio", "40"]]
    for end in ends:
        code, verdicts, hits, counters = judge(VERDICTS, "-e", "x: expect never write(a) { count k }",
                                               "-e", "y: expect eventually write(a) { count m }", "-e", "z: when write(a) { count o }", *end)
        assert counters["k"] > 0 and counters["k"] == counters["m"] == counters["o"], (end, counters)
        equal((code, verdicts["x"], verdicts["y"]), (1, False, True))
        equal([hits[name] for name in "xyz"], [counters["k"]] * 3)


def silent_ones_count_at_signals():
    for number in signal.SIGINT, signal.SIGTERM:
        process = subprocess.Popen([EARSHOT, "watch", FOREVER, "--json", "-e", "x: expect never write(beat) { count k }",
                                    "-e", "beat == 300 { print beat }"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert '"hit"' in process.stdout.readline()
        process.send_signal(number)
        end = json.loads(process.stdout.read().splitlines()[-1])
        assert end["counters"]["k"] >= 300 and end["statements"]["x"] == end["counters"]["k"], end
        equal((process.wait(), end["expectations"]), (1, {"x": False}))


def silent_ones_count_at_closed_pipes():
    process = subprocess.Popen([EARSHOT, "watch", FOREVER, "-e", "x: expect never beat == 3 { count k }", "-e", "beat { print beat }"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    process.stdout.readline()
    process.stdout.close()
    equal(process.wait(), 1)


def the_first_time_counts():
    """`within` holds for the first hit, also without print, and also where the run goes on."""
    for limit, met in (FIRST - 1, False), (FIRST + 1, True):
        for actions in "", "{ count k }":
            for rest in [], ["--for", us(2 * FIRST)]:
                code, verdicts, _, _ = judge(VERDICTS, "-e", f"x: expect write(a) within {us(limit)} {actions}", *rest)
                equal((code, verdicts), (0 if met else 1, {"x": met}))


def cut_short_is_unknown():
    statements = {"within 5ms cut": "expect write(a) within 5ms {}", "never": "expect never write(a) {}"}
    for actions in "{ print }", "{ count k }":
        result = watch(VERDICTS, "--for", "1us", "-e", "x: " + statements["within 5ms cut"].replace("{}", actions))
        equal(result.returncode, 1)
        assert "\n  EXPECTATION UNKNOWN: x: the run ended at 0.0009 ms, before that time was over\n" in result.stdout, result.stdout
        equal(judge(VERDICTS, "--for", "1us", "-e", "x: " + statements["within 5ms cut"].replace("{}", actions))[:2], (1, {"x": None}))
        equal(judge(VERDICTS, "--for", "1us", "--allow-unknown", "-e", "x: " + statements["within 5ms cut"].replace("{}", actions))[:2],
              (0, {"x": None}))
        equal(judge(VERDICTS, "--for", "1us", "-e", "x: " + statements["never"].replace("{}", actions))[:2], (0, {"x": True}))
        # the end is what `eventually` is judged at; a program that has come to its own end does nothing any more
        equal(judge(VERDICTS, "--for", "1us", "-e", "x: expect eventually write(a) " + actions)[:2], (1, {"x": False}))
        equal(judge(VERDICTS, "-e", "x: expect a == 1000 within 5s " + actions)[:2], (1, {"x": False}))


def losses_leave_open():
    """A probe too slow for the program. What a certain hit has decided stays decided."""
    lossy = ["--ratio", "1", "-e", "n: when noise >= 0 { print noise }"]
    for actions in "", "{ count k }":
        result = watch(VERDICTS, "--json", *lossy, "-e", "x: expect never a == 150 " + actions, "-e", "y: expect eventually a == 150 " + actions,
                       "-e", "u: expect eventually a == 1000 " + actions, "-e", "v: expect eventually noise == 2 " + actions,
                       "-e", "w: expect never noise == 2 " + actions, "-e", "t: expect a == 1 within 1us " + actions)
        end = summary(result)
        assert end["lost"] > 10000, end
        equal(result.returncode, 1)
        verdicts = end["expectations"]
        assert verdicts["x"] in (None, False) and verdicts["y"] in (None, True), verdicts
        equal([verdicts[name] for name in "uvwt"], [None, True, False, False])
        assert "bus transactions were lost, the first at " in end["expectations_why"]["u"], end
        equal(sorted(end["expectations_why"]), sorted(name for name in verdicts if verdicts[name] is not True))
        # the same, of which nothing failed: only --allow-unknown lets it pass
        for options, code in ([], 1), (["--allow-unknown"], 0):
            equal(judge(VERDICTS, *lossy, *options, "-e", "u: expect eventually a == 1000 " + actions)[:2], (code, {"u": None}))


def unknown_values_leave_open():
    """Of `noise`, which no file has, nothing is known before it is written; `nobody` never is. That concerns these statements alone."""
    for actions in "", "{ count k }":
        code, verdicts, hits, _ = judge(VERDICTS, "-e", "x: expect never write(a) && garbage > 5 " + actions,
                                        "-e", "y: expect never a == 1000 " + actions,
                                        "-e", "z: expect eventually (write(a) && garbage > 5) or a == 1000 " + actions)
        equal((code, verdicts, hits["x"]), (1, {"x": None, "y": True, "z": None}, 0))
    result = watch(VERDICTS, "-e", "x: expect never write(a) && garbage > 5")
    assert "\n  EXPECTATION UNKNOWN: x: 200 evaluations met what was not known\n" in result.stdout, result.stdout


def disabled_ones_are_open():
    for actions in "", "{ count k }":
        equal(judge(VERDICTS, "-e", "x: disabled expect eventually a == 150 " + actions)[:2], (1, {"x": None}))
        equal(judge(VERDICTS, "-e", "x: expect eventually a == 150 " + actions, "-e", "a == 100 { disable x }")[:2], (1, {"x": None}))
        equal(judge(VERDICTS, "-e", "x: expect eventually a == 50 " + actions, "-e", "a == 100 { disable x }")[:2], (0, {"x": True}))
        equal(judge(VERDICTS, "-e", "x: disabled expect eventually a == 50 " + actions, "-e", "a == 100 { enable x }")[:2], (1, {"x": False}))
        equal(judge(VERDICTS, "-e", "x: disabled expect eventually a == 150 " + actions, "-e", "a == 100 { enable x }")[:2], (0, {"x": True}))
    result = watch(VERDICTS, "-e", "x: disabled expect eventually a == 150")
    assert "\n  EXPECTATION UNKNOWN: x: it was disabled in the end\n" in result.stdout, result.stdout


def recordings_are_judged_alike():
    statements = ["-e", "x: expect never a == 150 { count k }", "-e", "y: expect eventually a == 150", "-e", "z: expect a == 5 within 500us { count k }",
                  "-e", "t: expect a == 5 within 10ms { count k }", "-e", "n: when a > 190 { print a }"]
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "recording")
        live = judge(VERDICTS, *statements, "--record", path)
        equal(live[1], {"x": False, "y": True, "z": False, "t": True})
        replay = ["--probe", f"file:{path}"]
        equal(judge(VERDICTS, *statements, *replay), live)
        equal(judge(VERDICTS, *statements, *replay, "-n", "3")[1], live[1])
        early = judge(VERDICTS, *statements, *replay, "--for", us(WRITES[149] / 10))
        equal(early[1], {"x": True, "y": False, "z": False, "t": True})
        # without its end, only the hits that were seen tell
        with open(path, "rb") as file:
            content = file.read()
        with open(path, "wb") as file:
            file.write(content[:-200])
        equal(judge(VERDICTS, *statements, *replay)[:2], (1, {"x": None, "y": True, "z": None, "t": None}))


def quiet_runs_fail_too():
    equal(watch(THERMOSTAT, "-q", "-e", "safe: expect never write(mode) { count writes }", "--for", "5ms").returncode, 1)


TESTS = [silent_ones_count_at_any_end, silent_ones_count_at_signals, silent_ones_count_at_closed_pipes, the_first_time_counts,
         cut_short_is_unknown, losses_leave_open, unknown_values_leave_open, disabled_ones_are_open, recordings_are_judged_alike,
         quiet_runs_fail_too]

if __name__ == "__main__":
    sys.exit(run_all(TESTS))
