"""Programs whose threads tell each other something in memory: where a way through the code hangs on who comes first, the
prediction says so, and its bounds contain what N cores take; where it does not, nothing is said.

The expectation is the source's: which of them are which is said in tests/predict/programs/sharing.c. The truth are N cores."""
import json
import os
import subprocess
import sys
import tempfile

BUILD = os.environ.get("EARSHOT_BUILD", "build")
CROSS = os.environ.get("CROSS", "riscv64-unknown-elf-")
BRANCHES, CORES = "branches hang on what other threads have written", "how many cores there are"
WAYS = {"counter": BRANCHES, "last": BRANCHES, "late": BRANCHES, "spin": BRANCHES, "look": BRANCHES, "readers": BRANCHES, "cores": CORES, "reduce": None, "hand": None}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=True, env={**os.environ, "CROSS": CROSS}).stdout


def wrong(folder, way, level):
    """What is wrong with a program, or nothing."""
    elf, recording = os.path.join(folder, f"{way}{level}.elf"), os.path.join(folder, f"{way}{level}.rec")
    run("scripts/target-cc", "-march=rv32imc_zicsr_zifencei", level, f"-DWAY={way}", "-Iexamples/threads", "tests/predict/programs/sharing.c",
        "examples/threads/kernel.c", "examples/threads/objects.c", "examples/threads/switch.S", "-o", elf)
    run(f"{BUILD}/earshot", "record", elf, "--inputs", recording, "--probe", "sim:cores=1")
    head, *cases = [json.loads(line) for line in run(f"{BUILD}/earshot", "predict", elf, recording, "--cores", "2,8", "--json").splitlines()]
    said, expected = head["depends_on_timing"], WAYS[way]
    if (said is None) != (expected is None) or (expected and expected not in said):
        yield f"it says {said}"
    for case, cores in zip(cases, (2, 8)):
        true = json.loads(run(f"{BUILD}/shared-run", "-q", "-t", f"cores={cores}", elf))["makespan"]
        if not case["low"] <= true <= case["high"]:
            yield f"{cores} cores take {true}, which is not within {case['low']} to {case['high']}"
        if not expected and abs(case["makespan"] - true) > 0.05 * true:
            yield f"{cores} cores take {true}, not {case['makespan']}"


def main():
    failed = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for way in WAYS:
            for level in ("-O0", "-O2") if way in ("late", "reduce", "hand") else ("-O2",):
                texts = list(wrong(folder, way, level))
                failed += bool(texts)
                count += 1
                for text in texts:
                    print(f"{way} {level}: {text}")
    print(f"{count - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
