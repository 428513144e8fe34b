#!/usr/bin/python3
"""Drives the real `earshot`: what reaches the target or its clock: trigger, halt, read(), and the four times of hits."""
import json
import os
import re
import sys
import tempfile

from driven import THERMOSTAT, USAGE, equal, watch
from harness import run_all

HOT = "hot: when temp > 80 { print temp }"


def hits(result):
    return [event for event in map(json.loads, result.stdout.splitlines()) if event["event"] == "hit"]


def summary(result):
    return json.loads(result.stdout.splitlines()[-1])


def halt_is_refused_without_leave():
    result = watch(THERMOSTAT, "-e", "temp > 80 { halt }")
    equal(result.returncode, USAGE)
    equal(result.stderr, "-e:1:13: error: `halt` stops the target\n  temp > 80 { halt }\n              ^~~~\n"
                         "hint: say that it may: earshot watch --allow-halt\n")


def halt_ends_target_and_run():
    """The hit, closing figures, and no more than the clocks that the probe needs after the target."""
    for options, later in ([], 300), (["--ratio", "4"], 300):
        result = watch(THERMOSTAT, "--json", "--allow-halt", *options, "-e", "hot: when temp > 80 { print temp; halt }")
        equal(result.returncode, 0)
        hit, = hits(result)
        end = summary(result)
        assert end["halted"] and end["exit_code"] is None and "incomplete" not in end, end
        assert hit["cycle"] < end["cycles"] <= hit["cycle"] + later, (hit, end)
        assert re.fullmatch(r"earshot: 1 statement armed: .*\n(earshot: no hits yet:\n.*\n)?earshot: the target was halted at 0x[0-9a-f]{8} \(.*\.c:\d+\)\n",
                            result.stderr), result.stderr
    result = watch(THERMOSTAT, "--allow-halt", "-e", "temp > 80 { count hot; halt }", "-e", "never: when temp > 500 { halt }")
    assert "\n  the target was halted by a statement's action\n" in result.stdout, result.stdout
    result = watch(THERMOSTAT, "--allow-halt", "-e", "temp > 500 { halt }")
    assert "halted" not in result.stdout and "exit code 0" in result.stdout, result.stdout


def triggers_are_counted():
    result = watch(THERMOSTAT, "--json", "-e", "temp > 80 { print temp; trigger 2; trigger 7 }")
    count = len(hits(result))
    assert count > 2
    equal(summary(result)["pulses"], [0, 0, count, 0, 0, 0, 0, count])
    result = watch(THERMOSTAT, "-e", "temp > 80 { trigger 2 }")
    assert f"\n  trigger pin 2: {count} pulses\n" in result.stdout, result.stdout


def times_in_order():
    slow, fast = (watch(THERMOSTAT, "--json", "--times", "--ratio", ratio, "-e", HOT) for ratio in ("1", "8"))
    plain = hits(watch(THERMOSTAT, "--json", "-e", HOT))
    names = ["cycle", "recognition_cycle", "action_start_cycle", "action_end_cycle"]
    for a, b, without in zip(hits(slow), hits(fast), plain, strict=True):
        for hit in a, b:
            times = [hit[name] for name in names]
            assert times == sorted(times) and times[0] < times[1] and times[2] < times[3], times
            equal(hit["action_end_ns"], hit["action_end_cycle"] * 100)
            equal({key: hit[key] for key in without}, without)
        assert a["action_end_cycle"] - a["cycle"] > b["action_end_cycle"] - b["cycle"], (a, b)
    text = watch(THERMOSTAT, "--times", "--quiet", "-e", HOT).stdout.splitlines()
    equal(len(text), len(plain))
    for line in text:
        assert re.search(r"  recognised \+\d+\.\d+ µs, acting \+\d+\.\d+ µs, done \+\d+\.\d+ µs$", line), line
    assert watch(THERMOSTAT, "--times", "--quiet", "-e", "temp > 80 { count hot }").stdout == ""


def times_are_replayed():
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "recording")
        live = watch(THERMOSTAT, "--json", "--times", "-e", HOT, "--record", path)
        replayed = watch(THERMOSTAT, "--json", "--times", "-e", HOT, "--probe", f"file:{path}")
        equal(hits(replayed), hits(live))
        other = watch(THERMOSTAT, "-e", HOT, "--probe", f"file:{path}")
        equal(other.returncode, USAGE)
        assert "another monitor image" in other.stderr, other.stderr


def reads_of_locals_and_elements():
    for statement, name in (("read(control\\hottest)", "control\\hottest"),
                            ("read(plant.zone[plant.steps & 1].reading)", "plant.zone[plant.steps&1].reading")):
        found = hits(watch(THERMOSTAT, "--json", "--count", "3", "-e", statement))
        equal([list(hit["values"]) for hit in found], [[name]] * 3)


TESTS = [halt_is_refused_without_leave, halt_ends_target_and_run, triggers_are_counted, times_in_order, times_are_replayed,
         reads_of_locals_and_elements]

if __name__ == "__main__":
    sys.exit(run_all(TESTS))
