#!/usr/bin/python3
"""earshot infer on traces of LTTng's kernel tracer whose buffers were too small: a stream for each CPU, events discarded or packets overwritten. The
trace without losses is what it is compared with; babeltrace2 reads the same files. With the name of a trace: its scheduler's events through such
buffers, as a table (kernel_losses.py TRACE...)."""
import os
import re
import subprocess
import sys
import tempfile

import kernel
import machines
import ready
import ring
import score

SEED = int(os.environ.get("EARSHOT_SEED", "1"))
SCHED = os.path.join(ready.FOLDER, "linux-sched.machine")
IRQ = "machine cpu\n  state outside inside\n  outside -> inside on irq_handler_entry[cpu_id]\n  inside -> outside on irq_handler_exit[cpu_id]\n"


def with_interrupts(rng, rows, cpus):
    """Interrupts between the scheduler's events."""
    merged, inside = [], [False] * cpus
    for row in rows:
        cpu, at = rng.randrange(cpus), row[0] - 1
        if rng.random() < 0.5 and (not merged or at > merged[-1][0]):
            name = "irq_handler_exit" if inside[cpu] else "irq_handler_entry"
            states = ("inside", "outside") if inside[cpu] else ("outside", "inside")
            merged.append((at, name, {"irq": 7, "cpu_id": cpu}, [("cpu", cpu, *states)]))
            inside[cpu] = not inside[cpu]
        merged.append(row)
    return merged


def truth_of(rows, lost, machine):
    """What of each scenario of a machine was lost between two of its events."""
    own = [(time, name, fields, [move[1:] for move in moves if move[0] == machine]) for time, name, fields, moves in rows]
    return machines.cut(own, lost)[1]


def compare(rows, overwrite, machine, problems, **how):
    """Writes them, and holds what is said against what was lost."""
    rng = machines.new_rng(SEED, overwrite, len(rows))
    with tempfile.TemporaryDirectory() as trace:
        lost, discarded = ring.write(trace, rows, rng, overwrite, **how)
        read = subprocess.run(["babeltrace2", trace], capture_output=True, text=True, check=False)
        told = sum(int(count) for count in re.findall(r"discarded (\d+) events?", read.stderr))
        results = {method: score.infer(trace, machine, "--method", method, "-a", "2") for method in ("joint", "paper")}
        summary = results["joint"][-1]
        if not how.get("overlap") and (len(read.stdout.splitlines()) != len(rows) - sum(lost) or told != discarded):
            problems.append(f"babeltrace2 reads {len(read.stdout.splitlines())} events, discarded {told}: {read.stderr[:300]}")
        if (summary["events"], summary["events_told_lost"]) != (len(rows) - sum(lost), discarded):
            problems.append(f"read are {summary}, but {len(rows) - sum(lost)} were kept, and {discarded} counted as lost")
    wrong, stretches = ready.wrong_of(results["joint"], rows)
    if wrong:
        problems.append(f"certain, but wrong: { {key: wrong[0][key] for key in ('machine', 'key', 'from', 'to', 'begin', 'end')} }")
    return summary, sum(lost), stretches, {method: score.score(found, truth_of(rows, lost, "thread")) for method, found in results.items()}


def table_row(name, rows, overwrite, problems, **how):
    summary, lost, stretches, scores = compare(rows, overwrite, SCHED, problems, **how)
    print(f"{name}: {lost} of {len(rows)} events lost, {summary['losses_told']} losses told, {len(stretches)} stretches, "
          f"{100 * summary['certain'] // summary['steps']} % of steps certain, {summary['inconsistent']} inconsistent")
    print(score.line(name, scores["joint"], scores["paper"]), flush=True)
    return summary, scores


def rows_of(trace):
    """The scheduler's events of a complete trace, and what each does to its threads, by babeltrace2 and the kernel's rules alone."""
    out = subprocess.run(["babeltrace2", "--clock-seconds", trace], capture_output=True, text=True, check=True).stdout
    state, rows = {}, []
    for line in out.splitlines():
        match = re.match(r"\[(\d+)\.(\d+)\].*? (sched_(?:switch|waking|wakeup|wakeup_new)): (.*)$", line)
        if not match:
            continue
        name, fields = match[3], {key: int(value) for key, value in re.findall(r"(\w+) = (-?\d+)[ ,}]", match[4])}
        moves = []
        if name == "sched_switch":
            left = fields["prev_state"]
            to = "ready" if left in (0, 256, 1024, 2048, 4096) else "dead" if left in (16, 32, 64) else "blocked"
            moves = [(fields["prev_tid"], "running", to), (fields["next_tid"], "ready", "running")]
        else:
            before = state.get(fields["tid"], "blocked")
            moves = [(fields["tid"], before, "running" if before == "running" else "ready")]
        moves = [("thread", tid, state.get(tid, source), target) for tid, source, target in moves if tid]
        for _, tid, _, target in moves:
            state[tid] = target
        rows.append((int(match[1]) * 10**9 + int(match[2]), name, fields, moves))
    begin = rows[0][0] - 1000
    return [(time - begin, *rest) for time, *rest in rows]


def older(rows, problems):
    """Tracers whose packets overlap a little, which babeltrace2 does not merge, or whose packets have no times: losses may be anywhere in them."""
    summary, *_ = compare(rows, False, SCHED, problems, overlap=3000)
    print(f"packets that overlap: {summary['events']} events, {summary['losses_told']} losses")
    summary, lost, stretches, _ = compare(rows, False, SCHED, problems, times_of_packets=False)
    print(f"packets without times: {lost} events lost, {summary['losses_told']} losses told, {len(stretches)} stretches")
    if not summary["losses_told"] or summary["inconsistent"]:
        problems.append(f"packets without times: {summary}")


def packet_of(number, begin, end, discarded, events):
    packet = ring.Packet(number, begin)
    for time, name, fields in events:
        packet.add(time, name, ring.packed(name, fields), None)
    packet.end, packet.discarded = end, discarded
    return packet


def at_one_time(problems):
    """A packet ends with the time of the first event after it, and the last event that did not fit may have come in the same ns: what another CPU
    tells at that time may have been before it. The thread 7 is woken by the CPU 1 at 2000; that it is switched to then is lost."""
    woken, left = (2000, "sched_waking", {"tid": 7}), (3000, "sched_switch", {"prev_tid": 7, "prev_state": 1, "next_tid": 8})
    begins = (1000, "sched_switch", {"prev_tid": 7, "prev_state": 1, "next_tid": 0})
    own = (2000, "sched_wakeup", {"tid": 9}), (2500, "sched_waking", {"tid": 8})
    for name, losing, how in (("discard", 0, {}), ("discard", 1, {}), ("overwrite", 0, {}), ("overwrite", 1, {}),
                              ("discard", 0, {"times_of_packets": False}), ("discard", 1, {"times_of_packets": False})):
        packets = [packet_of(0, 1000, 1500, 0, [begins])]
        packets += [packet_of(1, 1500, 2000, 1, [])] if name == "discard" else []
        packets.append(packet_of(2, 2000, 3001, int(name == "discard"), [*own, left]))
        with tempfile.TemporaryDirectory() as trace:
            ring.write_packets(trace, {losing: packets, 1 - losing: [packet_of(0, 900, 4000, 0, [woken])]}, **how)
            results = score.infer(trace, SCHED)
        said = [r for r in results if r["type"] == "stretch" and r["key"] == 7 and r["end"] == 3000]
        inferred = [(e["from"], e["to"]) for r in said for e in r["alternatives"][0]["events"] if e["type"] == "inferred"]
        if results[-1]["inconsistent"] or inferred != [("ready", "running")]:
            problems.append(f"{name}, CPU {losing}, {how}: lost at the end of a loss' time: {results[-1]}, {said}")


def main():
    problems = []
    for trace in sys.argv[1:]:
        rows = rows_of(trace)
        for overwrite in False, True:
            for size, stall in (4096, 300), (1024, 100), (1024, 400):
                table_row(f"{trace[-30:]}, {'overwrite' if overwrite else 'discard'}, {size} bytes, {stall}", rows, overwrite, problems, size=size, stall=stall)
    if not sys.argv[1:]:
        rng = machines.new_rng(SEED, "buffers")
        rows = with_interrupts(rng, list(ready.as_lttng_kernel(kernel.events_of(rng, 1500, 4, 12))), 4)
        for overwrite in False, True:
            _, scores = table_row("overwrite" if overwrite else "discard", rows, overwrite, problems)
            if scores["joint"].exact <= 1.6 * scores["paper"].exact or scores["joint"].stretches < 50:
                problems.append(f"only {scores['joint'].exact} of {scores['joint'].stretches} exact, the paper's method {scores['paper'].exact}")
        older(rows, problems)
        at_one_time(problems)
    for text in problems:
        print("wrong:", text)
    print(f"{max(0, 5 - len(problems))} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
