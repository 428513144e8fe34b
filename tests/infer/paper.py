#!/usr/bin/python3
"""The example that Martin and Dagenais go through step by step (Infering information in case of lost events in a trace, 2018): a process runs
when, after what was seen of it last, it runs already. 73 of 74 times it has left usermode to wait for something, so the arc to there weighs
1 - 73/74 = 0.0135, as on their slides; the lost event is a sched_switch, whose prev_state can have several values."""
import sys

sys.path.insert(0, "tests/cli")
from command import lines_of  # pylint: disable=wrong-import-position
from harness import run_all  # pylint: disable=wrong-import-position
from score import Written  # pylint: disable=wrong-import-position

MACHINE = """machine process
  state usermode syscall wait_for_cpu wait_blocked
  usermode -> wait_blocked on sched_switch[prev_tid] if prev_tid != 0 and prev_state in (1, 2)
  usermode -> wait_for_cpu on sched_switch[prev_tid] if prev_tid != 0 and prev_state == 0
  usermode -> syscall      on syscall_entry[tid]
  syscall  -> usermode     on syscall_exit[tid]
  wait_blocked, wait_for_cpu -> usermode on sched_switch[next_tid] if next_tid != 0
"""
LEAVES, PREEMPTED = 74, 30   # how often it leaves usermode; which of these times it does so to wait for a processor


def trace():
    for n in range(LEAVES):
        state = 0 if n == PREEMPTED else 2 if n % 10 == 7 else 1
        yield f"{2000 * n + 1000} sched_switch prev_tid=5078 prev_state={state} next_tid=0"
        yield f"{2000 * n + 2000} sched_switch prev_tid=0 prev_state=0 next_tid=5078"
    yield f"{2000 * LEAVES + 2000} sched_switch prev_tid=0 prev_state=0 next_tid=5078"


def inferred(method):
    with Written(MACHINE) as machine, Written("\n".join(trace()) + "\n") as events:
        stretch, = [line for line in lines_of(events, "-m", machine, "--method", method) if line["type"] == "stretch"]
    assert (stretch["key"], stretch["why"], stretch["from"], stretch["to"]) == (5078, "inconsistent", "usermode", "usermode"), stretch
    return stretch["alternatives"]


def path(alternative):
    return [(event["type"], event["event"], event["from"], event["to"]) for event in alternative["events"]]


def the_way_is_the_papers():
    """usermode -> wait blocked -> usermode, the first by a lost sched_switch."""
    alternative, = inferred("paper")
    assert path(alternative) == [("inferred", "sched_switch", "usermode", "wait_blocked"), ("observed", "sched_switch", "wait_blocked", "usermode")]
    fields = alternative["events"][0]["fields"]
    assert fields["prev_tid"] == {"fixed": True, "values": [[5078, 1]]}, fields
    assert fields["prev_state"]["fixed"] and sorted(value for value, _ in fields["prev_state"]["values"]) == [1, 2], fields


def ours_says_how_likely_it_is():
    """The other way is not hidden."""
    first, second = inferred("joint")
    assert path(first)[0][3] == "wait_blocked" and path(second)[0][3] == "wait_for_cpu", (first, second)
    assert 0.95 < first["probability"] < 0.9995 and first["probability"] + second["probability"] > 0.999, (first, second)


if __name__ == "__main__":
    sys.exit(run_all([the_way_is_the_papers, ours_says_how_likely_it_is]))
