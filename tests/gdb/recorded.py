#!/usr/bin/python3
"""The real gdb at recordings of the simulated target: what it stops at, forwards and backwards, is what the target's processor retired."""
import os
import re
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from harness import run_all  # noqa: E402
from serving import AT, BUILD, EARSHOT, GDB, Recorded, Served, in_gdb, record, retired, symbol  # noqa: E402
import session  # noqa: E402


def program(name, level):
    return os.path.join(BUILD, f"examples/{name}-{level}.elf")


def check_break(name, level, procedure):
    """Each time that the procedure's first instruction retired, with the stack pointer of then."""
    path = program(name, level)
    address = symbol(path, procedure)
    wanted = [c for kind, _, pc, _, _, c, *_ in retired(path, "--at", hex(address)) if kind == AT and pc == address]
    found = in_gdb(path, "breakpoint", f"*{address}", server=Recorded)
    forward, backward = [stop[0] for stop in found["forward"]], [stop[0] for stop in found["backward"]]
    assert forward == wanted and backward == wanted[::-1] and len(wanted) > 5, (len(wanted), len(forward), len(backward))


def interrupt_handlers():
    check_break("interrupts", "O2", "timer_isr")


def nested_interrupts():
    check_break("nested", "O0", "on_alarm")


def values():
    for name, variable, size in ("interrupts", "dropped", 2), ("nested", "ticks", 4):
        session.check_watch(name, "O2", variable, size, server=Recorded)


def tasks():
    session.check_tasks(lambda path: Recorded(path, "--task", "current"))


def one_that_begins_late():
    """gdb has asked again and again until the server has read its recording: it is answered once. A machine that is slow itself makes it no easier."""
    with tempfile.TemporaryDirectory() as scratch:
        path, recording = program("thermostat", "O2"), os.path.join(scratch, "run")
        record(path, recording)
        late = f"sleep 2.5; exec {EARSHOT} gdb {recording} {path} --stdio --at end"
        commands = ["set remotetimeout 1", f"target remote | {late}", "set remotetimeout 120", "backtrace"]
        done = subprocess.run([GDB, "-nx", "-batch", path, *(word for command in commands for word in ("-ex", command))], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=300, check=False)
        assert re.search(r"^#0 .* _exit \(\)", done.stdout, re.MULTILINE) and "Remote" not in done.stderr, done


def the_command_line():
    """What is wrong is said, with 2; Ctrl-C ends it, with 0, also while nobody has come."""
    with tempfile.TemporaryDirectory() as scratch:
        path, recording = program("thermostat", "O2"), os.path.join(scratch, "run")
        record(path, recording)
        for arguments, message in (([], "which recording, of which program?"), ([recording], "which recording"), ([scratch + "/none", path], "cannot be read"),
                                   ([recording, program("thermostat", "O0")], "of another program"), ([recording, path, "--port", "99999"], "--port takes a number"),
                                   ([recording, path, "--at", "1x"], "takes a time"), ([recording, path, "--at", "99999999999"], "ends at instruction"),
                                   ([path, path], "earshot: "), ([recording, path, "--task", "nope", "--stdio"], "there is no variable 'nope'")):
            done = subprocess.run([EARSHOT, "gdb", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
            assert done.returncode == 2 and message in done.stderr, (arguments, done)
        waiting = Served(EARSHOT, "gdb", recording, path, "--port", "0")
        taken = subprocess.run([EARSHOT, "gdb", recording, path, "--port", str(waiting.port)], capture_output=True, text=True, timeout=60, check=False)
        assert taken.returncode == 2 and "cannot be used" in taken.stderr, taken
        waiting.process.send_signal(signal.SIGINT)
        assert waiting.process.wait(timeout=60) == 0
        waiting.process.stdout.close()


if __name__ == "__main__":
    sys.exit(run_all([interrupt_handlers, nested_interrupts, values, tasks, one_that_begins_late, the_command_line]))
