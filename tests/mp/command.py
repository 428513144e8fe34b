#!/usr/bin/python3
"""`earshot net record`, `calibrate`, `from-program` and `recover` on real runs: the times that the command line gives are the truth's."""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

BUILD = os.environ.get("EARSHOT_BUILD", "build")
LATENCY = 16


def run(*command, given=None):
    done = subprocess.run([str(c) for c in command], input=given, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def recovered_marks(text):
    """[(time, site)] of each core, of the totally recovered; and the summary. The ids of marks' transitions end in core.site."""
    cores, summary = collections.defaultdict(list), None
    for line in text.splitlines():
        event = json.loads(line)
        if event["event"] == "summary":
            summary = event
        mark = re.fullmatch(r"[a-z]+ (\d+)\.(\d+)( peer \d+)?( \(\d+\))?", event.get("transition", ""))
        if event["event"] == "recovered" and event["class"] == "totally" and mark and mark[0].split()[0] not in ("now", "wait"):
            cores[int(mark[1])].append((event["time"], int(mark[2])))
    return cores, summary


def complaint(program, cores, net):
    elf, bare = f"{BUILD}/mp/{program}.elf", f"{BUILD}/mp/{program}.bare.elf"
    made = [f"{BUILD}/earshot", "net", "from-program", elf, "-c", cores, "-l", LATENCY]
    options = ["-c", cores, "-l", LATENCY]
    record = [f"{BUILD}/earshot", "net", "record", *options, elf]
    marked, truth = run(*record)[1], run(*record, "--truth", bare)[1]
    status, _, text = run(*made, "-o", net)
    if status:
        return text
    status, firings, text = run(*made, "--complete", "--marks", "-", given=marked)
    if status:
        return text
    status, out, text = run(f"{BUILD}/earshot", "net", "recover", "-", "-n", net, "--json", given=firings)
    got, summary = recovered_marks(out)
    true = collections.defaultdict(list)
    for line in truth.splitlines():
        event = json.loads(line)
        true[event["core"]].append((event["time"], event["site"]))
    if not summary:
        return text
    for core, marks in got.items():
        if marks != true[core][:len(marks)]:
            return f"core {core}: not the true times"
    doubt = any(json.loads(line)["event"] == "uncertain" for line in out.splitlines())   # asking again, of a length never observed
    if summary["changes"] == 0 and not doubt and any(len(got[c]) != len(true[c]) for c in true):
        return "not all marks recovered"
    if program.split("-")[0] in ("pipeline", "ring", "stencil") and summary["changes"]:
        return "a change that cannot be"
    return None if any(got.values()) else "nothing recovered"


def calibration_complaint(program, delay, work):
    """What a tap sees of the stores alone, with what a calibration run measured, gives the firings that the marks' fetches give; and the net has its
    marks' times."""
    elf, costs, net = f"{BUILD}/mp/{program}.elf", f"{work}/costs", f"{work}/costs.net"
    status, out, text = run(f"{BUILD}/earshot", "net", "calibrate", elf, "--json", "-o", costs)
    if status:
        return text
    with open(costs, encoding="utf-8") as file:
        if file.read() != out:
            return "the file is not what was printed"
    measured = [json.loads(line) for line in out.splitlines()]
    if [cost["site"] for cost in measured] != list(range(len(measured))) or {cost["delay"] for cost in measured} != {delay}:
        return f"not {delay} clocks each: {out}"
    record = [f"{BUILD}/earshot", "net", "record", elf, "-c", 3]
    made = [f"{BUILD}/earshot", "net", "from-program", elf, "-c", 3, "--calibration", costs]
    fetched = run(*made, "-t", "-", given=run(*record)[1])
    stored = run(*made, "-t", "-", given=run(*record, "--stores")[1])
    if fetched[0] or stored != fetched or '"calibrated"' in fetched[1]:
        return f"stores and costs tell otherwise than fetches: {stored[2]}{fetched[2]}"
    plain = run(*made[:-2], "-t", "-", given=run(*record)[1])[1]
    if ('"calibrated":3' in plain) != (delay != 3):
        return "without calibration the difference is not told"
    status, _, text = run(*made, "-o", net)
    with open(net, encoding="utf-8") as file:
        marks = set(re.findall(r"^# earshot: monitor .* (\d+) (\d+)$", file.read(), re.MULTILINE))
    return None if not status and (str(delay), str(delay)) in marks and marks <= {(str(delay), str(delay)), ("0", "0")} else f"{text}{marks}"


def live_complaint(program, cores, work):
    """Recovery while the program runs finds what recovery of its trace finds, soon after, and nothing before it can be known."""
    elf, net = f"{BUILD}/mp/{program}.elf", f"{work}/live.pnml"
    made = [f"{BUILD}/earshot", "net", "from-program", elf, "-c", cores]
    run(*made, "-o", net)
    marks = run(f"{BUILD}/earshot", "net", "record", elf, "-c", cores)[1]
    firings = run(*made, "--complete", "-t", "-", given=marks)[1]
    whole = [json.loads(line) for line in run(f"{BUILD}/earshot", "net", "recover", "-", "-n", net, "--json", given=firings)[1].splitlines()]
    status, out, text = run(f"{BUILD}/earshot", "watch", elf, "--net", net, "-c", cores, "--json")
    if status:
        return text
    live = [json.loads(line) for line in out.splitlines()]
    known = [event.pop("known") for event in live[:-1]]
    if known != sorted(known) or any(when < event.get("observed", 0) for when, event in zip(known, live)):
        return "known before it happened"
    last = json.loads(marks.splitlines()[-1])["time"]
    late = [event for event in live[:-1] if event.get("observed", 0) > last]  # the net's own steps after the last mark
    if len(late) > 2 or sorted(str(event) for event in whole[:-1] if event["event"] != "uncertain") != sorted(str(event) for event in live[:-1] if event not in late):
        return "not what the trace gives"
    if program == "ring-1" and max(when - event["observed"] for when, event in zip(known, live) if "observed" in event) > 200:
        return "a ring without decisions waits long"
    return None


def page_complaint(page, start, prepared, work):
    """The commands that a page shows after `start` work, and print what it shows."""
    with open(page, encoding="utf-8") as file:
        text = file.read().split(start)[1].split("\n### ")[0].split("\n## ")[0]
    environment = dict(os.environ, PATH=f"{work}/bin:{os.environ['PATH']}", CROSS=os.environ.get("CROSS", "riscv64-unknown-elf-"))
    os.makedirs(f"{work}/bin", exist_ok=True)
    if not os.path.exists(f"{work}/bin/earshot"):
        os.symlink(os.path.abspath(f"{BUILD}/earshot"), f"{work}/bin/earshot")
    folder = f"{work}/{os.path.basename(page)}.work"
    os.makedirs(folder)
    for name in ("examples", "interface", "scripts"):
        os.symlink(os.path.abspath(name), f"{folder}/{name}")
    count = 0
    for block in [prepared, *re.findall(r"```\n(\$ .*?)```", text, re.DOTALL)]:
        for command in filter(None, re.split(r"^\$ ", block, flags=re.MULTILINE)):
            line, _, shown = command.partition("\n")
            done = subprocess.run(["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False)
            if done.returncode or done.stdout != shown.rstrip("\n") + "\n" * bool(shown.strip()):
                return f"{line}: {done.returncode} {done.stdout}{done.stderr}"
            count += 1
    return None if count >= 3 else "no commands"


def wrong_uses(work):
    """(what is wrong, arguments, exit status, words of the message)"""
    elf, bare, other = (f"{BUILD}/mp/{name}.elf" for name in ("ring-1", "ring-1.bare", "stencil-1"))
    yield (["record"], 2, "which program?")
    yield (["record", elf, "-c", 9], 2, "--cores takes a number from 1 to 8")
    yield (["record", elf, elf, "-c", 3], 2, "2 programs for 3 cores")
    yield (["record", *[elf] * 9], 2, "9 programs, and there are at most 8")
    yield (["record", elf, "-l", 256], 2, "--latency takes a number from 1 to 255")
    yield (["record", bare, "-c", 2], 2, "is it a build without marks?")
    yield (["record", elf, "-c", 2, "-t", f"{BUILD}/mp/stencil-1.bare.elf"], 2, "they are not made from one compiler output")
    yield (["record", elf, "-t", bare, "--stores"], 2, "--truth has no --stores")
    yield (["record", elf, elf, "-t", bare], 2, "each PROGRAM needs its own")
    yield (["record", elf, "-c", 2, "-o", f"{work}/no/where"], 5, "no/where: cannot be written")
    yield (["record", f"{BUILD}/earshot"], 2, "")
    yield (["calibrate"], 2, "which program?")
    yield (["calibrate", bare], 2, "is it a build without marks?")
    yield (["calibrate", elf, elf], 2, "unexpected argument")
    yield (["calibrate", elf, "-o", f"{work}/no/where"], 5, "no/where: cannot be written")
    yield (["watch"], 2, "which program?")
    yield (["watch", elf, elf, "-c", 3], 2, "2 programs for 3 cores")
    yield (["watch", elf, "-c", 2, "-n", f"{work}/none.net"], 2, "none.net")
    yield (["watch", elf, "-c", 2, "-n", "tests/net_files/nets/mailbox.net"], 2, "it is not the net of this program")
    yield (["watch", bare, "-c", 2], 2, "is it a build without marks?")
    costs = f"{work}/ring"
    run(f"{BUILD}/earshot", "net", "calibrate", elf, "-o", costs)
    yield (["from-program", other, "-c", 2, "-k", costs], 2, "it is another program's")
    yield (["from-program", elf, elf, "-k", costs], 2, "each program has its own costs")
    yield (["from-program", elf, "-k", f"{work}/none"], 2, "none: cannot be opened")
    for name, text, words in (("empty", "", "no calibration"), ("junk", "{", "junk:1: error: not the cost"), ("half", '{"event":"cost","site":1}', "half:1: error"),
                              ("twice", 2 * '{"event":"cost","site":1,"id":2,"delay":3,"least":3,"most":3,"after":1}\n', "two costs for site 1")):
        with open(f"{work}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
        yield (["from-program", elf, "-c", 2, "-k", f"{work}/{name}"], 2, words)


def refusals():
    """(what is wrong, arguments, input, words of the message)"""
    elf = f"{BUILD}/mp/ring-1.elf"
    yield ([], None, "which program?")
    yield ([elf, elf, "-c", 3], None, "2 programs for 3 cores")
    yield ([elf, "-c", 9], None, "--cores takes a number from 1 to 8")
    yield ([elf, "-l", 3], None, "--latency takes a number from 4")
    yield ([f"{BUILD}/mp/ring-1.bare.elf", "-c", 2], None, "is it a build without marks?")
    yield ([elf, "-c", 2, "--marks", "-"], '{"time": 3}\n', "-:1: error: not a mark")
    yield ([elf, "-c", 2, "--marks", "-"], "junk", "-:1: error: not a mark")
    line = '{"time": 100, "delay": 3, "core": 2, "id": 77, "value": 0, "site": 99}\n'
    yield ([elf, "-c", 2, "--marks", "-"], line, "a mark of core 2 at 100: the net has no such core; --cores takes")
    line = '{"time": 100, "delay": 3, "core": 0, "id": 77, "value": 0, "site": 99}\n'
    yield ([elf, "-c", 2, "--marks", "-"], line, "the mark 77 of core 0 at 100 (site 99, value 0)")


def past_the_library(work):
    """[(what is wrong, what was printed)] of programs that send messages past mp.h, and of one with the library's printf."""
    wrong, elf, net = [], f"{work}/own.elf", f"{work}/own.pnml"

    def make(source, *options):
        assert run("scripts/target-cc", "-O2", "-Iexamples/mp", *options, f"tests/mp/{source}.c", "-o", elf)[0] == 0
        return run(f"{BUILD}/earshot", "net", "from-program", elf, "-c", 2, "-o", net)

    status, _, text = make("raw")
    if status != 2 or "raw.c:19: the message device (0x10001064) is used" not in text or text.count("\n") != 1:
        wrong.append(("raw registers in the code", (status, text)))
    status, _, text = make("raw", "-march=rv32i_zicsr")
    if status != 2 or "raw.c:19: the message device (0x10001064) is used" not in text or text.count("\n") != 1:
        wrong.append(("raw registers in code without compressed instructions", (status, text)))
    make("raw", "-march=rv32imac_zicsr")
    status, _, text = run(f"{BUILD}/earshot", "net", "record", elf, "-c", 2)
    if status != 2 or "without a; compile and link it with scripts/target-cc -march=rv32imc_zicsr_zifencei" not in text:
        wrong.append(("a program for another processor", (status, text)))
    status, _, text = make("raw", "-DPOINTERS")
    if status != 0:
        wrong.append(("raw registers through pointers", (status, text)))
    for command in (("net", "record", elf, "-c", 2), ("watch", elf, "--cores", 2, "--net", net)):
        status, _, text = run(f"{BUILD}/earshot", *command)
        if status != 3 or "past examples/mp/mp.h" not in text:
            wrong.append((f"raw registers on the bus, {command[0]}", (status, text)))
    status, _, text = make("formatted")
    if status != 0:
        wrong.append(("printf between marks", (status, text)))
    status, out, text = run(f"{BUILD}/earshot", "watch", elf, "--cores", 2, "--net", net, "--json")
    summary = json.loads(out.splitlines()[-1]) if status == 0 else {}
    if not summary or summary["totally"] != summary["recovered"] or len(recovered_marks(out)[0][1]) < 5:
        wrong.append(("printf between marks, live", (status, text, summary)))
    return wrong


def excerpt_complaint(work):
    """Of a run whose first change comes late, a picture shows a part from its middle: just the events of that time,
    and of each process the next one, whose stretch has begun."""
    elf, net, picture = f"{BUILD}/mp/producer-1.elf", f"{work}/excerpt.pnml", f"{work}/excerpt.svg"
    earshot, options = [f"{BUILD}/earshot", "net"], ["-c", 3, "-l", LATENCY, elf]
    marks = run(*earshot, "record", *options)[1]
    run(*earshot, "from-program", *options, "-o", net)
    firings = run(*earshot, "from-program", *options, "--complete", "--marks", "-", given=marks)[1]
    out = run(*earshot, "recover", "-", "-n", net, "--json", "--picture", picture, given=firings)[1]
    found = [json.loads(line) for line in out.splitlines()]
    change = next(e["recovered"] for e in found if e["event"] == "change")
    root = ElementTree.parse(picture).getroot()
    first, last = map(int, re.search(r"drawn below: (\d+) to (\d+)", "".join(root.itertext())).groups())
    titles = ["".join(t.itertext()) for t in root.iter("{http://www.w3.org/2000/svg}title")]
    shown = sorted(int(re.search(r"\nat (-?\d+)", t)[1]) for t in titles if "\nat " in t)
    recovered = [e for e in found if e["event"] == "recovered"]
    wanted = [e["time"] for e in recovered if first <= e["time"] <= last]
    wanted += [min(e["time"] for e in recovered if e["process"] == p and e["time"] > last) for p in {e["process"] for e in recovered}]
    if not 0 < first < change < last:
        return f"{first} to {last} is drawn, the first change is at {change}"
    return None if shown == sorted(wanted) else f"{len(shown)} events are drawn of {len(wanted)} from {first} to {last}"


def main():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as work:
        for number, program in enumerate(["producer-1", "pipeline-2", "workers-0", "ring-1", "stencil-1", "corners-2"]):
            for cores in (2, 4, 7):
                text = complaint(program, cores, f"{work}/net{'.pnml' if number % 2 else '.net'}")
                passed, failed = passed + (text is None), failed + (text is not None)
                if text:
                    print(f"{program}, {cores} cores: {text}")
        for program, delay in (("workers-1", 3), ("ring-2", 3), ("pipeline-1.pad", 53)):
            text = calibration_complaint(program, delay, work)
            passed, failed = passed + (text is None), failed + (text is not None)
            if text:
                print(f"{program}: {text}")
        for program, cores in (("ring-1", 3), ("ring-1.pad", 5), ("pipeline-2", 4), ("workers-1", 3), ("producer-1", 2), ("corners-1", 4), ("stencil-1", 6)):
            text = live_complaint(program, cores, work)
            passed, failed = passed + (text is None), failed + (text is not None)
            if text:
                print(f"{program} live, {cores} cores: {text}")
        build = "scripts/target-cc -O2 -Iexamples/mp examples/mp/pipeline.c -o pipeline.elf"
        for page, start, prepared in (("docs/compensation.md", "### From a program to its times", ""), ("README.md", "## The timeline without", build)):
            text = page_complaint(page, start, prepared, work)
            passed, failed = passed + (text is None), failed + (text is not None)
            if text:
                print(f"{page}: {text}")
        text = excerpt_complaint(work)
        passed, failed = passed + (text is None), failed + (text is not None)
        if text:
            print(f"excerpt: {text}")
        wrong = past_the_library(work)
        passed, failed = passed + (not wrong), failed + len(wrong)
        for what, printed in wrong:
            print(f"{what}: {printed}")
        for arguments, code, words in wrong_uses(work):
            status, _, text = run(f"{BUILD}/earshot", "net", *arguments)
            good = status == code and words in text and text.count("\n") == 1
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f"{arguments}: {status} {text}")
        status, out, _ = run(f"{BUILD}/earshot", "net", "record", f"{BUILD}/mp/ring-1.elf", "-c", 2, "--for", 500, "-o", f"{work}/short")
        with open(f"{work}/short", encoding="utf-8") as file:
            good = status == 0 and not out and all(json.loads(line)["time"] < 500 for line in file)
        passed, failed = passed + good, failed + (not good)
    for arguments, given, words in refusals():
        status, out, text = run(f"{BUILD}/earshot", "net", "from-program", *arguments, given=given)
        good = status == 2 and words in text and not out
        passed, failed = passed + good, failed + (not good)
        if not good:
            print(f"{arguments}: {status} {text}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
