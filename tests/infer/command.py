#!/usr/bin/python3
"""earshot infer on traces in CTF (Earshot's own, and LTTng's with discarded events and overwritten packets), on lists, and on what is none."""
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, "tests/cli")
from harness import run_all  # pylint: disable=wrong-import-position
from score import Written  # pylint: disable=wrong-import-position

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
TASKS, XML, MUTEX = ("tests/infer/" + name for name in ("tasks.machine", "tasks.xml", "mutex.machine"))
LIST = """# one task, of which a wake-up and a switch are lost
1000 sched_switch prev_tid=4 prev_state=0 next_tid=7
2000 sched_switch prev_tid=7 prev_state=1 next_tid=4
3000 sched_wakeup tid=7
3500 sched_switch prev_tid=4 prev_state=0 next_tid=7
4500 sched_switch prev_tid=7 prev_state=1 next_tid=4
{"time": 5500, "event": "sched_wakeup", "tid": 7}
lost 5500 8000 3
8000 sched_switch prev_tid=4 prev_state=2 next_tid=7
"""


def earshot(*arguments):
    return subprocess.run([EARSHOT, "infer", *arguments], capture_output=True, text=True, timeout=120, check=False)


def lines_of(*arguments):
    done = earshot(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def both_formats_say_the_same():
    with Written(LIST) as trace:
        by_text, by_xml = earshot(trace, "-m", TASKS), earshot(trace, "-m", XML)
        assert by_text.returncode == 0 and by_text.stdout.count(" lost\n") >= 2, by_text
        assert by_text.stdout == by_xml.stdout, (by_text.stdout, by_xml.stdout)


def other_forms_of_xml():
    """Interrupts of two CPUs at the same time: a scenario for each CPU, and no event that does not fit but the last, of no interrupt."""
    rows = ("1000 entry irq=1 cpu=0", "1100 entry irq=2 cpu=1", "1200 exit irq=1 cpu=0", "1300 entry irq=1 cpu=0", "1400 exit irq=2 cpu=1", "1500 exit irq=1 cpu=0")
    for more, foreign in ((), 0), (("1600 entry irq=0 cpu=0",), 3):
        with Written("\n".join((*rows, *more))) as trace:
            summary = lines_of(trace, "-m", "tests/infer/interrupts.xml", "--check")[-1]
            assert (summary["scenarios"], summary["certain"], summary["foreign"], summary["inconsistent"]) == (6, 18, foreign, 0), summary


SYSCALLS = """<tmfxml><pattern id="p"><patternHandler>
<test id="mine"><if><condition><stateAttribute type="constant" value="#CurrentScenario"/><stateAttribute type="constant" value="tid"/>
<stateValue type="eventField" value="tid"/></condition></if></test>
<test id="loud"><if><condition><field name="quiet"/><stateValue type="long" value="0"/></condition></if></test>
<fsm id="calls" {0}>{1}
<initialState><transition {2} cond="mine" target="in"/></initialState>
<state id="in"><transition event="exit_*" {3} target="out"/></state>
<final id="out"/></fsm></patternHandler></pattern></tmfxml>
"""


def names_and_preconditions_of_xml():
    """`*` and no name stand for the trace's events, as Trace Compass's regular expressions do; of preconditions one lets an event through."""
    rows = ("1 enter_read tid=1 quiet=0", "2 enter_write tid=2 quiet=0", "3 exit_read tid=1 quiet=0", "4 exit_write tid=2 quiet=0",
            "5 enter_read tid=3 quiet=1", "6 exit_read tid=3 quiet=1", "7 center_x tid=4 quiet=0", "8 exit tid=4 quiet=0")
    mine, own = 'cond="mine"', '<precondition event="e*r_*"/><precondition event="exit_*"/>'
    with Written("\n".join(rows) + "\n") as trace:
        for parts, steps in ((("", "", 'event="enter_*"', mine), 6), (("", "", 'event="*enter_?|enter_*|center*"', mine), 7), (("", own, "", mine), 6),
                             (("", '<precondition cond="loud"/>', 'event="enter_*"', mine), 4), (("", '<precondition event="enter_read"/>', "", mine), 2)):
            with Written(SYSCALLS.format(*parts)) as machine:
                summary = lines_of(trace, "-m", machine, "--check", "--told")[-1]
                assert summary["certain"] == steps, (parts, summary)
        for parts, line, said in ((("", "", 'event="enter_*"', ""), 7, "which scenario is the event for?"), (("", "<initial><transition cond='mine' target='in'/></initial>", "", mine), 5, "an <initial> that"),
                                  (("", '<precondition cond="loud"/><precondition event="enter_read" cond="loud"/>', "", mine), 5, "more than one <precondition>")):
            with Written(SYSCALLS.format(*parts).replace("<initialState>", "<initialState>" if "initial>" not in parts[1] else "<state id='x'>").replace(
                    "</initialState>", "</initialState>" if "initial>" not in parts[1] else "</state>")) as machine:
                done = earshot(trace, "-m", machine)
                assert done.returncode == 2 and f":{line}:" in done.stderr and said in done.stderr, (parts, done)
        with Written(SYSCALLS.format('multiple="false"', "", 'event="enter_*"', "")) as machine:
            assert earshot(trace, "-m", machine, "--check").returncode == 0


def pictures():
    """Each event and state of what is told is drawn, and what was inferred unlike what was seen."""
    with Written(LIST.replace("8000 sched", "8000 sched_switch prev_tid=7 prev_state=0 next_tid=4\n8000 sched")) as trace, tempfile.TemporaryDirectory() as work:
        for ending in ("svg", "html"):
            done = earshot(trace, "-m", TASKS, "--picture", f"{work}/a.{ending}")
            assert done.returncode == 0, done
        with open(f"{work}/a.svg", encoding="utf-8") as svg, open(f"{work}/a.html", encoding="utf-8") as page:
            text = svg.read()
            assert text in page.read()
        root = ElementTree.fromstring(text)
        drawn = [(e.tag.split("}")[1], e.get("class")) for e in root.iter()]
        stretches = [line for line in lines_of(trace, "-m", TASKS) if line["type"] == "stretch"]
        events = [event for stretch in stretches for alternative in stretch["alternatives"] for event in alternative["events"]]
        legend = 1
        assert drawn.count(("path", "lost")) == len([e for e in events if e["type"] == "inferred"]) + legend > 3, events
        seen = drawn.count(("circle", "seen")) + drawn.count(("circle", "odd"))
        assert seen == len([e for e in events if e["type"] == "observed"]) + 2 * legend, events
        lanes = sum(len(stretch["alternatives"]) for stretch in stretches)
        assert drawn.count(("rect", "certain")) + drawn.count(("rect", "maybe")) == len(events) + lanes + 2 * legend
        assert drawn.count(("rect", "told")) == 1 + legend
        titles = ["".join(e.itertext()) for e in root.iter("{http://www.w3.org/2000/svg}title")]
        assert any(t.endswith("observed") for t in titles) and any("inferred" in t and "prev_state most likely" in t for t in titles), titles
        for options, message in ((["--picture", "a.png"], ".svg or .html"), (["--picture", "a.svg", "--check"], "not with --check"),
                                 (["--picture", "/nonexistent/a.svg"], "cannot be written")):
            done = earshot(trace, "-m", TASKS, *options)
            assert done.returncode != 0 and message in done.stderr, done


def what_is_lost_is_inferred():
    with Written(LIST) as trace:
        stretch, = [line for line in lines_of(trace, "-m", TASKS) if line["type"] == "stretch" and line["key"] == 7]
        best = stretch["alternatives"][0]
        assert best["lost"] == 3 and best["probability"] > 0.5, stretch
        lost = [event for event in best["events"] if event["type"] == "inferred"]
        assert [(e["from"], e["to"]) for e in lost] == [("ready", "running"), ("running", "blocked"), ("blocked", "ready")], lost
        assert all(5500 <= e["low"] <= e["time"] <= e["high"] <= 8000 for e in lost), lost
        assert lost[0]["fields"]["next_tid"] == {"fixed": True, "values": [[7, 1]]}, lost
        assert lost[1]["fields"]["prev_state"]["fixed"] and [v for v, _ in lost[1]["fields"]["prev_state"]["values"]] == [1, 2], lost
        stretch, = [line for line in lines_of(trace, "-m", TASKS, "--method", "paper") if line.get("key") == 7]
        assert stretch["alternatives"][0]["probability"] is None and stretch["alternatives"][0]["lost"] == 0, stretch


def losses_nobody_told_are_found():
    with Written(LIST.replace("4500 sched_switch prev_tid=7 prev_state=1 next_tid=4\n", "")) as trace:
        done = earshot(trace, "-m", TASKS)
        assert "does not fit" in done.stderr or "do not fit" in done.stderr, done.stderr
        assert "inconsistent" in done.stdout, done.stdout


def losses_told_late_are_not_forgotten():
    """The loss is of the time of an event that stands before it: what that leads to is not certain."""
    with Written("1000 set k=1\n3000 x k=1\nlost 1000 5000\n5200 x k=1\n") as trace, \
            Written("machine m\nkey k\nstate a b\na, b -> a on set\na -> b on x\nb -> a on x\n") as machine:
        done = earshot(trace, "-m", machine, "--check")
        assert "1 loss is told after events" in done.stderr and " 1 certain, 2 uncertain," in done.stderr + done.stdout, done


def losses_of_one_cpu():
    """What runs on CPU 0 is not in doubt for what was lost of CPU 1, and neither are CPU 0's interrupts; of whom CPU 1 may have run, all is."""
    rows = ("1000 sched_switch prev_tid=0 prev_state=0 next_tid=5 cpu_id=0", "1100 sched_switch prev_tid=0 prev_state=0 next_tid=6 cpu_id=1",
            "1200 sched_switch prev_tid=6 prev_state=1 next_tid=7 cpu_id=1", "1300 irq_handler_entry irq=1 cpu_id=0", "1400 irq_handler_entry irq=1 cpu_id=1",
            "lost 1500 2500 3", "2600 irq_handler_exit irq=1 cpu_id=0", "2700 irq_handler_exit irq=1 cpu_id=1",
            "2800 sched_switch prev_tid=5 prev_state=1 next_tid=0 cpu_id=0", "2900 sched_switch prev_tid=7 prev_state=1 next_tid=0 cpu_id=1")
    machine = "machine cpu\n  state out in\n  out -> in on irq_handler_entry[cpu_id]\n  in -> out on irq_handler_exit[cpu_id]\n"
    with Written(machine) as irq:
        for of, threads, cpus in (("", {5, 7}, {0, 1}), (" cpu_id=1", {7}, {1}), (" cpu_id=0", {5}, {0}), (" irq=1", {5, 7}, {0, 1})):
            text = "\n".join(row + of if row.startswith("lost") else row for row in rows)
            as_json = text.replace("lost 1500 2500 3" + of, json.dumps({"lost": 3, "begin": 1500, "end": 2500, **({of.split("=")[0][1:]: int(of[-1])} if of else {})}))
            for trace_text in text, as_json:
                with Written(trace_text + "\n") as trace:
                    results = lines_of(trace, "-m", "examples/machines/linux-sched.machine", "-m", irq)
                    for machine_name, keys in ("thread", threads), ("cpu", cpus):
                        found = {line["key"] for line in results if line["type"] == "stretch" and line["machine"] == machine_name}
                        assert found - {0} == keys - {0} and (machine_name == "thread" or found == keys), (of, machine_name, found, results)


def a_pipe_is_not_read_as_an_empty_trace():
    with Written(LIST) as trace, open(trace, encoding="utf-8") as file:
        done = subprocess.run([EARSHOT, "infer", "/dev/stdin", "-m", TASKS], input=file.read(), capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 2 and "read twice" in done.stderr, done


def values_that_cannot_be_compared_are_refused():
    """Of fields that a machine has; null is no value, and others are nobody's."""
    for value, code in ("7", 0), ("null", 0), ('"x"', 0), ("true", 0), ("7.5", 2), ("[7]", 2), ("{}", 2):
        for line in f'{{"time": 1, "event": "sched_wakeup", "tid": {value}}}', f'{{"lost": 1, "begin": 0, "end": 1, "tid": {value}}}':
            with Written(line + '\n{"time": 2, "event": "sched_wakeup", "tid": 7, "load": 0.5}\n') as trace:
                done = earshot(trace, "-m", TASKS)
                assert done.returncode == code and (not code or f"{trace}:1: error: the field 'tid' is no integer" in done.stderr), (line, done)


def a_trace_is_written_only_into_an_empty_directory():
    with tempfile.TemporaryDirectory() as scratch, Written(LIST) as trace:
        for name, code, said in (".hidden", 0, ""), ("", 5, "holds a trace already"):
            if name:
                with open(os.path.join(scratch, name), "w", encoding="utf-8"):
                    pass
            done = earshot(trace, "-m", TASKS, "--ctf", scratch)
            assert done.returncode == code and said in done.stderr, done
        subprocess.run(["babeltrace2", scratch], capture_output=True, check=True)
    with tempfile.TemporaryDirectory() as scratch, Written(LIST) as trace:
        with open(os.path.join(scratch, "notes.txt"), "w", encoding="utf-8"):
            pass
        done = earshot(trace, "-m", TASKS, "--ctf", scratch)
        assert done.returncode == 5 and "holds other files" in done.stderr and os.listdir(scratch) == ["notes.txt"], done


def lttng_tells_its_losses():
    summary = lines_of("tests/infer/lttng-discard", "-m", MUTEX, "--told")[-1]
    assert summary["losses_told"] == 1 and summary["events_told_lost"] == 4127 and summary["events"] == 578, summary
    counted = subprocess.run(["babeltrace2", "tests/infer/lttng-discard"], capture_output=True, text=True, check=True)
    assert len(counted.stdout.splitlines()) == summary["events"] and "discarded 4127 events" in counted.stderr, counted.stderr
    summary = lines_of("tests/infer/lttng-overwrite", "-m", MUTEX, "--told")[-1]
    assert summary["losses_told"] == 1 and summary["events_told_lost"] == 0 and summary["events"] == 3920, summary


def traces_of_earshot_are_read():
    with tempfile.TemporaryDirectory() as scratch:
        trace = os.path.join(scratch, "trace")
        subprocess.run([EARSHOT, "watch", f"{BUILD}/examples/thermostat-O0.elf", "-s", "examples/thermostat/thermostat.watch", "--out", trace],
                       capture_output=True, check=True)
        learned = earshot(trace, "--learn")
        assert learned.returncode == 0 and "on overheat" in learned.stdout, learned
        with Written(learned.stdout) as machine:
            summary = lines_of(trace, "-m", machine)[-1]
        assert summary["inconsistent"] == summary["foreign"] == summary["segments"] == 0 and summary["events"] > 10, summary


def calls_of_a_program():
    """By the ELF alone every hit of a complete run fits, and what is taken from it is found again; the path decides where it is known."""
    program = f"{BUILD}/examples/recursion-O0.elf"
    statements = earshot("--statements", program)
    assert statements.returncode == 0 and "enter_sort: when enter(sort) { print }" in statements.stdout, statements
    with Written(statements.stdout) as file, tempfile.TemporaryDirectory() as scratch:
        trace = os.path.join(scratch, "trace")
        subprocess.run([EARSHOT, "watch", program, "-s", file, "--out", trace], capture_output=True, check=True)
        summary = lines_of(trace, "-m", program)[-1]
        assert summary["steps"] == summary["certain"] > 500 and summary["inconsistent"] == summary["foreign"] == 0, summary
    with Written("1 enter_main\n2 enter_sort\n3 enter_swap\n4 leave_swap\nlost 4 9 1\n9 leave_swap\n") as trace:
        stretch = lines_of(trace, "-m", program)[0]
        best = stretch["alternatives"][0]
        assert (stretch["from"], stretch["to"]) == ("main > sort", "main > sort"), stretch
        assert [e["event"] for e in best["events"] if e["type"] == "inferred"] == ["enter_swap"] and best["probability"] > 0.99, stretch
    for text, options, said in (("1 e\n", (), "the trace has no event enter_f"), ("1 enter_main\n", ("-m", program), "there is a program already"),
                                ("1 enter_main\n2 leave_sort\n3 enter_sort\n4 leave_sort\n", (), "never leaves main"),
                                ("1 enter_main\n2 enter_elsewhere\n", (), "the trace has enter_elsewhere, and")):
        with Written(text) as trace:
            done = earshot(trace, "-m", program, *options)
            assert said in done.stderr, done
    with Written("\177ELF") as broken, Written("1 enter_main\n") as trace:
        done = earshot(trace, "-m", broken)
        assert done.returncode == 2 and done.stderr, done
        assert earshot(trace, "-m", TASKS, "--key", "task").returncode == 2


def inferred_events_are_a_trace_of_their_own():
    with tempfile.TemporaryDirectory() as scratch, Written(LIST) as trace:
        out = os.path.join(scratch, "inferred")
        done = earshot(trace, "-m", TASKS, "--ctf", out)
        assert done.returncode == 0, done.stderr
        read = subprocess.run(["babeltrace2", out], capture_output=True, text=True, check=True).stdout
        assert "inferred:" in read and 'from = "ready"' in read and "probability = " in read, read
        assert earshot(trace, "-m", TASKS, "--ctf", out).returncode == 5


def bad_input_ends_with_a_sentence():
    with Written(LIST) as trace, Written("machine m\nstate a\na -> b on e\n") as wrong, Written("machine m\nstate a\na -> a on e[k]\n") as other, \
            Written("no time\n") as text, Written("1 e k=1\n2 e k=2\n3 e k=3\n1 e k=1\n") as three, Written("<tmfxml>") as xml:
        for code, said, arguments in (
                (2, "3:6: error: there is no state 'b'", (trace, "-m", wrong)),
                (2, "is it the right machine", (trace, "-m", other)),
                (2, "which machine?", (trace,)),
                (2, "which trace?", ("-m", TASKS)),
                (2, ":1: error: an event is", (text, "-m", TASKS)),
                (2, "more than 2 scenarios", (three, "-m", other, "--scenarios", "2")),
                (0, "earlier than the one before", (three, "-m", other)),
                (2, "error:", (trace, "-m", xml)),
                (2, "there is no file 'metadata'", ("docs/man", "-m", TASKS)),
                (2, "cannot be read", ("/nowhere", "-m", TASKS)),
                (2, "--method takes", (trace, "-m", TASKS, "--method", "luck"))):
            done = earshot(*arguments)
            assert done.returncode == code and said in done.stderr, (arguments, done)


if __name__ == "__main__":
    sys.exit(run_all([both_formats_say_the_same, other_forms_of_xml, names_and_preconditions_of_xml, pictures, what_is_lost_is_inferred, losses_nobody_told_are_found, losses_told_late_are_not_forgotten, losses_of_one_cpu,
                      a_pipe_is_not_read_as_an_empty_trace, values_that_cannot_be_compared_are_refused, a_trace_is_written_only_into_an_empty_directory, lttng_tells_its_losses, traces_of_earshot_are_read, calls_of_a_program,
                      inferred_events_are_a_trace_of_their_own, bad_input_ends_with_a_sentence]))
