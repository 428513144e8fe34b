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


def main():
    name, arguments = os.environ["EARSHOT_SCENARIO"].split(":", 1)
    gdb.execute("set pagination off")
    gdb.execute("set confirm off")
    gdb.execute("set width 0")
    gdb.execute("set print finish on")
    gdb.execute(f"target remote {os.environ['EARSHOT_TARGET']}", to_string=True)
    found = globals()[name](*json.loads(arguments))
    with open(os.environ["EARSHOT_OUT"], "w", encoding="utf-8") as file:
        json.dump(found, file)


main()
