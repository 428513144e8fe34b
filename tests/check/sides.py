#!/usr/bin/python3
"""What each side of a probe guarantees, its monitor and the replay, and runs that take the side that does."""
import json
import os
import subprocess
import sys

sys.path.insert(0, "tests/cli")
from asked import BUILD, EARSHOT, THERMOSTAT, either, verdict  # noqa: E402
from harness import run_all  # noqa: E402


def sides(*arguments):
    result = either(*arguments, "--json")
    told = json.loads(result.stdout)
    assert told["guaranteed"] == (told["side"] is not None) and result.returncode == (0 if told["guaranteed"] else 1), result
    return told


def sides_of(told):
    return {each["name"]: (each["monitor"]["guaranteed"], each["replay"]["guaranteed"], each["side"]) for each in told["statements"]}


def either_side_guarantees():
    """Of the same statement: both sides, the replay alone, neither; and the exit status goes with one run's side."""
    hot = (THERMOSTAT, "-e", "hot: when temp > 80")
    told = sides(*hot, "--ratio", "30")
    assert told["side"] == "monitor" and sides_of(told) == {"hot": (True, True, "monitor")} and told["replay"]["guaranteed"], told
    told = sides(*hot, "--ratio", "8", "--fifo", "19")
    assert told["side"] == "replay" and sides_of(told) == {"hot": (False, True, "replay")} and "FIFO" in told["why"], told
    told = sides(*hot, "--ratio", "1/4")
    assert told["side"] is None and sides_of(told) == {"hot": (False, False, None)}, told
    assert told["statements"][0]["replay"]["why"] == told["replay"]["why"] is not None, told
    text = either(*hot, "--ratio", "8", "--fifo", "19").stdout
    assert "guaranteed on the replay: " in text and "0 of 1 statement by the monitor, 1 more by the replay, 0 by neither" in text, text


def sides_know_what_they_lack():
    """The monitor has no registers; the replay no exact times and no pins. What is on no side together may be on one each."""
    optimised = os.path.join(BUILD, "examples/thermostat-O2.elf")
    took = ("-e", "took: when enter(control) then leave(control) && elapsed > 50us")
    told = sides(optimised, "-e", "arg: when enter(plant_step) && reg(a0) > 3", "--ratio", "16")
    assert told["side"] == "replay" and "registers are never on the bus" in told["statements"][0]["monitor"]["why"], told
    told = sides(optimised, *took, "-e", "pulse: when temp > 80 { trigger 1 }", "--ratio", "30")
    assert told["side"] == "monitor" and sides_of(told) == {"took": (True, False, "monitor"), "pulse": (True, False, "monitor")}, told
    told = sides(optimised, *took, "-e", "arg: when enter(plant_step) && reg(a0) > 3", "--ratio", "30")
    assert told["side"] is None and sides_of(told) == {"took": (True, False, "monitor"), "arg": (False, True, "replay")}, told
    assert [each["monitor"]["alone"] for each in told["statements"]] == [True, False], told
    wrong = either(optimised, "-e", "when enter(plant_step) && reg(q9) > 3")
    assert wrong.returncode == 2 and "on the replay neither" in wrong.stderr, wrong


def statements_alone():
    """Of many that are too many together, each is judged as if it were alone: as it is, alone."""
    many = [f"s{i}: when enter(drive) && temp > {i} {{ print temp, mode }}" for i in range(9)]
    every = [option for text in many for option in ("-e", text)]
    ratio = 4
    told = sides(THERMOSTAT, *every, "--ratio", str(ratio))
    assert told["side"] == "replay" and all(each["monitor"]["alone"] for each in told["statements"]), told
    for text in many[3], many[8]:
        assert verdict(THERMOSTAT, "-e", text, "--ratio", str(ratio))["guaranteed"]


def watch_takes_the_guaranteed_side():
    """The hits are those of a probe that waits for nothing, at a ratio at which the monitor alone might miss some."""
    statement = [word for i in range(9) for word in ("-e", f"s{i}: when enter(drive) && temp > {20 + i} {{ print temp, mode }}")]
    def watch(*arguments):
        return subprocess.run([EARSHOT, "watch", THERMOSTAT, *statement, "--json", "--for", "5ms", *arguments], capture_output=True, text=True, timeout=300, check=False)
    def hits(run):
        return [json.loads(line)["values"] for line in run.stdout.splitlines() if '"event":"hit"' in line]
    exact, monitor, replay = watch("--guaranteed"), watch("--guaranteed", "--ratio", "30"), watch("--guaranteed", "--ratio", "4")
    assert hits(exact) == hits(monitor) == hits(replay) and len(hits(exact)) > 20, (exact, monitor, replay)
    assert "guaranteed on the monitor" in monitor.stderr and "evaluated on the replay, where it is guaranteed" in replay.stderr, (monitor, replay)
    for arguments, code, message in ((("--guaranteed", "--ratio", "4", "--probe-only"), 1, "not guaranteed on the monitor"),
                                     (("--guaranteed", "--probe", "ftdi"), 2, "which board's probe is it?"),
                                     (("--guaranteed=nope", "--probe", "ftdi"), 2, "there is no board 'nope'"),
                                     (("--guaranteed=ulx3s",), 2, "the probe is the simulated one")):
        refused = watch(*arguments)
        assert refused.returncode == code and message in refused.stderr and not refused.stdout, (arguments, refused)


if __name__ == "__main__":
    sys.exit(run_all([either_side_guarantees, sides_know_what_they_lack, statements_alone, watch_takes_the_guaranteed_side]))
