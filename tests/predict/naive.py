"""The engine against a naive one, on random programs and machines.

    naive.py [SEED]         that seed alone, with its trace
"""
import os
import random
import subprocess
import sys

from naive_engine import Stuck, World
from random_cases import as_text, make_case, make_machine

BUILD = os.environ.get("EARSHOT_BUILD", "build")
SEED = int(os.environ.get("EARSHOT_SEED", "1"))
COUNT = int(os.environ.get("EARSHOT_GRAPHS", "250"))


def main():
    alone = int(sys.argv[1]) if len(sys.argv) > 1 else None
    passed = failed = stuck = 0
    for seed in [alone] if alone is not None else range(SEED * 100000, SEED * 100000 + COUNT):
        r = random.Random(seed)
        case = make_case(r)
        machines = [make_machine(r) for _ in range(4)]
        text = as_text(case, machines)
        out = subprocess.run([f"{BUILD}/tests/predict/run_text"], input=text, capture_output=True, text=True,
                             check=True, timeout=60).stdout.splitlines()
        if alone is not None:
            print(text)
        for i, m in enumerate(machines):
            world = World(case, m)
            try:
                expected = world.run()
            except Stuck:
                expected = None
                stuck += 1
            for each in (0, 1):
                words = out[2 * i + each].split()
                waits = [int(w.split(":")[0]) for w in words[3:]] if words[0] != "stuck" else []
                good = words[0] == "stuck" if expected is None else (
                    words[0] == str(expected) and words[1] == str(world.scale) and
                    waits == [world.waits.get(o, 0) for o in range(len(case["objects"]) + 1)])
                passed += good
                failed += not good
                if not good:
                    print(f"seed {seed} machine {i} each {each}: {out[2 * i + each]}, not {expected} {world.scale} "
                          f"{world.waits}: {m}")
        if failed > 20:
            break
    if stuck * 20 > passed:
        print(f"{stuck} machines were stuck")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
