#!/usr/bin/python3
"""stackdepth and stackpeak: held against the stack pointer that the target's processor had (gdb at a recording), stack by stack, and against what the
probe sees written of the tasks' stacks."""
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../cli"), os.path.join(HERE, "../gdb")]

from harness import run_all  # noqa: E402
from serving import BUILD, EARSHOT, Recorded, in_gdb, symbol  # noqa: E402


def watch(path, *arguments):
    done = subprocess.run([EARSHOT, "watch", path, "--json", *arguments], capture_output=True, text=True, timeout=300, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines and lines[-1]["event"] == "summary", done.stderr
    return lines


def hits(path, statement, *options):
    return [line for line in watch(path, "-e", statement, *options) if line["event"] == "hit"]


def one_stack():
    """From the top that the linker script has, at each call."""
    for name, procedure in ("recursion", "fact"), ("thermostat", "plant_step"), ("interrupts", "timer_isr"):
        for level in "O0", "O2":
            path = os.path.join(BUILD, f"examples/{name}-{level}.elf")
            listed = subprocess.run([os.environ.get("CROSS", "riscv64-unknown-elf-") + "nm", path], capture_output=True, text=True, check=True).stdout
            if not re.search(rf" [Tt] {procedure}$", listed, re.MULTILINE):
                continue
            top = symbol(path, "__stack_top")
            wanted = [top - stop[0] for stop in in_gdb(path, "breakpoint", f"*{procedure}", server=Recorded)["forward"]]
            told = [hit["values"] for hit in hits(path, f"when enter({procedure}) {{ print stackdepth, stackpeak }}")]
            assert [values["stackdepth"] for values in told] == wanted and len(wanted) > 2, (name, level, told[:5], wanted[:5])
            peaks = [values["stackpeak"] for values in told]
            assert peaks == sorted(peaks) and all(peak >= depth for peak, depth in zip(peaks, wanted)), (name, level, peaks[:9])


def of_tasks():
    """Each task's own: its pointer and its depth add up to its stack's top; and no less than what the probe sees written there."""
    for level in "O0", "O2":
        path = os.path.join(BUILD, f"examples/tasks-{level}.elf")
        found = hits(path, "when write(consumed) || write(produced) { print stackdepth, stackpeak, reg(sp) }", "--task", "current")
        tops = {}
        for hit in found:
            tops.setdefault(hit["task"], set()).add(hit["values"]["stackdepth"] + hit["values"]["reg(sp)"])
        assert len(tops) >= 2 and all(len(each) == 1 for each in tops.values()), tops
        last = {hit["task"]: hit["values"]["stackpeak"] for hit in found}
        for task in "consumer", "producer":
            written = watch(path, "-e", f"stack {task}_task.stack")[-1]["counters"][f"{task}_task_stack_used"]
            most = max(value for name, value in last.items() if task in name)
            assert most <= written + 512 and written <= most + 256, (level, task, written, most)


if __name__ == "__main__":
    sys.exit(run_all([one_stack, of_tasks]))
