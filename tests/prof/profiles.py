#!/usr/bin/python3
"""Exact profiles of recordings: calls as the same source makes them natively, costs as the retire port has them, and what other readers make
of the formats."""
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter

for room in "cli", "export":
    sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", room))
import wire  # noqa: E402
from harness import run_all  # noqa: E402
from reading import Profile, callgrind  # noqa: E402

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
LEVELS = "O0", "Og", "O2", "Os"
MRET, RET = "30200073", ("00008082", "00008067")


def said(*command, **options):
    return subprocess.run(command, capture_output=True, check=True, text=True, **options).stdout


def recording(program):
    path = os.path.join(FOLDER, os.path.basename(program) + ".inputs")
    if not os.path.exists(path):
        said(EARSHOT, "record", program, "--probe", "sim:cores=1", "--inputs", path)
    return path


def export(program, *options):
    return said(EARSHOT, "export", recording(program), program, *options)


def profile(program, *options):
    return Profile(export(program, "--format", "profile", *options))


def calls_elf(level):
    return f"{BUILD}/tests/prof/calls-{level}.elf"


def example(name):
    return f"{BUILD}/examples/{name}.elf"


def in_source(name):
    """Of what procedure of the source a function is: copies, clones and the procedure itself are one."""
    return re.sub(r"\..*", "", name.replace(" (inlined)", ""))


def merged(edges):
    found = Counter()
    for (caller, callee), (times, _) in edges.items():
        found[in_source(caller), in_source(callee)] += times or 0
    return found


# --- calls ---


def native_edges(level):
    native, part = os.path.join(FOLDER, f"calls-{level}"), os.path.join(FOLDER, f"calls-{level}.o")
    said("gcc", f"-{level}", "-w", "-no-pie", "-finstrument-functions", "-c", "tests/prof/programs/calls.c", "-o", part)
    said("gcc", "-O1", "-w", "-no-pie", part, "tests/prof/programs/count.c", "-o", native)
    names = {int(line.split()[0], 16): line.split()[2] for line in said("nm", native).splitlines() if line[0] != " "}
    lines = [line.split() for line in said(native).splitlines()]
    return {(names.get(int(a, 16)), names[int(b, 16)]): int(times) for a, b, times in lines}


def calls_are_the_sources():
    """Also of what was inlined, in clones, and where the last call is a jump: each edge."""
    compared = 0
    for level in LEVELS:
        wanted = {edge: times for edge, times in native_edges(level).items() if edge[0]}
        names = {name for edge in wanted for name in edge}
        it = profile(calls_elf(level))
        told = {edge: times for edge, times in merged(it.edges).items() if set(edge) <= names}
        assert told == wanted, (level, sorted(set(told.items()) ^ set(wanted.items())))
        assert None not in it.calls.values(), (level, it.calls)
        compared += sum(wanted.values())
    assert any("(inlined)" in name for name in profile(calls_elf("O2")).own)
    print(f"{compared} calls are those of native runs")


def ways_back_that_are_no_returns():
    """By the text of jumps.c: ten dives of one to ten activations; three visits of coroutines, of four rounds each."""
    dives, rounds = sum(range(1, 11)), 3 * 4
    wanted = {("main", "dive"): 10, ("dive", "dive"): dives - 10, ("dive", "longjmp"): 10, ("main", "setjmp"): 10, ("main", "after"): 10 + 3,
              ("main", "change"): 3, ("ping", "work"): rounds, ("ping", "change"): rounds, ("pong", "work"): 2 * rounds, ("pong", "change"): rounds,
              ("main", "prepare"): 2, ("_start", "main"): 1, ("_start", "_exit"): 1, ("(stack began)", "_start"): 1, ("(stack began)", "ping"): 1,
              ("(stack began)", "pong"): 1}
    for level in "O0", "O2":
        it = profile(f"{BUILD}/tests/prof/jumps-{level}.elf")
        assert merged(it.edges) == wanted, (level, merged(it.edges))
        assert sum(cost[0] for cost in it.stacks.values()) == it.instructions
        assert {name: cost[2] for name, cost in it.stacks.items()} == {"stack of _start": 4, "stack of ping": rounds, "stack of pong": rounds}, it.stacks
        for name in "ping", "pong":
            assert it.stacks["stack of " + name][0] == it.total[name]
            assert it.total[name] == it.own[name] + sum(cost for edge, (_, cost) in it.edges.items() if edge[0] == name)


# --- costs ---


def retired(program):
    return [line.split() for line in said(os.path.join(BUILD, "tests/itrace/retired"), program).splitlines()]


def procedures_of(program):
    """A function from addresses to names, as nm has them: the procedure that begins last before."""
    lines = [line.split() for line in said("riscv64-unknown-elf-nm", "-n", program).splitlines()]
    starts = [(int(line[0], 16), line[2]) for line in lines if len(line) == 3 and line[1] in "tT" and "$" not in line[2] and "__" not in line[2]]
    known = {}

    def name_of(pc):
        if pc not in known:
            known[pc] = [name for start, name in starts if start <= int(pc, 16)][-1]
        return known[pc]
    return name_of


def costs_of(program):
    """Of a program without tasks and inlining: own and total instructions by procedure, calls, interrupts, by its retired instructions."""
    name_of, log = procedures_of(program), retired(program)
    own, total, calls, interrupts = Counter(), Counter(), Counter(), 0
    stacks = [[]]  # since the last interrupt each: (name, return address); and the call that was on its way when it came
    pending = []

    def is_call(it):
        """Of jal and jalr alone, what they write is the place after them."""
        return it[2] == "1" and int(it[0], 16) + (4 if int(it[1], 16) & 3 == 3 else 2) == int(it[3], 16)

    def enter(name, back):
        stacks[-1].append((name, back))
        calls[name] += 1

    for i, (pc, *_, trap) in enumerate(log):
        before, name = log[i - 1] if i else None, name_of(pc)
        if trap == "1":
            interrupts += 1
            call = before if is_call(before) else None
            if before[1] in RET:
                stacks[-1].pop()
            if before[1] == MRET:  # no instruction lies between
                stacks.pop()
                call = pending.pop()
            pending.append(call)
            stacks.append([])
            enter(name, None)
        elif before and before[1] == MRET:
            stacks.pop()
            call = pending.pop()
            if call:
                enter(name, call[3])
        elif before and before[1] in RET and stacks[-1][-1][1] == pc:
            stacks[-1].pop()
        elif not before or is_call(before):
            enter(name, before and before[3])
        own[name] += 1
        total.update({name for name, _ in stacks[-1]})
    return own, total, calls, interrupts


def costs_are_the_retired():
    for name in "recursion-O0", "interrupts-O0", "nested-O0":
        own, total, calls, interrupts = costs_of(example(name))
        it = profile(example(name))
        assert it.instructions == sum(own.values()) == sum(it.own.values())
        assert it.own == own, (name, set(it.own.items()) ^ set(own.items()))
        assert it.calls == calls, (name, set(it.calls.items()) ^ set(calls.items()))
        assert it.total == total, (name, set(it.total.items()) ^ set(total.items()))
        assert (interrupts > 0) == ("recursion" not in name)
        assert it.stacks.get("interrupts and exceptions", (0, 0, 0))[2] == interrupts, (it.stacks, interrupts)


def tasks_are_apart():
    """The stacks' sum is all; a task has what its own code and what it calls takes; interrupts have the handler's."""
    for name in "tasks-O0", "tasks-O2":
        own, name_of = Counter(), procedures_of(example(name))
        for it in retired(example(name)):
            own[name_of(it[0])] += 1
        it = profile(example(name))
        assert set(it.stacks) == {"stack of _start", "stack of producer", "stack of consumer", "interrupts and exceptions"}, it.stacks
        assert sum(cost[0] for cost in it.stacks.values()) == it.instructions
        assert it.stacks["interrupts and exceptions"][0] == it.total["timer_isr"] >= own["timer_isr"]
        for task in "producer", "consumer":
            assert it.stacks["stack of " + task][0] == it.total[task] >= own[task], (name, task)
        assert it.edges["(interrupt)", "timer_isr"][0] == it.stacks["interrupts and exceptions"][2]


def totals_are_of_callers_and_callees():
    """What a function took is what its callers got, and its own with what its callees took, where there is no recursion."""
    for program in [calls_elf(level) for level in LEVELS] + [example("tasks-O2")]:
        it = profile(program)
        assert sum(it.own.values()) == it.instructions
        recursive = {"tree", "even", "odd"}
        for name, total in it.total.items():
            assert sum(cost for edge, (_, cost) in it.edges.items() if edge[1] == name) == total, (program, name)
            if in_source(name) not in recursive:
                assert total == it.own[name] + sum(cost for edge, (_, cost) in it.edges.items() if edge[0] == name), (program, name)


def parts_add_up():
    program = example("recursion-O0")
    whole, parts = profile(program), [profile(program, "--from", a, "--to", b) for a, b in (("start", "7777"), ("7777", "15000"), ("15000", "end"))]
    own, calls = Counter(), Counter()
    for part in parts:
        own.update(part.own)
        calls.update({name: times for name, times in part.calls.items() if times})
    assert own == whole.own and calls == whole.calls, (calls, whole.calls)


# --- formats ---


def callgrind_has_the_same():
    for program in calls_elf("O0"), calls_elf("O2"), example("tasks-O2"):
        it, (own, _, edges, summary) = profile(program), callgrind(export(program, "--format", "callgrind"))
        assert summary == it.instructions == sum(own.values())
        wanted, costs = Counter(), Counter()
        for name, cost in it.own.items():
            wanted[name.replace(" (inlined)", "")] += cost
        assert own == +wanted, (program, set(own.items()) ^ set(wanted.items()))
        for (caller, callee), (_, cost) in it.edges.items():
            costs[caller.replace(" (inlined)", ""), callee.replace(" (inlined)", "")] += cost
        assert {edge: cost for edge, (_, cost) in edges.items() if cost} == {edge: cost for edge, cost in costs.items() if cost and edge[0][0] != "("}


def callgrind_is_read_by_valgrinds():
    path = os.path.join(FOLDER, "callgrind.out")
    export(calls_elf("O2"), "--format", "callgrind", "-o", path)
    text, it = said("callgrind_annotate", "--auto=no", "--tree=caller", "--inclusive=yes", "--threshold=100", path), profile(calls_elf("O2"))
    assert re.search(rf"^{it.instructions:,} .*PROGRAM TOTALS$", text, re.MULTILINE), text
    for name in "main", "round_of", "through", "twice", "last":
        line = re.search(rf"^ *([\d,]+) .*\* .*:{name} ", text, re.MULTILINE)
        assert int(line.group(1).replace(",", "")) == it.total[name], (name, line.group(0), it.total[name])


def folded_adds_up():
    for program in calls_elf("O0"), example("tasks-O2"), example("nested-O0"):
        it, sums = profile(program), Counter()
        for line in export(program, "--format", "folded").splitlines():
            path, cost = line.rsplit(" ", 1)
            sums[path.split(";")[-1]] += int(cost)
        assert sum(sums.values()) == it.instructions
        if "tasks" not in program:
            assert sums == it.own, program
    assert re.search(r"^_start;main;round_of;tree;tree;leaf \d+$", export(calls_elf("O0"), "-f", "folded"), re.MULTILINE)
    assert re.search(r"^\(interrupt\);timer_isr;kernel_tick \d+$", export(example("tasks-O2"), "-f", "folded"), re.MULTILINE)


def slices(program):
    """By track: its slices as they begin and end, with their times and names."""
    path = os.path.join(FOLDER, "perfetto")
    export(program, "--format", "perfetto", "-o", path)
    tracks = {}
    with open(path, "rb") as file:
        packets = [wire.fields(data) for data in wire.repeated(file.read(), 1)]
    for packet in packets:
        for data in packet.get(11, []):
            event = wire.fields(data)
            name = event[23][0].decode() if 23 in event else None
            category = event[22][0].decode() if 22 in event else None
            tracks.setdefault(event[11][0], []).append((event[9][0], packet[8][0], name, category))
    return tracks


def every_call_is_a_slice():
    for program in calls_elf("O0"), calls_elf("O2"), example("tasks-O2"), example("nested-O0"):
        it, found, interrupts = profile(program), Counter(), 0
        for events in slices(program).values():
            depth = 0
            for (kind, time, name, category), after in zip(events, events[1:] + [None]):
                depth += 1 if kind == 1 else -1
                assert depth >= 0 and (after is None or after[1] >= time), (program, events)
                found[name] += kind == 1 and category == "call"
                interrupts += kind == 1 and category == "interrupt"
            assert depth == 0, program
        wanted = {name: times for name, times in it.calls.items() if "(inlined)" not in name}
        assert +found == Counter(wanted), (program, set(found.items()) ^ set(wanted.items()))
        assert interrupts == it.stacks.get("interrupts and exceptions", (0, 0, 0))[2]


def lcov(text):
    lines, functions, file = {}, {}, None
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key == "SF":
            file = value
        elif key == "DA":
            lines[file, int(value.split(",")[0])] = int(value.split(",")[1])
        elif key == "FNDA":
            functions[value.split(",")[1]] = int(value.split(",")[0])
    return lines, functions


def lines_are_those_of_gcov():
    """Natively compiled with --coverage, without optimisation: the same lines, as often."""
    part = os.path.join(FOLDER, "covered")
    said("gcc", "-O0", "-w", "--coverage", os.path.abspath("tests/prof/programs/calls.c"), "-o", part, cwd=FOLDER)
    said(part, cwd=FOLDER)
    wanted = {}
    for line in said("gcov", "-t", "covered-calls.c", cwd=FOLDER).splitlines():
        count, number, _ = line.split(":", 2)
        if count.strip("- "):
            wanted[int(number)] = 0 if "#" in count else int(count.strip().rstrip("*"))
    lines, functions = lcov(export(calls_elf("O0"), "--format", "lcov"))
    told = {number: count for (file, number), count in lines.items() if file.endswith("calls.c")}
    with open("tests/prof/programs/calls.c", encoding="utf-8") as file:
        source = [""] + file.read().splitlines()
    for number in set(told) ^ set(wanted):  # where a function begins and ends, one has the line with the brace and the other that before
        assert re.fullmatch(r"[{}]|\S.*\(.*\)", source[number]), source[number]
        told.pop(number, None), wanted.pop(number, None)
    differing = {number: (told.get(number), wanted.get(number)) for number in set(told) | set(wanted) if told.get(number) != wanted.get(number)}
    assert len(wanted) > 25 and not differing, differing
    assert {name: times for name, times in functions.items() if name in profile(calls_elf("O0")).calls} == {
        name: times for name, times in profile(calls_elf("O0")).calls.items() if name in functions}


def lines_are_those_of_cover():
    program = example("recursion-O0")
    lines, _ = lcov(export(program, "--format", "lcov"))
    path = os.path.join(FOLDER, "cover.lcov")
    said(EARSHOT, "read", recording(program), program, "-q", "-e", "cover recursion.c", "--lcov", path)
    with open(path, encoding="utf-8") as file:
        wanted, _ = lcov(file.read())
    told = {line: min(count, 1) for line, count in lines.items() if line[0].endswith("recursion.c")}
    assert told == wanted, set(told.items()) ^ set(wanted.items())


def the_page_shows_what_is_printed():
    with open("docs/traces.md", encoding="utf-8") as file:
        shown = file.read().split("## What a recording exports", 1)[1]
    program, inputs = example("tasks-O2"), recording(example("tasks-O2"))
    blocks = re.findall(r"^```\n(\$ .*?)^```", shown, re.MULTILINE | re.DOTALL)
    wanted = export(program, "--format", "profile").splitlines()
    for part in blocks[0].split("\n...\n")[1:]:
        lines = part.rstrip("\n").splitlines()
        assert any(wanted[i:i + len(lines)] == lines for i in range(len(wanted))), lines
    for command, printed in re.findall(r"^\$ earshot (.*)\n((?:[^$].*\n)+)", blocks[-1], re.MULTILINE):
        words = [{"tasks.inputs": inputs, "build/examples/tasks-O2.elf": program}.get(word, word) for word in command.split()]
        assert said(EARSHOT, *words) == printed, command


def mistakes_are_explained():
    program = example("recursion-O0")
    for words, message in (([recording(program)], "the program is needed"), ([recording(program), program], "in which format?"),
                           (["no.inputs", program, "-f", "spike"], "is made of a recording of inputs"),
                           ([recording(program), program, "-f", "vcd"], "of a recording, --format takes profile"),
                           ([recording(program), example("tasks-O2"), "-f", "profile"], "of another program"),
                           ([recording(program), program, "-f", "profile", "--from", "9000000"], "ends at instruction"),
                           ([recording(program), program, "-f", "profile", "--from", "5", "--to", "5"], "nothing lies between")):
        done = subprocess.run([EARSHOT, "export", *words], capture_output=True, check=False, text=True)
        assert done.returncode == 2 and message in done.stderr and not done.stdout, (words, done)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as FOLDER:
        sys.exit(run_all([calls_are_the_sources, ways_back_that_are_no_returns, costs_are_the_retired, tasks_are_apart, totals_are_of_callers_and_callees, parts_add_up,
                          callgrind_has_the_same, callgrind_is_read_by_valgrinds, folded_adds_up, every_call_is_a_slice,
                          lines_are_those_of_gcov, lines_are_those_of_cover,
                          the_page_shows_what_is_printed, mistakes_are_explained]))
