"""Files and folders of a room use each other one way only: the linker's view of the objects, and the includes."""
import glob
import os
import re
import subprocess

# Circles that are still there: a room that is being rebuilt as a whole, or the files of one circle. One that is gone has to go from here.
WHOLE_ROOMS = set()
KNOWN = [
    # the decision of one head, or to ask again, makes tokens, which decide others: one recursive algorithm on one state
    {"net/recovery/choices", "net/recovery/decide", "net/recovery/look", "net/recovery/recovered", "net/recovery/spin", "net/recovery/starve"},
    # the language's grammar is recursive: an index, a path's activation and what stands in parentheses are expressions
    {"lang/area", "lang/characters", "lang/expression", "lang/follow", "lang/operand", "lang/path", "lang/reference"},
    # a type that is only declared is completed by another unit's, which is read by the same rules
    {"symbols/complete", "symbols/types"},
]


def circles(uses):
    """The strongly connected sets of more than one node (Tarjan). uses: by node, the nodes it uses."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for other in uses[node]:
            if other not in order:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], order[other])
        if low[node] == order[node]:
            at = stack.index(node)
            circle = set(stack[at:])
            del stack[at:]
            if len(circle) > 1:
                found.append(circle)

    for node in uses:
        if node not in order:
            visit(node)
    return found


def names_in(path, nm="nm"):
    """What an object defines for others, and what it wants from them."""
    defined, wanted = set(), set()
    listed = subprocess.run([nm, "--extern-only", "--format=posix", path], capture_output=True, text=True, check=True)
    for line in listed.stdout.splitlines():
        name, kind = line.split()[:2]
        (wanted if kind == "U" else defined).add(name)
    return defined, wanted


def uses_of_room(build, room):
    """By file, without ending, below host/: the files of the same room whose functions and objects it uses."""
    known = {}
    for path in glob.glob(f"host/{room}/**/*.c", recursive=True):
        name = os.path.splitext(os.path.relpath(path, "host"))[0]
        known[name] = names_in(os.path.join(build, "host", name + ".o"))
    return uses_of(known)


def uses_of_firmware(build):
    """The same of the firmware, whose files, with endings, are C and assembly for the soft core."""
    nm = os.environ.get("CROSS", "riscv64-unknown-elf-") + "nm"
    sources = [path for path in glob.glob("firmware/**/*.[cS]", recursive=True) if not path.startswith("firmware/drain/")]  # a program of its own
    assert len(sources) > 20, sources
    return uses_of({path: names_in(os.path.join(build, path + ".o"), nm) for path in sources})


def uses_of(known):
    """By name: those whose functions and objects it uses. known: by name, what it defines and what it wants."""
    home = {symbol: name for name, (defined, _) in known.items() for symbol in defined}
    return {name: {home[symbol] for symbol in wanted if symbol in home} - {name} for name, (_, wanted) in known.items()}


def check_objects(build, rooms):
    """No circle of files in any room but those listed above."""
    found = [circle for room in rooms if room not in WHOLE_ROOMS for circle in circles(uses_of_room(build, room))]
    new = [sorted(circle) for circle in found if circle not in KNOWN]
    assert not new, f"these files use each other in a circle: {new}"
    gone = [sorted(circle) for circle in KNOWN if circle not in found]
    assert not gone, f"these circles are gone; take them out of tests/cli/circles.py: {gone}"


def check_firmware(build):
    """No circle in the firmware, and its library, which images have without the rest, uses nothing else of it."""
    uses = uses_of_firmware(build)
    assert not circles(uses), f"these files use each other in a circle: {[sorted(circle) for circle in circles(uses)]}"
    beyond = {name: others for name, others in ((name, {other for other in uses[name] if "/library/" not in other})
                                                for name in uses if "/library/" in name) if others}
    assert not beyond, f"files of the library use others: {beyond}"


def check_folders():
    """Nor do the folders of a room; what lies beside them may stand below or above them all."""
    uses = {}
    for path in glob.glob("host/*/*/*.[ch]"):
        folder = os.path.dirname(path)
        with open(path, encoding="utf-8") as file:
            others = {os.path.dirname("host/" + name) for name in re.findall(r'^#include "(\w+/\w+/\w+\.h)"$', file.read(), re.MULTILINE)}
        uses.setdefault(folder, set()).update(other for other in others - {folder} if os.path.dirname(other) == os.path.dirname(folder))
    assert sum(map(len, uses.values())) > 10, uses
    assert not circles(uses), f"these folders include each other in a circle: {[sorted(circle) for circle in circles(uses)]}"


def check_headers():
    """Headers do not include each other in a circle, which their guards would hide."""
    uses = {}
    for path in glob.glob("host/**/*.h", recursive=True) + glob.glob("firmware/**/*.h", recursive=True):
        root = "host" if path.startswith("host/") else os.path.dirname(path)
        with open(path, encoding="utf-8") as file:
            names = [os.path.join(root, name) for name in re.findall(r'^#include "(.*)"$', file.read(), re.MULTILINE)]
        uses[path] = {name for name in names if os.path.exists(name)}
    assert len(uses) > 100, len(uses)
    assert not circles(uses), circles(uses)
