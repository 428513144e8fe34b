"""Runs inside of gdb, at a recording: moves in it as a user does, and writes down what gdb says, as JSON into a file.

EARSHOT_SCENARIO: the name of one of the functions below, and its arguments as JSON after a colon."""
import json
import os
import re

import gdb


def run(command):
    return gdb.execute(command, to_string=True)


def number(expression):
    return int(gdb.parse_and_eval(expression)) & 0xFFFFFFFF


def go(command):
    """A movement; what the server reported as its stop, as gdb prints stops past all that could be read here. False: it has come to an end."""
    run(command)
    told = gdb.selected_inferior().connection.send_packet("?").decode()
    return None if "replaylog" in told else told


def value(what):
    """As gdb prints it; None: not known."""
    try:
        return str(gdb.parse_and_eval(what).format_string())
    except gdb.error:
        return None


def place():
    frame = gdb.newest_frame()
    return {"pc": frame.pc(), "line": frame.find_sal().line, "name": frame.name()}


def watch(how, what, most=100000):
    """All hits of a watchpoint, forwards to the end and back: value before, value after, pc after the access."""
    def all_hits(command):
        hits, before = [], value(what)
        while len(hits) < most and go(command):
            after = value(what)
            hits.append([before, after, number("$pc")])
            before = after
        return hits
    run(f"{how} {what}")
    forward = all_hits("continue")
    return {"forward": forward, "backward": all_hits("reverse-continue"), "pc": number("$pc")}


def breakpoint(where):
    """All stops at a breakpoint, forwards to the end and back: the stack pointer, and what info locals and bt say."""
    def all_stops(command):
        stops = []
        while go(command):
            stops.append([number("$sp"), number("$pc"), run("info locals"), run("bt")])
        return stops
    run(f"break {where}")
    return {"forward": all_stops("continue"), "backward": all_stops("reverse-continue")}


def expressions(where, wanted):
    """Numbers that gdb makes of expressions at all stops at a breakpoint, forwards to the end and back."""
    def all_stops(command):
        stops = []
        while go(command):
            values = [gdb.parse_and_eval(one) for one in wanted]
            stops.append([float(one) if one.type.strip_typedefs().code == gdb.TYPE_CODE_FLT else float(int(one)) for one in values])
        return stops
    run(f"break {where}")
    return {"forward": all_stops("continue"), "backward": all_stops("reverse-continue")}


def steps(where, command, back, count, interrupts="over"):
    """From the first stop at a breakpoint on: places after `count` commands, and after as many of their opposites."""
    run(f"break {where}")
    run("continue")
    run("delete")
    run(f"monitor interrupts {interrupts}")
    forward, backward = [place()], []
    for _ in range(count):
        run(command)
        forward.append(place())
    for _ in range(count):
        backward.append(place())
        run(back)
    backward.append(place())
    return {"forward": forward, "backward": backward[::-1]}


def finish(where, times):
    """Finishes the innermost activation at each of the first stops there: what gdb says of the value that it returns. And reverse-finish
    from inside: to the call."""
    found = []
    for _ in range(times):
        run(f"tbreak {where}")
        run("continue")
        inside = place()
        arguments = run("info args")
        run("finish")
        returned = value("$")
        outside = place()
        found.append({"inside": inside, "arguments": arguments, "value": returned, "outside": outside})
    run("reverse-step")
    run(f"tbreak {where}")
    run("reverse-continue")
    here = place()
    run("reverse-finish")
    return {"finished": found, "here": here, "called": place()}


def begin():
    """What is not known yet, is said to be so; what was, cannot be changed."""
    said = {"back": go("reverse-stepi")}
    for name, command in {"registers": "info registers sp ra a0 pc", "memory": "x/2xw 0x30000", "device": "x/xw 0x10000018",
                          "set register": "set $a0 = 5", "set memory": "set var *(int *)0x20000 = 5", "call": "call (int)main()",
                          "time": "monitor time", "unknown": "monitor nonsense", "wrong": "monitor goto 1x",
                          "goto": "monitor goto 100", "flush": "maintenance flush register-cache", "there": "info registers pc",
                          "csr": "info registers mcause mtvec", "threads": "info threads", "x": "x/2i $pc"}.items():
        try:
            said[name] = run(command)
        except gdb.error as error:
            said[name] = f"error: {error}"
    return said


def threads(where, times):
    """The thread that runs at the first stops there, by what it is called."""
    run(f"break {where}")
    found = []
    for _ in range(times):
        run("continue")
        listed = run("info threads")
        found.append([re.findall(r'^\* \d+ +Thread \d+ "([^"]*)" \(running\)', listed, re.MULTILINE), listed])
    return found


def instruction():
    return int(re.match(r"instruction (\d+) of", run("monitor time")).group(1))


def values_at_lines(file, lines, names):
    """At each stop at a line, forwards: instruction, line, and what gdb has for the names there; null: no value."""
    stops = []
    for line in lines:
        run(f"break {file}:{line}")
    while go("continue"):
        told = {name: value(name) for name in names}
        while gdb.selected_frame().type() == gdb.INLINE_FRAME:  # what the copy does not have, who called it has
            gdb.selected_frame().older().select()
            told = {name: value(name) if one is None else one for name, one in told.items()}
        stops.append([instruction(), place()["line"], {name: None if one == "<optimized out>" else one for name, one in told.items()}])
    return stops


def everywhere(moment):
    """Goes there, and has gdb know it."""
    run(f"monitor goto {moment}")
    run("maintenance flush register-cache")
    run("maintenance flush dcache")


def local(one, frame):
    try:
        return str(one.value(frame))
    except gdb.error:
        return None


def frames_from(frame, outermost=("main", "ping", "pong", "producer", "consumer", "one", "two")):
    """(procedure, pc, locals) of it and those further out, up to the one with which a task begins."""
    found = []
    while frame and frame.name() and len(found) < 12:
        try:
            block = frame.block()
        except RuntimeError:
            block = None
        found.append([frame.name(), frame.pc(), {str(one): local(one, frame) for one in block or [] if one.is_variable or one.is_argument}])
        if frame.name() in outermost:
            break
        try:
            frame = frame.older()
        except gdb.error:
            break
    return found


def all_registers():
    values = {name: value(f"(unsigned)${name}") for name in INTEGERS}
    return {name: None if one in (None, "<unavailable>") else int(one) for name, one in values.items()}


INTEGERS = ["pc", "ra", "sp", "t0", "t1", "t2", "s0", "s1", *(f"a{i}" for i in range(8)), *(f"s{i}" for i in range(2, 12)), *(f"t{i}" for i in range(3, 7))]


def tasks_at(moments, saved, words):
    """Each thread at these moments: name, state, registers, frames; and the words to which `saved`, an expression of its number, points."""
    found = []
    for moment in moments:
        everywhere(moment)
        listed = run("info threads")
        threads = {}
        for thread in sorted(gdb.selected_inferior().threads(), key=lambda one: one.ptid):
            thread.switch()
            number = thread.ptid[1] or thread.ptid[2]
            row = {"id": number, "state": re.search(rf"Thread {number} [^(]*\(([^)]*)\)", listed).group(1), "registers": all_registers()}
            known = row["registers"]["pc"] is not None
            row["frames"] = frames_from(gdb.newest_frame()) if known else []
            if number != 1:
                at = number_of(saved % number)
                row["saved"] = [number_of(f"((unsigned *){at})[{i}]") for i in range(words)] if at is not None else []
                row["at"] = at
            threads[thread.name or "processor"] = row
        found.append(threads)
    return found


def number_of(expression):
    try:
        return number(expression)
    except gdb.error:
        return None


def task_stops(where, most):
    """At the first stops there: the moment, the thread's name, its registers, mepc, and the frames from the caller on."""
    run(f"break {where}")
    found = []
    while len(found) < most and go("continue"):
        outer = gdb.newest_frame().older()
        found.append({"moment": instruction(), "name": gdb.selected_thread().name, "registers": all_registers(), "mepc": number_of("$mepc"), "mcause": number_of("$mcause"),
                      "frames": frames_from(outer) if outer else []})
    return found


def told_threads():
    return re.findall(r'^([* ]) \d+ +Thread \d+ (?:"([^"]*)" )?\(([^)]*)\) +(.*)$', run("info threads"), re.MULTILINE)


def listed_at(where):
    """What info threads says at each stop there, forwards to the end and back."""
    run(f"break {where}")
    forward = []
    while go("continue"):
        forward.append(told_threads())
    backward = []
    while go("reverse-continue"):
        backward.append(told_threads())
    return {"forward": forward, "backward": backward}


def choose(name):
    for thread in gdb.selected_inferior().threads():
        if thread.name == name:
            thread.switch()
            return


def other_thread(moment, name, where):
    """A task that does not run: a step brings it to where it stands; backwards, if gdb says of whom, to its own last instruction. And breakpoints
    that only one thread has."""
    everywhere(moment)
    run("info threads")
    choose(name)
    found = {"stands": all_registers(), "frames": frames_from(gdb.newest_frame()), "was": instruction()}
    for what, command in {"set register": "set $s1 = 5", "set memory": "set var *(int *)$sp = 5"}.items():
        try:
            found[what] = run(command)
        except gdb.error as error:
            found[what] = f"error: {error}"
    run("stepi")
    found.update({"name": gdb.selected_thread().name, "arrived": all_registers(), "then": frames_from(gdb.newest_frame()), "now": instruction()})
    everywhere(moment)
    run("info threads")
    choose(name)
    run("set scheduler-locking on")
    run("reverse-stepi")
    found["back"] = {"name": gdb.selected_thread().name, "pc": number("$pc"), "now": instruction(), "insn": run("x/i $pc")}
    run("set scheduler-locking off")
    choose(name)
    run(f"break {where} thread {gdb.selected_thread().num}")
    found["stops"] = []
    for _ in range(2):
        run("continue")
        found["stops"].append(gdb.selected_thread().name)
    found["convenience"] = int(gdb.parse_and_eval("$_thread")) == gdb.selected_thread().num
    return found


def main():
    name, arguments = os.environ["EARSHOT_SCENARIO"].split(":", 1)
    gdb.execute("set pagination off")
    gdb.execute("set confirm off")
    gdb.execute("set width 0")
    gdb.execute("set remotetimeout 120")  # a machine may stand still for a while
    gdb.execute("set print finish on")
    gdb.execute(f"target remote {os.environ['EARSHOT_TARGET']}", to_string=True)
    found = globals()[name](*json.loads(arguments))
    with open(os.environ["EARSHOT_OUT"], "w", encoding="utf-8") as file:
        json.dump(found, file)


main()
