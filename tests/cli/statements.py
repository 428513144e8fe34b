"""What the command line tells about several statements: where each error is, and numbers that JSON has no digits for."""
import json
import os
import subprocess
import sys
import tempfile

from harness import run_all

BUILD = os.environ.get("EARSHOT_BUILD", "build")
VALUES, THERMOSTAT = f"{BUILD}/tests/cli/values.elf", f"{BUILD}/examples/thermostat-O0.elf"
TESTS = []


def test(function):
    TESTS.append(function)
    return function


def earshot(*arguments):
    return subprocess.run([f"{BUILD}/earshot", *arguments], capture_output=True, text=True, timeout=60, check=False)


def equal(got, wanted):
    assert got == wanted, f"got:\n{got}\nwanted:\n{wanted}"


@test
def an_error_tells_which_e_it_is_in():
    for command in "watch", "check":
        result = earshot(command, THERMOSTAT, "-e", "temp > 3 { print }", "-e", "tmp > 3 { print }", "-e", "mode == 1 { print")
        equal((result.returncode, result.stdout), (2, ""))
        equal(result.stderr, """-e 2:1:1: error: there is no variable 'tmp' in the program
  tmp > 3 { print }
  ^~~
hint: did you mean 'temp'?
-e 3:1:11: error: this { has no }
  mode == 1 { print
            ^
""")
    equal(earshot("watch", THERMOSTAT, "-e", "tmp > 3").stderr.splitlines()[0], "-e:1:1: error: there is no variable 'tmp' in the program")


@test
def names_go_without_when():
    result = earshot("watch", THERMOSTAT, "-e", "a: enter(control)", "--json", "-n", "2")
    equal(result.returncode, 0)
    assert '"statement":"a"' in result.stdout, result.stdout


@test
def numbers_that_are_none_are_told_apart():
    result = earshot("watch", VALUES, "--json", "-e", "when write(ratio) { print ratio }")
    equal(result.returncode, 0)
    hits = [json.loads(line) for line in result.stdout.splitlines()]
    equal([hit["values"]["ratio"] for hit in hits if hit.get("values")][-1], "nan")


@test
def what_tasks_may_mix_is_said():
    """Two tasks that are both interrupted within one assignment are not told apart: a warning names the variable, but only with tasks."""
    with tempfile.TemporaryDirectory() as scratch:
        program = os.path.join(scratch, "tasks")
        with open(f"{program}.c", "w", encoding="utf-8") as file:
            file.write("volatile double wide; void *volatile now; int main(void) { wide = 1; now = (void *)&now; return 0; }\n")
        subprocess.run(["scripts/target-cc", "-O0", f"{program}.c", "-o", f"{program}.elf"], check=True)
        for task, said in (("now", 1), ("none", 0)):
            result = earshot("watch", f"{program}.elf", "--task", task, "-e", "write(wide)")
            equal((result.returncode, result.stderr.count("wide has two words")), (0, said))


@test
def structs_assigned_as_a_whole():
    """As docs/statements.md says: the member that is stored last shows all of it, and which one that is."""
    def hits(program, statement):
        done = earshot("watch", program, "--json", "-e", statement)
        equal(done.returncode, 0)
        return [event for event in map(json.loads, done.stdout.splitlines()) if event["event"] == "hit"]

    with tempfile.TemporaryDirectory() as folder:
        for level in "-O0", "-O2":
            program = os.path.join(folder, f"structs{level}.elf")
            subprocess.run(["scripts/target-cc", level, "tests/cli/structs.c", "-o", program], check=True)
            places = {}
            for hit in hits(program, "when write(here) { print which(here) }"):
                places.setdefault((hit["file"], hit["line"]), []).append(hit["values"]["here"])
            (stores,) = places.values()
            last = stores[len(stores) // 5 - 1].split()[-1].split("=")[0].split(".")[1]
            equal(last, {"-O0": "kind", "-O2": last}[level])
            whole = [hit["values"]["here"] for hit in hits(program, f"when write(here.{last}) {{ snapshot here }}")]
            wanted = [{"x": n, "y": 2 * n, "tag": 3 * n, "kind": n} for n in range(1, 6)]
            equal([{name: shot[name] for name in wanted[0]} for shot in whole], wanted)
            copied = hits(program, "when write(store.last) { print store.head, store.body[11], store.last }")
            equal([tuple(hit["values"].values()) for hit in copied], [(n, n + 11, -n) for n in (1, 2, 3, 4, 5, 5)])
            assert copied[-1]["path"] == ["main", "memcpy"], copied[-1]


if __name__ == "__main__":
    sys.exit(run_all(TESTS))
