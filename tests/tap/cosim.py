#!/usr/bin/python3
"""The taps against bus models of others: tests/tap/cosim. Skipped, and said so, where build/venv cannot be made (no network)."""
import os
import subprocess
import sys
import xml.etree.ElementTree

BUILD = os.path.abspath(os.environ.get("EARSHOT_BUILD", "build"))
OUT = os.path.join(BUILD, "tap-cosim")


def main():
    made = subprocess.run(["scripts/venv"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if made.returncode != 0:
        print(f"skipped: {made.stderr.strip()}\n0 passed, 0 failed")
        return 0
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name not in ("MFLAGS", "B", "SAN")}
    environment["PATH"] = f"{os.path.abspath(made.stdout.strip())}/bin:{os.environ['PATH']}"
    environment["COCOTB_ANSI_OUTPUT"] = "0"
    os.makedirs(OUT, exist_ok=True)
    results = os.path.join(OUT, "results.xml")
    if os.path.exists(results):
        os.remove(results)
    done = subprocess.run(["make", "-s", "-C", "tests/tap/cosim", f"OUT={OUT}", f"B={BUILD}", f"TREE={os.getcwd()}"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, env=environment, check=False, timeout=1500)
    if not os.path.exists(results):
        print(done.stdout[-5000:])
        print("0 passed, 1 failed")
        return 1
    cases = list(xml.etree.ElementTree.parse(results).getroot().iter("testcase"))
    failed = [case.get("name") for case in cases if case.find("failure") is not None or case.find("error") is not None]
    if failed or not cases:
        print(done.stdout[-8000:])
    for case in cases:
        print(f"{'FAIL' if case.get('name') in failed else 'ok  '} {case.get('name')}: {float(case.get('time')):.1f} s")
    print(f"{len(cases) - len(failed)} passed, {len(failed) + (not cases)} failed")
    return bool(failed) or not cases


if __name__ == "__main__":
    sys.exit(main())
