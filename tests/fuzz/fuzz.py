"""Each fuzzer of `make fuzz` takes some inputs without a fault, so that one that no longer builds or starts is noticed. The inputs are the
same each time: whatever is found here is found again."""
import os
import subprocess
import sys

LIMIT = "-runs=300 -seed=1"


def make(*arguments):
    """Without what this program's own make has told it: it is none of its jobs."""
    env = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}
    return subprocess.run(["make", "--no-print-directory", *arguments], env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)


def main():
    names, wrong = make("-s", "fuzz-names").stdout.split(), 0
    for name in names:
        done = make(f"fuzz-{name}", f"FUZZ_LIMIT={LIMIT}")
        if done.returncode != 0 or "Done " not in done.stdout:
            print(f"FAIL fuzz-{name}:\n{done.stdout[-4000:]}")
            wrong += 1
    if not names:
        print("FAIL: there are no fuzzers")
    print(f"{len(names) - wrong} passed, {wrong + (not names)} failed")
    return 1 if wrong or not names else 0


sys.exit(main())
