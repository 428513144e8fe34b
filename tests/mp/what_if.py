#!/usr/bin/python3
"""Another latency of messages, and other speeds: what `earshot net recover` says would be, against what is.

Messages: a program with marks runs with one latency; recovered with another one, each event that is called certain has to be at the clock at
which the program without marks passes there when messages really take that long. Speeds: of nets that are simulated with halved delays."""
import json
import os
import subprocess
import sys
import tempfile

BUILD = os.environ.get("EARSHOT_BUILD", "build")
CASES = [(program, cores, density) for program in ("pipeline", "ring", "stencil", "producer", "workers") for cores, density in ((2, 2), (4, 0))]
LATENCIES = [(16, 4), (4, 33), (60, 5)]
ORDERED = ["pipeline", "ring", "stencil"]  # programs that do the same in whatever time


def net(*arguments, fine=True):
    done = subprocess.run([f"{BUILD}/earshot", "net", *map(str, arguments)], capture_output=True, text=True, check=False)
    if fine and done.returncode:
        raise RuntimeError(f"net {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout if fine else (done.returncode, done.stderr)


def write(path, text):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)
    return path


def lines(text, event):
    return [line for line in map(json.loads, text.splitlines()) if line["event"] == event]


def at_latency(work, name, cores, latency):
    """The net of the program, and a trace of its firings made from its marks."""
    elf = f"{BUILD}/mp/{name}.elf"
    path = f"{work}/{latency}.pnml"
    net("from-program", elf, "-c", cores, "-l", latency, "-o", path)
    marks = write(f"{work}/{latency}.jsonl", net("record", elf, "-c", cores, "-l", latency))
    return path, write(f"{work}/{latency}.firings", net("from-program", elf, "-c", cores, "-l", latency, "--complete", "--marks", marks))


def truth(work, name, cores, latency):
    """When the program without marks came by, as firings of the net."""
    elf, bare = f"{BUILD}/mp/{name}.elf", f"{BUILD}/mp/{name}.bare.elf"
    marks = write(f"{work}/truth.jsonl", net("record", elf, "-t", bare, "-c", cores, "-l", latency))
    firings = net("from-program", elf, "-c", cores, "-l", latency, "--mark", 0, "--complete", "--marks", marks)
    return {(f["transition"], f["number"]): f["time"] for f in lines(firings, "firing")}


def messages():
    certain = wrong = pasted = 0
    for program, cores, density in CASES:
        for measured, wanted in LATENCIES:
            with tempfile.TemporaryDirectory() as work:
                name = f"{program}-{density}"
                path, firings = at_latency(work, name, cores, measured)
                other = f"{work}/other.pnml"
                net("from-program", f"{BUILD}/mp/{name}.elf", "-c", cores, "-l", wanted, "-o", other)
                found = lines(net("recover", firings, "-n", path, "--what-if", other, "--json"), "recovered")
                true = truth(work, name, cores, wanted)
                end = max(true.values())  # what comes back to a core that has exited, nobody sees
                here = [e for e in found if e["class"] == "totally" and not e.get("tied") and (e["time"] <= end or not e.get("computed"))]
                certain += len(here)
                pasted += len(found) - len(here)
                missed = [e for e in here if true.get((e["transition"], e["number"])) != e["time"]]
                wrong += len(missed)
                if missed:
                    print(f"{name}, {cores} cores, {measured} to {wanted}: {missed[0]}, true {true.get((missed[0]['transition'], missed[0]['number']))}")
                if program in ORDERED and len(here) != len(true):
                    print(f"{name}, {cores} cores, {measured} to {wanted}: {len(here)} of {len(true)} are certain")
                    wrong += 1
    print(f"messages: {certain} certain events with another latency, {wrong} wrong; {pasted} not certain")
    return certain > 15000 and not wrong


PAIR = """net pair
tr make [{make},{make}] idle -> made
tr send [{send},{send}] made free -> idle mail
tr take [{take},{take}] ready mail -> got free
tr use [{use},{use}] got -> ready
pl idle (1)
pl free (1)
pl ready (1)
# earshot: monitor make 5
# earshot: monitor send 3
# earshot: monitor take 7
# earshot: monitor use 2
# earshot: process 0 {{producer}} make send
# earshot: process 1 {{consumer}} take use
"""


def speeds():
    with tempfile.TemporaryDirectory() as work:
        slow = write(f"{work}/slow.net", PAIR.format(make=40, send=6, take=10, use=52))
        trace = write(f"{work}/slow.jsonl", net("simulate", slow, "--json", "--firings", 400))
        fine = True
        for make, send, take, use, options in ((20, 3, 10, 52, ["producer=2"]), (40, 6, 5, 26, ["1=2"]), (160, 24, 20, 104, ["producer=.25", "consumer=0.5"])):
            fast = write(f"{work}/fast.net", PAIR.format(make=make, send=send, take=take, use=use))
            true = {(f["transition"], f["number"]): f["time"] for f in lines(net("simulate", fast, "--json", "--no-marks", "--firings", 800), "firing")}
            found = lines(net("recover", trace, "-n", slow, "--json", *[f"--speed={o}" for o in options]), "recovered")
            same = [e for e in found if true.get((e["transition"], e["number"])) == e["time"]]
            print(f"speeds {options}: {len(same)} of {len(found)} as simulated")
            fine = fine and len(same) == len(found) > 300
        for options, message in ((["--speed", "nobody=2"], "no such process"), (["--speed", "producer=0"], "a factor from 0.001 to 1000"),
                                 (["--speed", "producer"], "PROCESS=FACTOR"), (["--what-if", slow], "all steps that always take the same time"),
                                 (["--what-if", write(f"{work}/x.net", "tr a p -> q\npl p (1)\n")], "is another net: it has 2 places")):
            code, told = net("recover", trace, "-n", slow, *options, fine=False)
            if code != 2 or message not in told:
                print(f"{options}: {code}, {told}")
                fine = False
        return fine


def main():
    results = [messages(), speeds()]
    print(f"{results.count(True)} passed, {results.count(False)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
