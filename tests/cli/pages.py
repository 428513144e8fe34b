#!/usr/bin/python3
"""README and the manual say what the program does: each output that they show is made again and compared."""
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

from harness import run_all

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
SPEED = re.compile(r"in [0-9.]+ s \([0-9.]+ (million|thousand) a second\)")


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def run(*command, before=None):
    """What a command prints, errors among it as they come, and its exit code."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300,
                          preexec_fn=before, check=False)
    return done.stdout, done.returncode


def block(page, first):
    """The lines of the block of a page whose first line is this."""
    blocks = [part.split("\n") for part in re.findall(r"^```[^\n]*\n(.*?)^```", page, re.MULTILINE | re.DOTALL)]
    found = [lines for lines in blocks if lines[0] == first]
    assert len(found) == 1, (first, len(found))
    return [line for line in found[0][1:] if line != ""]


def same(shown, printed):
    shown = [SPEED.sub("in S s", line.rstrip()) for line in shown]
    printed = [SPEED.sub("in S s", line.rstrip()) for line in printed.split("\n") if line.strip()]
    assert shown == printed, "\n".join(["README shows", *shown, "", "printed is", *printed])


def ordered(lines):
    """Results and the rest are two streams: each keeps its order."""
    rest = [line for line in lines if line.startswith(("earshot:", "target|"))]
    return rest + [line for line in lines if line.strip() and not line.startswith(("earshot:", "target|"))]


def the_demo():
    """What comes of `make demo` after what it builds."""
    shown = block(text_of("README.md"), "$ make demo")
    assert shown[0] == "...", shown[0]
    statements = re.search(r"^DEMO := (.*)$", text_of("Makefile"), re.MULTILINE).group(1)
    printed, code = run(EARSHOT, "watch", f"{BUILD}/examples/thermostat-O0.elf", "-s", statements)
    assert code == 0, code
    same(ordered(shown[1:]), "\n".join(ordered(printed.split("\n"))))


def the_replay():
    """Variables in registers."""
    page = text_of("README.md")
    command = re.search(r"^\$ (build/earshot watch build/examples/thermostat-O2\.elf (?:.*\\\n)+.*)$", page, re.MULTILINE).group(1)
    shown = page.split(command + "\n", 1)[1].split("\n```", 1)[0].split("\n")
    words = shlex.split(command.replace("\\\n", " ").replace("build/", BUILD + "/"))
    printed, code = run(*words)
    assert code == 0, code
    same(ordered(shown), "\n".join(ordered(printed.split("\n"))))


def the_check():
    command = "$ earshot check build/examples/thermostat-O0.elf -e 'overheat: when temp > 80' --ratio 8"
    printed, code = run(EARSHOT, "check", f"{BUILD}/examples/thermostat-O0.elf", "-e", "overheat: when temp > 80", "--ratio", "8")
    assert code == 0, printed
    same(block(text_of("README.md"), command), printed)


def the_virtual_probe():
    shown = re.search(r"^```\n\$ (scripts/virtual-probe .*)\n((?:.*\n)*?)```", text_of("docs/virtual-probe.md"), re.MULTILINE)
    words = shlex.split(shown[1].replace("build/", f"{BUILD}/"))
    printed, code = run("env", f"EARSHOT_BUILD={BUILD}", *words)
    assert code == 0, printed
    # a slow machine takes so long that it says what it waits for
    printed = "\n".join(line for line in printed.splitlines() if line != "earshot: no hits yet:" and " waits for writes " not in line)
    same(sorted(line for line in shown[2].splitlines() if line), "\n".join(sorted(printed.splitlines())))   # two streams: each keeps its order


def the_bitstream():
    """Limits are those that the build holds, and what README tells of now lies within."""
    limits = {}
    for line in text_of("rtl/boards/icebreaker.limits").split("\n"):
        words = line.split("#")[0].split()
        if words:
            limits[words[0]] = (words[1], float(words[2]))
    rows = re.findall(r"^(\S+) +([0-9.]+) +(max|min) ([0-9.]+)$", text_of("README.md"), re.MULTILINE)
    assert {row[0] for row in rows} == set(limits), rows
    for name, now, kind, limit in rows:
        assert limits[name] == (kind, float(limit)), (name, limits[name])
        assert float(now) <= float(limit) if kind == "max" else float(now) >= float(limit), (name, now)


def the_placement():
    """docs/boards.md names the placement that the build takes."""
    seed = re.search(r"^BOARD_icebreaker_SEED := (\d+)$", text_of("rtl/boards/rules.mk"), re.MULTILINE).group(1)
    assert f"(`BOARDS_SEED` {seed})" in text_of("docs/boards.md"), seed


def the_manual():
    """earshot(1) names every command, with its page; every page is known to man."""
    commands = re.findall(r"^  (\w+)  +\S", run(EARSHOT, "--help")[0], re.MULTILINE)
    page = text_of("docs/man/earshot.1")
    missing = [name for name in commands if f".TP\n.B {name}\n" not in page]
    assert commands and not missing, missing
    with tempfile.TemporaryDirectory() as scratch:
        for section in "158":
            os.mkdir(f"{scratch}/man{section}")
        for name in os.listdir("docs/man"):
            os.symlink(os.path.abspath(f"docs/man/{name}"), f"{scratch}/man{name[-1]}/{name}")
        for name in os.listdir("docs/man"):
            printed, code = run("man", "-M", scratch, name[-1], name[:-2])
            assert code == 0 and "NAME" in printed, (name, code, printed[:200])


def options_have_one_meaning():
    """No letter, and no name, stands for two options of a command."""
    checked = 0
    for command in re.findall(r"^  (\w+)  +\S", run(EARSHOT, "--help")[0], re.MULTILINE):
        parts = re.findall(r"^  (\w+)  +\S", run(EARSHOT, command, "--help")[0], re.MULTILINE) if command == "net" else [None]
        for part in parts:
            shown = run(EARSHOT, *filter(None, (command, part)), "--help")[0]
            given = []
            for line in re.findall(r"^ +(-[-\w]+(?:, --[\w-]+)?)(?=[ =\[]|$)", shown, re.MULTILINE):
                given += line.split(", ")
            assert len(given) == len(set(given)), (command, part, sorted(one for one in set(given) if given.count(one) > 1))
            checked += len(given)
    assert checked > 200, checked


def pages():
    return ["README.md", "examples/README.md", "rtl/core/README.md", "rtl/cpu/README.md", "python/README.md", *sorted(glob.glob("docs/*.md"))]


def headings(page):
    return {line.lstrip("#").strip() for line in text_of(page).split("\n") if line.startswith("#")}


def links_lead_somewhere():
    """Links of pages lead to files that exist, and to their headings; so do the sections that pages and code name: docs/link.md, "A frame"."""
    wrong = []
    for page in pages():
        text = text_of(page)
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)", text):
            file = os.path.normpath(os.path.join(os.path.dirname(page), target)) if target else page
            anchors = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings(file)} if anchor else set()
            if not os.path.exists(file) or (anchor and anchor not in anchors):
                wrong.append((page, target, anchor))
        for target, section in re.findall(r"\[[^]]*\]\(([a-z-]+\.md)\)(?:,| \(|[^.\n\"]{0,20}\() ?\"([^\"]+)\"", text):
            if section not in headings(os.path.join(os.path.dirname(page), target)):
                wrong.append((page, target, section))
    sources = [file for folder in ("host", "firmware", "interface", "rtl", "sim", "tests", "docs", "examples")
               for file in glob.glob(f"{folder}/**/*.*", recursive=True) if file.endswith((".c", ".h", ".S", ".v", ".py", ".def", ".md"))]
    for file in sources:
        text = re.sub(r'"\s*\n\s*"', "", text_of(file))   # string literals over several lines
        for target, section in re.findall(r"(docs/[a-z-]+\.md),? \(?\\?\"([A-Z][^\"\\\n]+)\\?\"", text):
            if file != "tests/cli/pages.py" and section not in headings(target):
                wrong.append((file, target, section))
    assert not wrong, wrong


def files_named_exist():
    """Pages name files and folders of the tree that are there."""
    roots = "host|firmware|interface|rtl|sim|tests|scripts|examples|docs|constraints"
    missing = [(page, name) for page in pages() for name in re.findall(rf"`((?:{roots})/[\w./*-]+)`", text_of(page)) if not glob.glob(name)]
    assert not missing, missing


def every_page_is_listed():
    """README names all pages."""
    missing = [page for page in glob.glob("docs/*.md") if f"]({page})" not in text_of("README.md")]
    assert not missing, missing


def block_pictures_are_current():
    """Each block diagram is what its source says, and no text is wider than its box."""
    for source in glob.glob("docs/pictures/*.blocks"):
        with tempfile.TemporaryDirectory() as scratch:
            printed, code = run("scripts/block-picture", source, f"{scratch}/picture.svg")
            assert code == 0, printed
            assert text_of(f"{scratch}/picture.svg") == text_of(source.replace(".blocks", ".svg")), f"{source}: make block-pictures"


ADDRESS = re.compile(r"(call|go to|at) 0x[0-9a-f]+")


def the_compiler():
    """What docs/compiler.md shows of the monitor IR, but for where code stands, which moves with the firmware."""
    for end in ("", "=allocate"):
        command = f"$ earshot watch build/examples/thermostat-O0.elf -e 'hot: when enter(control) && temp > 80' --dump-ir{end}"
        shown = [ADDRESS.sub(r"\1 A", line) for line in block(text_of("docs/compiler.md"), command)]
        printed, code = run(EARSHOT, "watch", f"{BUILD}/examples/thermostat-O0.elf", "-e", "hot: when enter(control) && temp > 80",
                            f"--dump-ir{end}")
        assert code == 0, printed
        lines = [ADDRESS.sub(r"\1 A", line) for line in printed.split("\n") if line]
        assert shown[-1] == "...", shown
        wanted = [line for line in shown if line != "..."]
        at = lines.index(wanted[0])
        assert lines[at:at + len(wanted)] == wanted, "\n".join(["compiler.md shows", *wanted, "", "printed is", *lines])


def the_ci_page():
    """docs/ci.md shows the example's expectations and commands as they are, and what the compiler makes of a missing `volatile`."""
    page = text_of("docs/ci.md")
    shown = re.search(r"^```watch\n(.*?)^```", page, re.MULTILINE | re.DOTALL).group(1)
    assert text_of("examples/ci/checks.watch").endswith(shown), shown
    made = re.sub(r"\$\((\w+)\)", lambda name: {"CC": "earshot-target-cc", "CFLAGS": "-O2 -Wall -Wextra", "EARSHOT": "earshot", "SEEDS": "1..8"}[name[1]],
                  text_of("examples/ci/Makefile").split("# What happens without")[0]).replace("$@", "build/tank.elf").replace("$<", "build/tank.elf")
    commands = re.search(r"two commands:\n\n```\n(.*?)```", page, re.DOTALL).group(1).splitlines()
    assert all(f"\t{command}\n" in made for command in commands), (commands, made)
    shown = block(page, "$ earshot test build/tank.elf -s checks.watch --for 1s")
    with tempfile.TemporaryDirectory() as scratch:
        printed, code = run("scripts/target-cc", "-O2", "-DVALVE=bool", "examples/ci/main.c", "examples/ci/tank.c", "-o", f"{scratch}/tank.elf")
        assert code == 0, printed
        printed, code = run(EARSHOT, "test", f"{scratch}/tank.elf", "-s", "examples/ci/checks.watch", "--for", "1s")
    assert code == 1 and shown[-1] == "...", printed
    assert printed.replace("examples/ci/", "").splitlines()[:len(shown) - 1] == shown[:-1], "\n".join(["ci.md shows", *shown, "", "printed is", printed])


def holds(printed, shown):
    """Whether the lines that a page shows are among those printed, in their order: a page leaves out what it does not talk about."""
    rest = iter(printed)
    return all(any(line.startswith(part[:-3]) if part.endswith("...") else line == part for line in rest) for part in shown)


def sessions():
    """Pages' commands one after the other, each with what the page shows of it."""
    thermostat = ["earshot record build/examples/thermostat-O2.elf --inputs run.inputs"]
    for page, before in ("threads", []), ("replay", thermostat):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.abspath("examples"), f"{folder}/examples")
            os.symlink(os.path.abspath(BUILD), f"{folder}/build")
            told = [block for block in re.findall(r"^```\n(\$ .*?)^```", text_of(f"docs/{page}.md"), re.MULTILINE | re.DOTALL)]
            assert told, page
            for step in before + [part for block in told for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]:
                command, *shown = step.replace("\\\n", " ").split("\n")
                done = subprocess.run(["bash", "-c", command], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                                      env={**os.environ, "PATH": f"{os.path.abspath(BUILD)}:{os.environ['PATH']}"}, stdin=subprocess.DEVNULL, check=False)
                printed = [line.rstrip() for line in done.stdout.split("\n")]
                assert done.returncode == 0 and holds(printed, [line.rstrip() for line in shown if line]), \
                    "\n".join([f"docs/{page}.md shows", step, "", "printed is", *printed])


def levels_are_said():
    """Where README builds a program and shows what comes of it, it says how: the figures depend on it."""
    page = text_of("README.md")
    built = page.index("-O2 -Iexamples/mp examples/mp/pipeline.c -o pipeline.elf")
    assert built < page.index("earshot net from-program pipeline.elf"), "how pipeline.elf is made comes first"


def a_small_stack():
    """As `ulimit -s 128` gives: libdw wants more."""
    command = f"ulimit -s 128; exec {EARSHOT} watch {BUILD}/examples/thermostat-O0.elf -e 'temp > 80' --json"
    printed, code = run("bash", "-c", command)
    assert code == 0 and '"event":"summary"' in printed, (code, printed[-300:])


if __name__ == "__main__":
    sys.exit(run_all([the_demo, the_replay, the_check, the_virtual_probe, the_bitstream, the_placement, the_manual, options_have_one_meaning, links_lead_somewhere, files_named_exist, every_page_is_listed,
                      block_pictures_are_current, the_compiler, the_ci_page, sessions, levels_are_said, a_small_stack]))
