#!/usr/bin/python3
"""The real gdb at programs with tasks: each task is a thread. Where one stands that does not run is compared with what gdb saw of it when it was
left, and with what its kernel has put on its stack, read there by hand; at random moments, forwards and backwards."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from harness import run_all  # noqa: E402
import serving  # noqa: E402
from serving import BUILD, in_gdb  # noqa: E402

SEED = int(os.environ.get("EARSHOT_SEED", "1"))
KEPT = ["s0", "s1", *(f"s{i}" for i in range(2, 12))]
CALLERS = ["ra", "t0", "t1", "t2", *(f"a{i}" for i in range(8)), *(f"t{i}" for i in range(3, 7))]


def kernels(kernel):
    return os.path.join(BUILD, f"tests/cli/kernels{kernel}.elf")


def moments(stops, count):
    """Of a part in which all tasks have been left."""
    draw = random.Random(SEED)
    drawn = [draw.randrange(stops[3]["moment"] + 1, stops[-1]["moment"]) for _ in range(count)]
    return drawn + drawn[::-1]


def same_both_ways(found):
    assert found == found[::-1], (SEED, next((a, b) for a, b in zip(found, found[::-1]) if a != b))


def sleeping(found):
    """(moment's index, name, row) of all that do not run and are known."""
    return [(i, name, row) for i, threads in enumerate(found) for name, row in threads.items()
            if row["state"] not in ("running", "no task", "processor") and row["registers"]["pc"] is not None]


def check_cooperative(kernel, *more):
    """The stack is switched by a procedure that is called: a task stands after that call, its callers' registers are not known."""
    path = kernels(kernel)
    server = (lambda elf: serving.double(elf, *more)) if more else None
    stops = in_gdb(path, "task_stops", "*swap", 100, server=server)
    assert len(stops) >= 8, stops
    places = moments(stops, 10)
    found = in_gdb(path, "tasks_at", places, "*(unsigned *)%d" if not more else "blocks[%d - 2]->sp", 2, server=server)
    same_both_ways(found)
    seen = set()
    for i, name, row in sleeping(found):
        left = [stop for stop in stops if stop["moment"] < places[i] and stop["name"] == name]
        if not left:  # main, which is nobody's task before its first switch
            left = [stop for stop in stops if stop["moment"] < places[i]][:1]
        left = left[-1]
        assert row["frames"] == left["frames"] and len(left["frames"]) >= 3, (SEED, places[i], name, row["frames"], left["frames"])
        registers = row["registers"]
        assert registers["pc"] == row["saved"][0] == left["registers"]["ra"], (SEED, places[i], row)
        assert registers["s0"] == row["saved"][1] and registers["sp"] == row["at"] + 16 == left["registers"]["sp"], (SEED, places[i], row)
        assert all(registers[one] == left["registers"][one] for one in KEPT), (SEED, places[i], row, left)
        assert all(registers[one] is None for one in CALLERS), (SEED, places[i], row)
        seen.add(name)
    assert len(seen) == 3, (SEED, seen)
    ids = {(name, row["id"]) for threads in found for name, row in threads.items()}
    assert len(ids) == len({name for name, _ in ids}), ids


def cooperative_kernel():
    check_cooperative(1)


def numbered_tasks():
    """A kernel that has numbers for its tasks: so they are called."""
    check_cooperative(8, "at")


def check_preemptive(path, handler, tasks):
    """A handler switches: a task stands where it came, or after the instruction that called it, with all registers."""
    server = lambda elf: serving.double(elf, "current")  # noqa: E731
    stops = in_gdb(path, "task_stops", f"*{handler}", 60, server=server)
    places = moments(stops, 10)
    found = in_gdb(path, "tasks_at", places, "((struct task *)%d)->sp", 32, server=server)
    same_both_ways(found)
    seen = set()
    for i, name, row in sleeping(found):
        left = [stop for stop in stops if stop["moment"] < places[i] and stop["name"] == name][-1]
        wanted = {**left["registers"], "pc": left["mepc"] + (0 if left["mcause"] >> 31 else 4)}
        assert row["registers"] == wanted, (SEED, places[i], name, row["registers"], wanted)
        numbers = {"pc": 0, "ra": 1, "t0": 5, "t1": 6, "t2": 7, "s0": 8, "s1": 9, "t3": 28, "t4": 29, "t5": 30, "t6": 31,
                   **{f"a{k}": 10 + k for k in range(8)}, **{f"s{k}": 16 + k for k in range(2, 12)}}
        for register, number in numbers.items():
            known = row["registers"][register]
            assert known is None or known == row["saved"][number], (SEED, places[i], name, register, row)
        assert row["registers"]["sp"] == row["at"] + 128, (SEED, places[i], name, row)
        outermost = row["frames"][-1][0] if row["frames"] else None
        assert name in (frame[0] for frame in row["frames"]), (SEED, places[i], name, outermost, row["frames"])
        seen.add(name)
    assert seen == tasks, (SEED, seen)
    return stops


def preemptive_kernel():
    check_preemptive(os.path.join(BUILD, "examples/tasks-O2.elf"), "timer_isr", {"main", "producer", "consumer"})


def stack_for_interrupts():
    stops = check_preemptive(os.path.join(BUILD, "tests/gdb/apart.elf"), "trap", {"main", "one", "two"})
    assert {stop["mcause"] for stop in stops} == {0x80000007, 11}, stops


def states_of_a_known_kernel():
    """What the lists of FreeRTOS say, from before it starts on; in which list is what, is told by the source."""
    path = os.path.join(BUILD, "tests/gdb/lists.elf")
    found = in_gdb(path, "listed_at", "look")
    waiting = {"slow": "blocked", "late": "blocked", "woken": "ready", "held": "suspended", "waiting": "blocked", "ended": "deleted"}
    wanted = [{"": "no task", "first": "ready", "other": "ready", **waiting}, {"first": "running", "other": "ready", **waiting},
              {"first": "ready", "other": "running", **waiting}, {"first": "running", "other": "ready", **waiting}]
    told = [{name: state for _, name, state, _ in stop} for stop in found["forward"]]
    assert told == wanted, told
    chosen = [[name for mark, name, _, _ in stop if mark == "*"] for stop in found["forward"]]
    assert chosen == [[""], ["first"], ["other"], ["first"]], chosen
    frames = [{name: frame.split(" ")[0] for _, name, _, frame in stop} for stop in found["forward"]]
    assert frames[0] == {**{name: "<unavailable>" for name in wanted[0]}, "": "look"}, frames
    assert frames[1]["other"] == "<unavailable>" and frames[2]["first"] == "main" and frames[3]["other"] == "run_other", frames
    assert [sorted(stop) for stop in found["backward"]] == [sorted(stop) for stop in found["forward"][::-1]], found["backward"]


def states_of_another_kernel():
    """What the list of ThreadX says."""
    found = in_gdb(os.path.join(BUILD, "tests/gdb/created.elf"), "listed_at", "look")
    told = [{name: state for _, name, state, _ in stop} for stop in found["forward"]]
    wanted = {"runs": "ready", "waits": "ready", "stands": "suspended", "sleeps": "blocked", "returned": "ended", "stopped": "ended"}
    later = {**wanted, "runs": "running", "waits": "blocked"}
    del later["stopped"]
    assert told == [{"": "no task", **wanted}, {**wanted, "runs": "running"}, later], told


def one_that_does_not_run():
    path = kernels(1)
    stops = in_gdb(path, "task_stops", "*swap", 100)
    names = [stop["name"] for stop in stops]
    moment = stops[3]["moment"] - 5
    found = in_gdb(path, "other_thread", moment, "ping", "work")
    assert found["set register"].startswith("error: ") and found["set memory"].startswith("error: "), found
    assert found["name"] == "ping" and found["now"] > found["was"] and found["then"] == found["frames"], found
    assert all(known in (None, found["arrived"][register]) for register, known in found["stands"].items()), found
    back = found["back"]
    last = [stop for stop, name in zip(stops, names) if name == "ping" and stop["moment"] < moment][-1]
    assert back["name"] == "ping" and back["now"] == last["moment"] - 1, (back, last)
    assert "swap" in back["insn"] and "jal" in back["insn"], back
    assert found["stops"] == ["ping"] * 2 and found["convenience"], found


if __name__ == "__main__":
    print(f"seed {SEED}")
    sys.exit(run_all([cooperative_kernel, numbered_tasks, preemptive_kernel, stack_for_interrupts, states_of_a_known_kernel, states_of_another_kernel, one_that_does_not_run]))
