"""What a mutant has to get past: the project's own test programs, built from a tree in which one file is mutated.

Each killer is a test program by its target in the Makefile, so what it tests is written down there only. The programs
run with fewer transactions first, and with as many as in `make test` last.
"""
import fnmatch
import glob
import hashlib
import os
import resource
import shutil
import signal
import subprocess

# folders of the build that mutants share with it, as far as there are any: nothing in them comes from RTL
SHARED = ("gen", "host", "firmware", "examples", "libearshot.a", "tests/support")
# flags that make a model soon built; it need not be fast
QUICK = ("CC=ccache gcc", "CXX=ccache g++", "OPT_FAST=-O0", "OPT_SLOW=-O0", "OPT_GLOBAL=-O0",
         "VERILATOR=tests/mutate/verilator")
# Of computing, for a build. Programs have limits of their own, many times what they take: what takes longer hangs.
BUILD_SECONDS = 300
WALL_SECONDS = 3600


class Killer:
    """A test program: its target, what it is made of, and how it is run. seconds: of computing, at most."""

    def __init__(self, name, target, seconds, inputs, make=(), env=(), copied=(), packs=True):
        self.name, self.target, self.seconds, self.inputs = name, target, seconds, inputs
        self.make, self.env, self.copied = list(make), dict(env), copied
        self.packs = packs # many mutants can be in one build (pack.py)

    def key(self, hashes):
        """A name for the program and all that it is made of. hashes: of the tree's files, by path."""
        key = hashlib.sha256(repr((self.target, self.make, sorted(self.env.items()))).encode())
        for path in sorted(hashes):
            if any(fnmatch.fnmatch(path, pattern) for pattern in self.inputs):
                key.update(f"{path} {hashes[path]}\n".encode())
        return key.hexdigest()

    def environment(self, tree):
        """The environment that it is built and run in."""
        env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "ES_"))}
        env.update(CCACHE_NOHASHDIR="1", CCACHE_BASEDIR=tree, **self.env)
        return env

    def prepare(self, tree, build):
        """Builds it in a tree: whether that was possible, and what was said."""
        for folder in self.copied:
            if not os.path.exists(f"{tree}/build/{folder}"):
                shutil.copytree(f"{build}/{folder}", f"{tree}/build/{folder}", symlinks=True)
        command = ["make", "-s", *QUICK, *self.make, f"build/{self.target}"]
        status, said = run(command, tree, self.environment(tree), BUILD_SECONDS)
        return status == 0, said

    def run(self, tree, number=0):
        """Runs it in a tree where it is built, with one of a pack's mutants: 'passed' or 'killed', and what was said."""
        env = {**self.environment(tree), "ES_MUTANT": str(number)}
        status, said = run([f"build/{self.target}"], tree, env, self.seconds)
        last = said.rstrip().rsplit("\n", 1)[-1]
        good = status == 0 and last.endswith(" passed, 0 failed") and not last.startswith("0 ")
        return "passed" if good else "killed", said


def run(command, folder, env, seconds):
    """Status and output of a command; one that takes too long fails, with all that it started."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limit) as process:
        try:
            said, _ = process.communicate(timeout=WALL_SECONDS)
        except subprocess.TimeoutExpired:
            said = b"takes too long"
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return process.returncode, said.decode(errors="replace")


def plant(root, build, tree, changed):
    """A tree for mutants: the project by links, rtl/ copied with files changed ({path: text}), and a build folder."""
    shutil.rmtree(tree, ignore_errors=True)
    os.makedirs(f"{tree}/build/tests")
    for name in os.listdir(root):
        if name not in ("build", "rtl", ".git"):
            os.symlink(f"{root}/{name}", f"{tree}/{name}")
    shutil.copytree(f"{root}/rtl", f"{tree}/rtl")
    for name in SHARED:
        if os.path.exists(f"{build}/{name}"):
            os.symlink(f"{build}/{name}", f"{tree}/build/{name}")
    for path, text in changed.items():
        with open(f"{tree}/{path}", "w", encoding="utf-8") as file:
            file.write(text)


COMMON = ["interface/*", "scripts/gen-defs"]
VERILATOR_ROOT = subprocess.run(["verilator", "--getenv", "VERILATOR_ROOT"], capture_output=True, text=True,
                                check=True).stdout.strip()
CORE_FLAGS = ("CORE_CXXFLAGS=-std=c++17 -O0 -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 "
              f"-isystem {VERILATOR_ROOT}/include -isystem {VERILATOR_ROOT}/include/vltstd")


def core(name, transactions=20000, seconds=8):
    """The core against its model, in one of its sets of parameters."""
    kind = name if transactions == 20000 else f"{name}, {transactions}"
    return Killer(f"core {kind}", f"tests/core/core_{name}", seconds,
                  COMMON + ["rtl/core/*", "rtl/tap/*", "tests/core/*"], [CORE_FLAGS],
                  {"ES_SEED": "1", "ES_TRANSACTIONS": str(transactions)})


def cpu(variant):
    """The processor against its model, in one of its sets of parameters."""
    return Killer(f"cpu {variant}", f"tests/cpu/{variant}", 20, COMMON + ["rtl/cpu/*", "tests/cpu/*"])


def link(name, extra=()):
    """A module of the link against a model of what its pins lead to."""
    return Killer(f"{name} bench", f"tests/link/{name}", 20, COMMON + ["rtl/link/*", "rtl/core/es_sync.v", *extra, "tests/link/*", "host/stream/*"])


def tap(name):
    """The taps against driven waveforms."""
    return Killer(f"{name} bench", f"tests/tap/{name}", 20, COMMON + ["rtl/tap/*", "rtl/core/es_sync.v", "tests/tap/*"])


# The worlds of the simulation, each with the whole probe, its soft core and its link.
WORLDS = [Killer("worlds", "tests/sim/probe", 20, COMMON + ["rtl/*", "sim/*", "tests/sim/*"],
                 [CORE_FLAGS.replace("CORE_", "SIM_").replace("-O0", "-O1")], copied=("sim", "tests/sim"))]


class Lint(Killer):
    """All warnings of a room's Verilog. It comes last, so that what it alone notices can be told."""

    def prepare(self, tree, build):
        """Nothing is built."""
        return True, ""

    def run(self, tree, number=0):
        """Runs it in a tree."""
        status, said = run(["make", "-s", self.target], tree, self.environment(tree), self.seconds)
        return "killed" if status else "passed", said


def lint(room):
    """The project's own target for it."""
    return Lint("lint", f"lint-{room}", 100, COMMON + ["rtl/*"], packs=False)


def proof(room, name, files):
    """The proofs of one module."""
    return [Killer(f"proof {name}", f"tests/{room}/proofs", 300, COMMON + files + [f"tests/{room}/formal/*"],
                   env={"PROOFS": name, "PROVE_SECONDS": "3000"}, packs=False)]


# Arrays as they are built for the device, and their models; a synchroniser's flip-flops, in the netlists.
CELLS = [Killer("cells", "tests/core/cells", 20, COMMON + ["rtl/core/*", "tests/core/*"], [CORE_FLAGS])]
CROSSINGS = [Killer("crossings", "tests/boards/crossings", 100, COMMON + ["rtl/*", "tests/boards/*", "scripts/*"],
                    env={"CROSSINGS_OF_THE_TREE_ALONE": "1"}, packs=False)]

CORE_SETS = ("narrow", "trio", "wide", "single", "pair")
CORE = [core(name) for name in CORE_SETS]
CORE_LONG = [core(name, 200000, 60) for name in ("narrow", "trio")]
FT245 = link("ft245", ["rtl/core/es_fifo_async.v", "rtl/core/es_sync.v"])
QUEUE_PROOF = Killer("proof event_queue", "tests/link/event-queue-proof", 60, COMMON + ["rtl/link/*", "tests/link/*"],
                     packs=False)
CPU = [cpu(variant) for variant in ("traps0", "traps1", "target")]
CPU_PROOF = [Killer("cpu proof", "tests/cpu/proof", 200, COMMON + ["rtl/cpu/*", "tests/cpu/*"], packs=False)]

# by file, the cheapest first
KILLERS = [
    ("rtl/cpu/*.v", CPU + CPU_PROOF),
    ("rtl/core/es_fifo_async.v", CORE[:3] + [FT245] + proof("core", "fifo", ["rtl/core/*"]) + CORE_LONG),
    ("rtl/core/es_hitq.v", CORE[:3] + proof("core", "hitq", ["rtl/core/*"]) + CORE_LONG),
    ("rtl/core/es_pipeline.v", CORE + CORE_LONG + proof("core", "lock", ["rtl/core/*"])),
    ("rtl/core/es_probe.v", CORE + WORLDS),
    ("rtl/core/es_soc.v", CORE + WORLDS),
    ("rtl/core/es_ram.v", CORE + CELLS),
    ("rtl/core/es_spram.v", CORE + CELLS),
    ("rtl/core/es_bits.v", CORE + CELLS),
    ("rtl/core/es_sync.v", CORE + CROSSINGS),
    ("rtl/core/es_capture.v", CORE + proof("core", "epoch", ["rtl/core/*"]) + CORE_LONG +
     proof("core", "capture", ["rtl/core/*"])),
    ("rtl/core/*.v", CORE + CORE_LONG),
    ("rtl/link/es_uart.v", [link("uart")] + proof("link", "uart", ["rtl/link/*"])),
    ("rtl/link/es_ft245.v", [FT245] + proof("link", "ft245", ["rtl/link/*"])),
    ("rtl/link/es_deframer.v", [link("link")] + proof("link", "deframer", ["rtl/link/*"])),
    ("rtl/link/es_framer.v", [link("link")] + proof("link", "framer", ["rtl/link/*"]) + WORLDS),
    ("rtl/link/es_event_queue.v", [link("link"), QUEUE_PROOF]),
    ("rtl/link/*.v", [link("link")] + WORLDS),
    ("rtl/tap/es_tap_mark.v", [tap("marks")] + proof("tap", "mark", ["rtl/tap/*"])),
    ("rtl/tap/es_tap_sram.v", [tap("taps")] + proof("tap", "sram", ["rtl/tap/*"])),
    ("rtl/tap/es_tap_queue.v", proof("tap", "obi", ["rtl/tap/*"]) + proof("tap", "wishbone", ["rtl/tap/*"])),
    ("rtl/tap/es_tap_wishbone.v", proof("tap", "wishbone", ["rtl/tap/*"])),
    ("rtl/tap/es_tap_obi.v", proof("tap", "obi", ["rtl/tap/*"])),
    ("rtl/tap/es_tap_merge.v", proof("tap", "merge", ["rtl/tap/*"])),
    ("rtl/tap/es_tap_ahb.v", proof("tap", "ahb", ["rtl/tap/*"])),
    ("rtl/tap/es_tap_axi_lite.v", proof("tap", "axi_lite", ["rtl/tap/*"])),
    ("rtl/tap/es_tap_axi*.v", proof("tap", "axi", ["rtl/tap/*"])),
    ("rtl/tap/es_follow.v", proof("tap", "follow", ["rtl/tap/*"])),
    ("rtl/tap/*.v", [tap("taps")] + proof("tap", "memvalid", ["rtl/tap/*"])),
]


class Blind(Killer):
    """Any program in place of a test, for tests of the run itself."""

    def __init__(self, program):
        super().__init__("blind", program, 10, [])

    def prepare(self, tree, build):
        """Nothing is built."""
        return True, ""

    def run(self, tree, number=0):
        """Runs it."""
        status, said = run([self.target], tree, dict(os.environ), self.seconds)
        return "killed" if status else "passed", said


def rtl(root):
    """The files that get mutants, by their path from the root."""
    names = sorted(os.path.relpath(path, root) for path in glob.glob(f"{root}/rtl/*/*.v"))
    return [name for name in names if killers_of(name)]


def killers_of(path):
    """What a mutant of this file has to get past, in this order; nothing: the file is not simulated."""
    found = next((killers for pattern, killers in KILLERS if fnmatch.fnmatch(path, pattern)), [])
    return found + [lint(path.split("/")[1])] if found else []
