"""earshot predict as users call it: its outputs, and what it says to what it cannot take."""
import json
import os
import subprocess
import sys
import tempfile
import xml.dom.minidom

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = f"{BUILD}/earshot"
PROGRAM, OTHER, NONE = f"{BUILD}/tests/threads/sor.elf", f"{BUILD}/tests/threads/pipeline.elf", f"{BUILD}/examples/recursion-O2.elf"
passed = failed = 0


def check(good, text):
    global passed, failed
    passed += bool(good)
    failed += not good
    if not good:
        print(text)


def earshot(*arguments):
    return subprocess.run([EARSHOT, *arguments], capture_output=True, text=True, timeout=120)


def refused(what, *arguments, code=2):
    done = earshot("predict", *arguments)
    check(done.returncode == code and what in done.stderr and done.stderr.startswith("earshot: "),
          f"{arguments}: {done.returncode} {done.stderr!r}, not {what!r}")


def json_of(*arguments):
    done = earshot("predict", *arguments, "--json")
    check(done.returncode == 0, done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def outputs(folder, recording):
    kept = os.path.join(folder, "sor.trace")
    one = json_of(PROGRAM, recording, "--cores", "1..4", "--wait", "0,1", "--save", kept)
    check(len(one) == 9 and [p["cores"] for p in one[1:]] == [1, 2, 3, 4] * 2, "machines in order")
    check(json_of(PROGRAM, kept, "--cores", "1..4", "--wait", "0,1") == one, "a trace kept by --save says the same")
    check(all(p["low"] <= p["makespan"] <= p["high"] for p in one[1:]), "within the bounds")
    check(json_of(PROGRAM, kept, "--cores", "2", "--speed", "2")[1]["makespan"] * 2 - one[2]["makespan"] in range(-2, 3),
          "cores of twice the speed take half as long")
    free = json_of(PROGRAM, kept, "--cores", "4", "--kernel", "0")[1]
    check(free["makespan"] < one[4]["makespan"] and free["changes"], "a kernel that takes no time is faster")
    single = json_of(PROGRAM, kept, "--cores", "4")[1]
    whole = sum(share["clocks"] for share in single["critical"])
    check(abs(whole - single["makespan"]) < 0.02 * single["makespan"], f"the critical path is as long as the run: {whole}")
    for options in (["--scheduler", "priority"], ["--scheduler", "preemptive"], ["--scheduler", "round-robin", "--quantum", "3000"], ["--scheduler", "work"],
                    ["--barge"], ["--order", "last"], ["--latency", "0..100:50"], ["--keep", "band"], ["--ports", "data,one"]):
        done = earshot("predict", PROGRAM, kept, "--cores", "3", "--verify", *options)
        check(done.returncode == 0 and "agree" in done.stderr, f"{options}: {done.stderr}")
    table = json_of(PROGRAM, kept, "--cores", "1,2", "--latency", "0..100")
    check(len(table) == 1 + 2 * 101, f"a latency each clock: {len(table)} lines")
    for name in ("curve.svg", "gantt.svg"):
        path = os.path.join(folder, name)
        earshot("predict", PROGRAM, kept, "--cores", "1..4" if name == "curve.svg" else "4", "--svg", path)
        check(xml.dom.minidom.parse(path).documentElement.tagName == "svg", f"{name} is a picture")
    page = os.path.join(folder, "page.html")
    earshot("predict", PROGRAM, kept, "--cores", "4", "--html", page)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    check(all(word in text for word in ("waits for its lock", "Critical path", "What would pay", "meet, barrier")), "the page has all that the text has")
    earshot("predict", PROGRAM, kept, "--cores", "2", "--latency", "0,70", "--html", page)
    with open(page, encoding="utf-8") as file:
        check("2 cores, latency 70" in file.read(), "the page says which machine a line is of")
    points = earshot("predict", PROGRAM, "--points").stdout
    check("when at(0x" in points and "write(running)" in points and "read(meet.here)" in points, f"statements: {points}")
    net = os.path.join(folder, "band.pnml")
    check(earshot("predict", PROGRAM, kept, "--net", net, "--function", "band").returncode == 0, "the net of a function")
    done = earshot("net", "check", net)
    check("safe" in done.stdout, f"the net is one: {done.stdout} {done.stderr}")
    text = earshot("predict", PROGRAM, kept, "--cores", "4", "--costs").stdout
    check(all(word in text for word in ("critical path", "what would pay", "the kernel's lock", "barrier")), "what one machine's answer has")


def refusals(folder, recording):
    kept = os.path.join(folder, "sor.trace")
    refused("another", OTHER, recording)
    refused("another program", OTHER, kept)
    refused("thread_create", NONE, recording)
    refused("which program", PROGRAM)
    refused("a program alone", PROGRAM, kept, "--points")
    refused("thread_create", NONE, "--points")
    refused("--cores", PROGRAM, kept, "--cores", "0")
    refused("--cores", PROGRAM, kept, "--cores", "4..2")
    refused("speed", PROGRAM, kept, "--speed", "fast")
    refused("quantum", PROGRAM, kept, "--scheduler", "round-robin")
    refused("each, data or one", PROGRAM, kept, "--ports", "two")
    refused("no function", PROGRAM, kept, "--keep", "bandit")
    refused("memory's speed", PROGRAM, kept, "--ports", "one", "--speed", "2")
    refused("walked as it is", PROGRAM, kept, "--ports", "one", "--kernel", "50")
    refused("too many", PROGRAM, kept, "--cores", "1..32", "--latency", "0..60", "--wait", "0..15")
    refused("cannot be written", PROGRAM, kept, "--svg", folder + "/no/such.svg", code=5)
    with open(kept, "rb") as file:
        whole = file.read()
    for size in (4, 12, len(whole) // 2, len(whole) - 1):
        path = os.path.join(folder, "cut.trace")
        with open(path, "wb") as file:
            file.write(whole[:size])
        refused("cut.trace", PROGRAM, path)
    with open(recording, "rb") as file:
        whole = file.read()
    path = os.path.join(folder, "cut.rec")
    with open(path, "wb") as file:
        file.write(whole[:len(whole) // 2])
    done = earshot("predict", PROGRAM, path)
    check(done.returncode in (0, 2) and (done.returncode == 2 or "does not come to its end" in done.stdout), f"a cut recording: {done}")


def usual(folder):
    """Of a program whose library has a queue for each core, its own scheduler is what is predicted, and is what is true."""
    program, recording = f"{BUILD}/tests/threads/work.elf", os.path.join(folder, "work.rec")
    check(earshot("record", program, "--inputs", recording, "--probe", "sim:cores=1").returncode == 0, "a recording")
    told = json_of(program, recording, "--cores", "4")[1]
    check(told["scheduler"] == "work" and told == json_of(program, recording, "--cores", "4", "--scheduler", "work")[1], f"{told}")
    check(json_of(program, recording, "--cores", "4", "--scheduler", "fifo")[1]["scheduler"] == "fifo", "what is asked for is taken")
    true = json.loads(subprocess.run([f"{BUILD}/shared-run", "-q", "-t", "cores=4", program], capture_output=True, text=True, timeout=120, check=True).stdout)
    check(abs(told["makespan"] - true["makespan"]) <= 2, f"{told['makespan']}, and it takes {true['makespan']}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        recording = os.path.join(folder, "sor.rec")
        done = earshot("record", PROGRAM, "--inputs", recording, "--probe", "sim:cores=1")
        check(done.returncode == 0, done.stderr)
        outputs(folder, recording)
        refusals(folder, recording)
        usual(folder)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
