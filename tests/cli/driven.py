"""What tests share that drive the real `earshot`: programs to watch, its exit codes, a run of it, comparisons."""
import os
import subprocess
import tempfile

from harness import run_all

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
VALUES = os.path.join(BUILD, "tests/cli/values.elf")
FOREVER = os.path.join(BUILD, "tests/cli/forever.elf")
RECURSION = os.path.join(BUILD, "examples/recursion-O0.elf")
THERMOSTAT = os.path.join(BUILD, "examples/thermostat-O0.elf")
ALL_VALUES = ("v: when write(go) && go > 0 { print i8, u8, i16, u16, i32, u32, letter, flag, mode, flags, ratio, bits.a, bits.b, bits.c, "
              "data_pointer, code_pointer, old(go); count rounds }")
USAGE, PROBE, LOST, OUTPUT = 2, 3, 4, 5
TESTS = []
_FOLDER = tempfile.TemporaryDirectory()
scratch = _FOLDER.name


def test(function):
    TESTS.append(function)
    return function


def run(*arguments, env=None, timeout=120, **options):
    environment = dict(os.environ, LC_ALL="C.UTF-8", ASAN_OPTIONS="detect_leaks=1")
    environment.update(env or {})
    return subprocess.run([EARSHOT, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
                          timeout=timeout, stdin=subprocess.DEVNULL, **options)


def watch(*arguments, **options):
    return run("watch", *arguments, **options)


def equal(got, wanted):
    assert got == wanted, f"\n--- got\n{got}\n--- wanted\n{wanted}"


def fails(result, code, message):
    equal(result.returncode, code)
    equal(result.stdout, "")
    equal(result.stderr, message)


def path_of(name, content=b""):
    path = os.path.join(scratch, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def run_tests():
    """Those of the program that runs. Returns the exit code."""
    return run_all(TESTS)
