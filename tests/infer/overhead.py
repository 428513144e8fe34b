#!/usr/bin/python3
"""What `earshot infer --check` takes on a trace in CTF beyond babeltrace2, which reads it and does nothing: processor time, in turn."""
import os
import statistics
import subprocess
import tempfile

import kernel
import machines
import ready
import ring

EVENTS, RUNS = 300000, 7
SCHED = os.path.join(ready.FOLDER, "linux-sched.machine")
READ = ["babeltrace2", "run", "--component=source:source.ctf.fs", "--params=inputs=[\"{}\"]", "--component=muxer:filter.utils.muxer",
        "--component=sink:sink.utils.dummy", "--connect=source:muxer", "--connect=muxer:sink"]
CHECK = [os.path.join(os.environ["EARSHOT_BUILD"], "earshot"), "infer", "{}", "--machine", SCHED, "--check"]


def seconds(command, trace):
    """Processor time of one run."""
    with subprocess.Popen([part.replace("{}", trace) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (command, process.returncode)
    return usage.ru_utime + usage.ru_stime


def main():
    rows = list(ready.as_lttng_kernel(kernel.events_of(machines.new_rng(1, "overhead"), EVENTS, 4, 24)))
    with tempfile.TemporaryDirectory() as trace:
        ring.write(trace, rows, machines.new_rng(1, "ring"), False, size=65536, count=64, stall=1000)
        times = [(seconds(READ, trace), seconds(CHECK, trace)) for _ in range(RUNS)]
    ratio = statistics.median(check / read for read, check in times)
    print(f"  infer --check of a kernel's trace      {100 * ratio - 100:+6.1f} % of what babeltrace2 takes to read its {len(rows)} events"
          f" ({1e9 * statistics.median(read for read, _ in times) / len(rows):.0f} ns each)")


if __name__ == "__main__":
    main()
