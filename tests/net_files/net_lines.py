#!/usr/bin/python3
"""What `earshot net recover` writes, byte for byte, against lines that are made here: processes that wait for nobody, of which
each event would have come earlier by all marks before it, and by its own."""
import json
import os
import random
import subprocess
import sys
import tempfile

EARSHOT = os.path.abspath(os.path.join(os.environ.get("EARSHOT_BUILD", "build"), "earshot"))
IDS = ["t", "go round", "a step with a long name of more than thirty-two bytes, and more than sixty-four with this", "größer"]
CALIBRATED = [3, 0, 12, 250]


def net_text():
    text = "net {lines}\n"
    for process, name in enumerate(IDS):
        text += f"tr {{{name}}} [1,1] p{process} -> q{process}\ntr {{{name} 2}} [1,1] q{process} -> p{process}\npl p{process} (1)\n"
    for process, name in enumerate(IDS):
        text += f"# earshot: process {process} {{name {process}}} {{{name}}} {{{name} 2}}\n"
        text += "".join(f"# earshot: monitor {{{name}{end}}} {CALIBRATED[process]}\n" for end in ("", " 2"))
    return text


def case(chooser, start, count, least, most, marks):
    """The trace, and the lines that are expected, as text and as JSON."""
    time, lag, fired, place = start, [0] * len(IDS), {}, [0] * len(IDS)
    trace, texts, jsons = [], [], []
    for line in range(1, count + 1):
        process = chooser.randrange(len(IDS))
        name = IDS[process] + (" 2" if place[process] else "")
        place[process] ^= 1
        calibrated = CALIBRATED[process]
        mark = chooser.choice([calibrated, chooser.randint(0, 9), chooser.randint(0, chooser.choice(marks))])
        time += mark + chooser.randint(least, chooser.choice([least, most]))  # of nobody it is shorter than its mark
        lag[process] += mark
        number = fired[name] = fired.get(name, 0) + 1
        recovered = time - lag[process]
        negative = sum(fired.get(IDS[process] + end, 0) for end in ("", " 2")) == 1 and recovered < 0  # it began at 0
        firing = {"event": "firing", "transition": name, "number": number, "time": time, "mark": mark}
        trace.append(json.dumps(firing, separators=(",", ":"), ensure_ascii=False))
        said = (f", mark {mark} (calibrated {calibrated})" if mark != calibrated else "") + (", negative" if negative else "")
        texts.append(f"{time:12} {recovered:12}  {name} {number}{said}")
        jsons.append(json.dumps({
            "event": "recovered", "transition": name, "number": number, "process": process, "time": recovered, "class": "totally",
            "observed": time, "observed_number": number, "mark": mark, "calibrated": calibrated, "line": line,
            **({"negative": True} if negative else {})
        }, separators=(",", ":"), ensure_ascii=False))
    return trace, texts, jsons


def recover(net, trace, *how, stdin=None):
    result = subprocess.run([EARSHOT, "net", "recover", trace, "-n", net, *how], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            timeout=300, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.decode().splitlines()


def check(folder, chooser, *how):
    trace, texts, jsons = case(chooser, *how)
    paths = [os.path.join(folder, name) for name in ("lines.net", "trace.jsonl")]
    for path, text in zip(paths, (net_text(), "".join(line + "\n" for line in trace))):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    with open(paths[1], "rb") as file:
        everything = file.read()
    for options, expected in (((), texts), (("--json",), jsons)):
        for found in (recover(*paths, *options), recover(paths[0], "-", *options, stdin=everything)):
            found = [line for line in found if '"event":"summary"' not in line]
            wrong = [pair for pair in zip(sorted(found), sorted(expected)) if pair[0] != pair[1]]
            assert not wrong and len(found) == len(expected), (how, options, len(found), len(expected), wrong[:2])
            for process in range(len(IDS)):
                of = f'"process":{process},' if options else f"  {IDS[process]} "
                assert [line for line in found if of in line] == [line for line in expected if of in line], (how, options, process)


def main():
    seed = int(os.environ.get("SEED", random.SystemRandom().randrange(10 ** 9)))
    print(f"seed {seed}")
    chooser = random.Random(seed)
    cases = [(0, 85000, 1, 3, (0, 9))]  # from one digit on, and past ten thousand firings of a step
    for _ in range(12):
        digits, spread = chooser.randint(0, 16), chooser.randint(1, 6)
        start = chooser.choice([1, 1, -1]) * 10 ** digits - chooser.randint(0, 2000)
        cases.append((start, 1500, 1, 10 ** spread, (9, 99, 12345, 10 ** spread)))
    with tempfile.TemporaryDirectory() as folder:
        for how in cases:
            check(folder, chooser, *how)
    print(f"{len(cases)} passed, 0 failed")
    return 0


sys.exit(main())
