"""What N cores take, predicted from a run on one core, against N cores co-simulated.

    truth.py                the programs of tests/threads, 48 machines, and those where time decides the way; cores whose
                            bells take 10 or 100 clocks
    truth.py --soak         programs of other sizes, more than 300
    truth.py --write        ... and writes the tables of docs/predict.md
    truth.py --only=P,Q     of these programs alone; -v tells each machine. With --write those tables that they make whole
    truth.py --half         of programs but pipelines and trees of threads a random half of the machines
"""
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

BUILD = os.environ.get("EARSHOT_BUILD", "build")
CROSS = os.environ.get("CROSS", "riscv64-unknown-elf-")
PAGE = "docs/predict.md"
# program: parameters of a short run; the last two are those where time decides the way
SHORT = {"sor": "-DSIZE=18 -DSWEEPS=5", "pipeline": "-DITEMS=12 -DWORK=150", "forkjoin": "-DWORK=250", "convoy": "-DROUNDS=4",
         "fine": "-DITEMS=24 -DWORK=3 -DSTAGES=6", "urgent": "-DTHREADS_PRIORITIES=3", "producer": "-DITEMS=14", "readwrite": "-DROUNDS=3",
         "mix": "-DROUNDS=2"}
RIVALS = "-DRIVALS=6 -DWORK=150"
SOURCE = {"fine": "pipeline"}
PATHS = {"harvest": "tests/predict/programs/harvest.c", "meets": "tests/threads/programs/meets.c",
         "mix": "tests/threads/programs/mix.c", "rivals": "tests/threads/programs/rivals.c"}
DEPEND = ["producer", "readwrite", "mix"]
# cores, ports, wait states
MACHINES = [(n, "each", 0) for n in (2, 4, 8)] + [(n, "one", 0) for n in (2, 4, 8)] + [(4, "data", 0), (4, "each", 1)]
# ... and clocks that a bell takes
BELLS = [(4, "each", 0, 10), (4, "each", 0, 100)]
SOAK_BELLS = [(n, ports, 0, bell) for n in (2, 4, 8) for ports in ("each", "one") for bell in (10, 100)]

# program: parameters; each is compiled with each
SOAK = {
    "sor": ["-DSIZE=26 -DSWEEPS=10", "-DSIZE=18 -DTHREADS=2", "-DSIZE=20 -DTHREADS=8", "-DSIZE=18 -DTHREADS=6", "-DSIZE=34 -DSWEEPS=4"],
    "pipeline": ["-DSTAGES=3 -DWORK=300", "-DSTAGES=8 -DWORK=50", "-DROOM=1", "-DROOM=8 -DITEMS=40", "-DWORK=10 -DITEMS=60"],
    "forkjoin": ["-DDEPTH=4", "-DDEPTH=2 -DWORK=800", "-DWORK=20", "-DWORK=400"],
    "convoy": ["-DTHREADS=3", "-DTHREADS=10 -DROUNDS=8", "-DWORK=40 -DHELD=40", "-DWORK=400 -DHELD=10"],
    "urgent": ["-DTHREADS_PRIORITIES=3 -DWORKERS=4", "-DTHREADS_PRIORITIES=3 -DCARRIERS=3 -DWORK=250", "-DTHREADS_PRIORITIES=2 -DPARCELS=12"],
    "producer": ["-DCONSUMERS=2", "-DCONSUMERS=8 -DITEMS=60", "-DWORK=50", "-DROOM=1"],
    "readwrite": ["-DREADERS=2", "-DWRITERS=4", "-DROUNDS=10"],
}
SOAKS = "--soak" in sys.argv or "--write" in sys.argv
HALF = random.Random(int(os.environ.get("EARSHOT_SEED", "1"))) if "--half" in sys.argv else None
# policies of the library, and how the prediction is told; of the same binary's run on one core
POLICIES = {"-DTHREADS_LAST_FIRST=1": "--order last", "-DTHREADS_BARGE=1": "--barge"}
POLICY_PROGRAMS = ["convoy", "pipeline", "sor", "urgent", "producer"]
# ... of programs that are compiled so, and interrupted: options of the library, of the prediction, programs
SCHEDULERS = {"round-robin 2000": ("-DTHREADS_QUANTUM=2000u", "--scheduler round-robin --quantum 2000", ["sor", "pipeline", "forkjoin", "convoy", "fine"]),
              "round-robin 1300": ("-DTHREADS_QUANTUM=1300u", "--scheduler round-robin --quantum 1300", ["pipeline", "forkjoin", "fine"]),
              "preemptive": ("-DTHREADS_PREEMPTIVE=1", "--scheduler preemptive", ["urgent"]),
              "work": ("-DTHREADS_WORK=1", "--scheduler work", ["sor", "pipeline", "fine", "forkjoin", "convoy"]),
              "order best": ("-DTHREADS_BEST_FIRST=1 -DTHREADS_PRIORITIES=3", "--order best", ["rivals"])}
SCHEDULER_PROGRAMS = {"rivals": [RIVALS], "urgent": ["-DTHREADS_PRIORITIES=3", "-DTHREADS_PRIORITIES=3 -DWORKERS=4", "-DTHREADS_PRIORITIES=3 -DCARRIERS=3 -DWORK=250"]}
SCHEDULER_MACHINES = [(1, "each", 0), (2, "each", 0), (4, "each", 0), (8, "each", 0), (4, "one", 0), (4, "data", 0), (4, "each", 1)]
SCHEDULERS_SHORT = {"round-robin 2000": [("forkjoin", [(4, "each", 0)]), ("fine", [(4, "each", 1)])],
                    "preemptive": [("urgent", [(2, "each", 0), (4, "one", 0)])],
                    "work": [("fine", [(8, "each", 0)]), ("forkjoin", [(4, "one", 0)])], "order best": [("rivals", [(4, "each", 0)])]}
POLICY_MACHINES = [(2, "each", 0), (4, "each", 0), (8, "each", 0), (4, "one", 0)]
ONLY = [a[7:].split(",") for a in sys.argv if a.startswith("--only=")]


# program: parameters, of queues whose items are on their way for so many clocks: the run on one core without, that of N with
LATE = {"pipeline": SHORT["pipeline"], "fine": SHORT["fine"], "producer": SHORT["producer"], "harvest": "-DWORK=250"}
LATENCIES = (0, 100, 1000, 10000)
LATE_TIGHT = 10  # percent, where cores wait so much for the kernel's lock that single clocks decide
LATE_MACHINES = [(2, "each", 0), (4, "each", 0), (8, "each", 0), (4, "one", 0)]
LATE_SHORT = {"pipeline": [(1000, (4, "each", 0))], "harvest": [(100, (8, "each", 0)), (10000, (4, "one", 0))]}


def run(command, **more):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, **more)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def predicted(elf, recording, cores, ports, wait, *more):
    lines = run([f"{BUILD}/earshot", "predict", elf, recording, "--cores", str(cores), "--ports", ports, "--wait", str(wait),
                 "--json", *more]).splitlines()
    return json.loads(lines[0]), json.loads(lines[1])


def true_makespan(elf, target):
    return json.loads(run([f"{BUILD}/shared-run", "-q", "-t", target, elf]))["makespan"]


class Table:
    def __init__(self):
        self.late, self.rows, self.bells, self.policies, self.schedulers, self.passed, self.failed = {}, {}, {}, {}, {}, 0, 0

    def check(self, good, text):
        self.passed += good
        self.failed += not good
        if not good:
            print(text)

    def program(self, name, elf, machines, folder, policy="", scheduler=None):
        recording = os.path.join(folder, name + ".rec")
        run([f"{BUILD}/earshot", "record", elf, "--inputs", recording, "--probe", "sim:cores=1"])
        for cores, ports, wait, *bells in machines:
            if HALF and not scheduler and name.split("-")[0] not in ("pipeline", "forkjoin", "fine") and HALF.random() < 0.5:
                continue
            bell = bells[0] if bells else 0
            head, told = predicted(elf, recording, cores, ports, wait, "--bell", str(bell), *policy.split())
            true = true_makespan(elf, f"cores={cores},ports={ports},wait={wait},bell={bell}")
            error = 100 * (told["makespan"] - true) / true
            depends = head["depends_on_timing"] is not None
            tight = told["lock_decides"]
            if scheduler:
                self.schedulers.setdefault((scheduler, name.split("-")[0]), []).append((error, depends))
            elif policy:
                self.policies.setdefault((policy, name.split("-")[0]), []).append((error, depends))
            elif bells:
                self.bells.setdefault((cores, bell), []).append((error, depends or tight))
            else:
                self.rows.setdefault(name.split("-")[0], []).append((error, depends or tight))
            what = f"{name} {policy} on {cores} cores, ports {ports}, wait {wait}, bell {bell}: {told['makespan']}, and it takes {true} ({error:+.2f} %)"
            self.check(told["low"] <= true <= told["high"], f"{what}, bounds {told['low']} to {told['high']}")
            if not depends:
                self.check(abs(error) <= (1 if name.startswith("convoy") or (name == "meets" and ports == "each") else 5), what)
            if "-v" in sys.argv:
                print(what, told["low"], told["high"], "depends" if depends else "", "tight" if tight else "", flush=True)

    def late_program(self, name, elfs, cases, folder):
        """elfs: by latency; all but their constant is the same. The run of the first one is recorded."""
        recording = os.path.join(folder, name + ".rec")
        run([f"{BUILD}/earshot", "record", elfs[0], "--inputs", recording, "--probe", "sim:cores=1"])
        for latency, (cores, ports, wait) in cases:
            head, told = predicted(elfs[0], recording, cores, ports, wait, "--latency", str(latency))
            true = true_makespan(elfs[latency], f"cores={cores},ports={ports},wait={wait}")
            error = 100 * (told["makespan"] - true) / true
            tight = head["depends_on_timing"] is not None or told["lock_decides"]
            self.late.setdefault((latency, name), []).append((error, tight))
            what = f"{name} on {cores} cores, ports {ports}, latency {latency}: {told['makespan']}, and it takes {true} ({error:+.2f} %)"
            self.check(told["low"] <= true <= told["high"], f"{what}, bounds {told['low']} to {told['high']}")
            self.check(abs(error) <= (LATE_TIGHT if tight else 5), what)
            if "-v" in sys.argv:
                print(what, told["low"], told["high"], "tight" if tight else "", flush=True)

    def late_text(self):
        lines = ["| latency | program | machines | median error | largest | where time decides |", "|---|---|---|---|---|---|"]
        for (latency, name), rows in sorted(self.late.items()):
            errors = [abs(error) for error, _ in rows]
            lines.append(f"| {latency} | {name} | {len(rows)} | {middle(errors)} | "
                         f"{sum(t for _, t in rows) or ''} |")
        return "\n".join(lines)

    def errors(self, depends):
        return [abs(error) for rows in self.rows.values() for error, d in rows if d == depends]

    def bells_text(self):
        lines = ["| cores | bell | machines | median error | largest | where time decides |", "|---|---|---|---|---|---|"]
        for (cores, bell), rows in sorted(self.bells.items()):
            sure, others = ([abs(error) for error, d in rows if d == depends] for depends in (False, True))
            lines.append(f"| {cores} | {bell} | {len(sure)} | {middle(sure)} | "
                         + (f"{len(others)}: {statistics.median(others):.2f} %, {max(others):.2f} % |" if others else "|"))
        return "\n".join(lines)

    def policies_text(self):
        return self.by_option(self.policies)

    def schedulers_text(self):
        return self.by_option(self.schedulers)

    @staticmethod
    def by_option(table):
        lines = ["| option | program | machines | median error | largest |", "|---|---|---|---|---|"]
        for (policy, name), rows in sorted(table.items()):
            errors = [abs(error) for error, _ in rows]
            lines.append(f"| `{policy if policy.startswith('--') else '--' + policy if policy.startswith('order') else '--scheduler ' + policy}` | {name} | {len(rows)} | {middle(errors)} |")
        return "\n".join(lines)

    def text(self):
        lines = ["| program | machines | median error | largest | where time decides |", "|---|---|---|---|---|"]
        for name, rows in sorted(self.rows.items()):
            errors = [abs(error) for error, _ in rows]
            lines.append(f"| {name} | {len(rows)} | {middle(errors)} | "
                         f"{sum(d for _, d in rows) or ''} |")
        sure = self.errors(False)
        lines.append(f"| all whose ways do not depend on time | {len(sure)} | {middle(sure)} | |")
        return "\n".join(lines)


def build(program, options, level, elf):
    run(["scripts/target-cc", "-march=rv32imc_zicsr_zifencei", level, "-Iexamples/threads", *options.split(), PATHS.get(program, f"examples/threads/{program}.c"),
         "examples/threads/kernel.c", "examples/threads/objects.c", "examples/threads/switch.S", "-o", elf],
        env={**os.environ, "CROSS": CROSS})
    return elf


def schedulers(table, folder):
    for name, (options, told, programs) in SCHEDULERS.items():
        short = dict(SCHEDULERS_SHORT.get(name, []))
        for program in programs if SOAKS else short:
            if ONLY and program not in ONLY[0] and name not in ONLY[0]:
                continue
            for number, own in enumerate(SCHEDULER_PROGRAMS.get(program, [SHORT.get(program, "")])[:None if SOAKS else 1]):
                elf = build(SOURCE.get(program, program), own + " " + options, "-O1" if number == 1 else "-O2", os.path.join(folder, f"{program}-scheduler.elf"))
                table.program(f"{program}-{name.replace(' ', '-')}", elf, SCHEDULER_MACHINES if SOAKS else short[program], folder, told, name)


def latencies(table, folder):
    for name, options in LATE.items():
        if ONLY and name not in ONLY[0] and "late" not in ONLY[0]:
            continue
        cases = [(latency, machine) for latency in LATENCIES for machine in LATE_MACHINES] if SOAKS else LATE_SHORT.get(name, [])
        elfs = {latency: build(SOURCE.get(name, name), f"{options} -DTHREADS_LATENCY={latency}", "-O2",
                               os.path.join(folder, f"{name}-{latency}.elf"))
                for latency in sorted({0, *(latency for latency, _ in cases)} if cases else [])}
        if cases:
            table.late_program(name, elfs, cases, folder)


def middle(numbers):
    """Median and largest as a table has them."""
    return f"{statistics.median(numbers):.2f} % | {max(numbers):.2f} %" if numbers else " | "


def rows_of(text):
    """What tells a table's rows apart: program or machine, and of how many machines they tell."""
    lines = [line.split("|") for line in text.strip().splitlines()]
    return [line[1:lines[0].index(" machines ") + 1] for line in lines]


def write_page(table):
    """A table of which only some rows were made is left as it is."""
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    for name, text in ("truth", table.text()), ("bells", table.bells_text()), ("policies", table.policies_text()), ("schedulers", table.schedulers_text()), \
            ("latencies", table.late_text()):
        before, old, after = re.fullmatch(rf"(.*<!-- {name} -->\n)(.*?)(<!-- end -->.*)", page, re.DOTALL).groups()
        if ONLY and rows_of(text) != rows_of(old):
            print(f"{PAGE}: {name} stays, as not all of its rows were made again")
        else:
            page = before + text + "\n" + after
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(page)


def main():
    table = Table()
    with tempfile.TemporaryDirectory() as folder:
        for name, options in SHORT.items():
            if ONLY and name not in ONLY[0]:
                continue
            elf = build(SOURCE.get(name, name), options, "-O2", os.path.join(folder, name + ".elf"))
            table.program(name, elf, (MACHINES[:4] if name in DEPEND else MACHINES) + (SOAK_BELLS if SOAKS else BELLS), folder)
        if not ONLY or "meets" in ONLY[0]:  # barriers of two sizes
            table.program("meets", build("meets", "", "-O2", os.path.join(folder, "meets.elf")), MACHINES if SOAKS else [(4, "each", 0), (2, "one", 0)], folder)
        for options, policy in POLICIES.items():
            for name in POLICY_PROGRAMS:
                if ONLY and name not in ONLY[0]:
                    continue
                elf = build(name, SHORT[name] + " " + options, "-O2", os.path.join(folder, f"{name}-policy.elf"))
                table.program(name, elf, POLICY_MACHINES if SOAKS else POLICY_MACHINES[1:2], folder, policy)
        schedulers(table, folder)
        latencies(table, folder)
        if not SOAKS and not (ONLY and "convoy" not in ONLY[0]):   # threads that wait as the recorded run never does
            elf = build("convoy", SOAK["convoy"][2], "-O1", os.path.join(folder, "convoy-3.elf"))
            table.program("convoy-3", elf, [(2, "one", 0), (6, "data", 1)], folder)
        for program, variants in SOAK.items() if SOAKS else []:
            if ONLY and program not in ONLY[0]:
                continue
            for number, options in enumerate([""] + variants):
                elf = build(program, options, "-O2" if number % 3 else "-O1", os.path.join(folder, f"{program}-{number}.elf"))
                table.program(f"{program}-{number}", elf, MACHINES + [(n, "data", 1) for n in (3, 6)] +
                              [(n, "one", 2) for n in (3, 5)], folder)
    sure = table.errors(False) + [abs(error) for rows in table.late.values() for error, tight in rows if not tight] + [abs(error) for rows in table.schedulers.values() for error, depends in rows if not depends]
    median = statistics.median(sure or [0])
    table.check(median <= 2, f"the median error is {median:.2f} %")
    if table.rows:
        print(table.text())
    print(table.bells_text())
    print(table.policies_text())
    print(table.schedulers_text())
    print(table.late_text())
    if "--write" in sys.argv:
        write_page(table)
    print(f"{table.passed} passed, {table.failed} failed")
    return 1 if table.failed else 0


sys.exit(main())
