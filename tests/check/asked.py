"""What tests of `earshot check` share: programs, and its verdicts of them."""
import json
import os
import subprocess

BUILD = os.environ.get("EARSHOT_BUILD", "build")
EARSHOT = os.path.join(BUILD, "earshot")
THERMOSTAT = os.path.join(BUILD, "examples/thermostat-O0.elf")
SMALL = os.path.join(BUILD, "tests/e2e/board/thermostat-O0.elf")   # in 64 KiB
TASKS = os.path.join(BUILD, "examples/tasks-O0.elf")
RECURSION = os.path.join(BUILD, "examples/recursion-O0.elf")
PLAIN = os.path.join(BUILD, "tests/check/plain/recursion-O0.elf")  # the same without compressed instructions, as boards want it
INTERRUPTS = os.path.join(BUILD, "examples/interrupts-O2.elf")


def check(*arguments):
    """The monitor's verdict."""
    return either("--probe-only", *arguments)


def either(*arguments):
    return subprocess.run([EARSHOT, "check", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300,
                          check=False)


def verdict(*arguments):
    result = check(*arguments, "--json")
    told = json.loads(result.stdout)
    assert result.returncode == (0 if told["guaranteed"] else 1), result
    return told
